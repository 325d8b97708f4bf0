package metrics

import (
	"strings"
	"unicode"
)

// nameRuns returns the words of a text that look like names: those with digits, those that begin with a capital inside a
// sentence together with the ones next to them, and runs of katakana or of Latin letters inside Japanese.
func nameRuns(s string) []string {
	var out, run []string
	flush := func() {
		if len(run) > 0 {
			out = append(out, strings.Join(run, " "))
			run = nil
		}
	}
	begins := true // the next word opens a sentence, where a capital says nothing
	for _, word := range strings.Fields(s) {
		bare := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		first := ' '
		for _, r := range bare {
			first = r
			break
		}
		switch {
		case strings.ContainsFunc(bare, wide):
			flush()
			out = append(out, wideNames(bare)...)
		case bare != "" && (unicode.IsUpper(first) && !begins || strings.ContainsFunc(bare, unicode.IsDigit)):
			run = append(run, bare)
		default:
			flush()
		}
		ends := strings.ContainsAny(word[len(word)-1:], ".!?,;:")
		if ends {
			flush()
		}
		begins = strings.ContainsAny(word[len(word)-1:], ".!?")
	}
	flush()
	return out
}

func wide(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// wideNames returns the runs of katakana, of Latin letters and of digits with the counter after them.
func wideNames(s string) []string {
	kind := func(r rune) int {
		switch {
		case unicode.Is(unicode.Katakana, r) || r == 'ー':
			return 1
		case r < 0x80 && unicode.IsLetter(r):
			return 2
		case unicode.IsDigit(r) || r == '.' || r == ',':
			return 3
		case unicode.Is(unicode.Han, r):
			return 4
		}
		return 0
	}
	var out []string
	runes := []rune(s)
	for i := 0; i < len(runes); {
		k, j := kind(runes[i]), i+1
		for j < len(runes) && kind(runes[j]) == k {
			j++
		}
		end := j
		if k == 3 && j < len(runes) && kind(runes[j]) == 4 {
			end++ // 48時間, 440円: the counter belongs to the number
		}
		switch {
		case k == 1 && j-i >= 2, k == 2 && j-i >= 2, k == 3 && unicode.IsDigit(runes[i]):
			out = append(out, strings.Trim(string(runes[i:end]), ".,"))
		}
		i = max(end, j)
	}
	return out
}
