package foreign

import (
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestSumsOfTeamSheets: a sum between two parts, behind the name of its part or with how many it sums up, is no question.
func TestSumsOfTeamSheets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want, told string }{
		"between two parts": {"区分¦質問¦スコア\n配送¦a¦5\n¦b¦2\n¦小計（2件）¦3.5\n返品¦c¦4\n返品¦小計¦4\n総合¦¦3.67",
			"スコア=1:[5] 2:[2] 3:[4]", "小計（2件）"},
		"in German": {"Nr.¦Frage¦Punkte\n1¦a¦5\n2¦b¦2\n¦Mittelwert¦3.5", "Punkte=1:[5] 2:[2]", "Mittelwert"},
		"of all":    {"id¦score\n1¦5\n2¦2\nOverall average (n=2)¦3.5", "score=1:[5] 2:[2]", "Overall average"},
		"kinds of questions": {"id¦type¦score\nq1¦count¦5\nq2¦average¦2\nq3¦sum¦1\nq4¦合計はいくつですか¦4",
			"score=1:[5] 2:[2] 3:[1] 4:[4]", ""},
	} {
		for _, path := range bothWays(t, c.body) {
			read, notes, _ := readOf(t, path)
			if read != c.want || !strings.Contains(notes, c.told) {
				t.Errorf("%s: %s, want %s\n%s", name, read, c.want, notes)
			}
		}
	}
}

// TestTablesOfOneScoreInEachRow: a row that holds one score of one metric is no vote of the row above, which holds another metric.
func TestTablesOfOneScoreInEachRow(t *testing.T) {
	t.Parallel()
	const both = "faithfulness=1:[5] 2:[2] | hallucination=1:[1] 2:[4]"
	for name, c := range map[string]struct{ body, want, told string }{
		"by id":     {"question_id¦metric¦score\nq1¦faithfulness¦5\nq1¦hallucination¦1\nq2¦faithfulness¦2\nq2¦hallucination¦4", both, "one score"},
		"by metric": {"質問¦指標¦スコア\na¦faithfulness¦5\nb¦faithfulness¦2\na¦hallucination¦1\nb¦hallucination¦4", both, "hallucination"},
		"with answers": {"question¦answer¦metric¦score\na¦x¦faithfulness¦5\na¦x¦hallucination¦1\nb¦y¦faithfulness¦2\nb¦y¦hallucination¦4", both,
			"one score"},
		"votes": {"id¦metric¦score\nq1¦faithfulness¦5\nq1¦faithfulness¦4\nq1¦hallucination¦1\nq2¦faithfulness¦2\nq2¦hallucination¦4",
			"faithfulness=1:[5 4] 2:[2] | hallucination=1:[1] 2:[4]", "one score"},
		"a point of view of each question": {"id¦観点¦スコア\nq1¦正確さ¦5\nq2¦丁寧さ¦2", "スコア=1:[5] 2:[2]", ""},
	} {
		for _, path := range bothWays(t, c.body) {
			read, notes, _ := readOf(t, path)
			if read != c.want || !strings.Contains(notes, c.told) {
				t.Errorf("%s: %s, want %s\n%s", name, read, c.want, notes)
			}
		}
	}
}

// TestStarsAndFormulas: filled stars are counted, and a formula that nobody counted is told from an empty cell.
func TestStarsAndFormulas(t *testing.T) {
	t.Parallel()
	for _, path := range bothWays(t, "id¦満足度¦備考\nq1¦★★★☆☆¦3\nq2¦☆☆☆☆☆¦12\nq3¦⭐️⭐️¦\nq4¦未採点¦1") {
		read, notes, _ := readOf(t, path)
		if read != "満足度=1:[3] 2:[0] 3:[2] 4:[]" || !strings.Contains(notes, "filled stars") {
			t.Errorf("%s\n%s", read, notes)
		}
	}
	f := excelize.NewFile()
	defer f.Close()
	for cell, v := range map[string]any{"A1": "id", "B1": "score", "C1": "total", "A2": "q1", "B2": 4, "A3": "q2", "B3": 2} {
		if err := f.SetCellValue("Sheet1", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	for _, cell := range []string{"C2", "C3"} {
		if err := f.SetCellFormula("Sheet1", cell, "B2*2"); err != nil {
			t.Fatal(err)
		}
	}
	read, notes, ja := readOf(t, saved(t, f))
	if read != "score=1:[4] 2:[2]" || !strings.Contains(notes, "formulas without a stored value, read as empty cells: total (C2: =B2*2)") ||
		!strings.Contains(ja, "total（C2：=B2*2）") {
		t.Errorf("%s\n%s\n%s", read, notes, ja)
	}
}

// TestMostlyWordsAreNamed: a column whose scores are mostly errors is named, and not passed over without a word.
func TestMostlyWordsAreNamed(t *testing.T) {
	t.Parallel()
	for _, path := range bothWays(t, "id¦accuracy of bot¦score¦comment\nq1¦timeout¦1¦5\nq2¦timeout¦2¦x\nq3¦0.5¦3¦y") {
		scores, err := ReadScores(path, ForeignOptions{})
		if err != nil || !slices.Equal(scores.Unread, []string{"accuracy of bot"}) {
			t.Errorf("%+v %v", scores, err)
		}
	}
}

// TestFaultsNameTheirRows: a fault is told by its row also where the file was opened before its kind was known.
func TestFaultsNameTheirRows(t *testing.T) {
	t.Parallel()
	for i, path := range bothWays(t, "id¦score\nq1¦1\nq2¦later\nq3¦0.5") {
		_, err := ReadScores(path, ForeignOptions{})
		if want := []string{"row 3 (q2), score", "line 3 (q2), score"}[i]; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
