package offline

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/rag-workbench/workbench/internal/text"
)

// The thesaurus is general knowledge of the two languages, written by hand: which words mean nearly the same, and which
// are so frequent that they tell little. It stands in for what a learned embedding model knows.
var (
	//go:embed thesaurus_en.txt
	englishGroups string
	//go:embed thesaurus_ja.txt
	japaneseGroups string
	//go:embed thesaurus_frequent.txt
	frequentWords string
)

// concept is a number that all entries of a group share.
type concept int32

// thesaurus finds the concepts a text mentions. It never changes after loading.
type thesaurus struct {
	features []string             // "=" and the name, for each concept
	words    map[string][]entry   // by the first term; longest first
	written  map[rune][]runeEntry // Japanese entries by the first character; longest first
	frequent map[string]float64   // weight of a frequent term, below 1
}

// entry is a word or phrase that is matched term by term.
type entry struct {
	rest     []string // the terms after the first
	concepts []concept
	weight   float64 // how much it tells, 0 to 1
}

// runeEntry is a Japanese word that is matched character by character, since pairs of characters do not show where a
// word with okurigana ends.
type runeEntry struct {
	runes    []rune
	concepts []concept
	alone    bool // matches only where no character of its script stands beside it
	weight   float64
}

// mention is one place where a text mentions a concept.
type mention struct {
	concept concept
	weight  float64 // how much the words that mention it tell; less when they could mean other concepts too
}

// loadThesaurus reads the embedded files once, when they are first needed.
var loadThesaurus = sync.OnceValue(func() *thesaurus {
	return newThesaurus(frequentWords, englishGroups, japaneseGroups)
})

// newThesaurus builds a thesaurus of files with one group a line. A group whose first entry stands in an earlier file
// joins its group there, which is how the languages are connected.
func newThesaurus(frequent string, files ...string) *thesaurus {
	b := thesaurusBuilder{
		t:       &thesaurus{frequent: frequencies(frequent)},
		entries: map[string][]concept{},
	}
	for _, file := range files {
		b.earlier = concept(len(b.t.features))
		for line := range lines(file) {
			b.add(line)
		}
	}
	return b.build()
}

// lines yields what is neither blank nor a comment.
func lines(file string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(file) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") && !yield(line) {
				return
			}
		}
	}
}

func frequencies(file string) map[string]float64 {
	m := map[string]float64{}
	weight := 1.0
	for line := range lines(file) {
		if number, ok := strings.CutPrefix(line, "= "); ok {
			weight, _ = strconv.ParseFloat(number, 64) // the file is part of the program; a test reads every line
			continue
		}
		for word := range strings.FieldsSeq(line) {
			for _, t := range text.Terms(word) {
				if _, ok := m[t.Text]; !ok { // the most frequent use of a stem decides
					m[t.Text] = weight
				}
			}
		}
	}
	return m
}

// thesaurusBuilder collects entries before they are sorted for matching.
type thesaurusBuilder struct {
	t       *thesaurus
	entries map[string][]concept
	order   []string // of entries: maps have none
	earlier concept  // the first concept that is not from an earlier file
}

func (b *thesaurusBuilder) add(line string) {
	group := strings.Split(line, ",")
	feature := "=" + text.Fold(group[0])
	c := concept(slices.Index(b.t.features[:b.earlier], feature))
	if known := b.entries[entryKey(group[0])]; c < 0 && len(known) > 0 && known[0] < b.earlier {
		c = known[0]
	}
	if c < 0 {
		c = concept(len(b.t.features))
		b.t.features = append(b.t.features, feature)
	}
	for _, e := range group {
		key := entryKey(e)
		if key == "" {
			continue
		}
		if _, ok := b.entries[key]; !ok {
			b.order = append(b.order, key)
		}
		if !slices.Contains(b.entries[key], c) {
			b.entries[key] = append(b.entries[key], c)
		}
	}
}

// entryKey is what two spellings that are matched alike share: the characters of a Japanese entry, the terms of others.
func entryKey(e string) string {
	e = text.Fold(e)
	if strings.ContainsFunc(e, isJapanese) {
		return e
	}
	var words []string
	for _, t := range text.Terms(e) {
		words = append(words, t.Text)
	}
	return strings.Join(words, " ")
}

func isJapanese(r rune) bool {
	return r >= 0x3041 && r <= 0x30ff || unicode.Is(unicode.Han, r)
}

func (b *thesaurusBuilder) build() *thesaurus {
	b.t.words = map[string][]entry{}
	b.t.written = map[rune][]runeEntry{}
	for _, key := range b.order {
		if runes := []rune(key); strings.ContainsFunc(key, isJapanese) {
			b.t.written[runes[0]] = append(b.t.written[runes[0]], runeEntry{
				runes: runes, concepts: b.entries[key], alone: mustStandAlone(runes), weight: b.t.telling(text.Terms(key)),
			})
			continue
		}
		words := strings.Fields(key)
		terms := text.Terms(key)
		if len(terms) == 1 && terms[0].Class == text.Function {
			continue
		}
		b.t.words[words[0]] = append(b.t.words[words[0]], entry{
			rest: words[1:], concepts: b.entries[key], weight: b.t.telling(terms),
		})
	}
	for _, same := range b.t.words {
		slices.SortStableFunc(same, func(x, y entry) int { return len(y.rest) - len(x.rest) })
	}
	for _, same := range b.t.written {
		slices.SortStableFunc(same, func(x, y runeEntry) int { return len(y.runes) - len(x.runes) })
	}
	return b.t
}

// mustStandAlone reports whether a Japanese entry is so short that it is often a piece of another word: one kanji, two
// hiragana, up to three katakana.
func mustStandAlone(runes []rune) bool {
	limit := 0
	switch scriptOf(runes[0]) {
	case scriptKanji:
		limit = 1
	case scriptHiragana:
		limit = 2
	case scriptKatakana:
		limit = 3
	default:
	}
	for _, r := range runes {
		if scriptOf(r) != scriptOf(runes[0]) {
			return false
		}
	}
	return len(runes) <= limit
}

type script int

const (
	scriptOther script = iota
	scriptKanji
	scriptHiragana
	scriptKatakana
	scriptASCII
)

func scriptOf(r rune) script {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z':
		return scriptASCII
	case r >= 0x3041 && r <= 0x309f:
		return scriptHiragana
	case r >= 0x30a0 && r <= 0x30ff:
		return scriptKatakana
	case unicode.Is(unicode.Han, r):
		return scriptKanji
	}
	return scriptOther
}
