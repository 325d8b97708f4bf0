package causes

import (
	"context"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// PatternOf says how a low-score answer fails, from what was judged already: it buys nothing. An answer that refuses could not find
// what was asked; one that contradicts the reference is wrong; of the others, those that do not rest on the contexts come from the
// generator's own knowledge, and the rest is incomplete. "" when the answer is not low.
func PatternOf(known metrics.Grounds, r experiments.Result, threshold float64) Pattern {
	corner := CornerOf(r, threshold)
	if corner == "" || r.Answer == nil {
		return ""
	}
	says, only := metrics.Refusal(r.Answer.Text)
	switch {
	case only, known.Refuses:
		return PatternNotFound
	case known.Opposed || contradiction(r):
		return PatternWrong
	case says:
		return PatternNotFound
	case corner == BothLow, corner == TrustLow:
		return PatternOwnKnowledge
	}
	return PatternOther
}

// contradiction reports whether the metric of this name found one.
func contradiction(r experiments.Result) bool {
	v, ok := r.Value("contradiction")
	return ok && v > 0
}

// PatternsOf returns the pattern of every low-score answer of a run, by question id, from its stored verdicts.
func PatternsOf(ctx context.Context, e experiments.Evaluation, stages rag.Stages) (map[string]Pattern, error) {
	out := map[string]Pattern{}
	for _, r := range e.Results {
		if CornerOf(r, e.Run.Setup.LowScore) == "" {
			continue
		}
		known, err := r.Found(ctx, stages)
		if err != nil {
			return nil, err
		}
		if p := PatternOf(known, r, e.Run.Setup.LowScore); p != "" {
			out[r.QuestionID] = p
		}
	}
	return out, nil
}

// patternTable counts low-score answers by corner and pattern, in the order of the paper's table 4.
func patternTable(e experiments.Evaluation, patterns map[string]Pattern) []PatternCount {
	out := []PatternCount{}
	for _, corner := range []Corner{BothLow, CorrectnessLow, TrustLow} {
		for _, p := range []Pattern{PatternWrong, PatternNotFound, PatternOwnKnowledge, PatternOther} {
			n := 0
			for _, r := range e.Results {
				if patterns[r.QuestionID] == p && CornerOf(r, e.Run.Setup.LowScore) == corner {
					n++
				}
			}
			if n > 0 {
				out = append(out, PatternCount{Corner: corner, Pattern: p, Count: n})
			}
		}
	}
	return out
}

// CornerOf says which of correctness and trust of a result is low; "" when neither is.
func CornerOf(r experiments.Result, threshold float64) Corner {
	c, hasC := r.Value("correctness")
	t, hasT := r.Value("trust")
	switch lowC, lowT := hasC && c <= threshold, hasT && t <= threshold; {
	case lowC && lowT:
		return BothLow
	case lowC:
		return CorrectnessLow
	case lowT:
		return TrustLow
	}
	return ""
}
