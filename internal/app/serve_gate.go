package app

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// GateView is what a gate decides, with what a reader must know of it.
type GateView struct {
	analysis.GateResult
	Offline bool `json:"offline"` // scored by the built-in judge: for wiring and trial
}

// Gate decides whether the candidate may replace the baseline. minimum are thresholds of its means, such as "faithfulness >= 0.85".
func (v *Views) Gate(ctx context.Context, baseline, candidate string, minimum []string, allowance float64) (GateView, error) {
	rules := analysis.DefaultGateRules()
	rules.Allowance = allowance
	for _, s := range minimum {
		t, err := analysis.ParseThreshold(s)
		if err != nil {
			return GateView{}, problem.From(err).With("field", "min")
		}
		rules.Thresholds = append(rules.Thresholds, t)
	}
	c, err := v.comparison(ctx, baseline, candidate)
	if err != nil {
		return GateView{}, err
	}
	if rechecked(c.both[0].Evaluation) || rechecked(c.both[1].Evaluation) {
		rules.Alpha = min(rules.Alpha, analysis.SecondLook)
	}
	key := fmt.Sprintf("%s\n%s\n%+v", c.both[0].key, c.both[1].key, rules)
	return v.gates.get(key, v.w.options.Now(), func() (GateView, error) { // seconds, with many questions
		result, err := analysis.Gate(analysis.RunGate(c.Comparison, c.both[0].Evaluation, c.both[1].Evaluation), rules)
		return GateView{result, c.both[1].Run.Setup.Offline}, err
	})
}

// SetBaseline pins a finished run as the baseline of a dataset, which must be the run's.
func (v *Views) SetBaseline(ctx context.Context, dataset, name string) (experiments.Baseline, error) {
	b, err := v.CheckBaseline(ctx, dataset, name)
	if err != nil {
		return b, err
	}
	return b, v.w.Store.SetBaseline(ctx, b)
}

// DeleteRun deletes a run by id or prefix, and never by an experiment's name, which means another run tomorrow.
func (w *Workbench) DeleteRun(ctx context.Context, idOrPrefix string) error {
	run, err := w.Store.Run(ctx, idOrPrefix)
	if err != nil {
		return err
	}
	return w.Store.DeleteRun(ctx, run.ID)
}
