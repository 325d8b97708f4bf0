package rag

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// embedded is what a provider was asked to embed.
type embedded struct {
	want  llm.Embedding
	texts []string
}

// noting embeds offline and writes down what it is asked; vectors asked raw are twice as long.
type noting struct {
	llm.Provider
	asked []embedded
}

func (n *noting) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	n.asked = append(n.asked, embedded{want, texts})
	whole, err := n.Provider.Embed(ctx, llm.Embedding{Model: "ngram"}, texts)
	if want.Raw {
		for i := range whole {
			whole[i] = slices.Clone(whole[i])
			for k := range whole[i] {
				whole[i][k] *= 2
			}
		}
	}
	return whole, err
}

// found is the answer to a question by a system with this embedding, and what was asked of its embedder.
func found(t *testing.T, e Embedding) (Answer, []embedded) {
	t.Helper()
	r, n := newRig(manual()...), &noting{Provider: offlineProvider()}
	r.providers["noting"] = n
	e.Provider = "noting"
	return r.answer(t, askEN, func(c *Config) { c.Embedding = e }), n.asked
}

func TestPrefixesAndRolesReachTheEmbedder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		e                Embedding
		query, passage   string
		queryR, passageR string
	}{
		"unsaid": {e: Embedding{Model: Model{Name: "e5-base-v2"}}},
		"known": {e: Embedding{Model: Model{Name: "e5-base-v2"}, QueryPrefix: "auto", PassagePrefix: "auto"}, query: "query: ",
			passage: "passage: "},
		"own": {e: Embedding{Model: Model{Name: "x"}, QueryPrefix: "問: ", PassagePrefix: "none"}, query: "問: "},
		"role": {e: Embedding{Model: Model{Name: "voyage-3"}, InputType: "auto"}, queryR: llm.RoleQuery,
			passageR: llm.RolePassage},
	} {
		_, asked := found(t, c.e)
		if len(asked) != 2 {
			t.Fatalf("%s: %d calls", name, len(asked))
		}
		passages, query := asked[0], asked[1]
		if query.texts[0] != c.query+askEN || !strings.HasPrefix(passages.texts[0], c.passage) || c.passage == "" &&
			strings.HasPrefix(passages.texts[0], "passage") {
			t.Errorf("%s: the question went as %q, a passage as %q", name, query.texts[0], passages.texts[0])
		}
		if query.want.Role != c.queryR || passages.want.Role != c.passageR {
			t.Errorf("%s: roles %q and %q", name, query.want.Role, passages.want.Role)
		}
	}
}

// A model whose vectors may be cut is asked for whole ones, the same for every length, so that another length buys nothing.
func TestMatryoshkaVectorsAreCutHere(t *testing.T) {
	t.Parallel()
	declared := Embedding{Model: Model{Name: "x"}, Dimensions: 16, Matryoshka: true}
	for _, e := range []Embedding{declared, {Model: Model{Name: "text-embedding-3-small"}, Dimensions: 16}} {
		_, asked := found(t, e)
		for _, a := range asked {
			if a.want != (llm.Embedding{Model: e.Name}) {
				t.Errorf("asked for %+v", a.want)
			}
		}
	}
	whole := [][]float32{{3, 4, 12}}
	cut, err := Embedding{Dimensions: 2}.cut(whole)
	if err != nil || !slices.Equal(cut[0], []float32{0.6, 0.8}) || whole[0][0] != 3 {
		t.Errorf("cut to %v of %v: %v", cut, whole, err)
	}
	if _, err := (Embedding{Dimensions: 4}).cut(whole); llm.CauseOf(err) != llm.CauseEmbedding {
		t.Errorf("4 of 3 dimensions: %v", err)
	}
	if _, asked := found(t, Embedding{Model: Model{Name: "x"}, Dimensions: 16}); asked[0].want.Dimensions != 16 {
		t.Errorf("a model that is not known to be cut is asked for %d dimensions", asked[0].want.Dimensions)
	}
}

