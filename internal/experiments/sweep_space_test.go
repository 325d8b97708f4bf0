package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// bill is a provider that counts what it is asked, and scores documents by their length.
type bill struct {
	llm.Provider
	mu       sync.Mutex
	corpora  int // times that the chunks of a corpus were embedded
	reranked int
}

func (b *bill) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	b.mu.Lock()
	if len(texts) > 1 {
		b.corpora++
	}
	b.mu.Unlock()
	return b.Provider.Embed(ctx, want, texts)
}

func (b *bill) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if req.Rerank == "" {
		return b.Provider.Complete(ctx, req)
	}
	var data llm.Reranking
	if err := json.Unmarshal(req.Data, &data); err != nil {
		return llm.Reply{}, err
	}
	b.mu.Lock()
	b.reranked++
	b.mu.Unlock()
	scores := make([]float64, len(data.Documents))
	for i, d := range data.Documents {
		scores[i] = float64(len(d))
	}
	body, err := json.Marshal(scores)
	return llm.Reply{Text: string(body)}, err
}

func (b *bill) named(string) (llm.Provider, error) { return b, nil }

type named func(string) (llm.Provider, error)

func (n named) Provider(name string) (llm.Provider, error) { return n(name) }

const wideSweep = `
name: wide
corpus: c
dataset: d
base:
  chunk: {by: recursive, size: 110, heading: path}
  embedding: {provider: offline, model: ngram}
  retrieve: {mode: hybrid, k: 5, bm25: {k1: 1.2}}
sweep:
  chunk.size: [110, 170, 240]
  chunk.overlap: [0, 60]
  embedding.model: [ngram, hash]
  retrieve.mode: [dense, hybrid]
  retrieve.k: [3, 5]
  rerank: [none, {mode: api, provider: offline, model: m}]
`

// Of 96 configurations the chunks are embedded once for each model and way of cutting, each question is reranked 24 times, and who asks
// the same again asks nobody.
func TestASweepBuysEachThingOnce(t *testing.T) {
	t.Parallel()
	d, err := ParseDefinition([]byte(wideSweep), ".")
	if err != nil {
		t.Fatal(err)
	}
	all, skipped, err := d.Expand()
	if err != nil || len(all) != 96 || len(skipped) != 0 {
		t.Fatalf("%d configurations, %d skipped, %v", len(all), len(skipped), err)
	}
	configs := make([]rag.Config, len(all))
	for i, c := range all {
		configs[i] = c.Config
	}
	layers := map[string]int{}
	for _, layer := range rag.LayersOf(configs, make([]string, len(configs))) {
		layers[layer.Name] = layer.Different
	}
	want := map[string]int{"cut": 6, "vectors": 12, "postings": 6, "ranking": 24, "rerank": 24, "answer": 96}
	if diff := cmp.Diff(want, layers); diff != "" {
		t.Errorf("layers (-want +counted):\n%s", diff)
	}
	var docs []rag.Document
	for i := range 12 {
		var text strings.Builder
		for j := range 12 {
			fmt.Fprintf(&text, "Rule %d says fees of kind %d are due in month %d. ", i, i*j%7, (i+j)%12)
		}
		docs = append(docs, rag.Document{ID: fmt.Sprint(i), Text: text.String()})
	}
	corpus := rag.NewCorpus("c", docs)
	b := &bill{Provider: llm.NewOffline(offline.Handlers(), offline.Embedders())}
	stages, indexes := &rag.MemoryStages{}, rag.NewIndexes(1000)
	run := func() {
		for _, c := range all {
			s, err := rag.Open(t.Context(), c.Config, corpus, named(b.named), indexes, stages)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := s.Retrieve(t.Context(), "When are fees of rule 3 due?"); err != nil {
				t.Fatal(err)
			}
			s.Close()
		}
	}
	run()
	if b.reranked != 24 {
		t.Errorf("the question is reranked %d times", b.reranked)
	}
	if b.corpora != 12 { // 6 ways of cutting, 2 models
		t.Errorf("chunks are embedded %d times", b.corpora)
	}
	run()
	if b.reranked != 24 || b.corpora != 12 {
		t.Errorf("the second start reranks %d times and embeds %d times", b.reranked-24, b.corpora-12)
	}
}

// What has no effect is folded, and said.
func TestASweepFoldsWhatHasNoEffect(t *testing.T) {
	t.Parallel()
	d, err := ParseDefinition([]byte(`
name: folded
corpus: c
dataset: d
base:
  retrieve: {mode: dense, k: 3, bm25: {}}
sweep:
  retrieve.mode: [dense, hybrid]
  retrieve.bm25.k1: [0.9, 1.2]
  retrieve.fusion: [rrf, convex]
  retrieve.alpha: [0.3, 0.7]
`), ".")
	if err != nil {
		t.Fatal(err)
	}
	all, skipped, err := d.Expand()
	if err != nil {
		t.Fatal(err)
	}
	// dense 1; hybrid: 2 of k1 × (rrf 1 + convex 2)
	if len(all) != 7 || len(skipped) != 9 {
		t.Errorf("%d different, %d skipped", len(all), len(skipped))
	}
	for _, s := range skipped {
		if s.Same == nil || !strings.HasPrefix(s.Why.EN, "it does the same as search: ") {
			t.Errorf("%s is skipped: %s", Describe(s.Params), s.Why)
		}
	}
	for _, c := range all {
		if err := c.Config.Validate(); err != nil {
			t.Errorf("%s: %v", Describe(c.Params), err)
		}
	}
}
