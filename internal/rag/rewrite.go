package rag

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text"
)

// Rewrite says what happens to the question before it is searched.
type Rewrite struct {
	// none | expand (adds the question's key terms) | damage (drops half of them) | llm | multi_query | hyde | decompose | step_back
	Mode  string `json:"mode" yaml:"mode"`
	Model `yaml:",inline"`

	N int `json:"n,omitempty" yaml:"n"` // texts that the model writes; 3 of multi_query, 4 of decompose, else 1
	// the question is searched too; nil is true
	IncludeOriginal *bool `json:"include_original,omitempty" yaml:"include_original"`
}

func (r Rewrite) several() bool {
	return oneOf(r.Mode, prompts.MultiQuery, prompts.HyDE, prompts.Decompose, prompts.StepBack)
}

// Asks reports whether a model writes what is searched.
func (r Rewrite) Asks() bool { return r.Mode == "llm" || r.several() }

func (r Rewrite) original() bool { return r.IncludeOriginal == nil || *r.IncludeOriginal }

func (r Rewrite) count() int {
	switch {
	case r.N > 0:
		return r.N
	case r.Mode == prompts.MultiQuery:
		return 3
	case r.Mode == prompts.Decompose:
		return 4
	}
	return 1
}

// effective is the rewriting without what has no effect in it.
func (r Rewrite) effective() Rewrite {
	switch {
	case !r.Asks():
		return Rewrite{Mode: r.Mode}
	case !r.several():
		return Rewrite{Mode: r.Mode, Model: r.Model}
	case r.original():
		r.IncludeOriginal = nil
	}
	r.N = r.count()
	return r
}

func (r Rewrite) checks(c Config) []check {
	return []check{
		{oneOf(r.Mode, "none", "expand", "damage", "llm") || r.several(), "rewrite", r.Mode,
			"none, expand, damage, llm, multi_query, hyde, decompose or step_back"},
		{!r.Asks() || r.Provider != "" && r.Name != "", "rewrite", r.Mode, "{mode: " + r.Mode + ", provider: …, model: …}"},
		{r.N >= 0 && r.N <= 10, "rewrite.n", r.N, "a number from 1 to 10"},
		{r.Mode != prompts.HyDE || c.Retrieve.vectors(), "rewrite", r.Mode, "used with retrieve.mode dense or hybrid, which is " + c.Retrieve.Mode +
			": a passage is searched by its vector"},
	}
}

// rewrites asks the model once and returns what is searched besides the question, or in its place: without what is empty or said twice.
func (s *System) rewrites(ctx context.Context, question string) ([]string, error) {
	r := s.config.Rewrite
	n := r.count()
	instruction := fmt.Sprintf(prompts.RewriteInstructions[r.Mode].In(text.Language(question)), n)
	data := prompts.RewriteData{Question: question, Mode: r.Mode, N: n}
	req := request(prompts.PurposeRewrites, r.Model, instruction, data, prompts.RewritesSchema)
	reply, key, err := ask[prompts.RewritesReply](ctx, s, "rewrite", r.Provider, req)
	if unbought := notBought(err); unbought != nil {
		reply.Queries = []string{standInText(key, choose(unbought, typicalQuery, mostQuery))}
	} else if err != nil {
		return nil, err
	}
	var out []string
	seen := map[string]bool{}
	if r.original() {
		seen[text.Fold(question)] = true
		if r.Mode != prompts.Decompose && r.Mode != prompts.HyDE {
			out = append(out, question)
		}
	}
	for _, q := range reply.Queries[:min(n, len(reply.Queries))] {
		if folded := text.Fold(q); folded != "" && !seen[folded] {
			seen[folded] = true
			out = append(out, q)
		}
	}
	if r.original() && (r.Mode == prompts.Decompose || r.Mode == prompts.HyDE) {
		out = append(out, question)
	}
	if len(out) == 0 {
		return nil, &llm.Error{Cause: llm.CauseEmpty, Message: "rewrite empty: the model wrote nothing to search for"}
	}
	return out, err
}

// fusedDepth is how much of each query's hits is fused: the same for every k, so that the best 3 are the first 3 of the best 10.
const fusedDepth = 100

