package notebooks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestQueriesWaitForTheirTurn: two work at a time, one of each person; who waits too long is told so and leaves nothing behind.
func TestQueriesWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	d := newQueryPool(0) // who cannot work at once has waited too long
	a := AskedBy(t.Context(), "a")
	leave, err := d.enter(a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.enter(a); problem.CodeOf(err) != "sql_busy" || !strings.Contains(err.Error(), "another query of yours") {
		t.Errorf("a second query of one person: %v", err)
	}
	second, err := d.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := AskedBy(t.Context(), "b")
	if _, err := d.enter(b); problem.CodeOf(err) != "sql_busy" || !strings.Contains(err.Error(), "other queries") {
		t.Errorf("a third query: %v", err)
	}
	leave()
	if leave, err = d.enter(b); err != nil {
		t.Fatal(err)
	}
	leave()
	second()
	gone, stop := context.WithCancel(a)
	stop()
	one, two := mustEnter(t, d, a), mustEnter(t, d, b)
	if _, err := newQueryPool(queryPatience).enter(gone); err != nil {
		t.Errorf("a free pool asks nobody to wait: %v", err)
	}
	d.patience = queryPatience
	if _, err := d.enter(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone does not wait: %v", err)
	}
	one()
	two()
	if len(d.people) != 0 || len(d.slots) != 0 {
		t.Errorf("%d people and %d slots are left", len(d.people), len(d.slots))
	}
}

func mustEnter(t *testing.T, d *queryPool, ctx context.Context) func() {
	t.Helper()
	leave, err := d.enter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

// TestFilledBoxesAreKept: a box serves whoever reads no more than it holds; of five the one not used for longest goes.
func TestFilledBoxesAreKept(t *testing.T) {
	t.Parallel()
	d := newQueryPool(queryPatience)
	boxes := []*sqlbox.Box{}
	put := func(key string, columns ...string) {
		box, err := sqlbox.New(sqlbox.Table{Name: "t", Columns: []sqlbox.Column{{Name: "a", Type: "TEXT"}, {Name: "b", Type: "TEXT"}}})
		if err != nil {
			t.Fatal(err)
		}
		boxes = append(boxes, box)
		d.put(filledBox{box, key, map[string][]string{"t": columns}})
	}
	put("one", "a", "b")
	for _, c := range []struct {
		key   string
		reads map[string][]string
		there bool
	}{
		{"one", map[string][]string{"t": {"a"}}, true}, {"one", map[string][]string{"t": nil}, true}, {"one", nil, true},
		{"one", map[string][]string{"t": {"a", "c"}}, false}, {"one", map[string][]string{"u": nil}, false},
		{"two", map[string][]string{"t": {"a"}}, false},
	} {
		f := d.take(c.key, c.reads)
		if (f != nil) != c.there {
			t.Errorf("%s %v: %v", c.key, c.reads, f)
		}
		if f != nil {
			if d.take(c.key, c.reads) != nil {
				t.Error("a box is handed out twice")
			}
			d.put(*f)
		}
	}
	for _, key := range []string{"two", "three", "four"} {
		put(key, "a")
	}
	d.put(*d.take("one", nil))
	put("five", "a")
	var keys []string
	for _, f := range d.held {
		keys = append(keys, f.key)
	}
	if !slices.Equal(keys, []string{"three", "four", "one", "five"}) {
		t.Errorf("kept are %v", keys)
	}
	if boxes[0].Bytes() == 0 {
		t.Error("a box with a table takes no memory")
	}
}
