package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// scorer answers every request to rerank with what reply makes of it, and counts them.
func scorer(t *testing.T, reply func(w http.ResponseWriter, body map[string]any, call int), adjust ...func(*llm.OpenAIConfig)) *rig {
	t.Helper()
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		var body map[string]any
		if err == nil {
			err = json.Unmarshal(raw, &body)
		}
		if err != nil || r.URL.Path != "/v1/rerank" {
			t.Errorf("%s: %q, %v", r.URL.Path, raw, err)
		}
		calls++
		reply(w, body, calls)
	}))
	t.Cleanup(server.Close)
	return newRig(t, fakeprovider.Options{}, append([]func(*llm.OpenAIConfig){func(c *llm.OpenAIConfig) { c.BaseURL = server.URL + "/v1" }},
		adjust...)...)
}

func toRerank(dialect string) llm.Request {
	data, _ := json.Marshal(llm.Reranking{Query: "日当は？", Documents: []string{"a", "b", "c"}})
	return llm.Request{Purpose: "rag.rerank_api", Model: "reranker", Data: data, Rerank: dialect}
}

// Seven shapes of replies, in shuffled order, give the same scores in the order of the documents.
func TestRerankReadsEveryShape(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ dialect, reply, field string }{
		"Cohere": {llm.RerankCohere, `{"results":[{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":0.5},
			{"index":1,"relevance_score":-0.1}],"meta":{"billed_units":{"search_units":1}}}`, "documents"},
		"Jina": {llm.RerankCohere, `{"model":"reranker","results":[{"index":1,"relevance_score":-0.1,"document":{"text":"b"}},
			{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":0.5}],"usage":{"total_tokens":40}}`, "documents"},
		"Voyage": {llm.RerankVoyage, `{"object":"list","data":[{"index":0,"relevance_score":0.5},{"index":2,"relevance_score":0.9},
			{"index":1,"relevance_score":-0.1}],"model":"reranker","usage":{"total_tokens":40}}`, "documents"},
		"vLLM": {llm.RerankCohere, `{"id":"r","model":"reranker","usage":{"total_tokens":40},"results":[{"index":2,"document":{"text":"c"},
			"relevance_score":0.9},{"index":1,"relevance_score":-0.1},{"index":0,"relevance_score":0.5}]}`, "documents"},
		"SGLang": {llm.RerankCohere, `[{"score":0.9,"document":"c","index":2},{"score":0.5,"index":0},{"score":-0.1,"index":1}]`,
			"documents"},
		"TEI": {llm.RerankTEI, ` [{"index":2,"score":0.9},{"index":1,"score":-0.1},{"index":0,"score":0.5}]`, "texts"},
		"Infinity": {llm.RerankCohere, `{"object":"rerank","results":[{"relevance_score":0.9,"index":2},{"relevance_score":0.5,` +
			`"index":0},{"relevance_score":-0.1,"index":1}],"usage":{"prompt_tokens":40,"total_tokens":40}}`, "documents"},
	} {
		r := scorer(t, func(w http.ResponseWriter, body map[string]any, _ int) {
			if list, ok := body[c.field].([]any); !ok || len(list) != 3 || body["query"] != "日当は？" || body["top_n"] != nil {
				t.Errorf("%s is sent %v", name, body)
			}
			fmt.Fprint(w, c.reply)
		})
		for call := range 2 {
			got, err := r.provider.Complete(t.Context(), toRerank(c.dialect))
			if err != nil || got.Text != "[0.5,-0.1,0.9]" || got.Cached != (call == 1) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		if len(r.ledger.calls) != 1 || r.ledger.calls[0].State != llm.CallUsable {
			t.Errorf("%s: the ledger has %d calls", name, len(r.ledger.calls))
		}
	}
	// How one asks is no part of what is asked.
	if info := (llm.Info{Kind: "openai"}); llm.KeyOf(info, toRerank(llm.RerankTEI)) != llm.KeyOf(info, toRerank(llm.RerankCohere)) {
		t.Error("two dialects have two keys")
	}
}

