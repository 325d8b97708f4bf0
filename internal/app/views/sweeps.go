package views

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// SweepView is a sweep with everything that its page shows.
type SweepView struct {
	Sweep    app.RunRow             `json:"sweep"`
	Axes     []experiments.Axis     `json:"axes"`
	Runs     []SweepPoint           `json:"runs"` // in the order of the axes
	Baseline string                 `json:"baseline,omitempty"`
	Winner   string                 `json:"winner,omitempty"` // absent until a run has finished
	Standing experiments.Rationale  `json:"standing"`         // of the winner among the others, as far as intervals allow; may be ""
	Effects  []compare.SweepEffects `json:"effects"`          // main effects, by metric
	Maps     []compare.SweepMap     `json:"maps"`             // what may be said of the cells of the heat map, by metric
	Pareto   []compare.ParetoPoint  `json:"pareto"`
	Scale    int                    `json:"scale"` // the largest count of all bubble charts
	Charts   SweepCharts            `json:"charts"`
}

// SweepCharts are the configurations of a sweep by quality against what they cost; absent where that is not known.
type SweepCharts struct {
	Cost    *charts.Plan `json:"cost,omitempty"` // price, or the size of the contexts where nothing has a price
	Latency *charts.Plan `json:"latency,omitempty"`

	Effects []SweepEffect `json:"effects"` // what each value of each parameter does, by metric
}

// SweepEffect draws the main effects on one metric; absent where they cannot be told.
type SweepEffect struct {
	Metric string       `json:"metric"`
	Plan   *charts.Plan `json:"plan,omitempty"`
}

// SweepPoint is one configuration of a sweep.
type SweepPoint struct {
	Run      app.RunRow   `json:"run"`
	Bubbles  *Bubbles     `json:"bubbles,omitempty"` // absent until it has finished
	Chart    *charts.Plan `json:"chart,omitempty"`   // the same, drawn on the scale of all
	Repaired []string     `json:"repaired"`          // low scores of the baseline that are none here
	Broken   []string     `json:"broken"`            // the other way round
}

// Sweep returns a sweep by id or prefix.
func (v *runViews) Sweep(ctx context.Context, id string) (SweepView, error) {
	sweep, err := v.w.Store.Run(ctx, id)
	if err != nil {
		return SweepView{}, err
	}
	if sweep.Kind != experiments.KindSweep {
		return SweepView{}, problem.New(problem.NotFound, "sweep_unknown", "run %s is no sweep", sweep.ID).With("run_id", sweep.ID)
	}
	runs, err := v.w.SweepRuns(ctx, sweep.ID)
	if err != nil {
		return SweepView{}, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return SweepView{}, err
	}
	states := []string{fmt.Sprint(sweep.ID, " ", baselines)}
	for _, r := range append(runs, sweep) {
		state, err := v.StateOf(ctx, r)
		if err != nil {
			return SweepView{}, err
		}
		states = append(states, state)
	}
	making := context.WithoutCancel(ctx) // others may wait for the same
	return v.sweeps.Get(strings.Join(states, "\n"), v.w.Options.Now(),
		func() (SweepView, error) { return v.sweep(making, sweep, runs, baselines) })
}

