package experiments

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
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

// TestScoresOfAnotherAnswerAreNotTaken: a score belongs to one answer, which is known by what was retrieved and how it was generated.
func TestScoresOfAnotherAnswerAreNotTaken(t *testing.T) {
	t.Parallel()
	answered := func(retrieved, generated string, s metrics.State) Result {
		return Result{QuestionID: "q1", Scores: []metrics.Score{{Metric: "trust", State: s}},
			Answer: &rag.Answer{RetrievalKey: retrieved, GenerationKey: generated}}
	}
	for _, c := range []struct {
		retrieved, generated string
		want                 metrics.State
	}{{"r", "g", metrics.Scored}, {"r", "other", metrics.Errored}, {"other", "g", metrics.Errored}, {"other", "other", metrics.Errored}} {
		results := []Result{answered("r", "g", metrics.Errored)}
		fill(results, []Result{answered(c.retrieved, c.generated, metrics.Scored)})
		if got := results[0].Scores[0].State; got != c.want {
			t.Errorf("%s %s: the score is %s, want %s", c.retrieved, c.generated, got, c.want)
		}
	}
}
