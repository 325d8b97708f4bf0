package views

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Gate is [reporting.Gate] with what is kept in memory.
func (v *compareViews) Gate(ctx context.Context, baseline, candidate string, asked reporting.GateAsked) (reporting.GateView, error) {
	rules, err := asked.Rules()
	if err != nil {
		return reporting.GateView{}, err
	}
	var g reporting.Gated
	var states string
	c, err := v.comparison(ctx, baseline, candidate)
	switch {
	case reporting.ThresholdsOnly(baseline, rules, err):
		run, err := v.finished(ctx, candidate)
		if err != nil {
			return reporting.GateView{}, err
		}
		l, err := v.evaluation(ctx, run)
		if err != nil {
			return reporting.GateView{}, err
		}
		g, states = reporting.Gated{Both: [2]experiments.Evaluation{1: l.Evaluation}, Alone: true}, l.key
	case err != nil:
		return reporting.GateView{}, err
	default:
		g = reporting.Gated{Comparison: c.Comparison, Both: c.evaluations(), Card: reporting.CardOf(ctx, v.w, c.both[1].Run)}
		states = c.both[0].key + "\n" + c.both[1].key
	}
	in := findings.Input{Candidate: g.Both[1]}
	if err := reporting.AgreedOn(ctx, v.w, &in); err != nil {
		return reporting.GateView{}, err
	}
	g.Agreed = in.Agreement
	key := fmt.Sprintf("%s\n%+v\n%d", states, rules, g.Agreed.Agreement.Version)
	if g.Card != nil {
		key += g.Card.MeasuredAt.String()
	}
	return v.gates.Get(key, v.w.Options.Now(), func() (reporting.GateView,
		error) {
		return g.Decide(rules)
	}) // seconds, with many questions
}

// SetBaseline pins a finished run as the baseline of a dataset, which must be the run's.
func (v *compareViews) SetBaseline(ctx context.Context, dataset, name string) (Pinned, error) {
	b, err := v.CheckBaseline(ctx, dataset, name)
	if err != nil {
		return b, err
	}
	return b, v.w.Store.SetBaseline(ctx, b.Baseline)
}

// DeleteRun deletes a run by id or prefix, and never by an experiment's name, which means another run tomorrow.
func DeleteRun(ctx context.Context, w *app.Workbench, idOrPrefix string) error {
	run, err := w.Store.Run(ctx, idOrPrefix)
	if err != nil {
		return err
	}
	return w.Store.DeleteRun(ctx, run.ID)
}
