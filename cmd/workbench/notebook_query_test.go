package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// TestNotebookQueries asks a notebook in SQL before and after it was run, and holds the rows of the command line against those of the
// cell and of the written file.
func TestNotebookQueries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("corpus", "import", b.path("docs"), "--name", "faq")
	file := b.path("n.rag.md")
	const statement = "SELECT question, correctness AS c FROM results ORDER BY c, question"
	text := "---\nragnb: 1\ntitle: Mine\n---\n\n```rag corpus docs\nsource: faq\n```\n```rag dataset qa\nsource: questions.csv\ncorpus: docs\n```\n" +
		"```rag config base\ncorpus: docs\n```\n```rag run r\nconfigs: base\ndataset: qa\n```\n```rag query rows\nsql: " + statement + "\n```\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.run("notebook", "query", file, statement); o.code != program.ExitUsage || !strings.Contains(o.stderr, "r has no result yet") {
		t.Errorf("a query before the run: %+v", o)
	}
	if o := b.must("notebook", "tables", file); !strings.Contains(o.stdout, "results: no result yet\n    run, question, votes INTEGER,") {
		t.Errorf("tables before the run:\n%s", o.stdout)
	}
	o := b.must("notebook", "run", file, "--json")
	var ran struct {
		Cells []struct {
			Name  string
			Value struct{ Rows [][]any }
		}
	}
	if err := json.Unmarshal([]byte(o.stdout), &ran); err != nil {
		t.Fatal(err)
	}
	want := ran.Cells[len(ran.Cells)-1].Value.Rows
	var got struct {
		Rows      [][]any
		Truncated bool
	}
	asked := b.must("notebook", "query", file, statement, "--json")
	if err := json.Unmarshal([]byte(asked.stdout), &got); err != nil || len(want) == 0 || len(got.Rows) != len(want) {
		t.Fatalf("%v: %d rows of the cell's %d", err, len(got.Rows), len(want))
	}
	for i := range want {
		if got.Rows[i][0] != want[i][0] || got.Rows[i][1] != want[i][1] {
			t.Errorf("row %d is %v, that of the cell %v", i, got.Rows[i], want[i])
		}
	}
	b.must("notebook", "query", file, statement, "-o", b.path("rows.jsonl"))
	written, err := os.ReadFile(b.path("rows.jsonl"))
	if err != nil || strings.Count(string(written), "\n") != len(want) {
		t.Errorf("%v:\n%s", err, written)
	}
	b.stdin = "SELECT count(*) AS n\nFROM results"
	if o := b.must("notebook", "query", file, "-"); !strings.HasPrefix(o.stdout, "n\n") {
		t.Errorf("a statement from standard input:\n%s", o.stdout)
	}
	if o := b.must("notebook", "query", file, statement, "--rows", "1"); !strings.Contains(o.stderr, "more rows than 1") {
		t.Errorf("a limit: %+v", o)
	}
	for what, args := range map[string][]string{
		"line 1, column 8: there is no column": {"SELECT corectness FROM results"}, "there is no table": {"SELECT 1 FROM nowhere"},
		"begins with SELECT": {"DELETE FROM results"}, "use one of: csv, jsonl, xlsx": {"SELECT 1", "-o", "rows.pdf"},
		"it must be 1 to": {"SELECT 1", "--rows", "0"},
	} {
		if o := b.run(append([]string{"notebook", "query", file}, args...)...); o.code != program.ExitUsage ||
			!strings.Contains(o.stderr, what) {
			t.Errorf("%q: %+v", args, o)
		}
	}
	if o := b.must("notebook", "tables", file); !strings.Contains(o.stdout, "questions: 6 rows") {
		t.Errorf("tables after the run:\n%s", o.stdout)
	}
}
