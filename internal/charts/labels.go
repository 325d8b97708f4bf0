package charts

import "strings"

// Labels are measured in em, before any font is known: a Japanese character is one, any other 0.55.

// Measure is the width of a text in em.
func Measure(s string) float64 {
	out := 0.0
	for _, r := range s {
		out += width(r)
	}
	return out
}

func width(r rune) float64 {
	if r >= 0x2e80 || r == '…' {
		return 1
	}
	return 0.55
}

// Wrap sets a text on at most two lines of a width in em. What does not fit is taken out of its middle.
func Wrap(s string, em float64) []string {
	if Measure(s) <= em {
		return []string{s}
	}
	first, rest := split(s, em)
	if Measure(rest) <= em {
		return []string{first, rest}
	}
	return []string{first, "…" + ending([]rune(rest), em-1)}
}

// Lines sets a text on as many lines of a width in em as it needs: nothing is taken out.
func Lines(s string, em float64) []string {
	var out []string
	for Measure(s) > em {
		first, rest := split(s, em)
		out, s = append(out, first), rest
	}
	return append(out, s)
}

// split takes the first line of a width in em off a text that is longer, where it may be broken.
func split(s string, em float64) (first, rest string) {
	runes := []rune(s)
	at, used := 0, 0.0
	for i, r := range runes {
		if used += width(r); used > em+1e-9 && r != ' ' {
			break
		}
		if i+1 < len(runes) && breaks(r, runes[i+1]) {
			at = i + 1
		}
	}
	if at == 0 || Measure(string(runes[:at])) < em/3 {
		at = fitting(runes, em)
	}
	return strings.TrimRight(string(runes[:at]), " "), strings.TrimLeft(string(runes[at:]), " ")
}

// Shorten takes out of the middle of a text what does not fit on one line of a width in em.
func Shorten(s string, em float64) string {
	if Measure(s) <= em {
		return s
	}
	runes := []rune(s)
	head := fitting(runes, (em-1)/2)
	return strings.TrimRight(string(runes[:head]), " ") + "…" + ending(runes[head:], em-1-Measure(string(runes[:head])))
}

// fitting is how many characters from the first on fit, one at least.
func fitting(runes []rune, em float64) int {
	used := 0.0
	for i, r := range runes {
		if used += width(r); used > em+1e-9 {
			return max(1, i)
		}
	}
	return len(runes)
}

// ending is what fits of the end.
func ending(runes []rune, em float64) string {
	used, at := 0.0, len(runes)
	for at > 0 {
		if used += width(runes[at-1]); used > em+1e-9 {
			break
		}
		at--
	}
	return strings.TrimLeft(string(runes[at:]), " ")
}

// breaks reports whether a line may end between two characters.
func breaks(a, b rune) bool {
	switch {
	case strings.ContainsRune("、。，．）」』】〕・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]", b):
		return false
	case strings.ContainsRune("（「『【〔([", a):
		return false
	case a == ' ' || strings.ContainsRune("/=_-", a):
		return true
	}
	return a >= 0x2e80 || b >= 0x2e80
}
