package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

func TestReadScores(t *testing.T) {
	t.Parallel()
	want := &ScoreTable{
		Metrics: []string{"faithfulness", "passed"}, Text: []string{"question"}, Repeated: true, ByID: true,
		Told: []text.Said{{EN: "columns read besides the scores: question, critical, tags", JA: "スコアのほかに読み取った列：" +
			"question（質問）、critical（重要かどうか）、tags（タグ）"}},
		Items: []ScoredItem{
			{ID: "q1", Row: 2, Critical: true, Tags: []string{"a", "b"}, Scores: [][]float64{{0.5, 1}, {1, 0}}, Votes: 2,
				Question: "what?", Texts: ItemTexts{Question: "What?"}},
			{ID: "質問 2", Row: 4, Scores: [][]float64{nil, {0}}, Votes: 1, Question: "how?", Texts: ItemTexts{Question: "How?"},
				Lacks: map[int]Lack{0: {Row: 4}}},
		},
	}
	cases := map[string]string{
		"scores.csv": "id,replicate,question,faithfulness,passed,critical,tags\n" +
			"q1,2,What?,1.0,False,yes,a;b\nq1,1,What?,.5,true,yes,\n質問 2,1,How?,NaN,0,,\n",
		"scores.tsv": "ID\tReplicate\tquestion\tfaithfulness\tpassed\tcritical\ttags\n" +
			"q1\t2\tWhat?\t1e0\t0\tyes\ta,b\nq1\t1\tWhat?\t0.5\tTRUE\tyes\t\n質問 2\t1\tHow?\t\t0\t\t\n",
		"scores.jsonl": `{"id":"q1","replicate":2,"question":"What?","faithfulness":1,"passed":false,"critical":true,"tags":["a","b"]}` +
			"\n" +
			`{"id":"q1","replicate":1,"question":"What?","faithfulness":0.5,"passed":true,"critical":true}` + "\n" +
			`{"id":"質問 2","replicate":1,"question":"How?","faithfulness":NaN,"passed":false}` + "\n",
	}
	for name, content := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := ReadScores(path, ForeignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if name == "scores.jsonl" { // lines, without a header
				for i := range got.Items {
					got.Items[i].Row++
				}
			}
			if got.Unit != "line" {
				t.Errorf("its rows are called %q", got.Unit)
			}
			got.File, got.Unit, got.Notes = "", "", nil
			got.Items[1].Lacks = map[int]Lack{0: {Row: got.Items[1].Row}} // which may say NaN
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadScoresOfWorkbook(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	for i, row := range [][]any{{"id", "score"}, {"q1", 0.25}, {"q2", 1}} {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "scores.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadScores(path, ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Items) != 2 || got.Items[0].Scores[0][0] != 0.25 || got.Items[1].Row != 3 || got.Repeated {
		t.Errorf("%+v", got)
	}
}

// TestReadScoresKnowsMetrics tells columns of scores from columns of text.
func TestReadScoresKnowsMetrics(t *testing.T) {
	t.Parallel()
	got, err := readScores([]byte(",id,answer,run,mine,faithfulness,faithfulness_reason,empty\n0,q1,42,1,3,0.5,1,\n1,q2,7,2,4,,2,\n"),
		"scores.csv", ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"mine", "faithfulness"}, got.Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"column 1", "answer", "run", "faithfulness_reason", "empty"}, got.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestReadScoresNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, file, content, code, words string }{
		{"no rows at all", "a.csv", "", "scores_empty", "a.csv is empty"},
		{"only names", "a.csv", "id,score\n", "scores_empty", "a.csv holds no scores"},
		{"no id", "a.csv", "name,score\nq1,1\n", "scores_column_missing", "a.csv has neither ids nor questions; its columns are: name, score"},
		{"no metric", "a.csv", "id,answer\nq1,yes\n", "scores_no_metric", "no column of numbers"},
		{"a word", "a.csv", "id,score\nq1,0.5\nq2,high\n", "scores_rows", `a.csv line 3 (q2), score: "high" is no number`},
		{"a word in a known metric", "a.csv", "id,trust\nq1,high\nq2,low\n", "scores_rows", `line 2 (q1), trust: "high" is no number`},
		{"a comma beside a point", "a.csv", "id;score\nq1;0,5\nq2;0.1\n", "scores_rows", `"0,5" is no number`},
		{"infinite", "a.csv", "id,score\nq1,inf\nq2,1\n", "scores_rows", `"inf" is no number`},
		{"an empty id", "a.csv", "id,score\n ,1\n", "scores_rows", "a.csv line 2, id: the id is empty"},
		{"an empty question", "a.csv", "question,score\n ,1\n", "scores_rows", "a.csv line 2, question: the question is empty"},
		{"two questions with one id", "a.csv", "id,質問,score\nq1,A?,1\nq1,B?,0\n", "scores_rows",
			"line 3 (q1), 質問: the id names another question in line 2"},
		{"replicate twice", "a.csv", "id,replicate,score\nq1,1,1\nq1,1,0\n", "scores_rows",
			"line 3 (q1), replicate: the same with replicate 1 stands in line 2 too"},
		{"replicate is a word", "a.csv", "id,replicate,score\nq1,first,1\n", "scores_rows", `"first" is no whole number`},
		{"replicate is empty", "a.csv", "id,replicate,score\nq1,,1\n", "scores_rows", "an empty cell is no whole number"},
		{"ragged", "a.csv", "id,score\nq1,1,2\n", "scores_rows", "has 3 fields, the header has 2"},
		{"a list", "a.jsonl", `{"id":"q1","score":1}` + "\n" + `{"id":"q2","score":[1]}`, "scores_rows",
			"a.jsonl line 2 (q2), score: a list is no number"},
		{"not JSON", "a.jsonl", "q1", "scores_rows", "a.jsonl line 1"},
		{"not CSV", "a.pdf", "x", "scores_file_kind", "a.pdf"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := readScores([]byte(c.content), c.file, ForeignOptions{})
			p := problem.From(err)
			if p == nil || p.Kind != problem.Invalid || p.Code != c.code || !strings.Contains(p.Message, c.words) || p.Hint == "" ||
				strings.Contains(p.Hint, "question per row") {
				t.Errorf("got %+v\nwant %s: %s", p, c.code, c.words)
			}
			evaltest.InJapanese(t, err)
		})
	}
	if _, err := ReadScores("there is none.csv", ForeignOptions{}); problem.From(err).Kind == problem.Internal {
		t.Errorf("a missing file: %v", err)
	}
}

