package rag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// Config describes one RAG system: every parameter of rewrite → retrieve → rerank → generate → post-process.
// The yaml names are the axes a sweep can vary, dotted: "chunk.size", "retrieve.k", "generate.model".
type Config struct {
	Chunk       Chunking  `json:"chunk" yaml:"chunk"`
	Embedding   Embedding `json:"embedding" yaml:"embedding"`
	Rewrite     Rewrite   `json:"rewrite" yaml:"rewrite"`
	Retrieve    Retrieve  `json:"retrieve" yaml:"retrieve"`
	Rerank      Rerank    `json:"rerank" yaml:"rerank"`
	Generate    Generate  `json:"generate" yaml:"generate"`
	PostProcess PostModes `json:"post_process" yaml:"post_process"`

	// The system may run elsewhere. Then of the fields above only those count that it is told of.
	Endpoint *remote.Endpoint `json:"endpoint,omitempty" yaml:"-"`
	Log      *LogRef          `json:"log,omitempty" yaml:"-"`

	// The corpus may have an index already. Then Chunk is empty, and that index is searched.
	Index *IndexMapping `json:"index,omitempty" yaml:"-"`
}

// Model names a model at a provider.
type Model struct {
	Provider string `json:"provider" yaml:"provider"`
	Name     string `json:"model" yaml:"model"`
}

// String is provider/model.
func (m Model) String() string { return m.Provider + "/" + m.Name }

// Known reports whether a model exists, as far as that can be told: names of the offline provider's are those that are given here.
func (m Model) Known(ofOffline []string) bool {
	return m.Provider != "offline" || slices.Contains(ofOffline, m.Name)
}

// ofOffline says which models the offline provider has.
func ofOffline(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last] + " where the provider is offline"
}

// Rerank says how found chunks are put in a new order. It sees Depth chunks and hands on K.
type Rerank struct {
	Mode  string `json:"mode" yaml:"mode"`             // none | lexical | llm | api
	Depth int    `json:"depth,omitempty" yaml:"depth"` // chunks to choose from; default 4 × k, of api at least 20
	Model `yaml:",inline"`

	Dialect  string   `json:"dialect,omitempty" yaml:"dialect"`     // of api: cohere (default: also Jina, vLLM, Infinity) | voyage | tei
	Batch    int      `json:"batch,omitempty" yaml:"batch"`         // of api: documents of one call; 32 of tei, else 100
	Listwise bool     `json:"listwise,omitempty" yaml:"listwise"`   // of api: scores compare only within one call, so there is one
	MinScore *float64 `json:"min_score,omitempty" yaml:"min_score"` // of api: hits with less are left out; each model has its own scale
}

// Generate says who writes the answer.
type Generate struct {
	Model `yaml:",inline"`
	// the system prompt's text; a file name in an experiment file is replaced by the file's text
	Prompt      string  `json:"prompt" yaml:"prompt"`
	Temperature float64 `json:"temperature" yaml:"temperature"`
	MaxTokens   int     `json:"max_tokens,omitempty" yaml:"max_tokens"`
}

// PostModes lists the post-processing steps in order: truncate (cuts the answer to 120 characters), strip_citations.
type PostModes []string

// DefaultConfig is what an experiment file leaves unsaid.
func DefaultConfig() Config {
	return Config{
		Chunk:     Chunking{By: "chars", Size: 1000},
		Embedding: Embedding{Model: Model{Provider: "offline", Name: "hash"}},
		Rewrite:   Rewrite{Mode: "none"},
		Retrieve:  Retrieve{Mode: "dense", K: 3},
		Rerank:    Rerank{Mode: "none"},
		Generate:  Generate{Model: Model{Provider: "offline", Name: "extractive"}},
	}
}

// NewConfig is where a new configuration begins: DefaultConfig with what was learned since. Files that leave a field unsaid keep
// meaning DefaultConfig.
func NewConfig() Config {
	c := DefaultConfig()
	c.Chunk = Chunking{By: ByRecursive, Size: 1000, Overlap: 100, Heading: HeadingPath}
	c.Embedding.Name = "ngram" // the better of the free ones
	c.Retrieve.BM25 = search.DefaultBM25()
	return c
}

// SaysMore reports whether the chunking or the search say what files could not say before there was more to choose from.
func (c Config) SaysMore() bool { return !c.Chunk.plain() || !c.Retrieve.plain() }

// Validate returns a Problem that names the first field with an impossible value.
func (c Config) Validate() error {
	if c.IsOutside() {
		return c.validateOutside()
	}
	cut := c.Chunk.checks
	if c.Index != nil {
		cut = c.existingChecks
	}
	checks := append(slices.Concat(cut(), c.Rewrite.checks(c), c.Retrieve.checks(c), c.Embedding.checks(c)), []check{
		{oneOf(c.Rerank.Mode, "none", "lexical", "llm", RerankAPI), "rerank", c.Rerank.Mode, "none, lexical, llm or api"},
		{!c.Rerank.Asks() || c.Rerank.Provider != "" && c.Rerank.Name != "", "rerank", c.Rerank.Mode,
			"{mode: " + c.Rerank.Mode + ", provider: …, model: …}"},
		{oneOf(c.Rerank.Dialect, "", llm.RerankCohere, llm.RerankVoyage, llm.RerankTEI), "rerank.dialect", c.Rerank.Dialect,
			"cohere, voyage or tei"},
		{c.Rerank.Batch >= 0 && c.Rerank.Batch <= 1000, "rerank.batch", c.Rerank.Batch, "a number from 1 to 1000"},
		{c.Rerank.MinScore == nil || c.Rerank.Mode == RerankAPI, "rerank.min_score", valueOf(c.Rerank.MinScore),
			"left out, or used with rerank.mode api: other orders have no scores"},
		{c.Rerank.Depth == 0 || c.Rerank.Depth >= c.Retrieve.K && c.Rerank.Depth <= 1000, "rerank.depth", c.Rerank.Depth,
			fmt.Sprintf("at least retrieve.k, which is %d, and at most 1000", c.Retrieve.K)},
		{c.Generate.Provider != "" && c.Generate.Name != "", "generate", c.Generate.Model.String(), "{provider: …, model: …}"},
		{c.Generate.Known(offline.GeneratorNames()), "generate.model", c.Generate.Name, ofOffline(offline.GeneratorNames())},
		{c.Generate.Temperature >= 0 && c.Generate.Temperature <= 2, "generate.temperature", c.Generate.Temperature,
			"a number from 0 to 2"},
		{c.Generate.MaxTokens >= 0, "generate.max_tokens", c.Generate.MaxTokens, "0 or more"},
	}...)
	for _, ch := range checks {
		if !ch.ok {
			return invalidField(ch.field, ch.value, ch.want)
		}
	}
	for field, want := range c.Retrieve.Filter {
		if _, err := conditionsOf(field, want); err != nil {
			return err
		}
	}
	for _, m := range c.PostProcess {
		if !oneOf(m, "truncate", "strip_citations") {
			return invalidField("post_process", m, "none, truncate or strip_citations")
		}
	}
	return nil
}

// check is one rule: whether it holds, and what is said when it does not.
type check struct {
	ok    bool
	field string
	value any
	want  string
}

func invalidField(field string, value any, want string) *problem.Problem {
	return problem.New(problem.Invalid, "config_field", "%s is %v; it must be %s", field, value, want).
		With("field", field).With("value", value).With("want", want)
}

func oneOf(s string, allowed ...string) bool {
	for _, a := range allowed {
		if s == a {
			return true
		}
	}
	return false
}
