package document

import (
	"encoding/json"
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
		table("runs", "run", "cell", "config", "dataset", "state", "votes INTEGER", "questions INTEGER", "calls INTEGER",
			"cost_micros INTEGER", "currency", "created", "chunk_by", "chunk_size INTEGER", "chunk_overlap INTEGER", "embedding_model",
			"retrieve_mode", "k INTEGER", "rerank", "generator", "prompt_digest", "temperature REAL"),
		table("settings", "run", "name", "text", "number REAL"),
		table("answers", "run", "question", "vote INTEGER", "state", "text", "failure", "latency_ms INTEGER"),
		table("contexts", "run", "question", "vote INTEGER", "rank INTEGER", "document", "title", "start_at INTEGER", "end_at INTEGER",
			"score REAL", "relevant INTEGER", "text"),
		table("scores", "run", "question", "vote INTEGER", "metric", "value REAL", "state", "reason", "version"),
		table("metrics", "metric", "name_en", "name_ja", "low REAL", "high REAL", "higher_is_better INTEGER", "unit"),
		table("calls", "run", "question", "stage", "purpose", "provider", "model", "cached_tokens INTEGER", "prompt_tokens INTEGER",
			"completion_tokens INTEGER", "cost_micros INTEGER", "ms INTEGER"),
		table("reviews", "question", "run", "by", "verdict", "correctness INTEGER", "trust INTEGER", "cause", "text", "at"),
		table("notes", "run", "tag", "text"),
		table("results", results...),
	}
}

// OfNoRun are the tables that no run has to be there for.
var OfNoRun = map[string]bool{"questions": true, "metrics": true}

// Changing are the tables whose rows may change while their runs stay the same.
var Changing = []string{"calls", "reviews", "notes"}

// Quoting are the columns with texts of questions, answers, passages and judges, or of whatever may hold them.
var Quoting = map[string][]string{
	"questions": {"text", "reference"}, "answers": {"text", "failure"}, "contexts": {"text"}, "scores": {"reason"}, "settings": {"text"},
	"reviews": {"text"},
}

// Table is what a cell's value is as a table; ok is false for cells that are none.
func (c *Cell) Table() (t sqlbox.Table, ok bool) {
	switch c.Type {
	case "run":
		t = table(c.Name)
		for _, known := range QueryTables() {
			if known.Name == "runs" {
				t.Columns = append(t.Columns, known.Columns...)
			}
		}
		t.Columns = append(t.Columns, table("", "low_scores INTEGER", "coverage REAL").Columns...)
		for _, m := range metrics.Catalogue() {
			t.Columns = append(t.Columns, sqlbox.Column{Name: m.ID, Type: "REAL"})
		}
		return t, true
	case "compare", "apply":
		return table(c.Name, "question", "verdict", "metric", "before REAL", "after REAL", "diff REAL", "interval_low REAL",
			"interval_high REAL", "noise REAL", "reason"), true
	case "failures":
		return table(c.Name, "question", "correctness REAL", "trust REAL"), true
	case "cause":
		return table(c.Name, "question", "run", "cause", "method", "certainty", "confidence REAL", "tested INTEGER", "effect",
			"document"), true
	case "agreement":
		return table(c.Name, "theme", "metric", "target REAL", "measured REAL", "state", "met INTEGER"), true
	case "sweep":
		t = table(c.Name, "config INTEGER")
		for _, name := range c.axes() {
			t.Columns = append(t.Columns, sqlbox.Column{Name: name, Type: "ANY"})
		}
		return t, true
	case "query":
		if c.Plan == nil {
			return t, false
		}
		t.Name = c.Name
		for _, name := range c.Plan.Columns {
			t.Columns = append(t.Columns, sqlbox.Column{Name: name, Type: "ANY"})
		}
		return t, true
	}
	return t, false
}

// axes are the parameters that a sweep varies, in the order of its value.
func (c *Cell) axes() []string {
	axes, _ := c.Values["axes"].(map[string]any)
	out := SortedKeys(axes)
	for _, pair := range Mappings(c.Values["pairs"]) {
		out = append(out, SortedKeys(pair)...)
	}
	return out
}

// Rows are the combinations of a sweep, each with its number and the value of each axis.
func (s ConfigSet) Rows() [][]any {
	total := 1
	for _, a := range s.Axes {
		if a.With == "" {
			total *= len(a.Values)
		}
	}
	var out [][]any
	for number := range min(total, MostCombinations) {
		if s.LeavesOut(number) {
			continue
		}
		row, values := []any{number + 1}, s.combination(number)
		for _, a := range s.Axes {
			v := values[a.Name]
			switch v.(type) {
			case nil, string, float64, bool:
			default:
				body, err := json.Marshal(v)
				if v = string(body); err != nil {
					v = nil // it was decoded from YAML
				}
			}
			row = append(row, v)
		}
		out = append(out, row)
	}
	return out
}
