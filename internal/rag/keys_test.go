package rag

import (
	"context"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

// baseline is a configuration in which every stage works, so that every parameter can matter.
func baseline(c *Config) {
	c.Chunk = Chunking{By: "chars", Size: 60, Overlap: 0}
	c.Retrieve = Retrieve{Mode: "dense", K: 3}
	c.Rewrite = Rewrite{Mode: "none"}
	c.Rerank = Rerank{Mode: "none"}
	c.Generate = Generate{Model: Model{"offline", "extractive"}, Prompt: "Answer.", MaxTokens: 100}
}

// Which keys a parameter changes: those of the stages that use it. The key of an answer changes besides exactly when the
// contexts read otherwise.
func TestKeysChangeWithTheParametersThatAreUsed(t *testing.T) {
	t.Parallel()
	type keys struct{ retrieval, generation bool }
	same, generation, retrieval := keys{}, keys{false, true}, keys{true, false}
	sameContexts, otherContexts := 0, 0
	lexical := func(c *Config) { baseline(c); c.Rerank = Rerank{Mode: "lexical", Depth: 8} }
	byModel := func(c *Config) {
		baseline(c)
		c.Rerank = Rerank{Mode: "llm", Depth: 8, Model: Model{"offline", "m"}}
	}
	bm25 := func(c *Config) { baseline(c); c.Retrieve.Mode = "bm25" }
	for name, c := range map[string]struct {
		from, change func(*Config)
		want         keys
	}{
		"nothing":                 {baseline, func(*Config) {}, same},
		"chunk.by":                {baseline, func(c *Config) { c.Chunk.By = "tokens" }, retrieval},
		"chunk.size":              {baseline, func(c *Config) { c.Chunk.Size = 20 }, retrieval},
		"chunk.size, same chunks": {baseline, func(c *Config) { c.Chunk.Size = 1000 }, retrieval},
		"chunk.overlap":           {baseline, func(c *Config) { c.Chunk.Size = 20; c.Chunk.Overlap = 5 }, retrieval},
		"embedding.model":         {baseline, func(c *Config) { c.Embedding.Name = "hash" }, retrieval},
		"embedding in bm25":       {bm25, func(c *Config) { c.Embedding.Name = "hash" }, same},
		"retrieve.mode":           {baseline, func(c *Config) { c.Retrieve.Mode = "bm25" }, retrieval},
		"retrieve.k":              {baseline, func(c *Config) { c.Retrieve.K = 4 }, retrieval},
		"rewrite":                 {baseline, func(c *Config) { c.Rewrite.Mode = "damage" }, retrieval},
		"rewrite.model unused":    {baseline, func(c *Config) { c.Rewrite.Model = Model{"offline", "m"} }, same},
		"rewrite.model, same query": {
			func(c *Config) { baseline(c); c.Rewrite = Rewrite{Mode: "llm", Model: Model{"offline", "a"}} },
			func(c *Config) { c.Rewrite.Name = "b" }, same,
		},
		"rewrite by hand and by model": {baseline, func(c *Config) { c.Rewrite = Rewrite{Mode: "expand"} }, retrieval},
		"rerank":                       {baseline, func(c *Config) { c.Rerank = Rerank{Mode: "lexical"} }, retrieval},
		"rerank.depth unused":          {baseline, func(c *Config) { c.Rerank.Depth = 50 }, same},
		"rerank.depth":                 {lexical, func(c *Config) { c.Rerank.Depth = 9 }, retrieval},
		"rerank.depth by default": {func(c *Config) { lexical(c); c.Rerank.Depth = 0 },
			func(c *Config) { c.Rerank.Depth = 12 }, same},
		"rerank.model in lexical":       {lexical, func(c *Config) { c.Rerank.Model = Model{"offline", "x"} }, same},
		"rerank.model":                  {byModel, func(c *Config) { c.Rerank.Name = "x" }, retrieval},
		"rerank.provider, other origin": {byModel, func(c *Config) { c.Rerank.Provider = "away" }, retrieval},
		"rerank.provider, same origin":  {byModel, func(c *Config) { c.Rerank.Provider = "alias" }, same},
		"generate.provider":             {baseline, func(c *Config) { c.Generate.Provider = "away" }, generation},
		"generate.provider, alias":      {baseline, func(c *Config) { c.Generate.Provider = "alias" }, same},
		"generate.model":                {baseline, func(c *Config) { c.Generate.Name = "terse" }, generation},
		"generate.prompt":               {baseline, func(c *Config) { c.Generate.Prompt = "Answer briefly." }, generation},
		"generate.temperature":          {baseline, func(c *Config) { c.Generate.Temperature = 0.5 }, generation},
		"generate.max_tokens":           {baseline, func(c *Config) { c.Generate.MaxTokens = 50 }, generation},
		"post_process":                  {baseline, func(c *Config) { c.PostProcess = PostModes{"truncate"} }, generation},
		"post_process, order": {
			func(c *Config) { baseline(c); c.PostProcess = PostModes{"truncate", "strip_citations"} },
			func(c *Config) { c.PostProcess = PostModes{"strip_citations", "truncate"} }, generation,
		},
		"post_process none": {baseline, func(c *Config) { c.PostProcess = PostModes{} }, same},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(manual()...)
			r.providers["away"] = &elsewhere{Provider: offlineProvider(), origin: "https://other.example/v1"}
			r.providers["alias"] = offlineProvider()
			before := r.answer(t, askJA, c.from)
			after := r.answer(t, askJA, func(config *Config) { c.from(config); c.change(config) })
			if contextTexts(before) != contextTexts(after) {
				otherContexts++
				c.want.generation = true
			} else if c.want.retrieval {
				sameContexts++
			}
			got := keys{before.RetrievalKey != after.RetrievalKey, before.GenerationKey != after.GenerationKey}
			if got != c.want {
				t.Errorf("changed keys: %+v, want %+v", got, c.want)
			}
		})
	}
	if sameContexts < 3 || otherContexts < 3 {
		t.Errorf("other contexts %d times and the same ones %d times: the table does not show both", otherContexts, sameContexts)
	}
}

