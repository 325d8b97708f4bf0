package views

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestAPausedRunSaysWhy: a run's page has the cause and the model's own words in both languages, and a report is refused with the way
// to them.
func TestAPausedRunSaysWhy(t *testing.T) {
	t.Parallel()
	w, run := apptest.NewUseless(t, "I would give it a four.")
	d, err := NewViews(w.Workbench).runs().Run(t.Context(), run.ID)
	if err != nil || d.Why == nil || len(d.Troubles) == 0 {
		t.Fatalf("it says %+v, %v", d, err)
	}
	if d.Why.EN != "too many replies were of no use" || d.Why.JA != "使えない応答が多すぎる" {
		t.Errorf("it stands still because of %+v", d.Why)
	}
	told := d.Troubles[0]
	if told.Reply != "I would give it a four." || told.CallID == "" || !strings.Contains(told.Text.EN, told.Reply) ||
		!strings.Contains(told.Text.JA, told.Reply) || !strings.Contains(told.Text.JA, "使えません") {
		t.Errorf("it tells %+v", told)
	}
	call, err := w.Whole.Call(t.Context(), told.CallID)
	if err != nil || !strings.Contains(string(call.Reply), told.Reply) {
		t.Errorf("the raw reply is %q, %v", call.Reply, err)
	}
	_, err = w.Evaluation(t.Context(), run.ID)
	if p := problem.From(err); p == nil || p.Code != "run_unfinished" || !strings.Contains(p.Hint, "runs show "+run.ID) {
		t.Errorf("a report of it: %v", err)
	}
}
