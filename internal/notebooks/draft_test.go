package notebooks

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

// draft is a notebook of a text, with the lock of an opened one.
func draft(n *Notebook, text string) *Notebook {
	return Draft(n.Path, "draft", []byte(text), n.Lock, n.Engine, n.Now)
}

// TestAMistakeStaysInItsCell looks at what is still computed of documents with one mistake.
func TestAMistakeStaysInItsCell(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), small)
	run(t, n)
	for name, c := range map[string]struct {
		old, with string
		want      map[State][]string
	}{
		"a field": {"candidate: r1", "candidate: r1\nlimt: 3", map[State][]string{Errored: {"c"}, Blocked: {"g"}}},
		"yaml": {"extends: base\n", "extends: [base\n",
			map[State][]string{Errored: {"change"}, Blocked: {"r1", "c", "g", "why"}}},
		"a reference": {"configs: change", "configs: chance", map[State][]string{Errored: {"r1"}, Blocked: {"c", "g", "why"}}},
		"a type":      {"rag gate g", "rag gait g", map[State][]string{Errored: {"g"}}},
		"twice":       {"rag gate g", "rag gate why", map[State][]string{Errored: {"why", "why"}}},
		"a round": {"corpus: docs\n", "corpus: docs\nextends: change\n",
			map[State][]string{Errored: {"base"}, Blocked: {"change", "r0", "r1", "c", "g", "why"}}},
		"no name":    {"rag gate g", "rag gate", map[State][]string{Errored: {""}}},
		"not closed": {"rag cause why\nof: r1\n```\n", "rag cause why\nof: r1\n", map[State][]string{Errored: {"why"}}},
		"the front":  {"title: Small", "titel: Small", map[State][]string{}},
		"prose":      {"{{ c.worse", "{{ cc.worse", map[State][]string{}},
		"a parameter": {"k: {type: integer, default: 4", "k: {type: integer, default: x",
			map[State][]string{Errored: {"p", "change"}, Blocked: {"r1", "c", "g", "why"}}},
		"parameters gone": {"```rag params p\nk: {type: integer, default: 4, min: 1, max: 20}\nunused: a\n```\n", "",
			map[State][]string{Errored: {"change"}, Blocked: {"r1", "c", "g", "why"}}},
	} {
		s := strings.Replace(small, c.old, c.with, 1)
		d := draft(n, s)
		if len(d.Wrong) == 0 || s == small {
			t.Errorf("%s: nothing is wrong", name)
		}
		v, err := d.Evaluate(t.Context(), true)
		if err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(c.want, states(v)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for _, cell := range v.Cells {
			if (cell.State == Errored) != (cell.Error != nil) {
				t.Errorf("%s: cell %s is %s with the error %v", name, cell.Name, cell.State, cell.Error)
			}
		}
	}
}

// TestAParameterCanMakeAReferenceWrong gives a parameter that stands in a reference the name of no cell.
func TestAParameterCanMakeAReferenceWrong(t *testing.T) {
	t.Parallel()
	s := strings.Replace(small, "unused: a", "which: r1", 1)
	s = strings.Replace(s, "candidate: r1", "candidate: ${p.which}", 1)
	n := opened(t, newBench(), s)
	if err := n.Set("which", "r9"); problem.CodeOf(err) != "ref_unknown" {
		t.Errorf("no cell has this name: %v", err)
	}
	v, err := n.Evaluate(t.Context(), false)
	if err != nil || v.Cell("c").State != Errored {
		t.Errorf("%v: %v", err, v.Cell("c"))
	}
	if err := n.Set("which", "r1"); err != nil || len(n.Wrong) > 0 {
		t.Errorf("taken back: %v", err)
	}
}

// TestAnyTextCanBeEvaluated takes lines out, doubles and swaps them: an editor shows every text that somebody has half typed.
func TestAnyTextCanBeEvaluated(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText)
	run(t, n)
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		lines := strings.SplitAfter(shownText, "\n")
		for range 1 + random.IntN(4) {
			i, j := random.IntN(len(lines)), random.IntN(len(lines))
			switch random.IntN(4) {
			case 0:
				lines = slices.Delete(lines, i, i+1)
			case 1:
				lines[i], lines[j] = lines[j], lines[i]
			case 2:
				lines = slices.Insert(lines, i, lines[j])
			case 3:
				line := lines[i]
				at := random.IntN(1 + len(line))
				lines[i] = line[:at] + string(":{}[]`-\n $x"[random.IntN(11)]) + line[at:]
			}
		}
		d := draft(n, strings.Join(lines, ""))
		v, err := d.Evaluate(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		d.Unembeddable(v)
		for _, c := range v.Cells {
			if c.State == Queued {
				t.Errorf("cell %s was left out of\n%s", c.Name, d.Document.Bytes())
			}
		}
	}
}

// TestAKilledCellIsPartialWhenItIsOpenedAgain reads the lock file in the middle of a purchase, as after a kill.
func TestAKilledCellIsPartialWhenItIsOpenedAgain(t *testing.T) {
	t.Parallel()
	b := newBench()
	n := opened(t, b, small)
	var killed *View
	n.Engine = watched{b, func() {
		if killed == nil {
			lock, err := ReadLock(LockPath(n.Path))
			if err != nil {
				t.Error(err)
			}
			d := Draft(n.Path, "draft", []byte(small), lock, b, func() time.Time { return time.Time{} })
			killed, _ = d.Evaluate(t.Context(), true)
		}
	}}
	run(t, n)
	at := killed.Cell("r0")
	if at.State != Partial || at.Reasons[0].Code != "interrupted" || at.Price == nil {
		t.Errorf("%+v", at)
	}
	if e := again(t, b, n.Path).Lock.Cells["r0"]; e.Partial != "" || e.Spend.Calls != 10 {
		t.Errorf("after its end: %+v", e)
	}
}

// TestASnapshotMustFitItsText takes the result of one cell out of a snapshot.
func TestASnapshotMustFitItsText(t *testing.T) {
	t.Parallel()
	s := Snapshot{Notebook: "study.rag.md", CreatedAt: "2026-11-20T06:00:00Z", Params: map[string]any{"p.k": 4.0}}
	files := map[string][]byte{
		"notebook.rag.lock.yaml": []byte("raglock: 1\ncells: {}\n"),
		"notebook.rag.md":        []byte("---\nragnb: 1\n---\n{{ c.ref }} {{ p.k }}\n```rag params p\nk: 3\n```\n```rag corpus c\nsource: docs\n```\n"),
		"results.json": []byte(`{"cells":[{"name":"p","type":"params","state":"fresh","value":{"k":4}},{"name":"c",` +
			`"type":"corpus","state":"fresh","value":{"ref":"docs@1","count":3}}]}`),
	}
	n, v, err := Unsealed(s, files)
	if err != nil || n.Embed(v, "c.ref", "en") != "docs@1" || n.Embed(v, "c.count", "en") != "3" || n.Embed(v, "p.k", "en") != "4" {
		t.Errorf("%v", err)
	}
	for name, results := range map[string]string{
		"a result less": `{"cells":[{"name":"p","type":"params","state":"fresh"}]}`,
		"another type":  `{"cells":[{"name":"p","type":"params"},{"name":"c","type":"dataset"}]}`,
		"no results":    `[]`, "a value that is none": `{"cells":[{"name":"p","type":"params"},{"name":"c","type":"corpus","value":[1]}]}`,
	} {
		files["results.json"] = []byte(results)
		if _, _, err := Unsealed(s, files); problem.CodeOf(err) != "snapshot_broken" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
