package offline

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/text"
)

// numberWeight is low because a number says little without the words beside it, and pairs hold both.
const numberWeight = 0.5

// weightOf says how much one term tells about what a text is about, 0 to 1.
func (t *thesaurus) weightOf(term text.Term) float64 {
	switch term.Class {
	case text.Function:
		return classWeight(term.Class)
	case text.Number:
		return numberWeight
	default:
	}
	if w, ok := t.frequent[term.Text]; ok {
		return w
	}
	return 1
}

// feature is the name under which a mention is compared. It cannot be a term, since terms hold letters and digits only.
func (t *thesaurus) feature(m mention) string { return t.features[m.concept] }

// leastTelling is the weight of an entry made of very frequent words.
const leastTelling = 0.5

// telling says how much an entry tells: a phrase more than each of its words, never less than a frequent word, since it
// was found worth an entry, and never more than 1.
func (t *thesaurus) telling(terms []text.Term) float64 {
	squares := 0.0
	for _, term := range terms {
		w := t.weightOf(term)
		squares += w * w
	}
	return min(1, max(leastTelling, math.Sqrt(squares)))
}

// mentions lists the concepts that s mentions, in order and with repeats, by the longest entry at each place. terms are
// those of s.
func (t *thesaurus) mentions(s string, terms []text.Term) []mention {
	var found []mention
	for i := 0; i < len(terms); {
		n := 1
		for _, e := range t.words[terms[i].Text] {
			if matchesTerms(terms[i+1:], e.rest) {
				found = appendMentions(found, e.concepts, e.weight)
				n = 1 + len(e.rest)
				break
			}
		}
		i += n
	}
	if !hasJapanese(s) {
		return found
	}
	runes := []rune(text.Fold(s))
	for i := 0; i < len(runes); {
		n := 1
		for _, e := range t.written[runes[i]] {
			if matchesRunes(runes, i, e) {
				found = appendMentions(found, e.concepts, e.weight)
				n = len(e.runes)
				break
			}
		}
		i += n
	}
	return found
}

func hasJapanese(s string) bool {
	for _, r := range s {
		if r >= 0x3041 && isJapanese(r) || r >= 0xff66 && r <= 0xff9f {
			return true
		}
	}
	return false
}

func appendMentions(found []mention, concepts []concept, weight float64) []mention {
	for _, c := range concepts {
		found = append(found, mention{concept: c, weight: weight / math.Sqrt(float64(len(concepts)))})
	}
	return found
}

func matchesTerms(terms []text.Term, want []string) bool {
	if len(terms) < len(want) {
		return false
	}
	for i, w := range want {
		if terms[i].Text != w {
			return false
		}
	}
	return true
}

func matchesRunes(runes []rune, i int, e runeEntry) bool {
	end := i + len(e.runes)
	if end > len(runes) || !slices.Equal(runes[i:end], e.runes) {
		return false
	}
	first := scriptOf(e.runes[0])
	if i > 0 && scriptOf(runes[i-1]) == first && (e.alone || first == scriptASCII) {
		return false
	}
	// A short hiragana word is nearly always followed by a particle, which is hiragana too.
	return !e.alone || first == scriptHiragana || end == len(runes) || scriptOf(runes[end]) != first
}
