package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The rules by which a text is cut before its pairs are merged, which the makers of the vocabularies publish as patterns. Of the parts of
// a pattern the first that fits counts. Matched here they take half the time of a library for such patterns, and none is compiled.

// o200kPiece is
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func o200kPiece(s string) int {
	lead := leading(s)
	n := capitalized(s[lead:])
	if n > 0 {
		n += lead
	} else if n = capitalized(s); n == 0 {
		if n = spread(s[lead:], upper); n == 0 {
			return otherPiece(s, "\r\n/")
		}
		n += lead
	}
	return n + contraction(s[n:])
}

// cl100kPiece is
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cl100kPiece(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	lead := leading(s)
	if n := spread(s[lead:], unicode.IsLetter); n > 0 {
		return lead + n
	}
	return otherPiece(s, "\r\n")
}

// leading is [^\r\n\p{L}\p{N}]?.
func leading(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if newline(r) || unicode.IsLetter(r) || unicode.IsNumber(r) {
		return 0
	}
	return size
}

// spread is the length of the characters at the beginning of s that are such.
func spread(s string, such func(rune) bool) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !such(r) }); n >= 0 {
		return n
	}
	return len(s)
}

// upper is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}].
func upper(r rune) bool {
	if r < utf8.RuneSelf {
		return 'A' <= r && r <= 'Z'
	}
	return !unicode.Is(unicode.Ll, r) && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// lower is [\p{Ll}\p{Lm}\p{Lo}\p{M}].
func lower(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z'
	}
	return !unicode.Is(unicode.Lu, r) && !unicode.Is(unicode.Lt, r) && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// capitalized is the length of characters that are upper, as many as there are, and then at least one that is lower; 0 where there is
// none. One that is both, as letters without cases are, is taken for lower when it must be.
func capitalized(s string) int {
	both := 0 // end of the last one that is
	for i, r := range s {
		if !upper(r) {
			if lower(r) {
				return i + spread(s[i:], lower)
			}
			return both
		}
		if lower(r) {
			both = i + utf8.RuneLen(r)
		}
	}
	return both
}

// contraction is (?i:'s|'t|'re|'ve|'m|'ll|'d), or 0.
func contraction(s string) int {
	if s == "" || s[0] != '\'' {
		return 0
	}
	for _, end := range [...]string{"s", "t", "re", "ve", "m", "ll", "d", "ſ"} {
		if n := 1 + len(end); n <= len(s) && strings.EqualFold(s[1:n], end) {
			return n
		}
	}
	return 0
}

// otherPiece is \p{N}{1,3}| ?[^\s\p{L}\p{N}]+[after]*|\s*[\r\n]+|\s+(?!\S)|\s+ of a text that begins with no letter.
//
// Of spaces with several ends of lines among them the pattern takes all to the last one. This takes them to the first one and those right
// behind it, as the library does that cut texts before: otherwise the same configuration would chunk the same document in another way.
func otherPiece(s, after string) int {
	numbers := 0
	for range 3 {
		if r, size := utf8.DecodeRuneInString(s[numbers:]); unicode.IsNumber(r) {
			numbers += size
		}
	}
	if numbers > 0 {
		return numbers
	}
	lead := 0
	if s[0] == ' ' {
		lead = 1
	}
	if n := spread(s[lead:], mark); n > 0 {
		n += lead
		for n < len(s) && strings.IndexByte(after, s[n]) >= 0 {
			n++
		}
		return n
	}
	last, end := 0, 0 // beginning and end of the last space
	for i, r := range s {
		if newline(r) {
			return i + spread(s[i:], newline)
		}
		if !unicode.IsSpace(r) {
			break
		}
		last, end = i, i+utf8.RuneLen(r)
	}
	if last > 0 && end < len(s) {
		return last
	}
	return end
}

func newline(r rune) bool { return r == '\r' || r == '\n' }

// mark is [^\s\p{L}\p{N}].
func mark(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) }
