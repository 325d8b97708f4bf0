package notebooks

import (
	"strconv"
	"unicode/utf8"
)

// nearest is ` (did you mean "x"?)` for the nearest name, "" when none is near.
func nearest(name string, among []string) string {
	best := nearestName(name, among)
	if best == "" {
		return ""
	}
	return " (did you mean " + strconv.Quote(best) + "?)"
}

// nearestName is the name with the smallest edit distance, "" when none is near.
func nearestName(name string, among []string) string {
	best, at := "", 1+utf8.RuneCountInString(name)/2
	for _, candidate := range among {
		if d := distance(name, candidate); d < at {
			best, at = candidate, d
		}
	}
	return best
}

// distance is the edit distance of Levenshtein in code points.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		last := row[0]
		row[0] = i + 1
		for j := range y {
			cost := last
			if x[i] != y[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, last+1)
		}
	}
	return row[len(y)]
}

func itoa(n int) string { return strconv.Itoa(n) }
