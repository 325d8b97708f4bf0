package store

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// A text is looked for in the names of runs, each looked at once: no statement of a search goes through the runs of the history.
func TestAWordIsFoundWithoutTheHistory(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	for range 30 {
		queued(t, s, "a")
	}
	want := queued(t, s, "b").ID
	asked := noted(t, s)
	for _, text := range []string{"EXP-B", "set-b@1", want} {
		*asked = nil
		heads, total, err := s.RunHeads(t.Context(), experiments.RunList{Text: text, RunFilter: experiments.RunFilter{Roots: true}},
			experiments.Part{Sort: "correctness", Down: true, Limit: 50})
		ok(t, err)
		if total != 1 || len(heads) != 1 || heads[0].RunID != want {
			t.Errorf("%s finds %d of %d runs", text, len(heads), total)
		}
		if !slices.ContainsFunc(*asked, func(q string) bool { return strings.Contains(q, "each_name") }) {
			t.Fatalf("the statements were not noted: %q", *asked)
		}
		for _, q := range slices.Clone(*asked) {
			var plan []struct{ Detail string }
			ok(t, s.Read(t.Context()).Raw("EXPLAIN QUERY PLAN "+q).Scan(&plan).Error)
			for _, step := range plan {
				if strings.HasPrefix(step.Detail, "SCAN runs") && !strings.Contains(step.Detail, "INDEX runs_named") {
					t.Errorf("%s: %s\n%s", text, step.Detail, q)
				}
			}
		}
	}
}
