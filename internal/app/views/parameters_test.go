package views

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// sameParameters: what a list tells of its runs is what their setups hold.
func sameParameters(t *testing.T, v *Views) {
	t.Helper()
	runs, err := v.runs().Runs(t.Context(), RunQuery{Children: true, Page: listing.Page{Limit: -1}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := v.runs().Parameters(t.Context(), runs.Items)
	if err != nil {
		t.Fatal(err)
	}
	want := Parameters{Differing: []string{"corpus", "judge.model"}, Runs: map[string]map[string]string{}}
	for _, r := range runs.Items {
		if r.Kind != experiments.KindEvaluate || r.ParentID != "" {
			continue
		}
		run, err := v.w.Store.Run(t.Context(), r.RunID)
		if err != nil {
			t.Fatal(err)
		}
		want.Runs[r.RunID] = map[string]string{"judge.model": run.Setup.Judge.Name}
		if run.Setup.Corpus.Name != "" {
			want.Runs[r.RunID]["corpus"] = run.Setup.Corpus.String()
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	bare, err := v.runs().ParametersOf(t.Context(), RunQuery{Children: true, Page: listing.Page{Limit: -1, Sort: "-correctness"}})
	if d := cmp.Diff(want, bare); err != nil || d != "" {
		t.Errorf("of runs of which no rows were read: %v\n%s", err, d)
	}
	one := slices.IndexFunc(runs.Items, func(r app.RunRow) bool { return r.Kind == experiments.KindEvaluate })
	alone, err := v.runs().Parameters(t.Context(), runs.Items[one:one+1])
	if err != nil || len(alone.Differing) != 0 {
		t.Errorf("one run differs from itself: %+v (%v)", alone, err)
	}
}
