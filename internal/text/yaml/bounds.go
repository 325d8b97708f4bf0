package yaml

import (
	"bytes"
	"unicode/utf8"
)

// The most that a text may hold before the library sees it. Real files are five deep and a few kilobytes long.
const (
	MaxBytes = 1 << 20 // of a text
	MaxDepth = 64      // of lists and mappings within each other
	MaxNames = 10_000  // lines and commas that name something
)

// check refuses what the library would read wrongly, or for ever. Quotation marks mean nothing to it: a text with 65 brackets that are
// never closed is refused too.
func check(raw []byte) error {
	if len(raw) > MaxBytes {
		return wrong(1, "the text is longer than %d KiB", MaxBytes>>10).write("split it, or keep long texts in files of their own")
	}
	number, names, d := 0, 0, depth{}
	for line := range bytes.Lines(raw) {
		number++
		if !utf8.Valid(line) {
			return wrong(number, "the text is not valid UTF-8; save it as UTF-8").
				write("in the editor: save as, encoding UTF-8")
		}
		if d.after(line) > MaxDepth {
			return wrong(number, "lists or objects are more than %d deep within each other; close the brackets", MaxDepth).
				write("close each bracket on its own line")
		}
		names += bytes.Count(line, []byte(": ")) + bytes.Count(line, []byte(":\n"))
		if names > MaxNames {
			return wrong(number, "the text has more than %d names", MaxNames).write("split it, or keep long texts in files of their own")
		}
	}
	return nil
}

// depth follows how deep lists and mappings stand within each other.
type depth struct {
	brackets int
	indents  []int // of the lines that the present one stands under
}

// after is the greatest depth within the next line.
func (d *depth) after(line []byte) int {
	rest := bytes.TrimLeft(line, " ")
	indent, marks := len(line)-len(rest), 0
	for len(rest) > 1 && (rest[0] == '-' || rest[0] == '?') && rest[1] == ' ' {
		rest = bytes.TrimLeft(rest[1:], " ")
		marks++
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		for len(d.indents) > 0 && d.indents[len(d.indents)-1] >= indent {
			d.indents = d.indents[:len(d.indents)-1]
		}
		d.indents = append(d.indents, indent)
	}
	most := d.brackets
	for _, c := range line {
		switch c {
		case '[', '{':
			d.brackets++
			most = max(most, d.brackets)
		case ']', '}':
			d.brackets = max(0, d.brackets-1)
		}
	}
	return max(most, marks+len(d.indents)-1)
}
