package program

import (
	"strings"
)

// What may not stand at the beginning of a line of Japanese, and what not at its end.
const (
	neverFirst = "、。，．：；？！」』）］｝】〉》・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々〜…%/,.:;?!)]}"
	neverLast  = "「『（［｛【〈《〜/([{"
)

// Wrap breaks a paragraph into lines of so many columns of a terminal. Letters of East Asia take two and a line may end behind each of
// them; what is written in Latin letters, such as words, flags and addresses, stays whole.
func Wrap(text string, columns int) []string {
	var lines []string
	text = strings.Join(strings.Fields(text), " ")
	line, taken := "", 0
	for _, piece := range pieces(text) {
		width := ColumnsOf(piece)
		if taken > 0 && taken+width > columns {
			lines = append(lines, line)
			line, taken = "", 0
		}
		if bare, spaced := strings.CutPrefix(piece, " "); taken == 0 && spaced {
			piece, width = bare, width-1
		}
		line, taken = line+piece, taken+width
	}
	return append(lines, line)
}

// pieces are the parts of a paragraph between which a line may end; one that follows a space begins with it.
func pieces(text string) []string {
	var parts []string
	begin := 0
	last, wideLast := rune(0), false // the letter before
	for i, r := range text {
		wide := columnsOf(r) == 2
		apart := last == ' ' || last != 0 && r != ' ' && (wide || wideLast) // a line may end before r
		switch {
		case !apart:
		case strings.ContainsRune(neverFirst, r) && (wide || wideLast || last == ' ' && r == '%'):
			apart = false
		case last != ' ' && strings.ContainsRune(neverLast, last):
			apart = false
		}
		if apart {
			end := i
			if last == ' ' {
				end--
			}
			if end > begin {
				parts = append(parts, text[begin:end])
			}
			begin = end
		}
		last, wideLast = r, wide
	}
	if begin < len(text) {
		parts = append(parts, text[begin:])
	}
	return parts
}
