package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// asked is a store that counts how often the ledger is asked for a key before a call.
type asked struct {
	*Store
	lookups atomic.Int64
}

func (a *asked) Lookup(ctx context.Context, key llm.Key) (*llm.Call, error) {
	a.lookups.Add(1)
	return a.Store.Lookup(ctx, key)
}

// buyer is a process with a provider of its own before a ledger that others share.
type buyer struct {
	ledger   *asked
	provider llm.Provider
}

func newBuyer(t *testing.T, name string, s *Store, server *httptest.Server, limits llm.Limits) *buyer {
	t.Helper()
	b := &buyer{ledger: &asked{Store: s}}
	var ids atomic.Int64
	var err error
	b.provider, err = llm.NewOpenAI(llm.OpenAIConfig{Name: "gate", BaseURL: server.URL + "/v1", APIKey: "k",
		Client: server.Client(), Secret: []byte("0123456789abcdef"), Owner: name, Ledger: b.ledger, Now: time.Now, Limits: limits,
		Prices: llm.Prices{"m": {Input: 1, Output: 1}}, Sleep: func(context.Context, time.Duration) error { return errors.New("it waits") },
		NewID: func() string { return fmt.Sprintf("%s-%s-%d", t.Name(), name, ids.Add(1)) }})
	ok(t, err)
	return b
}

// ask asks for the n-th text, in a run where one is named.
func (b *buyer) ask(t *testing.T, run string, n int) (llm.Reply, error) {
	t.Helper()
	ctx := llm.WithScope(t.Context(), llm.Scope{RunID: run})
	return b.provider.Complete(ctx, llm.Request{Purpose: "generate", Model: "m", Instruction: "Answer.",
		Data: json.RawMessage(fmt.Sprintf(`{"question":"%d"}`, n)), MaxTokens: 10})
}

// buy asks for texts that are new, and returns how often the ledger was asked for a key before a call.
func (b *buyer) buy(t *testing.T, run string, from, to int) int64 {
	t.Helper()
	before := b.ledger.lookups.Load()
	for n := from; n < to; n++ {
		if reply, err := b.ask(t, run, n); err != nil || reply.Cached {
			t.Fatalf("text %d: cached %t, %v", n, reply.Cached, err)
		}
	}
	return b.ledger.lookups.Load() - before
}

// A run that buys one new call after the other does not ask for each key twice. What another process has bought meanwhile is served all the
// same: nothing is sent for it, nothing is booked, and keys are looked up again from then on.
func TestAStoredReplyIsServedWhereNoneIsExpected(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		fake := fakeprovider.New(fakeprovider.Options{})
		server := httptest.NewServer(fake)
		t.Cleanup(server.Close)
		one, other := newBuyer(t, "one", d.open(t), server, llm.Limits{}), newBuyer(t, "other", d.open(t), server, llm.Limits{})
		run := budgeted(t, one.ledger.Store, 0)
		if n := one.buy(t, run, 0, 64); n != 64 {
			t.Errorf("the first 64 calls looked %d keys up", n)
		}
		if n := one.buy(t, run, 64, 80); n != 0 {
			t.Errorf("16 calls after 64 new ones looked %d keys up", n)
		}
		other.buy(t, run, 80, 81)
		bought := len(fake.Ledger())
		for range 2 {
			reply, err := one.ask(t, run, 80)
			if err != nil || !reply.Cached || reply.Text == "" {
				t.Errorf("the reply that another process bought: cached %t, %q, %v", reply.Cached, reply.Text, err)
			}
		}
		if n := len(fake.Ledger()); n != bought {
			t.Errorf("%d requests were sent for a stored reply", n-bought)
		}
		calls, err := one.ledger.Calls(t.Context(), run)
		ok(t, err)
		if len(calls) != 81 {
			t.Errorf("%d calls are booked for 81 texts", len(calls))
		}
		if n := one.buy(t, run, 81, 91); n != 10 {
			t.Errorf("10 calls after a stored reply looked %d keys up", n)
		}
	})
}

// A stored reply is free: a budget that is spent does not keep it from a run that expected to buy.
func TestAStoredReplyIsFreeWhereNoneIsExpected(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{}))
		t.Cleanup(server.Close)
		one, other := newBuyer(t, "one", d.open(t), server, llm.Limits{}), newBuyer(t, "other", d.open(t), server, llm.Limits{})
		rich, poor := budgeted(t, one.ledger.Store, 0), budgeted(t, one.ledger.Store, 1)
		one.buy(t, rich, 0, 64)
		other.buy(t, rich, 64, 65)
		if _, err := one.ask(t, poor, 65); problem.CodeOf(err) != "budget_spent" {
			t.Errorf("a new call beyond the budget: %v", err)
		}
		if reply, err := one.ask(t, poor, 64); err != nil || !reply.Cached {
			t.Errorf("a stored reply beyond the budget: cached %t, %v", reply.Cached, err)
		}
	})
}

// Where a request would have to wait, for a rate here, a stored reply is looked for first, however many calls were new.
func TestAStoredReplyWaitsForNoRate(t *testing.T) {
	t.Parallel()
	d := newSQLite(t)
	server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{}))
	t.Cleanup(server.Close)
	paced, other := newBuyer(t, "paced", d.open(t), server, llm.Limits{RequestsPerMinute: 70 * 60}),
		newBuyer(t, "other", d.open(t), server, llm.Limits{})
	run := budgeted(t, paced.ledger.Store, 0)
	if n := paced.buy(t, run, 0, 66); n != 66 {
		t.Errorf("66 paced calls looked %d keys up", n)
	}
	other.buy(t, run, 66, 67)
	if reply, err := paced.ask(t, run, 66); err != nil || !reply.Cached {
		t.Errorf("a stored reply: cached %t, %v", reply.Cached, err)
	}
}
