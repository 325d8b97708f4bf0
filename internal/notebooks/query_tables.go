package notebooks

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
)

// table makes a table of words such as "run", "k INTEGER": what has no type is TEXT.
func table(name string, columns ...string) sqlbox.Table {
	t := sqlbox.Table{Name: name}
	for _, c := range columns {
		words := strings.Fields(c + " TEXT")
		t.Columns = append(t.Columns, sqlbox.Column{Name: words[0], Type: words[1]})
	}
	return t
}

// QueryTables are the tables of every notebook, in the order in which their rows are given by [Engine].Tables.
func QueryTables() []sqlbox.Table {
	results := []string{"run", "question", "votes INTEGER", "low INTEGER"}
	for _, m := range metrics.Catalogue() {
		results = append(results, m.ID+" REAL")
	}
	return []sqlbox.Table{
		table("questions", "dataset", "question", "position INTEGER", "text", "reference", "theme", "type", "tags", "critical INTEGER"),
		table("runs", "run", "cell", "config", "dataset", "state", "votes INTEGER", "questions INTEGER", "created", "chunk_by",
			"chunk_size INTEGER", "chunk_overlap INTEGER", "embedding_model", "retrieve_mode", "k INTEGER", "rerank", "generator",
			"temperature REAL"),
		table("settings", "run", "name", "text", "number REAL"),
		table("answers", "run", "question", "vote INTEGER", "state", "text", "failure", "latency_ms INTEGER"),
		table("contexts", "run", "question", "vote INTEGER", "rank INTEGER", "document", "start_at INTEGER", "end_at INTEGER", "score REAL",
			"text"),
		table("scores", "run", "question", "vote INTEGER", "metric", "value REAL", "state", "reason", "version"),
		table("metrics", "metric", "name_en", "name_ja", "low REAL", "high REAL", "higher_is_better INTEGER"),
		table("calls", "run", "question", "stage", "purpose", "provider", "model", "prompt_tokens INTEGER", "completion_tokens INTEGER",
			"cost_micros INTEGER"),
		table("results", results...),
	}
}

// ofNoRun are the tables that no run has to be there for.
var ofNoRun = map[string]bool{"questions": true, "metrics": true}

// quoting are the columns with texts of questions, answers, passages and judges, or of whatever may hold them.
var quoting = map[string][]string{
	"questions": {"text", "reference"}, "answers": {"text", "failure"}, "contexts": {"text"}, "scores": {"reason"}, "settings": {"text"},
}

// cellTable is what a cell's value is as a table; ok is false for cells that are none.
func (c *Cell) cellTable() (t sqlbox.Table, ok bool) {
	switch c.Type {
	case "run":
		return table(c.Name, "run", "config", "questions INTEGER", "low_scores INTEGER", "coverage REAL", "votes INTEGER"), true
	case "compare", "apply":
		return table(c.Name, "question", "verdict"), true
	case "failures":
		return table(c.Name, "question", "correctness REAL", "trust REAL"), true
	case "agreement":
		return table(c.Name, "theme", "metric", "target REAL", "measured REAL", "state"), true
	case "query":
		if c.plan == nil {
			return t, false
		}
		t.Name = c.Name
		for _, name := range c.plan.Columns {
			t.Columns = append(t.Columns, sqlbox.Column{Name: name, Type: "ANY"})
		}
		return t, true
	}
	return t, false
}

// cellRows are the rows of a cell's value, with the columns of its table.
func (n *Notebook) cellRows(_ context.Context, value any) ([][]any, error) {
	var out [][]any
	switch x := value.(type) {
	case RunSet:
		for _, r := range x.Runs {
			out = append(out, []any{r.ID, r.Label, r.Questions, r.LowScores, r.Coverage, r.Votes})
		}
	case Comparison:
		for _, part := range []struct {
			verdict string
			list    []string
		}{
			{"worse", x.Worse.Questions}, {"mixed", x.Mixed.Questions}, {"needs_check", x.NeedsCheck.Questions},
			{"better", x.Better.Questions},
		} {
			for _, q := range part.list {
				out = append(out, []any{q, part.verdict})
			}
		}
	case Failures:
		for _, a := range x.Answers {
			out = append(out, []any{a.ID, orNull(a.Correctness), orNull(a.Trust)})
		}
	case Agreement:
		for _, t := range x.Targets {
			out = append(out, []any{t.Theme, t.Metric, t.Target, orNull(t.Measured), t.State})
		}
	case Rows:
		return x.Rows, nil
	}
	return out, nil
}

func orNull(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}
