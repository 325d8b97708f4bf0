package uploads

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
)

// TestNotesOfUploadsNameNoFlag: the browser has a field to choose sheets, so that notes of every kind of upload say to choose them and
// name no flag of the command line, in both languages.
func TestNotesOfUploadsNameNoFlag(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book := func(name string, hidden bool, sheets ...[][]any) string {
		f := excelize.NewFile()
		for i, rows := range sheets {
			sheet := string(rune('A' + i))
			if _, err := f.NewSheet(sheet); err != nil {
				t.Fatal(err)
			}
			for n, row := range rows {
				cell, err := excelize.CoordinatesToCellName(1, n+1)
				if err != nil {
					t.Fatal(err)
				}
				if err := f.SetSheetRow(sheet, cell, &row); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.DeleteSheet("Sheet1"); err != nil {
			t.Fatal(err)
		}
		if hidden {
			if err := f.SetSheetVisible("A", false); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, name)
		if err := f.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first := [][]any{{"question", "reference"}, {"How long?", "Two weeks."}, {"Pets?", "No pets."}}
	other := [][]any{{"question", "reference"}, {"When?", "At noon."}, {"Where?", "In the hall."}}
	scores := [][]any{{"question", "answer", "score"}, {"How long?", "Two weeks.", 1}, {"Pets?", "No.", 0.5}}
	remarks := [][]any{{"question", "answer", "score"}, {"When?", "At noon.", 0.2}}
	choose := 0
	for name, r := range map[string]Request{
		"two sheets":    {Kind: Dataset, Path: book("two.xlsx", false, first, other)},
		"a copy":        {Kind: Dataset, Path: book("copy.xlsx", false, first, other, first)},
		"a hidden one":  {Kind: Dataset, Path: book("hidden.xlsx", true, first, other), Sheets: []string{"A"}},
		"results":       {Kind: Results, Path: book("results.xlsx", false, scores, remarks), Foreign: foreign.ForeignOptions{From: "table"}},
		"scores":        {Kind: Scores, Path: book("scores.xlsx", false, scores, remarks), Other: book("others.xlsx", false, scores, remarks)},
		"a wrong sheet": {Kind: Dataset, Path: book("wrong.xlsx", false, first), Sheets: []string{"none"}},
	} {
		request, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Read(bytes.NewReader(request), &out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Contains(out.String(), "--sheet") {
			t.Errorf("%s: %s", name, out.String())
		}
		choose += strings.Count(out.String(), "choose")
	}
	if choose < 4 {
		t.Errorf("only %d notes say to choose a sheet", choose)
	}
}
