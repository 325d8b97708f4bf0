package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// timed is a result whose answer took so long.
func timed(ms int64, tokens int, correctness float64) []Result {
	return []Result{{
		QuestionID: "q", Answer: &rag.Answer{Generation: rag.Generation{Text: "a",
			Measured: &rag.Measured{LatencyMS: ms, PromptTokens: tokens}}, GenerationKey: "g"},
		Scores: []metrics.Score{
			{Metric: "correctness", Version: "1", State: metrics.Scored, Value: correctness},
			{Metric: "latency", Version: "1", State: metrics.Scored, Value: float64(ms) / 1000},
		},
	}}
}

func TestTheChainDoesNotKnowTheTime(t *testing.T) {
	t.Parallel()
	fast := timed(10, 5, 4)
	chain := Chain(fast)
	if slow := timed(9000, 5, 4); Chain(slow) != chain || slow[0].Answer.Measured.LatencyMS != 9000 || slow[0].Scores[1].Value != 9 {
		t.Errorf("a slower answer has another chain, or lost its time: %+v", slow)
	}
	for name, other := range map[string][]Result{"tokens": timed(10, 6, 4), "score": timed(10, 5, 3), "none": nil} {
		if Chain(other) == chain || ChainLike(chain, other) == chain {
			t.Errorf("%s: the chain does not show the change", name)
		}
	}
	unanswered := timed(10, 5, 4)
	unanswered[0].Answer = nil
	if Chain(unanswered) == chain {
		t.Error("an answer that is gone does not show")
	}
}

// TestOlderChainsAreStillChecked: the chain of a run that an older program closed covers the times too.
func TestOlderChainsAreStillChecked(t *testing.T) {
	t.Parallel()
	// as the program computed it before times were left out
	const before = "0b187029e2286700de926500724fe70c35afb0f334d37b8671ad84c7704ac133"
	if got := ChainLike(before, timed(10, 5, 4)); got != before {
		t.Errorf("chain %s, closed as %s", got, before)
	}
	if ChainLike(before, timed(11, 5, 4)) == before {
		t.Error("another time does not show in a chain that covers times")
	}
}

// TestChainsWriteScoresAsEver: leaving the value of an unscored metric out of other JSON breaks no chain that was made before.
func TestChainsWriteScoresAsEver(t *testing.T) {
	t.Parallel()
	result := Result{QuestionID: "q1", Scores: []metrics.Score{{Metric: "hit", Version: "1", State: metrics.NotApplicable,
		Reason: "no_evidence"}}}
	link := sha256.Sum256(nil)
	link = sha256.Sum256(append(link[:],
		`{"question_id":"q1","replicate":0,"scores":[{"metric":"hit","version":"1","state":"not_applicable","value":0,"reason":"no_evidence"}]}`...))
	if got := Chain([]Result{result}); got != chainOf2+hex.EncodeToString(link[:]) {
		t.Errorf("the chain is %s", got)
	}
}
