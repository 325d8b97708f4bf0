package notebooks

import (
	"archive/zip"
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
	"github.com/rag-workbench/workbench/internal/problem"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const shownText = small +
	"```rag failures low\nof: r1\n```\n```rag chart causes\nof: why\n```\n```rag note both\nen: |\n  Better: **{{ c.better.count }}**, " +
	"correctness {{ c.metrics.correctness.diff }}, covered {{ r1.best.coverage }}, k {{ p.k }}, {{ r1.change.low_scores }}.\nja: |" +
	"\n  改善: **{{ c.better.count }}**、原因 {{ why.top.name }}。<script>alert(1)</script>\n```\n"

// TestProseThatShowsNothingIsNamed: a reference to what holds several values, or to no field, is a problem at its line in every list of
// them; one that shows something is none.
func TestProseThatShowsNothingIsNamed(t *testing.T) {
	t.Parallel()
	for ref, fine := range map[string]bool{
		"why.top": false, "why.counts": false, "r1.best": false, "r1.first": false, "c.metrics": false, "c.metrics.correctness": false,
		"c.wrose.count": false, "why.top.name": true, "why.top.count": true, "c.worse": true, "c.metrics.correctness.diff": true,
		"r1.best.low_scores": true, "why.change": true,
	} {
		n := opened(t, newBench(), small+"\nSo: {{ "+ref+" }}.\n")
		v := run(t, n)
		wrong := n.Unembeddable(v)
		if fine != (len(wrong) == 0) || len(wrong) > 1 {
			t.Errorf("%s: %v", ref, wrong)
		}
		if shown := n.Embed(v, ref, "en"); fine && shown == "" || !fine && shown != "" && !strings.HasPrefix(shown, "—") {
			t.Errorf("%s shows %q", ref, shown)
		}
		if !fine && len(wrong) == 1 && (wrong[0].Hint == "" || wrong[0].Params["line"] == nil) {
			t.Errorf("%s: %+v", ref, wrong[0])
		}
	}
}

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
// TestAResultIsReadOnce: where a compare cell says what came of two runs, the report of the same two does not say it again, also where the
// baseline is the pinned one, whose run no cell names.
func TestAResultIsReadOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		compare, report string
		times           int
	}{
		"named":             {"r0", "r0", 1},
		"pinned":            {"pinned", "pinned", 1},
		"of different runs": {"r0", "pinned", 2},
	} {
		text := strings.Replace(small, "baseline: r0\ncandidate", "baseline: "+c.compare+"\ncandidate", 1)
		n := opened(t, newBench(), text+"```rag report monthly\nof: r1\nbaseline: "+c.report+"\n```\n")
		said := 0
		for _, b := range n.Reading(run(t, n), "en").Blocks {
			said += strings.Count(b.Headline, "One got worse.")
		}
		if said != c.times {
			t.Errorf("%s: the result is read %d times, want %d", name, said, c.times)
		}
	}
}

