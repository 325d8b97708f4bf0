package rag

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/text"
)

// cutTexts returns the texts of the chunks of one document.
func cutTexts(t *testing.T, c Chunking, s string) []string {
	t.Helper()
	corpus := NewCorpus("test", []Document{{ID: "d", Text: s}})
	chunks := c.Cut(corpus)
	out := make([]string, len(chunks))
	for i, span := range chunks {
		out[i] = corpus.Text(span)
		if want := string([]rune(s)[span.Start:span.End]); out[i] != want || span.DocID != "d" {
			t.Fatalf("%v of %s is %q, the text there is %q", c, span, out[i], want)
		}
	}
	return out
}

func TestCut(t *testing.T) {
	t.Parallel()
	const ja = "一つ目です。「二つ目。」です！三つ目？\n四つ目"
	const en = "One fell. Dr. Two rose. Three stayed.\n\nFour left.\nFive came."
	for _, c := range []struct {
		by            string
		size, overlap int
		text          string
		want          []string
	}{
		{"chars", 4, 0, "abcdefghij", []string{"abcd", "efgh", "ij"}},
		{"chars", 4, 1, "abcdefghij", []string{"abcd", "defg", "ghij"}},
		{"chars", 4, 3, "abcdef", []string{"abcd", "bcde", "cdef"}},
		{"chars", 5, 0, "abcdefghij", []string{"abcde", "fghij"}},
		{"chars", 50, 10, "abc", []string{"abc"}},
		{"chars", 2, 0, "𠮷野か\u3099😀", []string{"𠮷野", "か\u3099", "😀"}},
		{"tokens", 2, 0, "Hello, world! Hello", []string{"Hello,", " world!", " Hello"}},
		{"tokens", 3, 1, "Hello, world! Hello", []string{"Hello, world", " world! Hello"}},
		{"sentences", 1, 0, ja, []string{"一つ目です。", "「二つ目。」です！", "三つ目？", "四つ目"}},
		{"sentences", 2, 1, ja, []string{"一つ目です。「二つ目。」です！", "「二つ目。」です！三つ目？", "三つ目？\n四つ目"}},
		{"sentences", 2, 0, en, []string{"One fell. Dr. Two rose.", "Three stayed.\n\nFour left.", "Five came."}},
		{"paragraphs", 1, 0, en, []string{"One fell. Dr. Two rose. Three stayed.", "Four left.\nFive came."}},
		{"paragraphs", 2, 1, "a\n\nb\n\nc", []string{"a\n\nb", "b\n\nc"}},
		{"paragraphs", 3, 0, "a\n\nb", []string{"a\n\nb"}},
	} {
		got := cutTexts(t, Chunking{By: c.by, Size: c.size, Overlap: c.overlap}, c.text)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d %s, overlap %d (-want +got):\n%s", c.size, c.by, c.overlap, diff)
		}
	}
}

func TestCutEmptyDocuments(t *testing.T) {
	t.Parallel()
	corpus := NewCorpus("test", []Document{{ID: "a"}, {ID: "b", Text: "xyz"}, {ID: "c", Text: ""}})
	for _, by := range []string{"chars", "tokens", "sentences", "paragraphs"} {
		chunks := Chunking{By: by, Size: 10}.Cut(corpus)
		if diff := cmp.Diff([]Span{{DocID: "b", Start: 0, End: 3}}, chunks); diff != "" {
			t.Errorf("%s (-want +got):\n%s", by, diff)
		}
	}
}

// A chunk holds size units of its kind and shares overlap of them with the next; only the last may be shorter.
func TestCutCountsUnits(t *testing.T) {
	t.Parallel()
	units := map[string]func(s string) []text.Span{
		"chars": func(s string) []text.Span {
			var spans []text.Span
			for i := range []rune(s) {
				spans = append(spans, text.Span{Start: i, End: i + 1})
			}
			return spans
		},
		"tokens":     func(s string) []text.Span { return text.Tokens("", s) },
		"sentences":  text.Sentences,
		"paragraphs": text.Paragraphs,
	}
	r := rand.New(rand.NewPCG(11, 12))
	for by, unitsOf := range units {
		for range 150 {
			s := randomDocument(r)
			size := 1 + r.IntN(12)
			c := Chunking{By: by, Size: size, Overlap: r.IntN(size)}
			checkCut(t, c, s, unitsOf(s))
		}
	}
}

// randomDocument is Japanese or English prose with paragraphs, emoji and combining marks.
func randomDocument(r *rand.Rand) string {
	words := []string{"税金", "を", "納める。", "「はい。」", "か\u3099", "𠮷", "\n", "\n\n", "Dr. Lee ", "left. ", "It rose ", "3.5 ", "😀",
		"！", "\u3000"}
	var b strings.Builder
	for range r.IntN(80) {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

func checkCut(t *testing.T, c Chunking, s string, units []text.Span) {
	t.Helper()
	corpus := NewCorpus("test", []Document{{ID: "d", Text: s}})
	chunks := c.Cut(corpus)
	name := fmt.Sprintf("%+v of %q", c, s)
	first := 0
	for i, chunk := range chunks {
		last := min(first+c.Size, len(units))
		if chunk.Start != units[first].Start || chunk.End != units[last-1].End {
			t.Fatalf("%s: chunk %d is %s, want units %d to %d", name, i, chunk, first, last)
		}
		if i > 0 && chunk.End <= chunks[i-1].End {
			t.Fatalf("%s: chunk %d lies in the one before", name, i)
		}
		if (last == len(units)) != (i == len(chunks)-1) {
			t.Fatalf("%s: the end is reached with chunk %d of %d", name, i, len(chunks))
		}
		first += c.Size - c.Overlap
	}
	checkNothingLost(t, name, c, s, chunks)
}

// checkNothingLost reports characters in no chunk: white space may be, and with chars and tokens nothing.
func checkNothingLost(t *testing.T, name string, c Chunking, s string, chunks []Span) {
	t.Helper()
	covered := map[int]bool{}
	for _, chunk := range chunks {
		for i := chunk.Start; i < chunk.End; i++ {
			covered[i] = true
		}
	}
	for i, r := range []rune(s) {
		if !covered[i] && (!unicode.IsSpace(r) || c.By == "chars" || c.By == "tokens") {
			t.Fatalf("%s: %q at %d is in no chunk", name, r, i)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("医療費控除です。次です。\n\n𠮷😀か\u3099", 3, 1, 0)
	f.Add("Dr. A left. B came.\x7f", 2, 1, 2)
	f.Fuzz(func(t *testing.T, s string, size, overlap, kind int) {
		if size < 1 || overlap < 0 || overlap >= size || size > 1_000_000 {
			t.Skip("not a valid configuration")
		}
		by := []string{"chars", "tokens", "sentences", "paragraphs"}[uint(kind)%4]
		corpus := NewCorpus("fuzz", []Document{{ID: "d", Text: s}})
		chunks := Chunking{By: by, Size: size, Overlap: overlap}.Cut(corpus)
		for i, chunk := range chunks {
			if chunk.Start >= chunk.End || chunk.End > corpus.Chars() || i > 0 && chunk.End <= chunks[i-1].End {
				t.Fatalf("chunk %d is %s after %v of %d characters", i, chunk, chunks[:i], corpus.Chars())
			}
		}
		checkNothingLost(t, "fuzz", Chunking{By: by}, s, chunks)
	})
}
