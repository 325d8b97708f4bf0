package findings

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// SearchOf says how much of what is nearest an approximate search found for the questions of a run, on average and for the worst, and
// whether that is less than [rag.NearEnough]. It is empty where every search was exact, or where nobody measured.
func SearchOf(results []experiments.Result) Text {
	mean, worst, question, depth, n, short := 0.0, 1.0, "", 0, 0, 0
	for _, r := range results {
		near := approximationOf(r)
		if near == nil || r.Replicate > 0 {
			continue
		}
		if n++; near.Recall < worst || question == "" {
			worst, question = near.Recall, r.QuestionID
		}
		mean, depth = mean+near.Recall, max(depth, near.Depth)
		if near.Short > 0 {
			short++
		}
	}
	if n == 0 {
		return Text{}
	}
	mean /= float64(n)
	code := "search.near"
	if mean < rag.NearEnough {
		code = "search.far"
	}
	words := []any{"mean", percent(mean), "k", depth, "worst", percent(worst), "question", question}
	if short == 0 {
		return say(code, words...)
	}
	return say("search.both", "first", say(code, words...), "second", say("search.short", "n", short))
}

func approximationOf(r experiments.Result) *rag.Approximation {
	switch {
	case r.Answer != nil:
		return r.Answer.Approximate
	case r.Retrieved != nil:
		return r.Retrieved.Approximate
	}
	return nil
}
