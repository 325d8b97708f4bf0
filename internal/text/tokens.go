package text

import "unicode/utf8"

// TokenCounter returns what counts the tokens of a text in a vocabulary: o200k_base, or cl100k_base.
func TokenCounter(encoding string) func([]rune) int {
	v := vocabularyOf(encoding)
	return func(r []rune) int {
		n := 0
		v.tokens(string(r), func(int) { n++ })
		return n
	}
}

// Tokens cuts s into byte-pair tokens of a vocabulary: o200k_base, or cl100k_base. Where a token ends inside a character the character
// goes to the token that begins it, and a token left without a character is dropped, so the spans cover s without gaps.
func Tokens(encoding, s string) []Span {
	if !utf8.ValidString(s) {
		s = string([]rune(s)) // a byte that is no character counts as one
	}
	var spans []Span
	start, end, tokenEnd, at := 0, 0, 0, 0 // start, end count code points; tokenEnd, at count bytes
	vocabularyOf(encoding).tokens(s, func(size int) {
		tokenEnd += size
		for at < tokenEnd {
			_, size := utf8.DecodeRuneInString(s[at:])
			at += size
			end++
		}
		if end > start {
			spans = append(spans, Span{Start: start, End: end})
			start = end
		}
	})
	return spans
}
