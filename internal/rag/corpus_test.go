package rag

import (
	"sync"
	"testing"
)

func TestSpanOverlap(t *testing.T) {
	t.Parallel()
	a := Span{"d", 2, 6}
	for b, want := range map[Span]int{{"d", 0, 2}: 0, {"d", 5, 9}: 1, {"d", 0, 9}: 4, {"e", 2, 6}: 0, {"d", 3, 4}: 1} {
		if a.Overlap(b) != want || b.Overlap(a) != want {
			t.Errorf("%s and %s share %d, want %d", a, b, a.Overlap(b), want)
		}
	}
	if a.String() != "d[2:6]" || a.Range().Len() != 4 {
		t.Errorf("%s has length %d", a, a.Range().Len())
	}
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	c := NewCorpus("test", []Document{{ID: "a", Text: "𠮷野家か\u3099", Title: "牛丼"}, {ID: "b", Text: "xyz"}})
	for span, want := range map[Span]string{
		{"a", 0, 1}: "𠮷", {"a", 3, 5}: "か\u3099", {"a", 4, 99}: "\u3099", {"a", -3, 2}: "𠮷野", {"b", 2, 1}: "", {"b", 3, 9}: "",
		{"c", 0, 1}: "",
	} {
		if got := c.Text(span); got != want {
			t.Errorf("%s is %q, want %q", span, got, want)
		}
	}
	if d, ok := c.Document("a"); !ok || d.Title != "牛丼" {
		t.Errorf("document a is %+v", d)
	}
	if _, ok := c.Document("c"); ok || c.Index("c") != nil {
		t.Error("there is a document c")
	}
	if c.Chars() != 8 {
		t.Errorf("%d characters", c.Chars())
	}
	if empty := NewCorpus("none", nil); empty.Chars() != 0 || empty.Text(Span{"a", 0, 1}) != "" {
		t.Error("an empty corpus has text")
	}
}

func TestCorpusDigest(t *testing.T) {
	t.Parallel()
	base := NewCorpus("test", manual()).Digest
	if len(base) != 64 || NewCorpus("other", manual()).Digest != base {
		t.Errorf("digest %q depends on the name", base)
	}
	for name, change := range map[string]func(d []Document) []Document{
		"text":     func(d []Document) []Document { d[0].Text += " "; return d },
		"id":       func(d []Document) []Document { d[0].ID = "x"; return d },
		"title":    func(d []Document) []Document { d[0].Title = "x"; return d },
		"metadata": func(d []Document) []Document { d[0].Metadata = map[string]string{"a": "b"}; return d },
		"order":    func(d []Document) []Document { d[0], d[1] = d[1], d[0]; return d },
		"fewer":    func(d []Document) []Document { return d[1:] },
	} {
		if NewCorpus("test", change(manual())).Digest == base {
			t.Errorf("%s does not change the digest", name)
		}
	}
	metadata := map[string]string{"a": "1", "b": "2", "c": "3", "d": "4"}
	one := NewCorpus("test", []Document{{ID: "a", Metadata: metadata}}).Digest
	for range 20 {
		if NewCorpus("test", []Document{{ID: "a", Metadata: metadata}}).Digest != one {
			t.Fatal("the digest depends on the order of a map")
		}
	}
}

func TestCorpusIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	c := NewCorpus("test", manual())
	joined := JoinCorpus(c, "joined")
	var wg sync.WaitGroup
	for _, d := range manual() {
		wg.Go(func() {
			span := Span{DocID: d.ID, Start: 1, End: 5}
			if a, b := c.Text(span), joined.Text(joined.Locate(span)); a != string([]rune(d.Text)[1:5]) || a != b {
				t.Errorf("%s is %q, joined %q", span, a, b)
			}
		})
	}
	wg.Wait()
}

func TestLocate(t *testing.T) {
	t.Parallel()
	plain := NewCorpus("test", manual())
	joined := JoinCorpus(plain, "joined")
	for _, c := range []struct {
		corpus *Corpus
		span   Span
	}{
		{plain, Span{"ja-office", 0, 4}},
		{joined, Span{"unknown", 0, 4}},
		{joined, Span{JoinedID, 7, 9}},
		{NewCorpus("one", []Document{{ID: "a", Text: "x", Metadata: map[string]string{partsKey: "no JSON"}}}), Span{"a", 0, 1}},
		{NewCorpus("none", nil), Span{"a", 0, 1}},
	} {
		if got := c.corpus.Locate(c.span); got != c.span {
			t.Errorf("%s of %s moved to %s", c.span, c.corpus.Name, got)
		}
	}
}
