package reports

import (
	"fmt"

	"github.com/xuri/excelize/v2"
)

// The first page is a frame of equal columns; the numbers behind the charts stand to the right of it and are not printed.
const (
	frame      = 12
	half       = frame / 2
	frameWidth = 14 // of one column, in characters
	dataColumn = frame + 2
)

// summary lays the first page out from top to bottom.
type summary struct {
	*book
	sheet  string
	row    int // the next free row
	drawn  int // charts so far
	blocks []block
}

// block is a part of the page that should not be torn apart when printed.
type block struct {
	row   int  // its first
	table bool // may run on to the next page
}

func (b *book) summary() {
	s := &summary{book: b, sheet: b.words.say("sheet.summary"), row: 1}
	b.page(s.sheet, 0)
	b.keep(b.file.SetColWidth(s.sheet, "A", columnName(frame), frameWidth))
	b.keep(b.file.SetColWidth(s.sheet, columnName(frame+1), columnName(frame+1), 4))
	b.keep(b.file.SetColWidth(s.sheet, columnName(dataColumn), columnName(dataColumn+2), 16))
	s.top()
	s.list("section.verdict", "", b.verdict(), look{size: 12, bold: true, wrap: true, middle: true})
	s.list("section.next", "→ ", b.next(), look{size: 11, wrap: true, middle: true})
	s.figures()
	if b.Comparison != nil {
		s.change()
	} else {
		s.metrics()
	}
	s.goals()
	s.charts()
	s.glossary()
	s.breakPages()
	b.keep(b.file.SetDefinedName(&excelize.DefinedName{
		Name: "_xlnm.Print_Area", RefersTo: fmt.Sprintf("'%s'!$A$1:$%s$%d", s.sheet, columnName(frame), s.row), Scope: s.sheet,
	}))
}

func columnName(col int) string {
	name := cellName(col, 1)
	return name[:len(name)-1]
}

// put writes a value into the columns from first to last of the current row and makes the row high enough.
func (s *summary) put(first, last int, v any, l look) {
	s.putAt(s.row, first, last, v, l)
}

func (s *summary) putAt(row, first, last int, v any, l look) {
	v, l = s.value(v, l)
	at, end := cellName(first, row), cellName(last, row)
	s.keep(s.file.SetCellStyle(s.sheet, at, end, s.style(l)))
	if first != last {
		s.keep(s.file.MergeCell(s.sheet, at, end))
	}
	if text, ok := v.(string); ok {
		s.keep(s.file.SetCellStr(s.sheet, at, text))
		size := l.size
		if size == 0 {
			size = 10
		}
		if l.wrap {
			width := float64(last-first+1) * frameWidth * charactersAt(size)
			s.height(row, float64(lines(text, width, 12))*s.lineHeight()*size/10+2)
		}
		return
	}
	s.keep(s.file.SetCellValue(s.sheet, at, v))
}

// height makes a row at least this high, in points.
func (s *summary) height(row int, points float64) {
	now, err := s.file.GetRowHeight(s.sheet, row)
	s.keep(err)
	if points > now {
		s.keep(s.file.SetRowHeight(s.sheet, row, points))
	}
}

// open starts a block with its heading.
func (s *summary) open(key string) {
	s.keep(s.file.SetRowHeight(s.sheet, s.row, 8))
	s.row++
	s.blocks = append(s.blocks, block{row: s.row, table: key == "section.change" || key == "section.metrics"})
	s.put(1, frame, s.words.say(key), look{bold: true, size: 13, color: navy, under: true, middle: true})
	s.height(s.row, 20)
	s.row++
}

// pageHeight is what fits on a page of landscape A4 between the margins when the frame is as wide as the page, in points. The
// Japanese font makes columns wider, so that more lines fit under the same width.
func (s *summary) pageHeight() float64 {
	if s.Lang == "ja" {
		return 680
	}
	return 600
}

// breakPages starts a new page before every block that would not fit on the rest of the page. A long table may run on, if
// enough of it stands on the first page.
func (s *summary) breakPages() {
	const enough = 120 // points
	used, first, table := 0.0, 1, false
	for _, next := range append(s.blocks, block{row: s.row}) {
		size := 0.0
		for row := first; row < next.row; row++ {
			h, err := s.file.GetRowHeight(s.sheet, row)
			s.keep(err)
			size += h
		}
		rest := s.pageHeight() - used
		switch {
		case size <= rest:
			used += size
		case table && rest >= enough:
			used = size - rest
		default:
			s.keep(s.file.InsertPageBreak(s.sheet, cellName(1, first)))
			used = size
		}
		first, table = next.row, next.table
	}
}

