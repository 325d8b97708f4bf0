package sweeps

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// MostRead is how many runs of a sweep are read for what is said of all of them: each is read whole.
const MostRead = 64

// Standing says how the winner among the finished runs of a sweep is told from the others ([compare.SweepMap.Standing]); "" where there
// are more than [MostRead], or nothing may be said. Of a search those of the winner's stage count.
func Standing(ctx context.Context, w *app.Workbench, runs []experiments.Run) (experiments.Rationale, error) {
	winner, err := app.Winner(runs)
	if err != nil {
		return experiments.Rationale{}, err
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r experiments.Run) bool {
		return r.SweepID != winner.SweepID || r.State != experiments.Finished
	})
	if len(runs) < 2 || len(runs) > MostRead {
		return experiments.Rationale{}, nil
	}
	evaluations, err := Evaluations(ctx, w, runs)
	if err != nil {
		return experiments.Rationale{}, err
	}
	return compare.MapOf(evaluations, compare.GoodAnswers, false).Standing(winner.ID), nil
}