func TestDotProductOfVectorsAsMade(t *testing.T) {
	t.Parallel()
	no := false
	cosine, _ := found(t, Embedding{Model: Model{Name: "x"}})
	dot, asked := found(t, Embedding{Model: Model{Name: "x"}, Similarity: SimilarityDot, Normalize: &no})
	if !asked[0].want.Raw || !asked[1].want.Raw {
		t.Error("vectors are not asked for as they were made")
	}
	if ratio := dot.Hits[0].Score / cosine.Hits[0].Score; ratio < 3.99 || ratio > 4.01 {
		t.Errorf("scores are %v and %v; both vectors are twice as long", dot.Hits[0].Score, cosine.Hits[0].Score)
	}
}

// Configurations that say no more than a model keep the keys they had before there was more to say; every option makes others.
func TestEmbeddingOptionsAreInTheIndexKey(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	key := func(e Embedding) string {
		t.Helper()
		c := DefaultConfig()
		e.Model = Model{"offline", "ngram"}
		c.Embedding = e
		k, err := indexKey(c, r.corpus, r.providers)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	c := DefaultConfig()
	before := StageKey("index", "2", r.corpus.Digest, c.Chunk, "dense", "offline", llm.OfflineVersion, "ngram")
	yes, no := true, false
	for i, e := range []Embedding{{}, {InputType: "none"}, {QueryPrefix: "none", PassagePrefix: "none"}, {Normalize: &yes},
		{Similarity: "cosine"}, {Matryoshka: true}} {
		if key(e) != before {
			t.Errorf("%d: what says nothing has another key", i)
		}
	}
	seen := map[string]int{before: -1}
	for i, e := range []Embedding{{Dimensions: 8}, {Dimensions: 8, Matryoshka: true}, {InputType: "auto"}, {QueryPrefix: "q"},
		{PassagePrefix: "q"}, {Similarity: SimilarityDot, Normalize: &no}} {
		if other, known := seen[key(e)]; known {
			t.Errorf("%d and %d share a key", i, other)
		}
		seen[key(e)] = i
	}
	// What only questions get leaves the vectors of passages as they are.
	if (Embedding{QueryPrefix: "q"}).passages() != (Embedding{}) {
		t.Error("a prefix of questions is in the key of the passages' vectors")
	}
}

func TestEmbeddingChecks(t *testing.T) {
	t.Parallel()
	no := false
	for field, change := range map[string]func(*Config){
		"embedding.dimensions":     func(c *Config) { c.Embedding.Dimensions = -1 },
		"embedding.input_type":     func(c *Config) { c.Embedding.InputType = "auto" },
		"embedding.query_prefix":   func(c *Config) { c.Embedding.QueryPrefix = "auto" },
		"embedding.passage_prefix": func(c *Config) { c.Embedding.PassagePrefix = "auto" },
		"embedding.similarity":     func(c *Config) { c.Embedding.Similarity = SimilarityDot },
		"embedding.normalize":      func(c *Config) { c.Embedding.Normalize = &no },
	} {
		c := DefaultConfig()
		change(&c)
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), field) && !strings.Contains(fmt.Sprint(err), field+" is") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if !(Embedding{Model: Model{Name: "e5-base"}}).NeedsPrefixes() || (Embedding{Model: Model{Name: "e5-base"}, QueryPrefix: "none",
		PassagePrefix: "none"}).NeedsPrefixes() || (Embedding{Model: Model{Name: "text-embedding-3-small"}}).NeedsPrefixes() {
		t.Error("whether prefixes are missing")
	}
	if got := (Embedding{Model: Model{Name: "e5-base"}, QueryPrefix: "auto"}).Resolved(); got.QueryPrefix != "query: " {
		t.Errorf("auto is %q", got.QueryPrefix)
	}
}
