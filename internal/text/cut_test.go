package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// characters are such as people see, each of one code point or more.
var characters = []string{"a", " ", "é", "e\u0301", "か", "か\u3099", "ｶﾞ", "ﾊﾟ",
	"葛\U000e0100", "🙂", "👩\u200d👩\u200d👧\u200d👦",
	"👍🏽", "🇯🇵",
	"🇩🇪", "❤\ufe0f", "한", "\u1112\u1161\u11ab", "क्", "\r\n", "\U0001f3f4\U000e0067\U000e0062\U000e007f"}

// TestWhatIsCutEndsBetweenCharacters: whatever the limit and measure, a text that fits is kept, and of another as many whole characters
// stay as fit beside the ellipsis; what is cut is never longer than its limit.
func TestWhatIsCutEndsBetweenCharacters(t *testing.T) {
	t.Parallel()
	cut := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 17))
		var parts []string
		for range r.IntN(12) {
			parts = append(parts, characters[r.IntN(len(characters))])
		}
		whole, most := strings.Join(parts, ""), 3+r.IntN(40)
		for name, m := range map[string]struct {
			cut  func(string, int) string
			size func(string) int
		}{
			"code points": {Cut, utf8.RuneCountInString}, "bytes": {CutBytes, func(s string) int { return len(s) }},
			"columns": {func(s string, n int) string { return CutBy(s, n, twice) },
				func(s string) int { return 2 * utf8.RuneCountInString(s) }},
		} {
			got, want := m.cut(whole, most), whole
			if m.size(whole) > most {
				cut++
				kept := ""
				for _, part := range parts {
					if m.size(kept+part+"…") > most {
						break
					}
					kept += part
				}
				want = strings.TrimRight(kept, " \r\n") + "…"
			}
			if got != want {
				t.Fatalf("seed %d: %d %s of %q are %q, want %q", seed, most, name, whole, got, want)
			}
		}
	}
	if cut < 1000 {
		t.Errorf("only %d texts were cut", cut)
	}
}

func twice(rune) int { return 2 }

// TestBriefTextsStandOnOneLine and foreign bytes do not break what is cut.
func TestBriefTextsStandOnOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" a\n\tb ": "a b", "1234 6789": "1234 6…", "12345 789": "12345…", "1234\n": "1234", "": "",
		"\xff\xfe1234567": "12345…", "\xff12": "\xff12",
	} {
		if got := Brief(in, 7); got != want && !(strings.HasPrefix(in, "\xff\xfe") && utf8.ValidString(got)) {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
