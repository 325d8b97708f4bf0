package spreadsheet

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// CellLimit is the number of UTF-16 units a spreadsheet cell holds. Beyond it the writer would cut without a word.
const CellLimit = 32767

// Clean makes text fit for XML and one cell: valid UTF-8, no control characters, line breaks as "\n", tabs as spaces.
func Clean(s string) string {
	if !needsCleaning(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\r':
			return '\n'
		case r == '\t':
			return ' '
		case r < ' ', r == 0x7F, r >= 0x80 && r <= 0x9F, r == 0xFFFE, r == 0xFFFF:
			return -1
		default:
			return r
		}
	}, s)
}

func needsCleaning(s string) bool {
	for i, r := range s {
		if r < ' ' && r != '\n' || r >= 0x7F && r <= 0x9F || r == 0xFFFE || r == 0xFFFF {
			return true
		}
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return true
		}
	}
	return false
}

// Fit cuts text that is longer than a cell and ends it with marker.
func Fit(s, marker string) string {
	if len(s) <= CellLimit { // bytes are never fewer than UTF-16 units
		return s
	}
	room := CellLimit - units(marker)
	used, end := 0, -1
	for i, r := range s {
		if end < 0 && used+utf16.RuneLen(r) > room {
			end = i
		}
		used += utf16.RuneLen(r)
	}
	if used <= CellLimit {
		return s
	}
	return s[:end] + marker
}

func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// OneLine is text with one space for each run of white space, and none at its ends.
func OneLine(s string) string {
	space := true
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || c == ' ' && space {
			return strings.Join(strings.Fields(s), " ")
		}
		space = c == ' '
	}
	if space {
		return strings.TrimRight(s, " ")
	}
	return s
}

// Risky reports whether a spreadsheet would read the text as a formula if somebody typed it. The wide signs count too: a
// Japanese spreadsheet takes them for the narrow ones.
func Risky(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, separators+" \n\t\r\u3000"))
	return strings.ContainsRune("=+-@＝＋－＠", r) && r != utf8.RuneError
}

// wide is the width of an East Asian character or emoji in digits of the fonts of the reports.
const wide = 1.85

// advance is the width of a rune in columns, which are as wide as a digit. Latin letters have the width of their group.
func advance(r rune) float64 {
	switch {
	case r >= 0 && r < rune(len(latin)):
		return latin[r]
	case r >= 0x1100 && r <= 0x115F, r >= 0x2460 && r <= 0x24FF, r >= 0x2E80 && r <= 0xFFDC, r >= 0x1F000:
		return wide
	}
	return 1
}

// latin are the widths of the first runes: a workbook of 10,000 questions asks for tens of millions.
var latin = func() (widths [128]float64) {
	for r := range widths {
		switch r := rune(r); {
		case strings.ContainsRune(" iljI.,;:'|!()[]", r):
			widths[r] = 0.6
		case strings.ContainsRune("tfrscz-", r):
			widths[r] = 0.8
		case strings.ContainsRune("mwMW", r):
			widths[r] = 1.5
		case r >= 'A' && r <= 'Z':
			widths[r] = 1.2
		default:
			widths[r] = 1
		}
	}
	return widths
}()

// Lines estimates how many lines the text takes in a wrapped cell of this width, counting no further than most. A line ends after the
// last space that fits, or after any wide character.
func Lines(s string, width float64, most int) int {
	room := max(1, width-1)
	n, at, word := 1, 0.0, 0.0 // word is the width since the last place where a line may end
	for _, r := range s {
		if n >= most {
			return most
		}
		w := advance(r)
		switch {
		case r == '\n':
			n, at, word = n+1, 0, 0
			continue
		case at+w > room && r == ' ':
			continue
		case at+w > room && word < at && w < wide:
			n, at = n+1, word
		case at+w > room:
			n, at, word = n+1, 0, 0
		}
		at, word = at+w, word+w
		if r == ' ' || w == wide {
			word = 0
		}
	}
	return n
}

// CharactersAt is how many characters of this size in points stand in the width of one of the column's own, which are of 11.
func CharactersAt(size float64) float64 { return 11 / size }
