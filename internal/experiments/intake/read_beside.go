package intake

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/text"
)

// legendNames are columns of a table that explains the scores and holds none.
var legendNames = text.Lazy(`(?i)^(?:凡例|(?:記号|点数?|評価|スコア)の意味|意味|(?:評価|採点)基準|(?:評価の)?目安|legend|meaning|` +
	`(?:rating |scoring )?(?:scale|rubric|guide))$`)

// span is the columns from one on up to another, which does not belong to it.
type span struct{ from, to int }

// besides parts a table of answers or scores from what stands to its right behind wholly empty columns.
type besides struct {
	rows   []gridRow
	header int    // the index of the row with the column names
	gaps   []span // empty columns within the table
	within []span // what stands to the right of these, and belongs to it
	cut    span   // the empty columns that the table ends at; none where from == to
	end    int    // where what is not read ends
}

// setBeside finds the table in these rows. An empty column without a name ends it, unless what follows goes on with its rows: it has
// its names in the same row, asks nothing again, and is neither shorter than the table nor longer as a legend is.
func setBeside(rows []gridRow) *besides {
	b := &besides{rows: slices.DeleteFunc(slices.Clone(rows), func(r gridRow) bool { return filled(r) == 0 })}
	if len(b.rows) == 0 {
		return b
	}
	b.header = b.findHeader()
	blocks := blocksOf(b.rows[b.header:])
	main := max(0, slices.IndexFunc(blocks, func(s span) bool { return len(b.keys(s)) > 0 }))
	for i := main + 1; i < len(blocks); i++ {
		gap := span{blocks[i-1].to, blocks[i].from}
		if !b.goesOn(span{0, gap.from}, blocks[i]) {
			b.cut, b.end = gap, cellsAcross(b.rows)
			break
		}
		b.gaps, b.within = append(b.gaps, gap), append(b.within, blocks[i])
	}
	if whole := blocksOf(b.rows); !b.isCut() && namesBelow(b.rows[:min(len(b.rows), lookAhead)]) != b.header {
		// what stands above and to the right would be taken for column names, or hide them
		end := blocks[len(blocks)-1].to
		if at := slices.IndexFunc(whole, func(s span) bool { return s.from > end }); at > 0 && whole[at-1].to <= end {
			b.cut, b.end = span{end, whole[at].from}, cellsAcross(b.rows)
		}
	}
	return b
}

// findHeader looks for the column names in each block alone first: a legend may begin above them.
func (b *besides) findHeader() int {
	head := b.rows[:min(len(b.rows), lookAhead)]
	for _, s := range blocksOf(b.rows) {
		part := make([]gridRow, len(head))
		for i, r := range head {
			part[i] = gridRow{number: r.number, cells: s.of(r)}
		}
		if at := namesBelow(part); len(keysIn(part[at].cells)) > 0 {
			return at
		}
	}
	return namesBelow(head)
}

// blocksOf are the columns that hold something, parted where wholly empty ones stand between.
func blocksOf(rows []gridRow) (blocks []span) {
	used := make([]bool, cellsAcross(rows))
	for _, r := range rows {
		for i, c := range r.cells {
			used[i] = used[i] || strings.TrimSpace(c) != ""
		}
	}
	for i, is := range used {
		switch {
		case !is:
		case i > 0 && used[i-1]:
			blocks[len(blocks)-1].to = i + 1
		default:
			blocks = append(blocks, span{i, i + 1})
		}
	}
	return blocks
}

// of are the cells of a row in these columns.
func (s span) of(r gridRow) []string {
	return r.cells[min(s.from, len(r.cells)):min(s.to, len(r.cells))]
}

func (s span) filled(r gridRow) int { return filled(gridRow{cells: s.of(r)}) }

// keysIn are the fields that tell questions apart among some column names.
func keysIn(names []string) (keys []string) {
	for _, c := range names {
		field, strength := guessName(c)
		if (field == FieldID || field == FieldQuestion) && strength >= likely && len([]rune(c)) <= longestName && !asksSomething(c) {
			keys = append(keys, field)
		}
	}
	return keys
}

func (b *besides) keys(s span) []string { return keysIn(s.of(b.rows[b.header])) }

// goesOn reports whether a block behind a gap belongs to the table before it.
func (b *besides) goesOn(table, block span) bool {
	names := trimmed(block.of(b.rows[b.header]))
	if len(names) == 0 || names[0] == "" || slices.ContainsFunc(names, legendNames.MatchString) {
		return false
	}
	before, own := b.keys(table), b.keys(block)
	if slices.ContainsFunc(own, func(key string) bool { return slices.Contains(before, key) }) {
		return false // a table of its own
	}
	data := b.rows[b.header+1:]
	rows, beside, last, beyond := 0, 0, 0, 0
	for _, r := range data {
		there := block.filled(r) > 0
		switch {
		case table.filled(r) > 0 && there:
			rows++
			beside, last = beside+1, rows
		case table.filled(r) > 0:
			rows++
		case there:
			beyond++
		}
	}
	if beyond > 0 {
		return false
	}
	known := slices.ContainsFunc(names, func(c string) bool {
		return IsAnswer(c) || slices.Contains([]string{"critical", "tags", "replicate"}, ColumnKey(c))
	})
	scattered := last > beside // some row between has none: a legend stands in one piece
	return len(own) > 0 || known || (4*beside >= 3*rows || scattered) && !isScale(data, block)
}

