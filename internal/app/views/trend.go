package views

import (
	"cmp"
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
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
	ids := make([]string, 0, 2*len(fires))
	for _, f := range fires {
		ids = append(ids, f.RunID, f.Baseline)
	}
	runs, err := v.reduced(ctx, ids)
	if err != nil {
		return progress.Trend{}, err
	}
	for _, f := range slices.Backward(fires) {
		p := pointOf(f)
		p.Run = runs[f.RunID]
		points = append(points, p)
	}
	t := v.series(points, runs)
	t.Schedule, t.Experiment, t.More = s.Name, s.Experiment, more
	return t, nil
}

// ExperimentTrend is the series of an experiment's newest finished runs, whoever started them, in the order in which they ended. What
// schedules know of their fires is told with their runs.
func (v *runViews) ExperimentTrend(ctx context.Context, name string, limit int) (progress.Trend, error) {
	e, err := v.w.Store.Experiment(ctx, name)
	if err != nil {
		return progress.Trend{}, err
	}
	finished := experiments.RunFilter{Experiment: name, State: experiments.Finished, Kind: experiments.KindEvaluate, Roots: true,
		Alone: true}
	runs, all, err := v.w.Whole.RunHeads(ctx, experiments.RunList{RunFilter: finished},
		experiments.Part{Sort: "created_at", Down: true, Limit: trendPoints(limit)})
	if err != nil {
		return progress.Trend{}, err
	}
	more := all - len(runs)
	runs = slices.DeleteFunc(runs, func(r experiments.RunHead) bool { return r.FinishedAt == nil })
	slices.SortStableFunc(runs, func(a, b experiments.RunHead) int {
		return cmp.Or(a.FinishedAt.Compare(*b.FinishedAt), cmp.Compare(a.RunID, b.RunID))
	})
	fires, err := v.firesByRun(ctx, runs)
	if err != nil {
		return progress.Trend{}, err
	}
	var points []progress.TrendPoint
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.RunID, fires[r.RunID].Baseline)
	}
	reduced, err := v.reduced(ctx, ids)
	if err != nil {
		return progress.Trend{}, err
	}
	for _, r := range runs {
		p := progress.TrendPoint{State: experiments.FireRan}
		if f, ok := fires[r.RunID]; ok {
			p = pointOf(f)
		}
		p.At = r.FinishedAt.UTC()
		p.Run = reduced[r.RunID]
		if p.FireID == "" {
			spent, err := v.w.Store.Spent(ctx, r.RunID)
			if err != nil {
				return progress.Trend{}, err
			}
			p.Spent, p.Calls = spent.ConfirmedMicros+spent.PossibleMicros, spent.Calls
		}
		points = append(points, p)
	}
	t := v.series(points, reduced)
	t.Experiment, t.More = e.Definition.Name, more
	return t, nil
}

// DrawnTrend draws some metrics of a series; "" is the zone of its schedule, or UTC.
func (v *runViews) DrawnTrend(ctx context.Context, t progress.Trend, metrics []string, zone string) (progress.Trend, error) {
	if zone == "" && t.Schedule != "" {
		s, err := v.w.Whole.Schedule(ctx, t.Schedule)
		if err != nil {
			return t, err
		}
		zone = s.Zone
	}
	clock, err := timetable.ParseZone(zone)
	if err != nil {
		return t, err
	}
	t.Choose(metrics)
	t.Chart = findings.TrendPlan(t, clock)
	return t, nil
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
		Drift: f.Drift, Spent: f.Spent, Calls: f.Calls, Schedule: f.Schedule, By: limitsOf(f),
	}
}

// limitsOf are the limits by which a fire was decided, in words; nothing where they cannot be read.
func limitsOf(f experiments.Fire) text.Said {
	rules, err := reporting.OfSchedule(f.Schedule, f.Limits).Rules()
	if err != nil {
		return text.Said{}
	}
	said := findings.LimitsList(rules.Limits())
	return text.Said{EN: said.EN, JA: said.JA}
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

// series adds the baselines that points name.
func (v *runViews) series(points []progress.TrendPoint, runs map[string]*progress.TrendRun) progress.Trend {
	var baselines []progress.TrendRun
	known := map[string]bool{}
	for _, p := range points {
		if known[p.Baseline] {
			continue
		}
		known[p.Baseline] = true
		if r := runs[p.Baseline]; r != nil {
			baselines = append(baselines, *r)
		}
	}
	if points == nil {
		points = []progress.TrendPoint{}
	}
	return progress.Series(points, baselines)
}

// reduced are the finished ones among some runs, reduced to their figures, from memory where nothing has come to them since. What was
// deleted, or ended without figures, is not among them, and a slot without a run has none. All are looked up together, so that a year of
// them does not take a year of questions to the database.
func (v *runViews) reduced(ctx context.Context, ids []string) (map[string]*progress.TrendRun, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" })
	slices.Sort(ids)
	var heads []experiments.RunHead
	for some := range slices.Chunk(slices.Compact(ids), 500) { // what one statement of every engine takes
		wanted := experiments.RunList{RunFilter: experiments.RunFilter{IDs: some, State: experiments.Finished}}
		found, _, err := v.w.Whole.RunHeads(ctx, wanted, experiments.Part{Sort: "created_at", Bare: true, Uncounted: true})
		if err != nil {
			return nil, err
		}
		heads = append(heads, found...)
	}
	states := map[string]string{}
	parent := map[string]string{}
	of := make([]string, len(heads))
	for i, h := range heads {
		of[i] = h.RunID
		states[h.RunID] = h.RunID + " " + h.CreatedAt.String() // the id of a deleted run may be given again
	}
	family, err := app.Descendants(ctx, v.w, of...)
	if err != nil {
		return nil, err
	}
	for _, c := range family {
		parent[c.RunID] = c.ParentID
		if c.State != experiments.Finished {
			continue
		}
		for id, ok := c.ParentID, true; ok; id, ok = parent[id] { // a child of one of the runs may be another one
			if state, asked := states[id]; asked {
				states[id] = state + " " + c.RunID
			}
		}
	}
	loading := context.WithoutCancel(ctx)
	out := make(map[string]*progress.TrendRun, len(heads))
	for id, state := range states {
		r, err := v.trends.Get(state, v.w.Options.Now(), func() (progress.TrendRun, error) {
			e, err := experiments.LoadEvaluation(loading, v.w.Store, id)
			if err != nil {
				return progress.TrendRun{}, err
			}
			known, err := analyses.AnalysesOf(loading, v.w, e)
			if err != nil {
				return progress.TrendRun{}, err
			}
			return progress.ReduceRun(e, known.Causes), nil
		})
		if err != nil {
			return nil, err
		}
		out[id] = &r
	}
	return out, nil
}
