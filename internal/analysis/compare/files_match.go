package compare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
)

// unmatchedHint says what makes questions find each other.
func unmatchedHint(tables ...*foreign.ScoreTable) string {
	for _, t := range tables {
		if t.Tool == "" {
			return "write the same ids, or the same questions, into both files"
		}
	}
	return "questions are matched by the tool's id where every row has one, else by their wording: export the answers to one set of questions"
}

// asked is what makes two items of files the same question where their ids do not.
type asked struct{ question, reference string }

// aligned is the candidate with the ids that its questions have in the baseline, as the questions of two runs find each other: first those
// with equal id and wording, where both files say it, then those with equal wording and right answer, then those whose wording only one
// question has on each side. reworded are ids that name another question in each file: the candidate's gets an id of its own.
func aligned(before, after *foreign.ScoreTable) (out *foreign.ScoreTable, reworded []string) {
	m := matching{before: before.Items, after: slices.Clone(after.Items), place: map[string]int{}}
	m.ofBefore, m.ofAfter = make([]int, len(m.before)), make([]int, len(m.after))
	for i := range m.before {
		m.ofBefore[i] = -1
		m.place[m.before[i].ID] = i
	}
	for k := range m.after {
		m.ofAfter[k] = -1
		i, known := m.place[m.after[k].ID]
		if known && (m.after[k].Question == "" || m.before[i].Question == "" || m.before[i].Question == m.after[k].Question) {
			m.pair(i, k)
		}
	}
	m.by(func(item foreign.ScoredItem) asked { return asked{item.Question, item.Reference} })
	m.by(func(item foreign.ScoredItem) asked { return asked{question: item.Question} })
	for k := range m.after {
		item := &m.after[k]
		switch i, taken := m.place[item.ID]; {
		case m.ofAfter[k] >= 0:
			item.ID = m.before[m.ofAfter[k]].ID
		case taken:
			if m.ofBefore[i] < 0 {
				reworded = append(reworded, item.ID)
			}
			item.ID += fmt.Sprintf(" (%s)", item.Question)
		}
	}
	clone := *after
	clone.Items = m.after
	return &clone, reworded
}

// matching pairs the items of two files; -1 is an item without the other.
type matching struct {
	before, after     []foreign.ScoredItem
	place             map[string]int // of the baseline's items by id
	ofBefore, ofAfter []int
}

func (m *matching) pair(i, k int) { m.ofBefore[i], m.ofAfter[k] = k, i }

// by pairs what is left and has one key, where only one item has it on each side.
func (m *matching) by(key func(foreign.ScoredItem) asked) {
	if !slices.Contains(m.ofBefore, -1) || !slices.Contains(m.ofAfter, -1) {
		return
	}
	lone := func(items []foreign.ScoredItem, of []int) map[asked]int {
		found := map[asked]int{}
		for i, item := range items {
			k := key(item)
			if _, twice := found[k]; twice || of[i] >= 0 || k.question == "" {
				i = -1
			}
			found[k] = i
		}
		return found
	}
	theirs := lone(m.after, m.ofAfter)
	for k, i := range lone(m.before, m.ofBefore) {
		if other, known := theirs[k]; known && i >= 0 && other >= 0 {
			m.pair(i, other)
		}
	}
}

// doubled names the questions that stand in several rows, each with these rows.
func doubled(t *foreign.ScoreTable) listed {
	out := make(listed, len(t.Doubled))
	code := "votes.row"
	if t.Unit == "line" || t.Unit == "item" {
		code = "votes." + t.Unit
	}
	for i, at := range t.Doubled {
		item := t.Items[at]
		rows := make([]string, len(item.Rows))
		for k, row := range item.Rows {
			rows[k] = strconv.Itoa(row)
		}
		out[i] = newNote(code, "id", item.ID, "rows", listOf(rows))
	}
	return out
}
