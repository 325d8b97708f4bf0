package rag

import (
	"context"
	"fmt"
	"math"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// Embedding says which vectors texts get. What is left out is as it was before there was a choice.
type Embedding struct {
	Model `yaml:",inline"`

	// length of a vector; 0 is the model's own. One that is longer by nature and Matryoshka is bought whole and cut here; any other
	// service is asked for this length, and another one is an error
	Dimensions int `json:"dimensions,omitempty" yaml:"dimensions"`
	// the maker says that vectors may be cut; of the models in [llm.Embedders] it is known
	Matryoshka bool `json:"matryoshka,omitempty" yaml:"matryoshka"`
	// auto: the service is told which texts are questions and which passages, in the field that its maker has for it; none (default)
	InputType string `json:"input_type,omitempty" yaml:"input_type"`
	// put before each text that is searched with, or searched: a text | auto (as in [llm.Embedders]) | none
	QueryPrefix   string `json:"query_prefix,omitempty" yaml:"query_prefix"`
	PassagePrefix string `json:"passage_prefix,omitempty" yaml:"passage_prefix"`
	// vectors are scaled to length 1, after any cut; nil is true. false is for similarity dot only
	Normalize  *bool  `json:"normalize,omitempty" yaml:"normalize"`
	Similarity string `json:"similarity,omitempty" yaml:"similarity"` // cosine (default) | dot
}

// Words of an embedding.
const (
	embedAuto     = "auto"
	embedNone     = "none"
	SimilarityDot = "dot"
)

// raw reports whether vectors are compared as they were made.
func (e Embedding) raw() bool {
	return e.Similarity == SimilarityDot && e.Normalize != nil && !*e.Normalize
}

// cuts reports whether vectors are bought whole and cut here.
func (e Embedding) cuts() bool {
	return e.Dimensions > 0 && (e.Matryoshka || llm.EmbedderOf(e.Name).Matryoshka)
}

// Resolved is the embedding with the prefixes that are put before texts, in the place of the word auto.
func (e Embedding) Resolved() Embedding {
	known := llm.EmbedderOf(e.Name)
	if e.QueryPrefix == embedAuto {
		e.QueryPrefix = known.QueryPrefix
	}
	if e.PassagePrefix == embedAuto {
		e.PassagePrefix = known.PassagePrefix
	}
	return e
}

// effective is the embedding without what has no effect.
func (e Embedding) effective() Embedding {
	e = e.Resolved()
	for _, field := range []*string{&e.QueryPrefix, &e.PassagePrefix, &e.InputType} {
		if *field == embedNone {
			*field = ""
		}
	}
	e.Matryoshka = e.cuts()
	if !e.raw() {
		e.Normalize, e.Similarity = nil, ""
	}
	return e
}

// plain reports whether only the model is said, as in every file before there was more to say.
func (e Embedding) plain() bool { return e == Embedding{Model: e.Model} }

// passages is what decides the vectors of passages, beyond the model: what only questions get is left out.
func (e Embedding) passages() Embedding {
	e.Model, e.QueryPrefix = Model{}, ""
	return e
}

// NeedsPrefixes reports whether the model is known to need prefixes and nothing is said of them: the commonest silent mistake with such
// models.
func (e Embedding) NeedsPrefixes() bool {
	known := llm.EmbedderOf(e.Name)
	return known.QueryPrefix != "" && e.QueryPrefix == "" || known.PassagePrefix != "" && e.PassagePrefix == ""
}

// vectors embeds texts that are questions or passages, as the role says. e is effective.
func (e Embedding) vectors(ctx context.Context, by llm.Embedder, role string, texts []string) ([][]float32, error) {
	prefix := e.PassagePrefix
	if role == llm.RoleQuery {
		prefix = e.QueryPrefix
	}
	if prefix != "" {
		with := make([]string, len(texts))
		for i, t := range texts {
			with[i] = prefix + t
		}
		texts = with
	}
	want := llm.Embedding{Model: e.Name, Raw: e.raw()}
	if e.InputType == embedAuto {
		want.Role = role
	}
	if !e.cuts() {
		want.Dimensions = e.Dimensions
		return by.Embed(ctx, want, texts)
	}
	whole, err := by.Embed(ctx, want, texts)
	if err != nil {
		return nil, err
	}
	return e.cut(whole)
}

// cut keeps the beginning of each vector, scaled to length 1 unless vectors stay as they were made.
func (e Embedding) cut(whole [][]float32) ([][]float32, error) {
	out := make([][]float32, len(whole))
	for i, v := range whole {
		if len(v) < e.Dimensions {
			return nil, &llm.Error{Cause: llm.CauseEmbedding, Message: fmt.Sprintf("%d dimensions are asked for, and vectors of %s have %d",
				e.Dimensions, e.Name, len(v))}
		}
		out[i] = append([]float32(nil), v[:e.Dimensions]...) // the whole one belongs to the provider
		if !e.raw() && len(v) > e.Dimensions {
			out[i] = scaled(out[i])
		}
	}
	return out, nil
}

// scaled is v at length 1, computed in double precision as those are that come from a service; a vector without length stays.
func scaled(v []float32) []float32 {
	sum := 0.0
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	if norm := math.Sqrt(sum); norm > 0 {
		for i := range v {
			v[i] = float32(float64(v[i]) / norm)
		}
	}
	return v
}

func (e Embedding) checks(c Config) []check {
	known := llm.EmbedderOf(e.Name)
	unknown := "a text or none: no prefix of " + e.Name + " is known, so auto says nothing"
	return []check{
		{c.Retrieve.Mode == "bm25" || e.Provider != "" && e.Name != "", "embedding", e.String(), "{provider: …, model: …}"},
		{c.Retrieve.Mode == "bm25" || e.Known(offline.EmbedderNames()), "embedding.model", e.Name, ofOffline(offline.EmbedderNames())},
		{e.Dimensions >= 0 && e.Dimensions <= 65_536, "embedding.dimensions", e.Dimensions, "a number from 1 to 65536"},
		{known.Dimensions == 0 || e.Dimensions <= known.Dimensions, "embedding.dimensions", e.Dimensions,
			fmt.Sprintf("at most %d, which is what %s has", known.Dimensions, e.Name)},
		{known.InputTokens == 0 || c.Retrieve.Mode == "bm25" || !c.Chunk.inTokens() || c.Chunk.Size <= known.InputTokens, "chunk.size",
			c.Chunk.Size, fmt.Sprintf("at most %d tokens, which is what %s reads of a text", known.InputTokens, e.Name)},
		{oneOf(e.InputType, "", embedNone, embedAuto), "embedding.input_type", e.InputType, "auto or none"},
		{e.InputType != embedAuto || known.RoleField != "", "embedding.input_type", e.InputType,
			"none for " + e.Name + ": no field is known in which its service is told what a text is"},
		{e.QueryPrefix != embedAuto || known.QueryPrefix+known.PassagePrefix != "", "embedding.query_prefix", e.QueryPrefix, unknown},
		{e.PassagePrefix != embedAuto || known.QueryPrefix+known.PassagePrefix != "", "embedding.passage_prefix", e.PassagePrefix, unknown},
		{oneOf(e.Similarity, "", "cosine", SimilarityDot), "embedding.similarity", e.Similarity, "cosine or dot"},
		{e.Similarity != SimilarityDot || e.raw(), "embedding.similarity", e.Similarity,
			"used with normalize: false; of vectors of length 1 the dot product is the cosine"},
		{e.raw() || e.Normalize == nil || *e.Normalize, "embedding.normalize", valueOf(e.Normalize),
			"true, or used with similarity: dot; a cosine does not depend on lengths"},
		{!e.raw() || c.Retrieve.MMR == search.MMR{}, "embedding.similarity", e.Similarity,
			"cosine where retrieve.mmr is used, which compares vectors of length 1"},
		{!e.raw() || c.Retrieve.Norm != search.NormTheoretical, "embedding.similarity", e.Similarity,
			"cosine where retrieve.norm is theoretical: a dot product has no smallest and no largest value"},
	}
}
