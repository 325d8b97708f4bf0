package llm_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// TestEveryFaultHasItsCause lets every request go wrong and checks what comes of it: the cause, one ledger row for each
// attempt and its state, no score and no key anywhere.
func TestEveryFaultHasItsCause(t *testing.T) {
	t.Parallel()
	type b = fakeprovider.Behaviour
	unusable, failed, unknown := llm.CallUnusable, llm.CallFailed, llm.CallUnknown
	for _, test := range []struct {
		name  string
		b     b
		cause string
		state llm.CallState
		rows  int
	}{
		{"unauthorized", b{Fault: fakeprovider.Unauthorized}, llm.CauseAuth, failed, 1},
		{"forbidden", b{Fault: fakeprovider.ClientError, Status: 403}, llm.CauseAuth, failed, 1},
		{"quota", b{Fault: fakeprovider.Quota}, llm.CauseQuota, failed, 1},
		{"payment required", b{Fault: fakeprovider.ClientError, Status: 402}, llm.CauseQuota, failed, 1},
		{"bad request", b{Fault: fakeprovider.ClientError, Body: "unknown field"}, llm.CauseRequest, failed, 1},
		{"no such model", b{Fault: fakeprovider.ClientError, Status: 404}, llm.CauseUnsupported, failed, 1},
		{"request time-out", b{Fault: fakeprovider.ClientError, Status: 408}, llm.CauseServer, failed, 6},
		{"500", b{Fault: fakeprovider.ServerError}, llm.CauseServer, failed, 6},
		{"503", b{Fault: fakeprovider.ServerError, Status: 503}, llm.CauseServer, failed, 6},
		{"529", b{Fault: fakeprovider.ServerError, Status: 529}, llm.CauseServer, failed, 6},
		{"501", b{Fault: fakeprovider.ServerError, Status: 501}, llm.CauseServer, failed, 1},
		{"redirect", b{Fault: fakeprovider.Redirect, Body: "https://elsewhere.example/v1?token=x"}, llm.CauseRedirect, failed, 1},
		{"web page", b{Fault: fakeprovider.HTML}, llm.CauseEnvelope, unusable, 3},
		{"malformed", b{Fault: fakeprovider.Malformed}, llm.CauseEnvelope, unusable, 3},
		{"trailing", b{Fault: fakeprovider.Trailing}, llm.CauseEnvelope, unusable, 3},
		{"array", b{Fault: fakeprovider.Raw, Body: "[]"}, llm.CauseEnvelope, unusable, 3},
		{"null", b{Fault: fakeprovider.Raw, Body: "null"}, llm.CauseEnvelope, unusable, 3},
		{"wrong types", b{Fault: fakeprovider.Raw, Body: `{"choices":{"a":1}}`}, llm.CauseEnvelope, unusable, 3},
		{"no body", b{Fault: fakeprovider.Raw, Body: ""}, llm.CauseEmpty, unusable, 3},
		{"empty object", b{Fault: fakeprovider.EmptyObject}, llm.CauseEmpty, unusable, 3},
		{"no choice", b{Fault: fakeprovider.EmptyChoices}, llm.CauseEmpty, unusable, 3},
		{"null choice", b{Fault: fakeprovider.Raw, Body: `{"choices":[null]}`}, llm.CauseEmpty, unusable, 3},
		{"no content", b{Fault: fakeprovider.EmptyContent}, llm.CauseEmpty, unusable, 3},
		{"tool call only", b{Fault: fakeprovider.Raw,
			Body: `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f",` +
				`"arguments":"{\"score\":5}"}}]},"finish_reason":"tool_calls"}]}`}, llm.CauseEmpty, unusable, 3},
		{"refusal", b{Fault: fakeprovider.Refusal}, llm.CauseRefusal, unusable, 1},
		{"content filter", b{Fault: fakeprovider.ContentFilter}, llm.CauseRefusal, unusable, 1},
		{"truncated by tokens", b{Fault: fakeprovider.Length}, llm.CauseTruncated, unusable, 2},
		{"wrong schema", b{Fault: fakeprovider.WrongSchema}, llm.CauseSchema, unusable, 3},
		{"error as success, unknown", b{Fault: fakeprovider.ErrorAs200}, llm.CauseServer, failed, 6},
		{"error as success, quota", b{Fault: fakeprovider.ErrorAs200, Body: "insufficient_quota"}, llm.CauseQuota, failed, 1},
		{"error as success, key", b{Fault: fakeprovider.ErrorAs200, Body: "invalid_api_key"}, llm.CauseAuth, failed, 1},
		{"error as success, number", b{Fault: fakeprovider.Raw, Body: `{"error":{"message":"bad","code":400}}`},
			llm.CauseRequest, failed, 1},
		{"error as success, text", b{Fault: fakeprovider.Raw, Body: `{"error":"boom"}`}, llm.CauseServer, failed, 6},
		{"reset", b{Fault: fakeprovider.Reset}, llm.CauseUnreachable, unknown, 6},
		{"cut", b{Fault: fakeprovider.Truncated}, llm.CauseUnreachable, unknown, 6},
		{"stalled", b{Fault: fakeprovider.Stall}, llm.CauseUnreachable, unknown, 6},
		{"huge", b{Fault: fakeprovider.Huge, Size: 9 << 20}, llm.CauseTooLarge, unusable, 1},
		{"key in a page", b{Fault: fakeprovider.Raw, Status: 500, Body: strings.Repeat("x", 2030) + apiKey}, llm.CauseServer, failed, 6},
		{"key in the text", b{Fault: fakeprovider.Content, Body: `{"score":"` + apiKey + `"}`}, llm.CauseSchema, unusable, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var adjust []func(*llm.OpenAIConfig)
			if test.b.Fault == fakeprovider.Stall {
				adjust = append(adjust, impatient(t, 100*time.Millisecond))
			}
			r := newRig(t, always(test.b), adjust...)
			reply, err := r.provider.Complete(t.Context(), judgeRequest())
			if got := llm.CauseOf(err); got != test.cause {
				t.Fatalf("cause = %s, want %s (%v)", got, test.cause, err)
			}
			if diff := cmp.Diff(llm.Reply{}, reply); diff != "" {
				t.Errorf("a bad reply gave a result: %s", diff)
			}
			if diff := cmp.Diff(repeat(test.state, test.rows), r.ledger.states()); diff != "" {
				t.Errorf("states of the rows (-want +got): %s", diff)
			}
			if sent := len(r.server.Ledger()); sent != test.rows {
				t.Errorf("the server got %d requests, the ledger has %d rows", sent, test.rows)
			}
			for i, c := range r.ledger.rows() {
				if c.Attempt != i+1 || c.Cause != test.cause {
					t.Errorf("row %d has attempt %d and cause %s", i, c.Attempt, c.Cause)
				}
				if (c.State == unusable) != (c.CostMicros > 0) {
					t.Errorf("row %d in state %s costs %d", i, c.State, c.CostMicros)
				}
				if c.State == unknown && (c.EstimateMicros == 0 || c.CostKind != "estimated" || c.HTTPStatus != 0 || len(c.Reply) == 0) {
					t.Errorf("row %d is possibly spent and has no estimate, or its partial reply was not kept as such: %+v", i, c)
				}
			}
			e, ok := errors.AsType[*llm.Error](err)
			if !ok || len(e.Message) > 2<<10 {
				t.Errorf("the message has %d bytes", len(e.Message))
			}
			if strings.Contains(err.Error(), "token=x") {
				t.Errorf("the error repeats the redirect's query: %v", err)
			}
			checkNoKey(t, r.ledger.rows(), err)
		})
	}
}

