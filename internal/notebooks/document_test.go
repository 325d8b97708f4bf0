package notebooks

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
	"github.com/rag-workbench/workbench/internal/problem"
)

const small = "---\nragnb: 1\ntitle: Small\n---\n\n# 目的\n\nWorse: {{ c.worse.count }}.\n\n" +
	"```rag params p\nk: {type: integer, default: 4, min: 1, max: 20}\nunused: a\n```\n\n" +
	"```rag corpus docs\nsource: manual\n```\n```rag dataset qa\n# the questions\nsource: faq\n```\n" +
	"```rag config base\ncorpus: docs\nretrieve: {mode: dense, k: 3}\n```\n" +
	"```rag config change\nextends: base\nretrieve: {k: ${p.k}}   # a comment\n```\n" +
	"```rag run r0\nconfigs: base\ndataset: qa\n```\n```rag run r1\nconfigs: change\ndataset: qa\n```\n" +
	"```rag compare c\nbaseline: r0\ncandidate: r1\n```\n```rag gate g\nof: c\n```\n```rag cause why\nof: r1\n```\n"

// TestEveryByteComesBack reads texts of all kinds and prints them.
func TestEveryByteComesBack(t *testing.T) {
	t.Parallel()
	texts := []string{"", "\n", small, strings.ReplaceAll(small, "\n", "\r\n"), "\ufeff" + small, small + "```rag run", "---\n",
		"```\n```rag note n\n```", "\x00\xff```rag a b c d\n"}
	for _, name := range templates.Gallery() {
		body, err := templates.FromGallery(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(body))
	}
	for _, s := range texts {
		d, _ := document.Read("t", []byte(s))
		whole(t, d, s)
	}
}

func whole(t *testing.T, d *document.Document, s string) {
	t.Helper()
	if got := string(d.Bytes()); got != s {
		t.Fatalf("%q came back as %q", s, got)
	}
	var joined strings.Builder
	at := 0
	for _, b := range d.Blocks {
		if b.Start != at {
			t.Fatalf("block at %d begins at %d in %q", at, b.Start, s)
		}
		at = b.End
		joined.WriteString(d.Text(b))
	}
	if joined.String() != s {
		t.Fatalf("the blocks of %q are %q", s, joined.String())
	}
}

// TestEditingOneCellChangesOnlyItsBody swaps one body and looks at every other byte, with both kinds of line ends.
func TestEditingOneCellChangesOnlyItsBody(t *testing.T) {
	t.Parallel()
	for _, s := range []string{small, strings.ReplaceAll(small, "\n", "\r\n")} {
		d, wrong := document.Read("t", []byte(s))
		if len(wrong) > 0 {
			t.Fatal(wrong[0])
		}
		old := d.Cell("r1").Body
		edited, wrong, err := d.WithBody("r1", "configs: [base, change]\ndataset: qa\nrepeats: 2")
		if err != nil || len(wrong) > 0 {
			t.Fatal(err, wrong)
		}
		end := "\n"
		if strings.Contains(s, "\r") {
			end = "\r\n"
		}
		want := strings.Replace(s, "```rag run r1"+end+old, "```rag run r1"+end+"configs: [base, change]\ndataset: qa\nrepeats: 2"+end, 1)
		if diff := cmp.Diff(want, string(edited.Bytes())); diff != "" {
			t.Error(diff)
		}
		back, _, err := edited.WithBody("r1", old)
		if err != nil || !bytes.Equal(back.Bytes(), []byte(s)) {
			t.Errorf("undoing does not give the text back: %v", err)
		}
		if _, _, err := d.WithBody("r1", "configs: base\n```\n"); problem.CodeOf(err) != "cell_fence" {
			t.Errorf("a body that closes its fence: %v", err)
		}
	}
}

func TestMovingInsertingRemoving(t *testing.T) {
	t.Parallel()
	d, _ := document.Read("t", []byte(small))
	moved, wrong, err := d.Move("qa", false)
	if err != nil || len(wrong) > 0 || strings.Index(string(moved.Bytes()), "rag dataset") > strings.Index(string(moved.Bytes()),
		"rag corpus") {
		t.Errorf("moving: %v %v\n%s", err, wrong, moved.Bytes())
	}
	back, _, err := moved.Move("qa", true)
	if err != nil || string(back.Bytes()) != small {
		t.Errorf("moving back: %v", err)
	}
	without, wrong, err := d.Remove("why")
	if err != nil || len(wrong) > 0 || without.Cell("why") != nil {
		t.Error(err, wrong)
	}
	with, wrong := without.Insert(len(without.Blocks), "```rag cause why\nof: r1\n```\n")
	if len(wrong) > 0 || string(with.Bytes()) != small {
		t.Errorf("inserting: %v", wrong)
	}
}

