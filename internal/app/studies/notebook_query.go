package studies

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

// tableRows collects the rows of the tables that a query reads.
type tableRows struct {
	wanted map[string]bool
	out    map[string][][]any
}

func (t *tableRows) add(table string, row ...any) {
	if t.wanted[table] {
		t.out[table] = append(t.out[table], row)
	}
}

// Tables implements [notebooks.Engine]. Rows stand in the order of the runs, of their questions and of the suite.
func (n *NotebookEngine) Tables(ctx context.Context, wanted map[string]bool, runs []notebooks.QueryRun,
	datasets []notebooks.Source) (map[string][][]any, error) {
	t := &tableRows{wanted, map[string][][]any{}}
	for _, m := range metrics.Catalogue() {
		t.add("metrics", m.ID, m.TitleEN, m.TitleJA, m.Min, m.Max, !m.LowerIsBetter)
	}
	if wanted["questions"] {
		had := map[string]bool{}
		for _, s := range datasets {
			if had[s.Ref] {
				continue
			}
			had[s.Ref] = true
			d, err := n.W.Store.Dataset(ctx, s.Ref)
			if err != nil {
				return nil, err
			}
			t.questions(d)
		}
	}
	seen := map[string]bool{}
	for _, q := range runs {
		if seen[q.ID] || !slices.ContainsFunc([]string{"runs", "settings", "answers", "contexts", "scores", "calls", "results"},
			func(name string) bool { return wanted[name] }) {
			continue
		}
		seen[q.ID] = true
		if err := n.runRows(ctx, t, q); err != nil {
			return nil, err
		}
	}
	return t.out, nil
}

func (t *tableRows) questions(d *experiments.Dataset) {
	for i, q := range d.Questions {
		theme, kind := "", ""
		for _, tag := range q.Tags {
			if name, ok := strings.CutPrefix(tag, "theme:"); ok && theme == "" {
				theme = name
			}
			if name, ok := strings.CutPrefix(tag, "type:"); ok && kind == "" {
				kind = name
			}
		}
		tags, err := json.Marshal(append([]string{}, q.Tags...))
		if err != nil {
			tags = []byte("[]") // texts are always JSON
		}
		t.add("questions", d.Name, q.ID, i+1, q.Text, q.Reference, orNil(theme), orNil(kind), string(tags), q.Critical)
	}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (n *NotebookEngine) runRows(ctx context.Context, t *tableRows, q notebooks.QueryRun) error {
	e, err := n.W.Evaluation(ctx, q.ID)
	if err != nil {
		return err
	}
	t.run(e, q)
	byQuestion := map[string][]experiments.Result{}
	for _, r := range e.Results {
		t.result(e.Run.ID, r)
		byQuestion[r.QuestionID] = append(byQuestion[r.QuestionID], r)
	}
	done := map[string]bool{}
	for _, r := range e.Results {
		if !done[r.QuestionID] && t.wanted["results"] {
			done[r.QuestionID] = true
			t.mean(e.Run, byQuestion[r.QuestionID])
		}
	}
	if !t.wanted["calls"] {
		return nil
	}
	calls, err := n.W.Store.Calls(ctx, e.Run.ID)
	for _, c := range calls {
		t.add("calls", e.Run.ID, c.QuestionID, c.Stage, c.Purpose, c.Provider, c.Model, c.PromptTokens, c.CompletionTokens, c.CostMicros)
	}
	return err
}

func (t *tableRows) run(e experiments.Evaluation, q notebooks.QueryRun) {
	run, c := e.Run, e.Run.Setup.Config
	votes := 0
	for _, r := range e.Results {
		votes = max(votes, r.Replicate+1)
	}
	questions := 0
	if run.Totals != nil {
		questions = run.Totals.Questions
	}
	config := q.Config
	if config == "" {
		config = cellRun(run, "").Label
	}
	t.add("runs", run.ID, orNil(q.Cell), config, run.Setup.Dataset.Name, string(run.State), votes, questions,
		run.CreatedAt.UTC().Format(time.RFC3339), c.Chunk.By, c.Chunk.Size, c.Chunk.Overlap, c.Embedding.Name, c.Retrieve.Mode,
		c.Retrieve.K, c.Rerank.Mode, c.Generate.Name, c.Generate.Temperature)
	if !t.wanted["settings"] {
		return
	}
	body, err := json.Marshal(c)
	var fields map[string]any
	if err != nil || json.Unmarshal(body, &fields) != nil {
		return // it was frozen as JSON
	}
	t.settings(run.ID, "", fields)
}

// settings are the leaves of a configuration, by their dotted names.
func (t *tableRows) settings(run, under string, fields map[string]any) {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch v := fields[name].(type) {
		case map[string]any:
			t.settings(run, under+name+".", v)
		case float64:
			t.add("settings", run, under+name, nil, v)
		case string:
			t.add("settings", run, under+name, v, nil)
		default:
			body, err := json.Marshal(v)
			if err == nil {
				t.add("settings", run, under+name, string(body), nil)
			}
		}
	}
}

func (t *tableRows) result(run string, r experiments.Result) {
	for _, s := range r.Scores {
		var value any
		if s.State == metrics.Scored {
			value = s.Value
		}
		t.add("scores", run, r.QuestionID, r.Replicate, s.Metric, value, string(s.State), orNil(s.Reason), s.Version)
	}
	switch {
	case r.Answer != nil:
		t.add("answers", run, r.QuestionID, r.Replicate, "answered", r.Answer.Text, nil, r.LatencyMS)
		for i, h := range r.Answer.Hits {
			t.add("contexts", run, r.QuestionID, r.Replicate, i+1, h.DocID, h.Start, h.End, h.Score, h.Text)
		}
	case r.Failure != nil:
		t.add("answers", run, r.QuestionID, r.Replicate, "failed", nil, r.Failure.Cause+": "+r.Failure.Message, r.LatencyMS)
	}
}

// mean is the row of one question: the mean over its votes of each metric that was scored.
func (t *tableRows) mean(run experiments.Run, votes []experiments.Result) {
	low := false
	for _, r := range votes {
		low = low || r.Replicate == 0 && r.Low(run.Setup.LowScore)
	}
	row := []any{run.ID, votes[0].QuestionID, len(votes), low}
	for _, m := range metrics.Catalogue() {
		sum, count := 0.0, 0
		for _, r := range votes {
			if v, ok := r.Value(m.ID); ok {
				sum, count = sum+v, count+1
			}
		}
		if count == 0 {
			row = append(row, nil)
		} else {
			row = append(row, sum/float64(count))
		}
	}
	t.add("results", row...)
}
