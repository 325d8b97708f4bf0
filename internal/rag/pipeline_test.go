package rag

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

const (
	askJA = "医療費控除はいくらを超えると受けられますか。"
	askEN = "How many days after the returned goods arrive is a refund paid?"
)

func docIDs(a Answer) []string {
	ids := make([]string, len(a.Hits))
	for i, h := range a.Hits {
		ids[i] = h.DocID
	}
	return ids
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	for _, mode := range []string{"dense", "bm25", "hybrid"} {
		for question, doc := range map[string]string{askJA: "ja-medical", askEN: "en-refund"} {
			a := r.answer(t, question, func(c *Config) { c.Retrieve.Mode = mode })
			if len(a.Hits) == 0 || len(a.Hits) > 3 || a.Hits[0].DocID != doc {
				t.Fatalf("%s: %q found %v", mode, question, docIDs(a))
			}
			if a.Query != question || a.Hits[0].Text != r.corpus.Text(a.Hits[0].Span) || a.Hits[0].Text == "" {
				t.Errorf("%s: searched %q, first context %+v", mode, a.Query, a.Hits[0])
			}
			for i := 1; i < len(a.Hits); i++ {
				if a.Hits[i].Score > a.Hits[i-1].Score {
					t.Errorf("%s: place %d scores more than the one before", mode, i)
				}
			}
			if a.Raw != "" || a.FinishReason != "stop" || a.RetrievalKey == "" || a.GenerationKey == "" {
				t.Errorf("%s: %+v", mode, a)
			}
		}
	}
}

func TestStoredAnswersComeBack(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	changes := []func(*Config){
		nil,
		func(c *Config) { c.Retrieve.Mode = "hybrid"; c.Rerank.Mode = "lexical" },
		func(c *Config) { c.PostProcess = PostModes{"strip_citations"} },
	}
	for _, change := range changes {
		first := r.answer(t, askJA, change)
		stored := len(r.stages.items)
		r.indexes = NewIndexes(4) // a new process
		again := r.answer(t, askJA, change)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("the stored answer differs (-first +again):\n%s", diff)
		}
		if len(r.stages.items) != stored {
			t.Errorf("%d outputs became %d", stored, len(r.stages.items))
		}
	}
}

func TestRewriteVariants(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	query := func(mode string) string {
		return r.answer(t, askJA, func(c *Config) {
			c.Rewrite = Rewrite{Mode: mode}
			if mode == "llm" {
				c.Rewrite.Model = Model{Provider: "offline", Name: "rewriter"}
			}
		}).Query
	}
	for mode, want := range map[string]string{
		"none":   askJA,
		"expand": askJA + " 医療費控除 超 受",
		"llm":    askJA + " 医療費控除 超 受",
		"damage": "医療費控除 受",
	} {
		if got := query(mode); got != want {
			t.Errorf("%s searches %q, want %q", mode, got, want)
		}
	}
	if r.stages.count("rewrite_reply") != 1 {
		t.Errorf("%d replies of the rewriter are stored", r.stages.count("rewrite_reply"))
	}
	for question, want := range map[string]string{"": "", "これはそれですか。": "これはそれですか。", "What is it?": "What is it?"} {
		if offline.Expand(question) != want || offline.Damage(question) != want {
			t.Errorf("%q has no key words and became %q and %q", question, offline.Expand(question), offline.Damage(question))
		}
	}
	words := text.Keywords(askEN)
	if kept := text.Keywords(offline.Damage(askEN)); len(kept) != (len(words)+1)/2 {
		t.Errorf("damage keeps %q of %q", kept, words)
	}
}

