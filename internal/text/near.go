package text

import (
	"strconv"
	"unicode/utf8"
)

// Meant is ` (did you mean "x"?)` for the name that is nearest to a mistyped one, "" when none is near.
func Meant(name string, among []string) string {
	best := Nearest(name, among)
	if best == "" {
		return ""
	}
	return " (did you mean " + strconv.Quote(best) + "?)"
}

// Nearest is the name with the smallest edit distance, "" when none is near.
func Nearest(name string, among []string) string {
	best, at := "", 1+utf8.RuneCountInString(name)/2
	for _, candidate := range among {
		if d := distance(name, candidate); d < at {
			best, at = candidate, d
		}
	}
	return best
}

// distance is the edit distance in code points; two neighbours that changed places are one slip of the fingers.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range y {
			cost := last[j]
			if x[i] != y[j] {
				cost++
			}
			row[j+1] = min(cost, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(y)]
}
