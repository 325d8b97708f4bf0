package validations

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestVerdictsAreValidatedOverTheWire: what a paid judge is asked for is planned to the call, bought once, stopped by its budget, and kept
// on the judge's card beside what was measured before. Its findings then warn of its worse where it was too seldom right.
func TestVerdictsAreValidatedOverTheWire(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline()})
	pairs, source, err := ReadPairs(filepath.Join("..", "..", "analysis", "validation", "testdata", "verdict_pairs.jsonl"))
	if err != nil || source != "verdict_pairs.jsonl" {
		t.Fatal(err)
	}
	v := VerdictValidation{Judge: "openai/m", Pairs: pairs[:12], Source: source}
	plan, err := PlanVerdicts(t.Context(), w.Workbench, v)
	if err != nil || plan.Buy == 0 || w.Billed("chat/completions") != 0 {
		t.Fatalf("planned %d calls and bought %d: %v", plan.Buy, w.Billed("chat/completions"), err)
	}
	v.Budget = experiments.Budget{Calls: 5}
	if _, err := ValidateVerdicts(t.Context(), w.Workbench, v); problem.CodeOf(err) != "budget_spent" || w.Billed("chat/completions") != 5 {
		t.Fatalf("a budget of 5 calls ended with %v after %d", err, w.Billed("chat/completions"))
	}
	v.Budget = experiments.Budget{}
	report, err := ValidateVerdicts(t.Context(), w.Workbench, v)
	if err != nil || report.Pairs != 12 || report.Lost != 0 || w.Billed("chat/completions") > plan.Buy ||
		report.Calls != w.Billed("chat/completions")-5 {
		t.Fatalf("%+v after %d calls of %d: %v", report, w.Billed("chat/completions"), plan.Buy, err)
	}
	offline, err := ValidateVerdicts(t.Context(), w.Workbench, VerdictValidation{Pairs: v.Pairs, Source: source})
	if err != nil || offline.Worse.Called != report.Worse.Called || offline.Better.Called != report.Better.Called || offline.Calls != 0 {
		t.Errorf("the same judge says %+v in the program and %+v over the wire: %v", offline.Confusion, report.Confusion, err)
	}
	again, err := ValidateVerdicts(t.Context(), w.Workbench, v)
	if err != nil || again.Calls != 0 {
		t.Errorf("validated twice: %d calls more, %v", again.Calls, err)
	}
	card, _, err := JudgeCard(t.Context(), w.Workbench, "openai/m")
	if err != nil || card.Verdicts == nil || card.Verdicts.Source != source || card.RunID != again.RunID {
		t.Errorf("the card is %+v, %v", card, err)
	}
	if _, _, err := ReadPairs(w.Write(t, "bad.jsonl", `{"id":"a"}`)); problem.CodeOf(err) != "pairs_line" ||
		!strings.Contains(err.Error(), "line 1, question") {
		t.Errorf("a bad row: %v", err)
	}
	if _, _, err := ReadPairs(filepath.Join(w.Dir, "nowhere")); problem.CodeOf(err) != "pairs_file" {
		t.Errorf("no file: %v", err)
	}
	if found, err := w.Whole.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("doctor: %v %v", found, err)
	}
}
