package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestCompleteBooksACallAndServesItAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{})
	ctx := llm.WithScope(t.Context(), llm.Scope{RunID: "run-1", QuestionID: "q-1", Stage: "judge"})
	first, err := r.provider.Complete(ctx, judgeRequest())
	if err != nil {
		t.Fatal(err)
	}
	bill := r.server.Ledger()[0]
	want := llm.Reply{
		Text: `{"score":1}`, Model: model, FinishReason: "stop", CallID: "call-1",
		Usage: llm.Usage{PromptTokens: bill.PromptTokens, CompletionTokens: bill.CompletionTokens},
	}
	cost, _ := llm.Prices{model: {Input: 1, Output: 2}}.Cost(model, want.Usage)
	want.CostMicros, want.CostKnown = cost, true
	if diff := cmp.Diff(want, first); diff != "" {
		t.Fatalf("reply (-want +got): %s", diff)
	}
	row := r.ledger.rows()[0]
	got := []any{row.RunID, row.QuestionID, row.Stage, row.Purpose, row.Provider, row.Model, row.Owner, row.State, row.CostKind,
		row.CostMicros, row.HTTPStatus}
	if diff := cmp.Diff([]any{"run-1", "q-1", "judge", "judge.test", "fake", model, "test", llm.CallUsable, "reported", cost, 200},
		got); diff != "" {
		t.Fatalf("row (-want +got): %s", diff)
	}
	if row.EstimateMicros < row.CostMicros {
		t.Errorf("estimated %d, cost %d", row.EstimateMicros, row.CostMicros)
	}
	for _, p := range []*rig{r, r.again(t)} {
		second, err := p.provider.Complete(ctx, judgeRequest())
		want.Cached = true
		if diff := cmp.Diff(want, second); err != nil || diff != "" {
			t.Fatalf("cached reply: %v %s", err, diff)
		}
	}
	if n := len(r.server.Ledger()); n != 1 {
		t.Fatalf("the server was asked %d times, want once", n)
	}
	replicate := judgeRequest()
	replicate.Replicate = 1
	if _, err := r.provider.Complete(ctx, replicate); err != nil || len(r.server.Ledger()) != 2 {
		t.Fatalf("a replicate must be asked: %v", err)
	}
}

func TestKillBetweenBankAndSettle(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{})
	r.ledger.down = errors.New("killed")
	if _, err := r.provider.Complete(t.Context(), judgeRequest()); err == nil {
		t.Fatal("a reply came although its row could not be settled")
	}
	if diff := cmp.Diff([]llm.CallState{llm.CallBanked}, r.ledger.states()); diff != "" {
		t.Fatal(diff)
	}
	r.ledger.down = nil
	reply, err := r.again(t).provider.Complete(t.Context(), judgeRequest())
	if err != nil || reply.Text != `{"score":1}` || !reply.Cached {
		t.Fatalf("reply = %+v, %v", reply, err)
	}
	if diff := cmp.Diff([]llm.CallState{llm.CallUsable}, r.ledger.states()); diff != "" {
		t.Fatal(diff)
	}
	if n := len(r.server.Ledger()); n != 1 {
		t.Fatalf("paid %d times", n)
	}
}

func TestBankedRubbishIsSettledAndAskedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, once(fakeprovider.Behaviour{Fault: fakeprovider.WrongSchema}))
	r.ledger.down = errors.New("killed")
	_, _ = r.provider.Complete(t.Context(), judgeRequest())
	r.ledger.down = nil
	reply, err := r.again(t).provider.Complete(t.Context(), judgeRequest())
	if err != nil || reply.Cached {
		t.Fatalf("reply = %+v, %v", reply, err)
	}
	if diff := cmp.Diff([]llm.CallState{llm.CallUnusable, llm.CallUsable}, r.ledger.states()); diff != "" {
		t.Fatal(diff)
	}
}

func TestEqualRequestsInFlightAreAskedOnce(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	r := newRig(t, fakeprovider.Options{Responder: func(string, string, string, []byte) (string, error) {
		<-release
		return `{"score":4}`, nil
	}})
	var wg sync.WaitGroup
	replies := make([]llm.Reply, 20)
	for i := range replies {
		wg.Go(func() {
			reply, err := r.provider.Complete(t.Context(), judgeRequest())
			if err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
			replies[i] = reply
		})
	}
	close(release)
	wg.Wait()
	paid := 0
	for _, reply := range replies {
		if reply.Text != `{"score":4}` {
			t.Fatalf("reply = %+v", reply)
		}
		if !reply.Cached {
			paid++
		}
	}
	if n := len(r.server.Ledger()); n != 1 || paid != 1 {
		t.Fatalf("asked %d times, %d callers paid; want 1 and 1", n, paid)
	}
}

func TestCancelledLeaderDoesNotFailItsFollower(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	r := newRig(t, fakeprovider.Options{Behave: func(q fakeprovider.Request) fakeprovider.Behaviour {
		if q.N == 1 {
			close(arrived)
			return fakeprovider.Behaviour{Fault: fakeprovider.Hang}
		}
		return fakeprovider.Behaviour{}
	}})
	leader, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := r.provider.Complete(leader, judgeRequest())
		done <- err
	}()
	<-arrived
	follower := make(chan error, 1)
	go func() {
		_, err := r.provider.Complete(t.Context(), judgeRequest())
		follower <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("leader: %v", err)
	}
	if err := <-follower; err != nil {
		t.Fatalf("follower: %v", err)
	}
	// The leader's call may have been billed, so its row is closed as such.
	if diff := cmp.Diff([]llm.CallState{llm.CallUnknown, llm.CallUsable}, r.ledger.states()); diff != "" {
		t.Fatal(diff)
	}
	if c := r.ledger.rows()[0]; c.Cause != "cancelled" || c.CostMicros != 0 || c.EstimateMicros == 0 || c.CostKind != "estimated" {
		t.Fatalf("row of the cancelled call: %+v", c)
	}
}

