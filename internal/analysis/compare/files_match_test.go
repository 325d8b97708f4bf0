package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
)

// TestFilesFindEachOthersQuestions: by id and wording, by wording where ids differ or are missing, and never by an id that names another
// question. Exchanging the files exchanges nothing but the sides.
func TestFilesFindEachOthersQuestions(t *testing.T) {
	t.Parallel()
	item := func(id, question, reference string) foreign.ScoredItem {
		return foreign.ScoredItem{ID: id, Question: question, Reference: reference, Scores: [][]float64{{1}}, Votes: 1}
	}
	for name, c := range map[string]struct {
		before, after []foreign.ScoredItem
		matched       int
		reworded      []string
	}{
		"ids alone": {[]foreign.ScoredItem{item("1", "", ""), item("2", "", "")}, []foreign.ScoredItem{item("2", "", "")}, 1, nil},
		"spelt otherwise": {[]foreign.ScoredItem{item("How long?", "how long?", "")},
			[]foreign.ScoredItem{item("HOW  long?", "how long?", "")}, 1, nil},
		"ids on one side": {[]foreign.ScoredItem{item("7", "how long?", "")},
			[]foreign.ScoredItem{item("How long?", "how long?", "")}, 1, nil},
		"rows numbered anew": {[]foreign.ScoredItem{item("1", "a", ""), item("2", "b", ""), item("3", "c", "")},
			[]foreign.ScoredItem{item("1", "b", ""), item("2", "a", ""), item("3", "c", "")}, 3, nil},
		"reworded": {[]foreign.ScoredItem{item("1", "a", ""), item("2", "b", "")},
			[]foreign.ScoredItem{item("1", "a", ""), item("2", "z", "")}, 1, []string{"2"}},
		"one wording, two right answers": {[]foreign.ScoredItem{item("w (x)", "w", "x"), item("w (y)", "w", "y")},
			[]foreign.ScoredItem{item("w (y)", "w", "y"), item("w (z)", "w", "z")}, 1, nil},
		"one right answer, written later": {[]foreign.ScoredItem{item("w", "w", "")}, []foreign.ScoredItem{item("w.", "w", "y")}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, sides := range [2][2][]foreign.ScoredItem{{c.before, c.after}, {c.after, c.before}} {
				before := &foreign.ScoreTable{File: "b", Metrics: []string{"faithfulness"}, Items: sides[0]}
				after := &foreign.ScoreTable{File: "a", Metrics: []string{"faithfulness"}, Items: sides[1]}
				as, reworded := aligned(before, after)
				if d := cmp.Diff(c.reworded, reworded); d != "" {
					t.Error(d)
				}
				ids := map[string]bool{}
				for _, i := range as.Items {
					ids[i.ID] = true
				}
				if len(ids) != len(as.Items) {
					t.Errorf("two questions have one id: %v", ids)
				}
				got := comparedFiles(t, before, after, FileRules{})
				if got.Matched != c.matched || len(got.Removed) != len(sides[0])-c.matched || len(got.Added) != len(sides[1])-c.matched {
					t.Errorf("%d matched, %v removed, %v added", got.Matched, got.Removed, got.Added)
				}
				told := strings.Contains(strings.Join(got.Warnings, "\n"), "names another question in each file")
				if told != (c.reworded != nil) {
					t.Errorf("%q", got.Warnings)
				}
				said := slices.Concat(got.Warnings, got.WarningsJA)
				for _, q := range FileGate(got).Metrics[0].Items {
					if q.Paired && slices.Contains(got.Added, q.ID) {
						t.Errorf("the gate pairs %s, which was not matched: %q", q.ID, said)
					}
				}
			}
		})
	}
}
