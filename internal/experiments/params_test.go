package experiments

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// manyAxes sweeps over every form that a value has: a number, a share, a text, a shorthand, a block, a list.
const manyAxes = `
name: many
corpus: c
dataset: d
base:
  chunk: {by: recursive, size: 110}
  embedding: {provider: offline, model: ngram}
  retrieve: {mode: hybrid, k: 5}
  generate: {provider: offline, model: extractive}
sweep:
  chunk.size: [110, 240]
  chunk.overlap: [0, "12%"]
  retrieve.mode: [dense, hybrid, bm25]
  retrieve.k: [3, 5]
  retrieve.alpha: [0.3, 0.7]
  rewrite: [none, {mode: decompose, provider: offline, model: m}]
  rerank: [none, {mode: api, provider: offline, model: m}]
  post_process: [none, truncate]
  corpus: [c, "other@2"]
`

// TestParametersAreThoseOfTheSetup takes every combination of many axes: its own parameters are never called odd, and those of a
// combination that does something else are.
func TestParametersAreThoseOfTheSetup(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"many": manyAxes, "wide": wideSweep} {
		d, err := ParseDefinition([]byte(file), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := d.Expand()
		if err != nil || len(all) < 40 {
			t.Fatalf("%s: %d combinations, %v", name, len(all), err)
		}
		runs := make([]Run, len(all))
		for i, c := range all {
			ref := Ref{Name: "c", Version: 1}
			if strings.HasPrefix(c.Corpus, "other") {
				ref = Ref{Name: "other", Version: 2}
			}
			runs[i] = Run{Kind: KindEvaluate, Params: c.Params, Setup: Setup{Config: c.Config, Corpus: ref}}
			if odd := runs[i].OddParams(); len(odd) > 0 {
				t.Errorf("%s: %s is accused of %s", name, Describe(c.Params), Describe(odd))
			}
		}
		for i, r := range runs {
			other := all[(i+1)%len(all)]
			r.Params = other.Params
			if odd := r.OddParams(); len(odd) == 0 {
				t.Errorf("%s: %s goes as %s", name, Describe(all[i].Params), Describe(other.Params))
			}
			for n, p := range all[i].Params {
				forged := append([]Param{}, all[i].Params...)
				switch v := p.Value.(type) {
				case float64:
					forged[n].Value = v*2 + 1
				case int:
					forged[n].Value = v*2 + 1
				default:
					continue
				}
				r.Params = forged
				idle := p.Name == "retrieve.alpha"                                                   // has no effect here: fused by rank
				if odd := r.OddParams(); (len(odd) == 0) != idle || !idle && odd[0].Name != p.Name { // a share follows from the size
					t.Errorf("%s: %s=%v instead of %v: %s", name, p.Name, forged[n].Value, p.Value, Describe(odd))
				}
			}
		}
	}
	for _, honest := range []Run{
		{Kind: KindSweep, Params: []Param{{Name: "chunk.size", Value: []any{1.0, 2.0}}}},
		{Params: []Param{{Name: "a.word.of.old", Value: 3.0}, {Name: "chunk.size", Value: 3.0}}},
		{Params: []Param{{Name: "rerank.depth", Value: 0.0}}, Setup: Setup{Config: rag.Config{Rerank: rag.Rerank{Mode: "api", Depth: 20}}}},
		{Params: []Param{{Name: "corpus", Value: "./docs"}}, Setup: Setup{Corpus: Ref{Name: "c", Version: 1}}},
	} {
		if odd := honest.OddParams(); len(odd) > 0 {
			t.Errorf("%s is accused of %s", fmt.Sprint(honest.Params), Describe(odd))
		}
	}
}
