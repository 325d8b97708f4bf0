package intake

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// betweenLanguages stands between two names of one column, as in 質問 / Question.
var betweenLanguages = text.Lazy(`\s*[/／|｜\n]\s*`)

// inTwoLanguages are the two names of a column that is named in Japanese and in another language; nil for any other. Where but a space
// stands between them, as where a line ended, they are two only if they say the same.
func inTwoLanguages(name string) []string {
	name = strings.TrimSpace(name)
	if halves := betweenLanguages.Split(name, 3); len(halves) == 2 && inOneEach(halves) {
		return halves
	}
	words := strings.Fields(name)
	for i := 1; i < len(words); i++ {
		if isJapanese(words[i-1]) == isJapanese(words[i]) {
			continue
		}
		halves := []string{strings.Join(words[:i], " "), strings.Join(words[i:], " ")}
		if inOneEach(halves) {
			first, sure := guessName(halves[0])
			if second, surer := guessName(halves[1]); first == second && sure > unsaid && surer > unsaid {
				return halves
			}
		}
	}
	return nil
}

// inOneEach reports whether one of two texts is Japanese and the other is not.
func inOneEach(halves []string) bool {
	return halves[0] != "" && halves[1] != "" && isJapanese(halves[0]) != isJapanese(halves[1])
}

// isJapanese reports whether a text has Japanese letters.
func isJapanese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return 0x3041 <= r && r <= 0x30ff || 0x4e00 <= r && r <= 0x9fff })
}

// guessBoth says what two names of a column speak of: what both do, or what the one does that says something.
func guessBoth(halves []string) (field string, strength float64) {
	first, sure := guessName(halves[0])
	second, surer := guessName(halves[1])
	switch {
	case first == second, surer == unsaid:
		return first, max(sure, surer)
	case sure == unsaid:
		return second, surer
	}
	return "", unsaid
}

// translates reports whether the row below a header names its columns once more, in another language: names only, of which most are known,
// those of questions and right answers stand below their like, and none says that its column is something else.
func translates(header, row gridRow) bool {
	known, asks, solves := 0, false, false
	for i, c := range row.cells {
		if c = strings.TrimSpace(c); c == "" {
			continue
		}
		if i >= len(header.cells) || len([]rune(c)) > 30 || asksSomething(c) || isNumber(c) || isURL(c) || strings.HasSuffix(c, "。") {
			return false
		}
		field, strength := guessName(c)
		above, sure := guessName(header.cells[i])
		if field != above && (field == FieldQuestion || field == FieldReference ||
			above == FieldQuestion || above == FieldReference) {
			return false
		}
		if strength > unsaid {
			known++
		}
		if field == above && sure > unsaid && isJapanese(c) != isJapanese(header.cells[i]) {
			asks, solves = asks || field == FieldQuestion, solves || field == FieldReference
		}
	}
	return asks && solves && 2*known > filled(row) && 2*filled(row) > filled(header) && !sameNames(header.cells, row.cells)
}

// translated are the names of columns that are named in two rows: of each the upper one, unless only the lower one says something.
func translated(above, below []string) []string {
	names := slices.Clone(above)
	for i, name := range names {
		if i >= len(below) || strings.TrimSpace(below[i]) == "" {
			continue
		}
		_, sure := guessName(name)
		if _, strength := guessName(below[i]); strings.TrimSpace(name) == "" || sure == unsaid && strength > unsaid {
			names[i] = below[i]
		}
	}
	return names
}

// sameNames reports whether two rows hold the same names.
func sameNames(a, b []string) bool {
	return slices.EqualFunc(trimmed(a), trimmed(b), func(a, b string) bool { return ColumnKey(a) == ColumnKey(b) })
}
