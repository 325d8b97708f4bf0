package notebooks

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

const chartStudy = "---\nragnb: 1\ntitle: Q\n---\n```rag corpus docs\nsource: d\n```\n```rag dataset qa\nsource: q\n```\n" +
	"```rag config base\ncorpus: docs\n```\n```rag run one\nconfigs: base\ndataset: qa\n```\n" +
	"```rag query means\nsql: SELECT question AS theme, value AS correctness FROM scores ORDER BY 1\n```\n"

func charted(t *testing.T, cells string) (*Notebook, *View) {
	t.Helper()
	n := opened(t, newBench(), chartStudy+cells)
	v, err := n.Run(t.Context(), Options{Approve: approve})
	if err != nil {
		t.Fatal(err)
	}
	return n, v
}

// TestAChartDrawsTheTableOfACell: from a query, with words, a reference and the rows behind it, on the pages of both languages.
func TestAChartDrawsTheTableOfACell(t *testing.T) {
	t.Parallel()
	n, v := charted(t, "```rag chart bars\nof: means\nmark: bar\nx: theme\ny: {field: correctness, aggregate: mean, domain: [1, 5]}\n"+
		"reference: {y: 4, title: {en: Agreed, ja: 合意値}}\n```\n```rag chart old\nof: one\nmetric: correctness\n```\n")
	at := v.Cell("bars")
	got, ok := at.Value.(document.Chart)
	if !ok || got.Plan == nil || fmt.Sprint(got.Plan.Rows) != "[[q1 4] [q2 5]]" || got.Plan.Y.Domain != [2]float64{1, 5} {
		t.Fatalf("%+v %v", at, at.Error)
	}
	if old := v.Cell("old").Value.(document.Chart); old.Plan == nil || fmt.Sprint(old.Plan.Rows) != "[[base 4.25]]" {
		t.Errorf("a chart by metric is %+v", old)
	}
	for lang, want := range map[string]string{"en": "Mean correctness by theme", "ja": "線は「合意値」を示します。"} {
		var page bytes.Buffer
		if err := n.WriteHTML(v, lang, &page); err != nil || !strings.Contains(page.String(), want) ||
			!strings.Contains(page.String(), "<td>q2</td>") ||
			strings.Contains(page.String(), "style=") {
			t.Errorf("%v %s", err, page.String())
		}
	}
}

// TestMistakesOfAChartHaveTheirLine: what a chart cannot draw is said at the line of its field.
func TestMistakesOfAChartHaveTheirLine(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"of: means\nmark: bar\nx: tema":                             "chart_column 2",
		"of: means\nx: theme\ny: theme":                             "chart_value 2",
		"of: means\nmark: line\nx: theme":                           "chart_channel 0",
		"of: means\nx: theme\nreference: {title: Agreed}":           "chart_value 2",
		"of: means\nx: {field: theme, domain: [1]}\ny: correctness": "chart_value 1",
	} {
		n, v := charted(t, "```rag chart bars\n"+body+"\n```\n")
		at := v.Cell("bars")
		if at.Error == nil {
			t.Errorf("%s draws %+v", body, at.Value)
			continue
		}
		line := at.Error.Params["line"].(int) - n.Document.Cell("bars").Line - 1
		if got := fmt.Sprint(at.Error.Code, " ", max(0, line)); got != want || at.Error.Hint == "" {
			t.Errorf("%s: %s, %v", body, got, at.Error)
		}
	}
}

// TestAllMistakesOfAChartAreSaidAtOnce, also behind a mark that there is not, and a column that could be meant is named.
func TestAllMistakesOfAChartAreSaidAtOnce(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"of: means\nmark: heat\nx: tema\ny: retrieve.correctness": "chart_column x theme, chart_column y correctness",
		"of: means\nmark: heatmap\nx: tema\ny: theme":             "cell_field mark heat, chart_column x theme",
		"of: one\nmark: bar\nx: retrieve.k\ny: chunk.size":        "chart_column x k, chart_column y chunk_size",
	} {
		b := newBench()
		right := opened(t, b, chartStudy)
		if _, err := right.Run(t.Context(), Options{Approve: approve}); err != nil {
			t.Fatal(err)
		}
		n := Draft(right.Path, "study", []byte(chartStudy+"```rag chart bars\n"+body+"\n```\n"), right.Lock, b, right.Now)
		v, err := n.Evaluate(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range append([]*problem.Problem{v.Cell("bars").Error}, v.Cell("bars").More...) {
			near := p.Params["near"]
			if near == nil {
				near = ""
			}
			got = append(got, fmt.Sprint(p.Code, " ", p.Params["field"], " ", near))
		}
		if list := strings.Join(got, ", "); list != want {
			t.Errorf("%s: %s, expected %s", body, list, want)
		}
	}
}
