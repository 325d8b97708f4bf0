package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// StagePreflight is the stage to which test calls before paid work are booked.
const StagePreflight = "preflight"

// probeLasts is how long what a probe found out is believed.
const probeLasts = 7 * 24 * time.Hour

// preflight is a provider whose models cost money. Before the first call for a purpose that has to be bought, it asks the model for a few
// tokens, unless that was done lately: what comes decides how requests are sent, and where nothing of use comes, the run stops before it
// pays for more. The judge of a run is tested before anything that it would have to judge is bought. Whatever is in the ledger is served
// without a test.
type preflight struct {
	llm.Provider
	registry *Providers

	mu    sync.Mutex
	known map[aim]*trial
}

// aim is what is tested.
type aim struct{ model, purpose string }

// trial is what came of it. Whoever holds turn tests, and everybody else waits.
type trial struct {
	turn chan struct{}
	ok   bool
	runs map[string]bool // runs whose judge is known to be of use too

	err   error
	start *llm.Guard // the start of a run that met err: the next one tests again
}

func newPreflight(provider llm.Provider, registry *Providers) *preflight {
	return &preflight{Provider: provider, registry: registry, known: map[aim]*trial{}}
}

// Complete tests the model where the reply has to be bought.
func (p *preflight) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if !llm.Probing(ctx) {
		there := func() (bool, error) {
			c, err := p.registry.Store.Lookup(ctx, llm.KeyOf(p.Info(), req))
			return c != nil, err
		}
		if err := p.ready(ctx, aim{req.Model, llm.ProbePurposeOf(req)}, req.Rerank, there); err != nil {
			return llm.Reply{}, err
		}
	}
	return p.Provider.Complete(ctx, req)
}

// Embed tests the model where vectors have to be bought.
func (p *preflight) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	if !llm.Probing(ctx) {
		there := func() (bool, error) {
			missing, err := llm.MissingVectors(ctx, p.registry.Store, p.Info(), want, texts)
			return len(missing) == 0, err
		}
		if err := p.ready(ctx, aim{want.Model, llm.ProbeEmbed}, "", there); err != nil {
			return nil, err
		}
	}
	return p.Provider.Embed(ctx, want, texts)
}

// Learn has requests sent as a probe found out.
func (p *preflight) Learn(b llm.Probe) {
	learn(p.Provider, b)
	t := p.trial(aim{b.Model, b.Purpose})
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	t.ok, t.err = b.OK, nil
}

func (p *preflight) trial(a aim) *trial {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known[a] == nil {
		p.known[a] = &trial{turn: make(chan struct{}, 1), runs: map[string]bool{}}
	}
	return p.known[a]
}

// ready returns when the model may be asked, or why it is of no use. there says whether the ledger has the reply.
func (p *preflight) ready(ctx context.Context, a aim, dialect string, there func() (bool, error)) error {
	t := p.trial(a)
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	run, start := llm.ScopeOf(ctx).RunID, llm.GuardOf(ctx)
	switch {
	case t.ok && t.runs[run]:
		return nil
	case t.err != nil && start != nil && t.start == start:
		return t.err
	}
	if served, err := there(); served || err != nil {
		return err
	}
	err := p.test(ctx, a, dialect, t)
	if err == nil && a.purpose != llm.ProbeJudge {
		err = p.registry.judgeReady(ctx, run)
	}
	if err != nil {
		t.start, t.err = start, err
		if _, ofModel := errors.AsType[*llm.Error](err); !ofModel { // a spent budget, the database: nothing was learned of a model
			t.err = nil
		}
		return err
	}
	t.runs[run] = true
	return nil
}

// test asks a model for a few tokens, unless it is known to be of use.
func (p *preflight) test(ctx context.Context, a aim, dialect string, t *trial) error {
	due, err := p.registry.untested(ctx, p.Info(), a)
	if t.ok || err != nil || !due {
		t.ok = t.ok || err == nil
		return err
	}
	booked := llm.WithScope(ctx, llm.Scope{RunID: llm.ScopeOf(ctx).RunID, Stage: StagePreflight})
	probe := llm.ProbeOf(booked, p.Provider, a.model, a.purpose, dialect, p.registry.Now().UTC())
	switch _, ofModel := errors.AsType[*llm.Error](probe.Err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case probe.Err != nil && !ofModel:
		return probe.Err
	}
	if keeper, ok := p.registry.Store.(ProbeKeeper); ok {
		if err := keeper.PutProbe(context.WithoutCancel(ctx), probe); err != nil {
			return err
		}
	}
	if !probe.OK {
		return failedProbe(probe)
	}
	learn(p.Provider, probe)
	t.ok = true
	return nil
}

// judgeReady tests the judge of a run that has one.
func (p *Providers) judgeReady(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	run, err := p.Store.Run(ctx, id)
	if err != nil || !slices.ContainsFunc(run.Setup.Suite, func(s metrics.Spec) bool { return s.NeedsJudge }) {
		return err
	}
	judge := run.Setup.Judge.Model
	provider, err := p.Provider(judge.Provider)
	if tests, ok := provider.(*preflight); ok && err == nil {
		return tests.ready(ctx, aim{judge.Name, llm.ProbeJudge}, "", func() (bool, error) { return false, nil })
	}
	return err
}

// failedProbe is the error that puts a run down before it pays for more.
func failedProbe(b llm.Probe) error {
	cause := llm.CauseUseless
	switch {
	case llm.Fatal(b.Err):
		cause = b.Problem
	case b.Problem == llm.CauseRequest:
		cause = llm.CauseRefused
	}
	return &llm.Error{Cause: cause, Stop: true, Err: b.Err, Message: fmt.Sprintf(
		"the test call failed before anything that needs the model was paid for: %s/%s cannot be used to %s; correct it, and try it with "+
			"`workbench providers test %s --model %s --purpose %s`", b.Provider, b.Model, b.Purpose, b.Provider, b.Model, b.Purpose)}
}

// learner is a provider that sends requests as probes found out.
type learner interface{ Learn(llm.Probe) }

func learn(p llm.Provider, b llm.Probe) {
	if l, ok := p.(learner); ok {
		l.Learn(b)
	}
}

// tested reports whether models of a provider are tested before they are paid for: not those of the offline provider, of recordings,
// and of servers on this machine, unless the configuration says otherwise.
func (p *Providers) tested(name string) bool {
	all, err := p.known(name)
	c, known := all.Providers[name]
	switch {
	case err != nil: // whoever asks the provider next will say so
		return false
	case !p.Tests || !known || c.Kind == "recorded":
		return false
	case c.Preflight != nil:
		return *c.Preflight
	}
	return !local(c.BaseURL)
}

// untested reports whether a model is to be tested before it is paid for: it has a price that is not 0, and no probe of the last days found
// it of use.
func (p *Providers) untested(ctx context.Context, at llm.Info, a aim) (bool, error) {
	keeper, ok := p.Store.(ProbeKeeper)
	if !ok || !p.tested(at.Name) {
		return false, nil
	}
	million := llm.Usage{PromptTokens: 1_000_000, CompletionTokens: 1_000_000}
	all, err := p.known(at.Name)
	if err != nil {
		return false, err
	}
	if price, known := all.CostOf(at.Name, a.model, million); known && price == 0 {
		return false, nil
	}
	probes, err := keeper.Probes(ctx)
	for _, b := range probes {
		if b.Provider == at.Name && b.Origin == at.Origin && b.Model == a.model && b.Purpose == a.purpose && b.OK &&
			p.Now().Sub(b.At) < probeLasts {
			return false, err
		}
	}
	return err == nil, err
}
