package causes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// throughGraph is a configuration that searches by an HNSW graph.
func throughGraph(ef int) rag.Config {
	return spaced(func(c *rag.Config) {
		c.Retrieve.Mode, c.Retrieve.Engine = "dense", rag.EnginePGVector
		c.Retrieve.PGVector = rag.PGVector{Index: rag.IndexHNSW, EFSearch: ef}
	})
}

// missing is a low answer whose approximate search missed these chunks.
func missing(chunks ...rag.Hit) LabCase {
	c := lowCase([]rag.Hit{otherHit}, "bad", "")
	c.Result.Answer.Approximate = &rag.Approximation{Depth: 3, Recall: 0.5}
	for _, h := range chunks {
		c.Result.Answer.Approximate.Missed = append(c.Result.Answer.Approximate.Missed, h.Span)
	}
	return c
}

// Evidence that only the approximation lost is the retriever's fault where the answer heals with a search that loses less: with more
// candidates where they are enough, else with an exact one. The repair is named in both languages and can be applied.
func TestEvidenceThatAnApproximateSearchMissedIsACauseOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		param string
		found []string // parameters of which a change brings the evidence
		ef    int
		words [2]string
	}{
		{paramEFSearch, []string{paramEFSearch, paramIndex, "retrieve.mode"}, 0, [2]string{
			"candidates that the approximate search keeps (ef_search) 200 → 1000", "近似検索の候補数（ef_search） 200 → 1000"}},
		{paramEFSearch, []string{paramEFSearch, paramIndex}, 12, [2]string{
			"candidates that the approximate search keeps (ef_search) 12 → 1000", "近似検索の候補数（ef_search） 12 → 1000"}},
		{paramIndex, []string{paramIndex}, 0, [2]string{"vector index hnsw → none", "ベクトル索引 hnsw → なし"}},
		{paramIndex, []string{paramIndex}, 1000, [2]string{"vector index hnsw → none", "ベクトル索引 hnsw → なし"}},
	} {
		lab := &scriptLab{config: throughGraph(c.ef), powers: allPowers, answer: healthy, hits: func(changes map[string]any) []rag.Hit {
			for _, param := range c.found {
				if _, ok := changes[param]; ok {
					return []rag.Hit{evidenceHit}
				}
			}
			return []rag.Hit{otherHit}
		}}
		d, err := Diagnose(t.Context(), lab, missing(evidenceHit), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Component != Retriever || d.Standing() != StandsTested || d.Detail != missedBySearch || len(d.Repairs) != 1 ||
			d.Repairs[0].Param != c.param || d.Repairs[0].Passes == 0 {
			t.Errorf("%s: %s, %s, %s with %+v", c.param, d.Component, d.Standing(), d.Detail, d.Repairs)
			continue
		}
		r := d.Repairs[0]
		if words := [2]string{r.Words("en"), r.Words("ja")}; words != c.words {
			t.Errorf("%q", words)
		}
		if !strings.Contains(d.Rationale.EN, "The approximate search missed it") || !strings.Contains(d.Rationale.JA, "近似検索が取りこぼし") {
			t.Errorf("%+v", d.Rationale)
		}
		after, err := ApplyRepair(lab.config, r, "en")
		if got := after.Retrieve.PGVector; err != nil || after.Retrieve.Approximates() != (c.param == paramEFSearch) ||
			c.param == paramEFSearch && got.EFSearch != 1000 {
			t.Errorf("%s becomes %+v: %v", c.param, got, err)
		}
	}
}

// A search that misses less is neither tried nor named where the evidence does not stand in what was missed, and it is no cause where the
// answer stays low with it.
func TestAnApproximateSearchIsBlamedForNothingElse(t *testing.T) {
	t.Parallel()
	inContext := missing(evidenceHit)
	inContext.Result.Answer.Hits = []rag.Hit{evidenceHit}
	always := func(map[string]any) []rag.Hit { return []rag.Hit{evidenceHit} }
	for name, c := range map[string]struct {
		low    LabCase
		answer func(bool, bool, Swap, int) (string, string)
		tried  bool
	}{
		"nothing missed": {missing(), healthy, false}, "something else missed": {missing(rankedAt(0, 1)...), healthy, false},
		"not measured":   {lowCase([]rag.Hit{otherHit}, "bad", ""), healthy, false},
		"does not heal":  {missing(evidenceHit), nil, true},
		"in the context": {inContext, healthy, false},
	} {
		lab := &scriptLab{config: throughGraph(0), powers: allPowers, answer: c.answer, hits: always}
		d, err := Diagnose(t.Context(), lab, c.low, CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		seen := strings.Join(lab.seen, "\n")
		if tried := strings.Contains(seen, paramIndex); tried != c.tried || d.Detail == missedBySearch {
			t.Errorf("%s: tried %v, %s, %s with %+v", name, tried, d.Component, d.Detail, d.Repairs)
		}
	}
}

// Where nothing can be tried, what the search missed is said, and that it is not proven.
func TestAMissedChunkWithoutATrialIsNotProven(t *testing.T) {
	t.Parallel()
	lab := &scriptLab{config: throughGraph(0), powers: LabPowers{Corpus: true}}
	d, err := Diagnose(t.Context(), lab, missing(evidenceHit), CauseRules{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Component != Retriever || d.Standing() == StandsTested || d.Detail != missedUntested || len(d.Repairs) != 0 {
		t.Errorf("%s, %s, %s with %+v", d.Component, d.Standing(), d.Detail, d.Repairs)
	}
	if !strings.Contains(d.Rationale.EN, "not proven") || !strings.Contains(d.Rationale.JA, "未検証") {
		t.Errorf("%+v", d.Rationale)
	}
}

// A deeper search through a graph keeps as many candidates as hits are asked of it.
func TestADeeperSearchKeepsEnoughCandidates(t *testing.T) {
	t.Parallel()
	for rerank, want := range map[string]int{"none": 30, "lexical": 120} {
		c := throughGraph(20)
		c.Rerank = rag.Rerank{Mode: rerank}
		after, err := ChangedConfig(c, []Change{{Param: "retrieve.k", Value: 30}})
		if err != nil || after.Retrieve.PGVector.EFSearch != want {
			t.Errorf("%s: %s, %v", rerank, fmt.Sprintf("%+v", after.Retrieve.PGVector), err)
		}
	}
}
