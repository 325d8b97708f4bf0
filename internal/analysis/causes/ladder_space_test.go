package causes

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// spaced is a configuration that says what files could not say before, with one thing more.
func spaced(change func(*rag.Config)) rag.Config {
	c := rag.NewConfig()
	c.Chunk.Size, c.Chunk.Overlap = 100, 0
	c.Retrieve.Mode = "hybrid"
	change(&c)
	return c
}

// oldWords is a configuration whose words are weighed as earlier versions did.
func oldWords() rag.Config {
	c := scriptConfig()
	c.Retrieve.Mode = "bm25"
	return c
}

var knobs = map[string]struct {
	config rag.Config
	cut    bool // a chunk border cuts the evidence
	to     string
	words  [2]string
}{
	"retrieve.mmr": {config: spaced(func(c *rag.Config) { c.Retrieve.MMR = search.DefaultMMR() }), to: "none",
		words: [2]string{"choice of different hits (MMR) fetch_k 20, lambda 0.5 → none", "重複を避ける選択（MMR）"}},
	"retrieve.min_score": {config: spaced(func(c *rag.Config) { c.Retrieve.Mode, c.Retrieve.MinScore = "dense", new(0.4) }), to: "none",
		words: [2]string{"least score of a hit 0.4 → none", "検索結果の最小スコア"}},
	"retrieve.per_document": {config: spaced(func(c *rag.Config) { c.Retrieve.PerDocument = 1 }), to: "none",
		words: [2]string{"most hits of one document 1 → none", "1文書からの上限"}},
	"retrieve.filter": {config: spaced(func(c *rag.Config) { c.Retrieve.Filter = rag.Filter{"lang": "ja"} }), to: "none",
		words: [2]string{"filter of documents lang ja → none", "文書の絞り込み"}},
	"rerank.min_score": {config: spaced(func(c *rag.Config) {
		c.Rerank = rag.Rerank{Mode: rag.RerankAPI, Model: rag.Model{Provider: "p", Name: "m"}, MinScore: new(0.4)}
	}), to: "none", words: [2]string{"least score of the reranking 0.4 → none", "リランクの最小スコア"}},
	"chunk.by": {config: spaced(func(c *rag.Config) { c.Chunk.By = "chars" }), cut: true, to: "recursive",
		words: [2]string{"chunks counted in characters → characters, cut at separators", "チャンクの単位"}},
	"chunk.parent": {config: spaced(func(*rag.Config) {}), cut: true, to: `{"mode":"size","size":200}`,
		words: [2]string{"larger piece that is handed on none → text around it, size 200", "渡す範囲の拡大"}},
	"retrieve.neighbours": {config: spaced(func(*rag.Config) {}), cut: true, to: "1",
		words: [2]string{"neighbours that are handed on 0 → 1", "一緒に渡す前後のチャンク"}},
	"rerank": {config: spaced(func(*rag.Config) {}), to: "lexical", words: [2]string{"reranking none → by shared words", "リランク"}},
	"retrieve.fusion": {config: spaced(func(*rag.Config) {}), to: "convex",
		words: [2]string{"joining of the two rankings by rank → by score", "2つの順位の統合"}},
	"retrieve.bm25": {config: oldWords(), to: `{"b":0.75,"k1":1.2}`,
		words: [2]string{"weighing of words (BM25) none → b 0.75, k1 1.2", "語の重み付け（BM25）"}},
	"chunk.header": {config: spaced(func(*rag.Config) {}), to: "path",
		words: [2]string{"headings before each chunk none → title and headings", "チャンクに付ける見出し"}},
	"rewrite": {config: spaced(func(c *rag.Config) { c.Rewrite.Mode = "damage" }), to: "none",
		words: [2]string{"question rewriting key terms dropped → none", "質問の書き換え"}},
}

// TestStepsWriteTheirValues: what a step says was changed is the value itself, wherever it stands in a configuration, and it is read
// back as the change that it is of the repair.
func TestStepsWriteTheirValues(t *testing.T) {
	t.Parallel()
	for param, c := range knobs {
		all := append(limits(c.config), spaceInterventions(c.config, c.cut)...)
		for _, i := range all {
			r := Repair{Component: i.component, Param: i.param, From: i.from, To: i.changes[0].Value}
			step := CauseStep{Step: "regenerate", Change: combinedRepair{repairs: []Repair{r}}.String()}
			if strings.Contains(step.Change, "0x") || strings.Contains(step.Change, "map[") || strings.Contains(step.Change, "{0") {
				t.Errorf("%s: a step says %q", param, step.Change)
			}
			for _, lang := range []string{"en", "ja"} {
				if got, want := step.Changed(lang), r.Words(lang); got != want {
					t.Errorf("%s: %q is told as %q, the repair as %q", param, step.Change, got, want)
				}
			}
		}
	}
	model := rag.Model{Provider: "p", Name: "m"}
	r := combinedRepair{repairs: []Repair{{Param: "embedding.model", From: model, To: &model}, {Param: "retrieve.k", From: 3, To: 5},
		{Param: "retrieve.min_score", From: new(0.4), To: "none"}, {Param: "rerank", To: "lexical"}}}
	want := "embedding.model p/m -> p/m + retrieve.k 3 -> 5 + retrieve.min_score 0.4 -> none + rerank <nil> -> lexical"
	if r.String() != want {
		t.Errorf("%q, want %q", r.String(), want)
	}
}

