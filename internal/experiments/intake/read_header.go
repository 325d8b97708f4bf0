package intake

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// locateHeader finds the row with the column names of a question sheet. Above it may stand titles and remarks, and nothing that could be
// a question: what is above the header is not read. Where people said what some columns are called, their row is the header.
func locateHeader(named map[string]string) func(rows []gridRow) int {
	return func(rows []gridRow) int {
		at := bestHeader(rows)
		if ofForm(rows) {
			at = 0
		}
		if at < 0 {
			at = unknownHeader(rows)
		}
		if len(named) == 0 || at >= 0 && holdsNames(rows[at], named) {
			return at
		}
		for i, r := range rows {
			if holdsNames(r, named) && (aboveTable(rows, i) || !looksLikeData(r)) {
				return i
			}
		}
		return at
	}
}

// namesBelow finds the column names of a table that need not hold questions: the first row, unless that is a title above names that tell
// questions apart.
func namesBelow(rows []gridRow) int {
	for i, r := range rows {
		names := slices.ContainsFunc(r.cells, func(c string) bool {
			field, strength := guessName(c)
			return (field == FieldID || field == FieldQuestion) && strength >= likely && len([]rune(c)) <= longestName && !asksSomething(c)
		})
		if names && (i == 0 || filled(r) > 1 && aboveTable(rows, i)) {
			return i
		}
	}
	return 0
}

// formNames begin the export of a form, whose further columns are called as it asks.
var formNames = text.Lazy(`(?i)^(?:timestamp|タイムスタンプ|zeitstempel|start time|開始時刻|submitted at|回答日時)$`)

// ofForm reports whether the first row holds what a form asked: its columns are called by questions, and the first by the time.
func ofForm(rows []gridRow) bool {
	if len(rows) < 2 {
		return false
	}
	first := rows[0].cells[:min(2, len(rows[0].cells))] // some forms number the answers first
	return slices.ContainsFunc(first, func(c string) bool { return formNames.MatchString(strings.TrimSpace(c)) })
}

// holdsNames reports whether a row has every column that people named.
func holdsNames(r gridRow, named map[string]string) bool {
	for name := range named {
		if !slices.ContainsFunc(r.cells, func(c string) bool { return ColumnKey(c) == ColumnKey(name) }) {
			return false
		}
	}
	return true
}

// bestHeader is the row that looks most like column names, or -1 where none has a name that is known.
func bestHeader(rows []gridRow) int {
	best, score := -1, 0.0
	for i := range rows {
		if s := headerScore(rows, i); s > score {
			best, score = i, s
		}
	}
	return best
}

// unknownHeader is the first full row where no name is known, or -1 where that row looks like a question and its answer.
func unknownHeader(rows []gridRow) int {
	for i, r := range rows {
		if filled(r) >= 2 && 2*filled(r) >= cellsAcross(rows) || cellsAcross(rows) == 1 {
			if slices.ContainsFunc(r.cells, func(c string) bool { return asksSomething(c) || len([]rune(c)) > 60 }) {
				return -1
			}
			return i
		}
	}
	return 0
}

// headerScore is how much row i looks like column names; 0 where no cell names a question or an answer, and where the rows above it or
// the row itself look like questions.
func headerScore(rows []gridRow, i int) float64 {
	if i > 0 && (!aboveTable(rows, i) || looksLikeData(rows[i])) {
		return 0
	}
	score, named, known, seen := 0.0, false, 0, map[string]bool{}
	for _, c := range rows[i].cells {
		if c = strings.TrimSpace(c); c == "" {
			continue
		}
		field, strength := guessName(c)
		if strength > 0 {
			known++
		}
		switch {
		case len([]rune(c)) > 40, asksSomething(c), strings.HasSuffix(c, "。"), seen[c]:
			score -= 2
		case strength == 0 && isNumber(c):
			score--
		case field == FieldQuestion || field == FieldReference:
			score += 2 + strength
			named = true
		case strength > 0:
			score++
		}
		seen[c] = true
	}
	if !named || i > 0 && 2*known < filled(rows[i]) { // a note such as "wrong reference" makes no header of its row
		return 0
	}
	// A title such as "Question list" stands alone in its row; what follows a header fills its columns.
	if filled(rows[i]) == 1 && cellsAcross(rows) > 1 {
		score -= 3
	}
	if i+1 < len(rows) && filled(rows[i+1]) >= 1 {
		score += 0.5
	}
	return score + 0.1*float64(filled(rows[i])) - 0.05*float64(i)
}

// aboveTable reports whether everything above row i looks like titles and remarks: each row fills at most half as many cells as row i and
// asks nothing. More may be filled, but not all, where a blank row sets row i apart, as below a block with author and date.
func aboveTable(rows []gridRow, i int) bool {
	full := filled(rows[i])
	most := full / 2
	if i > 0 && apart(rows[i-1], rows[i]) && !looksLikeData(rows[i]) {
		most = full - 1
	}
	return !slices.ContainsFunc(rows[:i], func(r gridRow) bool {
		return filled(r) > most || slices.ContainsFunc(r.cells, func(c string) bool {
			c = strings.TrimSpace(c)
			return strings.HasSuffix(c, "?") || strings.HasSuffix(c, "？")
		})
	})
}

// apart reports whether blank rows stand between two rows. A cell may go over several lines.
func apart(above, below gridRow) bool {
	lines := 0
	for _, c := range above.cells {
		lines += strings.Count(c, "\n")
	}
	return below.number > above.number+1+lines
}

// looksLikeData reports whether a row holds something that is hardly the name of a column: a number, an address, a long text or a question.
func looksLikeData(r gridRow) bool {
	return slices.ContainsFunc(r.cells, func(c string) bool {
		c = strings.TrimSpace(c)
		return isNumber(c) || isURL(c) || len([]rune(c)) > 40 || asksSomething(c) && columns(c) > 20
	})
}

// columns is how wide a text is, where a letter of Japanese takes the place of two.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x1100 { // Hangul, then signs of East Asia
			n++
		}
	}
	return n
}

func filled(r gridRow) int {
	n := 0
	for _, c := range r.cells {
		if strings.TrimSpace(c) != "" {
			n++
		}
	}
	return n
}
