package textual

import (
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/text"
)

// isUnspaced reports whether r belongs to a script that is written without spaces between words, with its marks: each such
// character is a token of its own, as in sacrebleu's tokenizer for Chinese.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r == 'ー' || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}

// wordTokens folds s and cuts it into words of letters and digits; a character of a script without spaces stands alone.
// Everything else only separates. On plain ASCII these are the words of the public ROUGE scorer.
func wordTokens(s string) []string {
	var tokens []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			tokens = append(tokens, word.String())
			word.Reset()
		}
	}
	for _, r := range text.Fold(s) {
		letter := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		switch {
		case letter && isUnspaced(r):
			flush()
			tokens = append(tokens, string(r))
		case letter:
			word.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return tokens
}

// answerTokens are the tokens of SQuAD's token F1: folded, without punctuation and English articles. Punctuation joins what it
// stands between ("3,000" is "3000"); a character of a script without spaces stands alone.
func answerTokens(s string) []string {
	var b strings.Builder
	for _, r := range text.Fold(s) {
		switch {
		case unicode.IsPunct(r) || r < unicode.MaxASCII && unicode.IsSymbol(r):
		case isUnspaced(r):
			b.WriteRune(' ')
			b.WriteRune(r)
			b.WriteRune(' ')
		default:
			b.WriteRune(r)
		}
	}
	words := strings.Fields(b.String())
	kept := words[:0]
	for _, w := range words {
		if w != "a" && w != "an" && w != "the" {
			kept = append(kept, w)
		}
	}
	return kept
}

// TokenF1 is the F measure of the tokens that answer and reference share, each as often as both have it (SQuAD 1.1); Japanese
// counts by characters. When one has no tokens it is 1 if neither has, else 0.
func TokenF1(answer, reference string) float64 {
	a, r := answerTokens(answer), answerTokens(reference)
	if len(a) == 0 || len(r) == 0 {
		return Truth(len(a) == len(r))
	}
	return fMeasureOf(sharedCounts(gramCounts(a, 1), gramCounts(r, 1)), len(a), len(r), RougeFMeasure)
}

// gramCounts counts the runs of n tokens. Tokens hold no NUL, which keeps runs apart.
func gramCounts(tokens []string, n int) map[string]int {
	counts := make(map[string]int, len(tokens))
	for i := 0; i+n <= len(tokens); i++ {
		counts[strings.Join(tokens[i:i+n], "\x00")]++
	}
	return counts
}

// sharedCounts is the size of the intersection of two multisets.
func sharedCounts(a, b map[string]int) int {
	n := 0
	for gram, count := range a {
		n += min(count, b[gram])
	}
	return n
}
