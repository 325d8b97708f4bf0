package laboratory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// byWords are the windows that share most words with a text. It embeds nothing.
func (s *evidenceSearch) byWords(ctx context.Context, text string) ([]causes.Window, error) {
	s.once.Do(s.cut)
	if len(s.windows) == 0 {
		return nil, nil
	}
	var only rag.Config
	for _, c := range s.configs {
		if c.Retrieve.Mode == "bm25" {
			only = c
		}
	}
	only.Retrieve.K = causes.HopsFrom
	found, err := s.ranked(ctx, only, text)
	out := make([]causes.Window, len(found))
	for i, n := range found {
		out[i] = s.windows[n]
	}
	return out, err
}

// The search for evidence (science.md 3.2).
const (
	windowsByEach = 20 // windows that each way of searching proposes
	neighboursOf  = 5  // best windows whose neighbours are proposed too
)

// evidenceSearch proposes windows of a corpus that may hold a claim: lexical, by every embedder at hand, and their neighbours. The
// corpus is cut once.
type evidenceSearch struct {
	options LabOptions
	configs []rag.Config // one for each way of searching

	once    sync.Once
	windows []causes.Window
	systems *labSystems // over the corpus of windows
}

func newEvidenceSearch(o LabOptions, c rag.Config) *evidenceSearch {
	s := &evidenceSearch{options: o}
	base := rag.DefaultConfig()
	base.Chunk = rag.Chunking{By: "chars", Size: 1_000_000}
	base.Retrieve = rag.Retrieve{Mode: "bm25", K: windowsByEach}
	if !c.IsOutside() {
		base.Generate = c.Generate // its provider is there
	}
	s.configs = []rag.Config{base}
	embedders := slices.Clone(o.Embedders)
	if c.Embedding.Name != "" && !c.IsOutside() {
		embedders = append([]rag.Model{c.Embedding.Model}, embedders...)
	}
	seen := map[rag.Model]bool{}
	for _, m := range embedders {
		if !seen[m] {
			seen[m] = true
			dense := base
			dense.Retrieve.Mode, dense.Embedding = "dense", rag.Embedding{Model: m}
			if m == c.Embedding.Model && !c.IsOutside() {
				dense.Embedding = c.Embedding
			}
			s.configs = append(s.configs, dense)
		}
	}
	return s
}

func (s *evidenceSearch) close() {
	if s.systems != nil {
		s.systems.close()
	}
}

// cut makes a corpus of the windows, each a document by itself.
func (s *evidenceSearch) cut() {
	s.windows = corpusWindows(s.options.Corpus)
	docs := make([]rag.Document, len(s.windows))
	for i, w := range s.windows {
		docs[i] = rag.Document{ID: strconv.Itoa(i), Text: w.Text}
	}
	o := s.options
	o.Corpus = rag.NewCorpus("windows", docs)
	s.systems = newLabSystems(o)
}

// candidates returns the windows that may hold a claim: the best of every search first, then the second best, and so on; then the
// neighbours of the best.
func (s *evidenceSearch) candidates(ctx context.Context, claim string) ([]causes.Window, error) {
	s.once.Do(s.cut)
	if len(s.windows) == 0 {
		return nil, nil
	}
	rankings := make([][]int, len(s.configs))
	for i, c := range s.configs {
		var err error
		if rankings[i], err = s.ranked(ctx, c, claim); err != nil {
			return nil, err
		}
	}
	var order []int
	seen := map[int]bool{}
	put := func(n int) {
		if n >= 0 && n < len(s.windows) && !seen[n] {
			seen[n] = true
			order = append(order, n)
		}
	}
	for rank := range windowsByEach {
		for _, r := range rankings {
			if rank < len(r) {
				put(r[rank])
			}
		}
	}
	for _, n := range order[:min(neighboursOf, len(order))] {
		for _, near := range []int{n - 1, n + 1} {
			if near >= 0 && near < len(s.windows) && s.windows[near].DocID == s.windows[n].DocID {
				put(near)
			}
		}
	}
	out := make([]causes.Window, len(order))
	for i, n := range order {
		out[i] = s.windows[n]
	}
	return out, nil
}

// ranked are the numbers of the windows that one way of searching finds, best first.
func (s *evidenceSearch) ranked(ctx context.Context, c rag.Config, claim string) ([]int, error) {
	found, err := s.systems.retrieve(ctx, c, claim)
	if err != nil {
		return nil, fmt.Errorf("search for evidence by %s: %w", c.Retrieve.Mode, err)
	}
	var out []int
	for _, h := range found.Hits {
		n, err := strconv.Atoi(h.DocID)
		if err != nil {
			return nil, fmt.Errorf("window %q: %w", h.DocID, err)
		}
		out = append(out, n)
	}
	return out, nil
}

// corpusWindows cuts documents into windows of whole sentences. A sentence that is longer than a window is cut where the window ends.
func corpusWindows(corpus *rag.Corpus) []causes.Window {
	var out []causes.Window
	for _, d := range corpus.Documents {
		x := corpus.Index(d.ID)
		put := func(start, end int) {
			out = append(out, causes.Window{Span: rag.Span{DocID: d.ID, Start: start, End: end}, Text: x.Slice(start, end)})
		}
		start, end := -1, 0
		for _, s := range text.Sentences(x.String()) {
			if start >= 0 && s.End-start > causes.WindowChars {
				put(start, end)
				start = -1
			}
			for s.End-s.Start > causes.WindowChars {
				put(s.Start, s.Start+causes.WindowChars)
				s.Start += causes.WindowChars
			}
			if start < 0 {
				start = s.Start
			}
			end = s.End
		}
		if start >= 0 && end > start {
			put(start, end)
		}
	}
	return out
}
