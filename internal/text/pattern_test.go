package text

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzNamed holds the check of names against the pattern that says the same.
func FuzzNamed(f *testing.F) {
	for _, s := range []string{"", "a", "７版", "質問集_2026", "-a", ".hidden", "a/b", "a b", "a\n", "Ⅳ", "a.b-c_d", "à", "a\u0301", "\xff",
		strings.Repeat("é", 100), strings.Repeat("é", 101)} {
		f.Add(s)
	}
	shape := regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$`)
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Named(s, "._-", 100), shape.MatchString(s) && utf8.ValidString(s); got != want {
			t.Errorf("%q: %t, the pattern says %t", s, got, want)
		}
	})
}

// TestPatternIsTheExpression holds a pattern against the expression it is made of.
func TestPatternIsTheExpression(t *testing.T) {
	const expression, s = `(a+)(b?)`, "xaab, ab, a"
	lazy, whole := Lazy(expression), regexp.MustCompile(expression)
	for name, pair := range map[string][2]any{
		"found": {lazy.FindAllStringSubmatch(s, -1), whole.FindAllStringSubmatch(s, -1)},
		"where": {lazy.FindAllStringSubmatchIndex(s, 2), whole.FindAllStringSubmatchIndex(s, 2)},
		"put":   {lazy.ReplaceAllString(s, "$2$1"), whole.ReplaceAllString(s, "$2$1")},
		"cut":   {lazy.Split(s, 2), whole.Split(s, 2)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %v, expected %v", name, pair[0], pair[1])
		}
	}
}
