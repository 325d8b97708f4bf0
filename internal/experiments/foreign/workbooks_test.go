package foreign

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// tabsFile writes a workbook whose sheets are "NAME: cells¦in a row"; a name with ~ before it is hidden.
func tabsFile(t *testing.T, sheets ...string) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for _, s := range sheets {
		name, body, _ := strings.Cut(s, ":\n")
		if _, err := f.NewSheet(strings.TrimPrefix(name, "~")); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(body, "\n") {
			var row []any
			for cell := range strings.SplitSeq(line, "¦") {
				var n float64
				if _, err := fmt.Sscanf(cell+"|", "%f|", &n); err == nil {
					row = append(row, n)
					continue
				}
				row = append(row, cell)
			}
			if err := f.SetSheetRow(strings.TrimPrefix(name, "~"), fmt.Sprintf("A%d", i+1), &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.DeleteSheet("Sheet1"); err != nil {
		t.Fatal(err)
	}
	f.SetActiveSheet(len(sheets) - 1) // an active one cannot be hidden
	for _, s := range sheets {
		if name, hidden := strings.CutPrefix(strings.SplitN(s, ":\n", 2)[0], "~"); hidden {
			if err := f.SetSheetVisible(name, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	return saved(t, f)
}

// saved is the path of a workbook as a file.
func saved(t *testing.T, f *excelize.File) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scored.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWorkbooksOfResults: a workbook is read as a CSV table is, by the sheet with the results; what was chosen is said in both languages.
func TestWorkbooksOfResults(t *testing.T) {
	t.Parallel()
	const cover, april = "表紙:\n評価報告書\n作成¦2026",
		"4月:\n採点表\n\nNo¦質問¦正解¦回答¦正確性\n" +
			"1¦始業は？¦9時¦9時です¦5\n2¦日当は？¦3,000円¦2,500円¦2\n平均¦¦¦¦3.5"
	for name, c := range map[string]struct {
		path, sheet, want, told, ja string
	}{
		"a cover before it": {tabsFile(t, cover, april), "", "始業は？=5 日当は？=2", `"4月" was read, and not: 表紙`, "「4月」を読み取り"},
		"a hidden sheet": {tabsFile(t, "~旧:\n質問¦回答¦点\nx？¦y¦1", april), "", "始業は？=5 日当は？=2", "旧 (hidden",
			"--sheet シート名"},
		"the sheet of results": {tabsFile(t, "質問:\n質問¦正解\n始業は？¦9時", "結果:\n質問¦回答¦点\n始業は？¦9時¦4"), "",
			"始業は？=4",
			`"結果" was read`, "「結果」を読み取り"},
		"the sheet that was chosen": {tabsFile(t, april, "5月:\n質問¦回答¦点\n始業は？¦9時¦3"), "5月", "始業は？=3", "", ""},
		"titles and averages":       {tabsFile(t, april), "", "始業は？=5 日当は？=2", "not read: 1 row above them", "上の行の集計"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ReadForeign(c.path, ForeignOptions{Sheet: c.sheet})
			if err != nil {
				t.Fatal(err, problem.From(err).Hint)
			}
			var said []string
			for _, item := range got.Items {
				said = append(said, fmt.Sprintf("%s=%g", item.Question, *item.Scores[len(item.Scores)-1].Value))
			}
			ja := ""
			for _, s := range got.Sheet {
				ja += s.JA + "\n"
			}
			notes := strings.Join(got.Notes, "\n")
			if c.sheet != "" && (strings.Contains(notes, "--sheet") || strings.Contains(notes, "was read")) {
				t.Errorf("who chose a sheet is told of the others: %s", notes)
			}
			if s := strings.Join(said, " "); s != c.want || !strings.Contains(notes, c.told) || !strings.Contains(ja, c.ja) {
				t.Errorf("%s\n%q\n%s", s, got.Notes, ja)
			}
			scores, err := ReadScores(c.path, ForeignOptions{Sheet: c.sheet})
			if err != nil || len(scores.Items) != len(got.Items) || (len(scores.Sheet) == 0) != (c.sheet != "") {
				t.Errorf("as scores: %+v %v", scores, err)
			}
		})
	}
}

// TestSheetsThatAreNotThere: a sheet is asked for by its name, and only a workbook has some.
func TestSheetsThatAreNotThere(t *testing.T) {
	t.Parallel()
	csv := broughtFile(t, "a.csv", "question,answer,score\nHow?,So,1\n", nil)
	book := tabsFile(t, "A:\nquestion¦answer¦score\nHow?¦So¦1")
	for path, hint := range map[string]string{book: `"A"`, csv: "only .xlsx files have sheets"} {
		_, err := ReadForeign(path, ForeignOptions{Sheet: "B"})
		if err == nil || !strings.Contains(problem.From(err).Hint, hint) {
			t.Errorf("%v", err)
		}
		if _, err = ReadScores(path, ForeignOptions{Sheet: "B"}); err == nil || !strings.Contains(problem.From(err).Hint, hint) {
			t.Errorf("scores: %v", err)
		}
	}
	beside := ForeignOptions{Sheet: "B"}.Beside(csv, "b.xlsx")
	if _, err := ReadScores(csv, beside); err != nil {
		t.Errorf("beside a workbook: %v", err)
	}
}

// TestFaultsNameTheirSheets: a cell that is wrong is told with its sheet where the workbook has others, in both languages and at every
// door; of a workbook with one sheet its row says enough.
func TestFaultsNameTheirSheets(t *testing.T) {
	t.Parallel()
	const wrong = "明細:\n質問ID¦質問¦回答¦正確性\nQ1¦aとは¦x¦3\nQ2¦bとは¦y¦あとで確認"
	for _, several := range []bool{true, false} {
		path := tabsFile(t, wrong)
		if several {
			path = tabsFile(t, "集計:\n項目¦値\n平均¦3", wrong)
		}
		for _, read := range []func(string) error{imported, comparedAlone} {
			said := problem.From(read(path))
			en, ja := "row 3 (Q2), 正確性: ", "の3行目（Q2）、正確性："
			if several {
				en, ja = "row 3 of 明細 (Q2), 正確性: ", "「明細」の3行目（Q2）、正確性："
			}
			wantSaid(t, said.Message, en)
			wantSaid(t, said.In("ja").Message, ja)
		}
	}
}
