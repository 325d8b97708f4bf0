package text

import (
	"strings"
	"unicode"
)

// Sentences cuts s into sentences, trimmed of surrounding white space and in order. Japanese sentences end at 。！？ outside
// brackets and at line ends; English ones at . ! ? before white space unless an abbreviation, an initial or a number
// explains the full stop. Every character that is not white space belongs to exactly one sentence.
func Sentences(s string) []Span {
	runes := []rune(s)
	lineEnds := Language(s) == "ja"
	var spans []Span
	start, depth := 0, 0
	cut := func(end int) {
		if span, ok := trim(runes, start, end); ok {
			spans = append(spans, span)
		}
		start = end
	}
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == '\n':
			depth = 0 // a bracket left open does not swallow the rest of the text
			if lineEnds || blankLine(runes, i) || endsLine(runes, i) {
				cut(i + 1)
			}
		case strings.ContainsRune("「『（(【", r):
			depth++
		case strings.ContainsRune("」』）)】", r):
			depth = max(0, depth-1)
		case depth == 0 && strings.ContainsRune("。！？", r):
			for i+1 < len(runes) && strings.ContainsRune("。！？」』）", runes[i+1]) {
				i++
			}
			cut(i + 1)
		case depth == 0 && (r == '.' || r == '!' || r == '?') && endsEnglish(runes, start, i):
			for i+1 < len(runes) && strings.ContainsRune(`"'”’)]`, runes[i+1]) {
				i++
			}
			cut(i + 1)
		}
	}
	cut(len(runes))
	return spans
}

// Paragraphs cuts s at blank lines, trimmed and in order.
func Paragraphs(s string) []Span {
	runes := []rune(s)
	var spans []Span
	start := 0
	for i := range runes {
		if runes[i] == '\n' && blankLine(runes, i) {
			if span, ok := trim(runes, start, i); ok {
				spans = append(spans, span)
			}
			start = i + 1
		}
	}
	if span, ok := trim(runes, start, len(runes)); ok {
		spans = append(spans, span)
	}
	return spans
}

func trim(runes []rune, start, end int) (Span, bool) {
	for start < end && unicode.IsSpace(runes[start]) {
		start++
	}
	for end > start && unicode.IsSpace(runes[end-1]) {
		end--
	}
	return Span{Start: start, End: end}, start < end
}

// blankLine reports whether the line after the line feed at i holds only white space.
func blankLine(runes []rune, i int) bool {
	for _, r := range runes[i+1:] {
		if r == '\n' {
			return true
		}
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return false
}

// endsLine reports whether an English line feed at i also ends a sentence: after final punctuation or a colon, and before
// a list item. Other line feeds are wrapping.
func endsLine(runes []rune, i int) bool {
	for j := i - 1; j >= 0 && runes[j] != '\n'; j-- {
		if unicode.IsSpace(runes[j]) {
			continue
		}
		if strings.ContainsRune(".!?:;", runes[j]) {
			return true
		}
		break
	}
	for j := i + 1; j < len(runes); j++ {
		if !unicode.IsSpace(runes[j]) {
			return strings.ContainsRune("-*•・#|", runes[j]) || listNumber(runes, j)
		}
	}
	return false
}

// listNumber reports whether an item of a numbered list begins at i: one or two digits, a full stop or a bracket, white space.
func listNumber(runes []rune, i int) bool {
	end := i
	for end < len(runes) && unicode.IsDigit(runes[end]) {
		end++
	}
	return end > i && end-i <= 2 && end+1 < len(runes) && strings.ContainsRune(".)", runes[end]) && unicode.IsSpace(runes[end+1])
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"al": true, "approx": true, "cf": true, "dr": true, "e.g": true, "eq": true, "etc": true, "fig": true, "figs": true,
	"i.e": true, "inc": true, "jr": true, "ltd": true, "mr": true, "mrs": true, "ms": true,
	"p": true, "pp": true, "prof": true, "ref": true, "refs": true, "sp": true, "spp": true, "st": true, "u.s": true,
	"vol": true, "vs": true,
}

// endsEnglish reports whether the mark at i ends a sentence that began at start.
func endsEnglish(runes []rune, start, i int) bool {
	next := i + 1
	for next < len(runes) && strings.ContainsRune(`"'”’)]`, runes[next]) {
		next++
	}
	if next < len(runes) && !unicode.IsSpace(runes[next]) {
		return false // inside a number, an address, a file name
	}
	if runes[i] != '.' {
		return true
	}
	word := i
	for word > start && !unicode.IsSpace(runes[word-1]) && !strings.ContainsRune("([\"'“‘", runes[word-1]) {
		word--
	}
	if before, ok := trim(runes, start, i); ok && before.Start == word && listNumber(runes, word) {
		return false
	}
	for next < len(runes) && unicode.IsSpace(runes[next]) {
		next++
	}
	last := strings.ToLower(string(runes[word:i]))
	if (last == "no" || last == "nos") && next < len(runes) && unicode.IsDigit(runes[next]) {
		return false
	}
	if abbreviations[last] || len([]rune(last)) == 1 && unicode.IsLetter([]rune(last)[0]) {
		return false
	}
	return next >= len(runes) || !unicode.IsLower(runes[next])
}
