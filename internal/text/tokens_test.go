package text

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The counts of the o200k vocabulary are those its makers publish. Where a token ends inside a character, the part that
// has no character of its own is no piece: 誕 is two tokens and one piece.
func TestTokensCount(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"":                             0,
		"hello world":                  2,
		"Hello, world!":                4,
		"tiktoken is great!":           6,
		"antidisestablishmentarianism": 6,
		"2 + 2 = 4":                    7,
		"お誕生日おめでとう":                    8 - 1,
	} {
		spans := Tokens("", s)
		if len(spans) != want {
			t.Errorf("%q has %d pieces, want %d: %q", s, len(spans), want, cutAt(s, spans))
		}
	}
}

func TestTokensCut(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"Hello, world!": {"Hello", ",", " world", "!"},
		"2 + 2 = 4":     {"2", " +", " ", "2", " =", " ", "4"},
	} {
		spans := Tokens("", s)
		if diff := cmp.Diff(want, cutAt(s, spans)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", s, diff)
		}
	}
}

// checkGapless reports a gap, an overlap or an empty piece.
func checkGapless(t *testing.T, s string) {
	t.Helper()
	spans := Tokens("", s)
	end := 0
	for _, span := range spans {
		if span.Start != end || span.End <= span.Start {
			t.Fatalf("%q: piece %v after %d", s, span, end)
		}
		end = span.End
	}
	if end != len([]rune(s)) {
		t.Fatalf("%q: pieces end at %d of %d", s, end, len([]rune(s)))
	}
}

func TestTokensCoverTheText(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		checkGapless(t, randomText(r))
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "お誕生日おめでとう", "👨‍👩‍👧‍👦🇯🇵", "𠮷野家か\u3099", "a\xffb\xe3\x81", "\xf0\x9f", "<|endoftext|>", "\r\n\n  x",
		"\x00", "a\x7fb\x7f"} {
		f.Add(s)
	}
	f.Fuzz(checkGapless)
}