// TestMistakesSayWhereAndWhatNext has one mistake in each document.
func TestMistakesSayWhereAndWhatNext(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ old, with, code, says string }{
		"unknown key": {"dataset: qa\n```\n```rag run r1", "dataset: qa\nrepeets: 2\n```\n```rag run r1", "cell_field",
			`t.rag.md:33: cell r0: there is no field "repeets" (did you mean "repeats"?)`},
		"unknown stage key": {"mode: dense, k: 3", "mode: dense, kk: 3", "cell_field", `"retrieve.kk" (did you mean "k"?)`},
		"wrong type":        {"of: c\n", "of: c\nallowance: much\n", "cell_field", "allowance is much; it must be a number"},
		"missing":           {"candidate: r1\n", "", "cell_field", "candidate is missing"},
		"twice":             {"rag run r1", "rag run r0", "cell_twice", "line 30 has a cell of this name already"},
		"type":              {"rag compare c", "rag compair c", "cell_type", `(did you mean "compare"?)`},
		"unknown cell":      {"candidate: r1", "candidate: r2", "ref_unknown", `refers to "r2"`},
		"unknown in prose":  {"{{ c.worse", "{{ cc.worse", "ref_unknown", `t.rag.md:8: the text refers to "cc"`},
		"wrong reference":   {"candidate: r1", "candidate: qa", "ref_type", "which is a dataset"},
		"unknown parameter": {"${p.k}", "${p.kk}", "param_unknown", `(did you mean "p.k"?)`},
		"cycle":             {"corpus: docs\n", "corpus: docs\nextends: change\n", "ref_cycle", "base → change → base"},
		"yaml":              {"baseline: r0", "baseline: [r0", "cell_yaml", "cell c: "},
		"anchors":           {"retrieve: {mode: dense, k: 3}", "retrieve: &a {mode: dense, k: 3}", "cell_yaml", "anchors and aliases"},
		"bad default":       {"default: 4, min", "default: 40, min", "cell_field", "the default of k is 40"},
		"version":           {"ragnb: 1", "ragnb: 2", "front_version", "t.rag.md:2: "},
		"front key":         {"title: Small", "titel: Small", "cell_field", `(did you mean "title"?)`},
		"no front":          {"---\nragnb: 1\ntitle: Small\n---\n", "", "front_missing", "front matter"},
		"open":              {"```rag cause why\nof: r1\n```\n", "```rag cause why\nof: r1\n", "cell_open", "is not closed"},
		"words":             {"rag gate g", "rag gate", "cell_opening", "three words"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := strings.Replace(small, c.old, c.with, 1)
			if s == small {
				t.Fatal("the case changes nothing")
			}
			_, err := document.Parse("t.rag.md", []byte(s))
			p := problem.From(err)
			if p == nil || p.Code != c.code || !strings.Contains(p.Message, c.says) || p.Params["line"] == nil {
				t.Errorf("got %v (%+v)", err, p)
			}
		})
	}
}

// FuzzRoundTrip reads any text: it must come back byte for byte, whole in its blocks, and survive an edit undone. Run it longer with
// go test -run '^$' -fuzz FuzzRoundTrip -fuzztime 10m ./internal/notebooks.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(strings.ReplaceAll(small, "\n", "\r\n")))
	f.Add([]byte("---\nragnb: 1\n---\n~~~\n```rag run x\n~~~\n   ````rag note n\nen: |\n  ```\n  x\n````"))
	for _, name := range templates.Gallery() {
		body, err := templates.FromGallery(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body[:min(len(body), 1200)])
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		d, _ := document.Read("f", source)
		whole(t, d, string(source))
		cells := d.Cells()
		for _, c := range cells[max(0, len(cells)-2):] { // each is two more readings
			if d.Cell(c.Name) != c {
				continue // its name is given twice
			}
			edited, _, err := d.WithBody(c.Name, "x: 1\n")
			if err != nil {
				continue // it is not closed, or the edit would close it
			}
			back, _, err := edited.WithBody(c.Name, c.Body)
			if err == nil && (c.Body == "" || strings.HasSuffix(c.Body, "\n")) && !bytes.Equal(back.Bytes(), source) {
				t.Fatalf("an edit undone in cell %s of %q gives %q", c.Name, source, back.Bytes())
			}
		}
		if len(d.Blocks) > 0 {
			edited(t, d, d.Blocks[len(d.Blocks)-1])
		}
	})
}

// edited does what an editor does to one block: every document that comes of it is whole.
func edited(t *testing.T, d *document.Document, b document.Block) {
	t.Helper()
	check := func(out *document.Document, err error) {
		t.Helper()
		if err == nil {
			whole(t, out, string(out.Bytes()))
		}
	}
	last := len(d.Blocks) - 1
	out, _, _, err := d.MoveBlock(last, false)
	check(out, err)
	out, _, err = d.RemoveBlock(last)
	check(out, err)
	out, _, _, err = d.InsertCell(last, "run", "", "configs: base\n")
	check(out, err)
	if c := b.Cell; c != nil {
		out, _, err = d.Rename(c.Name, "renamed")
		check(out, err)
		out, _, err = d.WithFields(c.Name, map[string]any{"title": "x: y", "of": []any{"a", 1.5}})
		check(out, err)
		if err == nil && d.Cell(c.Name) == c {
			if fields, ok := out.Cell(c.Name).Fields(); ok && fields["title"] != "x: y" {
				t.Fatalf("the form wrote %q", out.Cell(c.Name).Body)
			}
		}
	}
}