// sweep reads every run of a sweep.
func (v *runViews) sweep(ctx context.Context, sweep experiments.Run, runs []experiments.Run, baselines map[string]bool) (SweepView, error) {
	var err error
	view := SweepView{
		Sweep: app.RunRowOf(sweep, baselines), Axes: axesOf(sweep.Params), Runs: []SweepPoint{}, Effects: []compare.SweepEffects{},
		Pareto: []compare.ParetoPoint{}, Maps: []compare.SweepMap{}, Charts: SweepCharts{Effects: []SweepEffect{}},
	}
	if view.Sweep.Progress, err = v.progress(ctx, sweep.ID, sweep.State); err != nil {
		return view, err
	}
	baseline, err := v.sweepBaseline(ctx, sweep, runs)
	if err != nil {
		return view, err
	}
	if baseline != nil {
		view.Baseline = baseline.Run.ID
	}
	evaluations := make([]experiments.Evaluation, 0, len(runs))
	shelf := experiments.NewShelf(v.w.Store)
	for _, r := range runs {
		point := SweepPoint{Run: app.RunRowOf(r, baselines), Repaired: []string{}, Broken: []string{}}
		if r.State == experiments.Finished {
			e, err := experiments.LoadEvaluationFrom(ctx, v.w.Store, shelf, r.ID)
			if err != nil {
				return view, err
			}
			evaluations = append(evaluations, e)
			point.Bubbles = bubblesOf(e.Results, e.Run.Setup)
			point.repairs(baseline, e)
			for _, row := range point.Bubbles.Counts {
				for _, n := range row {
					view.Scale = max(view.Scale, n)
				}
			}
		}
		view.Runs = append(view.Runs, point)
	}
	if len(evaluations) == 0 {
		return view, nil
	}
	for i, p := range view.Runs {
		if b := p.Bubbles; b != nil {
			s := findings.Squares{Counts: b.Counts, Low: b.Low, Threshold: b.LowScore, Most: view.Scale, Small: true}
			view.Runs[i].Chart = s.Plan()
		}
	}
	if winner, err := app.Winner(runs); err == nil {
		view.Winner = winner.ID
	}
	return view, v.effects(ctx, &view, evaluations)
}

// axesOf are the parameters of a sweep's parent, whose values are lists.
func axesOf(params []experiments.Param) []experiments.Axis {
	axes := []experiments.Axis{}
	for _, p := range params {
		values, ok := p.Value.([]any)
		if !ok {
			values = []any{p.Value}
		}
		axes = append(axes, experiments.Axis{Name: p.Name, Values: values})
	}
	return axes
}

// sweepBaseline is the finished run that the others are measured against; nil while there is none.
func (v *runViews) sweepBaseline(ctx context.Context, sweep experiments.Run, runs []experiments.Run) (*loaded, error) {
	if len(runs) == 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	e, err := v.w.Store.Experiment(ctx, sweep.Setup.Experiment)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return nil, err
	}
	run, err := app.SweepBaseline(ctx, v.w, e, runs)
	if err != nil || run.State != experiments.Finished {
		return nil, ignoreNotFound(err)
	}
	return v.evaluation(ctx, run)
}

// repairs lists which low scores a configuration repairs and which it makes, against the baseline.
func (p *SweepPoint) repairs(baseline *loaded, e experiments.Evaluation) {
	if baseline == nil || baseline.Run.ID == e.Run.ID {
		return
	}
	standing, _ := experiments.Standing(e.Results)
	for _, r := range standing {
		was, ok := baseline.standing[r.QuestionID]
		if !ok || r.Failure != nil || was.Failure != nil {
			continue
		}
		before, after := was.Low(baseline.Run.Setup.LowRule()), r.Low(e.Run.Setup.LowRule())
		switch {
		case before && !after:
			p.Repaired = append(p.Repaired, r.QuestionID)
		case after && !before:
			p.Broken = append(p.Broken, r.QuestionID)
		}
	}
}

func (v *runViews) effects(ctx context.Context, view *SweepView, evaluations []experiments.Evaluation) error {
	suite := evaluations[0].Run.Setup.Suite
	for _, metric := range compare.SweepMetrics(suite) {
		e := compare.MainEffectsOf(evaluations, metric)
		spec := metrics.Spec{}
		if i := slices.IndexFunc(suite, func(s metrics.Spec) bool { return s.ID == metric }); i >= 0 {
			spec = suite[i]
		}
		view.Effects = append(view.Effects, e)
		view.Charts.Effects = append(view.Charts.Effects, SweepEffect{metric, findings.Effects(e, spec, shortParam)})
	}
	view.Maps = append(view.Maps, compare.MapOf(evaluations, compare.GoodAnswers, false))
	view.Standing = view.Maps[0].Standing(view.Winner)
	for _, s := range evaluations[0].Run.Setup.Suite {
		view.Maps = append(view.Maps, compare.MapOf(evaluations, s.ID, s.LowerIsBetter))
	}
	pareto, err := sweeps.Pareto(ctx, v.w, evaluations)
	if pareto != nil {
		view.Pareto = pareto
	}
	if err != nil {
		return err
	}
	return view.front()
}
