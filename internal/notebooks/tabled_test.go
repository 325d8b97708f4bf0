package notebooks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestATableShowsSortsFiltersAndPivots: of a query, of runs, of a comparison and of a sweep.
func TestATableShowsSortsFiltersAndPivots(t *testing.T) {
	t.Parallel()
	n, v := charted(t, "```rag params p\nleast: 4.5\n```\n"+
		"```rag table all\nof: means\nsort: [-correctness]\ntotal: rows\n```\n"+
		"```rag table some\nof: means\nfilter: correctness >= ${p.least}\ncolumns: [{name: correctness, title: Right, colour: {scale: threshold, at: 5}}]\n```\n"+
		"```rag table pivot\nof: means\npivot: {rows: theme, columns: correctness, value: correctness, aggregate: sum}\ntotal: both\n```\n"+
		"```rag table runs\nof: one\ncolumns: [run, correctness]\n```\n"+
		"```rag compare c\nbaseline: one\ncandidate: one\n```\n```rag table changes\nof: c\nfilter: verdict = 'worse'\n```\n"+
		"```rag sweep grid\nbase: base\naxes: {retrieve.k: [3, 4], chunk.size: [400, 800]}\n```\n```rag table combos\nof: grid\n```\n")
	for name, want := range map[string]string{
		"all": "[[q2 5] [q1 4]]", "some": "[[5]]", "pivot": "[[q1 4 <nil> 4] [q2 <nil> 5 5]]", "changes": "[[q1 worse]]",
		"combos": "[[1 400 3] [2 800 3] [3 400 4] [4 800 4]]",
	} {
		at := v.Cell(name)
		got, ok := at.Value.(document.Tabled)
		if !ok || at.State != Fresh || fmt.Sprint(got.Rows) != want {
			t.Errorf("%s is %+v %v", name, at.Value, at.Error)
		}
	}
	if got := fmt.Sprint(v.Cell("pivot").Value.(document.Tabled).Totals); got != "[<nil> 4 5 9]" {
		t.Errorf("totals are %s", got)
	}
	if got := fmt.Sprintf("%+v", *v.Cell("pivot").Value.(document.Tabled).Across); got != "{Of:means Rows:[theme] Column:correctness Tops:[4 5]}" {
		t.Errorf("a pivot is made of %s", got)
	}
	if got := v.Cell("changes").Value.(document.Tabled); got.Words["worse"].JA != "悪化" {
		t.Errorf("words are %v", got.Words)
	}
	for lang, want := range map[string]string{"en": "<th>Right</th>", "ja": "<td>悪化</td>"} {
		var page bytes.Buffer
		if err := n.WriteHTML(v, lang, &page); err != nil || !strings.Contains(page.String(), want) ||
			!strings.Contains(page.String(), "<td>5 ▼</td>") {
			t.Errorf("%s: %v %s", lang, err, page.String())
		}
	}
	if err := n.Set("p.least", "1"); err != nil {
		t.Fatal(err)
	}
	if v, err := n.Evaluate(t.Context(), false); err != nil || len(v.Cell("some").Value.(document.Tabled).Rows) != 2 {
		t.Errorf("a parameter in a filter: %+v %v", v.Cell("some"), err)
	}
}

// TestMistakesOfATableHaveTheirPlace: unknown columns and broken conditions are said at their line, conditions at their column.
func TestMistakesOfATableHaveTheirPlace(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"of: means\nfilter: correctnes > 3":                     "sql_column 2 9",
		"of: means\nfilter: correctness > 3; DROP TABLE scores": "sql_syntax 2 24",
		"of: means\nsort: [tema]":                               "cell_field 2 <nil>",
		"of: means\ncolumns: [tema]":                            "cell_field 2 <nil>",
		"of: means\npivot: {rows: theme, columns: nothing}":     "cell_field 2 <nil>",
		"of: means\nlimit: 0":                                   "cell_field 2 <nil>",
	} {
		n := opened(t, newBench(), chartStudy)
		source := string(n.Document.Bytes()) + "```rag table rows\n" + body + "\n```\n"
		d := Draft(filepath.Join(t.TempDir(), "x.rag.md"), "x", []byte(source), Lock{}, newBench(), n.Now)
		v, err := d.Run(t.Context(), Options{Approve: approve})
		if err != nil && len(d.Wrong) == 0 {
			t.Fatal(err)
		}
		wrong := d.mistake(d.Document.Cell("rows"))
		if wrong == nil && v != nil {
			wrong = v.Cell("rows").Error
		}
		if wrong == nil {
			t.Errorf("%s is no mistake", body)
			continue
		}
		line := wrong.Params["line"].(int) - d.Document.Cell("rows").Line
		if got := fmt.Sprint(wrong.Code, " ", line, " ", wrong.Params["column"]); got != want {
			t.Errorf("%s: %s, %v", body, got, wrong)
		}
	}
}

// TestRowsLeaveAsFiles: of a query, a table and a chart, in each format; a text that a spreadsheet would take for a formula is none.
func TestRowsLeaveAsFiles(t *testing.T) {
	t.Parallel()
	n, v := charted(t, "```rag query odd\nsql: SELECT '=1+1' AS theme, 4 AS correctness\n```\n```rag table shown\nof: odd\n```\n"+
		"```rag chart bars\nof: odd\nx: theme\ny: correctness\n```\n")
	for _, cell := range []string{"odd", "shown", "bars"} {
		for format, want := range map[string]string{"csv": "'=1+1,4", "jsonl": `"=1+1"`, "xlsx": "PK"} {
			var out bytes.Buffer
			if err := n.WriteRows(v, cell, "ja", format, &out); err != nil || !strings.Contains(out.String(), want) {
				t.Errorf("%s as %s: %v %.200s", cell, format, err, out.String())
			}
		}
	}
	for _, cell := range []string{"one", "nobody"} {
		if err := n.WriteRows(v, cell, "en", "csv", &bytes.Buffer{}); err == nil {
			t.Errorf("%s has no rows", cell)
		}
	}
}