// onlyWith is a retrieval that finds the evidence with a change of one parameter and not without, however deep.
func onlyWith(param string, without []rag.Hit) func(map[string]any) []rag.Hit {
	return func(changes map[string]any) []rag.Hit {
		if _, ok := changes[param]; ok {
			return []rag.Hit{evidenceHit}
		}
		return without
	}
}

// Each knob of the search is tried where it could help, named as the cause when it does, and can be applied.
func TestEveryKnobIsTriedAndNamed(t *testing.T) {
	t.Parallel()
	for param, c := range knobs {
		found := []rag.Hit{otherHit}
		if c.cut {
			found = []rag.Hit{{Span: rag.Span{DocID: "doc", Start: 80, End: 120}, Text: "a part"}}
		}
		if err := c.config.Validate(); err != nil {
			t.Fatalf("%s: %v", param, err)
		}
		lab := &scriptLab{config: c.config, powers: allPowers, hits: onlyWith(param, found), answer: healthy}
		d, err := Diagnose(t.Context(), lab, lowCase(found, "bad", ""), CauseRules{})
		if err != nil {
			t.Fatalf("%s: %v", param, err)
		}
		if len(d.Repairs) != 1 || d.Repairs[0].Param != param || d.Method != Tested || d.Component != Retriever && param != "rewrite" {
			t.Errorf("%s: %s with %+v", param, d.Component, d.Repairs)
			continue
		}
		r := d.Repairs[0]
		if body, err := json.Marshal(r.To); err != nil || strings.Trim(string(body), `"`) != c.to {
			t.Errorf("%s becomes %s, want %s (%v)", param, body, c.to, err)
		}
		if r.Words("en") != c.words[0] || !strings.HasPrefix(r.Words("ja"), c.words[1]) {
			t.Errorf("%s is named %q and %q", param, r.Words("en"), r.Words("ja"))
		}
		body, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var stored Repair
		if err := json.Unmarshal(body, &stored); err != nil {
			t.Fatal(err)
		}
		after, err := ApplyRepair(c.config, stored, "en")
		if err != nil {
			t.Errorf("%s cannot be applied: %v", param, err)
			continue
		}
		if body, again := mustJSON(t, after.Effective()), mustJSON(t, c.config.Effective()); body == again {
			t.Errorf("%s changes nothing", param)
		}
		if stored.Words("en") != r.Words("en") || stored.Key() != r.Key() {
			t.Errorf("%s is %s as stored, and was %s", param, stored.Words("en"), r.Words("en"))
		}
	}
}

// A limit that lost the evidence is the cause, though deeper contexts would have brought it too.
func TestALimitIsNamedBeforeADeeperSearch(t *testing.T) {
	t.Parallel()
	c := knobs["retrieve.mmr"].config
	lab := &scriptLab{config: c, powers: allPowers, answer: healthy, hits: func(changes map[string]any) []rag.Hit {
		if changes["retrieve.mmr"] != nil {
			return append(rankedAt(1, 3), rankedAt(0, 3)...)
		}
		if k, ok := changes["retrieve.k"].(int); ok {
			return rankedAt(5, k)
		}
		return rankedAt(0, 3)
	}}
	d, err := Diagnose(t.Context(), lab, lowCase(rankedAt(0, 3), "bad", ""), CauseRules{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Repairs) != 1 || d.Repairs[0].Param != "retrieve.mmr" {
		t.Errorf("%+v", d.Repairs)
	}
	if !strings.Contains(d.Rationale.EN, "choice of different hits (MMR)") || !strings.Contains(d.Rationale.JA, "重複を避ける選択") {
		t.Errorf("%+v", d.Rationale)
	}
}

// What a configuration of before could not say is tried only where nothing else that can be afforded helps.
func TestOldConfigurationsTryWhatIsNewLast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits func(map[string]any) []rag.Hit
		want string
		new  bool
	}{
		{depthOnly(5, 3), "retrieve.k", false}, {onlyWith("rerank", []rag.Hit{otherHit}), "rerank", true},
	} {
		lab := &scriptLab{config: scriptConfig(), powers: allPowers, hits: c.hits, answer: healthy}
		d, err := Diagnose(t.Context(), lab, lowCase([]rag.Hit{otherHit}, "bad", ""), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		tried := strings.Contains(strings.Join(lab.seen, "\n"), "chunk.header")
		if len(d.Repairs) != 1 || d.Repairs[0].Param != c.want || tried != c.new {
			t.Errorf("%+v, what is new was tried: %v", d.Repairs, tried)
		}
	}
}

// A deeper search has as much to choose from, also with a depth that was stored.
func TestADeeperSearchChoosesFromMore(t *testing.T) {
	t.Parallel()
	for _, k := range []any{30, 30.0} {
		after, err := ChangedConfig(knobs["retrieve.mmr"].config, []Change{{Param: "retrieve.k", Value: k}})
		if err != nil || after.Retrieve.MMR.FetchK != 30 {
			t.Errorf("%T: %+v, %v", k, after.Retrieve.MMR, err)
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
