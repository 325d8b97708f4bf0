package causes

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// How a claim is looked for in two places: the windows that come nearest to it, and for the best of them what a second search finds for
// the words that they leave open, as a reader goes from one page to the next.
const (
	firstPlaces  = 8  // windows that may hold one half
	HopsFrom     = 3  // of them, those that a second search starts from
	secondPlaces = 5  // windows of each second search
	mostPairs    = 10 // pairs that are judged
)

// place is a pair of windows that may hold a claim together.
type place struct {
	first, second Window
	words         int // of the claim, that one of them holds
}

// inTwoPlaces looks for a claim that no window holds by itself in two windows together. The judge sees the pair as one passage.
func (s *searching) inTwoPlaces(ctx context.Context) error {
	pairs, err := s.pairs(ctx)
	if err != nil || len(pairs) == 0 {
		return err
	}
	votes, lead := make([]int, len(pairs)), 0
	for vote := 0; vote < beliefNear; vote++ {
		windows := make([]Window, len(pairs))
		for i, p := range pairs {
			windows[i] = p.joined()
		}
		verdicts, err := s.x.lab.Supports(ctx, s.x.c.Question, s.claim, windows, vote)
		if err != nil {
			return err
		}
		s.calls++
		var open []place
		var held []int
		for i := range pairs {
			if i < len(verdicts) && verdicts[i].Verdict == Entails {
				open, held = append(open, pairs[i]), append(held, votes[i]+1)
			}
		}
		if pairs, votes = open, held; len(pairs) == 0 {
			return nil
		}
		if lead++; s.x.powers.SameVerdicts {
			break
		}
	}
	s.pair = pairs[0].evidence(s.claim, s.x.around)
	return nil
}

// pairs are the pairs of windows that hold most words of the claim together, each more than its halves do.
func (s *searching) pairs(ctx context.Context) ([]place, error) {
	words := CauseTopic(s.claim)
	var out []place
	put := func(a, b Window) {
		if a.Span == b.Span {
			return
		}
		in, also := CauseTopic(a.Text), CauseTopic(b.Text)
		both, left, right := 0, 0, 0
		for w := range words {
			both, left, right = both+counted(in[w] || also[w]), left+counted(in[w]), right+counted(also[w])
		}
		same := slices.ContainsFunc(out, func(p place) bool {
			return p.first.Span == a.Span && p.second.Span == b.Span || p.first.Span == b.Span && p.second.Span == a.Span
		})
		if !same && both > left && both > right {
			out = append(out, place{a, b, both})
		}
	}
	near := s.all[:min(firstPlaces, len(s.all))]
	for i, a := range near {
		for _, b := range near[i+1:] {
			put(a.window, b.window)
		}
	}
	for _, a := range near[:min(HopsFrom, len(near))] {
		second, err := s.x.lab.Candidates(ctx, s.x.c.Question, s.openWords(a.window)+" "+a.window.Text)
		if err != nil {
			return nil, err
		}
		for _, b := range second[:min(secondPlaces, len(second))] {
			put(a.window, b)
		}
	}
	slices.SortStableFunc(out, func(a, b place) int { return cmp.Compare(b.words, a.words) })
	return out[:min(mostPairs, len(out))], nil
}

// openWords are the words of the claim that a window leaves open.
func (s *searching) openWords(w Window) string {
	held := CauseTopic(w.Text)
	var open []string
	for _, t := range text.Terms(s.claim) {
		if t.Class == text.Content && !held[t.Text] {
			open = append(open, t.Text)
		}
	}
	return strings.Join(open, " ")
}

// joined is the pair as one passage.
func (p place) joined() Window {
	return Window{Span: p.first.Span, Text: p.first.Text + "\n\n" + p.second.Text}
}

// evidence are the two halves: of each window the sentence that shares most with the claim.
func (p place) evidence(claim string, around func(Window, rag.Span) Window) []claimEvidence {
	var out []claimEvidence
	for _, w := range []Window{p.first, p.second} {
		at := nearestSentence(w, claim)
		span := QuotedSpan{Span: at, Quote: cutWindow(w, at)}
		out = append(out, claimEvidence{claim: claim, spans: []QuotedSpan{span}, windows: []Window{around(w, at)}, share: 1,
			half: true})
	}
	return out
}

// nearestSentence is the sentence of a window that shares most words with a claim.
func nearestSentence(w Window, claim string) rag.Span {
	best, span := -1.0, w.Span
	for _, s := range text.Sentences(w.Text) {
		at := rag.Span{DocID: w.DocID, Start: w.Start + s.Start, End: w.Start + s.End}
		if share := commonShare(claim, cutWindow(w, at)); share > best {
			best, span = share, at
		}
	}
	return span
}

// shortLabel is the length in code points up to which a label is too short to be an answer's evidence by itself.
const shortLabel = 60

// widen puts the sentence in the place of a label that is only a few words of it. It reports whether it changed any.
func (x widening) widen() bool {
	changed := false
	if x.widened {
		return false
	}
	x.widened = true
	for i, c := range x.claims {
		if !c.labelled || c.anywhere || len(c.windows) == 0 || len(c.spans) == 0 || c.spans[0].Range().Len() > shortLabel {
			continue
		}
		w := c.windows[0]
		for _, s := range text.Sentences(w.Text) {
			at := rag.Span{DocID: w.DocID, Start: w.Start + s.Start, End: w.Start + s.End}
			if at.Overlap(c.spans[0].Span) > 0 && at != c.spans[0].Span {
				x.claims[i].spans = []QuotedSpan{{Span: at, Quote: cutWindow(w, at)}}
				changed = true
				break
			}
		}
	}
	return changed
}