// searchSeveral searches every query, each under a key of its own and all side by side, and joins what was found.
func (s *System) searchSeveral(ctx context.Context, question string, queries []string) (Retrieval, string, error) {
	shown := strings.Join(queries, "\n")
	if s.config.Rewrite.Mode == prompts.HyDE {
		key := s.severalKey(question, queries)
		found, err := Remember(ctx, s.stages, "retrieve", key, func(ctx context.Context) (Retrieval, error) {
			hits, near, err := s.index.searchAverage(llm.WithScope(ctx, withStage(ctx, "embed")), question, queries, s.depth())
			return s.found(shown, hits, near), err
		})
		return found, key, err
	}
	depth := max(fusedDepth, s.depth())
	lists, errs := make([][]Hit, len(queries)), make([]error, len(queries))
	searches := make([]Retrieval, len(queries))
	llm.SideBySide(len(queries), func(i int) {
		searches[i], errs[i] = Remember(ctx, s.stages, "retrieve", s.oneKey(queries[i]), func(ctx context.Context) (Retrieval, error) {
			hits, near, err := s.index.searchMeasured(llm.WithScope(ctx, withStage(ctx, "embed")), queries[i], depth)
			return s.found(queries[i], hits, near), err
		})
		lists[i] = searches[i].Hits
	})
	key := s.severalKey(question, queries)
	for _, err := range errs {
		if err != nil {
			return Retrieval{}, key, err
		}
	}
	hits := fuseHits(lists)
	if s.config.Rewrite.Mode == prompts.Decompose {
		hits = inTurn(lists)
	}
	out := s.found(shown, hits[:min(s.depth(), len(hits))], joinedApproximation(searches))
	_, err := Remember(ctx, s.stages, "retrieve", key, func(context.Context) (Retrieval, error) { return out, nil })
	return out, key, err
}

// oneKey is the key of what one of several queries finds.
func (s *System) oneKey(query string) string {
	return StageKey("retrieve", "1", s.index.key, max(fusedDepth, s.depth()), query)
}

// severalKey is the key of what several queries find together.
func (s *System) severalKey(question string, queries []string) string {
	if s.config.Rewrite.Mode == prompts.HyDE {
		return StageKey("retrieve", "1", s.index.key, s.depth(), prompts.HyDE, question, queries)
	}
	keys := []any{s.config.Rewrite.Mode, s.depth()}
	for _, q := range queries {
		keys = append(keys, s.oneKey(q))
	}
	return StageKey("fuse", "1", keys...)
}

// identity tells hits apart: by their place, or by their text where the place is not known.
type identity struct {
	Span
	text string
}

func (h Hit) identity() identity {
	if h.Range().Len() > 0 {
		return identity{Span: h.Span}
	}
	return identity{Span: h.Span, text: h.Text}
}

// fuseHits joins rankings by reciprocal rank; see [fuse].
func fuseHits(lists [][]Hit) []Hit {
	at := map[identity]int{}
	var all []Hit
	rankings := make([][]search.Ranked, len(lists))
	for i, list := range lists {
		for _, h := range list {
			if _, known := at[h.identity()]; !known {
				at[h.identity()] = len(all)
				all = append(all, h)
			}
			rankings[i] = append(rankings[i], search.Ranked{Chunk: at[h.identity()]})
		}
	}
	out := make([]Hit, 0, len(all))
	for _, r := range search.Fuse(len(all), search.RRFConstant, nil, rankings...) {
		h := all[r.Chunk]
		h.Score = r.Score
		out = append(out, h)
	}
	return out
}

// inTurn takes the best of each ranking, then the second of each, and so on: every part of a question keeps its share.
func inTurn(lists [][]Hit) []Hit {
	var out []Hit
	seen := map[identity]bool{}
	next := make([]int, len(lists))
	for more := true; more; {
		more = false
		for i, list := range lists {
			for next[i] < len(list) && seen[list[next[i]].identity()] {
				next[i]++
			}
			if next[i] == len(list) {
				continue
			}
			h := list[next[i]]
			seen[h.identity()], more = true, true
			h.Score = 1 / float64(len(out)+1)
			out = append(out, h)
		}
	}
	return out
}

// embedWritten embeds passages that a model wrote as passages, and the question among them as a question.
func (x *Index) embedWritten(ctx context.Context, question string, texts []string) ([][]float32, error) {
	last := len(texts) - 1
	if x.asked.plain() || texts[last] != question {
		return x.asked.vectors(ctx, x.embedder, llm.RolePassage, texts)
	}
	vectors, err := x.asked.vectors(ctx, x.embedder, llm.RoleQuery, texts[last:])
	if err != nil || last == 0 {
		return vectors, err
	}
	passages, err := x.asked.vectors(ctx, x.embedder, llm.RolePassage, texts[:last])
	return append(passages, vectors...), err
}

// searchAverage searches with the mean of the vectors of texts, of length 1; words are searched by the question.
func (x *Index) searchAverage(ctx context.Context, question string, texts []string,
	n int) ([]Hit, *Approximation, error) {
	if len(x.chunks) == 0 {
		return nil, nil, nil
	}
	vectors, err := x.embedWritten(ctx, question, texts)
	if err == nil {
		err = x.vectors.unbought
	}
	if err != nil {
		return nil, nil, err
	}
	mean := slices.Clone(vectors[0])
	for _, v := range vectors[1:] {
		for i := range mean {
			mean[i] += v[i]
		}
	}
	mean = search.Unit(mean)
	vector := func() ([]float32, error) { return mean, nil }
	hits, err := x.choose(ctx, n, func(depth int) ([]search.Ranked, error) { return x.rankBy(ctx, question, mean, depth) }, vector)
	if err != nil {
		return nil, nil, err
	}
	near, err := x.approximation(ctx, vector, n)
	return hits, near, err
}