func contextTexts(a Answer) string {
	texts := make([]string, len(a.Hits))
	for i, h := range a.Hits {
		texts[i] = h.Text
	}
	return strings.Join(texts, "\x00")
}

func TestKeysChangeWithTheCorpusAndTheQuestion(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	a := r.answer(t, askJA, nil)
	if b := r.answer(t, askEN, nil); a.RetrievalKey == b.RetrievalKey || a.GenerationKey == b.GenerationKey {
		t.Error("two questions share a key")
	}
	r.corpus = NewCorpus("renamed", manual())
	if b := r.answer(t, askJA, nil); a.RetrievalKey != b.RetrievalKey {
		t.Error("the name of a corpus is in the key")
	}
	docs := manual()
	docs[len(docs)-1].Text += " One more sentence."
	r.corpus = NewCorpus("test", docs)
	b := r.answer(t, askJA, nil)
	if a.RetrievalKey == b.RetrievalKey {
		t.Error("another corpus has the same retrieval key")
	}
	if a.GenerationKey != b.GenerationKey {
		t.Error("the contexts are the same and the answer is written again")
	}
}

// The origin of a reranker is found at the time of asking: a provider's name may come to mean another server.
func TestRerankIsNotSharedBetweenOrigins(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	change := func(c *Config) { c.Rerank = Rerank{Mode: "llm", Model: Model{"remote", "m"}} }
	var keys []string
	for _, origin := range []string{"https://a.example/v1", "https://b.example/v1", "https://a.example/v1"} {
		e := &elsewhere{Provider: offlineProvider(), origin: origin}
		r.providers["remote"] = e
		keys = append(keys, r.answer(t, askJA, change).RetrievalKey)
		if asked := e.asked[prompts.PurposeRerank]; (asked == 1) != (len(keys) < 3) {
			t.Errorf("call %d at %s: asked %d times", len(keys), origin, asked)
		}
	}
	if keys[0] == keys[1] || keys[0] != keys[2] {
		t.Errorf("keys %v", keys)
	}
}