// TestTablesWithoutIDs: rows of one's own without an id are the questions that they ask, however these are spaced, wide or capital; rows
// that ask the same are votes, and are named.
func TestTablesWithoutIDs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, body string
		o          ForeignOptions
	}{
		"question": {"a.csv", "question,score\nHow long?,1\nPets?,0.5\n how  LONG？,0\n", ForeignOptions{}},
		"質問":       {"a.csv", "質問,score\nHow long?,1\nPets?,0.5\nＨow long?,0\n", ForeignOptions{}},
		"Frage":    {"a.tsv", "Frage\tscore\nHow long?\t1\nPets?\t0.5\nHow long?\t0\n", ForeignOptions{}},
		"user_input": {"a.jsonl", "{\"user_input\":\"How long?\",\"score\":1}\n{\"user_input\":\"Pets?\",\"score\":0.5}\n" +
			"{\"user_input\":\"How long?\",\"score\":0}", ForeignOptions{}},
		"a name told":  {"a.csv", "what,score\nHow long?,1\nPets?,0.5\nHow long?,0\n", ForeignOptions{Columns: map[string]string{"what": "question"}}},
		"ids repeated": {"a.csv", "id,score\nHow long?,1\nPets?,0.5\nHow long?,0\n", ForeignOptions{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, []byte(c.body), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := ReadScores(path, c.o)
			if err != nil {
				t.Fatal(err)
			}
			first := 2
			if strings.HasSuffix(c.file, ".jsonl") {
				first = 1
			}
			want := [][][]float64{{{1, 0}}, {{0.5}}}
			if d := cmp.Diff(want, [][][]float64{got.Items[0].Scores, got.Items[1].Scores}); d != "" || got.Items[0].ID != "How long?" {
				t.Errorf("%s %+v", d, got.Items)
			}
			if d := cmp.Diff([]int{0}, got.Doubled); d != "" || !cmp.Equal(got.Items[0].Rows, []int{first, first + 2}) || !got.Repeated {
				t.Errorf("%s %v", d, got.Items[0].Rows)
			}
		})
	}
}
