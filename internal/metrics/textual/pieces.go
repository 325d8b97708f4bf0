package textual

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// piece is a part of a text that says something by itself: a sentence, a row of a table, a line of a list.
type piece struct {
	text string // as it stands
	said string // as a sentence says it: a row with the names of its columns, the first of which is left out
	name string // of a row: the name of its first column, where known
	head bool   // it names the columns of a table
}

// claimPieces cuts a text that is checked. Its rows have names for their columns only where a rule below the first row shows that it is
// the head: rows that were quoted without theirs stand for themselves.
func claimPieces(s string) []piece {
	return cutPieces(s, func(string) bool { return true })
}

// passagePieces cuts a text that is checked against. The first row of a table is its head, unless the text was cut in the middle of
// the head.
func passagePieces(s string) []piece { return cutPieces(s, beginsInHead) }

// beginsInHead reports whether the text above a table is one line that begins in the middle of a sentence or a cell, and that may end the
// table's head.
func beginsInHead(above string) bool {
	first, _ := utf8.DecodeRuneInString(above)
	return strings.Count(above, "\n") == 1 && (unicode.IsLower(first) || strings.ContainsRune(",;:.)]%’'ー、。）」", first))
}

// cutPieces cuts a text into its pieces, in order. headless says of the text above a table that its first row is no head.
func cutPieces(s string, headless func(above string) bool) []piece {
	if !strings.ContainsAny(s, "\t|") {
		return prosePieces(s)
	}
	var out []piece
	var rows []string
	kept, at, table := 0, 0, 0 // where the prose that is not cut yet, the next line and the last table begin
	flush := func() {
		if len(rows) > 0 {
			out = append(out, rowPieces(rows, headless(s[:table]))...)
			rows = nil
		}
	}
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		begin := at
		at += len(line)
		beside := len(rows) > 0 || i+1 < len(lines) && fullRow(lines[i+1])
		if !fullRow(line) && !(beside && len(cellsOf(line)) > 0) {
			flush()
			continue
		}
		if len(rows) == 0 {
			out = append(out, prosePieces(s[kept:begin])...)
			table = begin
		}
		rows = append(rows, strings.TrimRight(line, " \t\r\n"))
		kept = at
	}
	flush()
	return append(out, prosePieces(s[kept:])...)
}

func cellsOf(line string) []string { return text.Cells(strings.TrimRight(line, "\r\n")) }

// fullRow reports whether a line has two cells that say something. With one it is a row only beside such: it may only be indented.
func fullRow(line string) bool {
	filled := 0
	for _, cell := range cellsOf(line) {
		filled += int(Truth(cell != ""))
	}
	return filled > 1
}

// rowPieces are the rows of one table.
func rowPieces(lines []string, headless bool) []piece {
	var out []piece
	var columns []string
	for i, line := range lines {
		cells := text.Cells(line)
		ruled := i+1 < len(lines) && text.Rule(text.Cells(lines[i+1]))
		switch {
		case text.Rule(cells):
		case i == 0 && len(lines) > 1 && (ruled || !headless):
			out = append(out, piece{text: line, said: sayRow(nil, cells), head: true})
			columns = cells
		default:
			p := piece{text: line, said: sayRow(columns, cells)}
			if len(columns) > 0 {
				p.name = columns[0]
			}
			out = append(out, p)
		}
	}
	return out
}

// sayRow says a row, and only lists the cells of one that is not named or says nothing else.
func sayRow(columns, cells []string) string {
	lang := text.Language(strings.Join(cells, " "))
	if said := text.SayRow(columns, cells, lang); said != "" {
		return said
	}
	joint := ", "
	if lang == "ja" {
		joint = "、"
	}
	var filled []string
	for _, cell := range cells {
		if cell != "" {
			filled = append(filled, cell)
		}
	}
	return strings.Join(filled, joint)
}

// prosePieces are the sentences of a text without tables. Lines that end in a citation, and lines of names with what is said of them, are
// apart as items of a list are.
func prosePieces(s string) []piece {
	var out []piece
	x := text.NewIndex(s)
	for _, span := range text.Sentences(s) {
		sentence := x.Slice(span.Start, span.End)
		from, lines := 0, strings.SplitAfter(sentence, "\n")
		for i, at := 0, 0; i < len(lines); i++ {
			at += len(lines[i])
			if i == len(lines)-1 || apart(lines[i], lines[i+1]) {
				part := strings.TrimSpace(sentence[from:at])
				out = append(out, piece{text: part, said: part})
				from = at
			}
		}
	}
	return out
}

var (
	cited = text.Lazy(`\[\d+(?:\s*,\s*\d+)*\]\s*$`)
	named = text.Lazy(`^[\p{Lu}\p{N}][^:.!?]{0,58}: \S`)
)

// apart reports whether two lines of what ends like one sentence are two.
func apart(line, next string) bool {
	return cited.MatchString(line) || named.MatchString(line) && named.MatchString(next) && !strings.HasSuffix(strings.TrimSpace(line), ",")
}
