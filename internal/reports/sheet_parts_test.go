package reports

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/reports/reviewform"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// TestRowsGoOnOnNumberedSheets: what one sheet does not hold stands on the next ones, each row once, links find it there, each sheet says
// which part it is, and reviews are read from all of them.
func TestRowsGoOnOnNumberedSheets(t *testing.T) {
	t.Parallel()
	for lang, names := range map[string][2]string{
		"en": {"All questions", "Low-score answers"}, "ja": {"全質問", "低スコア回答"}, wording.Both: {"All questions 全質問",
			"Low-score answers 低スコア回答"},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			content, err := sample(lang).content()
			must(t, err)
			const most = headerRow + 6
			var out bytes.Buffer
			must(t, writeWorkbook(&out, content, most))
			path := filepath.Join(t.TempDir(), "split.xlsx")
			must(t, os.WriteFile(path, out.Bytes(), 0o600))
			f, err := excelize.OpenFile(path)
			must(t, err)
			defer func() { _ = f.Close() }()

			sheets := []string{names[0]}
			for n := 2; (n-1)*6 < len(sheet); n++ {
				sheets = append(sheets, fmt.Sprint(names[0], " ", n))
			}
			if len(sheets) < 3 || slices.Contains(f.GetSheetList(), fmt.Sprint(names[0], " ", len(sheets)+1)) {
				t.Fatalf("%d sheets: %v", len(sheets), f.GetSheetList())
			}
			var ids, tables []string
			linked := 0
			for i, name := range sheets {
				rows := rowsOf(t, f, name)
				says := rows[0][0]
				if len(rows) > most || !strings.Contains(says, fmt.Sprint(len(sheets))) || !strings.Contains(says, fmt.Sprint(i+1)) {
					t.Errorf("%s has %d rows and says %q", name, len(rows), says)
				}
				for at, row := range rows[headerRow:] {
					ids = append(ids, row[0])
					there, target, err := f.GetCellHyperLink(name, spreadsheet.CellName(1, firstRow+at))
					must(t, err)
					if !there {
						continue
					}
					linked++
					other, cell, _ := strings.Cut(target, "!")
					if got, _ := f.GetCellValue(strings.Trim(other, "'"), cell); got != row[0] || !strings.HasPrefix(other, "'"+names[1]) {
						t.Errorf("the link of %s leads to %s, where %q stands", row[0], target, got)
					}
				}
				all, err := f.GetTables(name)
				must(t, err)
				for _, table := range all {
					tables = append(tables, table.Name)
				}
			}
			want := make([]string, len(content.after.rows))
			for i, r := range content.after.rows {
				want[i] = r.question.ID
			}
			if diff := cmp.Diff(want, ids); diff != "" || linked == 0 {
				t.Errorf("%d linked, questions (-want +got):\n%s", linked, diff)
			}
			if len(tables) != len(sheets) || tables[0] != "AllQuestions" || tables[1] != "AllQuestions2" {
				t.Errorf("tables %v", tables)
			}

			last := sheets[len(sheets)-1]
			fillReviewed(t, f, last)
			must(t, f.Save())
			read, err := reviewform.Read(path)
			must(t, err)
			if len(read.Rows) != 1 || read.Rows[0].Sheet != last || len(read.Faults) != 0 {
				t.Errorf("read %+v, faults %v", read.Rows, read.Faults)
			}
		})
	}
}

// fillReviewed says in the first row of a sheet that its answer is right.
func fillReviewed(t *testing.T, f *excelize.File, sheet string) {
	t.Helper()
	rows := rowsOf(t, f, sheet)
	for _, c := range reviewform.Columns() {
		at := slices.IndexFunc(rows[headerRow-1], func(head string) bool {
			return slices.ContainsFunc(wording.Languages(), func(lang string) bool { return head == c.Heading(lang) })
		})
		if at >= 0 && len(c.Values) > 0 {
			options, err := f.GetDataValidations(sheet)
			must(t, err)
			if len(options) == 0 {
				t.Fatal("nothing is offered to choose from")
			}
			must(t, f.SetCellValue(sheet, spreadsheet.CellName(at+1, firstRow), c.Values[0].EN))
			return
		}
	}
	t.Fatal("no column to fill in")
}

// TestAnUntouchedReportHasNoFaults reads a real workbook: none of its own columns and sheets is taken for somebody's addition.
func TestAnUntouchedReportHasNoFaults(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja", wording.Both} {
		path := filepath.Join(t.TempDir(), "report.xlsx")
		must(t, os.WriteFile(path, write(t, sample(lang)), 0o600))
		got, err := reviewform.Read(path)
		if err != nil || len(got.Faults) > 0 || len(got.Sheets) != 2 || got.Blank == 0 {
			t.Errorf("%s: %v, sheets %v, %d blank rows, faults %v", lang, err, got.Sheets, got.Blank, got.Faults)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
