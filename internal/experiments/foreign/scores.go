package foreign

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/text"
)

// Scores are the results as a table of scores: a question is known by the tool's id where every row has one, else by its wording, so that
// two exports find each other. Rows that ask the same are votes.
func (f *Foreign) Scores() *ScoreTable {
	t := &ScoreTable{File: f.File, Unit: f.Unit, Tool: f.Tool, Notes: f.Notes, Sheet: f.Sheet, Told: f.Told,
		Unread: f.Unread, Operation: f.Operation, Forms: f.Forms, Lower: map[string]bool{}}
	if f.Tool == ToolTable { // a table of somebody's own, whose metrics are called as its columns are
		t.Tool, t.Lower = "", nil
	}
	place := map[string]int{}
	for i, m := range f.Metrics {
		place[m.ID] = i
		name := m.ID
		if t.Tool == "" {
			name = m.Source
		} else {
			t.Lower[name] = m.Lower
		}
		if t.Metrics = append(t.Metrics, name); slices.Contains(f.folded, m.Source) {
			t.Folded = append(t.Folded, name)
		}
	}
	named := f.named()
	_, t.ByID = f.keys()
	at := map[string]int{}
	for k, item := range f.Items {
		id := named[k]
		i, known := at[id]
		if !known {
			i = len(t.Items)
			at[id] = i
			t.Items = append(t.Items, ScoredItem{ID: id, Row: item.Row, Scores: make([][]float64, len(f.Metrics)), Answer: f.answerOf(item),
				Question: text.Fold(item.Question), Reference: text.Fold(item.Reference), Texts: item.texts(),
				Tags: item.Tags})
		}
		scored := &t.Items[i]
		if scored.Answer != f.answerOf(item) {
			scored.Answer = ""
		}
		scored.Critical = scored.Critical || item.Critical
		scored.Votes++
		if !item.Again {
			scored.Rows = append(scored.Rows, item.Row)
		}
		if len(scored.Rows) == 2 && !item.Again && !f.scoresOnly {
			t.Doubled = append(t.Doubled, i)
		}
		t.Repeated = t.Repeated || scored.Votes > 1
		scored.Unanswered = item.Answer == nil && !f.scoresOnly && (scored.Votes == 1 || scored.Unanswered)
		for _, s := range item.Scores {
			m := place[s.Metric]
			if s.Value != nil {
				scored.Scores[m] = append(scored.Scores[m], *s.Value)
				continue
			}
			if !item.Again {
				scored.lacks(m, item.Row, strings.Join(strings.Fields(s.Reason), " "))
			}
		}
	}
	return t
}

// texts are what an item says beside its scores.
func (i ForeignItem) texts() ItemTexts {
	texts := ItemTexts{Question: i.Question, Reference: i.Reference, Contexts: textsIn(i.Contexts)}
	if i.Answer != nil {
		texts.Answer = *i.Answer
	}
	return texts
}

// answerOf is [answerOf] of an item, "" where the answer may as well be the right one.
func (f *Foreign) answerOf(item ForeignItem) string {
	if f.unsure {
		return ""
	}
	return answerOf(item)
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
		parts[i] = Wording(s)
	}
	return strings.Join(parts, "\x00")
}

// named are the ids of the items' questions for people: the tool's, or what was asked, with the right answer where two questions differ in
// nothing else.
func (f *Foreign) named() []string {
	keys, byID := f.keys()
	names, of := make([]string, len(keys)), map[askedKey]string{}
	references := map[string]map[string]bool{}
	for _, key := range keys {
		if references[key.question] == nil {
			references[key.question] = map[string]bool{}
		}
		references[key.question][key.reference] = true
	}
	for i, key := range keys {
		name, known := of[key]
		switch {
		case known:
		case byID:
			name = key.id
		case len(references[key.question]) > 1:
			name = Wording(f.Items[i].Question) + " (" + Wording(f.Items[i].Reference) + ")"
		default:
			name = Wording(f.Items[i].Question)
		}
		names[i], of[key] = name, name
	}
	return names
}

// Wording is a text with its words as they are and one blank between them.
func Wording(s string) string { return strings.Join(strings.Fields(s), " ") }

// ownScores reports whether a file is a table of scores by itself rather than what a tool exported: it has a column of ids, and no tool's
// own marks.
func ownScores(tool string, columns []string) bool {
	if tool == "" {
		return true
	}
	if tool != ToolRagas && tool != ToolTable {
		return false
	}
	named, _ := intake.IDColumns(columns)
	return len(named) > 0
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

// Column is the metric of the table that a person means.
func (t *ScoreTable) Column(name string) (string, bool) { return metrics.IDAmong(name, t.Metrics) }

// theirResults are results of another tool, of a file that was opened already or not.
func theirResults(doc *foreignFile, raw []byte, name string, o ForeignOptions) (*Foreign, error) {
	if doc != nil {
		return doc.results(o)
	}
	return readForeign(raw, name, o)
}
