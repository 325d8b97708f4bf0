package problem

import (
	"fmt"
	"strings"
	"testing"
)

// samples are what may stand in the place of a verb.
func samples(verb string, round, at int) string {
	switch verb[len(verb)-1] {
	case 'd':
		return fmt.Sprint(41 + at + round)
	case 'g', 'f', 'e':
		return fmt.Sprintf("%d.5", at+round)
	case 'q':
		return fmt.Sprintf("%q", []string{"zeta", "zeta eta", "zeta: eta; theta"}[round]+fmt.Sprint(at))
	}
	return []string{"zeta", "my zeta (2).csv", "zeta: eta theta; iota"}[round] + fmt.Sprint(at)
}

// TestEveryFormatIsFoundAsItself: a text that was made of a format of the catalogue is known as that format, whatever stands in it. Shorter
// ones do not swallow it; of one in which little stands, the text may stay as it is.
func TestEveryFormatIsFoundAsItself(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, f := range formats() {
		known[f.english] = !f.weak
	}
	tried, found := 0, 0
	for _, english := range japanese.keys() {
		for round := range 3 {
			text := sampled(english, round)
			if _, whole := japanese.Find(text); whole {
				continue
			}
			tried++
			f, _, ok := formatFor(text)
			own, _ := japanese.Find(english)
			switch {
			case ok && (f.english == english || oneWord(own) == oneWord(f.japanese)):
				found++
			case ok || known[english]:
				t.Errorf("%q, made of %q, is known as %q", text, english, f.english)
			}
		}
	}
	if found < 3300 || found < tried*95/100 {
		t.Errorf("of %d texts only %d were known", tried, found)
	}
}

// TestPartsOfATextAreFoundAsThemselves: a place before a sentence, and a sentence behind it, change nothing.
func TestPartsOfATextAreFoundAsThemselves(t *testing.T) {
	t.Parallel()
	for _, english := range japanese.keys() {
		text := sampled(english, 0)
		own, ok := Japanese(text)
		if _, _, taken := formatFor("a.zip: " + text); !ok || taken || strings.Contains(text, "; ") {
			continue
		}
		if got, _ := Japanese("a.zip: " + text); got != "a.zip："+own {
			t.Errorf("%q behind a place is %q; want %q", text, got, own)
		}
	}
}

// sampled is a format with something in the place of each verb.
func sampled(english string, round int) string {
	var text strings.Builder
	for _, p := range partsOf(english) {
		if p.verb == "" {
			text.WriteString(p.text)
		} else {
			text.WriteString(samples(p.verb, round, p.at))
		}
	}
	return text.String()
}

// TestSentencesOfOthersStay: a short format takes words, and no sentence.
func TestSentencesOfOthersStay(t *testing.T) {
	t.Parallel()
	for english, want := range map[string]string{
		"it is text":                               "it is text", // who reads this wrote it, not the workbench
		"it is not what anybody thought of it":     "it is not what anybody thought of it",
		"b.zip: it is of another kind: backup":     "b.zip：別の種類のファイルです：backup",
		"b.zip: it is missing":                     "b.zip：ありません",
		"the quote is longer than a person reads":  "the quote is longer than a person reads",
		"send us what you know of it by Friday":    "send us what you know of it by Friday",
		"run away is what everybody does at night": "run away is what everybody does at night",
	} {
		if got, _ := Japanese(english); got != want {
			t.Errorf("%q is %q; want %q", english, got, want)
		}
	}
}

// oneWord is a format with what stands in a row in it as one word: nobody can tell where one ends.
func oneWord(format string) string { return strings.ReplaceAll(format, "%s%s", "%s") }
