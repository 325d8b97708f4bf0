package laboratory

import (
	"context"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// How many answers a recommended configuration is tried on, at most.
const (
	triedLow    = 100 // low-score answers
	triedAtRisk = 30  // good answers whose evidence leaves the contexts
	triedGood   = 40  // other good answers, drawn at random
)

// TryRepairs answers questions of a run again with a recommended configuration and judges them as the run did: the low-score answers,
// good ones at risk, and a random sample of the other good ones. The estimate for the whole run is the share of each group times its
// size; its interval adds the 95% limits of the groups that are samples, as [stats.FiniteTotal] has them: what was tried counts
// as it came. It makes calls where a model is bought.
func (l *RealLab) TryRepairs(ctx context.Context, r causes.Recommendation, seed uint64) (causes.RepairOutcome, error) {
	e := l.options.Evaluation
	out := causes.RepairOutcome{Repaired: []string{}, Broken: []string{}}
	lang := "en"
	if len(e.Questions) > 0 {
		lang = e.Questions[0].Lang
	}
	config, err := causes.ApplyRepairs(l.setup.Config, r.Changes(), lang)
	if err != nil {
		return out, err
	}
	low, risky, rest := l.groups(r)
	out.LowBefore, out.Good = len(low), len(risky)+len(rest)
	low, err = sampled(low, triedLow, seed)
	if err != nil {
		return out, err
	}
	t := repairTrial{lab: l, config: config, e: e}
	lowAgain, err := t.bad(ctx, low)
	if err != nil {
		return out, err
	}
	risks, err := sampled(risky, triedAtRisk, seed)
	if err != nil {
		return out, err
	}
	brokenAtRisk, err := t.bad(ctx, risks)
	if err != nil {
		return out, err
	}
	others, err := sampled(rest, triedGood, seed)
	if err != nil {
		return out, err
	}
	broken, err := t.bad(ctx, others)
	if err != nil {
		return out, err
	}
	out.TriedLow, out.TriedGood, out.Cost = len(low), len(risks)+len(others), t.cost()
	for _, q := range low {
		if !slices.Contains(lowAgain, q.ID) {
			out.Repaired = append(out.Repaired, q.ID)
		}
		if slices.Contains(r.Heals, q.ID) {
			out.Promised++
		}
	}
	out.Broken = append(append(out.Broken, brokenAtRisk...), broken...)
	still := shareOf(len(lowAgain), len(low), out.LowBefore)
	lost := shareOf(len(brokenAtRisk), len(risks), len(risky)).plus(shareOf(len(broken), len(others), len(rest)))
	all := still.plus(lost)
	out.LowAfter, out.LowLeast, out.LowMost = all.value, all.least, all.most
	out.BrokenInAll, out.BrokenLeast, out.BrokenMost = lost.value, lost.least, lost.most
	return out, nil
}

// TrialAnswers is how many answers [RealLab.TryRepairs] generates for a recommendation, at most.
func (l *RealLab) TrialAnswers(r causes.Recommendation) int {
	low, risky, rest := l.groups(r)
	return min(triedLow, len(low)) + min(triedAtRisk, len(risky)) + min(triedGood, len(rest))
}

// inAll is a number of answers of a whole group with the ends of its interval.
type inAll struct{ value, least, most float64 }

func (a inAll) plus(b inAll) inAll {
	return inAll{a.value + b.value, a.least + b.least, a.most + b.most}
}

// shareOf estimates how many of all answers of a group are low, from those of it that were tried.
func shareOf(bad, tried, all int) inAll {
	if tried == 0 {
		return inAll{}
	}
	least, most, err := stats.FiniteTotal(bad, tried, all, .95)
	if err != nil { // these numbers are those of a draw; else all that is possible
		least, most = bad, bad+all-tried
	}
	// The share can give a part of an answer more than there may be, where nearly all were tried.
	expected := min(max(float64(bad)/float64(tried)*float64(all), float64(least)), float64(most))
	return inAll{expected, float64(least), float64(most)}
}

// groups sorts the answered questions of the run: low-score answers, good ones at risk, the other good ones.
func (l *RealLab) groups(r causes.Recommendation) (low, risky, rest []experiments.Question) {
	e := l.options.Evaluation
	seen := map[string]bool{}
	for _, q := range e.Questions {
		result, ok := e.Result(q.ID)
		if seen[q.ID] || !ok || result.Answer == nil {
			continue
		}
		seen[q.ID] = true
		switch {
		case result.Low(l.setup.LowRule()):
			low = append(low, q)
		case slices.Contains(r.AtRisk, q.ID):
			risky = append(risky, q)
		default:
			rest = append(rest, q)
		}
	}
	return low, risky, rest
}

// sampled draws at most n of them at random, in their order.
func sampled(all []experiments.Question, n int, seed uint64) ([]experiments.Question, error) {
	if len(all) <= n {
		return all, nil
	}
	chosen := stats.NewSplitMix64(seed).Permutation(len(all))[:n]
	slices.Sort(chosen)
	out := make([]experiments.Question, n)
	for i, at := range chosen {
		out[i] = all[at]
	}
	return out, nil
}

// repairTrial answers questions with another configuration.
type repairTrial struct {
	lab           *RealLab
	config        rag.Config
	e             experiments.Evaluation
	before, after int // length of contexts
}

func (t *repairTrial) cost() float64 { return float64(t.after) / float64(max(1, t.before)) }

// bad returns the questions whose answer is low with the configuration.
func (t *repairTrial) bad(ctx context.Context, questions []experiments.Question) ([]string, error) {
	var out []string
	for _, q := range questions {
		var a rag.Answer
		err := t.lab.systems.with(ctx, t.config, func(system *rag.System) (err error) {
			a, err = system.Answer(ctx, q.Text)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("answer question %s with the recommended change: %w", q.ID, err)
		}
		if old, ok := t.e.Result(q.ID); ok && old.Answer != nil {
			t.before += causes.ContextLength(old.Answer.Hits)
		}
		t.after += causes.ContextLength(a.Hits)
		scores, err := t.lab.suites[causes.BothLow].Score(ctx, q.Sample(t.lab.options.Corpus, a))
		if err != nil {
			return nil, fmt.Errorf("judge the answer to question %s with the recommended change: %w", q.ID, err)
		}
		if slices.ContainsFunc(scores, func(s metrics.Score) bool { return s.State == metrics.Scored && s.Value <= t.lab.setup.LowScore }) {
			out = append(out, q.ID)
		}
	}
	return out, nil
}