// TestOneFaultIsOvercome lets only the first request go wrong.
func TestOneFaultIsOvercome(t *testing.T) {
	t.Parallel()
	for _, b := range []fakeprovider.Behaviour{
		{Fault: fakeprovider.RateLimit},
		{Fault: fakeprovider.ServerError},
		{Fault: fakeprovider.HTML},
		{Fault: fakeprovider.Malformed},
		{Fault: fakeprovider.EmptyChoices},
		{Fault: fakeprovider.EmptyContent},
		{Fault: fakeprovider.Length},
		{Fault: fakeprovider.WrongSchema},
		{Fault: fakeprovider.ErrorAs200},
		{Fault: fakeprovider.Reset},
		{Fault: fakeprovider.Truncated},
		{Fault: fakeprovider.Stall},
	} {
		t.Run(string(b.Fault), func(t *testing.T) {
			t.Parallel()
			var adjust []func(*llm.OpenAIConfig)
			if b.Fault == fakeprovider.Stall { // longer than the second, good reply is held up
				adjust = append(adjust, impatient(t, 2*time.Second))
			}
			r := newRig(t, once(b), adjust...)
			reply, err := r.provider.Complete(t.Context(), judgeRequest())
			if err != nil || reply.Text != `{"score":1}` || reply.CallID != "call-2" {
				t.Fatalf("reply = %+v, %v", reply, err)
			}
			if rows := r.ledger.rows(); len(rows) != 2 || rows[1].State != llm.CallUsable || rows[0].Key != rows[1].Key {
				t.Fatalf("states = %v", r.ledger.states())
			}
		})
	}
}