func TestBudgetStopsBeforeSending(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{})
	r.ledger.budget = 1
	_, err := r.provider.Complete(t.Context(), judgeRequest())
	if problem.CodeOf(err) != "budget_spent" || len(r.server.Ledger()) != 0 || len(r.ledger.rows()) != 0 {
		t.Fatalf("error = %v, %d requests sent", err, len(r.server.Ledger()))
	}
}

func TestServerWithoutJSONSchema(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{
		Behave: func(q fakeprovider.Request) fakeprovider.Behaviour {
			if strings.Contains(string(q.Body), `"json_schema"`) {
				return fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Body: "response_format json_schema is not supported"}
			}
			return fakeprovider.Behaviour{}
		},
		Responder: func(_, system, _ string, _ []byte) (string, error) {
			if !strings.Contains(system, string(scoreSchema.Body)) {
				return "no schema in the prompt", nil
			}
			return "```json\n{\"score\": 3}\n```", nil
		},
	})
	for i := range 2 {
		req := judgeRequest()
		req.Replicate = i
		reply, err := r.provider.Complete(t.Context(), req)
		if err != nil || reply.Text != `{"score": 3}` {
			t.Fatalf("reply = %+v, %v", reply, err)
		}
	}
	rows := r.ledger.rows()
	if diff := cmp.Diff([]llm.CallState{llm.CallFailed, llm.CallUsable, llm.CallUsable}, r.ledger.states()); diff != "" {
		t.Fatalf("the fallback must be remembered: %s", diff)
	}
	if rows[0].Key != rows[1].Key || string(rows[0].Request) == string(rows[1].Request) {
		t.Fatal("the fallback must be another body under the same key")
	}
}

func TestServerThatWantsMaxCompletionTokens(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{Behave: func(q fakeprovider.Request) fakeprovider.Behaviour {
		if strings.Contains(string(q.Body), `"max_tokens"`) {
			return fakeprovider.Behaviour{Fault: fakeprovider.ClientError,
				Body: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}
		}
		return fakeprovider.Behaviour{}
	}})
	req := judgeRequest()
	req.MaxTokens = 100
	if _, err := r.provider.Complete(t.Context(), req); err != nil {
		t.Fatal(err)
	}
}

func TestTruncatedReplyIsAskedWithTwiceTheTokens(t *testing.T) {
	t.Parallel()
	r := newRig(t, once(fakeprovider.Behaviour{Fault: fakeprovider.Length}))
	req := judgeRequest()
	req.MaxTokens = 50
	if _, err := r.provider.Complete(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	var limits []int
	for _, c := range r.ledger.rows() {
		var body struct {
			MaxTokens   int      `json:"max_tokens"`
			Temperature *float64 `json:"temperature"`
		}
		if err := json.Unmarshal(c.Request, &body); err != nil {
			t.Fatal(err)
		}
		if body.Temperature == nil || *body.Temperature != 0 {
			t.Error("a temperature of 0 must be sent, or the server takes its default")
		}
		limits = append(limits, body.MaxTokens)
	}
	if diff := cmp.Diff([]int{50, 100}, limits); diff != "" {
		t.Fatal(diff)
	}
}

func TestPlainTextKeepsATruncatedReply(t *testing.T) {
	t.Parallel()
	r := newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.Length}))
	reply, err := r.provider.Complete(t.Context(), textRequest())
	if err != nil || reply.FinishReason != "length" || reply.Text == "" {
		t.Fatalf("reply = %+v, %v", reply, err)
	}
}

func TestMissingUsageIsEstimatedAndMissingPriceUnknown(t *testing.T) {
	t.Parallel()
	r := newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.NoUsage}))
	if _, err := r.provider.Complete(t.Context(), judgeRequest()); err != nil {
		t.Fatal(err)
	}
	if c := r.ledger.rows()[0]; c.CostKind != "estimated" || c.CostMicros != c.EstimateMicros || c.CostMicros == 0 {
		t.Errorf("without usage: %+v", c)
	}
	r = newRig(t, fakeprovider.Options{}, func(c *llm.OpenAIConfig) { c.Prices = nil })
	if _, err := r.provider.Complete(t.Context(), judgeRequest()); err != nil {
		t.Fatal(err)
	}
	if c := r.ledger.rows()[0]; c.CostKind != "unknown" || c.CostMicros != 0 || c.PromptTokens == 0 {
		t.Errorf("without a price: %+v", c)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	inFlight, most := 0, 0
	responder := func(string, string, string, []byte) (string, error) {
		mutex.Lock()
		inFlight++
		most = max(most, inFlight)
		mutex.Unlock()
		defer func() { mutex.Lock(); inFlight--; mutex.Unlock() }()
		return `{"score":2}`, nil
	}
	r := newRig(t, fakeprovider.Options{Responder: responder}, func(c *llm.OpenAIConfig) {
		c.Limits = llm.Limits{RequestsPerMinute: 30, Concurrency: 3}
	})
	start := r.clock.Now()
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			req := judgeRequest()
			req.Replicate = i
			if _, err := r.provider.Complete(t.Context(), req); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most > 3 {
		t.Errorf("%d requests were in flight, want at most 3", most)
	}
	// 12 requests at one every 2 s: the first is free.
	if took := r.clock.Now().Sub(start); took < 22*time.Second {
		t.Errorf("12 requests at 30 a minute took %s of the clock, want at least 22s", took)
	}
}