func TestEmbeddedValues(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText)
	v := run(t, n)
	for ref, want := range map[string]string{
		"c.better.count": "1,234", "c.metrics.correctness.diff": "+0.75", "r1.best.coverage": "100%",
		"r1.best.scores.trust": "4.00", "p.k": "4",
		"why.top.name": "検索", "g.decision": "FAIL", "g.said": "不合格", "qa.ref": "faq@1", "c.worse.nothing": "— (c.worse.nothing)",
		"r1.change.low_scores": "3",
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
		s, _ := document.SchemaOf(c.Type)
		for _, o := range s.Outputs {
			path := strings.ReplaceAll(o.Path, "<metric>", "correctness")
			if strings.HasPrefix(path, "baseline.scores") || strings.HasPrefix(path, "candidate.scores") {
				continue // the bench's comparisons hold ids alone
			}
			if _, near, err := document.Look(c.Value, path); err != nil {
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

// TestCompletionOffersWhatCanBeShown follows every path that completion offers into its value.
func TestCompletionOffersWhatCanBeShown(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText)
	v := run(t, n)
	offered := map[string][]string{}
	for _, c := range v.Cells {
		offered[c.Name] = document.Paths(c.Value)
		for _, path := range offered[c.Name] {
			if got := n.Embed(v, c.Name+"."+path, "en"); strings.HasPrefix(got, "—") || got == "" && !strings.HasSuffix(path, ".label") &&
				(c.Type != "run" || strings.Contains(path, ".")) {
				t.Errorf("%s.%s is offered and shows %q", c.Name, path, got)
			}
		}
	}
	for ref, name := range map[string]string{"best.scores.correctness": "r1", "change": "r1", "metrics.correctness.diff": "c",
		"worse.count": "c", "top.name": "why", "decision": "g", "k": "p"} {
		if !slices.Contains(offered[name], ref) {
			t.Errorf("%s.%s is not offered: %v", name, ref, offered[name])
		}
	}
}

// TestReadingIsDataWithoutMarkup looks at reading mode as data.
func TestReadingIsDataWithoutMarkup(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText)
	r := n.Reading(run(t, n), "ja")
	kinds := map[string]int{}
	for _, b := range r.Blocks {
		kinds[b.Kind+" "+b.Type]++
		if b.Markdown != "" && strings.Contains(b.Markdown, "c.better.count") && b.Values["c.better.count"] != "1,234" {
			t.Errorf("values of the note: %v", b.Values)
		}
		if b.Type == "failures" && (b.Plan.Rows[0][2] != 11.0 || b.Table.Rows[0][1] != "<b>Why?</b>") {
			t.Errorf("%+v", b)
		}
	}
	if diff := cmp.Diff(map[string]int{"prose ": 2, "cell run": 2, "cell compare": 1, "cell gate": 1, "cell cause": 1, "cell failures": 1,
		"cell chart": 1}, kinds); diff != "" {
		t.Error(diff)
	}
	if r.Title != "Small" || r.Verdict != "FAIL" || !r.Offline {
		t.Errorf("%+v", r)
	}
}

func TestTheGalleryIsSound(t *testing.T) {
	t.Parallel()
	for _, name := range templates.Gallery() {
		body, err := templates.FromGallery(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := document.Parse(name, body)
		if err != nil {
			t.Error(err)
			continue
		}
		if d.Front.Title.EN == "" || d.Front.Title.JA == "" {
			t.Errorf("%s has no title in both languages", name)
		}
		for _, c := range d.Cells() {
			if c.Type == "note" && (document.TextOf(c.Values["en"]) == "" || document.TextOf(c.Values["ja"]) == "") {
				t.Errorf("note %s of %s speaks one language", c.Name, name)
			}
		}
	}
}

// TestTheWorkbookHasTheChartsOfTheNotebook: behind the report of the runs, and alone where there is no report.
func TestTheWorkbookHasTheChartsOfTheNotebook(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), shownText+"```rag report full\nof: r1\n```\n")
	v := run(t, n)
	var out bytes.Buffer
	if err := n.WriteXLSX(t.Context(), v, "ja", &out); err != nil || !strings.HasSuffix(out.String(), "ja causes:bar") {
		t.Errorf("%s %v", out.String(), err)
	}
	n = opened(t, newBench(), shownText)
	out.Reset()
	if err := n.WriteXLSX(t.Context(), run(t, n), "both", &out); err != nil {
		t.Fatal(err)
	}
	book, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := fs.ReadFile(book, "xl/workbook.xml")
	if err != nil || !strings.Contains(string(sheets), `name="Chart causes"`) || !strings.Contains(string(sheets), `name="図 causes"`) {
		t.Errorf("%s %v", sheets, err)
	}
	n = opened(t, newBench(), "---\nragnb: 1\n---\n# Nothing\n")
	if err := n.WriteXLSX(t.Context(), run(t, n), "en", &out); problem.From(err).Code != "no_report_cell" {
		t.Errorf("%v", err)
	}
}
