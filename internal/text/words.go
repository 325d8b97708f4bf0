package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Word is one word of a text, for comparing word by word; see [Terms] for comparing without order.
type Word struct {
	Text  string // as [Terms] would write it: stemmed English, a number without separators, a run of kanji, katakana or hiragana
	Raw   string // folded, but not stemmed
	Class Class
	Name  bool // an English word with a capital letter that does not only open a sentence
	Break bool // a mark other than white space, an apostrophe or a hyphen stands before it
}

// Words cuts s into words, in order. English words and numbers are those of [Terms]; Japanese ones are runs of one script,
// which is as far as one comes without a dictionary: 犬が座っています gives 犬, が, 座, っています.
func Words(s string) []Word {
	runes := []rune(strings.ReplaceAll(norm.NFKC.String(s), "’", "'"))
	words := make([]Word, 0, len(runes)/4)
	opens, marked := true, false
	for i := 0; i < len(runes); {
		script := scriptOfWord(runes[i])
		if script == other {
			switch r := runes[i]; {
			case strings.ContainsRune(".!?:。！？\n\"“", r):
				opens, marked = true, true
			case !unicode.IsSpace(r) && r != '\'' && r != '-':
				marked = true
			}
			i++
			continue
		}
		j := i + 1
		for j < len(runes) && sameWord(script, runes, j) {
			j++
		}
		w := wordOf(script, runes[i:j])
		w.Name = script == latin && w.Class == Content && unicode.IsUpper(runes[i]) && (!opens || j > i+1 && unicode.IsUpper(runes[i+1]))
		w.Break = marked
		words = append(words, w)
		opens, marked = false, false
		i = j
	}
	return words
}

// kataScript is katakana as a script of its own where words, not pairs of characters, are compared.
const kataScript script = ideo + 1

func scriptOfWord(r rune) script {
	if unicode.Is(unicode.Katakana, r) || r == 'ー' {
		return kataScript
	}
	return scriptOf(unicode.ToLower(r))
}

func sameWord(s script, runes []rune, j int) bool {
	next := scriptOfWord(runes[j])
	switch s {
	case kataScript, ideo, kana:
		return next == s || s == kana && runes[j] == 'ー'
	default:
		return sameRun(s, runes, j)
	}
}

func wordOf(s script, run []rune) Word {
	raw := strings.ToLower(string(run))
	switch {
	case s == digit:
		raw = strings.ReplaceAll(raw, ",", "")
		return Word{Text: raw, Raw: raw, Class: Number}
	case s == kana, s == latin && stopWords()[raw]:
		return Word{Text: raw, Raw: raw, Class: Function}
	case s == latin:
		return Word{Text: stem(raw), Raw: raw, Class: Content}
	default:
		return Word{Text: raw, Raw: raw, Class: Content}
	}
}
