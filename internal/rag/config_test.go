package rag

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

func TestDefaultConfigIsValid(t *testing.T) {
	t.Parallel()
	if err := DefaultConfig().Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestValidateNamesTheField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Config)
		field  string // "" is valid
	}{
		"by":                      {func(c *Config) { c.Chunk.By = "words" }, "chunk.by"},
		"size 0":                  {func(c *Config) { c.Chunk.Size = 0 }, "chunk.size"},
		"size 1":                  {func(c *Config) { c.Chunk.Size = 1 }, ""},
		"size too large":          {func(c *Config) { c.Chunk.Size = 1_000_001 }, "chunk.size"},
		"overlap negative":        {func(c *Config) { c.Chunk.Overlap = -1 }, "chunk.overlap"},
		"overlap as size":         {func(c *Config) { c.Chunk.Size = 400; c.Chunk.Overlap = 400 }, "chunk.overlap"},
		"overlap below size":      {func(c *Config) { c.Chunk.Size = 400; c.Chunk.Overlap = 399 }, ""},
		"rewrite":                 {func(c *Config) { c.Rewrite.Mode = "magic" }, "rewrite"},
		"rewrite empty":           {func(c *Config) { c.Rewrite.Mode = "" }, "rewrite"},
		"rewrite without model":   {func(c *Config) { c.Rewrite = Rewrite{Mode: "llm", Model: Model{Provider: "offline"}} }, "rewrite"},
		"rewrite with model":      {func(c *Config) { c.Rewrite = Rewrite{Mode: "llm", Model: Model{"offline", "m"}} }, ""},
		"retrieve.mode":           {func(c *Config) { c.Retrieve.Mode = "sparse" }, "retrieve.mode"},
		"k 0":                     {func(c *Config) { c.Retrieve.K = 0 }, "retrieve.k"},
		"k 100":                   {func(c *Config) { c.Retrieve.K = 100 }, ""},
		"k 101":                   {func(c *Config) { c.Retrieve.K = 101 }, "retrieve.k"},
		"rerank":                  {func(c *Config) { c.Rerank.Mode = "cross" }, "rerank"},
		"rerank without provider": {func(c *Config) { c.Rerank = Rerank{Mode: "llm", Model: Model{Name: "m"}} }, "rerank"},
		"depth below k":           {func(c *Config) { c.Rerank = Rerank{Mode: "lexical", Depth: 2} }, "rerank.depth"},
		"depth as k":              {func(c *Config) { c.Rerank = Rerank{Mode: "lexical", Depth: 3} }, ""},
		"depth too large":         {func(c *Config) { c.Rerank = Rerank{Mode: "lexical", Depth: 1001} }, "rerank.depth"},
		"embedding":               {func(c *Config) { c.Embedding.Name = "" }, "embedding"},
		"embedding in bm25":       {func(c *Config) { c.Embedding = Embedding{}; c.Retrieve.Mode = "bm25" }, ""},
		"generate":                {func(c *Config) { c.Generate.Provider = "" }, "generate"},
		"temperature":             {func(c *Config) { c.Generate.Temperature = 2.1 }, "generate.temperature"},
		"temperature negative":    {func(c *Config) { c.Generate.Temperature = -0.1 }, "generate.temperature"},
		"max_tokens":              {func(c *Config) { c.Generate.MaxTokens = -1 }, "generate.max_tokens"},
		"post_process":            {func(c *Config) { c.PostProcess = PostModes{"truncate", "shout"} }, "post_process"},
		"post_process both":       {func(c *Config) { c.PostProcess = PostModes{"strip_citations", "truncate"} }, ""},
	} {
		config := DefaultConfig()
		c.change(&config)
		err := config.Validate()
		if c.field == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !problem.Is(err, problem.Invalid) || problem.CodeOf(err) != "config_field" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p := problem.From(err)
		if p.Params["field"] != c.field || !strings.HasPrefix(p.Message, c.field+" is ") || p.Params["want"] == "" {
			t.Errorf("%s: %v with %v, want the field %s", name, err, p.Params, c.field)
		}
	}
}

func TestConfigJSON(t *testing.T) {
	t.Parallel()
	c := DefaultConfig()
	c.Rewrite = Rewrite{Mode: "llm", Model: Model{"offline", "m"}}
	c.PostProcess = PostModes{"truncate"}
	body, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(body), `"rewrite":{"mode":"llm","provider":"offline","model":"m"}`) {
		t.Errorf("the model is not beside the mode: %s", body)
	}
	var back Config
	if err := json.Unmarshal(body, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, back); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProviderNames(t *testing.T) {
	t.Parallel()
	c := DefaultConfig()
	c.Generate.Provider, c.Embedding.Provider = "g", "e"
	c.Rewrite.Model, c.Rerank.Model = Model{"rw", "m"}, Model{"rr", "m"}
	for _, step := range []struct {
		change func()
		want   []string
	}{
		{func() {}, []string{"e", "g"}},
		{func() { c.Rewrite.Mode = "llm" }, []string{"e", "g", "rw"}},
		{func() { c.Rerank.Mode = "llm" }, []string{"e", "g", "rr", "rw"}},
		{func() { c.Retrieve.Mode = "bm25" }, []string{"g", "rr", "rw"}},
		{func() { c.Rerank.Provider, c.Rewrite.Provider = "g", "g" }, []string{"g"}},
	} {
		step.change()
		if diff := cmp.Diff(step.want, c.ProviderNames()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
