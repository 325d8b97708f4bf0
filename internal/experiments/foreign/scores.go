package foreign

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/text"
)

// Scores are the results as a table of scores: a question is known by the tool's id where every row has one, else by its wording, so that
// two exports find each other. Rows that ask the same are votes.
func (f *Foreign) Scores() *ScoreTable {
	t := &ScoreTable{File: f.File, Tool: f.Tool, Notes: f.Notes, Unread: f.Unread, Operation: f.Operation,
		Forms: f.Forms, Lower: map[string]bool{}}
	place := map[string]int{}
	for i, m := range f.Metrics {
		t.Metrics = append(t.Metrics, m.ID)
		place[m.ID] = i
		t.Lower[m.ID] = m.Lower
	}
	named := f.named()
	at := map[string]int{}
	for _, item := range f.Items {
		id := named(item)
		i, known := at[id]
		if !known {
			i = len(t.Items)
			at[id] = i
			t.Items = append(t.Items, ScoredItem{ID: id, Row: item.Row, Scores: make([][]float64, len(f.Metrics)), Answer: answerOf(item)})
		}
		scored := &t.Items[i]
		if scored.Answer != answerOf(item) {
			scored.Answer = ""
		}
		scored.Votes++
		t.Repeated = t.Repeated || scored.Votes > 1
		for _, s := range item.Scores {
			if s.Value != nil {
				m := place[s.Metric]
				scored.Scores[m] = append(scored.Scores[m], *s.Value)
			}
		}
	}
	return t
}

// answerOf is one text for an answer with its passages and its right answer, but for white space; "" without an answer.
func answerOf(item ForeignItem) string {
	if item.Answer == nil {
		return ""
	}
	parts := []string{*item.Answer, item.Reference}
	for _, c := range item.Contexts {
		parts = append(parts, c.Text)
	}
	for i, s := range parts {
		parts[i] = strings.Join(strings.Fields(s), " ")
	}
	return strings.Join(parts, "\x00")
}

// named tells how items are called: by the tool's ids, by what was asked, or by that and the right answer where two questions differ
// in nothing else.
func (f *Foreign) named() func(ForeignItem) string {
	ids, references := 0, map[string]map[string]bool{}
	asks := func(item ForeignItem) string { return text.Fold(item.Question) }
	for _, item := range f.Items {
		if item.ID != "" {
			ids++
		}
		if references[asks(item)] == nil {
			references[asks(item)] = map[string]bool{}
		}
		references[asks(item)][item.Reference] = true
	}
	if ids == len(f.Items) {
		return func(item ForeignItem) string { return item.ID }
	}
	return func(item ForeignItem) string {
		id := strings.Join(strings.Fields(item.Question), " ")
		if len(references[asks(item)]) > 1 {
			id += " (" + strings.Join(strings.Fields(item.Reference), " ") + ")"
		}
		return id
	}
}

// ownScores reports whether a file is a table of scores by itself rather than what a tool exported: it has a column of ids, and no tool's
// own marks.
func ownScores(tool string, columns []string) bool {
	if tool == "" {
		return true
	}
	if tool != ToolRagas { // the names of Ragas are everybody's
		return false
	}
	for _, c := range columns {
		if key := intake.ColumnKey(c); key == "id" || key == "question_id" {
			return true
		}
	}
	return false
}

// Partial reports whether a tool gives a score to few answers only, so that one without it lacks nothing. In a table of somebody's own an
// empty cell is always a score that is missing.
func (t *ScoreTable) Partial(metric int) bool {
	given := 0
	for _, item := range t.Items {
		if len(item.Scores[metric]) > 0 {
			given++
		}
	}
	return t.Tool != "" && 2*given < len(t.Items)
}

// Column is the metric of the table that a person means: by its whole name, or by a tool's name for it.
func (t *ScoreTable) Column(name string) (string, bool) {
	for _, m := range t.Metrics {
		if m == name || t.Tool != "" && m == t.Tool+"."+metricKey(name) {
			return m, true
		}
	}
	return "", false
}
