package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/outbound"
)

// onceMemory is a ledger that knows interrupted calls.
type onceMemory struct{ *memory }

func (m onceMemory) Interrupted(_ context.Context, key llm.Key) (*llm.Call, error) {
	for _, c := range m.rows() {
		if c.Key == key && (c.State == llm.CallSent || c.State == llm.CallUnknown) {
			return &c, nil
		}
	}
	return nil, nil
}

const endpointKey = "rag-live-0123456789abcdef/canary"

// endpointRig is an endpoint's client in front of a real server on loopback.
type endpointRig struct {
	*llm.Endpoint
	ledger *memory
	clock  *clock
	hits   atomic.Int64
	url    string
}

func newEndpointRig(t *testing.T, serve http.HandlerFunc, adjust ...func(*llm.EndpointConfig)) *endpointRig {
	t.Helper()
	r := &endpointRig{ledger: newMemory(), clock: &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.hits.Add(1)
		_, _ = io.Copy(io.Discard, req.Body) // only then does the server notice that a client has gone
		if req.Header.Get("X-Key") != "Key "+endpointKey {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		serve(w, req)
	}))
	t.Cleanup(s.Close)
	r.url = s.URL
	client := waiting(t, outbound.Options{MaxBody: 64 << 10})
	r.open(t, append([]func(*llm.EndpointConfig){func(c *llm.EndpointConfig) { c.Client = client }}, adjust...)...)
	return r
}

// inAHurry gives up on what does not come at once.
func inAHurry(t *testing.T) func(*llm.EndpointConfig) {
	t.Helper()
	client := waiting(t, outbound.Options{Idle: 150 * time.Millisecond, FirstByte: 300 * time.Millisecond, Total: 400 * time.Millisecond})
	return func(c *llm.EndpointConfig) { c.Client = client }
}

// open makes the client, a second time too: as the next process would.
func (r *endpointRig) open(t *testing.T, adjust ...func(*llm.EndpointConfig)) {
	t.Helper()
	cfg := llm.EndpointConfig{
		Name: "prod", Origin: r.url + "/ask", Headers: map[string]string{"X-Key": "Key " + endpointKey}, Secrets: []string{endpointKey},
		Ledger: onceMemory{r.ledger}, Owner: "test", Now: r.clock.Now, Sleep: r.clock.Sleep, Seed: 1, Limits: llm.Limits{Concurrency: 4},
		NewID: func() string { return fmt.Sprintf("call-%d", len(r.ledger.rows())+1) },
		Map: func(raw []byte) (string, string, *llm.Error) {
			var reply struct{ Answer, Version *string }
			if err := json.Unmarshal(raw, &reply); err != nil {
				return "", "", &llm.Error{Cause: llm.CauseEndpointEnvelope, Message: "the reply is not JSON", Err: err}
			}
			if reply.Answer == nil {
				return "", "", &llm.Error{Cause: llm.CauseEndpointMapping, Message: "answer: nothing; received keys: x"}
			}
			if reply.Version == nil {
				reply.Version = new(string)
			}
			return *reply.Answer, *reply.Version, nil
		},
	}
	for _, a := range adjust {
		a(&cfg)
	}
	var err error
	if r.Endpoint, err = llm.NewEndpoint(cfg); err != nil {
		t.Fatal(err)
	}
}

func (r *endpointRig) ask(ctx context.Context, run, question string) (llm.Reply, error) {
	return r.Complete(llm.WithScope(ctx, llm.Scope{RunID: run, QuestionID: question, Stage: "endpoint"}), r.request(run, question))
}

func (r *endpointRig) request(run, question string) llm.Request {
	data, err := json.Marshal(llm.EndpointRequest{Run: run, Question: question, Method: "POST", URL: r.url + "/ask", Body: `{"q":"` +
		question + `"}`})
	if err != nil {
		panic(err)
	}
	return llm.Request{Purpose: "rag.endpoint", Model: "prod", Data: data}
}

