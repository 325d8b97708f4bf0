package search

import (
	"cmp"
	"slices"
)

// Ranked is a chunk number with its score.
type Ranked struct {
	Chunk int
	Score float64
}

// byScore sorts best first; equal scores in chunk order, so that results never depend on chance.
func byScore(a, b Ranked) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return cmp.Compare(a.Chunk, b.Chunk)
}

// Top returns the best n, best first.
func Top(all []Ranked, n int) []Ranked {
	s := newShortlist(n, len(all))
	for _, r := range all {
		s.add(r)
	}
	return s.best()
}

// shortlist keeps the best n of those that are added. Where n is a small part of all, only n are ever held: of a million chunks that
// are searched, the others would be garbage of 16 MB a question.
type shortlist struct {
	n    int
	few  bool     // list is sorted and at most n long; otherwise it is all that was added
	list []Ranked // best first when few
}

func newShortlist(n, of int) *shortlist {
	n = min(n, of)
	return &shortlist{n: n, few: n <= of/8}
}

func (s *shortlist) add(r Ranked) {
	if !s.few {
		s.list = append(s.list, r)
		return
	}
	if len(s.list) == s.n && (s.n == 0 || byScore(s.list[s.n-1], r) < 0) {
		return
	}
	i, _ := slices.BinarySearchFunc(s.list, r, byScore)
	s.list = slices.Insert(s.list, i, r)
	s.list = s.list[:min(s.n, len(s.list))]
}

func (s *shortlist) best() []Ranked {
	if !s.few {
		slices.SortFunc(s.list, byScore)
	}
	return s.list[:min(s.n, len(s.list))]
}
