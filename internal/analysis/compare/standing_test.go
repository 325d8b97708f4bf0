package compare

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

func TestASquareHoldsOnlyLowScoresOrNone(t *testing.T) {
	t.Parallel()
	for _, threshold := range []float64{1, 1.5, 2, 2.5, 3, 4} {
		for score := 1.0; score <= 5; score += 0.05 {
			n := Square(score, threshold)
			if n < 1 || n > 5 {
				t.Fatalf("Square(%v, %v) = %d", score, threshold, n)
			}
			if (score <= threshold) != (float64(n) <= threshold) {
				t.Errorf("score %v with threshold %v is shown as %d", score, threshold, n)
			}
			if d := score - float64(n); d > 1 || d < -1 {
				t.Errorf("score %v with threshold %v is shown as %d", score, threshold, n)
			}
		}
	}
}

// TestStandingIsTheMeanOfVotes: a vote without a score is none, and the votes themselves stay as they are.
func TestStandingIsTheMeanOfVotes(t *testing.T) {
	t.Parallel()
	vote := func(id string, replicate int, correctness float64, reason string) experiments.Result {
		s := metrics.Score{Metric: "correctness", State: metrics.Scored, Value: correctness, Reason: reason}
		if correctness == 0 {
			s.State = metrics.Errored
		}
		return experiments.Result{QuestionID: id, Replicate: replicate, Scores: []metrics.Score{s}}
	}
	votes := []experiments.Result{vote("a", 0, 5, "first"), vote("b", 0, 0, "provider_down"), vote("c", 0, 3, ""),
		vote("a", 1, 4, "second"), vote("a", 2, 4, "third"), vote("b", 1, 2, "later")}
	standing, counted := experiments.Standing(votes)
	want := map[string]struct {
		value  float64
		reason string
		votes  int
	}{"a": {13.0 / 3, "first", 3}, "b": {2, "later", 2}, "c": {3, "", 1}}
	if len(standing) != len(want) || votes[0].Scores[0].Value != 5 {
		t.Fatalf("%+v of %+v", standing, votes)
	}
	for _, r := range standing {
		w, s := want[r.QuestionID], r.Scores[0]
		if s.Value != w.value || s.Reason != w.reason || counted[r.QuestionID] != w.votes || s.State != metrics.Scored {
			t.Errorf("%s stands at %+v by %d votes", r.QuestionID, s, counted[r.QuestionID])
		}
	}
}
