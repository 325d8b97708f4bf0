package foreign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// scored is a table of answers with one more column.
func scored(column string, cells ...string) string {
	body := "question,bot answer," + column + "\n"
	for i, cell := range cells {
		body += fmt.Sprintf("What is rule %d?,It is %d.,%s\n", i, i, cell)
	}
	return body
}

// Cells that say by themselves which answer was better are read, whatever the column is called and in whatever language a spreadsheet
// writes true and false; names that say out of how many points tell the direction and the scale.
func TestScoresInTheWordsOfSheets(t *testing.T) {
	for _, c := range []struct {
		column      string
		cells       []string
		first, most float64
	}{
		{"Result", []string{"PASS", "FAIL"}, 1, 1},
		{"結果", []string{"合格", "不合格"}, 1, 1},
		{"Stars", []string{"⭐⭐⭐", "⭐"}, 3, 5},
		{"Impression", []string{"★★★★☆", "★★☆☆☆"}, 4, 5},
		{"Korrekt?", []string{"WAHR", "FALSCH"}, 1, 1},
		{"Correct", []string{"VRAI", "FAUX"}, 1, 1},
		{"Correcto", []string{"VERDADERO", "FALSO"}, 1, 1},
		{"Bewertung", []string{"richtig", "falsch"}, 1, 1},
		{"thumbs", []string{"up", "down"}, 1, 1},
		{"Mark out of 10", []string{"7", "9"}, 7, 10},
		{"Note /20", []string{"12", "15.5"}, 12, 20},
		{"表現（20点）", []string{"15", "20"}, 15, 20},
		{"わかりやすさ(5点満点)", []string{"3", "5"}, 3, 5},
		{"Voto (su 10)", []string{"6.5", "9"}, 6.5, 10},
	} {
		path := writeTable(t, "a.csv", scored(c.column, c.cells...))
		f, err := ReadForeign(path, ForeignOptions{})
		if err != nil || len(f.Metrics) != 1 || f.Metrics[0].Lower || *f.Items[0].Scores[0].Value != c.first || f.Metrics[0].Max != c.most {
			t.Errorf("%s, imported: %+v %v", c.column, f, err)
		}
		table, err := ReadScores(path, ForeignOptions{})
		if err != nil || len(table.Metrics) != 1 || table.Items[0].Scores[0][0] != c.first {
			t.Errorf("%s, compared: %+v %v", c.column, table, err)
		}
		if got := DirectionAmong(c.column, 0, c.most, table.Forms); got != MoreIsBetter {
			t.Errorf("%s: direction %v", c.column, got)
		}
	}
}

// Which way a column of true and false goes is asked where its name does not say, and what took long is no score.
func TestWordsThatSayNoDirection(t *testing.T) {
	_, err := ReadForeign(writeTable(t, "a.csv", scored("Quelle gefunden?", "WAHR", "FALSCH")), ForeignOptions{})
	if err == nil || problem.From(err).Code != "direction_unknown" {
		t.Errorf("a source that was found: %v", err)
	}
	for _, column := range []string{"Part 1/5", "Step 3 / 10"} {
		if got := DirectionOf(column); got != DirectionUnknown {
			t.Errorf("%s: direction %v", column, got)
		}
	}
	for _, column := range []string{"Temps de réponse (s)", "Tiempo (s)", "Durata /10"} {
		f, err := ReadForeign(writeTable(t, "a.csv", scored(column, "2.4", "3.1")), ForeignOptions{})
		if err != nil || len(f.Metrics) != 0 || len(f.Operation) != 1 {
			t.Errorf("%s: %+v %v", column, f, err)
		}
	}
}

// A tick in one of several columns is no score by itself, and none of the columns holds right answers: they are named.
func TestTicksInOneOfSeveralColumns(t *testing.T) {
	for _, names := range []string{"Right,Partly,Wrong", "正解,一部正解,不正解", "richtig,teilweise richtig,falsch", "OK,NG", "Good,Fair,Poor"} {
		n := strings.Count(names, ",")
		first, last := "x"+strings.Repeat(",", n), strings.Repeat(",", n)+"x"
		path := writeTable(t, "a.csv", scored(names, first, last, first))
		f, err := ReadForeign(path, ForeignOptions{})
		if err != nil || len(f.Metrics) != 0 || len(f.Forms) != 1 || f.Forms[0].Form != "ticks" || f.Items[0].Reference != "" {
			t.Errorf("%s, imported: %+v %v", names, f, err)
		}
		_, err = ReadScores(path, ForeignOptions{})
		if p := problem.From(err); err == nil || !strings.Contains(p.Hint, strings.ReplaceAll(names, ",", ", ")) {
			t.Errorf("%s, compared: %v", names, err)
		}
		path = writeTable(t, "b.csv", scored(names+",accuracy", first+",0.5", last+",0.75", first+",1"))
		if table, err := ReadScores(path, ForeignOptions{}); err != nil || len(table.Metrics) != 1 || table.Forms[0].Read() {
			t.Errorf("%s beside a score: %+v %v", names, table, err)
		}
	}
	path := writeTable(t, "d.csv", scored("Right,Wrong", "1,0", "0,1", "1,0"))
	if table, err := ReadScores(path, ForeignOptions{}); err != nil || len(table.Metrics) != 2 {
		t.Errorf("ones and noughts are scores of their own: %+v %v", table, err)
	}
	path = writeTable(t, "c.csv", scored("Right,Wrong", "x,x", "x,", "x,x", ",x"))
	if table, err := ReadScores(path, ForeignOptions{}); err == nil && len(table.Forms) > 0 && table.Forms[0].Form == "ticks" {
		t.Errorf("two ticks in a row are no choice: %+v", table)
	}
}

// A right answer in a list, and texts in objects, are read without what stands around them.
func TestTextsInCellsOfTools(t *testing.T) {
	f := readText(t, "a.csv", "question,contexts,ground_truths,answer,faithfulness\nWhy?,\"['It is so.']\",\"['Thus.', 'So.']\",So.,0.5\n")
	if f.Items[0].Reference != "Thus." {
		t.Errorf("the first of a list: %+v", f.Items[0])
	}
	f = readText(t, "b.csv", "input,output,groundedness\n\"{\"\"question\"\": \"\"Why?\"\"}\",\"{\"\"answer\"\": \"\"So.\"\"}\",0.5\n")
	if f.Items[0].Question != "Why?" || *f.Items[0].Answer != "So." {
		t.Errorf("objects: %+v", f.Items[0])
	}
}

// Two answers side by side are asked about, however they are told apart.
func TestAnswersBeforeAndAfterAreTwo(t *testing.T) {
	_, err := ReadForeign(writeTable(t, "a.csv", "question,answer before,answer after,score\nWhy?,So.,Thus.,0.5\n"), ForeignOptions{})
	if err == nil || problem.From(err).Code != "answers_unclear" {
		t.Errorf("%v", err)
	}
}
