package intake

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// questions reads all rows. In a sheet, rows without a question go on with the one above them, or are titles.
func (b *questionBuilder) questions() []experiments.Question {
	if b.table.isSheet() {
		b.setAside()
		b.leaveOut()
		b.sayAgain()
		b.choose()
		b.turns()
	}
	questions := make([]experiments.Question, 0, len(b.table.Rows))
	kept := b.table.Rows[:0:0]
	for i, row := range b.table.Rows {
		below := i > 0 && (b.table.format != "xlsx" || row.Number == b.table.Rows[i-1].Number+1)
		if i > 0 && row.Number/tabStride != b.table.Rows[i-1].Number/tabStride {
			b.banner = "" // of another sheet
		}
		if b.table.isSheet() && (b.headsNumbers(i) || b.goesOn(row, kept, questions, below)) {
			continue
		}
		questions = append(questions, b.question(row))
		kept = append(kept, row)
	}
	b.table.Rows = kept
	return questions
}

// goesOn handles a row that asks nothing of its own, and reports whether this was one. below says that it follows the one before it
// at once.
func (b *questionBuilder) goesOn(row TableRow, kept []TableRow, questions []experiments.Question, below bool) bool {
	says := func(r TableRow, field string) string { return b.cell(r, b.columns.at(field)) }
	asked, id, answer := says(row, FieldQuestion), says(row, FieldID), says(row, FieldReference)
	var before TableRow
	if len(kept) > 0 {
		before = kept[len(kept)-1]
	}
	// A row with a number of its own is one whose question was forgotten, and what it answers is not the question above.
	number := b.cell(row, b.columns.counted())
	own := number != "" && number != b.cell(before, b.columns.counted())
	same := len(kept) > 0 && asked != "" && asked == says(before, FieldQuestion) && b.columns.at(FieldID) >= 0 && id != "" &&
		id == says(before, FieldID)
	added := answer != says(before, FieldReference) // else the row may tell one more place, where cells are merged over it
	proof := says(row, fieldEvidence)
	same = same && (added || proof != "" && proof != says(before, fieldEvidence))
	switch {
	case same, asked == "" && !own && below && len(kept) > 0 && (answer != "" || says(row, fieldEvidence) != ""):
		cells := make([]any, len(b.table.Columns))
		for i := range cells {
			cells[i] = row.Cell(i)
		}
		cells[b.columns.at(FieldQuestion)] = questions[len(questions)-1].Text
		if column := b.columns.at(FieldReference); same && !added && column >= 0 {
			cells[column], answer = nil, ""
		}
		goOn(&questions[len(questions)-1], b.question(TableRow{Number: row.Number, cells: cells, figures: row.figures}))
		b.continued = append(b.continued, text.Say("%s (%q, added to %q)", "%s（「%s」を質問「%s」に追加）", b.table.place(row.Number),
			Shortened(cmp.Or(answer, says(row, fieldEvidence))), Shortened(questions[len(questions)-1].Text)))
		return true
	case asked == "" && answer == "" && (id == "" || b.headsRows(row)), slices.EqualFunc(b.table.Columns, row.cells,
		func(name string, v any) bool { return v == name }):
		if !b.bannerOf(row) {
			b.pass(row)
		}
		return true
	case b.onlyNumbered(row, number):
		b.unfilled = append(b.unfilled, b.table.place(row.Number))
		return true
	}
	return false
}

// bannerMarks are around a heading between questions that is not to be mistaken for a remark.
var bannerMarks = text.Lazy(`^(?:【([^【】]{1,30})】|[■◆●▼][ 　]*([^■◆●▼。]{1,30})|＜([^＜＞]{1,30})＞|《([^《》]{1,30})》)$`)

// bannerOf takes a row as the heading of those below it, where it is marked as one and no column tells the themes.
func (b *questionBuilder) bannerOf(row TableRow) bool {
	cells := said(row)
	if len(cells) != 1 || b.columns.at(FieldTheme) >= 0 {
		return false
	}
	longest := slices.MaxFunc(rowTexts(row), func(a, b string) int { return cmp.Compare(len(a), len(b)) }) // the others are blank
	m := bannerMarks.FindStringSubmatch(strings.TrimSpace(longest))
	if m == nil {
		return false
	}
	b.banner = strings.TrimSpace(strings.Join(m[1:], ""))
	b.banners = append(b.banners, text.Say("%s (%q)", "%s（「%s」）", b.table.place(row.Number), b.banner))
	return true
}

// headsNumbers takes a row as the heading of those below it, where its number is the first part of theirs: 1 above 1-1 and 1-2. It asks and
// answers nothing.
func (b *questionBuilder) headsNumbers(i int) bool {
	at := b.columns.counted()
	if at < 0 || i+1 >= len(b.table.Rows) || b.columns.at(FieldTheme) >= 0 {
		return false
	}
	row, next := b.table.Rows[i], b.table.Rows[i+1]
	number, heading := b.cell(row, at), b.cell(row, b.columns.at(FieldQuestion))
	rest, part := strings.CutPrefix(b.cell(next, at), number)
	if number == "" || !part || len(rest) < 2 || !strings.ContainsRune("-.－‐・_", []rune(rest)[0]) || heading == "" ||
		asksSomething(heading) ||
		row.Number/tabStride != next.Number/tabStride || b.cell(row, b.columns.at(FieldReference)) != "" || len(said(row)) > 2 {
		return false
	}
	b.banner = heading
	b.banners = append(b.banners, text.Say("%s (%q)", "%s（「%s」）", b.table.place(row.Number), heading))
	return true
}

// shortNumber is what numbers a row: 9, Q-009, No.12.
var shortNumber = text.Lazy(`^[^\s]{0,8}[0-9]{1,6}[^\s]{0,3}$`)

// onlyNumbered reports whether a row was numbered for a question that nobody wrote: neither that nor an answer nor evidence, and nothing
// that asks in another cell. Of a sheet without right answers only numbers tell that.
func (b *questionBuilder) onlyNumbered(row TableRow, number string) bool {
	if !isNumber(number) && (b.columns.at(FieldReference) < 0 || !shortNumber.MatchString(number)) {
		return false
	}
	for _, field := range []string{FieldQuestion, FieldReference, fieldReferences, fieldEvidence} {
		if b.cell(row, b.columns.at(field)) != "" {
			return false
		}
	}
	return !slices.ContainsFunc(rowTexts(row), asksSomething)
}

// headsRows reports whether a row is a heading between questions: words alone in a row of a table whose ids are numbered.
func (b *questionBuilder) headsRows(row TableRow) bool {
	said := slices.DeleteFunc(rowTexts(row), func(s string) bool { return strings.TrimSpace(s) == "" })
	return len(b.table.Columns) > 2 && len(said) == 1 && !strings.ContainsFunc(said[0], unicode.IsDigit) && b.numbered()
}

// numberedIDs reports whether most ids of a table hold a number.
func (b *questionBuilder) numberedIDs() bool {
	n, first := 0, b.table.Rows[:min(sampledRows, len(b.table.Rows))]
	for _, r := range first {
		if id, err := CellText(r.Cell(b.columns.at(FieldID))); err == nil && strings.ContainsFunc(id, unicode.IsDigit) {
			n++
		}
	}
	return 2*n >= len(first)
}

func rowTexts(row TableRow) []string {
	var list []string
	for _, v := range row.cells {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// goOn adds what a further row says about the question.
func goOn(q *experiments.Question, more experiments.Question) {
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
