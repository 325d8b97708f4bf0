package rag

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
)

// lengthScorer scores a document by its length, and refuses more than it takes at once.
type lengthScorer struct {
	llm.Provider
	most  int
	mu    sync.Mutex
	sizes []int // documents of each call
}

func (l *lengthScorer) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	var data llm.Reranking
	if err := json.Unmarshal(req.Data, &data); err != nil || req.Rerank == "" {
		return llm.Reply{}, &llm.Error{Cause: llm.CauseRequest, Message: "no reranking"}
	}
	l.mu.Lock()
	l.sizes = append(l.sizes, len(data.Documents))
	l.mu.Unlock()
	if len(data.Documents) > l.most {
		return llm.Reply{}, &llm.Error{Cause: llm.CauseRequest, HTTPStatus: http.StatusRequestEntityTooLarge, Message: "too many"}
	}
	scores := make([]float64, len(data.Documents))
	for i, d := range data.Documents {
		scores[i] = float64(len([]rune(d)))
	}
	body, err := json.Marshal(scores)
	return llm.Reply{Text: string(body)}, err
}

func scoring(r *rig, most int) *lengthScorer {
	l := &lengthScorer{Provider: offlineProvider(), most: most}
	r.providers["service"] = l
	return l
}

func byLength(batch int) func(*Config) {
	return func(c *Config) {
		c.Retrieve.K = 3
		c.Rerank = Rerank{Mode: RerankAPI, Model: Model{"service", "m"}, Batch: batch, Depth: 10}
	}
}

// However the documents are split over calls, the order is the same; and a smaller k costs no call.
func TestRerankAPIOrdersByScore(t *testing.T) {
	t.Parallel()
	var first []string
	for _, c := range []struct {
		batch, most int
		calls       []int
	}{{0, 100, []int{10}}, {4, 100, []int{4, 4, 2}}, {10, 5, []int{10, 5, 5}}} {
		r := newRig(manual()...)
		service := scoring(r, c.most)
		got := r.found(t, askJA, byLength(c.batch))
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("batch %d: another order:\n%s", c.batch, diff)
		}
		slices.SortFunc(service.sizes, func(a, b int) int { return b - a }) // batches go out side by side
		if diff := cmp.Diff(c.calls, service.sizes); diff != "" {
			t.Errorf("batch %d (-want +got documents a call):\n%s", c.batch, diff)
		}
		before := len(service.sizes)
		two := func(config *Config) { byLength(c.batch)(config); config.Retrieve.K = 2 }
		if fewer := r.found(t, askJA, two); !cmp.Equal(fewer, got[:2]) {
			t.Errorf("the best two are %v of %v", fewer, got)
		}
		if c.most == 100 && len(service.sizes) != before {
			t.Errorf("batch %d: another k buys %v", c.batch, service.sizes[before:])
		}
	}
}

func TestRerankAPIFailsTheQuestion(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	scoring(r, 1)
	s := r.open(t, byLength(0))
	if _, err := s.Answer(t.Context(), askJA); err == nil || !strings.HasPrefix(err.Error(), "rerank: ") {
		t.Errorf("a failed service gives %v", err)
	}
}

func TestRerankAPILeastScore(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	scoring(r, 100)
	least := 1000.0
	if got := r.found(t, askJA, func(c *Config) { byLength(0)(c); c.Rerank.MinScore = &least }); len(got) != 0 {
		t.Errorf("below the least score: %v", got)
	}
}
