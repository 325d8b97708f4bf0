package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSpan(t *testing.T) {
	t.Parallel()
	a := Span{Start: 2, End: 6}
	for b, want := range map[Span]int{{0, 2}: 0, {0, 3}: 1, {3, 5}: 2, {2, 6}: 4, {5, 9}: 1, {6, 9}: 0, {0, 9}: 4, {4, 4}: 0} {
		if got := a.Overlap(b); got != want {
			t.Errorf("%v and %v share %d, want %d", a, b, got, want)
		}
		if a.Overlap(b) != b.Overlap(a) {
			t.Errorf("%v and %v: the overlap depends on the order", a, b)
		}
	}
	if a.Len() != 4 {
		t.Errorf("%v has length %d", a, a.Len())
	}
}

// checkSlices compares the index with a slice of code points, at every border around the remembered offsets.
func checkSlices(t *testing.T, s string, start, end int) {
	t.Helper()
	runes, x := []rune(s), NewIndex(s)
	if x.Len() != len(runes) || x.String() != s {
		t.Fatalf("%q: %d code points, want %d", s, x.Len(), len(runes))
	}
	from, to := min(max(0, start), len(runes)), max(0, min(end, len(runes)))
	want := ""
	if from < to {
		want = string(runes[from:to])
	}
	// Bytes that are no text stay in the slice, while []rune has replaced them.
	if got := x.Slice(start, end); string([]rune(got)) != want {
		t.Fatalf("%q[%d:%d] is %q, want %q", s, start, end, got, want)
	}
}

func TestIndexSlices(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "a", "𠮷野家", "か\u3099e\u0301👨‍👩‍👧", strings.Repeat("あ", stride), strings.Repeat("𠮷a", stride),
		strings.Repeat("é", 3*stride-1)} {
		n := len([]rune(s))
		for _, start := range []int{-5, 0, 1, stride - 1, stride, stride + 1, n - 1, n, n + 3} {
			for _, end := range []int{-1, 0, 1, stride, stride + 1, 2 * stride, n - 1, n, n + 9} {
				checkSlices(t, s, start, end)
			}
		}
	}
	if got := NewIndex("𠮷野家か\u3099").Slice(0, 1); got != "𠮷" {
		t.Errorf("the first character is %q", got)
	}
	if got := NewIndex("か\u3099く").Slice(1, 2); got != "\u3099" {
		t.Errorf("a combining mark is a character of its own, got %q", got)
	}
}

func TestIndexSlicesRandomTexts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		s := strings.Repeat(randomText(r), 1+r.IntN(4))
		n := len([]rune(s)) + 4
		checkSlices(t, s, r.IntN(n)-2, r.IntN(n)-2)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add("𠮷野家か\u3099", 1, 3)
	f.Add(strings.Repeat("漢a😀", 100), 63, 129)
	f.Add("a\xffb\xe3\x81", 0, 4)
	f.Fuzz(checkSlices)
}