// isScale reports whether a block explains scores: each of three or more numbers in a row, or of marks, once, with words of its own.
func isScale(rows []gridRow, block span) bool {
	var values, words []string
	for _, r := range rows {
		switch cells := block.of(r); {
		case block.filled(r) == 0:
		case block.to-block.from != 2 || block.filled(r) != 2:
			return false
		default:
			values, words = append(values, strings.TrimSpace(cells[0])), append(words, strings.TrimSpace(cells[1]))
		}
	}
	if len(values) < 3 || !allDiffer(values) || !allDiffer(words) || slices.ContainsFunc(words, isNumber) {
		return false
	}
	if !slices.ContainsFunc(values, func(s string) bool { return !isMark(s) }) {
		return true
	}
	step := 0
	for i, s := range values {
		n, err := strconv.Atoi(s)
		if err != nil {
			return false
		}
		if i == 0 {
			continue
		}
		before, _ := strconv.Atoi(values[i-1]) // it was read in the last turn
		if i == 1 {
			step = n - before
		}
		if n-before != step || step != 1 && step != -1 {
			return false
		}
	}
	return true
}

func allDiffer(list []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(list)))) == len(list)
}

// isCut reports whether something stands to the right that is not read.
func (b *besides) isCut() bool { return b.cut.to > b.cut.from }

// row is a row without what stands to the right of the table.
func (b *besides) row(r gridRow) gridRow {
	if b.isCut() {
		r.cells = r.cells[:min(len(r.cells), b.cut.from)]
	}
	return r
}

// uneven reports whether some row below the column names has not as many cells, which breaks a text file.
func (b *besides) uneven() bool {
	return slices.ContainsFunc(b.rows[min(b.header, len(b.rows)):], func(r gridRow) bool {
		return len(r.cells) != len(b.rows[b.header].cells)
	})
}

// setAsideBeside ends the table at the empty columns that part it from what stands to its right, and says so.
func (l *layout) setAsideBeside(rows []gridRow) *besides {
	b := setBeside(rows)
	if l.strict && b.uneven() {
		return &besides{} // which is said of each such row
	}
	if len(b.gaps) > 0 {
		gaps, within := make([]text.Said, len(b.gaps)), make([]text.Said, len(b.within))
		for i := range b.gaps {
			gaps[i], within[i] = l.columnsIn(b.gaps[i]), b.quoted(b.within[i], b.header+1)
		}
		l.t.Notes = append(l.t.Notes, text.Say("%s: empty and without a name; what stands to the right (%s) was read as part of the table, because "+
			"its column names and rows go on with it; if it is something else, put it where it is not read, as in another file",
			"%s：列名も値もない空の列ですが、その右（%s）は列名と行が続いているため、表の一部として読み取りました。"+
				"別のものである場合は、別のファイルなどに移してください",
			joinedWith(gaps), joinedWith(within)))
	}
	if b.isCut() {
		right := span{b.cut.to, b.end}
		l.t.Notes = append(l.t.Notes, text.Say("not read, because nothing stands in %s between it and the table: %s (%s); if it belongs to the "+
			"table, delete what is empty between or give it a column name",
			"%sが空で表から離れているため、読み取っていない部分：%s（%s）。表の一部である場合は、間の空の列を削除するか、列名を付けてください",
			l.columnsIn(b.cut), l.columnsIn(right), b.quoted(right, len(b.rows))))
	}
	return b
}

// quoted shows what stands in some columns of the rows up to one.
func (b *besides) quoted(s span, rows int) text.Said {
	var parts []gridRow
	for _, r := range b.rows[:rows] {
		parts = append(parts, gridRow{cells: s.of(r)})
	}
	return quoted(parts)
}

// columnsIn names columns as the file does: by letters in sheets.
func (l *layout) columnsIn(s span) text.Said {
	name := strconv.Itoa
	if !l.strict {
		name = func(n int) string {
			letters, err := excelize.ColumnNumberToName(n)
			if err != nil {
				return strconv.Itoa(n)
			}
			return letters
		}
	}
	if s.to == s.from+1 {
		return text.Say("column %s", "%s列", name(s.to))
	}
	return text.Say("columns %s to %s", "%s〜%s列", name(s.from+1), name(s.to))
}
