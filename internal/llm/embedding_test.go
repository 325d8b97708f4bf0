package llm_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// Each maker has its own words for what a text is and how long its vector shall be; without a wish nothing of the kind is sent.
func TestEmbeddingOptionsInTheMakersWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		want llm.Embedding
		sent string // beside input, model and encoding_format
	}{
		"nothing": {llm.Embedding{Model: "text-embedding-3-small"}, `{}`},
		"OpenAI":  {llm.Embedding{Model: "text-embedding-3-small", Dimensions: 64}, `{"dimensions":64}`},
		"Voyage, query": {llm.Embedding{Model: "voyage-3.5", Role: llm.RoleQuery, Dimensions: 64},
			`{"input_type":"query","output_dimension":64}`},
		"Voyage":         {llm.Embedding{Model: "voyage/voyage-3.5", Role: llm.RolePassage}, `{"input_type":"document"}`},
		"Cohere":         {llm.Embedding{Model: "embed-multilingual-v3.0", Role: llm.RoleQuery}, `{"input_type":"search_query"}`},
		"Jina":           {llm.Embedding{Model: "jina-embeddings-v3", Role: llm.RolePassage}, `{"task":"retrieval.passage"}`},
		"Gemini":         {llm.Embedding{Model: "gemini-embedding-001", Role: llm.RoleQuery}, `{"task_type":"RETRIEVAL_QUERY"}`},
		"without a name": {llm.Embedding{Model: "unheard-of", Role: llm.RoleQuery}, `{}`},
	} {
		r := newRig(t, fakeprovider.Options{})
		if _, err := r.provider.Embed(t.Context(), c.want, []string{"one"}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sent := map[string]any{}
		if err := json.Unmarshal(r.ledger.rows()[0].Request, &sent); err != nil {
			t.Fatal(err)
		}
		for _, known := range []string{"input", "model", "encoding_format"} {
			delete(sent, known)
		}
		if body, _ := json.Marshal(sent); string(body) != c.sent {
			t.Errorf("%s: sent %s, want %s", name, body, c.sent)
		}
	}
}

// Vectors of different wishes never meet, and those that a verifier reads back from the ledger are found where they were stored.
func TestEmbeddingWishesAreKeptApart(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{})
	wishes := []llm.Embedding{
		{Model: "voyage-3.5"}, {Model: "voyage-3.5", Role: llm.RoleQuery}, {Model: "voyage-3.5", Role: llm.RolePassage},
		{Model: "voyage-3.5", Dimensions: 64}, {Model: "voyage-3.5", Raw: true},
	}
	for i, want := range wishes {
		got, err := r.provider.Embed(t.Context(), want, []string{"one"})
		if err != nil {
			t.Fatal(err)
		}
		norm := 0.0
		for _, f := range got[0] {
			norm += float64(f) * float64(f)
		}
		if unit := math.Abs(norm-1) < 1e-6; unit == want.Raw {
			t.Errorf("%+v has a vector of length² %v", want, norm)
		}
		space := llm.VectorSpace(r.provider.Info(), want)
		if len(r.ledger.vectors[space]) != 1 || len(r.ledger.vectors) != i+1 {
			t.Fatalf("%d spaces after %d wishes; %s holds %d", len(r.ledger.vectors), i+1, space, len(r.ledger.vectors[space]))
		}
		rows, found := r.ledger.rows(), false
		for _, c := range rows {
			banked, err := llm.ReadBankedVectors(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range banked {
				found = found || strings.HasSuffix(space, "|voyage-3.5"+b.Variant) && b.Vectors[0][0] == got[0][0]
			}
		}
		if !found {
			t.Errorf("no call holds the vector of %s", space)
		}
	}
	if n := len(r.ledger.rows()); n != 4 {
		t.Errorf("%d calls; vectors as they were made are in the reply of those that were scaled", n)
	}
}

func TestEmbeddingOfAnotherLengthIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{}) // its vectors have 64 numbers
	_, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e", Dimensions: 32}, []string{"one"})
	if llm.CauseOf(err) != llm.CauseEmbedding || !strings.Contains(err.Error(), "32 dimensions were asked for, and the model e gave 64") {
		t.Errorf("32 of 64: %v", err)
	}
	if len(r.ledger.vectors) != 0 {
		t.Error("a vector of another length is stored")
	}
}

func TestEmbedderOf(t *testing.T) {
	t.Parallel()
	for model, prefix := range map[string]string{
		"intfloat/multilingual-e5-large": "query: ", "e5-base-v2": "query: ", "nomic-embed-text:latest": "search_query: ",
		"cl-nagoya/ruri-v3-310m": "検索クエリ: ", "cl-nagoya/ruri-large": "クエリ: ", "Qwen/Qwen3-Embedding-0.6B": "Instruct: ",
		"multilingual-e5-large-instruct": "Instruct: ", "text-embedding-3-small": "", "e": "", "": "", "models/": "",
	} {
		if got := llm.EmbedderOf(model).QueryPrefix; !strings.HasPrefix(got, prefix) || prefix == "" && got != "" {
			t.Errorf("%q: %q", model, got)
		}
	}
}