func TestFewerContextsAreTheBeginningOfMore(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	for _, mode := range []string{"dense", "bm25", "hybrid"} {
		for _, question := range []string{askJA, askEN, "控除の金額と working days"} {
			with := func(k int) []Hit {
				return r.answer(t, question, func(c *Config) { c.Retrieve = Retrieve{Mode: mode, K: k}; c.Chunk.Size = 25 }).Hits
			}
			three, four := with(3), with(4)
			if len(four) < 3 {
				t.Fatalf("%s: %q found only %d", mode, question, len(four))
			}
			if diff := cmp.Diff(four[:3], three); diff != "" {
				t.Errorf("%s: %q (-first of 4, +3):\n%s", mode, question, diff)
			}
		}
	}
}

func TestRerankVariants(t *testing.T) {
	t.Parallel()
	docs := manual()
	r := newRig(docs...)
	const question = "ふるさと納税ではいくら控除されますか。"
	weak := func(c *Config) { c.Embedding.Name = "hash"; c.Chunk.Size = 25; c.Retrieve.K = 3 }
	found := r.answer(t, question, func(c *Config) { weak(c); c.Retrieve.K = 12 })
	for _, rerank := range []Rerank{
		{Mode: "lexical"},
		{Mode: "llm", Model: Model{Provider: "offline", Name: "reranker"}},
	} {
		got := r.answer(t, question, func(c *Config) { weak(c); c.Rerank = rerank })
		texts := make([]string, len(found.Hits))
		for i, h := range found.Hits {
			texts[i] = h.Text
		}
		order := offline.Rank(question, texts)
		if order[0] == 0 {
			t.Fatal("the search is already in the reranker's order; the test shows nothing")
		}
		if len(got.Hits) != 3 {
			t.Fatalf("%s hands on %d", rerank.Mode, len(got.Hits))
		}
		for rank, h := range got.Hits {
			want := found.Hits[order[rank]]
			if h.Span != want.Span || h.Text != want.Text || h.Score != 1/float64(rank+1) {
				t.Errorf("%s: place %d is %+v, want %s", rerank.Mode, rank, h, want.Span)
			}
		}
	}
	if r.stages.count("rerank_reply") != 1 {
		t.Errorf("%d replies of the reranker are stored", r.stages.count("rerank_reply"))
	}
}

func TestRerankDepth(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	for depth, want := range map[int]int{0: 8, 2: 2, 5: 5, 1000: 10} {
		s := r.open(t, func(c *Config) { c.Retrieve.K = 2; c.Rerank = Rerank{Mode: "lexical", Depth: depth} })
		if _, _, err := s.Retrieve(t.Context(), askJA); err != nil {
			t.Fatal(err)
		}
		body, ok, err := r.stages.Stage(t.Context(), s.retrieveKey(askJA))
		if err != nil || !ok || strings.Count(string(body), `"doc_id"`) != want {
			t.Errorf("depth %d: the reranker chooses from %d, want %d", depth, strings.Count(string(body), `"doc_id"`), want)
		}
	}
}

func TestRerankLexicallyKeepsEqualsInOrder(t *testing.T) {
	t.Parallel()
	passages := []string{"nothing here", "warranty", "nothing there", "the warranty", "二年間の保証"}
	if diff := cmp.Diff([]int{1, 3, 0, 2, 4}, offline.Rank("warranty", passages)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, offline.Rank("", passages)); diff != "" {
		t.Errorf("nothing asked (-want +got):\n%s", diff)
	}
	if got := offline.Rank("warranty", nil); len(got) != 0 {
		t.Errorf("no passages gave %v", got)
	}
}

