package app_test

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// What the rest of a stopped run needs is asked of the plan, whatever was bought before of the questions that are done: the budget that
// is proposed is enough, and not many times too much. Where the questions done were there already, their price said nothing of the rest.
func TestTheBudgetProposedToAStoppedRunIsEnough(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(w *apptest.World, t *testing.T){
		"nothing was bought": func(*apptest.World, *testing.T) {},
		"half was bought":    func(w *apptest.World, t *testing.T) { t.Helper(); limited(w, t, apptest.Bought, 4) },
	} {
		for _, inCalls := range []bool{false, true} {
			w := apptest.NewPriced(t)
			before(w, t)
			job := w.JobFile(t, strings.Replace(apptest.Bought, "name: bought", "name: again", 1))
			whole, err := w.Plan(t.Context(), []app.Job{job})
			if err != nil {
				t.Fatal(err)
			}
			// of calls in flight, upper estimates are reserved: it stops early
			job.Budget = experiments.Budget{Micros: max(1, whole.ExpectedMicros/3)}
			if inCalls {
				job.Budget = experiments.Budget{Calls: max(2, whole.ExpectedBuy/4)}
			}
			run, err := w.Run(t.Context(), job)
			if problem.CodeOf(err) != "budget_spent" {
				t.Fatalf("%s: %v", name, err)
			}
			message, hint, ok := app.AtBudget(t.Context(), w.Workbench, run.ID)
			if ja, said := problem.Japanese(message); !ok || !strings.Contains(message, " need about ") || !said {
				t.Fatalf("%s: %q %q", name, message, ja)
			}
			_, written, _ := strings.Cut(hint, "--budget ")
			b, err := experiments.ParseBudget(written)
			if err != nil {
				t.Fatalf("%s: %s", hint, err)
			}
			if err := w.SetBudget(t.Context(), run.ID, b); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Resume(t.Context(), run.ID); err != nil {
				t.Errorf("%s: with %s it stopped again: %v", name, written, err)
			}
			spent, err := w.Store.Spent(t.Context(), run.ID)
			if err != nil {
				t.Fatal(err)
			}
			used := spent.ConfirmedMicros
			if !inCalls && b.Micros > 2*used+10_000+8*whole.PriceMicros/int64(whole.Buy) || inCalls && b.Calls > 2*spent.Calls+8 {
				t.Errorf("%s: %s was proposed; %d, %d calls were needed", name, written, used, spent.Calls)
			}
		}
	}
}
