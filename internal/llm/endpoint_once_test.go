package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

func TestAtMostOnceNeverRepeatsAnInterruptedCall(t *testing.T) {
	t.Parallel()
	once := func(c *llm.EndpointConfig) { c.AtMostOnce = true }
	t.Run("no whole reply", func(t *testing.T) {
		t.Parallel()
		for name, serve := range map[string]http.HandlerFunc{
			"slow drip": drip,
			"reset": func(w http.ResponseWriter, _ *http.Request) {
				if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
					_ = c.Close()
				}
			},
		} {
			r := newEndpointRig(t, serve, once, inAHurry(t))
			for range 3 {
				if _, err := r.ask(t.Context(), "r1", "q1"); llm.CauseOf(err) != llm.CauseNeedsDecision || llm.Fatal(err) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if n := r.hits.Load(); n != 1 {
				t.Errorf("%s: asked %d times", name, n)
			}
		}
	})
	t.Run("server error", func(t *testing.T) {
		t.Parallel()
		r := newEndpointRig(t, status(500, "half done"), once)
		if _, err := r.ask(t.Context(), "r1", "q1"); llm.CauseOf(err) != llm.CauseEndpointServer || r.hits.Load() != 1 {
			t.Errorf("asked %d times: %v", r.hits.Load(), err)
		}
	})
	t.Run("killed between sending and banking", func(t *testing.T) {
		t.Parallel()
		r := newEndpointRig(t, answering(`{"answer":"A"}`), once)
		req := r.request("r1", "q1")
		dead := llm.Call{ID: "dead", RunID: "r1", Key: llm.KeyOf(r.Info(), req), State: llm.CallSent, Owner: "dead", SentAt: r.clock.Now()}
		if err := r.ledger.Begin(t.Context(), dead); err != nil {
			t.Fatal(err)
		}
		if _, err := r.ask(t.Context(), "r1", "q1"); llm.CauseOf(err) != llm.CauseNeedsDecision || r.hits.Load() != 0 {
			t.Fatalf("asked %d times: %v", r.hits.Load(), err)
		}
		child := llm.Scope{RunID: "r2", Parent: "r1", QuestionID: "q1"}
		if _, err := r.Complete(llm.WithScope(t.Context(), child), req); llm.CauseOf(err) != llm.CauseNeedsDecision || r.hits.Load() != 0 {
			t.Fatalf("a child run without leave asked %d times: %v", r.hits.Load(), err)
		}
		child.Repeat = true
		if reply, err := r.Complete(llm.WithScope(t.Context(), child), req); err != nil || reply.Text != "A" || r.hits.Load() != 1 {
			t.Fatalf("a child run with leave: %+v, %v", reply, err)
		}
		if _, err := r.Complete(llm.WithScope(t.Context(), child), req); err != nil || r.hits.Load() != 1 {
			t.Errorf("asked %d times: %v", r.hits.Load(), err)
		}
	})
	t.Run("caller goes away", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		r := newEndpointRig(t, func(_ http.ResponseWriter, q *http.Request) { cancel(); <-q.Context().Done() }, once)
		if _, err := r.ask(ctx, "r1", "q1"); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if _, err := r.ask(t.Context(), "r1", "q1"); llm.CauseOf(err) != llm.CauseNeedsDecision || r.hits.Load() != 1 {
			t.Errorf("asked %d times: %v", r.hits.Load(), err)
		}
	})
}

func TestABankedReplyOfTheEndpointIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	r := newEndpointRig(t, answering(`{"answer":"A"}`), func(c *llm.EndpointConfig) { c.AtMostOnce = true })
	r.ledger.down = errors.New("killed")
	if _, err := r.ask(t.Context(), "r1", "q1"); err == nil {
		t.Fatal("settling failed, and nobody says so")
	}
	r.ledger.down = nil
	r.open(t, func(c *llm.EndpointConfig) { c.AtMostOnce = true })
	if reply, err := r.ask(t.Context(), "r1", "q1"); err != nil || reply.Text != "A" || r.hits.Load() != 1 {
		t.Errorf("%+v, %v, asked %d times", reply, err, r.hits.Load())
	}
}

func TestGETSendsItsAddressAndNoBody(t *testing.T) {
	t.Parallel()
	r := newEndpointRig(t, func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		if q.Method != http.MethodGet || q.URL.Query().
			Get("q") != "a&b" || len(body) != 0 || q.Header.Get("Content-Type") != "" || !q.Close {
			http.Error(w, "not what was meant", http.StatusBadRequest)
			return
		}
		answering(`{"answer":"A"}`)(w, q)
	})
	data, err := json.Marshal(llm.EndpointRequest{Run: "r1", Question: "q1", Method: "GET", URL: r.url + "/ask?q=a%26b"})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := r.Complete(t.Context(), llm.Request{Purpose: "rag.endpoint", Model: "prod", Data: data})
	if err != nil || reply.Text != "A" {
		t.Errorf("%+v, %v", reply, err)
	}
}
