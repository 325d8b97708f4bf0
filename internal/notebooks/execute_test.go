package notebooks

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

func states(v *View) map[State][]string {
	out := map[State][]string{}
	for _, c := range v.Cells {
		out[c.State] = append(out[c.State], c.Name)
	}
	delete(out, Fresh)
	return out
}

// TestAParameterNamedInACommentIsNotUsed: another value makes nothing stale, and one that does not exist is no mistake there.
func TestAParameterNamedInACommentIsNotUsed(t *testing.T) {
	t.Parallel()
	b := newBench()
	n := opened(t, b, strings.Replace(small, "rag config base\n", "rag config base\n  # not ${p.k}, and ${p.gone} is gone\n", 1))
	run(t, n)
	n = again(t, b, n.Path)
	if err := n.Set("k", "6"); err != nil {
		t.Fatal(err)
	}
	v, err := n.Evaluate(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[State][]string{Stale: {"r1", "c", "g", "why"}}, states(v)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d, _ := document.Read("t", n.Document.Bytes())
	if used := d.Cell("base").UsedParams(); len(used) != 0 {
		t.Errorf("base uses %v", used)
	}
	if used := d.Cell("change").UsedParams(); !slices.Equal(used, []string{"p.k"}) {
		t.Errorf("change uses %v", used)
	}
}

// TestOneEditMakesExactlyTheRightCellsStale runs everything, changes one thing, and looks at every cell.
func TestOneEditMakesExactlyTheRightCellsStale(t *testing.T) {
	t.Parallel()
	text := func(old, with string) func(*testing.T, *bench, *Notebook) {
		return func(t *testing.T, _ *bench, n *Notebook) {
			s := strings.Replace(string(n.Document.Bytes()), old, with, 1)
			if s == string(n.Document.Bytes()) {
				t.Fatal("the case changes nothing")
			}
			if err := os.WriteFile(n.Path, []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := map[string]struct {
		edit   func(*testing.T, *bench, *Notebook)
		param  string
		stale  map[State][]string
		why    map[string]string
		priced []string
	}{
		"nothing": {edit: func(*testing.T, *bench, *Notebook) {}, stale: map[State][]string{}},
		"the candidate": {edit: text("extends: base", "extends: base\nchunk: {size: 400}"),
			stale: map[State][]string{Stale: {"r1", "c", "g", "why"}},
			why:   map[string]string{"r1": "change was edited", "c": "r1 is stale", "why": "r1 is stale"}, priced: []string{"r1"}},
		"the baseline": {edit: text("mode: dense, k: 3", "mode: bm25, k: 3"),
			stale: map[State][]string{Stale: {"r0", "r1", "c", "g", "why"}},
			why:   map[string]string{"r0": "base was edited", "r1": "base was edited"}, priced: []string{"r0", "r1"}},
		"a parameter": {edit: func(*testing.T, *bench, *Notebook) {}, param: "k=6",
			stale: map[State][]string{Stale: {"r1", "c", "g", "why"}}, why: map[string]string{"r1": "p.k was 4 and is 6"},
			priced: []string{"r1"}},
		"an unused one": {edit: func(*testing.T, *bench, *Notebook) {}, param: "unused=b", stale: map[State][]string{}},
		"a default": {edit: text("default: 4", "default: 5"), stale: map[State][]string{Stale: {"r1", "c", "g", "why"}},
			why: map[string]string{"r1": "p.k was 4 and is 5"}, priced: []string{"r1"}},
		"the dataset": {edit: func(_ *testing.T, b *bench, _ *Notebook) { b.versions["faq"]++ },
			stale: map[State][]string{Stale: {"r0", "r1", "c", "g", "why"}}, why: map[string]string{"r0": "qa was faq@1 and is faq@2"},
			priced: []string{"r0", "r1"}},
		"the diagnosis": {edit: text("rag cause why\n", "rag cause why\nlimit: 2\n"), stale: map[State][]string{Stale: {"why"}},
			why: map[string]string{"why": "why was edited"}, priced: []string{"why"}},
		"the gate":          {edit: text("of: c\n", "of: c\nallowance: 0.5\n"), stale: map[State][]string{}},
		"prose":             {edit: text("# 目的", "# 別の目的"), stale: map[State][]string{}},
		"a comment":         {edit: text("# a comment", "# another"), stale: map[State][]string{}},
		"order and spacing": {edit: text("{mode: dense, k: 3}", "{k: 3,   mode: dense}"), stale: map[State][]string{}},
		"a title":           {edit: text("configs: change", "title: Change\nconfigs: change"), stale: map[State][]string{}},
		"results elsewhere": {edit: func(_ *testing.T, b *bench, _ *Notebook) { clear(b.runs) },
			stale: map[State][]string{Stale: {"r0", "r1"}, Blocked: {"c", "g", "why"}},
			why:   map[string]string{"r0": "its runs are not in this data directory"}, priced: []string{"r0", "r1"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench()
			n := opened(t, b, small)
			run(t, n)
			c.edit(t, b, n)
			n = again(t, b, n.Path)
			if name, value, ok := strings.Cut(c.param, "="); ok {
				if err := n.Set(name, value); err != nil {
					t.Fatal(err)
				}
			}
			v, err := n.Evaluate(t.Context(), true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.stale, states(v)); diff != "" {
				t.Error(diff)
			}
			var priced []string
			for _, cell := range v.Cells {
				if cell.Price != nil && !cell.Price.Free() {
					priced = append(priced, cell.Name)
				}
				if want, ok := c.why[cell.Name]; ok && strings.Join(cell.Why, "; ") != want {
					t.Errorf("%s is stale because %q, want %q", cell.Name, strings.Join(cell.Why, "; "), want)
				}
			}
			if diff := cmp.Diff(c.priced, priced); diff != "" {
				t.Error("priced", diff)
			}
			before := len(b.bought)
			if got := states(run(t, n)); len(got) > 0 {
				t.Errorf("after running, %v are not fresh", got)
			}
			if len(c.stale) == 0 && len(b.bought) != before {
				t.Errorf("%v was bought though nothing was stale", b.bought[before:])
			}
		})
	}
}

// TestAnApplyCellRestsOnItsDiagnosis: it is blocked before the diagnosis, asked for afterwards, and stale when that recommends another
// change.
func TestAnApplyCellRestsOnItsDiagnosis(t *testing.T) {
	t.Parallel()
	b := newBench()
	text := small + "```rag apply fix\nof: why\n```\n```rag gate after\nof: fix\n```\n"
	n := opened(t, b, text)
	v, err := n.Evaluate(t.Context(), true)
	if err != nil || v.Cell("fix").State != Blocked || v.Cell("after").State != Blocked {
		t.Fatalf("%v: %v", err, states(v))
	}
	v = run(t, n)
	fix, ok := v.Cell("fix").Value.(document.Comparison)
	if !ok || fix.Baseline.ID != v.Cell("r1").Value.(document.RunSet).First.ID || fix.Applied.Change.JA != "k を 6 に" ||
		v.Cell("after").State != Fresh {
		t.Fatalf("%+v", v.Cell("fix"))
	}
	var page strings.Builder
	if err := n.WriteHTML(v, "ja", &page); err != nil || !strings.Contains(page.String(), "適用した変更") {
		t.Errorf("%v: reading mode does not say what was changed", err)
	}
	b.change = "chunk size to 400"
	v, err = again(t, b, n.Path).Evaluate(t.Context(), true)
	diff := cmp.Diff(map[State][]string{Stale: {"fix", "after"}}, states(v))
	if err != nil || diff != "" || v.Cell("fix").Price.Calls == 0 {
		t.Errorf("%v: another recommendation: %s, price %+v", err, diff, v.Cell("fix").Price)
	}
	b.change = ""
	v, err = again(t, b, n.Path).Evaluate(t.Context(), true)
	fix, ok = v.Cell("fix").Value.(document.Comparison)
	if err != nil || !ok || v.Cell("fix").State != Fresh || fix.Candidate.ID != fix.Baseline.ID || fix.LowAfter != fix.LowBefore ||
		fix.Applied.Change.EN == "" {
		t.Errorf("%v: nothing to repair: %+v", err, v.Cell("fix"))
	}
	d, wrong := document.Read("t", []byte(strings.Replace(text, "of: why", "of: r1", 1)))
	if len(wrong) != 1 || wrong[0].Code != "ref_type" || d.Cell("fix") == nil {
		t.Errorf("a run that is no diagnosis: %v", wrong)
	}
}

func TestPinnedCellsKeepTheirResult(t *testing.T) {
	t.Parallel()
	b := newBench()
	n := opened(t, b, small)
	run(t, n)
	s := strings.Replace(small, "extends: base", "extends: base\nchunk: {size: 400}", 1)
	s = strings.Replace(s, "configs: change", "configs: change\npin: true", 1)
	if err := os.WriteFile(n.Path, []byte(s), 0o600); err != nil {
		t.Fatal(err)
	}
	before := len(b.bought)
	v := run(t, again(t, b, n.Path))
	if diff := cmp.Diff(map[State][]string{Pinned: {"r1"}}, states(v)); diff != "" || len(b.bought) != before || strings.Join(v.Cell("r1").
		Why, "") != "change was edited" {
		t.Errorf("%s; bought %v; why %q", diff, b.bought[before:], v.Cell("r1").Why)
	}
}

// TestPaidCellsWait checks that nothing is bought without a yes, and that one cell can be run by itself.
func TestPaidCellsWait(t *testing.T) {
	t.Parallel()
	b := newBench()
	n := opened(t, b, small)
	v, err := n.Run(t.Context(), Options{})
	if err != nil || len(b.bought) > 0 || v.Cell("r0").State != Stale || v.Cell("c").State != Blocked {
		t.Fatalf("without approval: %v, bought %v, %v", err, b.bought, states(v))
	}
	if _, err := n.Run(t.Context(), Options{Cells: []string{"why"}, Approve: approve}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"r1", "why"}, b.bought); diff != "" {
		t.Error("a cell with what it needs:", diff)
	}
	if _, err := n.Run(t.Context(), Options{Cells: []string{"whi"}}); !strings.Contains(problem.From(err).Message, `did you mean "why"`) {
		t.Error(err)
	}
}

func TestABudgetStopsBeforeTheNextCell(t *testing.T) {
	t.Parallel()
	b := newBench()
	n := opened(t, b, small)
	v, err := n.Run(t.Context(), Options{Approve: approve, Budget: experiments.Budget{Calls: 10}})
	if problem.CodeOf(err) != "budget_spent" || !slices.Equal(b.bought, []string{"r0"}) || v.Cell("r0").State != Fresh || v.Cell("r1").
		State != Stale {
		t.Fatalf("%v, bought %v, %v", err, b.bought, states(v))
	}
	run(t, n)
	if diff := cmp.Diff([]string{"r0", "r1", "why"}, b.bought); diff != "" {
		t.Error(diff)
	}
}

// TestAStoppedCellIsPartialAndGoesOn stops a provider in the middle of a cell.
func TestAStoppedCellIsPartialAndGoesOn(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.stopAt = "r1"
	n := opened(t, b, small)
	v, err := n.Run(t.Context(), Options{Approve: approve})
	if problem.CodeOf(err) != "provider_down" || v.Cell("r1").State != Partial || v.Cell("c").State != Blocked || v.Cell("r1").
		Spend.Calls != 5 {
		t.Fatalf("%v: %v", err, states(v))
	}
	n = again(t, b, n.Path)
	if n.Lock.Cells["r1"].Partial != "the provider is down" {
		t.Errorf("the lock says %+v", n.Lock.Cells["r1"])
	}
	v = run(t, n)
	if len(states(v)) > 0 || v.Cell("r1").Spend.Calls != 15 {
		t.Errorf("%v, spend %+v", states(v), v.Cell("r1").Spend)
	}
}

func TestTheLockIsStable(t *testing.T) {
	t.Parallel()
	b := newBench()
	n := opened(t, b, small)
	run(t, n)
	first, err := os.ReadFile(LockPath(n.Path))
	if err != nil {
		t.Fatal(err)
	}
	n = again(t, b, n.Path)
	body, err := n.Lock.Bytes()
	if err != nil || string(body) != string(first) {
		t.Errorf("the lock changes when it is read and written: %v\n%s", err, cmp.Diff(string(first), string(body)))
	}
	if _, err := ParseLock("x", []byte("raglock: 1\ncells:\n  a:\n    hesh: 1\n")); problem.CodeOf(err) != "lock_file" {
		t.Error(err)
	}
}

func TestACancelledContextEndsTheWalk(t *testing.T) {
	t.Parallel()
	b := newBench()
	ctx, cancel := context.WithCancel(t.Context())
	n := opened(t, b, small)
	n.Tell = func(c CellView) {
		if c.Name == "r0" {
			cancel()
		}
	}
	if _, err := n.Run(ctx, Options{Approve: approve}); err == nil {
		t.Fatal("the end of the context was not told")
	}
	if len(b.bought) > 1 {
		t.Errorf("%v was bought after the end", b.bought)
	}
	run(t, again(t, b, n.Path))
	if diff := cmp.Diff([]string{"r0", "r1", "why"}, b.bought); diff != "" {
		t.Error(diff)
	}
}
