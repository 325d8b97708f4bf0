package textual

import (
	"slices"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// SameAnswer reports whether two answers say the same in the same words: they may differ in white space, letter case, width of letters,
// emphasis, the marks of lists, and citations.
func SameAnswer(a, b string) bool {
	return a == b || !plainlyDiffer(a, b) && slices.EqualFunc(plainSentences(a), plainSentences(b),
		func(x, y string) bool { return x == y || text.Fold(x) == text.Fold(y) })
}

// plainlyDiffer reports whether two answers differ in a letter or a digit that is never left out, which most do early: then nobody needs
// to cut them into sentences. Letters always count. A digit counts behind a letter, with nothing but spaces between: elsewhere it may be
// the number of a list's item or of a citation. Beyond ASCII nothing is plain.
func plainlyDiffer(a, b string) bool {
	x, y := plainWalk{text: a}, plainWalk{text: b}
	for {
		c, d := x.next(), y.next()
		switch {
		case c == 0 || d == 0:
			return false
		case c == d:
		default:
			return plainLetter(c) == plainLetter(d) // a digit may count in one of them only, behind emphasis in the other
		}
	}
}

// plainWalk visits the characters of a text that are never left out.
type plainWalk struct {
	text   string
	at     int
	behind bool // the last character that is no space was visited
}

// next is the next character that counts, in lower case; 0 at the end, and where plain text ends.
func (w *plainWalk) next() byte {
	for ; w.at < len(w.text); w.at++ {
		c := w.text[w.at]
		switch {
		case c >= utf8.RuneSelf:
			return 0
		case plainLetter(c | 0x20):
			w.at++
			w.behind = true
			return c | 0x20
		case '0' <= c && c <= '9' && w.behind:
			w.at++
			return c
		case c != ' ':
			w.behind = false
		}
	}
	return 0
}

func plainLetter(c byte) bool { return 'a' <= c && c <= 'z' }