// A model may name passages that do not exist, name one twice and forget some.
func TestRerankReplies(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	found := r.answer(t, askJA, func(c *Config) { c.Retrieve.K = 4 }).Hits
	for i, c := range []struct {
		reply string
		want  []int // indices of found
	}{
		{`{"order":[4,3,2,1]}`, []int{3, 2, 1, 0}},
		{`{"order":[3]}`, []int{2, 0, 1, 3}},
		{`{"order":[2,2,2,1]}`, []int{1, 0, 2, 3}},
		{`{"order":[0,99,-1,4,5]}`, []int{3, 0, 1, 2}},
		{`{"order":[]}`, []int{0, 1, 2, 3}},
	} {
		handlers := offline.Handlers()
		handlers[prompts.PurposeRerank] = func(llm.Request) (string, error) { return c.reply, nil }
		name := fmt.Sprint("model", i)
		r.providers[name] = &elsewhere{Provider: llm.NewOffline(handlers, offline.Embedders()), origin: name}
		got := r.answer(t, askJA, func(config *Config) {
			config.Retrieve.K = 4
			config.Rerank = Rerank{Mode: "llm", Depth: 4, Model: Model{Provider: name, Name: "m"}}
		})
		for rank, want := range c.want {
			if got.Hits[rank].Span != found[want].Span {
				t.Errorf("%s: place %d is %s, want %s", c.reply, rank, got.Hits[rank].Span, found[want].Span)
			}
		}
	}
	handlers := offline.Handlers()
	handlers[prompts.PurposeRerank] = func(llm.Request) (string, error) { return "3, 1, 2", nil }
	r.providers["prose"] = &elsewhere{Provider: llm.NewOffline(handlers, offline.Embedders()), origin: "prose"}
	s := r.open(t, func(c *Config) { c.Rerank = Rerank{Mode: "llm", Model: Model{Provider: "prose", Name: "m"}} })
	stored := r.stages.count("rerank")
	if _, err := s.Answer(t.Context(), askJA); llm.CauseOf(err) != llm.CauseSchema {
		t.Errorf("a reply in prose gave %v", err)
	}
	if r.stages.count("rerank") != stored {
		t.Error("a failed reranking is stored")
	}
}

func TestPostProcessing(t *testing.T) {
	t.Parallel()
	r := newRig(Document{ID: "long", Text: "医療費控除は、支払った医療費が、本人と生計を一にする家族の分を合わせて一年の間に10万円を超えると、確定申告によって受けられますが、" +
		"保険金などで補填される金額はその額から除いて計算し、健康の維持のために自分で買い求めたものや、通院に使った自家用車の燃料代、駐車場の料金は含めません。"})
	plain := r.answer(t, askJA, nil)
	if !strings.Contains(plain.Text, "[1]") {
		t.Fatalf("the answer cites nothing: %q", plain.Text)
	}
	stripped := r.answer(t, askJA, func(c *Config) { c.PostProcess = PostModes{"strip_citations"} })
	if prompts.Citation.MatchString(stripped.Text) || stripped.Raw != plain.Text {
		t.Errorf("stripped to %q, raw %q", stripped.Text, stripped.Raw)
	}
	cut := r.answer(t, askJA, func(c *Config) { c.PostProcess = PostModes{"truncate"} })
	if runes := []rune(plain.Text); len(runes) <= truncateTo || cut.Text != string(runes[:truncateTo]) || cut.Raw != plain.Text {
		t.Errorf("cut to %q of %d characters", cut.Text, len(runes))
	}
	for _, c := range []struct {
		modes    PostModes
		in, want string
	}{
		{nil, " x [1] ", " x [1] "},
		{PostModes{"truncate"}, strings.Repeat("𠮷", 121), strings.Repeat("𠮷", 120)},
		{PostModes{"truncate"}, strings.Repeat("あ", 120), strings.Repeat("あ", 120)},
		{PostModes{"strip_citations"}, "A [1]. B [2, 3][4]. C [x] [Smith 2020]", "A. B. C [x] [Smith 2020]"},
		{PostModes{"strip_citations", "truncate"}, "[1]" + strings.Repeat("a", 119) + " [2]b", strings.Repeat("a", 119) + "b"},
		{PostModes{"truncate", "strip_citations"}, strings.Repeat("a", 118) + " [2]b", strings.Repeat("a", 118) + " ["},
	} {
		if got := c.modes.apply(c.in); got != c.want {
			t.Errorf("%v: %q became %q, want %q", c.modes, c.in, got, c.want)
		}
	}
}

