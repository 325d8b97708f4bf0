package laboratory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// labOutside asks an endpoint, as far as its template goes.
type labOutside struct {
	lab *RealLab

	mu    sync.Mutex
	known map[string][]outsideRetrieval // by question
}

// outsideRetrieval is what a configuration retrieved.
type outsideRetrieval struct {
	config rag.Config
	hits   []rag.Hit
}

func newLabOutside(l *RealLab) *labOutside {
	return &labOutside{lab: l, known: map[string][]outsideRetrieval{}}
}

func sameTexts(a, b []rag.Hit) bool {
	return slices.EqualFunc(a, b, func(x, y rag.Hit) bool { return x.Text == y.Text })
}

// retrieve asks the endpoint, or our retrieval where the endpoint is given contexts, with a changed configuration.
func (o *labOutside) retrieve(ctx context.Context, q experiments.Question, c rag.Config) ([]rag.Hit, error) {
	found, err := o.lab.systems.retrieve(ctx, c, q.Text)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.known[q.ID] = append(o.known[q.ID], outsideRetrieval{c, found.Hits})
	return found.Hits, nil
}

// generate asks the endpoint again: as it is when these are its own contexts, with the k that brought them, or with contexts that it
// is given.
func (o *labOutside) generate(ctx context.Context, q experiments.Question, contexts []rag.Hit, swap causes.Swap, trial int) (answer,
	raw string, err error) {
	if swap.Model {
		return "", "", fmt.Errorf("the model of endpoint %s cannot be replaced", o.lab.setup.Config.Endpoint.Name)
	}
	scope := llm.ScopeOf(ctx)
	scope.Replicate = causeReplicates + trial
	ctx = llm.WithScope(ctx, scope)
	c, own := o.config(q, contexts)
	if swap.Prompt {
		c.Generate.Prompt = causes.ReferencePromptOf(q.Lang, swap.Reworded)
	}
	ask := func(system *rag.System) error {
		a, err := system.Answer(ctx, q.Text)
		answer = a.Text
		return err
	}
	if own {
		err = o.lab.systems.with(ctx, c, ask)
		return answer, "", err
	}
	if !c.Endpoint.TakesContexts() {
		return "", "", fmt.Errorf("endpoint %s takes no contexts", c.Endpoint.Name)
	}
	err = o.from(ctx, c, contexts, ask)
	return answer, "", err
}

// config is the configuration whose contexts these are: the run's own, one that was retrieved with, or one of those with a smaller k.
// own is false where they must be given.
func (o *labOutside) config(q experiments.Question, contexts []rag.Hit) (c rag.Config, own bool) {
	c = o.lab.setup.Config
	if r, ok := o.lab.options.Evaluation.Result(q.ID); ok && r.Answer != nil && sameTexts(r.Answer.Hits, contexts) {
		return c, true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, known := range o.known[q.ID] {
		if n := len(contexts); n > 0 && n <= len(known.hits) && sameTexts(known.hits[:n], contexts) {
			c = known.config
			c.Retrieve.K = n
			return c, true
		}
	}
	return c, false
}

// from asks the endpoint with these contexts: our retrieval runs over a corpus of them alone and hands on all of them.
func (o *labOutside) from(ctx context.Context, c rag.Config, contexts []rag.Hit, ask func(*rag.System) error) error {
	docs := make([]rag.Document, 0, len(contexts))
	for i, h := range contexts {
		if strings.TrimSpace(h.Text) != "" {
			docs = append(docs, rag.Document{ID: strconv.Itoa(i), Text: h.Text})
		}
	}
	c.Chunk = rag.Chunking{By: "chars", Size: 1_000_000}
	c.Rewrite, c.Rerank = rag.Rewrite{Mode: "none"}, rag.Rerank{Mode: "none"}
	c.Retrieve = rag.Retrieve{Mode: "dense", K: min(100, max(1, len(docs)))}
	options := o.lab.options
	system, err := rag.Open(ctx, c, rag.NewCorpus("contexts", docs), options.Providers, rag.NewIndexes(0), options.Stages)
	if err != nil {
		return err
	}
	defer system.Close()
	return ask(system)
}
