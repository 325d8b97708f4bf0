package validation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/text"
)

// harnessGround is one corpus with the real chunking, the real offline embedders and the real search over it. Nothing in it is
// scripted, and several worlds may stand on it.
type harnessGround struct {
	corpus    *rag.Corpus
	providers offlineEverywhere
	indexes   *rag.Indexes

	windowsOnce sync.Once
	windows     *rag.Corpus // each window is a document of it
	windowAt    map[string]int
	spans       []causes.Window
}

func newGround(corpus *rag.Corpus) *harnessGround {
	return &harnessGround{
		corpus: corpus, indexes: rag.NewIndexes(harnessIndexes),
		providers: offlineEverywhere{llm.NewOffline(offline.Handlers(), offline.Embedders())},
	}
}

// harnessIndexes is how many indexes of one corpus stay in memory; one of short chunks takes some megabytes.
const harnessIndexes = 48

// harnessEmbedders are the embedders at hand.
var harnessEmbedders = []rag.Model{{Provider: "offline", Name: "ngram"}, {Provider: "offline", Name: "hash"}}

// offlineEverywhere stands behind every provider's name: what the harness embeds is embedded offline, and what it generates is
// scripted.
type offlineEverywhere struct{ provider llm.Provider }

// Provider implements [rag.Providers].
func (p offlineEverywhere) Provider(string) (llm.Provider, error) { return p.provider, nil }

// noStages keeps nothing: indexes remember their rankings themselves.
type noStages struct{}

// Stage implements [rag.Stages].
func (noStages) Stage(context.Context, string) ([]byte, bool, error) { return nil, false, nil }

// PutStage implements [rag.Stages].
func (noStages) PutStage(context.Context, rag.Stage) error { return nil }

// retrieve searches the corpus as this configuration does.
func (g *harnessGround) retrieve(ctx context.Context, query string, c rag.Config) (rag.Retrieval, error) {
	system, err := rag.Open(ctx, c, g.corpus, g.providers, g.indexes, noStages{})
	if err != nil {
		return rag.Retrieval{}, err
	}
	defer system.Close()
	found, _, err := system.Retrieve(ctx, query)
	return found, err
}

// changed is a configuration with other values of some parameters.
func changed(c rag.Config, changes []causes.Change) (rag.Config, error) {
	d := experiments.Definition{Base: c}
	for _, ch := range changes {
		d.Sweep = append(d.Sweep, experiments.Axis{Name: ch.Param, Values: []any{ch.Value}})
	}
	combinations, skipped, err := d.Expand()
	switch {
	case err != nil:
		return c, err
	case len(combinations) != 1:
		return c, fmt.Errorf("the changes %v make no sense: %v", changes, skipped)
	}
	return combinations[0].Config, nil
}

// harnessWindowChars is how long a window is, on sentence borders: science.md 3.2.
const harnessWindowChars = 400

// cutWindows cuts the documents into windows.
func (g *harnessGround) cutWindows() {
	var docs []rag.Document
	g.windowAt = map[string]int{}
	for _, d := range g.corpus.Documents {
		sentences := text.Sentences(d.Text)
		for first := 0; first < len(sentences); {
			last := first
			for last+1 < len(sentences) && sentences[last+1].End-sentences[first].Start <= harnessWindowChars {
				last++
			}
			span := rag.Span{DocID: d.ID, Start: sentences[first].Start, End: sentences[last].End}
			id := fmt.Sprintf("window-%06d", len(g.spans))
			g.windowAt[id] = len(g.spans)
			g.spans = append(g.spans, causes.Window{Span: span, Text: g.corpus.Text(span)})
			docs = append(docs, rag.Document{ID: id, Text: g.corpus.Text(span), Lang: d.Lang})
			first = last + 1
		}
	}
	g.windows = rag.NewCorpus("windows of "+g.corpus.Name, docs)
}

// candidates searches the windows for a claim: the 20 best by words, the 20 best of every embedder, and their neighbours.
func (g *harnessGround) candidates(ctx context.Context, claim string) ([]causes.Window, error) {
	g.windowsOnce.Do(g.cutWindows)
	const best = 20
	c := rag.DefaultConfig()
	c.Chunk = rag.Chunking{By: "chars", Size: 1_000_000}
	c.Retrieve = rag.Retrieve{Mode: "bm25", K: best}
	searches := []rag.Config{c}
	for _, m := range harnessEmbedders {
		c.Retrieve.Mode, c.Embedding = "dense", rag.Embedding{Model: m}
		searches = append(searches, c)
	}
	rank := map[int]int{} // best rank of each window
	for _, c := range searches {
		system, err := rag.Open(ctx, c, g.windows, g.providers, g.indexes, noStages{})
		if err != nil {
			return nil, err
		}
		found, _, err := system.Retrieve(ctx, claim)
		system.Close()
		if err != nil {
			return nil, err
		}
		for i, h := range found.Hits {
			at := g.windowAt[h.DocID]
			if known, ok := rank[at]; !ok || i < known {
				rank[at] = i
			}
		}
	}
	return g.withNeighbours(rank, best), nil
}

// withNeighbours are the windows that were found, best first, and then the neighbours of the five best in their documents.
func (g *harnessGround) withNeighbours(rank map[int]int, worst int) []causes.Window {
	for at, r := range rank {
		for _, next := range []int{at - 1, at + 1} {
			if _, known := rank[next]; r < 5 && !known && next >= 0 && next < len(g.spans) && g.spans[next].DocID == g.spans[at].DocID {
				rank[next] = worst // adding while ranging: a new entry is no better than the worst and brings no neighbours of its own
			}
		}
	}
	order := make([]int, 0, len(rank))
	for at := range rank {
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b)) })
	out := make([]causes.Window, len(order))
	for i, at := range order {
		out[i] = g.spans[at]
	}
	return out
}

// covers reports whether contexts together show every character of a span. A text without a place counts where it holds the words.
func (g *harnessGround) covers(contexts []rag.Hit, span rag.Span) bool {
	if span.DocID == "" || span.End <= span.Start {
		return false
	}
	words := g.corpus.Text(span)
	shown := make([]bool, span.End-span.Start)
	for _, h := range contexts {
		if h.Text != "" && strings.Contains(h.Text, words) {
			return true
		}
		if h.DocID != span.DocID {
			continue
		}
		for at := max(h.Start, span.Start); at < min(h.End, span.End); at++ {
			shown[at-span.Start] = true
		}
	}
	return !slices.Contains(shown, false)
}

// coversAll reports whether contexts show every one of these spans.
func (g *harnessGround) coversAll(contexts []rag.Hit, spans []rag.Span) bool {
	return g.covered(contexts, spans) == len(spans)
}

// covered is how many of these spans contexts show.
func (g *harnessGround) covered(contexts []rag.Hit, spans []rag.Span) int {
	n := 0
	for _, s := range spans {
		n += counted(g.covers(contexts, s))
	}
	return n
}

// suffices reports whether a good answer can be written from contexts: of the facts of the synthetic corpus each is needed; of real
// text, whose references say more than is needed for an answer that is not low, more than half.
func (g *harnessGround) suffices(contexts []rag.Hit, item *harnessItem) bool {
	n := g.covered(contexts, item.needs)
	return n == len(item.needs) || item.exact && 2*n > len(item.needs)
}
