package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// twoSystems is a table in which each question stands once for each of two names in a column, in two orders.
func twoSystems(column, first, second string, blocks bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s,question,answer,correctness\n", column)
	row := func(name string, i int, score string) {
		fmt.Fprintf(&b, "%s,What is rule %d about?,It is about %d.,%s\n", name, i, i, score)
	}
	for i := range 6 {
		row(first, i, "0.9")
		if !blocks {
			row(second, i, "0.2")
		}
	}
	for i := range 6 {
		if blocks {
			row(second, i, "0.2")
		}
	}
	return b.String()
}

func writeTable(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Rows of two systems are no votes of one, at no door: whose rows are read is asked, and --variant or --map answers.
func TestRowsOfTwoSystemsAreNoVotes(t *testing.T) {
	for _, names := range [][3]string{
		{"System", "baseline", "rerank"}, {"app_id", "bm25-v1", "dense-v2"}, {"Run", "2026-04-02", "2026-05-02"},
		{"run_name", "run_a", "run_b"}, {"バージョン", "旧版", "新版"}, {"Modell", "Modell A", "Modell B"}, {"top_k", "3", "10"},
		{"模型", "甲", "乙"}, {"model version", "1", "2"},
	} {
		for _, blocks := range []bool{true, false} {
			path := writeTable(t, "two.csv", twoSystems(names[0], names[1], names[2], blocks))
			_, err := ReadForeign(path, ForeignOptions{})
			_, compared := ReadScores(path, ForeignOptions{})
			for door, err := range map[string]error{"import": err, "comparison": compared} {
				if p := problem.From(err); err == nil || p.Code != "results_variants" || !strings.Contains(p.Message, names[1]) {
					t.Errorf("%s of %v: %v", door, names, err)
				}
			}
			table, err := ReadScores(path, ForeignOptions{Variant: names[2]})
			if err != nil || table.Repeated || len(table.Items) != 6 || table.Items[0].Scores[0][0] != 0.2 || len(table.Metrics) != 1 {
				t.Errorf("%v, chosen: %+v %v", names, table, err)
			}
			results, err := ReadForeign(path, ForeignOptions{Variant: names[2]})
			if err != nil || len(results.Items) != 6 || *results.Items[0].Scores[0].Value != 0.2 || len(results.Metrics) != 1 {
				t.Errorf("%v, imported: %+v %v", names, results, err)
			}
			table, err = ReadScores(path, ForeignOptions{Columns: map[string]string{names[0]: "ignore"}})
			if err != nil || !table.Repeated || len(table.Items[0].Scores[0]) != 2 {
				t.Errorf("%v, ignored: %+v %v", names, table, err)
			}
		}
	}
}

// A column that is called as a system and holds its answers names none: its texts do not come again.
func TestAnswersOfAModelAreNoNames(t *testing.T) {
	body := "question,Model,correctness\n"
	for i := range 6 {
		body += fmt.Sprintf("What is rule %d about?,It is about %d.,0.5\n", i%3, i)
	}
	if table, err := ReadScores(writeTable(t, "a.csv", body), ForeignOptions{}); err != nil || !table.Repeated || len(table.Items) != 3 {
		t.Errorf("%+v %v", table, err)
	}
}

// What counts repetitions, or says the same of all rows of a question, tells no systems apart.
func TestRepetitionsAreVotes(t *testing.T) {
	for _, names := range [][3]string{{"run", "1", "2"}, {"Run", "run 1", "run 2"}, {"実行", "1回目", "2回目"}, {"seed", "7", "8"},
		{"rater", "Ann", "Bob"}, {"model", "bot", "bot"}} {
		table, err := ReadScores(writeTable(t, "votes.csv", twoSystems(names[0], names[1], names[2], true)), ForeignOptions{})
		if err != nil || !table.Repeated || len(table.Items) != 6 || len(table.Items[0].Scores[0]) != 2 {
			t.Errorf("%v: %+v %v", names, table, err)
		}
	}
}

// A sheet that names a system in the first of its rows alone names it for those below.
func TestASystemIsNamedOnceForItsBlock(t *testing.T) {
	content := strings.ReplaceAll(strings.ReplaceAll(twoSystems("System", "old", "new", true), "old,What is rule", ",What is rule"),
		"new,What is rule", ",What is rule")
	content = strings.Replace(content, ",What is rule 0", "old,What is rule 0", 1)
	at := strings.LastIndex(content, ",What is rule 0")
	content = content[:at] + "new" + content[at:]
	_, err := ReadScores(writeTable(t, "blocks.csv", content), ForeignOptions{})
	if err == nil || problem.From(err).Code != "results_variants" {
		t.Errorf("two blocks are votes of one: %v", err)
	}
	table, err := ReadScores(writeTable(t, "blocks.csv", content), ForeignOptions{Variant: "ne"})
	if err != nil || len(table.Items) != 6 || table.Items[5].Scores[0][0] != 0.2 {
		t.Errorf("the second block: %+v %v", table, err)
	}
}
