package intake

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// numberedQuestion is a question's place as people name it: Q1, 質問2.
var numberedQuestion = text.Lazy(`(?i)^(?:q|no\.?|question|frage|質問|設問|問)[ _#\-]*[0-9]+$`)

// AskedAcross reports whether the questions of a table of scores stand in the row of its column names, each above its scores: every name
// but the first asks or numbers a question, and every cell below is a number, but for the texts of rows that are called as answers and the
// like. It returns what the first column holds, in which the metrics
// stand then; nil where it is not so.
func (t *Table) AskedAcross() (down []string) {
	asked := func(name string) bool {
		return asksSomething(name) || numberedQuestion.MatchString(norm.NFKC.String(name))
	}
	if len(t.Columns) < 3 || asked(t.Columns[0]) || slices.ContainsFunc(t.Columns[1:], func(name string) bool { return !asked(name) }) {
		return nil
	}
	for _, row := range t.Rows {
		name, _ := CellText(row.Cell(0)) // what is no text names nothing
		if name == "" || isNumber(name) || asksSomething(name) {
			return nil
		}
		says := IsAnswer(name) || IsContexts(name) || isKind(kindSystem, name) || isKind(FieldReference, name)
		for i := range t.Columns[1:] {
			if c := row.text(i + 1); c != "" && !says && !counts.MatchString(c) && !isMark(c) {
				return nil
			}
		}
		down = append(down, name)
	}
	return down
}

// text is what a cell of a table shows; "" for none.
func (r TableRow) text(column int) string {
	s, _ := CellText(r.Cell(column))
	return strings.TrimSpace(s)
}

// Stacked are the first and the last row of each of several tables of scores that stand below one another, each with column names of its
// own; nil where there is one table.
func (t *Table) Stacked() (parts [][2]int) {
	if t.headerRow == 0 {
		return nil
	}
	rows := slices.Concat(t.Rows, t.misfits)
	slices.SortFunc(rows, func(a, b TableRow) int { return cmp.Compare(a.Number, b.Number) })
	first, last := t.headerRow, t.headerRow
	for i, row := range rows {
		switch {
		case i > 0 && i+1 < len(rows) && t.namesScores(row, rows[i+1]):
			parts = append(parts, [2]int{first, last})
			first, last = row.Number, row.Number
		case !isTitle(row):
			last = row.Number
		}
	}
	if parts == nil {
		return nil
	}
	return append(parts, [2]int{first, last})
}

// namesScores reports whether a row names the columns of the scores in the row below: words alone, one of which names the questions or
// their ids, and below another a number.
func (t *Table) namesScores(row, below TableRow) bool {
	told, scored := false, false
	for i := range row.cells {
		c := row.text(i)
		if c == "" {
			continue
		}
		if counts.MatchString(c) || isNumber(c) || isMark(c) || asksSomething(c) {
			return false
		}
		if namesQuestions(c) {
			if strings.ContainsFunc(c, unicode.IsDigit) { // Q053 beside a score that is written as null is an id
				return false
			}
			told = told || i < len(t.Columns) && namesQuestions(t.Columns[i]) // no, of whether it is critical, is no number
			continue
		}
		under := below.text(i)
		scored = scored || counts.MatchString(under) || isMark(under)
	}
	return told && scored
}

// namesQuestions reports whether a column is called as one of questions or their ids.
func namesQuestions(column string) bool {
	field, strength := guessName(column)
	return (field == FieldID || field == FieldQuestion) && strength >= likely && len([]rune(column)) <= longestName
}

// Places names the rows of several parts of a file: rows 1-20 and 24-40.
func (t *Table) Places(parts [][2]int) text.Said {
	var en, ja []string
	for _, part := range parts {
		said := text.Say("%d-%d", "%d〜%d行目", part[0], part[1])
		en, ja = append(en, said.EN), append(ja, said.JA)
	}
	last := len(parts) - 1
	return text.Said{EN: t.Unit + "s " + strings.Join(en[:last], ", ") + " and " + en[last],
		JA: strings.Join(ja[:last], "、") + "と" + ja[last]}
}
