package textual

import (
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/text"
)

// Proves reports whether a passage holds a quote word for word, or all of it but the letters that complete the word which the
// passage's end or beginning cuts off.
func Proves(passage, quote string) bool {
	return quotes(foldedPassages.Of(passage), quote) || quotesCut(passage, quote)
}

// quotes reports whether a passage, folded by FoldQuote, holds a quote word for word. A quote that leaves words out with an
// ellipsis must hold its parts in their order. Case, width, white space and marks do not count, since models tidy them.
func quotes(folded, quote string) bool {
	at, length := 0, 0
	for part := range strings.SplitSeq(strings.ReplaceAll(quote, "…", "..."), "...") {
		part = FoldQuote(part)
		i := strings.Index(folded[at:], part)
		if i < 0 {
			return false
		}
		at += i + len(part)
		length += len([]rune(part))
	}
	return length >= min(2, len([]rune(folded))) && length > 0 // a single letter stands in every passage
}

// Bounds of a word that a quote may complete.
const (
	leastBeside    = 8  // letters and numbers of the quote that stand in the passage
	mostCompleted  = 20 // letters added to a word between spaces
	mostCompletedJ = 3  // letters added where words have no spaces between them
)

// quotesCut reports whether a quote is right but for the word that the passage's end or beginning cuts off, and that the quote
// completes. Only letters may be completed: a number that goes on is another number.
func quotesCut(passage, quote string) bool {
	passage, quote = strings.TrimSpace(passage), strings.TrimSpace(quote)
	folded := foldedPassages.Of(passage)
	runes := []rune(strings.TrimRightFunc(quote, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }))
	for n := 1; n <= completed(runes, true) && endsInWord(passage); n++ {
		if part := FoldQuote(string(runes[:len(runes)-n])); len([]rune(part)) >= leastBeside && strings.HasSuffix(folded, part) {
			return true
		}
	}
	runes = []rune(strings.TrimLeftFunc(quote, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }))
	for n := 1; n <= completed(runes, false) && beginsInWord(passage); n++ {
		if part := FoldQuote(string(runes[n:])); len([]rune(part)) >= leastBeside && strings.HasPrefix(folded, part) {
			return true
		}
	}
	return false
}

func endsInWord(s string) bool {
	runes := []rune(s)
	return len(runes) > 0 && unicode.IsLetter(runes[len(runes)-1])
}

func beginsInWord(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r)
	}
	return false
}

// completed is how many letters at the end, or at the beginning, of a quote may have been added to a word: all of its last or first
// word but one letter.
func completed(quote []rune, atEnd bool) int {
	n := 0
	for n < len(quote) {
		r := quote[n]
		if atEnd {
			r = quote[len(quote)-1-n]
		}
		if !unicode.IsLetter(r) {
			break
		}
		n++
	}
	most := mostCompleted
	if text.Language(string(quote)) == "ja" {
		most = mostCompletedJ
	}
	return min(n-1, most)
}

// foldedPassages remembers FoldQuote of passages, which a sweep shows again and again.
var foldedPassages = text.NewMemo(4096, FoldQuote)

// FoldQuote keeps of a quote, or of a passage, the letters, numbers and signs that carry meaning.
func FoldQuote(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || unicode.Is(unicode.Sc, r) ||
			strings.ContainsRune("%+=<>°", r) {
			return r
		}
		return -1
	}, text.Fold(s))
}
