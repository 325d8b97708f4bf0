package experiments

import (
	"fmt"
	"slices"
)

// questions reads all rows. In a sheet, rows without a question go on with the one above them, or are titles.
func (b *questionBuilder) questions() []Question {
	questions := make([]Question, 0, len(b.table.rows))
	kept := b.table.rows[:0:0]
	for i, row := range b.table.rows {
		below := i > 0 && (b.table.format != "xlsx" || row.number == b.table.rows[i-1].number+1)
		if b.table.isSheet() && b.goesOn(row, kept, questions, below) {
			continue
		}
		questions = append(questions, b.question(row))
		kept = append(kept, row)
	}
	b.table.rows = kept
	return questions
}

// goesOn handles a row that asks nothing of its own, and reports whether this was one. below says that it follows the one before it at once.
func (b *questionBuilder) goesOn(row tableRow, kept []tableRow, questions []Question, below bool) bool {
	says := func(r tableRow, field string) string {
		s, err := cellText(r.cell(b.columns.at(field)))
		if err != nil {
			return ""
		}
		return s
	}
	asked, id, answer := says(row, fieldQuestion), says(row, fieldID), says(row, fieldReference)
	var before tableRow
	if len(kept) > 0 {
		before = kept[len(kept)-1]
	}
	same := len(kept) > 0 && asked != "" && asked == says(before, fieldQuestion) && b.columns.at(fieldID) >= 0 && id != "" && id == says(before, fieldID) && answer != says(before, fieldReference)
	switch {
	case same, asked == "" && id == "" && below && len(kept) > 0 && (answer != "" || says(row, fieldEvidence) != ""):
		cells := make([]any, len(b.table.columns))
		for i := range cells {
			cells[i] = row.cell(i)
		}
		cells[b.columns.at(fieldQuestion)] = questions[len(questions)-1].Text
		questions[len(questions)-1].goOn(b.question(tableRow{number: row.number, cells: cells}))
		b.continued++
		return true
	case asked == "" && id == "" && answer == "", slices.EqualFunc(b.table.columns, row.cells, func(name string, v any) bool { return v == name }):
		b.passed = append(b.passed, fmt.Sprintf("%s %d (%s)", b.table.unit, row.number, quoted([]gridRow{{row.number, rowTexts(row)}})))
		return true
	}
	return false
}

func rowTexts(row tableRow) []string {
	var list []string
	for _, v := range row.cells {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// goOn adds what a further row says about the question.
func (q *Question) goOn(more Question) {
	if q.Reference != "" && more.Reference != "" {
		q.Reference += "\n"
	}
	q.Reference += more.Reference
	q.References = distinct(append(q.References, more.References...))
	q.Tags = distinct(append(q.Tags, more.Tags...))
	q.ExpectedURLs = distinct(append(q.ExpectedURLs, more.ExpectedURLs...))
	q.Evidence = append(q.Evidence, more.Evidence...)
	for name, value := range more.Metadata {
		if q.Metadata == nil {
			q.Metadata = map[string]string{}
		}
		if old := q.Metadata[name]; old != "" && old != value {
			value = old + "\n" + value
		}
		q.Metadata[name] = value
	}
}
