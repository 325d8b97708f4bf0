package findings

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// changeable are values of parameters that any setup can have, by the names of files.
var changeable = map[string][]any{
	"chunk.size": {300, 400, 800, 1000}, "chunk.overlap": {0, 50, 100}, "chunk.by": {"chars", "tokens", "sentences", "paragraphs"},
	"chunk.header": {"none", "title", "path"}, "embedding.model": {"hash", "hash-large", "ngram"}, "retrieve.k": {1, 3, 4, 6, 9},
	"retrieve.mode": {"dense", "bm25", "hybrid"}, "retrieve.per_document": {1, 2, 3}, "retrieve.neighbours": {1, 2},
	"retrieve.mmr":        {search.MMR{FetchK: 20, Lambda: 0.5}, search.MMR{FetchK: 30, Lambda: 0.7}},
	"retrieve.filter":     {rag.Filter{"lang": "ja"}, rag.Filter{"lang": "en"}},
	"retrieve.fusion":     {"rrf", "convex"},
	"rewrite":             {"none", "expand", "damage"},
	"rerank":              {"none", "lexical"},
	"rerank.depth":        {20, 30},
	"generate.model":      {"extractive", "terse"},
	"generate.prompt":     {"Answer shortly.", "Answer from the contexts."},
	"post_process":        {"truncate", "strip_citations"},
	"chunk.parent":        {rag.Parent{Mode: "size", Size: 3000}, rag.Parent{Mode: "section", Size: 2500}},
	"generate.max_tokens": {100, 200}, "generate.temperature": {0.1, 0.7},
}

// TestAChangeHasOneWordingAtEveryDoor: a difference of two setups, a recommended change and one that is stored are told in the same words,
// with no name that only files have.
func TestAChangeHasOneWordingAtEveryDoor(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(12, 67))
	names := slices.Collect(func(yield func(string) bool) {
		for name := range changeable {
			if !yield(name) {
				return
			}
		}
	})
	slices.Sort(names)
	told := map[string]int{}
	for range 500 {
		was := rag.DefaultConfig()
		was.Retrieve.Mode, was.Rerank.Mode = "hybrid", "lexical"
		var changes []causes.Change
		for _, i := range random.Perm(len(names))[:1+random.IntN(4)] {
			values := changeable[names[i]]
			at := random.IntN(len(values))
			changes = append(changes, causes.Change{Param: names[i], Value: values[at]})
			from := values[(at+1)%len(values)]
			if before, err := causes.ChangedConfig(was, []causes.Change{{Param: names[i], Value: from}}); err == nil {
				was = before
			}
		}
		is, err := causes.ChangedConfig(was, changes)
		if err != nil {
			continue // a setup that is refused
		}
		before := experiments.Evaluation{Run: experiments.Run{Setup: experiments.Setup{Config: was}}}
		after := experiments.Evaluation{Run: experiments.Run{Setup: experiments.Setup{Config: is}}}
		b := builder{in: Input{Baseline: &before, Candidate: after}}
		said := b.changed()
		for _, c := range experiments.ChangedParams(was, is) {
			told[c.Param]++
			if c.Param == "generate.prompt" {
				continue // both have pages: only that they changed is said
			}
			repair := causes.Repair{Component: causes.Retriever, Param: c.Param, From: c.From, To: c.To}
			body, err := json.Marshal(repair)
			if err != nil {
				t.Fatal(err)
			}
			var stored causes.Repair
			if err := json.Unmarshal(body, &stored); err != nil {
				t.Fatal(err)
			}
			if c.From == nil { // a recommendation does not know what it was
				continue
			}
			for _, lang := range []string{"en", "ja"} {
				want := repair.Words(lang)
				if !slices.Contains(bare(Texts(said, lang)), want) || stored.Words(lang) != want ||
					!strings.EqualFold(ChangeText(repair).In(lang), want) ||
					!strings.EqualFold(ChangesText(causes.Recommendation{Repair: stored}).In(lang), want) {
					t.Fatalf("%s is told as %q, and of two runs as %q", c.Param, want, Texts(said, lang))
				}
				if strings.Contains(want, c.Param) {
					t.Errorf("%q names the parameter as files do", want)
				}
			}
		}
	}
	for _, name := range names {
		if told[name]+told[name+".mode"] < 5 {
			t.Errorf("%s was told %d times only", name, told[name])
		}
	}
}

// bare are changes without what sizes of chunks count, which a comparison knows of both setups, and a recommendation does not.
func bare(said []string) []string {
	out := make([]string, len(said))
	for i, s := range said {
		for _, unit := range rag.ChunkUnits() {
			if !strings.HasPrefix(s, "chunk size") && !strings.HasPrefix(s, "overlap of") && !strings.HasPrefix(s, "チャンクサイズ") &&
				!strings.HasPrefix(s, "チャンクの重なり") {
				break
			}
			for _, word := range []string{" " + unit.EN, " " + strings.TrimSuffix(unit.EN, "s"), unit.JA} {
				s = strings.ReplaceAll(s, word, "")
			}
		}
		out[i] = s
	}
	return out
}

// TestEveryParameterHasAName reads the fields of a configuration off its type.
func TestEveryParameterHasAName(t *testing.T) {
	t.Parallel()
	var leaves func(typ reflect.Type, prefix string)
	leaves = func(typ reflect.Type, prefix string) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous && name == "" {
				leaves(f.Type, prefix)
				continue
			}
			path := strings.TrimPrefix(prefix+"."+name, ".")
			switch {
			case slices.Contains([]string{"endpoint", "log", "index", "retrieve.params"}, path): // systems, and what engines take
			case experiments.NamesParam(path) && !slices.Contains([]string{"embedding", "rewrite", "rerank", "generate"}, path):
			case f.Type.Kind() == reflect.Struct:
				leaves(f.Type, path)
			default:
				t.Errorf("%s has no name", path)
			}
		}
	}
	leaves(reflect.TypeFor[rag.Config](), "")
}
