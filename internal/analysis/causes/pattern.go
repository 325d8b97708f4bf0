package causes

import (
	"context"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// PatternOf says how a low-score answer fails, from what was judged already: it buys nothing. An answer that refuses could not find
// what was asked. One that contradicts the reference, or that answers what the documents do not, is wrong. Of the others, the judge did
// not find those of low trust in the contexts; what is left holds a part of the right answer, hardly anything of it, or nobody looked.
// "" when the answer is not low.
func PatternOf(known metrics.Grounds, q experiments.Question, r experiments.Result, threshold float64) Pattern {
	corner := CornerOf(r, threshold)
	if corner == "" || r.Answer == nil {
		return ""
	}
	says, only := metrics.Refusal(r.Answer.Text)
	correctness, _ := r.Score("correctness")
	told := metrics.ReasonTold(correctness.Reason)
	switch {
	case only, known.Refuses:
		return PatternNotFound
	case known.Opposed, contradiction(r), corner != TrustLow && (told.Conflict || !q.Answerable):
		return PatternWrong
	case says:
		return PatternNotFound
	case corner == BothLow, corner == TrustLow:
		return PatternNotInContexts
	case known.Covered+known.Supported > 0, told.Known && !told.Nothing():
		return PatternIncomplete
	case told.Known, known.Checked, known.Key > 0:
		return PatternHardlyAny
	}
	return PatternOther
}

// Patterns are the ways in which answers fail, in the order of every table.
func Patterns() []Pattern {
	return []Pattern{PatternWrong, PatternNotFound, PatternNotInContexts, PatternIncomplete, PatternHardlyAny, PatternOther}
}

// contradiction reports whether the metric of this name found one.
func contradiction(r experiments.Result) bool {
	v, ok := r.Value("contradiction")
	return ok && v > 0
}

// PatternsOf returns the pattern of every low-score answer of a run, by question id, from its stored verdicts.
func PatternsOf(ctx context.Context, e experiments.Evaluation, stages rag.Stages) (map[string]Pattern, error) {
	out := map[string]Pattern{}
	questions := make(map[string]experiments.Question, len(e.Questions))
	for _, q := range e.Questions {
		questions[q.ID] = q
	}
	for _, r := range e.Results {
		if CornerOf(r, e.Run.Setup.LowScore) == "" {
			continue
		}
		known, err := r.Found(ctx, stages)
		if err != nil {
			return nil, err
		}
		if p := PatternOf(known, questions[r.QuestionID], r, e.Run.Setup.LowScore); p != "" {
			out[r.QuestionID] = p
		}
	}
	return out, nil
}

// patternTable counts low-score answers by corner and pattern, in the order of the paper's table 4.
func patternTable(e experiments.Evaluation, patterns map[string]Pattern) []PatternCount {
	out := []PatternCount{}
	for _, corner := range []Corner{BothLow, CorrectnessLow, TrustLow} {
		for _, p := range Patterns() {
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

// patternsBy says how many answers were sorted by the reason of their grade alone, because nobody set their statements against the right
// answer: those that could be wrong for all that is known, but those of which not even the reason says how. Empty where there are none.
func patternsBy(suite []metrics.Spec, table []PatternCount) experiments.Rationale {
	if answer, reference := metrics.SetsAgainst(suite); answer || reference {
		return experiments.Rationale{}
	}
	open, low := 0, 0
	for _, c := range table {
		low += c.Count
		if c.Pattern != PatternWrong && c.Pattern != PatternNotFound && c.Pattern != PatternOther {
			open += c.Count
		}
	}
	if open == 0 {
		return experiments.Rationale{}
	}
	fill := func(lang string) string {
		return strings.NewReplacer("{n}", strconv.Itoa(open), "{low}", strconv.Itoa(low), "{wrong}", PatternWrong.Word(lang),
			"{measures}", metrics.StatementMeasuresIn(lang)).Replace(causeWord(lang, "patterns.by_reason"))
	}
	return experiments.Rationale{EN: fill("en"), JA: fill("ja")}
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
