package intake

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// edited is a workbook after something was done to it that its rows do not say.
func edited(t *testing.T, raw []byte, change func(f *excelize.File) error) string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := change(f); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWhichSheetIsRead: a hidden one loses against a visible one with questions, results of a run against the test cases; what is not read
// is named with its rows, and people can choose.
func TestWhichSheetIsRead(t *testing.T) {
	t.Parallel()
	sheet := func(head string, question string, n int) [][]any {
		rows := [][]any{{}}
		for _, name := range strings.Split(head, " ") {
			rows[0] = append(rows[0], name)
		}
		for range n {
			rows = append(rows, []any{question, "30日です。", "○", "○"})
		}
		return rows
	}
	cases := map[string]struct {
		sheets [][][]any
		names  []string // of the sheets, where they matter
		hidden []string // by the first letters of their state: h, v (very hidden), or visible
		choose string
		want   string // the first question
		notes  []string
	}{
		"hidden first": {[][][]any{sheet("質問 正解", "旧？", 1), sheet("質問 正解", "新？", 2)}, nil, []string{"h", ""}, "", "新？",
			[]string{`"Sheet2" was read, and not: Sheet1 (hidden, 1 row)`}},
		"very hidden, with more columns": {[][][]any{sheet("質問 カテゴリ", "新？", 2), sheet("質問 正解 判定", "旧？", 1)}, nil,
			[]string{"", "v"}, "", "新？", []string{"and not: Sheet2 (hidden, 1 row)"}},
		"only the hidden one asks": {[][][]any{{{"表紙"}}, sheet("質問 正解", "唯一？", 1)}, nil, []string{"", "h"}, "", "唯一？",
			[]string{`the sheet "Sheet2" is hidden in the workbook and was read all the same`}},
		"results are longer": {[][][]any{sheet("質問 正解", "件？", 2), sheet("質問 回答 正解 判定", "結果？", 4)}, []string{"テストケース", "実行結果"}, nil,
			"", "件？", []string{`and not: 実行結果 (4 rows)`}},
		"only the results have answers": {[][][]any{sheet("質問 カテゴリ", "件？", 2), sheet("質問 回答 正解 判定", "結果？", 4)},
			[]string{"Test cases", "Test results"}, nil, "", "結果？", nil},
		"chosen": {[][][]any{sheet("質問 正解", "甲？", 1), sheet("質問 正解", "乙？", 3)}, nil, nil, "sheet2", "乙？",
			[]string{`"Sheet2" was read, and not: Sheet1 (1 row)`,
				"questions seem to stand in other sheets too: Sheet1 (1 row); to read them too, choose every sheet"}},
		"answers elsewhere": {[][][]any{sheet("質問 カテゴリ", "件？", 1), {{"ID", "正解"}, {"1", "30日です。"}}}, nil, nil, "", "件？",
			[]string{"right answers without questions stand in other sheets: Sheet2 (1 row)"}},
	}
	for name, c := range cases {
		raw := edited(t, workbook(t, c.sheets...), func(f *excelize.File) error {
			for i, state := range c.hidden {
				if state != "" {
					f.SetActiveSheet(1 - i)
					if err := f.SetSheetVisible(f.GetSheetName(i), false, state == "v"); err != nil {
						return err
					}
				}
			}
			for i, name := range c.names {
				if err := f.SetSheetName(f.GetSheetName(i), name); err != nil {
					return err
				}
			}
			return nil
		})
		d, report, err := readDataset([]byte(raw), "q.xlsx", "sheet", nil, ReadOptions{Sheets: chosenSheets(c.choose)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Questions[0].Text != c.want {
			t.Errorf("%s: read %q, want %q", name, d.Questions[0].Text, c.want)
		}
		notes := strings.Join(text.InEnglish(report.Notes), "\n")
		for _, want := range c.notes {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: notes %s, want %q", name, notes, want)
			}
		}
	}
	raw := workbook(t, sheet("質問 正解", "甲？", 1))
	for file, hint := range map[string]string{"q.xlsx": `"Sheet1"`, "q.csv": "only .xlsx files have sheets"} {
		_, _, err := readDataset(raw, file, "sheet", nil, ReadOptions{Sheets: []string{"Other"}})
		if problem.CodeOf(err) != "dataset_sheet_unknown" || !strings.Contains(problem.From(err).Hint, hint) {
			t.Errorf("%s: %v", file, err)
		}
	}
	answers := edited(t, workbook(t, [][]any{{"id", "answer"}, {"a", "old"}}, [][]any{{"id", "answer"}, {"a", "new"}}),
		func(f *excelize.File) error {
			f.SetActiveSheet(1)
			return f.SetSheetVisible("Sheet1", false)
		})
	table, err := ReadTable([]byte(answers), "a.xlsx", "", &RowFaults{})
	if err != nil || table.Rows[0].Cell(1) != "new" {
		t.Errorf("answers: %v %v", table, err)
	}
}

func chosenSheets(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}
