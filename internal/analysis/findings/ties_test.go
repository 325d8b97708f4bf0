package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestTiesExplainTheirNumber: whoever reads two numbers of worse answers after one change finds beside either why they differ.
func TestTiesExplainTheirNumber(t *testing.T) {
	t.Parallel()
	warned := compare.Note{Code: compare.WarnByGradeAlone, Params: map[string]any{"n": 7, "who": "neither run was",
		"measures": "factual correctness"}}
	of := func(c compare.Comparison) Text {
		b := &builder{in: Input{Comparison: &c}}
		b.Matched = 20
		return b.ties()
	}
	if got := of(compare.Comparison{}); got.EN != "" {
		t.Errorf("without a tie: %q", got.EN)
	}
	decided := of(compare.Comparison{TieBreaks: 3})
	if !strings.Contains(decided.EN, "3 of 20 verdicts") || !strings.Contains(decided.EN, "not scored by factual correctness or answer") ||
		!strings.Contains(decided.JA, "評価だけで判定") {
		t.Errorf("decided ties: %+v", decided)
	}
	for _, breaks := range []int{0, 3} {
		open := of(compare.Comparison{TieBreaks: breaks, Warnings: []compare.Note{{Code: "warn.dataset"}, warned}})
		if !strings.Contains(open.EN, warned.Text("en")) || !strings.Contains(open.JA, warned.Text("ja")) ||
			strings.Contains(open.EN, "3 of 20 verdicts") != (breaks > 0) {
			t.Errorf("ties that the grade decided: %+v", open)
		}
	}
	b := &builder{in: Input{Causes: &causes.CauseReport{PatternsBy: experiments.Rationale{EN: "read from reasons", JA: "理由から"}}}}
	for _, told := range b.untested() {
		if told.Code == "untested.patterns" && told.EN == "read from reasons" && told.JA == "理由から" {
			return
		}
	}
	t.Error("findings do not say that patterns were read from reasons alone")
}
