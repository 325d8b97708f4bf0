package app

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// ProbeKeeper keeps what probes found out.
type ProbeKeeper interface {
	// PutProbe keeps a probe in the place of the one before.
	PutProbe(ctx context.Context, p llm.Probe) error
	// Probes returns the newest probe of each provider, model and purpose.
	Probes(ctx context.Context) ([]llm.Probe, error)
}

// probed are the forms of replies and the lengths of requests that probes found out for the models of a provider.
func (p *Providers) probed(name string) (forms map[string]string, contexts map[string]int, err error) {
	keeper, ok := p.Store.(ProbeKeeper)
	if !ok {
		return nil, nil, nil // nothing is known
	}
	probes, err := keeper.Probes(context.Background())
	forms, contexts = map[string]string{}, map[string]int{}
	for _, probe := range probes {
		if probe.Provider == name && probe.Form != "" {
			forms[probe.Model] = probe.Form
		}
		if probe.Provider == name && probe.Limits != nil && probe.Limits.ContextTokens > 0 {
			contexts[probe.Model] = probe.Limits.ContextTokens
		}
	}
	return forms, contexts, err
}

// ProbeTarget is a model and what it is used for.
type ProbeTarget struct {
	rag.Model
	Purpose string // llm.ProbeGenerate, llm.ProbeJudge, llm.ProbeEmbed or llm.ProbeRerank
	Dialect string // of a service that reranks; "" is the usual one
}

// Probe asks models for a few tokens each, keeps what came of it, and sends requests accordingly from then on.
func (w *Workbench) Probe(ctx context.Context, targets []ProbeTarget) ([]llm.Probe, error) {
	out := []llm.Probe{}
	for _, t := range targets {
		provider, err := w.Providers.Provider(t.Provider)
		if err != nil {
			return out, err
		}
		probe := llm.ProbeOf(ctx, provider, t.Name, t.Purpose, t.Dialect, w.Options.Now().UTC())
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if !provider.Info().Free {
			if err := w.Whole.PutProbe(ctx, probe); err != nil {
				return out, err
			}
			learn(provider, probe)
		}
		out = append(out, probe)
	}
	return out, nil
}

// ProbeTargets are the models that experiments buy from, each with what it is used for; the offline provider and recordings, which
// cost nothing, are left out.
func ProbeTargets(list []experiments.Experiment, config Config) []ProbeTarget {
	var out []ProbeTarget
	add := func(purpose string, m rag.Model, dialect string) {
		t := ProbeTarget{m, purpose, dialect}
		if m.Name != "" && m.Provider != "offline" && config.Providers[m.Provider].Kind != "recorded" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, x := range list {
		combinations, _, err := x.Definition.Expand()
		if x.Archived || err != nil { // what cannot be expanded cannot be run either
			continue
		}
		for _, combination := range combinations {
			if c := combination.Config; !x.Definition.IsOutside() {
				add(llm.ProbeGenerate, c.Generate.Model, "")
				add(llm.ProbeEmbed, c.Embedding.Model, "")
				if c.Rerank.Mode == rag.RerankAPI {
					add(llm.ProbeRerank, c.Rerank.Model, c.Rerank.Dialect)
				} else {
					add(llm.ProbeJudge, c.Rerank.Model, "")
				}
				add(llm.ProbeJudge, c.Rewrite.Model, "") // its queries are JSON
			}
		}
		add(llm.ProbeJudge, x.Definition.Judge.Model, "")
		add(llm.ProbeEmbed, x.Definition.Judge.Embedding, "")
	}
	return out
}
