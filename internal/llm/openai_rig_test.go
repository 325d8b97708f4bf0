package llm_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
)

const (
	apiKey = "sk-live-0123456789abcdef/canary"
	model  = "gpt-test"
)

// memory is a real ledger and vector store without a disk. It refuses transitions that the contract does not have.
type memory struct {
	mutex   sync.Mutex
	calls   []*llm.Call
	cache   map[llm.Key]string
	vectors map[string]map[string][]float32
	budget  int64 // 0 is unlimited
	down    error // Settle fails with it, as after a kill between Bank and Settle
}

func newMemory() *memory {
	return &memory{cache: map[llm.Key]string{}, vectors: map[string]map[string][]float32{}}
}

func (m *memory) find(id string) *llm.Call {
	for _, c := range m.calls {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func (m *memory) Lookup(_ context.Context, key llm.Key) (*llm.Call, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if id, ok := m.cache[key]; ok {
		c := *m.find(id)
		return &c, nil
	}
	for _, c := range m.calls {
		if c.Key == key && c.State == llm.CallBanked {
			found := *c
			return &found, nil
		}
	}
	return nil, nil
}

func (m *memory) Begin(ctx context.Context, c llm.Call) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.find(c.ID) != nil || c.State != llm.CallSent {
		return fmt.Errorf("begin of %s in state %s", c.ID, c.State)
	}
	var reserved int64
	for _, other := range m.calls {
		reserved += other.EstimateMicros
	}
	if m.budget > 0 && reserved+c.EstimateMicros > m.budget {
		return problem.New(problem.Incomplete, "budget_spent", "the budget is spent")
	}
	m.calls = append(m.calls, &c)
	return nil
}

func (m *memory) Bank(ctx context.Context, id string, raw llm.Raw) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	c := m.find(id)
	if c == nil || c.State != llm.CallSent {
		return fmt.Errorf("bank of %s, which is not sent", id)
	}
	sum := sha256.Sum256(raw.Body)
	c.State, c.HTTPStatus, c.Reply, c.DoneAt, c.ReplySHA256 = llm.CallBanked, raw.Status, bytes.Clone(raw.Body), &raw.At,
		hex.EncodeToString(sum[:])
	return nil
}

func (m *memory) Settle(ctx context.Context, id string, o llm.Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.down != nil {
		return m.down
	}
	c := m.find(id)
	if c == nil || (c.State != llm.CallSent && c.State != llm.CallBanked) {
		return fmt.Errorf("settle of %s, which is not open", id)
	}
	if o.State == llm.CallUsable && c.State != llm.CallBanked {
		return fmt.Errorf("%s is usable but was never banked", id)
	}
	c.State, c.Cause, c.CostMicros, c.CostKind = o.State, o.Cause, o.CostMicros, o.CostKind
	c.PromptTokens, c.CompletionTokens, c.ModelSeen = o.PromptTokens, o.CompletionTokens, o.ModelSeen
	if _, there := m.cache[c.Key]; !there && o.State == llm.CallUsable {
		m.cache[c.Key] = id
	}
	return nil
}

func (m *memory) Vectors(_ context.Context, space string, digests []string) (map[string][]float32, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	out := map[string][]float32{}
	for _, d := range digests {
		if v, ok := m.vectors[space][d]; ok {
			out[d] = slices.Clone(v)
		}
	}
	return out, nil
}

func (m *memory) PutVectors(ctx context.Context, space string, vectors map[string][]float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.vectors[space] == nil {
		m.vectors[space] = map[string][]float32{}
	}
	for d, v := range vectors {
		if _, there := m.vectors[space][d]; !there {
			m.vectors[space][d] = slices.Clone(v)
		}
	}
	return nil
}

// rows returns copies of the calls in the order in which they began.
func (m *memory) rows() []llm.Call {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	out := make([]llm.Call, len(m.calls))
	for i, c := range m.calls {
		out[i] = *c
	}
	return out
}

func (m *memory) states() []llm.CallState {
	var out []llm.CallState
	for _, c := range m.rows() {
		out = append(out, c.State)
	}
	return out
}

// clock is a time that moves only when somebody sleeps.
type clock struct {
	mutex  sync.Mutex
	now    time.Time
	sleeps []time.Duration
}

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
	c.sleeps = append(c.sleeps, d)
	return nil
}

func (c *clock) slept() []time.Duration {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Clone(c.sleeps)
}

// rig is a provider in front of a fake server on loopback.
type rig struct {
	provider llm.Provider
	server   *fakeprovider.Server
	ledger   *memory
	clock    *clock
	url      string
}

