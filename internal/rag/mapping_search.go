package rag

import (
	"context"
	"fmt"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// existing is an index that a team already has, as a run searches it.
type existing struct {
	mapping IndexMapping
	params  map[string]any
	engine  MappedIndex
	rows    *MappedRows
	texts   sync.Map // chunk → text of its row, once a search brought it
}

// existingDepth is how much of each ranking of an existing index is fused: engines bound what they return.
const existingDepth = 100

// addExisting puts an index that the team has in the place of vectors and words.
func (b *indexBuild) addExisting(x *Index) error {
	m := *b.config.Index
	reach, ok := b.providers.(Mappings)
	if !ok {
		return problem.New(problem.Internal, "outside", "these providers reach no index outside")
	}
	engine, rows, err := reach.Mapped(b.ctx, b.corpus, m)
	if err != nil {
		return err
	}
	if m.Identity != "" && rows.Identity != m.Identity {
		return m.changed()
	}
	x.existing = &existing{mapping: m, params: b.config.Retrieve.Params, engine: engine, rows: rows}
	x.cutLayer, x.vectors, x.words = newCutLayer(rows.chunks), &vectorLayer{dense: &search.Vectors{}}, x.existing
	if !b.config.Retrieve.vectors() {
		return nil
	}
	p, err := b.providers.Provider(b.config.Embedding.Provider)
	if err != nil {
		return err
	}
	x.embedder = p
	return x.checkLength(b.ctx, p.Info().Free)
}

// checkLength refuses vectors of another length than the index has before anything is bought: where the length is said, or the embedder
// costs nothing.
func (x *Index) checkLength(ctx context.Context, free bool) error {
	m := x.existing.mapping
	if n := x.asked.Dimensions; n > 0 {
		return m.fits(x.asked.Name, n)
	}
	if !free {
		return nil
	}
	vectors, err := x.asked.vectors(ctx, x.embedder, llm.RoleQuery, []string{m.Table})
	if err != nil {
		return err
	}
	return m.fits(x.asked.Name, len(vectors[0]))
}

// fits refuses a vector of another length than those of the index.
func (m IndexMapping) fits(model string, length int) error {
	if m.Dimensions == 0 || length == m.Dimensions {
		return nil
	}
	return problem.New(problem.Invalid, "index_dimensions", "vectors of %s have %d dimensions, those of index %s have %d", model, length,
		m.Table, m.Dimensions).With("model", model).With("length", length).With("name", m.Table).With("dimensions", m.Dimensions).
		WithHint("give the embedding model that the index was made with, under embedding:")
}

// Unchanged reads the index behind a corpus, and refuses it where its contents are not those that a run was planned with.
func (m IndexMapping) Unchanged(ctx context.Context, providers Providers, corpus *Corpus) error {
	reach, ok := providers.(Mappings)
	if !ok || m.Identity == "" || m.Identity == m.Given() {
		return nil
	}
	now := m
	now.Identity = ""
	_, rows, err := reach.Mapped(ctx, corpus, now)
	if err == nil && rows.Identity != m.Identity {
		err = m.changed()
	}
	return err
}

func (m IndexMapping) changed() error {
	return problem.New(problem.Conflict, "index_changed", "index %s is not what it was when the run was planned", m.Table).
		With("name", m.Table).WithHint("start a new run; what the index says now is then searched, and nothing of before is mixed with it")
}

func (e *existing) nearest(ctx context.Context, vector []float32, n int) ([]search.Ranked, error) {
	if err := e.mapping.fits("the embedder", len(vector)); err != nil {
		return nil, err
	}
	rows, err := e.engine.Nearest(ctx, vector, n, e.params)
	return e.ranked(rows, n, err)
}

// Find implements wordIndex with the engine's own BM25.
func (e *existing) Find(ctx context.Context, query string, _ search.BM25, _ []bool, n int) ([]search.Ranked, error) {
	rows, err := e.engine.Words(ctx, query, n, e.params)
	return e.ranked(rows, n, err)
}

// ranked turns rows into chunks. A row that was not there when all were read, or had another text, ends the run: its results would be
// of two indexes.
func (e *existing) ranked(rows []MappedRow, n int, err error) ([]search.Ranked, error) {
	if err != nil {
		return nil, fmt.Errorf("search index %s: %w", e.mapping.Table, err)
	}
	out := make([]search.Ranked, 0, min(n, len(rows)))
	for _, r := range rows[:min(n, len(rows))] {
		chunk, known := e.rows.at[r.ID]
		if !known || e.rows.sums[chunk] != sumOf(r.Text) {
			return nil, e.mapping.changed()
		}
		e.texts.LoadOrStore(chunk, r.Text)
		out = append(out, search.Ranked{Chunk: chunk, Score: r.Score})
	}
	return out, nil
}

// text is the text of a row that a search brought.
func (e *existing) text(chunk int) string {
	text, _ := e.texts.Load(chunk)
	s, _ := text.(string)
	return s
}

// hides says what of hits is not known: where some of them stand, or not even in which document. "" of an index of our own.
func (x *Index) hides(hits []Hit) string {
	if x.existing == nil {
		return ""
	}
	hidden := ""
	for _, h := range hits {
		_, known := x.corpus.Document(h.DocID)
		switch {
		case !known:
			return NoPlaces
		case h.Range().Len() == 0:
			hidden = NoSpans
		}
	}
	return hidden
}
