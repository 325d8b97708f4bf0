package reports

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// TestAnalysisSheetsHaveNamedTables finds the tables of sweep, causes and agreement by name, in every language, with the rows that the
// page shows, no merged cell in them, and beside what is printed.
func TestAnalysisSheetsHaveNamedTables(t *testing.T) {
	t.Parallel()
	want := map[string]int{"SweepRuns": 0, "SweepEffects": 0, "Causes": 0, "Recommendations": 0, "AgreedTargets": 0, "AgreedActions": 0,
		"CauseChanges": 0, "CauseMoves": 0}
	for _, lang := range []string{"en", "ja"} {
		f, err := excelize.OpenReader(bytes.NewReader(write(t, analysed(sample(lang)))))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, sheet := range f.GetSheetList() {
			tables, err := f.GetTables(sheet)
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range tables {
				if _, ours := want[table.Name]; !ours {
					continue
				}
				got[table.Name] = 0
				checkTable(t, f, sheet, table)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", lang, d)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func checkTable(t *testing.T, f *excelize.File, sheet string, table excelize.Table) {
	t.Helper()
	from, to, _ := strings.Cut(table.Range, ":")
	left, top, err := excelize.CellNameToCoordinates(from)
	if err != nil {
		t.Fatal(err)
	}
	right, bottom, err := excelize.CellNameToCoordinates(to)
	if err != nil || left < dataColumn || bottom <= top {
		t.Errorf("%s lies at %s, %v", table.Name, table.Range, err)
	}
	for col := left; col <= right; col++ {
		if title, err := f.GetCellValue(sheet, spreadsheet.CellName(col, top)); err != nil || title == "" {
			t.Errorf("%s: column %d has no name, %v", table.Name, col, err)
		}
	}
	if first, err := f.GetCellValue(sheet, spreadsheet.CellName(left, top+1)); err != nil || first == "" {
		t.Errorf("%s: its first row is empty, %v", table.Name, err)
	}
	merged, err := f.GetMergeCells(sheet)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range merged {
		col, row, err := excelize.CellNameToCoordinates(m.GetStartAxis())
		if err != nil || col >= left && col <= right && row >= top && row <= bottom {
			t.Errorf("%s: %s is merged, %v", table.Name, m.GetStartAxis(), err)
		}
	}
}

func TestTheHeatMapSaysWhatIntervalsAllow(t *testing.T) {
	t.Parallel()
	f := open(t, analysed(sample(wording.Both)))
	sheet := "Sweep スイープ"
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	marked := map[bool]int{}
	said := false
	for _, row := range rows {
		for _, cell := range row {
			said = said || cell == "Words of the map.\n表の説明。"
			marked[strings.HasSuffix(cell, " ≈")]++
		}
	}
	if !said || marked[true] != 2 { // one cell of the map, and its line of the list
		t.Errorf("words said: %v, cells marked as level with the best: %d", said, marked[true])
	}
}