func newRig(t *testing.T, o fakeprovider.Options, adjust ...func(*llm.OpenAIConfig)) *rig {
	t.Helper()
	if o.Key == "" {
		o.Key = apiKey
	}
	r := &rig{server: fakeprovider.New(o), ledger: newMemory(), clock: &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
	s := httptest.NewServer(r.server)
	t.Cleanup(s.Close)
	client := waiting(t, outbound.Options{})
	r.url = s.URL
	r.open(t, append([]func(*llm.OpenAIConfig){func(c *llm.OpenAIConfig) {
		c.BaseURL, c.Client, c.Now, c.Sleep = s.URL+"/v1", client, r.clock.Now, r.clock.Sleep
	}}, adjust...))
	return r
}

// waiting is a client with limits of its own. Where none is named it waits longer than any machine is busy: only tests that mean a
// silence are impatient.
func waiting(t *testing.T, o outbound.Options) *http.Client {
	t.Helper()
	o.Idle, o.FirstByte, o.Total = cmp.Or(o.Idle, time.Minute), cmp.Or(o.FirstByte, time.Minute), cmp.Or(o.Total, 2*time.Minute)
	client, err := outbound.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// impatient takes a pause in a reply of that length for its end.
func impatient(t *testing.T, idle time.Duration) func(*llm.OpenAIConfig) {
	t.Helper()
	return func(c *llm.OpenAIConfig) { c.Client = waiting(t, outbound.Options{Idle: idle}) }
}

// open makes the rig's provider.
func (r *rig) open(t *testing.T, adjust []func(*llm.OpenAIConfig)) {
	t.Helper()
	var id atomic.Int64
	cfg := llm.OpenAIConfig{
		Name: "fake", APIKey: apiKey, Ledger: r.ledger, Vectors: r.ledger, Secret: []byte("0123456789abcdef"), Owner: "test", Seed: 1,
		NewID:  func() string { return fmt.Sprintf("call-%d", id.Add(1)) },
		Prices: llm.Prices{model: {Input: 1, Output: 2}},
	}
	for _, a := range adjust {
		a(&cfg)
	}
	var err error
	if r.provider, err = llm.NewOpenAI(cfg); err != nil {
		t.Fatal(err)
	}
}

// again is the same server and ledger seen by a new process.
func (r *rig) again(t *testing.T) *rig {
	t.Helper()
	next := newRig(t, fakeprovider.Options{}, func(c *llm.OpenAIConfig) {
		c.BaseURL, c.Ledger, c.Vectors = r.url+"/v1", r.ledger, r.ledger
		inner := c.NewID
		c.NewID = func() string { return "second-" + inner() }
	})
	next.server, next.ledger = r.server, r.ledger
	return next
}

var scoreSchema = &replies.Schema{Name: "score", Body: json.RawMessage(
	`{"type":"object","properties":{"score":{"type":"integer","minimum":1,"maximum":5}},"required":["score"],"additionalProperties":false}`)}

func judgeRequest() llm.Request {
	return llm.Request{Purpose: "judge.test", Model: model, Instruction: "Score it.", Data: json.RawMessage(`{"answer":"42"}`),
		Schema: scoreSchema}
}

func textRequest() llm.Request {
	r := judgeRequest()
	r.Purpose, r.Schema = "generate", nil
	return r
}

// always makes every request go wrong in the same way; once only the first.
func always(b fakeprovider.Behaviour) fakeprovider.Options {
	return fakeprovider.Options{Behave: func(fakeprovider.Request) fakeprovider.Behaviour { return b }}
}

func once(b fakeprovider.Behaviour) fakeprovider.Options {
	return fakeprovider.Options{Script: map[int]fakeprovider.Behaviour{1: b}}
}

func repeat(state llm.CallState, n int) []llm.CallState {
	return slices.Repeat([]llm.CallState{state}, n)
}

// checkNoKey fails when the key, or half of it, is anywhere in the rows or the error.
func checkNoKey(t *testing.T, rows []llm.Call, err error) {
	t.Helper()
	half := apiKey[:len(apiKey)/2]
	for _, c := range rows {
		text := fmt.Sprintf("%+v %s %s", c, c.Request, c.Reply)
		if bytes.Contains([]byte(text), []byte(half)) {
			t.Errorf("row %s holds the API key", c.ID)
		}
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if bytes.Contains([]byte(e.Error()), []byte(half)) {
			t.Errorf("the error holds the API key: %v", e)
		}
	}
}

func digests(m *memory) []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var out []string
	for _, space := range m.vectors {
		out = append(out, slices.Sorted(maps.Keys(space))...)
	}
	return out
}
