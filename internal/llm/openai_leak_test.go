package llm_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/outbound"
)

// Not parallel, so that the only goroutines that come and go are its own.
func TestNoGoroutineStays(t *testing.T) {
	before := runtime.NumGoroutine()
	faults := []fakeprovider.Fault{
		fakeprovider.None, fakeprovider.Stall, fakeprovider.Drip, fakeprovider.Hang, fakeprovider.Reset, fakeprovider.Truncated,
		fakeprovider.Huge, fakeprovider.Redirect, fakeprovider.HTML, fakeprovider.ServerError,
	}
	for _, fault := range faults {
		behave := func(fakeprovider.Request) fakeprovider.Behaviour {
			return fakeprovider.Behaviour{Fault: fault, Size: 9 << 20, Pause: 10 * time.Millisecond, Body: "http://elsewhere.example/"}
		}
		s := httptest.NewServer(fakeprovider.New(fakeprovider.Options{Behave: behave}))
		limits := outbound.Options{Idle: 50 * time.Millisecond, FirstByte: 50 * time.Millisecond, Total: 150 * time.Millisecond}
		if fault == fakeprovider.None { // a good reply is waited for
			limits = outbound.Options{}
		}
		client, err := outbound.New(limits)
		if err != nil {
			t.Fatal(err)
		}
		clock := &clock{}
		p, err := llm.NewOpenAI(llm.OpenAIConfig{
			Name: "p", BaseURL: s.URL, Client: client, Secret: make([]byte, 16), Now: clock.Now, Sleep: clock.Sleep,
			NewID: func() string { return "1" }, Retry: llm.Retry{Attempts: 2},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Complete(t.Context(), judgeRequest()); (err == nil) != (fault == fakeprovider.None) {
			t.Errorf("%s: error = %v", fault, err)
		}
		s.Close()
		client.CloseIdleConnections()
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for runtime.NumGoroutine() > before {
		select {
		case <-tick.C:
		case <-ctx.Done():
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// A client that would follow redirects must not: the prompt and the key would go along.
func TestForeignClientFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(trap.Close)
	foreign := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(foreign.CloseIdleConnections)
	r := newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.Redirect, Body: trap.URL}),
		func(c *llm.OpenAIConfig) { c.Client = foreign })
	_, err := r.provider.Complete(t.Context(), judgeRequest())
	if llm.CauseOf(err) != llm.CauseRedirect || len(r.ledger.rows()) != 1 {
		t.Fatalf("error = %v", err)
	}
	if n := reached.Load(); n != 0 {
		t.Fatalf("the redirect was followed %d times", n)
	}
}

// Trying again cannot help against a certificate or an address that is not allowed.
func TestRefusedConnectionsAreNotRetried(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(fakeprovider.New(fakeprovider.Options{}))
	t.Cleanup(secure.Close)
	guarded, err := outbound.New(outbound.Options{Guard: outbound.PublicOnly})
	if err != nil {
		t.Fatal(err)
	}
	for name, adjust := range map[string]func(*llm.OpenAIConfig){
		"unknown certificate": func(c *llm.OpenAIConfig) { c.BaseURL = secure.URL },
		"guarded address":     func(c *llm.OpenAIConfig) { c.Client = guarded },
	} {
		r := newRig(t, fakeprovider.Options{}, adjust)
		_, err := r.provider.Complete(t.Context(), judgeRequest())
		rows := r.ledger.rows()
		if llm.CauseOf(err) != llm.CauseUnreachable || len(rows) != 1 || rows[0].State != llm.CallFailed || len(r.server.Ledger()) != 0 {
			t.Errorf("%s: %d rows, error = %v", name, len(rows), err)
		}
	}
}

// The "keys" of local servers are words; they must not be cut out of what a model writes.
func TestPlaceholderKeyLeavesRepliesAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{Key: "ollama", Responder: func(string, string, string, []byte) (string, error) {
		return "ollama runs models", nil
	}}, func(c *llm.OpenAIConfig) { c.APIKey = "ollama" })
	reply, err := r.provider.Complete(t.Context(), textRequest())
	if err != nil || reply.Text != "ollama runs models" {
		t.Fatalf("reply = %+v, %v", reply, err)
	}
}
