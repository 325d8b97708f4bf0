package validation

import (
	"context"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// harnessCondition is one fault put into a system on purpose: a row of the tables.
type harnessCondition struct {
	name     string
	expected []causes.Component  // what should be found; two for a double fault
	corpus   factState           // what becomes of the facts that are asked for
	configs  []func(*rag.Config) // faults of the configuration; questions take them in turn
	ideal    bool                // the contexts are the evidence itself
	starves  bool                // the configuration's fault must take evidence out of the contexts
	natural  bool                // questions are not chosen: whatever fails by itself fails
	item     func(i *harnessItem, w *syntheticBatch, chosen []int)
}

// harnessBase is the configuration without faults: the recipe's 48 tokens, overlap 12 and k 4, in characters of its sentences.
func harnessBase() rag.Config {
	c := rag.DefaultConfig()
	c.Chunk = rag.Chunking{By: "chars", Size: 320, Overlap: 80}
	c.Embedding.Model = rag.Model{Provider: "offline", Name: "ngram"}
	c.Retrieve = rag.Retrieve{Mode: "dense", K: 4}
	c.Generate.Model = rag.Model{Provider: ScriptedProvider, Name: ownModel}
	c.Generate.Temperature = .3 // the scripted generator errs anew in each trial
	return c
}

func setPrompt(p string) func(*rag.Config) { return func(c *rag.Config) { c.Generate.Prompt = p } }
func setModel(m string) func(*rag.Config)  { return func(c *rag.Config) { c.Generate.Name = m } }
func setK1(c *rag.Config)                  { c.Retrieve.K = 1 }

func both(a, b func(*rag.Config)) func(*rag.Config) {
	return func(c *rag.Config) { a(c); b(c) }
}

// syntheticConditions are those of science.md 3.5.
func syntheticConditions() []harnessCondition {
	type configs = []func(*rag.Config)
	badPrompts := configs{setPrompt(tenWordsPrompt), setPrompt(ownKnowledge)}
	badModels := configs{setModel(weakModel), setModel(closedBookModel)}
	with := func(first func(*rag.Config), then configs) (out configs) {
		for _, f := range then {
			out = append(out, both(first, f))
		}
		return out
	}
	return []harnessCondition{
		{name: "ideal", expected: []causes.Component{causes.NoFault}, ideal: true},
		{name: "standard", expected: []causes.Component{causes.NoFault}, natural: true},
		{name: "database_deleted", expected: []causes.Component{causes.Database}, corpus: factDeleted},
		{name: "database_stale", expected: []causes.Component{causes.Database}, corpus: factOutdated,
			item: func(i *harnessItem, w *syntheticBatch, chosen []int) {
				i.label(w.clean.corpus, w.spansOf(chosen))
			}},
		{name: "retriever_k", expected: []causes.Component{causes.Retriever}, starves: true, configs: configs{setK1}},
		{name: "retriever_chunk", expected: []causes.Component{causes.Retriever}, starves: true,
			configs: configs{func(c *rag.Config) { c.Chunk = rag.Chunking{By: "chars", Size: 80} }}},
		{name: "retriever_embedding", expected: []causes.Component{causes.Retriever}, starves: true,
			configs: configs{func(c *rag.Config) { c.Embedding.Name = "hash" }}},
		{name: "search_query", expected: []causes.Component{causes.SearchQuery}, starves: true,
			configs: configs{func(c *rag.Config) { c.Rewrite.Mode = "damage" }}},
		{name: "generation_model", expected: []causes.Component{causes.GenerationModel}, configs: badModels},
		{name: "system_prompt", expected: []causes.Component{causes.SystemPrompt}, configs: badPrompts},
		{name: "post_processing", expected: []causes.Component{causes.PostProcessing},
			configs: configs{func(c *rag.Config) { c.PostProcess = rag.PostModes{"truncate"} }}},
		{name: "reference", expected: []causes.Component{causes.ReferenceText},
			item: func(i *harnessItem, w *syntheticBatch, chosen []int) {
				i.swapReference(w.facts, chosen)
			}},
		{name: "question", expected: []causes.Component{causes.QuestionText},
			item: func(i *harnessItem, _ *syntheticBatch, _ []int) { i.dropSubject() }},
		{name: "retriever_k+system_prompt", expected: []causes.Component{causes.Retriever, causes.SystemPrompt}, starves: true,
			configs: with(setK1, badPrompts)},
		{name: "retriever_k+generation_model", expected: []causes.Component{causes.Retriever, causes.GenerationModel}, starves: true,
			configs: with(setK1, badModels)},
	}
}

// fault puts the fault of a condition's n-th question into a configuration.
func (c harnessCondition) fault(config rag.Config, n int) rag.Config {
	if len(c.configs) > 0 {
		c.configs[n%len(c.configs)](&config)
	}
	return config
}

// harnessBatch is a text with its questions and one stream of chance.
type harnessBatch interface {
	seed() uint64
	config(c harnessCondition, n int) rag.Config // of a condition's n-th question
	build(ctx context.Context, c harnessCondition, n int) (*harnessGround, []*harnessItem, error)
}

// syntheticBatch is one corpus of the synthetic world with its questions.
type syntheticBatch struct {
	number uint64
	facts  []harnessFact
	spans  []rag.Span // in the corpus without faults
	clean  *harnessGround
}

func newSyntheticBatch(seed uint64, number int) *syntheticBatch {
	w := &syntheticBatch{number: seedOf(seed, "batch", number)}
	w.facts = drawFacts(w.number)
	corpus, spans := renderFacts("synthetic", w.facts, nil)
	w.clean, w.spans = newGround(corpus), spans
	return w
}

func (w *syntheticBatch) spansOf(chosen []int) []rag.Span {
	out := make([]rag.Span, len(chosen))
	for i, f := range chosen {
		out[i] = w.spans[f]
	}
	return out
}

// choose draws n questions for a condition, a fifth of them about two facts. The system without faults finds their evidence, and
// where the fault is one of retrieval the faulty one does not: a fault that does no harm is no fault of an answer.
func (w *syntheticBatch) choose(ctx context.Context, c harnessCondition, n int) ([][]int, error) {
	r := stats.NewSplitMix64(seedOf(w.number, "questions", c.name))
	var out [][]int
	order := r.Permutation(len(w.facts))
	pairs := n / 5
	for len(order) > 0 && len(out) < n {
		take := 1
		if len(out) < pairs {
			take = min(2, len(order))
		}
		chosen := order[:take]
		order = order[take:]
		fits, err := fitsCondition(ctx, w, w.clean, c, syntheticItem(w.facts, chosen, w.spans, nil), len(out))
		if err != nil {
			return nil, err
		}
		if fits {
			out = append(out, slices.Clone(chosen))
		}
	}
	if len(out) < n {
		return nil, fmt.Errorf("condition %s: only %d of %d questions of the synthetic corpus fit", c.name, len(out), n)
	}
	return out, nil
}

func (w *syntheticBatch) seed() uint64 { return w.number }

func (w *syntheticBatch) config(c harnessCondition, n int) rag.Config {
	return c.fault(harnessBase(), n)
}

// fitsCondition reports whether a fault would harm the answer to a question, which is a condition's n-th.
func fitsCondition(ctx context.Context, b harnessBatch, clean *harnessGround, c harnessCondition, item *harnessItem, n int) (bool, error) {
	if c.natural {
		return true, nil
	}
	search := func(config rag.Config) ([]rag.Hit, error) {
		found, err := clean.retrieve(ctx, itemQuery(&config, item), config)
		return found.Hits, err
	}
	hits, err := search(b.config(harnessCondition{}, 0))
	if err != nil || !clean.coversAll(hits, item.needs) {
		return false, err
	}
	if !c.starves {
		return true, nil
	}
	hits, err = search(b.config(c, n))
	return !clean.suffices(hits, item), err
}

// build puts a condition's fault into the world: the corpus it leaves and the questions on it.
func (w *syntheticBatch) build(ctx context.Context, c harnessCondition, n int) (*harnessGround, []*harnessItem, error) {
	chosen, err := w.choose(ctx, c, n)
	if err != nil {
		return nil, nil, err
	}
	ground, spans, states := w.clean, w.spans, map[int]factState{}
	if c.corpus != factPresent {
		for _, facts := range chosen {
			for i, f := range facts {
				if c.corpus == factDeleted || i == len(facts)-1 { // of two facts one is outdated
					states[f] = c.corpus
				}
			}
		}
		corpus, moved := renderFacts("synthetic, "+c.name, w.facts, states)
		ground, spans = newGround(corpus), moved
	}
	items := make([]*harnessItem, len(chosen))
	for i, facts := range chosen {
		items[i] = syntheticItem(w.facts, facts, spans, states)
		if c.item != nil {
			c.item(items[i], w, facts)
		}
	}
	return ground, items, nil
}
