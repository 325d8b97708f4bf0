package spreadsheet

import (
	"strings"
	"testing"
)

func TestRisky(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"=1": true, "+1": true, "-1": true, "@x": true, " =1": true, "＝1": true, "\u3000－1": true,
		"": false, "a=1": false, "–": false, "・": false, "\xff": false,
	} {
		if got := Risky(text); got != want {
			t.Errorf("risky(%q) = %t", text, got)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 1, "abcdefgh": 1, "abcdefghkno": 2, "ill ill ill ill": 1, "open open open": 2,
		"あいうえ": 1, "あいうえお": 2, "a\nb\nc\nd": 3} {
		if got := Lines(text, 10, 3); got != want {
			t.Errorf("lines(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\nb", "a\tb\n", "東京　都", "a\u00a0b", "é  è", "a \x01 b"} {
		if got, want := OneLine(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", s, got, want)
		}
	}
}
