package textual

import (
	"strings"
	"testing"
)

// TestCitationsGoAsAPatternSays compares with the pattern that says what a citation is.
func TestCitationsGoAsAPatternSays(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "a", "a [1]", "a [1].", "[1]", " [1] [2, 3] ", "a[1] [2]\n\n [3 , 4]b", "[[1]]", "[1", "[x] [1]", "a [1,] b",
		"a\u00a0[1]", "料金 [1][2]。", "]] [0][ [12] [",
	} {
		if want, got := strings.TrimSpace(citations.ReplaceAllString(s, "")), WithoutCitations(s); got != want {
			t.Errorf("%q becomes %q, and the pattern makes %q of it", s, got, want)
		}
	}
}
