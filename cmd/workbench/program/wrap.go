package program

import (
	"strings"
)

// What may not stand at the beginning of a line of Japanese, and what not at its end.
const (
	neverFirst = "、。，．：；？！」』）］｝】〉》・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々〜…%/,.:;?!)]}"
	neverLast  = "「『（［｛【〈《〜/([{"
)

// Wrap breaks a paragraph of Japanese into lines of so many columns of a terminal. Letters of East Asia take two and a line may end behind
// each of them; what is written in Latin letters, such as flags and addresses, stays whole.
func Wrap(text string, columns int) []string {
	var lines []string
	line, taken := "", 0
	for _, piece := range pieces(text) {
		space := strings.HasPrefix(piece, " ")
		width := ColumnsOf(piece)
		if taken > 0 && taken+width > columns {
			lines = append(lines, line)
			line, taken = "", 0
		}
		if taken == 0 && space {
			piece, width = piece[1:], width-1
		}
		line, taken = line+piece, taken+width
	}
	return append(lines, line)
}

// pieces are the parts of a paragraph between which a line may end; one that follows a space begins with it.
func pieces(text string) []string {
	var parts []string
	last, wideLast := rune(0), false // the letter before
	for _, r := range strings.Join(strings.Fields(text), " ") {
		wide := columnsOf(r) == 2
		apart := last == ' ' || last != 0 && r != ' ' && (wide || wideLast) // a line may end before r
		switch {
		case !apart:
		case strings.ContainsRune(neverFirst, r) && (wide || wideLast || last == ' ' && r == '%'):
			apart = false
		case last != ' ' && strings.ContainsRune(neverLast, last):
			apart = false
		}
		switch {
		case r == ' ':
		case last == ' ' && !apart:
			parts[len(parts)-1] += " " + string(r)
		case last == ' ':
			parts = append(parts, " "+string(r))
		case apart || len(parts) == 0:
			parts = append(parts, string(r))
		default:
			parts[len(parts)-1] += string(r)
		}
		last, wideLast = r, wide
	}
	return parts
}