func answering(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func TestEndpointCallIsBooked(t *testing.T) {
	t.Parallel()
	r := newEndpointRig(t, answering(`{"answer":"A","version":"v7"}`))
	first, err := r.ask(t.Context(), "r1", "q1")
	if err != nil || first.Text != "A" || first.Model != "v7" || first.Cached {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := r.ask(t.Context(), "r1", "q1")
	if err != nil || !again.Cached || again.CallID != first.CallID {
		t.Errorf("within the run: %+v, %v", again, err)
	}
	for _, other := range [][2]string{{"r2", "q1"}, {"r1", "q2"}} {
		if reply, err := r.ask(t.Context(), other[0], other[1]); err != nil || reply.Cached {
			t.Errorf("%v: %+v, %v", other, reply, err)
		}
	}
	for range 2 {
		if reply, err := r.ask(t.Context(), "", "q1"); err != nil || reply.Cached {
			t.Errorf("outside any run: %+v, %v", reply, err)
		}
	}
	if n := r.hits.Load(); n != 5 {
		t.Errorf("the server was asked %d times, want 5", n)
	}
	row := r.ledger.rows()[0]
	if row.State != llm.CallUsable || row.Stage != "endpoint" || row.ModelSeen != "v7" || string(row.Request) != `{"q":"q1"}` ||
		row.RunID != "r1" {
		t.Errorf("row %+v", row)
	}
}

func TestEndpointFaults(t *testing.T) {
	t.Parallel()
	var trapped atomic.Int64
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { trapped.Add(1) }))
	t.Cleanup(trap.Close)
	reset := func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = c.Close()
		}
	}
	for name, test := range map[string]struct {
		serve  http.HandlerFunc
		cause  string
		hits   int64
		states []llm.CallState
		fatal  bool
	}{
		"server error": {status(503, "busy"), llm.CauseEndpointServer, 6, repeat(llm.CallFailed, 6), false},
		"refused":      {status(400, "no such field"), llm.CauseEndpointRequest, 1, repeat(llm.CallFailed, 1), false},
		"forbidden":    {status(403, "no"), llm.CauseEndpointAuth, 1, repeat(llm.CallFailed, 1), true},
		"redirect": {func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, trap.URL, http.StatusTemporaryRedirect)
		}, llm.CauseEndpointRedirect, 1, repeat(llm.CallFailed, 1), true},
		"huge body": {answering(`{"answer":"` + strings.Repeat("x", 1<<20) + `"}`), llm.CauseEndpointTooLarge, 1,
			repeat(llm.CallUnusable, 1), false},
		"slow drip": {drip, llm.CauseEndpointTimeout, 1, repeat(llm.CallUnknown, 1), false},
		"silence": {func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }, llm.CauseEndpointTimeout, 1,
			repeat(llm.CallUnknown, 1), false},
		"reset":      {reset, llm.CauseEndpointUnreachable, 6, repeat(llm.CallUnknown, 6), false},
		"web page":   {answering("<html>please log in</html>"), llm.CauseEndpointEnvelope, 3, repeat(llm.CallUnusable, 3), false},
		"other form": {answering(`{"x":1}`), llm.CauseEndpointMapping, 1, repeat(llm.CallUnusable, 1), false},
		"cut off":    {answering(`{"answer":"A`), llm.CauseEndpointEnvelope, 3, repeat(llm.CallUnusable, 3), false},
		"repeats header": {func(w http.ResponseWriter, q *http.Request) {
			http.Error(w, q.Header.Get("X-Key"), http.StatusUnprocessableEntity)
		}, llm.CauseEndpointRequest, 1, repeat(llm.CallFailed, 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var adjust []func(*llm.EndpointConfig)
			if test.cause == llm.CauseEndpointTimeout {
				adjust = append(adjust, inAHurry(t))
			}
			r := newEndpointRig(t, test.serve, adjust...)
			_, err := r.ask(t.Context(), "r1", "q1")
			if llm.CauseOf(err) != test.cause || llm.Fatal(err) != test.fatal {
				t.Errorf("error %v, want %s, fatal %v", err, test.cause, test.fatal)
			}
			if n := r.hits.Load(); n != test.hits {
				t.Errorf("asked %d times, want %d", n, test.hits)
			}
			if diff := cmp.Diff(test.states, r.ledger.states()); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
			noEndpointKey(t, r.ledger.rows(), err)
		})
	}
	t.Cleanup(func() {
		if n := trapped.Load(); n != 0 {
			t.Errorf("the target of the redirect was reached %d times", n)
		}
	})
}

func status(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, text, code) }
}

// drip sends a byte now and then, for ever.
func drip(w http.ResponseWriter, r *http.Request) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			_, _ = io.WriteString(w, " ")
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// noEndpointKey fails when the key, or half of it, is in a row or an error.
func noEndpointKey(t *testing.T, rows []llm.Call, err error) {
	t.Helper()
	half := endpointKey[:len(endpointKey)/2]
	for _, c := range rows {
		if strings.Contains(fmt.Sprintf("%+v %s %s", c, c.Request, c.Reply), half) {
			t.Errorf("row %s holds the key", c.ID)
		}
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(e.Error(), half) {
			t.Errorf("the error holds the key: %v", e)
		}
	}
}

