package offline

import (
	"regexp"
	"testing"
)

// FuzzWholeEndsAsTheExpressionSays: the end of a sentence is one of the marks that end one, and the closers behind it.
func FuzzWholeEndsAsTheExpressionSays(f *testing.F) {
	ends := regexp.MustCompile(`[.!。！]["'”’」』）)]*$`)
	for _, s := range []string{"", ".", "a.", "「あ。」", "yes!)", "no", "?", "a.\n", "\xff", ".\xff", "\uFFFD", "。\uFFFD", ")", "a.b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if want := ends.MatchString(s); whole(s) != want {
			t.Errorf("%q ends a sentence: %t, want %t", s, whole(s), want)
		}
	})
}
