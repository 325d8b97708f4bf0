package problem

import (
	"fmt"
	"strings"
	"testing"
)

// TestListsAreCutInJapaneseToo: however a list that names only its first parts reaches a message or a note, its end is Japanese.
func TestListsAreCutInJapaneseToo(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"a, b, and 12 more", "a, b and 12 more", "a; b; and 12 more"} {
		for _, format := range []string{"columns of numbers that are not read as scores: %s", "columns without scores passed over: %s"} {
			for _, ja := range []string{New(Invalid, "x", format, list).In("ja").Message, first(Japanese(fmt.Sprintf(format, list)))} {
				if strings.Contains(ja, "more") || !strings.HasSuffix(ja, "b、ほか12件") {
					t.Errorf("%q: %s", list, ja)
				}
			}
		}
	}
	for _, name := range []string{"once and more", "this and that more", "more", " and 3 more", "rock and 0 more"} {
		if said := andMore(name); said != name {
			t.Errorf("%q became %q", name, said)
		}
	}
}

func first(s string, _ bool) string { return s }
