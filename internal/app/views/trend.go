package views

import (
	"cmp"
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// The points of a trend: what is shown where nobody says, and the most that is.
const (
	DefaultTrendPoints = 52
	MostTrendPoints    = 500
)

// Trend is the series of a schedule, or of an experiment where no schedule has the name: its last points, oldest first. limit 0 takes
// the default.
func (v *runViews) Trend(ctx context.Context, name string, limit int) (progress.Trend, error) {
	t, err := v.ScheduleTrend(ctx, name, limit)
	if !problem.Is(err, problem.NotFound) {
		return t, err
	}
	t, err = v.ExperimentTrend(ctx, name, limit)
	if problem.CodeOf(err) == "experiment_unknown" {
		err = problem.New(problem.NotFound, "trend_unknown", "there is neither a schedule nor an experiment %q", name).With("name", name).
			WithHint("`workbench schedule list` and `workbench experiment list` show them")
	}
	return t, err
}

// ScheduleTrend is the series of a schedule's fires. Every slot that ended is a point; those without a finished run have no figures.
func (v *runViews) ScheduleTrend(ctx context.Context, name string, limit int) (progress.Trend, error) {
	s, err := v.w.Whole.Schedule(ctx, name)
	if err != nil {
		return progress.Trend{}, err
	}
	ended := experiments.FireList{Schedule: name, States: experiments.FireEnds, Limit: trendPoints(limit)}
	fires, err := v.w.Whole.Fires(ctx, ended)
	if err != nil {
		return progress.Trend{}, err
	}
	all, err := v.w.Whole.CountFires(ctx, ended)
	if err != nil {
		return progress.Trend{}, err
	}
	more := all - len(fires)
	points := make([]progress.TrendPoint, 0, len(fires))
	for _, f := range slices.Backward(fires) {
		p := pointOf(f)
		if p.Run, err = v.reduced(ctx, f.RunID); err != nil {
			return progress.Trend{}, err
		}
		points = append(points, p)
	}
	t, err := v.series(ctx, points)
	t.Schedule, t.Experiment, t.More = s.Name, s.Experiment, more
	return t, err
}

// ExperimentTrend is the series of an experiment's finished runs, whoever started them. What schedules know of their fires is told
// with their runs.
func (v *runViews) ExperimentTrend(ctx context.Context, name string, limit int) (progress.Trend, error) {
	e, err := v.w.Store.Experiment(ctx, name)
	if err != nil {
		return progress.Trend{}, err
	}
	finished := experiments.RunFilter{Experiment: name, State: experiments.Finished, Kind: experiments.KindEvaluate, Roots: true}
	runs, _, err := v.w.Whole.RunHeads(ctx, experiments.RunList{RunFilter: finished}, experiments.Part{Sort: "created_at"})
	if err != nil {
		return progress.Trend{}, err
	}
	runs = slices.DeleteFunc(runs, func(r experiments.RunHead) bool { return r.SweepID != "" || r.FinishedAt == nil })
	slices.SortStableFunc(runs, func(a, b experiments.RunHead) int {
		return cmp.Or(a.FinishedAt.Compare(*b.FinishedAt), cmp.Compare(a.RunID, b.RunID))
	})
	more := max(0, len(runs)-trendPoints(limit))
	fires, err := v.firesByRun(ctx, runs[more:])
	if err != nil {
		return progress.Trend{}, err
	}
	var points []progress.TrendPoint
	for _, r := range runs[more:] {
		p := progress.TrendPoint{State: experiments.FireRan}
		if f, ok := fires[r.RunID]; ok {
			p = pointOf(f)
		}
		p.At = r.FinishedAt.UTC()
		if p.Run, err = v.reduced(ctx, r.RunID); err != nil {
			return progress.Trend{}, err
		}
		if p.FireID == "" {
			spent, err := v.w.Store.Spent(ctx, r.RunID)
			if err != nil {
				return progress.Trend{}, err
			}
			p.Spent, p.Calls = spent.ConfirmedMicros+spent.PossibleMicros, spent.Calls
		}
		points = append(points, p)
	}
	t, err := v.series(ctx, points)
	t.Experiment, t.More = e.Definition.Name, more
	return t, err
}

func trendPoints(limit int) int {
	if limit <= 0 {
		return DefaultTrendPoints
	}
	return min(limit, MostTrendPoints)
}

func pointOf(f experiments.Fire) progress.TrendPoint {
	return progress.TrendPoint{
		At: f.NominalAt, FireID: f.ID, State: f.State, Reason: f.Reason, Baseline: f.Baseline, Worse: len(f.Worse),
		NewlyWorse: len(f.NewlyWorse), Gate: f.Gate,
		Drift: f.Drift, Spent: f.Spent, Calls: f.Calls,
	}
}

// firesByRun are the fires that ended with one of some runs.
func (v *runViews) firesByRun(ctx context.Context, runs []experiments.RunHead) (map[string]experiments.Fire, error) {
	out := map[string]experiments.Fire{}
	if len(runs) == 0 {
		return out, nil
	}
	l := experiments.FireList{States: experiments.FireEnds}
	for _, r := range runs {
		l.Runs = append(l.Runs, r.RunID)
	}
	fires, err := v.w.Whole.Fires(ctx, l)
	for _, f := range fires {
		out[f.RunID] = f
	}
	return out, err
}

// series adds the baselines that points name, and the pinned one of the dataset.
func (v *runViews) series(ctx context.Context, points []progress.TrendPoint) (progress.Trend, error) {
	var baselines []progress.TrendRun
	known := map[string]bool{}
	for _, p := range points {
		if p.Baseline == "" || known[p.Baseline] {
			continue
		}
		known[p.Baseline] = true
		r, err := v.reduced(ctx, p.Baseline)
		if err != nil {
			return progress.Trend{}, err
		}
		if r != nil {
			baselines = append(baselines, *r)
		}
	}
	if points == nil {
		points = []progress.TrendPoint{}
	}
	return progress.Series(points, baselines), nil
}

// reduced is a finished run reduced to its figures, from memory where nothing has come to it since; nil where there is none.
func (v *runViews) reduced(ctx context.Context, id string) (*progress.TrendRun, error) {
	if id == "" {
		return nil, nil //nolint:nilnil // a slot without a run has no figures
	}
	run, err := v.w.Store.Run(ctx, id)
	if problem.Is(err, problem.NotFound) || err == nil && run.State != experiments.Finished {
		return nil, nil //nolint:nilnil // deleted, or ended without figures
	}
	if err != nil {
		return nil, err
	}
	key, err := v.StateOf(ctx, run)
	if err != nil {
		return nil, err
	}
	loading := context.WithoutCancel(ctx)
	r, err := v.trends.Get(key, v.w.Options.Now(), func() (progress.TrendRun, error) {
		e, err := experiments.LoadEvaluation(loading, v.w.Store, run.ID)
		if err != nil {
			return progress.TrendRun{}, err
		}
		known, err := analyses.AnalysesOf(loading, v.w, run)
		if err != nil {
			return progress.TrendRun{}, err
		}
		return progress.ReduceRun(e, known.Causes), nil
	})
	return &r, err
}
