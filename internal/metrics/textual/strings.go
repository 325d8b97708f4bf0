package textual

import "strings"

// ExactMatch is 1 when answer and reference are the same characters, else 0.
func ExactMatch(answer, reference string) float64 { return Truth(answer == reference) }

// StringPresence is 1 when the answer holds the reference word for word, else 0. Everything holds the empty reference.
func StringPresence(answer, reference string) float64 {
	return Truth(strings.Contains(answer, reference))
}

// Likeness says how alike two strings are, in [0, 1].
type Likeness func(a, b string) float64

// Likenesses are the string similarities by their usual names. They compare Unicode code points, case and white space
// included, so that they serve Japanese as well; two empty strings are alike.
var Likenesses = map[string]Likeness{
	"levenshtein":  LevenshteinSimilarity,
	"hamming":      HammingSimilarity,
	"jaro":         JaroSimilarity,
	"jaro_winkler": JaroWinklerSimilarity,
}

// LevenshteinSimilarity is 1 − the insertions, deletions and replacements needed, over the longer length.
func LevenshteinSimilarity(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x) == 0 && len(y) == 0 {
		return 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, d := range y {
			cost := diagonal
			if c != d {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return 1 - float64(row[len(y)])/float64(max(len(x), len(y)))
}

// HammingSimilarity is the share of places that hold the same character; what one string has more differs.
func HammingSimilarity(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	longer := max(len(x), len(y))
	if longer == 0 {
		return 1
	}
	different := longer - min(len(x), len(y))
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			different++
		}
	}
	return 1 - float64(different)/float64(longer)
}

// JaroSimilarity is Jaro's: the mean of the shares of both strings that match within half the longer length, and of the
// matches that stand in order. Of an odd number of characters out of order, half is rounded down.
func JaroSimilarity(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	switch {
	case len(x) == 0 && len(y) == 0:
		return 1
	case len(x) == 0 || len(y) == 0:
		return 0
	}
	inX, inY := jaroMatches(x, y)
	if len(inX) == 0 {
		return 0
	}
	moved := 0
	for i := range inX {
		if inX[i] != inY[i] {
			moved++
		}
	}
	m := float64(len(inX))
	return (m/float64(len(x)) + m/float64(len(y)) + (m-float64(moved/2))/m) / 3
}

// jaroMatches returns the characters that match, in the order of x and in that of y.
func jaroMatches(x, y []rune) (inX, inY []rune) {
	bound := max(0, max(len(x), len(y))/2-1)
	taken := make([]bool, len(y))
	for i, c := range x {
		for j := max(0, i-bound); j <= min(i+bound, len(y)-1); j++ {
			if !taken[j] && y[j] == c {
				taken[j] = true
				inX = append(inX, c)
				break
			}
		}
	}
	for j, c := range y {
		if taken[j] {
			inY = append(inY, c)
		}
	}
	return inX, inY
}

// JaroWinklerSimilarity raises a Jaro similarity over 0.7 by a tenth of what is missing for each of the first four characters
// that agree.
func JaroWinklerSimilarity(a, b string) float64 {
	s := JaroSimilarity(a, b)
	if s <= 0.7 {
		return s
	}
	x, y := []rune(a), []rune(b)
	prefix := 0
	for prefix < min(len(x), len(y), 4) && x[prefix] == y[prefix] {
		prefix++
	}
	return s + float64(prefix)*0.1*(1-s)
}