func TestEndpointRepliesThatRepeatTheKeyAreCleaned(t *testing.T) {
	t.Parallel()
	r := newEndpointRig(t, func(w http.ResponseWriter, q *http.Request) {
		body, _ := json.Marshal(map[string]string{"answer": "Your header is " + q.Header.Get("X-Key")})
		_, _ = w.Write(body)
	})
	reply, err := r.ask(t.Context(), "r1", "q1")
	if err != nil || strings.Contains(reply.Text, endpointKey) {
		t.Errorf("%q, %v", reply.Text, err)
	}
	noEndpointKey(t, r.ledger.rows(), nil)
}

func TestEndpointRateLimit(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	r := newEndpointRig(t, func(w http.ResponseWriter, q *http.Request) {
		if n.Add(1) == 1 {
			w.Header().Set("Retry-After", "7")
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		answering(`{"answer":"A"}`)(w, q)
	}, func(c *llm.EndpointConfig) { c.AtMostOnce = true })
	if reply, err := r.ask(t.Context(), "r1", "q1"); err != nil || reply.Text != "A" {
		t.Fatalf("%+v, %v", reply, err)
	}
	var waited time.Duration
	for _, d := range r.clock.slept() {
		waited += d
	}
	if waited < 7*time.Second {
		t.Errorf("waited %v, the endpoint asked for 7 s", waited)
	}
}

// TestFiveRepliesInARowThatMissTheMappingStopTheRun drives a change of the reply's form in the middle of a run.
func TestFiveRepliesInARowThatMissTheMappingStopTheRun(t *testing.T) {
	t.Parallel()
	var drifted atomic.Bool
	r := newEndpointRig(t, func(w http.ResponseWriter, q *http.Request) {
		if drifted.Load() {
			answering(`{"result":"A"}`)(w, q)
			return
		}
		answering(`{"answer":"A"}`)(w, q)
	})
	failing := func(q string) error {
		_, err := r.ask(t.Context(), "r1", q)
		if llm.CauseOf(err) != llm.CauseEndpointMapping {
			t.Fatalf("%s: %v", q, err)
		}
		return err
	}
	if _, err := r.ask(t.Context(), "r1", "q0"); err != nil {
		t.Fatal(err)
	}
	drifted.Store(true)
	for i := range 4 {
		if err := failing(fmt.Sprint("a", i)); llm.Fatal(err) {
			t.Errorf("reply %d stops the run: %v", i+1, err)
		}
	}
	drifted.Store(false)
	if _, err := r.ask(t.Context(), "r1", "q1"); err != nil {
		t.Fatal(err)
	}
	drifted.Store(true)
	for i := range 4 {
		if err := failing(fmt.Sprint("b", i)); llm.Fatal(err) {
			t.Errorf("reply %d after one that fits stops the run: %v", i+1, err)
		}
	}
	if _, err := r.ask(t.Context(), "r2", "x"); llm.Fatal(err) {
		t.Errorf("another run is stopped: %v", err)
	}
	if err := failing("b4"); !llm.Fatal(err) || !strings.Contains(err.Error(), "5 replies in a row") {
		t.Errorf("the fifth does not stop the run: %v", err)
	}
}

func TestTrialBooksNothing(t *testing.T) {
	t.Parallel()
	r := newEndpointRig(t, answering(`{"x":1}`))
	ask := llm.EndpointRequest{Method: "POST", URL: r.url + "/ask", Body: "{}"}
	trial, failure := r.Try(t.Context(), ask)
	if failure != nil || string(trial.Body) != `{"x":1}` || trial.Status != 200 || len(r.ledger.rows()) != 0 {
		t.Errorf("%+v, %v, %d rows", trial, failure, len(r.ledger.rows()))
	}
	down := newEndpointRig(t, status(502, "bad gateway"))
	if _, failure := down.Try(t.Context(), llm.EndpointRequest{Method: "POST", URL: down.url, Body: "{}"}); failure == nil ||
		failure.Cause != llm.CauseEndpointServer || down.hits.Load() != 1 {
		t.Errorf("%v after %d calls", failure, down.hits.Load())
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	if _, failure := r.Try(t.Context(), llm.EndpointRequest{Method: "GET", URL: closed.URL + "/?q=SECRET"}); failure == nil ||
		failure.Cause != llm.CauseEndpointUnreachable || strings.Contains(failure.Error(), "SECRET") {
		t.Errorf("%v", failure)
	}
}
