package textual

import (
	"strings"
	"unicode/utf8"
)

// chrfOptions are the settings of ChrF.
type chrfOptions struct {
	CharOrder int     // longest run of characters; 6
	WordOrder int     // longest run of words; 0, or 2 for ChrF++
	Beta      float64 // weight of recall; 2
	Spaces    bool    // white space counts as characters
	Smooth    bool    // orders that a text has not count as nearly 0, as in the first ChrF program
}

// ChrfDefaults are the settings of chrF, Popović 2015.
var ChrfDefaults = chrfOptions{CharOrder: 6, Beta: 2}

// ChrF is the F measure (beta 2) of runs of one to six characters without white space, precision and recall averaged over the
// orders that both texts have (Popović 2015), as sacrebleu computes it, in [0, 1]. It needs no words and serves Japanese as it
// is, the same in every profile. A blank side gives 0.
func ChrF(answer, reference string) float64 { return ChrFWith(ChrfDefaults, answer, reference) }

// ChrFWith is chrF with other settings, in [0, 1].
func ChrFWith(o chrfOptions, answer, reference string) float64 {
	if NoText(answer) || NoText(reference) {
		return 0
	}
	const nearlyZero = 1e-16
	var precision, recall, smoothed float64
	orders := 0
	b := o.Beta * o.Beta
	for _, grams := range chrfGrams(o, answer, reference) {
		inAnswer, inReference := countOf(grams.answer), countOf(grams.reference)
		matched := sharedCounts(grams.answer, grams.reference)
		if inReference == 0 {
			inAnswer = 0
		}
		p, r := nearlyZero, nearlyZero
		if inAnswer > 0 {
			p = float64(matched) / float64(inAnswer)
		}
		if inReference > 0 {
			r = float64(matched) / float64(inReference)
		}
		if b*p+r > 0 {
			smoothed += (1 + b) * p * r / (b*p + r)
		} else {
			smoothed += nearlyZero
		}
		if inAnswer > 0 && inReference > 0 {
			precision, recall = precision+p, recall+r
			orders++
		}
	}
	if o.Smooth {
		return smoothed / float64(o.CharOrder+o.WordOrder)
	}
	if orders == 0 {
		return 0
	}
	return FBeta(precision/float64(orders), recall/float64(orders), o.Beta)
}

type gramPair struct{ answer, reference map[string]int }

// chrfGrams counts the runs of characters, then of words, order by order.
func chrfGrams(o chrfOptions, answer, reference string) []gramPair {
	pairs := make([]gramPair, 0, o.CharOrder+o.WordOrder)
	a, r := chrfCharacters(o, answer), chrfCharacters(o, reference)
	for n := 1; n <= o.CharOrder; n++ {
		pairs = append(pairs, gramPair{gramCounts(a, n), gramCounts(r, n)})
	}
	a, r = chrfWords(answer), chrfWords(reference)
	for n := 1; n <= o.WordOrder; n++ {
		pairs = append(pairs, gramPair{gramCounts(a, n), gramCounts(r, n)})
	}
	return pairs
}

func chrfCharacters(o chrfOptions, s string) []string {
	if !o.Spaces {
		s = strings.Join(strings.Fields(s), "")
	}
	return strings.Split(s, "")
}

const chrfMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// chrfWords cuts at white space and takes one mark off each word, from its end or else from its start.
func chrfWords(s string) []string {
	var words []string
	for _, w := range strings.Fields(s) {
		switch {
		case utf8.RuneCountInString(w) == 1:
			words = append(words, w)
		case strings.ContainsRune(chrfMarks, rune(w[len(w)-1])):
			words = append(words, w[:len(w)-1], w[len(w)-1:])
		case strings.ContainsRune(chrfMarks, rune(w[0])):
			words = append(words, w[:1], w[1:])
		default:
			words = append(words, w)
		}
	}
	return words
}

func countOf(grams map[string]int) int {
	n := 0
	for _, count := range grams {
		n += count
	}
	return n
}
