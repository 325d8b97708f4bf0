package rag

import (
	"cmp"
	"fmt"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"maps"
	"reflect"
	"slices"
)

// Retrieve says how chunks are found. What is left out is as it was before there was a choice.
type Retrieve struct {
	Mode string `json:"mode" yaml:"mode"` // dense | bm25 | hybrid
	K    int    `json:"k" yaml:"k"`       // chunks handed on, 1–100

	// where vectors are kept and compared: memory (default) | pgvector, on a PostgreSQL of the team
	Engine   string   `json:"engine,omitempty" yaml:"engine"`
	PGVector PGVector `json:"pgvector,omitzero" yaml:"pgvector"` // of the engine of that name

	BM25    search.BM25 `json:"bm25,omitzero" yaml:"bm25"`
	Fusion  string      `json:"fusion,omitempty" yaml:"fusion"`   // of hybrid: rrf (default) | convex
	RRFK    int         `json:"rrf_k,omitempty" yaml:"rrf_k"`     // constant of rrf; 60 when 0
	Weights []float64   `json:"weights,omitempty" yaml:"weights"` // of rrf: [dense, bm25]; equal when empty
	Alpha   *float64    `json:"alpha,omitempty" yaml:"alpha"`     // of convex: weight of dense, 0–1; 0.5 when nil
	Norm    string      `json:"norm,omitempty" yaml:"norm"`       // of convex: min-max (default) | z | theoretical

	Filter      Filter     `json:"filter,omitempty" yaml:"filter"`             // which documents are searched; all when empty
	MinScore    *float64   `json:"min_score,omitempty" yaml:"min_score"`       // hits with less are left out
	PerDocument int        `json:"per_document,omitempty" yaml:"per_document"` // most hits of one document; no limit when 0
	MMR         search.MMR `json:"mmr,omitzero" yaml:"mmr"`
	Neighbours  int        `json:"neighbours,omitempty" yaml:"neighbours"` // chunks before and after each hit that are handed on with it

	// of an index that exists already: what its engine takes with a search, such as ef_search; see [MappedEngines]
	Params map[string]any `json:"params,omitempty" yaml:"params"`
}

// plain reports whether only the mode and k are said, as in every file before there was more to say.
func (r Retrieve) plain() bool {
	r.Engine, r.PGVector = r.engine()
	return reflect.DeepEqual(r, Retrieve{Mode: r.Mode, K: r.K})
}

// alpha is the weight of dense in a convex fusion.
func (r Retrieve) alpha() float64 {
	if r.Alpha == nil {
		return 0.5
	}
	return *r.Alpha
}

func (r Retrieve) words() bool { return r.Mode != "dense" }

func (r Retrieve) vectors() bool { return r.Mode != "bm25" }

