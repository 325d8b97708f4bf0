package readers

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// page collects the text of a rendered page: words separated as a reader sees them, blocks on lines of their own. White
// space in the source means nothing except inside preformatted text.
type page struct {
	b       strings.Builder
	last    rune // last character written, 0 at the start
	space   bool // white space was seen since
	newline bool // that white space had a line end
	lines   int  // line ends due before the next character: 0, 1 or 2 (blank line)
	prefix  string
	due     int // level of the heading that the next character begins; 0 of any other text
	marks   []mark
}

// mark is a heading: where it begins in what was written, in bytes, and its level.
type mark struct{ at, level int }

// heading says that a heading of this level begins with the next character, if it has one before endHeading.
func (p *page) heading(level int) { p.due = level }
func (p *page) endHeading()       { p.due = 0 }

// words appends running text: white space collapses to one space. A line end between two characters of a script that
// is written without spaces joins them, because it only wraps the source.
func (p *page) words(s string) {
	for _, r := range s {
		switch r {
		case ' ', '\t', '\n', '\r', '\f':
			p.space = true
			p.newline = p.newline || r == '\n'
			continue
		}
		p.flush(r)
		p.b.WriteRune(r)
		p.last = r
	}
}

// verbatim appends preformatted text with its line ends and indentation.
func (p *page) verbatim(s string) {
	if s == "" {
		return
	}
	p.flush(0)
	p.b.WriteString(s)
	p.last, _ = utf8.DecodeLastRuneInString(s)
}

// flush writes what is due before r.
func (p *page) flush(r rune) {
	switch {
	case p.lines > 0 && p.last != 0:
		for range p.lines {
			p.b.WriteByte('\n')
		}
	case p.lines > 0 || p.last == 0 || !p.space || p.last == '\t' || p.last == '\n':
	case p.newline && unspaced(p.last) && unspaced(r):
	default:
		p.b.WriteByte(' ')
	}
	p.space, p.newline, p.lines = false, false, 0
	if p.due > 0 {
		p.marks, p.due = append(p.marks, mark{p.b.Len(), p.due}), 0
	}
	if p.prefix != "" {
		p.b.WriteString(p.prefix)
		p.prefix = ""
	}
}

// breakLine starts a new line before the next character; breakBlock leaves a blank line before it.
func (p *page) breakLine()  { p.lines = max(p.lines, 1) }
func (p *page) breakBlock() { p.lines = 2 }

// mark starts a new line that begins with s ("- "), written once the line has a character.
func (p *page) mark(s string) {
	p.breakLine()
	p.prefix = s
}

// row writes the cells of a table row on one line, separated by tabs.
func (p *page) row(cells []string) {
	p.breakLine()
	if line := strings.TrimRight(strings.Join(cells, "\t"), "\t"); line != "" {
		p.verbatim(line)
	}
	p.breakLine()
}

// String is the text, without white space at the ends of lines and of the whole.
func (p *page) String() string {
	lines := strings.Split(p.b.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// headings are the lines of String, counted from 0, that begin a heading, with its level.
func (p *page) headings() [][2]int {
	written := p.b.String()
	blank := len(written) - len(strings.TrimLeft(written, "\n \t\r")) // lines at the beginning that String leaves out
	line, at := -strings.Count(written[:blank], "\n"), 0
	var out [][2]int
	for _, m := range p.marks {
		line += strings.Count(written[at:m.at], "\n")
		at = m.at
		out = append(out, [2]int{max(0, line), m.level})
	}
	return out
}

// cell is the text of a page on one line.
func (p *page) cell() string { return strings.Join(strings.Fields(p.String()), " ") }

// unspaced reports whether r belongs to a script written without spaces between words.
func unspaced(r rune) bool {
	return 0x3000 <= r && r <= 0x30ff || 0xff01 <= r && r <= 0xff60 || unicode.Is(unicode.Han, r)
}
