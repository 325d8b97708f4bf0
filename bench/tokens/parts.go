package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// share is what requests are made of, in tokens.
type share struct {
	calls       int
	instruction int // the task in words
	frame       int // the fence, what stands around it, names of fields and numbers
	contexts    int // texts that were retrieved
	texts       int // question, answer, reference, claims
	schema      int // the form of the reply, beside the prompt
}

func (s share) prompt() int { return s.instruction + s.frame + s.contexts + s.texts }

func (s *share) add(o share) {
	s.calls, s.instruction, s.frame = s.calls+o.calls, s.instruction+o.instruction, s.frame+o.frame
	s.contexts, s.texts, s.schema = s.contexts+o.contexts, s.texts+o.texts, s.schema+o.schema
}

// print says what came since it last did, by what requests are for.
func (t *tally) print(questions int) {
	t.mu.Lock()
	requests := t.requests
	t.requests = nil
	t.mu.Unlock()
	retrieved := map[string]bool{}
	for _, r := range requests {
		if r.Schema == nil {
			for _, s := range strings(r, "contexts") {
				retrieved[s] = true
			}
		}
	}
	kinds, all, once := map[string]*share{}, share{}, 0
	for _, r := range requests {
		one := apart(r, retrieved)
		name := cmp.Or(r.Purpose, "answer a question")
		if kinds[name] == nil {
			kinds[name] = &share{}
		}
		kinds[name].add(one)
		all.add(one)
		if r.Schema == nil {
			once += one.contexts
		}
	}
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return kinds[b].prompt() - kinds[a].prompt() })
	fmt.Println("| a question | calls | prompt tokens | instruction | frame | contexts | other texts | schema |\n|---|---|---|---|---|---|---|---|")
	for _, name := range names {
		kinds[name].row(name, questions)
	}
	all.row("all", questions)
	fmt.Printf("\nContexts go out %.1f times a question, the generator's among them.\n\n", float64(all.contexts)/float64(max(once, 1)))
}

func (s share) row(name string, questions int) {
	of := func(n int) float64 { return float64(n) / float64(questions) }
	part := func(n int) float64 { return 100 * float64(n) / float64(max(s.prompt(), 1)) }
	fmt.Printf("| %s | %.2f | %.0f | %.0f%% | %.0f%% | %.0f%% | %.0f%% | %.0f |\n", name, of(s.calls), of(s.prompt()),
		part(s.instruction), part(s.frame), part(s.contexts), part(s.texts), of(s.schema))
}

// apart splits the tokens of one request.
func apart(r fakeprovider.Request, retrieved map[string]bool) share {
	s := share{calls: 1, instruction: llm.EstimateTokens(r.System), schema: llm.EstimateTokens(string(r.Schema))}
	for _, text := range strings(r, "") {
		if retrieved[text] {
			s.contexts += llm.EstimateTokens(text)
		} else {
			s.texts += llm.EstimateTokens(text)
		}
	}
	s.frame = max(llm.EstimateTokens(r.User)-s.contexts-s.texts, 0)
	return s
}

// strings are all texts in the data of a request, or those under one name.
func strings(r fakeprovider.Request, under string) []string {
	var data map[string]any
	if json.Unmarshal(r.Data(), &data) != nil {
		return nil
	}
	if under != "" {
		return walk(data[under])
	}
	return walk(data)
}

func walk(value any) (out []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, x := range v {
			out = append(out, walk(x)...)
		}
	case map[string]any:
		for _, x := range v {
			out = append(out, walk(x)...)
		}
	}
	return out
}
