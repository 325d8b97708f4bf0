package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnified writes what diff -u writes.
func TestUnified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ a, b, want string }{
		"equal": {"a\nb\n", "a\nb\n", ""},
		"one line of many": {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n五\n6\n7\n8\n9\n",
			"--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+五\n 6\n 7\n 8\n"},
		"two places": {"a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\n8\n",
			"--- old\n+++ new\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -7,4 +7,3 @@\n 6\n 7\n 8\n-b\n"},
		"a new text":       {"", "x\n", "--- old\n+++ new\n@@ -0,0 +1 @@\n+x\n"},
		"a text that went": {"x\n", "", "--- old\n+++ new\n@@ -1 +0,0 @@\n-x\n"},
		"no last line end": {"x", "x\n", "--- old\n+++ new\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"},
	} {
		if diff := cmp.Diff(c.want, Unified("old", "new", c.a, c.b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
