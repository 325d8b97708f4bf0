package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// cards reads a sheet whose questions and answers stand below each other, each behind what it is: Q1 … A1 …, in two columns or in one.
type cards struct {
	columns []string // what the labels are called
	number  int      // of the row where the present question stands; 0: none yet
	cells   []string // of the present question
	last    int      // the column that was filled last
}

var (
	asksLabel    = text.Lazy(`(?i)^(?:q|question|faq|質問|問い?|設問|frage)$`)
	answersLabel = text.Lazy(`(?i)^(?:a|answer|回答|解答|答え?|正解|模範解答|antwort)$`)
	// labelled begins a cell that says what it is: Q1. …, A： …
	labelled = text.Lazy(`(?is)^((?:q|question|質問|問い?|設問|frage|a|answer|回答|解答|答え?|正解|antwort)[\s.\-]*[0-9]{0,4})\s*[.:)、．：）]\s*(.+)$`)
	// behind are what stands behind the name of a label: its number and marks.
	behind = text.Lazy(`[\s.\-:：)）．、]*[0-9]{0,4}(?:-[0-9]{1,3})?[\s.:：)）．、]*$`)
)

// card is the field that a row is labelled as, and what it holds; "" where it has no label.
func card(r gridRow) (field, value string) {
	said := slices.DeleteFunc(slices.Clone(r.cells), func(c string) bool { return strings.TrimSpace(c) == "" })
	if len(said) == 0 || len(said) > 2 {
		return "", ""
	}
	label, value := strings.TrimSpace(said[0]), ""
	if len(said) == 2 {
		value = strings.TrimSpace(said[1])
	} else if m := labelled.FindStringSubmatch(label); m != nil {
		label, value = m[1], strings.TrimSpace(m[2])
	} else {
		return "", ""
	}
	bare := strings.Trim(norm.NFKC.String(label), "【】[]()■◆●・ ")
	bare = behind.ReplaceAllString(bare, "")
	switch {
	case asksLabel.MatchString(bare):
		return FieldQuestion, value
	case answersLabel.MatchString(bare):
		return FieldReference, value
	}
	if _, strength := guessName(bare); len(said) == 2 && strength >= likely && len([]rune(bare)) <= longestName && !asksSomething(bare) {
		return bare, value
	}
	return "", value
}

// cardsOf are the columns of a sheet of this form; nil where it is none: several questions are labelled, each has an answer behind it
// before the next, and nearly all rows have a label.
func cardsOf(rows []gridRow) []string {
	columns := []string{FieldQuestion, FieldReference}
	asked, answered, known, open := 0, 0, 0, false
	for _, r := range rows {
		field, _ := card(r)
		if field == "" {
			continue
		}
		known++
		switch field {
		case FieldQuestion:
			asked++
			open = true
		case FieldReference:
			if open {
				answered++
			}
			open = false
		default:
			if !slices.Contains(columns, field) {
				columns = append(columns, field)
			}
		}
	}
	if asked < 2 || answered < 2 || 3*answered < 2*(asked-1) || 2*known < len(rows) {
		return nil
	}
	return columns
}

// deal begins to read cards, where the sheet holds them.
func (l *layout) deal() (bool, error) {
	columns := cardsOf(l.head)
	if columns == nil {
		return false, nil
	}
	l.cards = &cards{columns: columns}
	if err := l.t.header(columns, l.file); err != nil {
		return true, err
	}
	l.width = len(columns)
	l.t.Notes = append(l.t.Notes, text.Say("questions and answers stand below each other: each row labelled as a question begins one",
		"質問と回答が縦に並んでいるため、質問の行から次の質問の行までを1問として読み取りました"))
	for _, r := range l.head {
		l.takeCard(r)
	}
	l.head = nil
	return true, nil
}

// takeCard takes a row of a sheet of cards. What has no label goes on with the one above, and is a remark above the first.
func (l *layout) takeCard(r gridRow) {
	c := l.cards
	field, value := card(r)
	if field == FieldQuestion {
		l.endCard()
		c.number, c.cells = r.number, make([]string, len(c.columns))
	}
	if c.number == 0 || field == "" && filled(r) > 1 {
		l.t.aside(r)
		return
	}
	at := slices.Index(c.columns, field)
	if field == "" {
		at, value = c.last, strings.TrimSpace(strings.Join(r.cells, " "))
	}
	if at < 0 { // a label that did not occur before
		at = len(c.columns)
		c.columns, c.cells = append(c.columns, field), append(c.cells, "")
		l.t.Columns = append(l.t.Columns, l.t.called(field))
		l.width = len(l.t.Columns)
	}
	if c.cells[at] != "" {
		value = c.cells[at] + "\n" + value
	}
	c.cells[at], c.last = value, at
}

// endCard gives the present question to the table.
func (l *layout) endCard() {
	if c := l.cards; c != nil && c.number > 0 {
		l.data(gridRow{number: c.number, cells: append(c.cells, make([]string, l.width-len(c.cells))...)})
	}
}
