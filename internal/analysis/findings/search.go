package findings

import (
	"slices"

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
	words := []any{"mean", share(mean), "k", depth, "worst", share(worst), "question", question}
	if short == 0 {
		return say(code, words...)
	}
	return say("search.both", "first", say(code, words...), "second", say("search.short", "n", short))
}

// SearchPlanned says that a plan searches otherwise than the runs will: it has no graph to search. It is nil where all of them search
// exactly.
func SearchPlanned(configs []rag.Config) *Text {
	if !slices.ContainsFunc(configs, func(c rag.Config) bool { return c.Retrieve.Approximates() }) {
		return nil
	}
	said := say("search.planned")
	return &said
}

// EvidenceGone says of which of the questions with marked evidence it does not stand in the documents that are searched; nil of none.
func EvidenceGone(marked int, gone []string) *Text {
	if len(gone) == 0 {
		return nil
	}
	said := say("evidence.gone", "n", len(gone), "marked", marked, "which", some(gone))
	return &said
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
