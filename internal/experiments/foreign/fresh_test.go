package foreign

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestSignsAndPointsOfPeople: what people write in place of plain numbers is read where it says one thing, and named where it does not.
func TestSignsAndPointsOfPeople(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"points,\"1,250\",980,\"1,100\"":           "1250 980 1100",
		"points,\"1,250\",\"1,980\",\"1,100\"":     "named mixed",
		"正確性,８５％,７０％,１００％":                         "0.85 0.7 1",
		"満足度,3.5点/5点,4点/5点,5点/5点":                  "3.5 4 5",
		"sentiment score,-0.5,−0.2,0.3":            "-0.5 -0.2 0.3",
		"score,\"[1, 0.5]\",\"[1, 1]\",\"[0, 1]\"": "named mixed",
		"result score,Pass (0.9),Fail (0.4),ok":    "named mixed",
		"grade,A+,B-,C":                            "named words",
		"accuracy,x,,x":                            "named words",
		"得点,85点,70点,100点":                          "85 70 100",
		"総合評価,85/100,7/100,100/100":                "85 7 100",
		"score,4 out of 5,3 out of 5,5 out of 5":   "4 3 5",
		"score,3.25/5,3/5,5/5":                     "3.25 3 5",
		"Punkte,8 von 10,7 von 10,10 von 10":       "8 7 10",
		"correct,Yes,no,YES":                       "1 0 1",
		"hallucination rate,No,yes,n":              "0 1 0",
		"正確性,はい,いいえ,はい":                            "1 0 1",
		"score,7/5,3/5,5/5":                        "named mixed",
		"score,1/2,2/3,3/4":                        "named mixed",
		"score,5-Apr,5-Mar,5-May":                  "named mixed",
		"relevance score,0.8 ± 0.1,0.7 ± 0.1,~1":   "named mixed",
		"合否,合格,不合格,保留":                             "named between",
		"quality,High,Low,High":                    "named words",
		"評価日,2026/11/01,2026/11/02,2026/11/03":     "",
		"score comment,1. good,2. bad,see above":   "named mixed",
		"refused,yes,no,no":                        "",
	} {
		cells, err := csv.NewReader(strings.NewReader(body)).Read()
		if err != nil {
			t.Fatal(err)
		}
		for i := range cells[1:] {
			cells[i+1] = strconv.Quote(cells[i+1])
		}
		path := broughtFile(t, "a.csv", fmt.Sprintf("id,%s,tone\nq1,%s,1\nq2,%s,2\nq3,%s,3\n", cells[0], cells[1], cells[2], cells[3]), nil)
		table, err := ReadScores(path, ForeignOptions{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		var got []string
		for _, item := range table.Items {
			if len(table.Metrics) > 1 {
				got = append(got, fmt.Sprintf("%g", item.Scores[0][0]))
			}
		}
		for _, form := range table.Forms {
			if !form.Read() {
				got = append(got, "named "+form.Form)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s; %+v", body, s, want, table.Notes)
		}
	}
}

// TestACorrectColumnJudges: a column called "correct" that holds yes and no says whether the answer is right; it is no right answer.
func TestACorrectColumnJudges(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"correct|True|False": "a||x table.correct=1; b||y table.correct=0",
		"Correct|yes|no":     "a||x table.correct=1; b||y table.correct=0",
		"correct|Red|Blue":   "a|Red|x; b|Blue|y",
		"正解|○|×":             "a||x; b||y",
		"正解|はい|いいえ":          "a|はい|x; b|いいえ|y",
		"expected|yes|no":    "a|yes|x; b|no|y",
	} {
		cells := strings.Split(head, "|")
		path := broughtFile(t, "a.csv", fmt.Sprintf("question,answer,%s\na,x,%s\nb,y,%s\n", cells[0], cells[1], cells[2]), nil)
		f, err := ReadForeign(path, ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, item := range f.Items {
			s := item.Question + "|" + item.Reference + "|" + *item.Answer
			for _, score := range item.Scores {
				s += fmt.Sprintf(" %s=%g", score.Metric, *score.Value)
			}
			said = append(said, s)
		}
		if got := strings.Join(said, "; "); got != want {
			t.Errorf("%s: %s, want %s", head, got, want)
		}
	}
}

// TestIDsThatBeginAnewAreNone: ids that count the questions of each part from 1 again name no questions; one that stands twice by mistake
// is a fault still.
func TestIDsThatBeginAnewAreNone(t *testing.T) {
	t.Parallel()
	for ids, want := range map[string]string{
		"1 2 1 2": "a score=0; b score=1; c score=2; d score=3", "1 2 3 3": "", "1 2 3 4": "1 score=0; 2 score=1; 3 score=2; 4 score=3",
	} {
		body := "part,id,question,answer,score\n"
		for i, id := range strings.Fields(ids) {
			body += fmt.Sprintf("p%d,%s,%c,x,%d\n", i/2, id, 'a'+i, i)
		}
		path := broughtFile(t, "a.csv", body, nil)
		if _, err := ReadScores(path, ForeignOptions{}); (err == nil) != (want != "") {
			t.Errorf("%s: %v", ids, err)
			continue
		}
		if want == "" {
			continue
		}
		if got := readScoresOf(t, path); got != want {
			t.Errorf("%s: %s, want %s", ids, got, want)
		}
	}
}

// TestFurtherToolsTables: tables of Haystack, LangSmith and Vertex AI are read by an import as what they are.
func TestFurtherToolsTables(t *testing.T) {
	t.Parallel()
	for tool, c := range map[string]struct{ body, tool, want string }{
		"Haystack": {"questions,contexts,predicted_answers,ground_truth_answers,sas_evaluator\na,['p'],x,y,0.5\n", ToolTable,
			"|a|x|y|1 table.sas_evaluator=0.5"},
		"LangSmith": {"id,inputs,outputs,reference,correctness,latency\nr0,\"{\"\"question\"\": \"\"a\"\"}\",\"{\"\"answer\"\": \"\"x\"\"}\"," +
			"\"{\"\"answer\"\": \"\"y\"\"}\",1,1.5\n", ToolLangSmith, "|a|x|y|0 langsmith.correctness=1"},
		"Vertex AI": {",prompt,reference,response,coherence/explanation,coherence/score\n0,a,y,x,fine,5\n", ToolTable,
			"|a|x|y|0 table.coherence_score=5"},
	} {
		path := broughtFile(t, "a.csv", c.body, nil)
		got, notes := readItems(t, path)
		f, _ := ReadForeign(path, ForeignOptions{})
		if got != c.want || f.Tool != c.tool {
			t.Errorf("%s: %s of %s, want %s\n%s", tool, got, f.Tool, c.want, notes)
		}
	}
}

// TestQuestionsInResultsAreShownTheWay: a file of results that holds no list of questions says what takes it over.
func TestQuestionsInResultsAreShownTheWay(t *testing.T) {
	t.Parallel()
	for file, body := range map[string]string{
		"a.jsonl": `{"automatedEvaluationResult": {"scores": [{"metricName": "Accuracy", "result": 1}]}, "inputRecord": {"prompt": "a"},` +
			` "modelResponses": [{"response": "x"}]}`,
		"a.json": `{"q1": {"question": "a", "answer": "x", "score": 1}, "q2": {"question": "b", "answer": "y", "score": 0}}`,
		"b.json": `{"model": {"temperature": 0}, "judge": {"temperature": 1}}`,
	} {
		path := broughtFile(t, file, body, nil)
		_, _, err := intake.ReadDataset(path, "a", nil, intake.ReadOptions{})
		p := problem.From(AsResults(path, err))
		if err == nil || strings.Contains(p.Hint, "workbench import-results "+file) != (file != "b.json") {
			t.Errorf("%s: %v, %s", file, err, p.Hint)
		}
		if strings.Contains(p.In("ja").Hint, "データセットと一緒に") != (file != "b.json") {
			t.Errorf("%s: %s", file, p.In("ja").Hint)
		}
	}
}

// TestStatisticsBelowAreNoQuestions: the highest, the lowest and how far scores spread stand below a sheet and ask nothing.
func TestStatisticsBelowAreNoQuestions(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range [][]any{{"ID", "質問", "スコア"}, {"Q1", "始業は？", 5}, {"Q2", "日当は？", 2}, {}, {"", "平均", 3.5}, {"", "中央値", 3.5},
		{"", "最高", 5}, {"", "最低点", 2}, {"", "標準偏差", 1.5}} {
		at := fmt.Sprintf("A%d", i+1)
		if err := f.SetSheetRow("Sheet1", at, &row); err != nil {
			t.Fatal(err)
		}
	}
	if got := readScoresOf(t, saved(t, f)); got != "Q1 スコア=5; Q2 スコア=2" {
		t.Error(got)
	}
}
