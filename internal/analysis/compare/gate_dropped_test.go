package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/stats"
)

// TestDroppedQuestionsAreNamed: a release check names each question that a later dataset has no more or has changed, however it was changed;
// it passes where none of them is critical in either dataset, and cannot tell where one is.
func TestDroppedQuestionsAreNamed(t *testing.T) {
	t.Parallel()
	rows := evaltest.Table{}
	for i := range 40 {
		rows[fmt.Sprintf("q%d", i+1)] = map[string]float64{"correctness": 4, "trust": 5}
	}
	changes := map[string]func(e *experiments.Evaluation, at int){
		"removed": func(e *experiments.Evaluation, at int) {
			e.Questions, e.Results = slices.Delete(e.Questions, at, at+1), slices.Delete(e.Results, at, at+1)
		},
		"reworded":           func(e *experiments.Evaluation, at int) { e.Questions[at].Text = "What else?" },
		"with another truth": func(e *experiments.Evaluation, at int) { e.Questions[at].Reference = "Another answer." },
	}
	for name, change := range changes {
		for _, critical := range []string{"nowhere", "before", "elsewhere"} {
			before, after := evaltest.Evaluation(t, "b", rows), evaltest.Evaluation(t, "c", rows)
			before.Questions, after.Questions = slices.Clone(before.Questions), slices.Clone(after.Questions)
			at := 7
			id := before.Questions[at].ID
			switch critical {
			case "before":
				before.Questions[at].Critical = true
			case "elsewhere":
				before.Questions[at+1].Critical, after.Questions[at+1].Critical = true, true
			}
			change(&after, at)
			r := gated(t, RunGate(compared(t, before, after), before, after, DefaultGateRules()), DefaultGateRules())
			check := checkOf(t, r, "dropped")
			if !slices.Equal(check.Dropped, []string{id}) || !strings.Contains(check.Message, id) || !strings.Contains(check.MessageJA, id) {
				t.Errorf("%s: %+v does not name %s", name, check, id)
			}
			want := stats.Pass
			if critical == "before" {
				want = stats.Inconclusive
			}
			if r.Decision != want || strings.Contains(check.Message, "Critical among them: "+id) != (want == stats.Inconclusive) {
				t.Errorf("%s, critical %s: %s: %s", name, critical, r.Decision, check.Message)
			}
			if r.Coverage != 1 {
				t.Errorf("%s: a question that was dropped counts as missing: %v", name, r.Coverage)
			}
		}
	}
	same := evaltest.Evaluation(t, "b", rows)
	for _, c := range gated(t, RunGate(compared(t, same, same), same, same, DefaultGateRules()), DefaultGateRules()).Checks {
		if c.Name == "dropped" {
			t.Errorf("nothing was dropped: %+v", c)
		}
	}
}
