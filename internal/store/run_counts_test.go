package store

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAListTellsHowManyRunsItHas: whatever belongs to what, and whatever was deleted, the number beside a part of a list is that of all its
// runs.
func TestAListTellsHowManyRunsItHas(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, r := d.open(t), rand.New(rand.NewPCG(11, 4))
		counted := func(when string) {
			t.Helper()
			for i := range 8 {
				f := experiments.RunFilter{Roots: i&1 > 0, Folded: i&2 > 0}
				if i&4 > 0 {
					f.Kind = experiments.KindEvaluate
				}
				part := experiments.Part{Sort: "created_at", Limit: 1}
				_, total, err := s.RunHeads(t.Context(), experiments.RunList{RunFilter: f}, part)
				ok(t, err)
				part.Limit = 0
				all, _, err := s.RunHeads(t.Context(), experiments.RunList{RunFilter: f}, part)
				ok(t, err)
				if total != len(all) {
					t.Errorf("%s: of %+v there are %d, and %d are told", when, f, len(all), total)
				}
			}
		}
		counted("without runs")
		var plain, sweeps []string
		for i := range 24 {
			run := experiments.Run{Kind: experiments.KindEvaluate, Setup: setup(fmt.Sprint(i)), CreatedAt: at(i)}
			if r.IntN(2) == 0 && len(sweeps) > 0 {
				run.SweepID = sweeps[r.IntN(len(sweeps))]
			}
			if r.IntN(3) == 0 && len(plain) > 0 {
				run.ParentID = plain[r.IntN(len(plain))]
			}
			if i%6 == 0 {
				run.Kind, run.SweepID, run.ParentID = experiments.KindSweep, "", ""
			}
			made := must[experiments.Run](t)(s.CreateRun(t.Context(), run, nil))
			if made.Kind == experiments.KindSweep {
				sweeps = append(sweeps, made.ID)
			} else {
				plain = append(plain, made.ID)
			}
		}
		counted("with runs")
		deleted := 0
		for _, id := range append(plain, sweeps...) {
			if r.IntN(2) == 0 && s.DeleteRun(t.Context(), id) == nil { // not of one that others need
				deleted++
			}
		}
		if deleted < 3 {
			t.Errorf("only %d runs were deleted", deleted)
		}
		counted("after some were deleted")
	})
}
