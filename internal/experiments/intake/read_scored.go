package intake

import (
	"slices"
	"strings"
)

// lookScored learns of a sheet how much it looks like a table of answers or scores: 1 where its column names tell the questions apart, by
// ids or by their words, and 1 more for an answer of a system, a column of numbers or of marks beside them.
func (s *tab) lookScored(rows []gridRow) {
	if len(rows) == 0 {
		return
	}
	beside := setBeside(rows)
	rows = slices.Clone(rows)
	for i, r := range rows {
		rows[i] = beside.row(r)
	}
	at := namesBelow(rows)
	names, told, judged := rows[at].cells, false, false
	for i, c := range names {
		if strings.TrimSpace(c) == "" {
			continue
		}
		field, strength := guessName(c)
		switch {
		case (field == FieldID || field == FieldQuestion) && strength >= likely:
			told = true
		case field == kindSystem:
			judged = true
		default:
			judged = judged || scoresIn(rows[at+1:], i)
		}
	}
	if !told {
		return
	}
	s.header, s.asks, s.score = rows[at], true, 1
	if judged {
		s.score = 2
	}
}

// scoresIn reports whether most of what a column holds are numbers or marks.
func scoresIn(rows []gridRow, column int) bool {
	scored, filled := 0, 0
	for _, r := range rows {
		if column >= len(r.cells) || strings.TrimSpace(r.cells[column]) == "" {
			continue
		}
		filled++
		if c := strings.TrimSpace(r.cells[column]); counts.MatchString(c) || isMark(c) {
			scored++
		}
	}
	return scored > 0 && 2*scored >= filled
}

// isMark reports whether a cell holds one of the marks that people judge with.
func isMark(c string) bool {
	return slices.Contains([]string{"○", "〇", "◯", "◎", "×", "✕", "✗", "△", "▲", "✓", "✔"}, c)
}

// bestScored is the place of the sheet of answers or scores that is read where nobody names one: of the visible ones that which looks most
// like it, before examples and older states, and of equal ones the first.
func bestScored(tabs []tab) int {
	best, most := -1, -1.0
	for i, s := range tabs {
		worth := s.score
		if exampleTabs.MatchString(s.name) {
			worth /= 4
		}
		if !s.hidden && worth > most {
			best, most = i, worth
		}
	}
	return max(0, best)
}
