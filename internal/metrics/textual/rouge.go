package textual

import (
	"strings"
	"unicode"
)

// rougeMode says which figure of an overlap is wanted.
type rougeMode string

const (
	// RougeFMeasure asks for the F measure of an overlap, with equal weights.
	RougeFMeasure  rougeMode = "fmeasure"
	rougePrecision rougeMode = "precision" // share of the answer
	rougeRecall    rougeMode = "recall"    // share of the reference
)

// Rouge1 is the overlap of single words, each as often as both texts have it (Lin 2004). Words of more than three letters are
// stemmed. Fixed keeps every script, and counts Japanese by characters; Ragas keeps the letters a to z and digits only, so that
// identical Japanese texts score 0. An empty side gives 0.
func Rouge1(p Profile, mode rougeMode, answer, reference string) float64 {
	a, r := rougeTokens(p, answer), rougeTokens(p, reference)
	return fMeasureOf(sharedCounts(gramCounts(a, 1), gramCounts(r, 1)), len(a), len(r), mode)
}

// RougeL is [Rouge1] with the longest common subsequence of words: order counts, gaps do not.
func RougeL(p Profile, mode rougeMode, answer, reference string) float64 {
	a, r := rougeTokens(p, answer), rougeTokens(p, reference)
	return fMeasureOf(longestCommon(a, r), len(a), len(r), mode)
}

func fMeasureOf(shared, answer, reference int, mode rougeMode) float64 {
	precision, recall := RatioOrZero(shared, answer), RatioOrZero(shared, reference)
	switch mode {
	case rougePrecision:
		return precision
	case rougeRecall:
		return recall
	default:
		return FBeta(precision, recall, 1)
	}
}

func rougeTokens(p Profile, s string) []string {
	tokens := wordTokens
	if p != ProfileFixed {
		tokens = plainTokens
	}
	list := tokens(s)
	for i, t := range list {
		if len(t) > 3 && !strings.ContainsFunc(t, func(r rune) bool { return r > unicode.MaxASCII }) { // Porter's rules are for English
			list[i] = porterStem(t)
		}
	}
	return list
}

// plainTokens are the runs of a to z and digits, lower case.
func plainTokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
