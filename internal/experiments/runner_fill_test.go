package experiments

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestARetriedFindingIsTheOneShown: what a child found stands in the place of the error it was asked again for, and nothing else changes.
func TestARetriedFindingIsTheOneShown(t *testing.T) {
	t.Parallel()
	finding := func(id string, s metrics.State, stage string) Result {
		r := Result{QuestionID: id, Scores: []metrics.Score{{Metric: "cause", State: s, Stages: []string{stage}}}}
		if s == metrics.Errored {
			r.Failure = &Failure{Cause: "provider_server"}
		}
		return r
	}
	results := []Result{finding("q1", metrics.Errored, ""), finding("q2", metrics.Scored, "first"), finding("q3", metrics.Errored, "")}
	fill(results, []Result{finding("q1", metrics.Scored, "again"), finding("q2", metrics.Scored, "other"),
		finding("q3", metrics.Errored, "")})
	want := []Result{finding("q1", metrics.Scored, "again"), finding("q2", metrics.Scored, "first"), finding("q3", metrics.Errored, "")}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Error(diff)
	}
}
