package text

import (
	"strings"
	"unicode/utf8"
)

// ellipsis stands for what was left out.
const ellipsis = '…'

// Cut is s in at most so many code points: of a longer text the end is left out, with an ellipsis in its place and no white space
// before that.
func Cut(s string, most int) string {
	if len(s) <= most { // no text has more code points than bytes
		return s
	}
	return CutBy(s, most, func(rune) int { return 1 })
}

// CutBytes is s in at most so many bytes, as [Cut] leaves out its end.
func CutBytes(s string, most int) string { return CutBy(s, most, utf8.RuneLen) }

// Brief is s on one line, with one space for each run of white space, in at most so many code points.
func Brief(s string, most int) string { return Cut(strings.Join(strings.Fields(s), " "), most) }

// CutBy is s within a limit of what its code points measure, such as columns of a terminal. It ends between two characters as people see
// them: an accent, the sound mark of a kana, or a part of an emoji or flag does not lose what it belongs to. Bytes that are no UTF-8 are
// left out of what is cut, and else kept.
func CutBy(s string, most int, size func(rune) int) string {
	room := most - size(ellipsis)
	used, at, flags := 0, 0, 0
	before := rune(-1)
	for i, r := range s {
		if !belongs(before, r, flags) && used <= room {
			at = i
		}
		if flags++; !regional(r) {
			flags = 0
		}
		if used += max(0, size(r)); used > most {
			return strings.TrimRight(strings.ToValidUTF8(s[:at], ""), " \t\r\n") + string(ellipsis)
		}
		before = r
	}
	return s
}

// belongs reports whether a code point belongs to the character that the one before it is a part of: as [joined] says, and beyond that
// two letters of flags are one flag each, and parts of half-width kana, Hangul and flags of regions are no characters. flags is how many
// letters of flags in a row end before it.
func belongs(before, r rune, flags int) bool {
	switch {
	case before < 0:
		return false
	case regional(before) && regional(r):
		return flags%2 == 1
	case r == 'ﾞ', r == 'ﾟ', r >= 0xe0020 && r <= 0xe007f, r >= 0x1160 && r <= 0x11ff:
		return true
	}
	return joined(before, r)
}
