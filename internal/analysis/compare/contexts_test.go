package compare

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

func piece(start, end, before, after int) ContextPiece {
	return ContextPiece{Span: rag.Span{DocID: "d", Start: start, End: end}, Before: before, After: after}
}

// hidden is a hit of which only the document is known.
func hidden(text string) rag.Hit { return rag.Hit{Span: rag.Span{DocID: "d"}, Text: text} }

func TestDiffContexts(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name          string
		before, after []rag.Hit
		want          ContextDiff
	}{
		{"nothing", nil, nil, ContextDiff{}},
		{"the same", []rag.Hit{hit("d", 0, 10)}, []rag.Hit{hit("d", 0, 10)}, ContextDiff{Kept: []ContextPiece{piece(0, 10, 1, 1)}}},
		{
			"other chunk sizes over the same place",
			[]rag.Hit{hit("d", 0, 100)},
			[]rag.Hit{hit("d", 0, 50), hit("d", 50, 100)},
			ContextDiff{Kept: []ContextPiece{piece(0, 50, 1, 1)}, Moved: []ContextPiece{piece(50, 100, 1, 2)}},
		},
		{
			"overlap and a rest on each side",
			[]rag.Hit{hit("d", 0, 60)},
			[]rag.Hit{hit("d", 40, 90)},
			ContextDiff{Kept: []ContextPiece{piece(40, 60, 1, 1)}, Lost: []ContextPiece{piece(0, 40, 1, 0)},
				Gained: []ContextPiece{piece(60, 90, 0, 1)}},
		},
		{
			"chunks that overlap each other count at the better rank",
			[]rag.Hit{hit("d", 0, 30), hit("d", 20, 50)},
			[]rag.Hit{hit("d", 0, 50)},
			ContextDiff{Kept: []ContextPiece{piece(0, 30, 1, 1)}, Moved: []ContextPiece{piece(30, 50, 2, 1)}},
		},
		{
			"swapped ranks",
			[]rag.Hit{hit("d", 0, 10), hit("d", 20, 30)},
			[]rag.Hit{hit("d", 20, 30), hit("d", 0, 10)},
			ContextDiff{Moved: []ContextPiece{piece(20, 30, 2, 1), piece(0, 10, 1, 2)}},
		},
		{
			"places that are not shown",
			[]rag.Hit{{Text: "返金は無料"}},
			[]rag.Hit{{Text: "返金は無料"}, {Text: "new"}},
			ContextDiff{
				Kept:   []ContextPiece{{Text: "返金は無料", Before: 1, After: 1}},
				Gained: []ContextPiece{{Text: "new", After: 2}},
			},
		},
		{
			"rows of one document whose places are not known",
			[]rag.Hit{hidden("one"), hidden("two"), hit("d", 0, 10)},
			[]rag.Hit{hidden("two"), hidden("three"), hidden("four")},
			ContextDiff{
				Moved: []ContextPiece{{Span: rag.Span{DocID: "d"}, Text: "two", Before: 2, After: 1}},
				Lost:  []ContextPiece{{Span: rag.Span{DocID: "d"}, Text: "one", Before: 1}, piece(0, 10, 3, 0)},
				Gained: []ContextPiece{{Span: rag.Span{DocID: "d"}, Text: "three", After: 2},
					{Span: rag.Span{DocID: "d"}, Text: "four", After: 3}},
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, list := range []*[]ContextPiece{&c.want.Kept, &c.want.Moved, &c.want.Lost, &c.want.Gained} {
				if *list == nil {
					*list = []ContextPiece{}
				}
			}
			if diff := cmp.Diff(c.want, DiffContexts(c.before, c.after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestDiffContextsCountsEveryCodePoint compares the lists with a plain count of code points, and with the mirrored diff.
func TestDiffContextsCountsEveryCodePoint(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 4))
	draw := func() []rag.Hit {
		var hits []rag.Hit
		for range r.IntN(5) {
			start := r.IntN(50)
			hits = append(hits, hit([]string{"d", "e"}[r.IntN(2)], start, start+1+r.IntN(30)))
		}
		return hits
	}
	at := func(hits []rag.Hit, doc string, i int) int {
		for rank, h := range hits {
			if h.DocID == doc && h.Start <= i && i < h.End {
				return rank + 1
			}
		}
		return 0
	}
	for range 300 {
		before, after := draw(), draw()
		var kept, moved, lost, gained int
		for _, doc := range []string{"d", "e"} {
			for i := range 100 {
				switch b, a := at(before, doc, i), at(after, doc, i); {
				case b == 0 && a == 0:
				case b == 0:
					gained++
				case a == 0:
					lost++
				case a == b:
					kept++
				default:
					moved++
				}
			}
		}
		k, m, l, g := DiffContexts(before, after).Chars()
		if k != kept || m != moved || l != lost || g != gained {
			t.Fatalf("%v → %v: kept %d, moved %d, lost %d, gained %d; counted %d, %d, %d, %d", before, after, k, m, l, g, kept,
				moved, lost, gained)
		}
		if short := contextChars(before, after); short != [4]int{k, m, l, g} {
			t.Fatalf("counted without lists: %v", short)
		}
		k2, m2, l2, g2 := DiffContexts(after, before).Chars()
		if k2 != k || m2 != m || l2 != g || g2 != l {
			t.Fatalf("%v → %v is not the mirror of the way back", before, after)
		}
	}
}

func TestDiffAnswers(t *testing.T) {
	t.Parallel()
	want := []text.Change{
		{Edit: text.Equal, Text: "払い戻しは"}, {Edit: text.Deleted, Text: "7"}, {Edit: text.Inserted, Text: "10"},
		{Edit: text.Equal, Text: "日かかります。"},
	}
	got := DiffAnswers("払い戻しは7日かかります。", "払い戻しは10日かかります。")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNothingIsNoEqualInput: a question that one run alone has was not judged on the same input.
func TestNothingIsNoEqualInput(t *testing.T) {
	t.Parallel()
	q, one := &experiments.Question{ID: "q1", Text: "Where?"}, []experiments.Result{{Answer: &rag.Answer{}}}
	for name, p := range map[string]pair{"before alone": {before: one}, "after alone": {after: one}, "neither": {}} {
		p.baseline, p.question = q, q
		if p.sameInput() {
			t.Error(name)
		}
	}
	if p := (pair{baseline: q, question: q, before: one, after: one}); !p.sameInput() {
		t.Error("equal answers are no equal input")
	}
}
