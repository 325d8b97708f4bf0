package textual

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestSameAnswer names what may differ in the same answer, and what may not.
func TestSameAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"It costs 5 coins.", "It costs 5 coins.", true},
		{"It costs 5 coins.", "it  COSTS **5**\ncoins. [1]", true},
		{"It costs [2] 5 coins.", "It costs 5 coins.", true},
		{"1. One.\n2. Two.", "- One.\n- Two.", true},
		{"It costs 5 coins.", "It costs 6 coins.", false},
		{"It costs 5 coins.", "It costs coins.", false},
		{"It costs 5 coins.", "It costs five coins.", false},
		{"It costs 5 coins.", "It costs 5 coins. Children pay half.", false},
		{"It costs ５ coins.", "It costs 5 coins.", true},
		{"It costs ５ coins.", "It costs 6 coins.", false},
		{"５枚です。", "5枚です。[1]", true},
		{"5枚です。", "6枚です。", false},
	} {
		if got := SameAnswer(c.a, c.b); got != c.same {
			t.Errorf("SameAnswer(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

// TestPlainDifferencesAreDifferences writes texts in other ways, and changes some: what differs plainly differs sentence by sentence.
func TestPlainDifferencesAreDifferences(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "b", "C", "1", "5", "12", " ", "  ", "\n", "\t", ". ", ".", ", ", "[1]", " [1, 2]", "**", "__", "`", "- ",
		"2. ", "(3) ", "é", "e\u0301", "５", "Ａ", "円。", "\u20e3", "St. ", ":\n", "①"}
	write := func() []string {
		out := make([]string, 1+random.IntN(9))
		for i := range out {
			out[i] = pieces[random.IntN(len(pieces))]
		}
		return out
	}
	plain, equal := 0, 0
	for range 200_000 {
		parts := write()
		other := slices.Clone(parts)
		for range random.IntN(3) {
			at := random.IntN(len(other) + 1)
			other = slices.Insert(other, at, pieces[random.IntN(len(pieces))])
		}
		if random.IntN(2) == 0 {
			other = slices.Delete(other, 0, random.IntN(2))
		}
		a, b := strings.Join(parts, ""), strings.Join(other, "")
		same := slices.EqualFunc(CutSentences(a), CutSentences(b), func(x, y string) bool { return text.Fold(x) == text.Fold(y) })
		differ := plainlyDiffer(a, b)
		if differ && same {
			t.Fatalf("%q and %q are the same, and differ plainly", a, b)
		}
		if differ {
			plain++
		}
		if same && a != b {
			equal++
		}
	}
	if plain < 1000 || equal < 1000 {
		t.Errorf("%d differ plainly and %d are the same in other words: the texts are too tame", plain, equal)
	}
}