// Clone is a copy that shares nothing with the original.
func (c Config) Clone() Config {
	c.Retrieve.Filter, c.Retrieve.Params = maps.Clone(c.Retrieve.Filter), maps.Clone(c.Retrieve.Params)
	c.Chunk.Separators, c.Retrieve.Weights = slices.Clone(c.Chunk.Separators), slices.Clone(c.Retrieve.Weights)
	c.Rewrite.IncludeOriginal = copied(c.Rewrite.IncludeOriginal)
	c.Rerank.MinScore = copied(c.Rerank.MinScore)
	c.Chunk.HeaderInPrompt = copied(c.Chunk.HeaderInPrompt)
	c.Embedding.Normalize = copied(c.Embedding.Normalize)
	c.Retrieve.Alpha, c.Retrieve.MinScore = copied(c.Retrieve.Alpha), copied(c.Retrieve.MinScore)
	return c
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// Effective is the configuration without what has no effect in it: two that search alike are equal. Where anything is said that files
// did not say before, the words are searched by [DefaultBM25] unless the file says how.
func (c Config) Effective() Config {
	c = c.Clone()
	r := &c.Retrieve
	if c.Index == nil && r.words() && r.BM25 == (search.BM25{}) && !(r.plain() && c.Chunk.plain()) {
		r.BM25 = search.DefaultBM25()
	}
	if !r.words() {
		r.BM25 = search.BM25{}
	}
	if r.Engine, r.PGVector = r.engine(); c.Index != nil { // it has an engine of its own
		r.Engine, r.PGVector = "", PGVector{}
	}
	if r.Mode != "hybrid" {
		r.Fusion, r.Norm = "", ""
	}
	if r.Fusion == search.FusionRRF {
		r.Fusion = ""
	}
	if r.Fusion == search.FusionConvex {
		r.RRFK, r.Weights = 0, nil
		alpha := r.alpha()
		r.Alpha = &alpha
		if r.Norm == search.NormMinMax {
			r.Norm = ""
		}
	} else {
		r.Alpha, r.Norm = nil, ""
	}
	if r.Mode != "hybrid" || r.RRFK == search.RRFConstant {
		r.RRFK = 0
	}
	if r.Mode != "hybrid" || len(r.Weights) == 2 && r.Weights[0] == 1 && r.Weights[1] == 1 {
		r.Weights = nil
	}
	if !r.vectors() {
		c.Embedding, r.MMR = Embedding{}, search.MMR{}
	}
	c.Embedding = c.Embedding.effective()
	c.Rewrite = c.Rewrite.effective()
	c.Rerank = c.Rerank.effective()
	c.Chunk = c.Chunk.effective()
	return c
}

func (r Retrieve) checks(c Config) []check {
	list := []check{
		{oneOf(r.Mode, "dense", "bm25", "hybrid"), "retrieve.mode", r.Mode, "dense, bm25 or hybrid"},
		{r.K >= 1 && r.K <= 100, "retrieve.k", r.K, "a number from 1 to 100"},
		{oneOf(r.Fusion, "", search.FusionRRF, search.FusionConvex), "retrieve.fusion", r.Fusion, "rrf or convex"},
		{r.RRFK >= 0 && r.RRFK <= 10_000, "retrieve.rrf_k", r.RRFK, "a number from 1 to 10000"},
		{len(r.Weights) == 0 || len(r.Weights) == 2 && r.Weights[0] >= 0 && r.Weights[1] >= 0 && r.Weights[0]+r.Weights[1] > 0,
			"retrieve.weights", r.Weights, "two numbers of 0 or more, of dense and of bm25, like [2, 1]"},
		{r.Alpha == nil || r.Fusion == search.FusionConvex, "retrieve.alpha", r.alpha(),
			"left out, or used with retrieve.fusion convex; it is " + cmp.Or(r.Fusion, search.FusionRRF) + ", which reads ranks, not scores"},
		{r.alpha() >= 0 && r.alpha() <= 1, "retrieve.alpha", r.alpha(), "a number from 0 to 1: the weight of dense"},
		{oneOf(r.Norm, "", search.NormMinMax, search.NormZ, search.NormTheoretical), "retrieve.norm", r.Norm, "min-max, z or theoretical"},
		{r.MinScore == nil || r.Mode != "hybrid" || r.Fusion == search.FusionConvex, "retrieve.min_score", valueOf(r.MinScore),
			"left out when hybrid rankings are fused by rrf, whose scores say nothing about one hit; use retrieve.fusion convex"},
		{r.PerDocument >= 0, "retrieve.per_document", r.PerDocument, "0 or more"},
		{r.Neighbours >= 0 && r.Neighbours <= 20, "retrieve.neighbours", r.Neighbours, "a number from 0 to 20"},
	}
	list = append(list, r.engineChecks(c)...)
	if r.BM25 != (search.BM25{}) {
		list = append(list, bm25Checks(r.BM25)...)
	}
	if r.MMR != (search.MMR{}) {
		list = append(list, mmrChecks(r.MMR, c)...)
	}
	return list
}

func valueOf[T any](p *T) string {
	if p == nil {
		return "nothing"
	}
	return fmt.Sprint(*p)
}

func bm25Checks(s search.BM25) []check {
	return []check{
		{s.K1 >= 0 && s.K1 <= 10, "retrieve.bm25.k1", s.K1, "a number from 0 to 10"},
		{s.B >= 0 && s.B <= 1, "retrieve.bm25.b", s.B, "a number from 0 to 1"},
		{slices.Contains(search.Analyzers(), cmp.Or(s.Analyzer, search.AnalyzerAuto)), "retrieve.bm25.analyzer", s.Analyzer,
			"auto, whitespace, standard or english"},
	}
}

func mmrChecks(m search.MMR, c Config) []check {
	least := fmt.Sprintf("at least retrieve.k, which is %d, and at most 1000", c.Retrieve.K)
	return []check{
		{m.Lambda >= 0 && m.Lambda <= 1, "retrieve.mmr.lambda", m.Lambda, "a number from 0 to 1"},
		{m.FetchK >= c.Retrieve.K && m.FetchK <= 1000, "retrieve.mmr.fetch_k", m.FetchK, least},
		{c.Retrieve.Mode != "bm25", "retrieve.mmr", fmt.Sprintf("{lambda: %g, fetch_k: %d}", m.Lambda, m.FetchK),
			"left out where retrieve.mode is bm25, which has no vectors to compare; use dense or hybrid"},
	}
}
