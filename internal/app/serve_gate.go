package app

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// GateView is what a gate decides, with what a reader must know of it.
type GateView struct {
	compare.GateResult
	Offline bool `json:"offline"` // scored by the built-in judge: for wiring and trial
}

// Gate is [Workbench.Gate] with what is kept in memory.
func (v *Views) Gate(ctx context.Context, baseline, candidate string, asked GateAsked) (GateView, error) {
	rules, err := asked.Rules()
	if err != nil {
		return GateView{}, err
	}
	var g gated
	var states string
	c, err := v.comparison(ctx, baseline, candidate)
	switch {
	case thresholdsOnly(baseline, rules, err):
		run, err := v.finished(ctx, candidate)
		if err != nil {
			return GateView{}, err
		}
		l, err := v.evaluation(ctx, run)
		if err != nil {
			return GateView{}, err
		}
		g, states = gated{both: [2]experiments.Evaluation{1: l.Evaluation}, alone: true}, l.key
	case err != nil:
		return GateView{}, err
	default:
		g = gated{comparison: c.Comparison, both: c.evaluations(), card: v.w.cardOf(ctx, c.both[1].Run)}
		states = c.both[0].key + "\n" + c.both[1].key
	}
	key := fmt.Sprintf("%s\n%+v", states, rules)
	if g.card != nil {
		key += g.card.MeasuredAt.String()
	}
	return v.gates.get(key, v.w.options.Now(), func() (GateView, error) { return g.decide(rules) }) // seconds, with many questions
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
