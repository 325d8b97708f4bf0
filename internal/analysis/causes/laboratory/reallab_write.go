package laboratory

import (
	"context"
	"errors"
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

// labWriter makes the built-in pipeline answer from given contexts. It asks the pipeline itself, so that prompt, sampling and
// post-processing are exactly those of the run, over a corpus of one document; on the way to the model what was retrieved there is
// replaced by the given contexts.
type labWriter struct {
	systems   *labSystems
	config    rag.Config
	reference *rag.Model
	replicate func(provider string, trial int) int
}

func newLabWriter(l *RealLab) *labWriter {
	o := l.options
	o.Corpus = rag.NewCorpus("contexts", []rag.Document{{ID: "contexts", Text: "contexts"}})
	o.Providers = given{o.Providers, o.Stages}
	o.Stages = nothingKept{}
	o.Indexes = rag.NewIndexes(1).Under(o.Indexes.Budget())
	c := l.setup.Config
	c.Index = nil // contexts are given: no index is searched
	c.Chunk = rag.Chunking{By: "chars", Size: 1000}
	c.Rewrite, c.Rerank = rag.Rewrite{Mode: "none"}, rag.Rerank{Mode: "none"}
	c.Retrieve = rag.Retrieve{Mode: "bm25", K: 1}
	w := &labWriter{systems: newLabSystems(o), config: c, reference: l.reference}
	w.replicate = func(provider string, trial int) int {
		p, err := l.options.Providers.Provider(provider)
		if err != nil {
			return causeReplicates + trial // opening the system says what is wrong
		}
		return causeReplicate(p.Info(), trial)
	}
	return w
}

func (w *labWriter) close() { w.systems.close() }

// write generates one answer.
func (w *labWriter) write(ctx context.Context, q experiments.Question, contexts []rag.Hit, swap causes.Swap, trial int) (answer,
	raw string, err error) {
	c := w.config
	if swap.Prompt {
		c.Generate.Prompt = causes.ReferencePromptOf(q.Lang, swap.Reworded)
	}
	if swap.Model {
		if w.reference == nil {
			return "", "", errors.New("there is no reference model")
		}
		c.Generate.Model = *w.reference
	}
	scope := llm.ScopeOf(ctx)
	scope.Replicate = w.replicate(c.Generate.Provider, trial)
	ctx = context.WithValue(llm.WithScope(ctx, scope), givenKey{}, contexts)
	err = w.systems.with(ctx, c, func(system *rag.System) error {
		a, err := system.Answer(ctx, q.Text)
		answer, raw = a.Text, a.Raw
		return err
	})
	return answer, raw, err
}

type givenKey struct{}

// given hands out providers that are shown the contexts of the context in place of those that were retrieved.
type given struct {
	rag.Providers
	stages rag.Stages
}

// Provider implements [rag.Providers].
func (g given) Provider(name string) (llm.Provider, error) {
	p, err := g.Providers.Provider(name)
	if err != nil {
		return nil, err
	}
	return givenProvider{p, g.stages}, nil
}

type givenProvider struct {
	llm.Provider
	stages rag.Stages
}

// Complete implements [llm.Completer]. A reply is kept by what was asked, so that the same answer is not bought twice.
func (p givenProvider) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	contexts, ok := ctx.Value(givenKey{}).([]rag.Hit)
	if !ok || req.Purpose != prompts.PurposeGenerate {
		return p.Provider.Complete(ctx, req)
	}
	d, err := llm.DataOf[prompts.GenerateData](req)
	if err != nil {
		return llm.Reply{}, fmt.Errorf("data of the generator: %w", err)
	}
	d.Contexts = make([]prompts.Passage, len(contexts))
	for i, h := range contexts {
		d.Contexts[i] = prompts.Passage{Number: i + 1, Text: h.Text}
	}
	if req, err = req.WithData(d); err != nil {
		return llm.Reply{}, fmt.Errorf("data of the generator: %w", err)
	}
	key := rag.StageKey("cause_answer", causeAnswers, llm.KeyOf(p.Info(), req))
	return rag.Remember(ctx, p.stages, "cause_answer", key,
		func(ctx context.Context) (llm.Reply, error) {
			reply, err := p.Provider.Complete(ctx, req)
			reply.Cached = false // how it came is no part of what was said
			return reply, err
		})
}

// nothingKept keeps no stages: what the pipeline would keep belongs to the contexts that it did not use.
type nothingKept struct{}

// Stage finds nothing.
func (nothingKept) Stage(context.Context, string) ([]byte, bool, error) { return nil, false, nil }

// PutStage drops the output.
func (nothingKept) PutStage(context.Context, rag.Stage) error { return nil }