func TestAPromptKeepsTheRetrieval(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	r.answer(t, askJA, nil)
	r.answer(t, askJA, func(c *Config) { c.Generate.Prompt = "別の指示です。" })
	if r.stages.count("retrieve") != 1 || r.stages.count("generate") != 2 {
		t.Errorf("%d retrievals and %d answers are stored", r.stages.count("retrieve"), r.stages.count("generate"))
	}
}

// A blank prompt is the built-in one in the question's language.
func TestPromptByDefault(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	key := func(question, prompt string) string {
		return r.answer(t, question, func(c *Config) { c.Generate.Prompt = prompt }).GenerationKey
	}
	said := prompts.GenerateInstruction
	for question, builtIn := range map[string]string{askJA: said.In("ja"), askEN: said.In("en")} {
		if key(question, "") != key(question, builtIn) || key(question, " \n") != key(question, builtIn) {
			t.Errorf("%q does not use the built-in prompt", question)
		}
	}
}

func TestStageKey(t *testing.T) {
	t.Parallel()
	seen := map[string][]any{}
	for _, parts := range [][]any{{"a", "1"}, {"a", "1", ""}, {"a", "1", nil}, {"a1", ""}, {"a", "1", "b", "c"}, {"a", "1", "bc"},
		{"a", "1", []string{"b", "c"}}, {"a", "2"}} {
		key := StageKey(parts[0].(string), parts[1].(string), parts[2:]...)
		if other, ok := seen[key]; ok {
			t.Errorf("%v and %v share a key", parts, other)
		}
		if key != StageKey(parts[0].(string), parts[1].(string), parts[2:]...) || len(key) != 64 {
			t.Errorf("%v has the key %q", parts, key)
		}
		seen[key] = parts
	}
	defer func() {
		if recover() == nil {
			t.Error("a part that is no JSON was accepted")
		}
	}()
	StageKey("a", "1", func() {})
}

// booked is the offline provider and writes down for whom it is asked.
type booked struct {
	llm.Provider
	stages map[string]bool
}

func (b *booked) note(ctx context.Context, what string) {
	s := llm.ScopeOf(ctx)
	b.stages[strings.Join([]string{what, s.RunID, s.QuestionID, s.Stage}, " ")] = true
}

func (b *booked) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	b.note(ctx, req.Purpose)
	return b.Provider.Complete(ctx, req)
}

func (b *booked) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	b.note(ctx, "Embed")
	return b.Provider.Embed(ctx, want, texts)
}

// Calls are booked to the stage that makes them.
func TestCallsAreBookedToTheirStage(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	b := &booked{Provider: offlineProvider(), stages: map[string]bool{}}
	r.providers["booked"] = b
	ctx := llm.WithScope(t.Context(), llm.Scope{RunID: "run", QuestionID: "q1"})
	c := DefaultConfig()
	c.Embedding.Model = Model{"booked", "ngram"}
	c.Rewrite = Rewrite{Mode: "llm", Model: Model{"booked", "m"}}
	c.Rerank = Rerank{Mode: "llm", Model: Model{"booked", "m"}}
	c.Generate.Provider = "booked"
	s, err := Open(ctx, c, r.corpus, r.providers, r.indexes, r.stages)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Answer(ctx, askJA); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Embed run q1 embed", prompts.PurposeRewrite + " run q1 rewrite",
		prompts.PurposeRerank + " run q1 rerank",
		prompts.PurposeGenerate + " run q1 generate"} {
		if !b.stages[want] {
			t.Errorf("no call is booked as %q; there are %v", want, b.stages)
		}
	}
	if len(b.stages) != 4 {
		t.Errorf("calls are booked as %v", b.stages)
	}
}
