package store

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// lookedUp is a store that counts what it is asked for.
type lookedUp struct {
	*Store
	lookups atomic.Int64
}

func (l *lookedUp) Lookup(ctx context.Context, key llm.Key) (*llm.Call, error) {
	l.lookups.Add(1)
	return l.Store.Lookup(ctx, key)
}

// newCalls is a provider whose last calls were all new, with its ledger. ask asks for the n-th answer.
type newCalls struct {
	ledger *lookedUp
	ask    func(ctx context.Context, process string, n int) (llm.Reply, error)
	asked  *atomic.Int64 // requests that the server got
}

func afterNewCalls(t *testing.T, d database, limits llm.Limits) newCalls {
	t.Helper()
	asked, ids := new(atomic.Int64), new(atomic.Int64)
	server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{
		Answer: func(fakeprovider.Request) (string, error) { asked.Add(1); return "an answer", nil }}))
	t.Cleanup(server.Close)
	ledger := &lookedUp{Store: d.open(t)}
	processes := map[string]llm.Provider{}
	for name, l := range map[string]llm.Ledger{"mine": ledger, "other": ledger.Store} {
		p, err := llm.NewOpenAI(llm.OpenAIConfig{Name: "p", BaseURL: server.URL + "/v1", APIKey: "k", Client: server.Client(),
			Secret: []byte("0123456789abcdef"), Owner: name, Ledger: l, Now: time.Now, Limits: limits,
			NewID: func() string { return fmt.Sprintf("call-%03d", ids.Add(1)) }})
		ok(t, err)
		processes[name] = p
	}
	c := newCalls{ledger, func(ctx context.Context, process string, n int) (llm.Reply, error) {
		return processes[process].Complete(ctx, llm.Request{Purpose: "generate", Model: "m", Instruction: "Answer.",
			Data: json.RawMessage(fmt.Sprintf(`{"question":"%d"}`, n)), MaxTokens: 100})
	}, asked}
	for n := range 60 {
		must[llm.Reply](t)(c.ask(t.Context(), "mine", n))
	}
	if asked.Load() != 60 {
		t.Fatalf("60 new calls were sent %d times", asked.Load())
	}
	return c
}

// A run of new calls does not ask for each whether it is stored; and what is stored is served all the same.
func TestNewCallsAreNotLookedUp(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		c := afterNewCalls(t, d, llm.Limits{})
		if n := c.ledger.lookups.Load(); n > 40 {
			t.Errorf("60 new calls were looked up %d times", n)
		}
		stored := must[llm.Reply](t)(c.ask(t.Context(), "other", 100))
		sent, looked := c.asked.Load(), c.ledger.lookups.Load()
		for _, n := range []int{100, 7, 100} {
			got := must[llm.Reply](t)(c.ask(t.Context(), "mine", n))
			if !got.Cached || got.Text != stored.Text || c.asked.Load() != sent {
				t.Errorf("answer %d: %+v, %d requests more", n, got, c.asked.Load()-sent)
			}
		}
		if n := c.ledger.lookups.Load() - looked; n != 3 {
			t.Errorf("three stored answers were looked up %d times", n)
		}
		must[llm.Reply](t)(c.ask(t.Context(), "mine", 101))
		if n := c.ledger.lookups.Load() - looked; n != 4 {
			t.Errorf("a new call after stored ones was looked up %d times", n-3)
		}
		if found := must[int64](t)(calls(c.ledger.Store)); found != 62 {
			t.Errorf("%d calls are in the ledger", found)
		}
	})
}

// Where calls wait for their turn, each is looked up: what is stored needs no turn.
func TestCallsThatWaitAreLookedUp(t *testing.T) {
	t.Parallel()
	c := afterNewCalls(t, copiedSQLite(t), llm.Limits{RequestsPerMinute: 1_000_000})
	if n := c.ledger.lookups.Load(); n != 60 {
		t.Errorf("60 new calls were looked up %d times", n)
	}
}

// A stored answer costs nothing, so that a budget that is used up does not refuse it, however new the calls before were.
func TestStoredAnswersAreServedBeyondTheBudget(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		c := afterNewCalls(t, d, llm.Limits{})
		must[llm.Reply](t)(c.ask(t.Context(), "other", 100))
		run := created(t, c.ledger.Store, experiments.Run{Budget: experiments.Budget{Calls: 1}}, "budget")
		ctx := llm.WithScope(t.Context(), llm.Scope{RunID: run, QuestionID: "q1"})
		must[llm.Reply](t)(c.ask(ctx, "mine", 101))
		if got, err := c.ask(ctx, "mine", 100); err != nil || !got.Cached {
			t.Errorf("the stored answer: %+v, %v", got, err)
		}
		_, err := c.ask(ctx, "mine", 102)
		wantProblem(t, err, problem.Incomplete, "budget_spent")
	})
}

func calls(s *Store) (n int64, err error) {
	err = s.Read(context.Background()).Table("calls").Count(&n).Error
	return n, err
}
