package compare

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestTiesThatNobodyMeasured: where a run was not scored by what tells answers of one grade apart, a comparison says how many questions
// were counted by the grade alone, which run it was, and by what it would have to be scored; else nothing.
func TestTiesThatNobodyMeasured(t *testing.T) {
	t.Parallel()
	measure := metrics.StatementMeasures()[0]
	run := func(id, text string, grade float64, measured bool) experiments.Evaluation {
		e := answered(evaltest.One(t, id, "correctness", grade), text)
		e.Run.Setup.Settled = true
		correctness, _ := metrics.Find("correctness")
		e.Run.Setup.Suite = []metrics.Spec{correctness}
		if measured {
			e.Run.Setup.Suite = append(e.Run.Setup.Suite, measure)
		}
		return e
	}
	for _, c := range []struct {
		name          string
		before, after bool // scored by what tells answers apart
		grade         float64
		text, who, in string
	}{
		{"neither", false, false, 2, "after", "neither run was scored", "どちらの実行でも採点していない"},
		{"only the candidate", false, true, 2, "after", "the baseline was not scored", "比較の基準で採点していない"},
		{"only the baseline", true, false, 2, "after", "the candidate was not scored", "候補で採点していない"},
		{"both", true, true, 2, "after", "", ""},
		{"another grade", false, false, 4, "after", "", ""},
		{"the same answer", false, false, 2, "before", "", ""},
	} {
		got, err := CompareWith(run("b", "before", 2, c.before), run("c", c.text, c.grade, c.after), Options{Facts: factsBy(nil)})
		if err != nil {
			t.Fatal(err)
		}
		said, japanese := "", ""
		for _, w := range got.Warnings {
			if w.Code == WarnByGradeAlone {
				said, japanese = w.Text("en"), w.Text("ja")
			}
		}
		if c.who == "" {
			if said != "" || got.ByGradeAlone != 0 {
				t.Errorf("%s: %d, %s", c.name, got.ByGradeAlone, said)
			}
			continue
		}
		if got.ByGradeAlone != 1 || !strings.Contains(said, "1 question has two answers") || !strings.Contains(said, c.who+" by ") ||
			!strings.Contains(said, strings.ToLower(measure.TitleEN)) || !strings.Contains(japanese, c.in) ||
			!strings.Contains(japanese, measure.TitleJA) {
			t.Errorf("%s: %d, %q, %q", c.name, got.ByGradeAlone, said, japanese)
		}
	}
}