func TestRerankThatIsIncomplete(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		`{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1}]}`:             "no score for document 3 of 3",
		`{"results":[{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}]}`:             "document 1 of 3 twice",
		`{"results":[{"index":7,"relevance_score":1}]}`:                                             "was not sent",
		`{"results":[{"relevance_score":1}]}`:                                                       "was not sent",
		`{"results":[{"index":0},{"index":1,"relevance_score":1},{"index":2,"relevance_score":1}]}`: "no score for document 1 of 3",
		`{"results":[]}`: "no score for document 1 of 3",
	} {
		r := scorer(t, func(w http.ResponseWriter, _ map[string]any, _ int) { fmt.Fprint(w, reply) })
		_, err := r.provider.Complete(t.Context(), toRerank(llm.RerankCohere))
		if llm.CauseOf(err) != llm.CauseRerank || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", reply, err)
		}
	}
}

func TestRerankFailures(t *testing.T) {
	t.Parallel()
	for status, c := range map[int]struct {
		cause string
		calls int // 0: more than one
		fatal bool
	}{
		400: {llm.CauseRequest, 1, false}, 422: {llm.CauseRequest, 1, false}, 413: {llm.CauseRequest, 1, false},
		401: {llm.CauseAuth, 1, true}, 403: {llm.CauseAuth, 1, true}, 498: {llm.CauseAuth, 1, true}, 404: {llm.CauseUnsupported, 1, true},
		424: {llm.CauseServer, 0, false}, 500: {llm.CauseServer, 0, false}, 503: {llm.CauseServer, 0, false},
	} {
		calls := 0
		r := scorer(t, func(w http.ResponseWriter, _ map[string]any, n int) {
			calls = n
			http.Error(w, `{"error":"too long"}`, status)
		})
		_, err := r.provider.Complete(t.Context(), toRerank(llm.RerankCohere))
		failed, ok := errors.AsType[*llm.Error](err)
		if !ok || failed.Cause != c.cause || llm.Fatal(err) != c.fatal || (calls == 1) != (c.calls == 1) {
			t.Errorf("%d: %v after %d calls, fatal %v", status, err, calls, llm.Fatal(err))
		}
	}
	// Somebody who is asked to wait waits, and goes on.
	r := scorer(t, func(w http.ResponseWriter, _ map[string]any, n int) {
		if n == 1 {
			w.Header().Set("Retry-After", "7")
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		fmt.Fprint(w, `[{"index":2,"score":3},{"index":1,"score":1},{"index":0,"score":2}]`)
	})
	if got, err := r.provider.Complete(t.Context(), toRerank(llm.RerankTEI)); err != nil || got.Text != "[2,1,3]" {
		t.Errorf("after a wait: %+v, %v", got, err)
	}
}

// A service that bills searches is billed by searches, one that bills tokens by tokens.
func TestPriceOfReranking(t *testing.T) {
	t.Parallel()
	prices := llm.Prices{"reranker": {Search: 2}, "by-token": {Input: 1}}
	if cost, known := prices.Cost("reranker", llm.Usage{SearchUnits: 3, PromptTokens: 500}); cost != 6000 || !known {
		t.Errorf("3 searches at 2 a thousand cost %d millionths", cost)
	}
	if cost, _ := prices.Cost("by-token", llm.Usage{PromptTokens: 40, SearchUnits: 1}); cost != 40 {
		t.Errorf("40 tokens cost %d millionths", cost)
	}
	if u := llm.EstimateUsage(toRerank(llm.RerankCohere)); u.SearchUnits != 1 || u.CompletionTokens != 0 || u.PromptTokens == 0 {
		t.Errorf("expected usage %+v", u)
	}
	r := scorer(t, func(w http.ResponseWriter, _ map[string]any, _ int) {
		fmt.Fprint(w, `{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1},{"index":2,"relevance_score":1}],
			"meta":{"billed_units":{"search_units":1}}}`)
	}, func(c *llm.OpenAIConfig) { c.Prices = prices })
	if _, err := r.provider.Complete(t.Context(), toRerank(llm.RerankCohere)); err != nil {
		t.Fatal(err)
	}
	if c := r.ledger.calls[0]; c.CostMicros != 2000 || c.CostKind != "reported" {
		t.Errorf("the ledger says %d millionths, %s", c.CostMicros, c.CostKind)
	}
}
