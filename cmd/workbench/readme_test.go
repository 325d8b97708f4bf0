package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestReadmeCommands runs every command of both READMEs, in their order, in a folder that holds what they name. A make
// target only has to exist: running the tests from a test would not end.
func TestReadmeCommands(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, readme := range []string{"README.md", "README.ja.md"} {
		t.Run(readme, func(t *testing.T) {
			body, err := os.ReadFile("../../" + readme)
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t)
			ownDocuments(t, b)
			t.Chdir(b.dir)
			ran := 0
			for _, line := range commands(string(body)) {
				args := strings.Fields(line)
				switch args[0] {
				case "make":
					if !regexp.MustCompile(`(?m)^` + args[1] + `:`).Match(makefile) {
						t.Errorf("%s: there is no target %s", line, args[1])
					}
				case "workbench":
					b.must(args[1:]...)
				default:
					t.Errorf("no test knows how to run %q", line)
				}
				ran++
			}
			if ran < 5 {
				t.Errorf("only %d commands found", ran)
			}
			if reports, err := filepath.Glob("report-*.xlsx"); err != nil || len(reports) != 1 {
				t.Errorf("reports: %v %v", reports, err)
			}
		})
	}
}

// commands are the lines of the fenced sh blocks, without comments.
func commands(markdown string) []string {
	var out []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(markdown, -1) {
		for line := range strings.SplitSeq(block[1], "\n") {
			line, _, _ = strings.Cut(line, " #")
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
	}
	return out
}

// ownDocuments lays out ./manual and questions.xlsx.
func ownDocuments(t *testing.T, b *bench) {
	t.Helper()
	if err := os.Rename(b.path("docs"), b.path("manual")); err != nil {
		t.Fatal(err)
	}
	f := excelize.NewFile()
	rows := [][]any{
		{"質問", "正解", "根拠"},
		{"Can a Saver ticket be refunded?", "No. Only the airport tax of 440 yen is returned.",
			"Only the airport tax of 440 yen is returned, on request within 30 days."},
		{"バシネットはいつまでに予約できますか。", "出発の48時間前までです。", "出発の48時間前までに予約できます"},
	}
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.SetSheetRow("Sheet1", cell, &row); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SaveAs(b.path("questions.xlsx")); err != nil {
		t.Fatal(err)
	}
}
