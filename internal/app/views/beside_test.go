package views

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/reporting"
)

// TestBesideSaysWhatPairsSay: whatever stands side by side, a run's column is its comparison with the baseline.
func TestBesideSaysWhatPairsSay(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 12, 0, 3, 5, 8)
	base := d.Evaluate(t, "base", "writer-1").ID
	others := []string{d.Evaluate(t, "worse", "writer-2").ID, d.Evaluate(t, "same", "writer-3").ID}
	v := NewViews(d.Workbench)
	view, err := v.Beside(t.Context(), base, others)
	if err != nil {
		t.Fatal(err)
	}
	all := BesideQuery{Page: listing.Page{Limit: -1}}
	questions, err := v.BesideQuestions(t.Context(), base, others, all)
	if err != nil {
		t.Fatal(err)
	}
	if view.Questions != 12 || len(questions.Items) != 12 || view.Baseline.RunID != base || len(view.Runs) != 2 ||
		cmp.Diff([]string{"generate.model"}, view.Parameters.Differing) != "" || view.Confidence != compare.Jointly(2) {
		t.Fatalf("%+v", view)
	}
	for i, other := range others {
		pair, err := v.Comparison(t.Context(), base, other, reporting.GateAsked{})
		if err != nil {
			t.Fatal(err)
		}
		changes, _, err := v.Changes(t.Context(), base, other, ChangeQuery{Page: listing.Page{Limit: -1}})
		if err != nil {
			t.Fatal(err)
		}
		want, got := map[string]compare.Label{}, map[string]compare.Label{}
		for _, c := range changes.Items {
			want[c.QuestionID] = c.Label
		}
		for _, q := range questions.Items {
			got[q.QuestionID] = q.Cells[i].Label
		}
		if d := cmp.Diff(want, got) + cmp.Diff(pair.Labels, view.Runs[i].Labels); d != "" {
			t.Errorf("run %d: -pair +beside\n%s", i+1, d)
		}
		m, c := pair.Metrics["correctness"], view.Runs[i].Changes["correctness"]
		if c.Diff != m.Diff || cmp.Diff(m.Jointly(2), c.CI) != "" {
			t.Errorf("run %d: %+v beside %+v", i+1, c, m)
		}
	}
	differ, err := v.BesideQuestions(t.Context(), base, others, BesideQuery{Page: all.Page, Differ: true})
	if err != nil || len(differ.Items) != 3 || view.Disagreed != 3 {
		t.Fatalf("%d and %d questions differ, want 3 (%v)", len(differ.Items), view.Disagreed, err)
	}
	if d := cmp.Diff(differ.Items, questions.Items[:3]); d != "" {
		t.Errorf("what the runs disagree on does not come first:\n%s", d)
	}
	for _, names := range [][]string{nil, {others[0], others[0]}, {base}, {"a", "b", "c", "d", "e", "f"}} {
		if _, err := v.Beside(t.Context(), base, names); err == nil {
			t.Errorf("%v stands beside the baseline", names)
		}
	}
}
