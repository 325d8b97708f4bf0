package foreign

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written is a file with this body.
func written(t *testing.T, name, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCellsThatHoldScoresInObjects: the evaluators of Phoenix write an object into each cell, in JSON or as Python shows it; its score
// counts, and nothing else of it.
func TestCellsThatHoldScoresInObjects(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 12))
	for n := range 40 {
		lines, want := []string{"question¦answer¦faithfulness_score¦faithfulness_execution_details"}, []float64{}
		for i := range 6 {
			score, cell := float64(rng.IntN(101))/100, ""
			switch {
			case i > 0 && rng.IntN(5) == 0:
				cell = []string{"{'score': None, 'label': 'x'}", `{"score": null, "label": "x"}`, ""}[rng.IntN(3)]
			case rng.IntN(2) == 0:
				cell = fmt.Sprintf("{'name': 'faithfulness', 'score': %v, 'label': 'x', 'metadata': {}}", score)
				want = append(want, score)
			default:
				cell = fmt.Sprintf(`{"name": "faithfulness", "score": %v, "explanation": "score: 5"}`, score)
				want = append(want, score)
			}
			lines = append(lines, fmt.Sprintf(`What is %d?¦It.¦%s¦{"status": "COMPLETED", "execution_seconds": %d}`, i, cell, i))
		}
		var sheet strings.Builder
		w := csv.NewWriter(&sheet)
		for _, line := range lines {
			if err := w.Write(strings.Split(line, "¦")); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		for _, head := range []string{"answer", "comment"} { // with and without answers, of which each is read in its own way
			path := written(t, "a.csv", strings.Replace(sheet.String(), "answer", head, 1))
			table, err := ReadScores(path, ForeignOptions{})
			if err != nil || len(table.Metrics) != 1 || len(table.Forms) != 1 || table.Forms[0].Form != "object" {
				t.Fatalf("%d: %+v %v\n%s", n, table, err, strings.Join(lines, "\n"))
			}
			var got []float64
			for _, item := range table.Items {
				got = append(got, item.Scores[0]...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d: %v, want %v", n, got, want)
			}
		}
	}
}

// TestScalesOfWordsAreNamed: a column of grades or of words from a questionnaire is no column of remarks: it is said that it was not read,
// and what to write.
func TestScalesOfWordsAreNamed(t *testing.T) {
	t.Parallel()
	for column, words := range map[string][]string{
		"Grade": {"A", "B", "C-"}, "満足度": {"良い", "普通", "悪い"}, "It helps me": {"Agree", "Strongly agree"}, "総合評価": {"十分", "不十分"},
	} {
		body := "question,answer,正確性," + column + "\n"
		for i := range 8 {
			body += fmt.Sprintf("What is %d?,It.,%d,%s\n", i, 1+i%5, words[i%len(words)])
		}
		table, err := ReadScores(written(t, "a.csv", body), ForeignOptions{})
		if err != nil || !slices.Equal(table.Metrics, []string{"正確性"}) || len(table.Forms) != 1 || table.Forms[0].Form != "words" ||
			!slices.Equal(table.Forms[0].Examples, words) {
			t.Errorf("%s: %+v %v", column, table, err)
		}
		alone := strings.NewReplacer("正確性", "category", "answer", "remark").Replace(body)
		alone = strings.NewReplacer(",1,", ",x,", ",2,", ",x,", ",3,", ",x,", ",4,", ",y,", ",5,", ",y,").Replace(alone)
		en, ja := refusal(t, "b.csv", alone, comparedAlone)
		wantSaid(t, en, column+" holds words", "5 to 1")
		wantSaid(t, ja, column, "言葉で書かれています")
	}
	body := "question,answer,正確性,topic,comment\n" + strings.Repeat("What?,It.,3,billing,fine\nWhy?,So.,4,refund,ok then\n", 4)
	if table, err := ReadScores(written(t, "c.csv", body), ForeignOptions{}); err != nil || len(table.Forms) > 0 {
		t.Errorf("%+v %v", table, err)
	}
}

// TestWhatAzureWritesBesideScores: thresholds, passes and older names of a score are no scores of their own, in each of the two files.
func TestWhatAzureWritesBesideScores(t *testing.T) {
	t.Parallel()
	var rows []any
	var lines string
	for i := range 5 {
		row := map[string]any{"inputs.query": fmt.Sprintf("What is %d?", i), "inputs.response": "It.", "line_number": i,
			"outputs.groundedness.groundedness": i + 1, "outputs.groundedness.gpt_groundedness": i + 1,
			"outputs.groundedness.groundedness_result": "pass", "outputs.groundedness.groundedness_threshold": 3,
			"outputs.violence.violence_score": i, "outputs.f1_score.f1_score": 0.5, "outputs.f1_score.f1_result": "pass"}
		rows = append(rows, row)
		line, _ := json.Marshal(row)
		lines += string(line) + "\n"
	}
	whole, _ := json.Marshal(map[string]any{"rows": rows, "metrics": map[string]any{"groundedness.groundedness": 3}, "studio_url": nil})
	for _, path := range []string{written(t, "a.json", string(whole)), written(t, "a.jsonl", lines)} {
		table, err := ReadScores(path, ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(table.Metrics)
		want := []string{"outputs.f1_score.f1_score", "outputs.groundedness.groundedness", "outputs.violence.violence_score"}
		if !slices.Equal(table.Metrics, want) || len(table.Items) != 5 ||
			!slices.Contains(table.Unread, "outputs.groundedness.groundedness_threshold") {
			t.Errorf("%q, %+v", table.Metrics, table)
		}
	}
	for _, o := range []ForeignOptions{{}, {From: ToolTable, Columns: map[string]string{"inputs.response": "answer"}}} {
		f, err := ReadForeign(written(t, "d.json", string(whole)), o)
		if err != nil || len(f.Items) != 5 || *f.Items[0].Answer != "It." {
			t.Errorf("%+v %v", f, err)
		}
	}
	if DirectionOf("outputs.violence.violence_score") != LessIsBetter {
		t.Error("more violence is taken as better")
	}
}

// TestDeepEvalsLatestRunIsRead: .deepeval/.latest_test_run.json has the run within an object, beside a link.
func TestDeepEvalsLatestRunIsRead(t *testing.T) {
	t.Parallel()
	path := written(t, "latest.json", `{"testRunData":{"testCases":[`+deepEvalCase("How long?", "Ten days.", "1")+`]},"testRunLink":null}`)
	f, err := ReadForeign(path, ForeignOptions{})
	if err != nil || f.Tool != ToolDeepEval || len(f.Items) != 1 {
		t.Errorf("%+v %v", f, err)
	}
}

// TestAverageWithoutAStoredValue: a row below the table that only says 平均, because its formulas were never computed, is no question.
func TestAverageWithoutAStoredValue(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"平均", "Average", "合計", "Total"} {
		for _, path := range bothWays(t, "No.¦質問¦回答¦正確性\n1¦aとは¦x¦4\n2¦bとは¦y¦5\n"+word+"¦¦¦") {
			table, err := ReadScores(path, ForeignOptions{})
			if err != nil || len(table.Items) != 2 || len(table.Sheet) == 0 {
				t.Errorf("%s: %+v %v", word, table, err)
			}
		}
	}
}

// TestWhatFeedbackCostIsNoScore: TruLens writes what each feedback cost beside it.
func TestWhatFeedbackCostIsNoScore(t *testing.T) {
	t.Parallel()
	body := "record_id,input,output,latency,total_cost,Groundedness,Groundedness_calls,Groundedness feedback cost in USD\n" +
		"r1,What?,It.,1,0.1,0.5,[],0.001\nr2,Why?,So.,2,0.2,1,[],0.002\n"
	f, err := ReadForeign(written(t, "a.csv", body), ForeignOptions{})
	if err != nil || len(f.Metrics) != 1 || f.Metrics[0].Source != "Groundedness" || len(f.Operation) != 3 {
		t.Errorf("%+v %v", f, err)
	}
}

// TestMarksBetweenAreNoNumbers: of a column with △ it is said that it was not read, and not that it holds numbers.
func TestMarksBetweenAreNoNumbers(t *testing.T) {
	t.Parallel()
	for _, path := range bothWays(t, "質問¦回答¦正確性¦判定\naとは¦x¦4¦○\nbとは¦y¦5¦△\ncとは¦z¦3¦×") {
		table, err := ReadScores(path, ForeignOptions{})
		if err != nil || len(table.Unread) > 0 || len(table.Forms) != 1 || table.Forms[0].Form != "between" || len(table.Metrics) != 1 {
			t.Errorf("%+v %v", table, err)
		}
	}
}
