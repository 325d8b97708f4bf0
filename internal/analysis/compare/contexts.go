package compare

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// ContextDiff says how the contexts of one question differ, by places in the documents and not by chunks: so it can be read
// across different chunk sizes and overlaps. Every retrieved code point is in exactly one of the four lists.
type ContextDiff struct {
	Kept   []ContextPiece `json:"kept"`   // in both, at the same rank
	Moved  []ContextPiece `json:"moved"`  // in both, at another rank
	Lost   []ContextPiece `json:"lost"`   // only in the baseline
	Gained []ContextPiece `json:"gained"` // only in the candidate
}

// ContextPiece is a place in a document with the best rank of the chunks that hold it; ranks count from 1, and 0 means that
// the run did not retrieve it.
type ContextPiece struct {
	rag.Span
	Before int    `json:"rank_before,omitempty"`
	After  int    `json:"rank_after,omitempty"`
	Text   string `json:"text,omitempty"` // of a piece whose place is not known: then start and end are 0
}

// Same reports whether both runs retrieved the same places at the same ranks.
func (d ContextDiff) Same() bool { return len(d.Moved)+len(d.Lost)+len(d.Gained) == 0 }

// Chars is the number of code points in each list.
func (d ContextDiff) Chars() (kept, moved, lost, gained int) {
	for _, p := range d.Kept {
		kept += p.Range().Len()
	}
	for _, p := range d.Moved {
		moved += p.Range().Len()
	}
	for _, p := range d.Lost {
		lost += p.Range().Len()
	}
	for _, p := range d.Gained {
		gained += p.Range().Len()
	}
	return kept, moved, lost, gained
}

// contextChars is [ContextDiff.Chars] of a diff that nobody needs in full.
func contextChars(before, after []rag.Hit) [4]int {
	var chars [4]int
	eachPiece(before, after, func(p ContextPiece) {
		kind := 0
		switch {
		case p.Before == 0 && p.After == 0:
			return
		case p.Before == 0:
			kind = 3
		case p.After == 0:
			kind = 2
		case p.Before != p.After:
			kind = 1
		}
		chars[kind] += p.Range().Len()
	})
	return chars
}

// DiffContexts compares what two runs retrieved, best first. A chunk whose place is not known, because the system that runs
// elsewhere does not show it, counts as a document of its own, named by its text.
func DiffContexts(before, after []rag.Hit) ContextDiff {
	d := ContextDiff{Kept: []ContextPiece{}, Moved: []ContextPiece{}, Lost: []ContextPiece{}, Gained: []ContextPiece{}}
	hidden := map[string]rag.Hit{}
	for _, h := range slices.Concat(before, after) {
		if !known(h) {
			hidden[h.Text] = h
		}
	}
	eachPiece(before, after, func(p ContextPiece) {
		if h, is := hidden[p.DocID]; is {
			p.Span, p.Text = rag.Span{DocID: h.DocID}, h.Text
		}
		d.put(p)
	})
	for _, list := range [][]ContextPiece{d.Kept, d.Moved, d.Lost, d.Gained} {
		slices.SortFunc(list, func(a, b ContextPiece) int {
			return cmp.Or(cmp.Compare(cmp.Or(a.After, a.Before), cmp.Or(b.After, b.Before)), cmp.Compare(a.DocID, b.DocID),
				cmp.Compare(a.Start, b.Start))
		})
	}
	return d
}

// known reports whether it is known where a hit stands.
func known(h rag.Hit) bool { return h.DocID != "" && h.Placed() }

// eachPiece visits the pieces of two retrievals, document by document.
func eachPiece(before, after []rag.Hit, visit func(ContextPiece)) {
	chunks := make([]placed, 0, len(before)+len(after))
	for arm, hits := range [2][]rag.Hit{before, after} {
		for i, h := range hits {
			span := h.Span
			if !known(h) {
				span = rag.Span{DocID: h.Text, End: utf8.RuneCountInString(h.Text)}
			}
			chunks = append(chunks, placed{span, arm, i + 1})
		}
	}
	slices.SortFunc(chunks, func(a, b placed) int { return strings.Compare(a.DocID, b.DocID) })
	for from, i := 0, 1; i <= len(chunks); i++ {
		if i == len(chunks) || chunks[i].DocID != chunks[from].DocID {
			eachInDocument(chunks[from:i], visit)
			from = i
		}
	}
}

// placed is a chunk with its arm, 0 or 1, and its rank.
type placed struct {
	rag.Span
	arm, rank int
}

// eachInDocument visits the pieces of one document, to which all chunks belong. Between two neighbouring chunk borders nothing
// changes, so each such piece has one rank in each run.
func eachInDocument(chunks []placed, visit func(ContextPiece)) {
	borders := make([]int, 0, 2*len(chunks))
	for _, c := range chunks {
		borders = append(borders, c.Start, c.End)
	}
	slices.Sort(borders)
	borders = slices.Compact(borders)
	var last ContextPiece
	for i := range len(borders) - 1 {
		best := [2]int{}
		for _, c := range chunks {
			if c.Start <= borders[i] && borders[i] < c.End && (best[c.arm] == 0 || c.rank < best[c.arm]) {
				best[c.arm] = c.rank
			}
		}
		if best[0] == last.Before && best[1] == last.After && last.End == borders[i] {
			last.End = borders[i+1]
			continue
		}
		visit(last)
		last = ContextPiece{Span: rag.Span{DocID: chunks[0].DocID, Start: borders[i], End: borders[i+1]}, Before: best[0], After: best[1]}
	}
	visit(last)
}

func (d *ContextDiff) put(p ContextPiece) {
	switch {
	case p.Before == 0 && p.After == 0:
	case p.Before == 0:
		d.Gained = append(d.Gained, p)
	case p.After == 0:
		d.Lost = append(d.Lost, p)
	case p.Before == p.After:
		d.Kept = append(d.Kept, p)
	default:
		d.Moved = append(d.Moved, p)
	}
}

// DiffAnswers says word by word how the baseline's answer became the candidate's, in English and Japanese.
func DiffAnswers(before, after string) []text.Change { return text.Diff(before, after) }
