package document

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// Nearest is ` (did you mean "x"?)` for the nearest name, "" when none is near.
func Nearest(name string, among []string) string {
	best := nearestName(name, among)
	if best == "" {
		return ""
	}
	return " (did you mean " + strconv.Quote(best) + "?)"
}

// NearestColumn is the column that could be meant, "" for none: "retrieve.k", as settings are called elsewhere, is k, and "chunk.size"
// chunk_size.
func NearestColumn(name string, columns []string) string {
	for _, called := range []string{strings.ReplaceAll(name, ".", "_"), name[strings.LastIndexByte(name, '.')+1:]} {
		if Contains(columns, called) {
			return called
		}
	}
	return nearestName(name, columns)
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

// Cut keeps a text short.
func Cut(s string) string {
	return text.Cut(s, 240)
}

// Contains reports whether a list has a text.
func Contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
