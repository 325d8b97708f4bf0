package text

import (
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// Fold prepares text for matching, never for showing: NFKC, lower case, white space runs to one space, ends trimmed.
func Fold(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(s))), " ")
}

// Class says what kind of characters a term is made of.
type Class int

// The classes, by how much meaning a term of that class usually carries.
const (
	Function Class = iota // English stop words and hiragana: grammar more than meaning
	Content               // stemmed English words, kanji and katakana
	Number                // digits, with their decimal point and without thousands separators
)

// Term is one unit of lexical matching.
type Term struct {
	Text  string
	Class Class
}

// Terms cuts s into units for lexical matching, in order: English words are stemmed (Snowball), numbers stand alone,
// kanji and katakana give overlapping pairs of characters (a single character stands alone), hiragana gives pairs too.
// Pairs match without a dictionary and, on Japanese questions, as well as words do.
func Terms(s string) []Term {
	runes := foldedRunes(s)
	terms := make([]Term, 0, len(runes)/2)
	for i := 0; i < len(runes); {
		script := scriptOf(runes[i])
		j := i + 1
		for j < len(runes) && sameRun(script, runes, j) {
			j++
		}
		terms = appendRun(terms, script, runes[i:j])
		i = j
	}
	return terms
}

// foldedRunes folds s and writes a typographic apostrophe as the plain one, so that “don’t” and "don't" are one word.
func foldedRunes(s string) []rune { return []rune(strings.ReplaceAll(Fold(s), "’", "'")) }

type script int

const (
	other script = iota
	latin
	digit
	kana // hiragana
	ideo // kanji and katakana: words mix them
)

func scriptOf(r rune) script {
	switch {
	case r >= '0' && r <= '9':
		return digit
	case unicode.Is(unicode.Hiragana, r):
		return kana
	case unicode.Is(unicode.Han, r), unicode.Is(unicode.Katakana, r), r == 'ー', r == '々':
		return ideo
	case unicode.IsLetter(r):
		return latin
	}
	return other
}

// sameRun reports whether runes[j] continues a run of this script: a number keeps its separators, a word its apostrophe.
func sameRun(s script, runes []rune, j int) bool {
	next := scriptOf(runes[j])
	if next == s && s != other || s == latin && next == digit {
		return true
	}
	if j+1 >= len(runes) {
		return false
	}
	switch s {
	case digit:
		return (runes[j] == '.' || runes[j] == ',') && scriptOf(runes[j+1]) == digit
	case latin:
		return runes[j] == '\'' && scriptOf(runes[j+1]) == latin
	default:
		return false
	}
}

func appendRun(terms []Term, s script, run []rune) []Term {
	switch s {
	case digit:
		return append(terms, Term{Text: strings.ReplaceAll(string(run), ",", ""), Class: Number})
	case latin:
		word := string(run)
		if stopWords()[word] {
			return append(terms, Term{Text: word, Class: Function})
		}
		return append(terms, Term{Text: stem(word), Class: Content})
	case kana, ideo:
		class := Content
		if s == kana {
			class = Function
		}
		if len(run) == 1 {
			return append(terms, Term{Text: string(run), Class: class})
		}
		for i := range len(run) - 1 {
			terms = append(terms, Term{Text: string(run[i : i+2]), Class: class})
		}
	default: // punctuation says nothing
	}
	return terms
}

// stem is the Porter stem of an English word. A language has fewer words than its texts.
func stem(word string) string { return stems.Of(word) }

var stems = NewMemo(1<<15, func(word string) string {
	env := snowballstem.NewEnv(strings.TrimSuffix(word, "'s"))
	english.Stem(env)
	return env.Current()
})

var stopWords = sync.OnceValue(func() map[string]bool {
	const list = `a about above after again against all also am an and any are aren't as at be because been before being
		below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each
		either few for from further get had has have having he her here hers him his how i if in into is isn't it it's its
		itself just may me might more most must my no nor not of off on once only or other our out over own per please same
		shall she should so some such than that the their them then there these they this those through to too under until
		up upon us very was wasn't we were what what's when where whether which while who whom whose why will with within
		without won't would you your yours`
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
})

// Keywords returns the distinct content words of s in order, as written after folding: English words that are not stop
// words, numbers, and whole runs of kanji and katakana.
func Keywords(s string) []string {
	var words []string
	seen := map[string]bool{}
	runes := foldedRunes(s)
	for i := 0; i < len(runes); {
		script := scriptOf(runes[i])
		j := i + 1
		for j < len(runes) && sameRun(script, runes, j) {
			j++
		}
		word := string(runes[i:j])
		content := script == ideo || script == digit || script == latin && !stopWords()[word]
		if content && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
		i = j
	}
	return words
}