func TestNoServerAtAll(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{}, func(c *llm.OpenAIConfig) { c.BaseURL = "http://127.0.0.1:1/v1" })
	_, err := r.provider.Complete(t.Context(), judgeRequest())
	if llm.CauseOf(err) != llm.CauseUnreachable {
		t.Fatalf("error = %v", err)
	}
	for _, c := range r.ledger.rows() {
		if c.State != llm.CallFailed || c.CostMicros != 0 {
			t.Errorf("nothing was sent, yet row %s is %s and costs %d", c.ID, c.State, c.CostMicros)
		}
	}
	if waits := r.clock.slept(); len(waits) != 5 {
		t.Errorf("waited %v, want five waits between six attempts", waits)
	}
}

func TestWaits(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		name     string
		b        fakeprovider.Behaviour
		min, max time.Duration
	}{
		{"seconds", fakeprovider.Behaviour{Fault: fakeprovider.RateLimit, Header: map[string]string{"Retry-After": "7"}}, 7 * time.Second,
			7 * time.Second},
		{"date", fakeprovider.Behaviour{Fault: fakeprovider.RateLimit, Header: map[string]string{"Retry-After": start.Add(90 * time.Second).
			Format(http.TimeFormat)}}, 90 * time.Second, 90 * time.Second},
		{"milliseconds", fakeprovider.Behaviour{Fault: fakeprovider.RateLimit, Header: map[string]string{"Retry-After-Ms": "2500"}},
			2500 * time.Millisecond, 2500 * time.Millisecond},
		{"reset of the limit used up", fakeprovider.Behaviour{Fault: fakeprovider.RateLimit, Header: map[string]string{
			"X-Ratelimit-Remaining-Requests": "0", "X-Ratelimit-Reset-Requests": "12s",
			"X-Ratelimit-Remaining-Tokens": "5000", "X-Ratelimit-Reset-Tokens": "6m0s",
		}}, 12 * time.Second, 12 * time.Second},
		{"a day is cut to ten minutes", fakeprovider.Behaviour{Fault: fakeprovider.RateLimit,
			Header: map[string]string{"Retry-After": "86400"}}, 10 * time.Minute, 10 * time.Minute},
		{"nothing named", fakeprovider.Behaviour{Fault: fakeprovider.RateLimit}, 500 * time.Millisecond, time.Second},
		{"unreadable", fakeprovider.Behaviour{Fault: fakeprovider.RateLimit, Header: map[string]string{"Retry-After": "soon"}},
			500 * time.Millisecond, time.Second},
		{"server error", fakeprovider.Behaviour{Fault: fakeprovider.ServerError}, 0, time.Second},
		{"server error with a time", fakeprovider.Behaviour{Fault: fakeprovider.ServerError,
			Header: map[string]string{"Retry-After": "30"}}, 30 * time.Second, 30 * time.Second},
		{"server error with the limits' headers", fakeprovider.Behaviour{Fault: fakeprovider.ServerError,
			Header: map[string]string{"X-Ratelimit-Reset-Tokens": "6m0s"}}, 0, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, once(test.b))
			if _, err := r.provider.Complete(t.Context(), judgeRequest()); err != nil {
				t.Fatal(err)
			}
			var total time.Duration
			for _, d := range r.clock.slept() {
				total += d
			}
			if total < test.min || total > test.max {
				t.Fatalf("waited %s, want %s to %s", total, test.min, test.max)
			}
		})
	}
}

func TestRateLimitForEverGivesUp(t *testing.T) {
	t.Parallel()
	r := newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.RateLimit}))
	_, err := r.provider.Complete(t.Context(), judgeRequest())
	if llm.CauseOf(err) != llm.CauseRateLimited {
		t.Fatalf("error = %v", err)
	}
	var total time.Duration
	for _, d := range r.clock.slept() {
		total += d
	}
	if n := len(r.server.Ledger()); total > 30*time.Minute || total < 20*time.Minute || n < 10 || n > 80 {
		t.Fatalf("gave up after %s and %d requests", total, n)
	}
}
