package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Table is a table of a text: rows of cells that | or tabulators separate.
type Table struct {
	Head Span // the rows above the body: the first, and the line of hyphens below it
	Rows []Span
}

// Blocks are the places of a text that should not be cut, in order and apart from each other.
type Blocks struct {
	Tables []Table
	Items  []Span // list items with the lines that continue them
	Leads  []Span // lines that end in a colon and announce the block that follows
}

// line is one line of a text, without its line feed.
type line struct {
	Span
	text string
}

func linesOf(s string) []line {
	var out []line
	at := 0
	for l := range strings.Lines(s) {
		bare := strings.TrimRight(l, "\r\n")
		out = append(out, line{Span{Start: at, End: at + utf8.RuneCountInString(bare)}, bare})
		at += utf8.RuneCountInString(l)
	}
	return out
}

// FindBlocks finds tables and lists, as Markdown writes them and as our readers write those of other files.
func FindBlocks(s string) Blocks {
	lines := linesOf(s)
	var b Blocks
	for i := 0; i < len(lines); {
		switch {
		case rowOf(lines, i) && rowOf(lines, i+1):
			last := i
			for rowOf(lines, last+1) {
				last++
			}
			b.lead(lines, i)
			b.table(lines[i : last+1])
			i = last + 1
		case isItem(lines[i].text):
			last := i
			for last+1 < len(lines) && goesOn(lines[last+1].text) {
				last++
			}
			if i == 0 || !isItem(lines[i-1].text) && !goesOn(lines[i-1].text) {
				b.lead(lines, i)
			}
			b.Items = append(b.Items, Span{Start: lines[i].Start, End: lines[last].End})
			i = last + 1
		default:
			i++
		}
	}
	return b
}

// lead notes the line above number i, when it announces what follows.
func (b *Blocks) lead(lines []line, i int) {
	above := i - 1
	if above >= 0 && strings.TrimSpace(lines[above].text) == "" {
		above--
	}
	if above < 0 {
		return
	}
	if said := strings.TrimRightFunc(lines[above].text, unicode.IsSpace); strings.HasSuffix(said, ":") || strings.HasSuffix(said, "：") {
		b.Leads = append(b.Leads, lines[above].Span)
	}
}

func (b *Blocks) table(lines []line) {
	t := Table{Head: lines[0].Span}
	body := 1
	if strings.Trim(lines[1].text, "|-: \t") == "" {
		t.Head.End, body = lines[1].End, 2
	}
	for _, l := range lines[body:] {
		t.Rows = append(t.Rows, l.Span)
	}
	b.Tables = append(b.Tables, t)
}

// rowOf reports whether line i is a row of a table: it has two cells or more.
func rowOf(lines []line, i int) bool {
	if i < 0 || i >= len(lines) {
		return false
	}
	bare := strings.TrimSpace(lines[i].text)
	return strings.HasPrefix(bare, "|") && strings.Count(bare, "|") > 1 || strings.Contains(bare, "\t") || strings.Contains(bare, " | ")
}

// isItem reports whether a line begins an item of a list.
func isItem(s string) bool {
	runes := []rune(strings.TrimLeft(s, " \t\u3000"))
	if len(runes) < 2 {
		return false
	}
	switch {
	case strings.ContainsRune("-*+•", runes[0]):
		return unicode.IsSpace(runes[1])
	case runes[0] == '・':
		return true
	}
	return listNumber(runes, 0)
}

// goesOn reports whether a line goes on with an item: it is indented and no item itself.
func goesOn(s string) bool {
	return s != "" && (s[0] == ' ' || s[0] == '\t' || strings.HasPrefix(s, "\u3000")) && strings.TrimSpace(s) != "" && !isItem(s)
}

// Cells are the cells of a line that is a row of a table, as our readers and Markdown write it; nil of any other line.
func Cells(line string) []string {
	var cells []string
	switch trimmed := strings.TrimSpace(line); {
	case strings.Contains(strings.TrimRight(line, " \t"), "\t") && trimmed != "":
		cells = strings.Split(strings.TrimRight(line, " \t"), "\t")
	case strings.HasPrefix(trimmed, "|") && strings.HasSuffix(trimmed, "|") && len(trimmed) > 2:
		cells = strings.Split(trimmed[1:len(trimmed)-1], "|")
	default:
		return nil
	}
	for i := range cells {
		cells[i] = strings.Join(strings.Fields(cells[i]), " ")
	}
	return cells
}

// Rule reports whether cells are those of the line below the head of a table.
func Rule(cells []string) bool { return strings.Trim(strings.Join(cells, ""), "-: ") == "" }

// SayRow says a row with the names of its columns, of which there may be none: "Silver member: Domestic JPY 1,650, International
// JPY 3,300". A row that says nothing beside its name, or has none, is "".
func SayRow(columns, cells []string, lang string) string {
	opens, joins := ": ", ", "
	if lang == "ja" {
		opens, joins = "：", "、"
	}
	var parts []string
	for i, cell := range cells[1:] {
		switch {
		case cell == "":
		case i+1 < len(columns) && columns[i+1] != "":
			parts = append(parts, columns[i+1]+" "+cell)
		default:
			parts = append(parts, cell)
		}
	}
	if cells[0] == "" || len(parts) == 0 {
		return ""
	}
	return cells[0] + opens + strings.Join(parts, joins)
}
