package foreign

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Columns of the same name below the names of two systems are told apart by these, so that nobody's answer is taken for the other's.
func TestColumnsBelowTheNamesOfTwoSystems(t *testing.T) {
	body := ",,Bot A,,Bot B,\nid,question,answer,score,answer,score\nq1,Why?,So.,1,Thus.,5\nq2,Who?,Me.,2,You.,4\nq3,How?,Well.,3,Ill.,3\n"
	_, err := ReadForeign(writeTable(t, "a.csv", body), ForeignOptions{})
	if p := problem.From(err); err == nil || p.Code != "answers_unclear" || !strings.Contains(p.Message, "Bot A answer, Bot B answer") {
		t.Errorf("imported: %v", err)
	}
	table, err := ReadScores(writeTable(t, "a.csv", body), ForeignOptions{})
	if err != nil || !slices.Equal(table.Metrics, []string{"Bot A score", "Bot B score"}) || table.Items[0].Scores[1][0] != 5 {
		t.Errorf("compared: %+v %v", table, err)
	}
	title := "Scores of May,,,\nid,score,score\nq1,1,5\nq2,2,4\n"
	table, err = ReadScores(writeTable(t, "b.csv", title), ForeignOptions{VoteColumns: VotesApart})
	if err != nil || slices.ContainsFunc(table.Metrics, func(m string) bool { return strings.Contains(m, "May") }) {
		t.Errorf("a title names no group: %+v %v", table, err)
	}
}

// Questions side by side above answers and scores are no questions of which the answers are scores.
func TestATableOnItsSideIsSaid(t *testing.T) {
	body := "Question,Why is it?,Who is it?,How is it?\nBot answer,So.,Me.,Well.\nScore,1,2,3\n"
	for door, err := range map[string]error{
		"import":     second(ReadForeign(writeTable(t, "a.csv", body), ForeignOptions{})),
		"comparison": second(ReadScores(writeTable(t, "a.csv", body), ForeignOptions{})),
	} {
		if err == nil || problem.From(err).Code != "scores_turned" {
			t.Errorf("%s: %v", door, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// One score in each row is read under more names, and figures below a table under more, too.
func TestLongTablesAndFiguresUnderOtherNames(t *testing.T) {
	table, err := ReadScores(writeTable(t, "a.csv", "query_id,evaluator,result\nq1,faithfulness,0.5\nq1,relevance,0.25\nq2,faithfulness,1\n"+
		"q2,relevance,0.75\n"), ForeignOptions{})
	if err != nil || !slices.Equal(table.Metrics, []string{"faithfulness", "relevance"}) || table.Repeated {
		t.Errorf("%+v %v", table, err)
	}
	for _, name := range []string{"Std. dev.", "Std.", "SD", "Standard deviation", "Écart-type", "Stdev", "Std Dev"} {
		body := "id,question,answer,faithfulness\nq1,Why?,So.,0.5\nq2,Who?,Me.,1\n" + name + ",,,0.2\n"
		if f, err := ReadForeign(writeTable(t, "b.csv", body), ForeignOptions{}); err != nil || len(f.Items) != 2 {
			t.Errorf("%s: %+v %v", name, f, err)
		}
	}
}

// Rows of Weave keep the question in the example, the contexts beside the answer, and what only passed or failed under no score.
func TestRowsOfWeave(t *testing.T) {
	row := `{"example":{"question":"Why?","ground_truth":"So."},"output":{"answer":"Thus.","context":["It is so."]},` +
		`"scores":{"correctness":{"score":0.5,"reason":"r"},"is_concise":{"passed":true}},"model_latency":1.2}` + "\n"
	for _, name := range []string{"a.jsonl", "a.json"} { // JSON Lines under either name
		path := writeTable(t, name, row+strings.Replace(row, "Why", "Who", 1))
		f, err := ReadForeign(path, ForeignOptions{Higher: []string{"is_concise"}})
		if err != nil || len(f.Items) != 2 || len(f.Metrics) != 2 {
			t.Fatalf("%s: %+v %v", name, f, err)
		}
		item := f.Items[0]
		if item.Question != "Why?" || item.Reference != "So." || *item.Answer != "Thus." || len(item.Contexts) != 1 ||
			*item.Scores[1].Value != 1 {
			t.Errorf("%s: %+v", name, item)
		}
	}
}

// Questions that stand inside results are sent to the verb that reads them, also where it asks which way a score goes.
func TestResultsAreNamedAsResults(t *testing.T) {
	row := `{"datasource_item":{"question":"Why?","ground_truth":"So."},"results":[{"name":"tone","score":1}],` +
		`"sample":{"input":[{"role":"user","content":"Why?"}],"output":[{"role":"assistant","content":"Thus."}]}}` + "\n"
	path := writeTable(t, "a.jsonl", row)
	err := AsResults(path, problem.New(problem.Invalid, "dataset_column_missing", "no questions"))
	if p := problem.From(err); !strings.Contains(p.Hint, "import-results") {
		t.Errorf("%+v", p)
	}
}