func (s *summary) top() {
	s.put(1, frame, s.reportTitle(), look{bold: true, size: 18, color: navy, wrap: true, middle: true})
	s.height(s.row, 30)
	s.row++
	s.put(1, frame, s.subtitle(), look{color: faded, wrap: true})
	s.row++
	if s.after.run.Setup.Offline {
		s.put(1, frame, "⚠ "+s.words.say("badge.offline"), look{bold: true, size: 11, color: amberInk, fill: amber, wrap: true, middle: true, box: true})
		s.height(s.row, 22)
		s.row++
	}
	for _, note := range s.notes() {
		s.put(1, frame, "⚠ "+note, look{color: amberInk, fill: amber, wrap: true, box: true})
		s.row++
	}
}

func (s *summary) list(section, mark string, sentences []string, l look) {
	s.open(section)
	for _, text := range sentences {
		s.put(1, frame, mark+text, l)
		s.pad(2)
		s.row++
	}
}

// pad makes the current row a little higher than its text needs.
func (s *summary) pad(points float64) {
	now, err := s.file.GetRowHeight(s.sheet, s.row)
	s.keep(err)
	s.keep(s.file.SetRowHeight(s.sheet, s.row, now+points))
}

// figures shows four large numbers, each with what it was counted on.
func (s *summary) figures() {
	s.open("section.figures")
	total := s.after.totals
	mean := func(metric string) (any, string) {
		m, ok := total.Scores[metric]
		if !ok {
			return s.words.say("figure.none"), ""
		}
		return m.Mean, s.words.say("figure.n", "n", m.N, "total", len(s.after.rows))
	}
	c, cn := mean(correctness)
	t, tn := mean(trust)
	cards := []struct {
		name   string
		value  any
		basis  string
		format string
	}{
		{s.words.say("figure.correctness"), c, cn, "0.00"},
		{s.words.say("figure.trust"), t, tn, "0.00"},
		{s.words.say("figure.low"), s.after.low, s.words.say("figure.rated", "rated", s.after.rated), "0"},
		{
			s.words.say("figure.coverage"), total.Coverage.Share(),
			s.words.say("figure.scored", "scored", total.Coverage.Scored, "applicable", total.Coverage.Applicable), "0.0%",
		},
	}
	for i, card := range cards {
		first, last := i*frame/len(cards)+1, (i+1)*frame/len(cards)
		s.putAt(s.row, first, last, card.name, look{align: "center", color: faded, fill: paper, box: true})
		s.putAt(s.row+1, first, last, card.value, look{align: "center", bold: true, size: 18, color: navy, fill: paper, middle: true, format: card.format, box: true})
		s.putAt(s.row+2, first, last, card.basis, look{align: "center", color: faded, fill: paper, box: true})
	}
	s.height(s.row, 16)
	s.height(s.row+1, 28)
	s.height(s.row+2, 16)
	s.row += 3
}

// field is a cell of a table on the first page: from column first to column last.
type field struct {
	first, last int
	value       any
	look        look
}

func (s *summary) line(fields ...field) {
	for _, f := range fields {
		f.look.box = true
		f.look.middle = true
		s.put(f.first, f.last, f.value, f.look)
	}
	s.height(s.row, s.lineHeight()+2)
	s.row++
}

func (s *summary) header(fields ...field) {
	for i := range fields {
		fields[i].value = s.words.say(fields[i].value.(string))
		fields[i].look = look{bold: true, color: white, fill: navy, align: "center", wrap: true}
	}
	s.line(fields...)
}

func (s *summary) glossary() {
	s.open("section.words")
	for _, word := range []string{"correctness", "trust", "low", "evidence", "coverage", "states", "labels", "reading", "critical"} {
		s.line(
			field{1, 3, s.words.say("term." + word), look{bold: true, wrap: true, fill: paper}},
			field{4, frame, s.words.say("meaning."+word, "threshold", plain(s.threshold)), proseLook},
		)
	}
}
