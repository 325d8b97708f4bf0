package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Drift splits a metric's difference into what the judge did and what the system did: "judge −0.12, system +0.05". The
// judge's part is seen where there was nothing to judge anew: on answers that are the same in both runs, or on anchors.
type Drift struct {
	Judge  float64     `json:"judge"`          // mean difference on unchanged answers
	System float64     `json:"system"`         // the rest of the metric's difference
	CI95   *[2]float64 `json:"ci95,omitempty"` // of Judge
	P      float64     `json:"p"`              // two-sided, that the judge did not move
	N      int         `json:"n"`              // unchanged answers, or anchors
	From   DriftSource `json:"from"`
}

// DriftSource says what the judge's part was measured on.
type DriftSource string

// The sources of drift figures. Anchors are preferred: they do not depend on which answers happened to stay the same.
const (
	FromAnchors   DriftSource = "anchors"
	FromUnchanged DriftSource = "unchanged"
)

// driftQuestions is the number of unchanged answers below which nothing is said about the judge; driftP the probability
// under which it is said aloud.
const (
	driftQuestions = 10
	driftP         = 0.01
)

// drift measures the judge; nil where it does not take part or too few answers tell.
func (s *session) drift(spec metrics.Spec, cells []cell, diffs []float64, total float64) *Drift {
	if !spec.NeedsJudge {
		return nil
	}
	if a := s.options.Anchors; a != nil {
		if d := driftOf(anchorDiffs(*a, spec.ID), total, FromAnchors); d != nil {
			return d
		}
	}
	if s.settled {
		return nil
	}
	var unchanged []float64
	for i, c := range cells {
		if p := &s.pairs[c.pair]; p.identical && !sameVotes(p, spec.ID) {
			unchanged = append(unchanged, diffs[i])
		}
	}
	return driftOf(unchanged, total, FromUnchanged)
}

func driftOf(diffs []float64, total float64, from DriftSource) *Drift {
	if len(diffs) < driftQuestions {
		return nil
	}
	t, err := stats.PairedT(make([]float64, len(diffs)), diffs)
	if err != nil {
		return nil
	}
	return &Drift{Judge: t.MeanDiff, System: total - t.MeanDiff, CI95: &[2]float64{t.CILow, t.CIHigh}, P: t.P, N: t.N, From: from}
}

func anchorDiffs(a Anchors, metric string) []float64 {
	before := make(map[string]float64, len(a.Before))
	for _, r := range a.Before {
		if v, ok := r.Value(metric); ok {
			before[r.QuestionID] = v
		}
	}
	var diffs []float64
	for _, r := range a.Now {
		b, known := before[r.QuestionID]
		if v, ok := r.Value(metric); ok && known {
			diffs = append(diffs, v-b)
		}
	}
	slices.Sort(diffs) // so that the order of the anchors does not change a bit of the result
	return diffs
}

// sameVotes reports whether both runs took the first score from the same stored judge replies: then it was judged once, and
// says nothing about the judge.
func sameVotes(p *pair, metric string) bool {
	replies := func(results []experiments.Result) uint64 {
		for i := range results[0].Scores {
			if results[0].Scores[i].Metric == metric {
				return results[0].Replies(i)
			}
		}
		return 0
	}
	b := replies(p.before)
	return b != 0 && len(p.before) == 1 && len(p.after) == 1 && b == replies(p.after)
}
