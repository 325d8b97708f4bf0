package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// roundedSheet writes answers with one score, which every cell shows as a whole number.
func roundedSheet(t *testing.T, path string, score float64) {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	style, err := f.NewStyle(&excelize.Style{NumFmt: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range [][]any{{"質問", "回答", "正確性"}, {"始業は？", "9時", score}, {"終業は？", "18時", score}} {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SetCellStyle("Sheet1", "C2", "C3", style); err != nil {
		t.Fatal(err)
	}
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
}

// TestScoresOfSheetsAreNotRounded: 0.9 and 0.6 are both shown as 1; imports and comparisons of files read what is stored, and say so.
func TestScoresOfSheetsAreNotRounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	roundedSheet(t, b.path("old.xlsx"), 0.9)
	roundedSheet(t, b.path("new.xlsx"), 0.6)
	for lang, says := range map[string]string{"en": `0.6 and shows "1"`, "ja": "0.6、表示は「1」"} {
		o := b.must("import-results", "{}/new.xlsx", "--name", "new-"+lang, "--lang", lang)
		if said := o.stdout + o.stderr; !strings.Contains(said, says) {
			t.Error(said)
		}
		o = b.run("compare", "{}/old.xlsx", "{}/new.xlsx", "--lang", lang)
		if said := o.stdout + o.stderr; !strings.Contains(said, says) || !strings.Contains(said, "0.9") {
			t.Error(said)
		}
		o = b.run("gate", "{}/old.xlsx", "{}/new.xlsx", "--lang", lang)
		if said := o.stdout + o.stderr; !strings.Contains(said, says) {
			t.Error(said)
		}
	}
	var out any
	if err := json.Unmarshal([]byte(b.run("compare", "{}/old.xlsx", "{}/new.xlsx", "--json").stdout), &out); err != nil {
		t.Fatal(err)
	}
	if said := fmt.Sprint(out); !strings.Contains(said, "-0.3") {
		t.Error(said)
	}
}

// TestResultsAsSpreadsheetProgramsSaveThem: a title above semicolons with decimal commas, and tabs, are read at the command line too, and
// what was assumed is said.
func TestResultsAsSpreadsheetProgramsSaveThem(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, b.path("old.csv"), "Auswertung, April\n\nFrage;Antwort;Bewertung\nWann?;Um 9;0,9\nWo?;Hier;0,9\n")
	write(t, b.path("new.tsv"), "Frage\tAntwort\tBewertung\nWann?\tUm 9\t0.6\nWo?\tHier\t0.6\n")
	for lang, says := range map[string]string{"en": "the columns are separated by semicolons", "ja": "列の区切りはセミコロンです"} {
		o := b.must("import-results", "{}/old.csv", "--name", "old-"+lang, "--lang", lang)
		if said := o.stdout + o.stderr; !strings.Contains(said, says) {
			t.Error(said)
		}
	}
	b.must("import-results", "{}/new.tsv", "--name", "new")
	for _, args := range [][]string{{"{}/old.csv", "{}/new.tsv"}, {"old-en", "new"}} {
		if said := b.run("compare", args[0], args[1], "--json").stdout; !strings.Contains(said, "-0.3") {
			t.Errorf("%v: %s", args, said)
		}
	}
}
