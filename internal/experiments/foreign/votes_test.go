package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestRowsThatAskTheSameAreVotes: repetitions in a file of any form are votes of their question, in an import as in a comparison of two
// files, whether the question is known by an id or by its wording alone.
func TestRowsThatAskTheSameAreVotes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, body string }{
		"Ragas": {"a.csv", "user_input,response,faithfulness\nHow long?,Ten days.,1\nPets?,No.,0.5\n How  long?,Nine days.,0\n"},
		"Ragas with ids": {"a.csv",
			"id,user_input,response,faithfulness\n7,How long?,Ten days.,1\n8,Pets?,No.,0.5\n7,How long?,Nine days.,0\n"},
		"ids that tell no questions": {"a.csv",
			"id,user_input,response,faithfulness\n7,How long?,Ten days.,1\n7,Pets?,No.,0.5\n8,How long?,Nine days.,0\n"},
		"LangSmith": {"a.csv", "example_id,inputs.question,outputs.answer,reference_outputs.answer,feedback.faithfulness\n" +
			"7,How long?,Ten days.,10,1\n8,Pets?,No.,No,0.5\n7,How long?,Nine days.,10,0\n"},
		"Phoenix": {"a.csv",
			"example_id,repetition_number,input,reference_output,output,annotation_faithfulness_score\n" +
				"7,1,How long?,10,Ten days.,1\n8,1,Pets?,No,No.,0.5\n7,2,How long?,10,Nine days.,0\n"},
		"DeepEval": {"a.json", `{"testCases":[` + deepEvalCase("How long?", "Ten days.", "1") + "," +
			deepEvalCase("Pets?", "No.", "0.5") + "," + deepEvalCase("How long?", "Nine days.", "0") + `]}`},
		"MLflow": {"a.json", `[{"trace_id":"1","request":"How long?","response":"Ten days.","faithfulness/value":1},` +
			`{"trace_id":"2","request":"Pets?","response":"No.","faithfulness/value":0.5},` +
			`{"trace_id":"3","request":"How long?","response":"Nine days.","faithfulness/value":0}]`},
		"Langfuse": {"a.json", "[" + langfuseRow(7, "How long?", "Ten days.", "1") + "," + langfuseRow(8, "Pets?", "No.", "0.5") + "," +
			langfuseRow(7, "How long?", "Nine days.", "0") + "]"},
		"promptfoo": {"a.json", `{"results":{"results":[` + promptfooRow("How long?", "Ten days.", "1") + "," +
			promptfooRow("Pets?", "No.", "0.5") + "," + promptfooRow("How long?", "Nine days.", "0") + `]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, []byte(c.body), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := ReadForeign(path, ForeignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			questions := f.Questions()
			log, missing, err := f.Log("a", experiments.NewDataset("a", questions))
			if err != nil || len(questions) != 2 || len(missing) > 0 || len(log.Answers) != 2 || len(log.Answers[0].Votes) != 1 {
				t.Fatalf("%d questions, %+v, missing %v, %v", len(questions), log, missing, err)
			}
			long := log.Answers[0]
			v := long.Vote(1)
			if long.Answer != "Ten days." || v.Answer != "Nine days." || *v.Scores[0].Value != 0 || *long.Scores[0].Value != 1 {
				t.Errorf("%+v", long)
			}
			if v := long.Vote(2); v.Answer != "Ten days." || v.Scores[0].Value != nil {
				t.Errorf("a vote that the file does not hold has a score: %+v", v)
			}
			notes := strings.Join(f.Notes, "\n")
			want := fmt.Sprintf("1 question is asked in several %[1]ss, up to 2; each of these 2 %[1]ss is a vote of its question\n%[2]s", f.Unit, OfVotes)
			if !strings.Contains(notes, want) {
				t.Errorf("nobody is told: %s", notes)
			}
			table, err := ReadScores(path, ForeignOptions{From: f.Tool})
			if err != nil {
				t.Fatal(err)
			}
			at := len(table.Metrics) - 1
			for m, id := range table.Metrics {
				if strings.HasSuffix(id, "faithfulness") || strings.HasSuffix(id, ".score") {
					at = m
				}
			}
			got := [][]float64{table.Items[0].Scores[at], table.Items[1].Scores[at]}
			if d := cmp.Diff([][]float64{{1, 0}, {0.5}}, got); d != "" || !table.Repeated {
				t.Errorf("as a file: %s", d)
			}
		})
	}
}

func deepEvalCase(question, answer, score string) string {
	return fmt.Sprintf(`{"name":"c","input":%q,"actualOutput":%q,"success":true,"metricsData":[{"name":"Faithfulness","score":%s,"threshold":0.5,`+
		`"success":true}]}`, question, answer, score)
}

func langfuseRow(id int, question, answer, score string) string {
	return fmt.Sprintf(`{"datasetItemId":"%d","traceId":%q,"input":%q,"output":%q,"scores":[{"name":"faithfulness","value":%s}]}`, id, answer,
		question, answer, score)
}

func promptfooRow(question, answer, score string) string {
	return fmt.Sprintf(`{"promptIdx":0,"vars":{"question":%q},"provider":"p","prompt":{"label":"x"},"response":{"output":%q},"success":true,`+
		`"score":%s}`, question, answer, score)
}

// TestVotesAreBounded: a column that asks the same in every row is refused, and one question under two ids is named.
func TestVotesAreBounded(t *testing.T) {
	t.Parallel()
	read := func(body string) (*Foreign, error) {
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return ReadForeign(path, ForeignOptions{})
	}
	const head = "id,user_input,response,faithfulness\n"
	_, err := read(head + strings.Repeat("q,You answer questions.,Yes.,1\n", MostVotes+5))
	if problem.CodeOf(err) != "results_rows" || strings.Count(err.Error(), "ask the same") != 1 {
		t.Errorf("%v", err)
	}
	if _, err := read(head + strings.Repeat("q,You answer questions.,Yes.,1\n", MostVotes)); err != nil {
		t.Error(err)
	}
	f, err := read(head + "1,How long?,Ten days.,1\n2,how long?,Nine days.,0\n")
	if err != nil || len(f.Questions()) != 2 || !strings.Contains(strings.Join(f.Notes, "\n"), "no further vote: 1 = 2") {
		t.Errorf("%+v, %v", f, err)
	}
}
