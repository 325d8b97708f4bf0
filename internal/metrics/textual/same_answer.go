package textual

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/text"
)

// SameAnswer reports whether two answers say the same in the same words: they may differ in white space, letter case, width of letters,
// emphasis, the marks of lists, and citations.
func SameAnswer(a, b string) bool {
	return a == b || slices.EqualFunc(plainSentences(a), plainSentences(b),
		func(x, y string) bool { return x == y || text.Fold(x) == text.Fold(y) })
}
