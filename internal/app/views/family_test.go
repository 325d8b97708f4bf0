package views

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestWhatBelongsToARunIsPaidAndShownWithIt diagnoses a run with a provider that fails some of the judge's calls and retries that: the run
// shows the last causes everywhere, its bill is what was bought altogether, and the list folds its children.
func TestWhatBelongsToARunIsPaidAndShownWithIt(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	offline := fakeprovider.Offline(laboratory.CauseOfflineHandlers())
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: offline})
	run := w.Worked(t, strings.NewReplacer("k: 2", "k: 1", "size: 80", "size: 60").Replace(apptest.Bought))
	var failing atomic.Bool
	failing.Store(true)
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: offline,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if failing.Load() && strings.Contains(string(r.Body), apptest.AskedQuestions[1]) {
				return fakeprovider.Behaviour{Fault: fakeprovider.ContentFilter}
			}
			return fakeprovider.Behaviour{}
		}})
	diagnosed, err := analyses.Diagnose(t.Context(), w.Workbench, run.ID, analyses.DiagnoseRules{Method: causes.Observed})
	if err != nil {
		t.Fatal(err)
	}
	views := NewViews(w.Workbench)
	before, err := views.runs().Causes(t.Context(), run.ID)
	if err != nil || before.Failed == 0 {
		t.Fatalf("nothing failed: %+v, %v", before, err)
	}
	failing.Store(false)
	retry, err := w.RetryErrors(t.Context(), diagnosed.ID, false, experiments.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	direct, err := analyses.CauseReport(t.Context(), w.Workbench, run.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	shown, err := views.runs().Causes(t.Context(), run.ID) // which had the run in its memory
	if err != nil {
		t.Fatal(err)
	}
	for place, r := range map[string]causes.CauseReport{"report": direct, "page": shown.CauseReport} {
		if r.Failed != 0 || r.Diagnosed != before.Diagnosed+before.Failed {
			t.Errorf("%s: %d diagnosed, %d failed; before the retry %d and %d", place, r.Diagnosed, r.Failed, before.Diagnosed,
				before.Failed)
		}
	}
	bill, err := w.Bill(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	named := []string{}
	sum := bill.Own
	for _, c := range bill.Children {
		named, sum = append(named, c.RunID), sum.Plus(c.Total)
	}
	if diff := cmp.Diff([]string{diagnosed.ID, retry.ID}, named); diff != "" {
		t.Errorf("children of the bill:\n%s", diff)
	}
	ledger := 0
	for _, id := range append(named, run.ID) {
		calls, err := w.Store.Calls(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		ledger += len(calls)
	}
	if bill.Total != sum || bill.Total.Calls != ledger || ledger == bill.Own.Calls {
		t.Errorf("the bill says %d calls, its parts %d, the ledger %d, the run alone %d", bill.Total.Calls, sum.Calls, ledger,
			bill.Own.Calls)
	}
	for field, lines := range bill.By {
		calls := 0
		for _, l := range lines {
			calls += l.Calls
		}
		if calls != ledger {
			t.Errorf("by %s: %d calls of %d", field, calls, ledger)
		}
	}
	page, err := views.runs().Run(t.Context(), run.ID)
	if err != nil || page.Spent != bill.Total || page.Own != bill.Own || len(page.Children) != 2 {
		t.Errorf("the page says %+v in all, %+v alone, of %d children; %v", page.Spent, page.Own, len(page.Children), err)
	}
	checkFolded(t, views, run.ID, named)
}

// checkFolded checks that a list shows a run alone, with the number of its children, and with them only where that is asked for.
func checkFolded(t *testing.T, views *Views, run string, children []string) {
	t.Helper()
	folded, err := views.runs().Runs(t.Context(), RunQuery{})
	if err != nil || len(folded.Items) != 1 || folded.Items[0].RunID != run || folded.Items[0].Children != len(children) {
		t.Fatalf("folded: %+v, %v", folded.Items, err)
	}
	unfolded, err := views.runs().Unfolded(t.Context(), folded.Items)
	if err != nil {
		t.Fatal(err)
	}
	depth := map[string]int{run: 0}
	for i, id := range children {
		depth[id] = i + 1 // each belongs to the one before
	}
	got := map[string]int{}
	for _, r := range unfolded {
		got[r.RunID] = r.Depth
	}
	if diff := cmp.Diff(depth, got); diff != "" {
		t.Errorf("unfolded:\n%s", diff)
	}
	all, err := views.runs().Runs(t.Context(), RunQuery{Children: true})
	ids := map[string]bool{}
	for _, r := range all.Items {
		ids[r.RunID] = true
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(depth)), slices.Sorted(maps.Keys(ids))); err != nil || diff != "" {
		t.Errorf("with children:\n%s%v", diff, err)
	}
}
