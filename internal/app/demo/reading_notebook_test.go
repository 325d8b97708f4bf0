package demo

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

// readReadingPage writes the reading mode of two notebooks, one with a compare cell and one with only a report of the pair, and the
// workbook of the second, and reads them back: every sentence and every line of the findings stands in both pages.
func readReadingPage(t *testing.T, r readPair, found findings.Findings) figuresRead {
	t.Helper()
	var out figuresRead
	for i, cell := range []string{
		fmt.Sprintf("```rag compare both\nbaseline: run:%s\ncandidate: run:%s\n```\n", r.before, r.after),
		fmt.Sprintf("```rag report both\nof: run:%s\nbaseline: run:%s\n```\n", r.after, r.before),
	} {
		path := r.Write(t, fmt.Sprintf("read%d.rag.md", i), "---\nragnb: 1\ntitle: Read\n---\n\n"+cell)
		n, err := notebooks.Open(path, &studies.NotebookEngine{W: r.Workbench, Dir: app.NoFolder}, r.Options.Now)
		if err != nil {
			t.Fatal(err)
		}
		v, err := n.Evaluate(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := n.WriteHTML(v, r.lang, &page); err != nil {
			t.Fatal(err)
		}
		text := oneLine(html.UnescapeString(tags.ReplaceAllString(page.String(), " ")))
		got := readSentences(t, r.lang, text)
		if i == 0 {
			out = got
		} else if got != out {
			t.Errorf("the page of the compare cell says %+v, that of the report %+v", out, got)
		}
		said := []findings.Text{found.Headline}
		for _, p := range found.Parts() {
			said = append(append(said, p.Title), p.Lines...)
		}
		for _, s := range said {
			if want := oneLine(s.In(r.lang)); !strings.Contains(text, want) {
				t.Errorf("the page of %q does not say %q", strings.SplitN(cell, "\n", 2)[0], want)
			}
		}
		if i == 1 {
			var book bytes.Buffer
			if err := n.WriteXLSX(t.Context(), v, r.lang, &book); err != nil {
				t.Fatal(err)
			}
			if inside := readWorkbook(t, r, book.String(), out); inside.Worse != out.Worse || inside.Better != out.Better {
				t.Errorf("the notebook's workbook says %+v, its page %+v", inside, out)
			}
		}
	}
	readReportAlone(t, r)
	return out
}

// readReportAlone reads a report cell without a baseline: it says what the findings of the run by itself say.
func readReportAlone(t *testing.T, r readPair) {
	t.Helper()
	path := r.Write(t, "alone.rag.md", "---\nragnb: 1\ntitle: Read\n---\n\n"+fmt.Sprintf("```rag report one\nof: run:%s\n```\n", r.after))
	n, err := notebooks.Open(path, &studies.NotebookEngine{W: r.Workbench, Dir: app.NoFolder}, r.Options.Now)
	if err != nil {
		t.Fatal(err)
	}
	v, err := n.Evaluate(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.Evaluation(t.Context(), r.after)
	if err != nil {
		t.Fatal(err)
	}
	found, err := reporting.FindingsAlone(t.Context(), r.Workbench, e)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := n.WriteHTML(v, r.lang, &page); err != nil {
		t.Fatal(err)
	}
	text := oneLine(html.UnescapeString(tags.ReplaceAllString(page.String(), " ")))
	for _, s := range append([]findings.Text{found.Headline, found.Release.Text}, found.Sentences...) {
		if !strings.Contains(text, oneLine(s.In(r.lang))) {
			t.Errorf("the page of a report without a baseline does not say %q", s.In(r.lang))
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
