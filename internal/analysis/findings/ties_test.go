package findings

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// TestCountsByTheGradeAloneSaySo: wherever the numbers of worse and better answers are said, it is said beside them how many questions were
// counted by a grade that their answers tie by, because a run was not scored by what tells such answers apart. The count is made here.
func TestCountsByTheGradeAloneSaySo(t *testing.T) {
	t.Parallel()
	unread := func(compare.Arm, *experiments.Result) (compare.AnswerFacts, bool) {
		return compare.AnswerFacts{}, false
	}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 71))
		n := 3 + r.IntN(12)
		grades := [2][]float64{make([]float64, n), make([]float64, n)}
		alike := 0
		for i := range n {
			grades[0][i], grades[1][i] = float64(1+r.IntN(3)), float64(1+r.IntN(3))
			if grades[0][i] == grades[1][i] {
				alike++
			}
		}
		names := []string{"correctness"}
		if seed%3 == 0 { // both runs were scored by what tells ties apart
			names, alike = append(names, "factual_correctness", "answer_correctness"), 0
		}
		var both [2]experiments.Evaluation
		for arm := range both {
			scores := map[string][]float64{}
			for _, name := range names {
				scores[name] = grades[arm]
			}
			both[arm] = scored([]string{"old", "new"}[arm], false, scores)
		}
		c, err := compare.CompareWith(both[0], both[1], compare.Options{Facts: unread})
		if err != nil {
			t.Fatal(err)
		}
		f := Of(Input{Comparison: &c, Baseline: &both[0], Candidate: both[1]})
		for lang, want := range map[string]string{"en": fmt.Sprint(alike, " question"), "ja": fmt.Sprint("同点の質問", alike, "問は、評価だけで")} {
			for door, said := range map[string][]string{"gate": f.Gate(lang), "page": f.Open(Page, lang).Sentences} {
				found := slices.ContainsFunc(said, func(s string) bool {
					return strings.Contains(s, want) && (lang == "ja" || strings.Contains(s, "counted by the grade alone"))
				})
				if found != (alike > 0) {
					t.Errorf("seed %d, %s, %s: %d alike: %q", seed, door, lang, alike, said)
				}
			}
		}
	}
}