func TestOpenFaults(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	open := func(change func(*Config)) error {
		c := DefaultConfig()
		change(&c)
		s, err := Open(t.Context(), c, r.corpus, r.providers, r.indexes, r.stages)
		if err == nil {
			defer s.Close()
			_, err = s.Answer(t.Context(), askJA)
		}
		return err
	}
	for name, change := range map[string]func(*Config){
		"generate": func(c *Config) { c.Generate.Provider = "nowhere" },
		"embed":    func(c *Config) { c.Embedding.Provider = "nowhere" },
		"rewrite":  func(c *Config) { c.Rewrite = Rewrite{Mode: "llm", Model: Model{"nowhere", "m"}} },
		"rerank":   func(c *Config) { c.Rerank = Rerank{Mode: "llm", Model: Model{"nowhere", "m"}} },
	} {
		err := open(change)
		if problem.CodeOf(err) != "provider_unknown" || !strings.Contains(err.Error(), "nowhere") {
			t.Errorf("%s: unknown provider gave %v", name, err)
		}
	}
	for _, change := range []func(*Config){ // a provider that the mode does not use need not exist
		func(c *Config) { c.Retrieve.Mode = "bm25"; c.Embedding = Embedding{} },
		func(c *Config) { c.Rewrite.Model = Model{"nowhere", "m"} },
	} {
		if err := open(change); err != nil {
			t.Errorf("an unused provider was missed: %v", err)
		}
	}
	for want, change := range map[string]func(*Config){
		"hash or ngram":                    func(c *Config) { c.Embedding.Name = "huge" },
		"closed-book, extractive or terse": func(c *Config) { c.Generate.Name = "huge" },
	} {
		err := open(change)
		if problem.CodeOf(err) != "config_field" || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "huge") {
			t.Errorf("unknown model gave %v, want it to list %s", err, want)
		}
	}
	if err := open(func(c *Config) { c.Chunk.Size = 0 }); problem.CodeOf(err) != "config_field" {
		t.Errorf("an impossible configuration gave %v", err)
	}
	if len(r.indexes.order) == 0 ||
		slices.ContainsFunc(r.indexes.order, func(k string) bool { return r.indexes.items[k].users != 0 }) {
		t.Error("a failed opening holds an index")
	}
}

// brokenStages fails where it is told to.
type brokenStages struct {
	*memoryStages
	body []byte
	read error
}

func (b brokenStages) Stage(context.Context, string) ([]byte, bool, error) {
	return b.body, b.body != nil, b.read
}

func TestRemember(t *testing.T) {
	t.Parallel()
	m, calls := newMemoryStages(), 0
	compute := func(context.Context) (Retrieval, error) {
		calls++
		return Retrieval{Query: "q", Hits: []Hit{{Span: Span{"d", 1, 2}, Score: 1.0 / 3}}}, nil
	}
	first, err := Remember(t.Context(), m, "retrieve", "k", compute)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Remember(t.Context(), m, "retrieve", "k", compute)
	if err != nil || calls != 1 || !cmp.Equal(first, again) {
		t.Errorf("computed %d times, %+v then %+v, %v", calls, first, again, err)
	}
	failure := errors.New("no")
	if _, err := Remember(t.Context(), m, "retrieve", "other", func(context.Context) (int, error) { return 0, failure }); !errors.Is(err,
		failure) || len(m.items) != 1 {
		t.Errorf("%d outputs after a failure, %v", len(m.items), err)
	}
	if _, err := Remember(t.Context(), brokenStages{m, nil, failure}, "retrieve", "k", compute); !errors.Is(err, failure) {
		t.Errorf("a store that cannot be read gave %v", err)
	}
	if _, err := Remember(t.Context(), brokenStages{m, []byte("{"), nil}, "retrieve", "k", compute); err == nil ||
		!strings.Contains(err.Error(), "retrieve k") {
		t.Errorf("an unreadable output gave %v", err)
	}
}
