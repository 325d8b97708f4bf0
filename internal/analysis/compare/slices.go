package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
)

// SliceChange is the difference of a metric on the questions of one tag.
type SliceChange struct {
	Tag  string  `json:"tag"`
	N    int     `json:"n"`
	Diff float64 `json:"diff"` // candidate - baseline
	P    float64 `json:"p"`    // corrected for having looked at all slices
}

// smallestSlice is the number of questions below which a tag is no slice.
const smallestSlice = 10

// flipWork bounds a permutation test: draws times differences looked at, some milliseconds. A run of 200 questions gets some
// thousand draws; larger ones fewer, and never less than 199, so that a p value of 0.005 can still be reached.
const flipWork = 3_000_000

// slices tests the differences by tag, all at once, so that looking at many slices raises no false alarm. A tag that all
// questions have is no slice.
func (s *session) slices(cells []cell, diffs []float64) []SliceChange {
	byTag := map[string][]int{}
	for i, c := range cells {
		for _, tag := range s.pairs[c.pair].question.Tags {
			if own := byTag[tag]; len(own) == 0 || own[len(own)-1] != i {
				byTag[tag] = append(own, i)
			}
		}
	}
	var tags []string
	var places [][]int
	looked := 0
	for tag, own := range byTag {
		if len(own) >= smallestSlice && len(own) < len(cells) {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	for _, tag := range tags {
		places = append(places, byTag[tag])
		looked += len(byTag[tag])
	}
	if len(tags) == 0 {
		return nil
	}
	labels, units := s.clusters.of(cells)
	if units == 0 {
		labels, units = nil, len(cells)
	}
	flips := stats.FlipsFor(units, s.options.Seed)
	if flips.Draws > 0 {
		flips.Draws = max(199, min(flips.Draws, flipWork/(looked+units)))
	}
	tests, err := stats.StepDown(diffs, places, labels, flips)
	if err != nil {
		return nil // only on values that no metric yields
	}
	out := make([]SliceChange, 0, len(tags))
	for i, t := range tests {
		if !math.IsNaN(t.Adjusted) {
			out = append(out, SliceChange{Tag: tags[i], N: t.N, Diff: t.Mean, P: t.Adjusted})
		}
	}
	slices.SortStableFunc(out, func(a, b SliceChange) int {
		return cmp.Or(cmp.Compare(a.P, b.P), -cmp.Compare(math.Abs(a.Diff), math.Abs(b.Diff)))
	})
	return out
}
