package intake

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// sheetOf is a workbook of these rows; a cell may be [value, number format].
func sheetOf(t *testing.T, merge string, rows ...[]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range rows {
		for j, v := range row {
			cell, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if pair, is := v.([2]any); is {
				format := pair[1].(string)
				style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
				if err == nil {
					err = f.SetCellStyle("Sheet1", cell, cell, style)
				}
				if err != nil {
					t.Fatal(err)
				}
				v = pair[0]
			}
			if err := f.SetCellValue("Sheet1", cell, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	if merge != "" {
		var from, to string
		if _, err := fmt.Sscanf(merge, "%s %s", &from, &to); err != nil {
			t.Fatal(err)
		}
		if err := f.MergeCell("Sheet1", from, to); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestQuestionSheetsKeepNumbersWhole: ids, answers and dates are what people see; a figure kept beside a question loses nothing, also where
// it is merged over rows or the sheet stands on its side.
func TestQuestionSheetsKeepNumbersWhole(t *testing.T) {
	t.Parallel()
	const whole, padded, yen, share = "0", "000", `#,##0"円"`, "0%"
	rows := [][]any{
		{"ID", "質問", "正解", "スコア", "達成率", "更新日"},
		{[2]any{7, padded}, "日当はいくらですか？", [2]any{3000, yen}, [2]any{0.6, whole}, [2]any{0.853, share}, [2]any{45123, "yyyy/m/d"}},
		{[2]any{8, padded}, "始業は何時ですか？", "9時", nil, [2]any{0.85, share}, [2]any{45124, "yyyy/m/d"}},
	}
	side := make([][]any, len(rows[0]))
	for i := range side {
		for _, row := range rows {
			side[i] = append(side[i], row[i])
		}
	}
	for name, c := range map[string]struct {
		raw  []byte
		last string
	}{
		"in rows": {sheetOf(t, "D2 D3", rows...), "0.6"}, "on its side": {sheetOf(t, "", side...), ""},
	} {
		d, _, err := readDataset(c.raw, "q.xlsx", "q", nil, ReadOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		q, last := d.Questions[0], d.Questions[1]
		if q.ID != "007" || q.Reference != "3,000円" || q.Metadata["スコア"] != "0.6" || q.Metadata["達成率"] != "85.3%" ||
			q.Metadata["更新日"] != "2023/7/16" || last.Metadata["達成率"] != "85%" || last.Metadata["スコア"] != c.last {
			t.Errorf("%s: %+v\n%+v", name, q, last)
		}
	}
}

// TestLoggedSecondsAreWhatTheSheetStores: 1.234 seconds that a sheet shows as 1 are 1234 ms, and ids are as shown.
func TestLoggedSecondsAreWhatTheSheetStores(t *testing.T) {
	t.Parallel()
	raw := sheetOf(t, "", []any{"question_id", "answer", "latency_s", "prompt_tokens"},
		[]any{[2]any{7, "000"}, "9時", [2]any{1.234, "0"}, [2]any{12345, "#,##0"}})
	d := &experiments.Dataset{Name: "q", Version: 1, Questions: []experiments.Question{{ID: "007", Text: "始業は？"}}}
	log, _, err := readAnswers(raw, "a.xlsx", "a", d, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m := log.Answers[0].Measured; m == nil || m.LatencyMS != 1234 || m.PromptTokens != 12345 {
		t.Errorf("%+v", m)
	}
}

// TestFiguresArePicturesOfTheirNumbers: a number counts where the cell shows it in some way, and nobody means that of a date or a time.
func TestFiguresArePicturesOfTheirNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shown, stored string
		is, rounded   bool
	}{
		{"1", "0.6", true, true}, {"85%", "0.85", true, false}, {"85%", "0.853", true, true}, {"-3.0", "-3", true, false},
		{"(3.0)", "-3", true, false}, {"４点", "4", true, false}, {"4/5", "4", true, false},
		{"4.6K", "4567", true, true}, {"", "0.6", true, true},

		{"¥1,235", "1234.5", true, true}, {"6E-01", "0.6", true, false}, {".6", "0.6", true, false},
		{"2023/7/16", "45123", false, false},
		{"9:30", "0.3958", false, false}, {"0:35", "0.0243", false, false},
		{"Jul-23", "45123", false, false}, {"日", "45123", false, false},
		{"TRUE", "1", false, false}, {"0.6", "0.6", false, false}, {"words", "words 1", false, false}, {"16", "45123", false, false},
	} {
		f, is := figureOf(c.shown, c.stored)
		if is != c.is || is && f.Rounded() != c.rounded {
			t.Errorf("%q of %s: %t %t", c.shown, c.stored, is, is && f.Rounded())
		}
	}
}
