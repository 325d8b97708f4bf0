package textual

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/text"
)

// sense is one meaning of a word: a group of words and the slot in it. Words of one slot mean the same; words of two slots of
// a group exclude one another.
type sense struct {
	group, slot int
	key         string // stands for the sense among the terms of a text
}

// lexicon knows words that mean the same, exclude one another, or are kinds of something. It is read once, on first use.
type lexicon struct {
	senses  map[string][]sense  // by term
	kinds   map[string][]string // what a term also is
	longest int                 // characters of the longest entry
	spell   *strings.Replacer   // writes every spelling as the first of its group; nil for English, whose terms are looked up
}

var (
	englishLexicon = sync.OnceValue(func() *lexicon {
		one := func(w string) string {
			if terms := text.Terms(w); len(terms) == 1 {
				return terms[0].Text
			}
			return w
		}
		return newLexicon(one, englishOpposites+englishKinds, englishSynonyms, englishKindsOf)
	})
	japaneseLexicon = sync.OnceValue(func() *lexicon {
		l := newLexicon(text.Fold, japaneseOpposites, japaneseSynonyms, japaneseKindsOf)
		l.spell = spelling(japaneseSynonyms + japaneseOpposites)
		return l
	})
)

// lexiconOf is the lexicon of a language.
func lexiconOf(lang string) *lexicon {
	if lang == "ja" {
		return japaneseLexicon()
	}
	return englishLexicon()
}

// newLexicon reads the word lists; one writes a word as the terms of a text are written.
func newLexicon(one func(string) string, opposites, synonyms, kinds string) *lexicon {
	l := &lexicon{senses: map[string][]sense{}, kinds: map[string][]string{}}
	group := 0
	add := func(line string) {
		group++
		for slot, words := range strings.Split(line, "|") {
			key := "=" + strconv.Itoa(group) + "." + strconv.Itoa(slot)
			for _, w := range strings.Fields(words) {
				w = one(w)
				l.longest = max(l.longest, len([]rune(w)))
				has := func(s sense) bool { return s.group == group }
				if !slices.ContainsFunc(l.senses[w], has) { // of two slots with one stem the first
					l.senses[w] = append(l.senses[w], sense{group, slot, key})
				}
			}
		}
	}
	for line := range strings.Lines(opposites + synonyms) {
		if strings.TrimSpace(line) != "" {
			add(line)
		}
	}
	for word, value := range cardinals {
		key := "#" + decimal(value)
		l.senses[word] = append(l.senses[word], sense{-1, int(value), key})
		l.senses[decimal(value)] = append(l.senses[decimal(value)], sense{-1, int(value), key})
	}
	for line := range strings.Lines(kinds) {
		general, special, _ := strings.Cut(line, ":")
		for _, w := range strings.Fields(special) {
			l.kinds[one(w)] = append(l.kinds[one(w)], one(strings.TrimSpace(general)))
		}
	}
	return l
}

// spelling writes the words of a slot as its first word. Words of one character are left: they are parts of others.
func spelling(lists string) *strings.Replacer {
	type entry struct{ from, to string }
	var entries []entry
	for line := range strings.Lines(lists) {
		for _, slot := range strings.Split(line, "|") {
			words := strings.Fields(slot)
			for _, w := range words {
				to := words[0]
				if len([]rune(w)) > 1 || w == to {
					entries = append(entries, entry{w, to})
				}
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return len(b.from) - len(a.from) })
	seen := map[string]bool{}
	var list []string
	for _, e := range entries {
		if !seen[e.from] {
			seen[e.from] = true
			list = append(list, e.from, e.to)
		}
	}
	return strings.NewReplacer(list...)
}

// phrases are groups of English words that mean what one word means, and marks that stand for a unit.
var phrases = strings.NewReplacer(
	"’", "'", "far away from", "far from", "close to", "near", "non-refundable", "nonrefundable", "non refundable", "nonrefundable",
	"tax-free", "exempt", "free of any", "no", "free from any", "no",
	"free of charge", "free", "no charge", "free", "at no cost", "free", "take-off", "departure",
	"takeoff", "departure",
	"all of", "all", "each of", "each", "%", " percent ", "％", " percent ", "$", " usd ", "€", " eur ", "£", " gbp ", "¥",
	" jpy ", "￥", " jpy ",
	"n 't", "n't", " 's", "'s", " per cent", " percent ",
)

// plain writes a sentence as it is compared: other spellings of a word are one word.
func plain(s, lang string) string {
	s = phrases.Replace(s)
	if lang == "ja" {
		return japaneseLexicon().spell.Replace(text.Fold(s))
	}
	return s
}

// same reports whether a word of the passage says what a word of the claim says.
func (l *lexicon) same(claim, passage string) bool {
	return l.means(claim, passage) || slices.Contains(l.kinds[passage], claim)
}

// means reports whether two words have a meaning in common.
func (l *lexicon) means(a, b string) bool {
	if a == b {
		return true
	}
	for _, x := range l.senses[a] {
		for _, y := range l.senses[b] {
			if x == y {
				return true
			}
		}
	}
	return false
}

// exclude reports whether two words exclude one another.
func (l *lexicon) exclude(a, b string) bool {
	if a == b || l.same(a, b) || l.same(b, a) {
		return false
	}
	for _, x := range l.senses[a] {
		for _, y := range l.senses[b] {
			if x.group == y.group && x.slot != y.slot && x.group >= 0 {
				return true
			}
		}
	}
	return false
}

// concepts are the entries that a Japanese sentence holds, the longest at each place; one does not overlap another.
func (l *lexicon) concepts(s string) []string {
	var found []string
	runes := []rune(s)
	for i := 0; i < len(runes); {
		n := min(l.longest, len(runes)-i)
		for ; n > 0; n-- {
			if w := string(runes[i : i+n]); len(l.senses[w]) > 0 {
				found = append(found, w)
				break
			}
		}
		i += max(1, n)
	}
	return found
}
