package notebooks

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const shownText = small + "```rag failures low\nof: r1\n```\n```rag chart causes\nof: why\n```\n```rag note both\nen: |\n  Better: **{{ c.better.count }}**, correctness {{ c.metrics.correctness.diff }}, covered {{ r1.best.coverage }}, k {{ p.k }}, {{ r1.change.low_scores }}.\nja: |\n  改善: **{{ c.better.count }}**、原因 {{ why.top.name }}。<script>alert(1)</script>\n```\n"

// TestReadingMode compares the pages in both languages with golden files (go test -update writes them).
func TestReadingMode(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText)
	v := run(t, n)
	if wrong := n.Unembeddable(v); len(wrong) > 0 {
		t.Fatal(wrong[0])
	}
	for _, lang := range []string{"en", "ja"} {
		var out bytes.Buffer
		if err := n.WriteHTML(v, lang, &out); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", "reading."+lang+".html")
		if *update {
			if err := os.WriteFile(golden, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), out.String()); diff != "" {
			t.Error(diff)
		}
		for _, never := range []string{"<script", "<b>Why", "href=\"http", "rag run", "configs:"} {
			if strings.Contains(out.String(), never) {
				t.Errorf("the page in %s holds %q", lang, never)
			}
		}
	}
}

// TestEmbeddedValues checks the forms that values take in prose.
func TestEmbeddedValues(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText)
	v := run(t, n)
	for ref, want := range map[string]string{
		"c.better.count": "1,234", "c.metrics.correctness.diff": "+0.75", "r1.best.coverage": "100 %", "r1.best.scores.trust": "4.00", "p.k": "4",
		"why.top.name": "検索", "g.decision": "FAIL", "qa.ref": "faq@1", "c.worse.nothing": "— (c.worse.nothing)", "r1.change.low_scores": "3",
	} {
		if got := n.Embed(v, ref, "ja"); got != want {
			t.Errorf("%s is %q, want %q", ref, got, want)
		}
	}
}

// TestWhatTheSchemasListIsThere follows every output of every schema into a value, so that completion never offers nothing.
func TestWhatTheSchemasListIsThere(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText)
	v := run(t, n)
	for _, c := range v.Cells {
		s, _ := SchemaOf(c.Type)
		for _, o := range s.Outputs {
			path := strings.ReplaceAll(o.Path, "<metric>", "correctness")
			if strings.HasPrefix(path, "baseline.scores") || strings.HasPrefix(path, "candidate.scores") {
				continue // the bench's comparisons hold ids alone
			}
			if _, near, err := look(c.Value, path); err != nil {
				t.Errorf("%s %s: %v (%v)", c.Type, o.Path, err, near)
			}
		}
		for _, f := range s.Fields {
			if f.Doc.EN == "" || f.Doc.JA == "" {
				t.Errorf("field %s of %s has no words", f.Name, s.Type)
			}
		}
		if s.Doc.EN == "" || s.Doc.JA == "" {
			t.Errorf("%s has no words", s.Type)
		}
	}
}

func TestTheGalleryIsSound(t *testing.T) {
	t.Parallel()
	for _, name := range Gallery() {
		body, err := FromGallery(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Parse(name, body)
		if err != nil {
			t.Error(err)
			continue
		}
		if d.Front.Title.EN == "" || d.Front.Title.JA == "" {
			t.Errorf("%s has no title in both languages", name)
		}
		for _, c := range d.Cells() {
			if c.Type == "note" && (text(c.fields["en"]) == "" || text(c.fields["ja"]) == "") {
				t.Errorf("note %s of %s speaks one language", c.Name, name)
			}
		}
	}
}
