package llm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// TestCutAtEveryByte is P09: wherever a body ends too early, announced or not, reset or not, nothing of it is taken for a
// reply, and its call is possibly spent.
func TestCutAtEveryByte(t *testing.T) {
	t.Parallel()
	whole := newRig(t, fakeprovider.Options{})
	if _, err := whole.provider.Complete(t.Context(), judgeRequest()); err != nil {
		t.Fatal(err)
	}
	size := len(whole.ledger.rows()[0].Reply)
	for _, fault := range []fakeprovider.Fault{fakeprovider.Truncated, fakeprovider.Chunked, fakeprovider.Reset} {
		r := newRig(t, fakeprovider.Options{Behave: func(q fakeprovider.Request) fakeprovider.Behaviour {
			if q.N%2 == 0 { // so that the circuit stays closed
				return fakeprovider.Behaviour{}
			}
			cut := q.N / 2
			if cut == 0 {
				cut = -1 // not even one byte
			}
			return fakeprovider.Behaviour{Fault: fault, Cut: cut}
		}}, func(c *llm.OpenAIConfig) { c.Retry.Attempts = 1 })
		for i := range size {
			req := judgeRequest()
			req.Replicate = i
			reply, err := r.provider.Complete(t.Context(), req)
			if llm.CauseOf(err) != llm.CauseUnreachable || reply.Text != "" {
				t.Fatalf("%s at byte %d: %+v, %v", fault, i, reply, err)
			}
			if _, err := r.provider.Complete(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		for i, c := range r.ledger.rows() {
			if i%2 == 0 && (c.State != llm.CallUnknown || c.CostMicros != 0 || c.EstimateMicros == 0) {
				t.Fatalf("%s: row %+v", fault, c)
			}
		}
	}
}

func TestBankedBeginningIsNotTakenForAReply(t *testing.T) {
	t.Parallel()
	r := newRig(t, once(fakeprovider.Behaviour{Fault: fakeprovider.Truncated}))
	r.ledger.down = errors.New("killed")
	_, _ = r.provider.Complete(t.Context(), judgeRequest())
	if c := r.ledger.rows()[0]; c.State != llm.CallBanked || c.HTTPStatus != 0 || len(c.Reply) == 0 {
		t.Fatalf("row = %+v", c)
	}
	r.ledger.down = nil
	reply, err := r.again(t).provider.Complete(t.Context(), judgeRequest())
	if err != nil || reply.Cached {
		t.Fatalf("reply = %+v, %v", reply, err)
	}
	if diff := cmp.Diff([]llm.CallState{llm.CallUnknown, llm.CallUsable}, r.ledger.states()); diff != "" {
		t.Fatal(diff)
	}
}

// TestRefusalInBothRoles is P14: to an answer a refusal is the result, to a judgement it is an error, and neither is repeated.
func TestRefusalInBothRoles(t *testing.T) {
	t.Parallel()
	for fault, finish := range map[fakeprovider.Fault]string{fakeprovider.Refusal: "refusal",
		fakeprovider.ContentFilter: "content_filter"} {
		r := newRig(t, always(fakeprovider.Behaviour{Fault: fault}))
		answer, err := r.provider.Complete(t.Context(), textRequest())
		if err != nil || answer.FinishReason != finish || (fault == fakeprovider.Refusal) != (answer.Text == "I cannot help with that.") {
			t.Errorf("%s of an answer: %+v, %v", fault, answer, err)
		}
		if _, err := r.provider.Complete(t.Context(), judgeRequest()); llm.CauseOf(err) != llm.CauseRefusal || llm.Fatal(err) {
			t.Errorf("%s of a judgement: %v", fault, err)
		}
		if diff := cmp.Diff([]llm.CallState{llm.CallUsable, llm.CallUnusable}, r.ledger.states()); diff != "" {
			t.Errorf("%s: %s", fault, diff)
		}
	}
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{Idempotent: true, Script: map[int]fakeprovider.Behaviour{
		1: {Fault: fakeprovider.Truncated}, // its repetition gets the same reply without a second charge
		4: {Fault: fakeprovider.WrongSchema},
	}}, func(c *llm.OpenAIConfig) { c.IdempotencyKeys = true })
	ask := func(replicate int) {
		t.Helper()
		req := judgeRequest()
		req.Replicate = replicate
		if _, err := r.provider.Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	ask(0)
	ask(1)
	ask(2)
	bill := r.server.Ledger()
	keys := map[string]int{}
	charged := 0
	for _, e := range bill {
		keys[e.IdempotencyKey]++
		if e.Charged {
			charged++
		}
	}
	if len(bill) != 5 || len(keys) != 4 || keys[bill[0].IdempotencyKey] != 2 || len(bill[0].IdempotencyKey) != 32 || charged != 4 {
		t.Fatalf("bill = %+v", bill)
	}
	without := newRig(t, fakeprovider.Options{})
	if _, err := without.provider.Complete(t.Context(), judgeRequest()); err != nil || without.server.Ledger()[0].IdempotencyKey != "" {
		t.Fatalf("a key was sent to a server that is not known to honour it: %v", err)
	}
}

func TestOddBillIsTold(t *testing.T) {
	t.Parallel()
	var notices []llm.Notice
	body := `{"model":"m","choices":[{"message":{"content":"{\"score\":1}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":900000,"completion_tokens":5}}`
	r := newRig(t, once(fakeprovider.Behaviour{Fault: fakeprovider.Raw, Body: body}), func(c *llm.OpenAIConfig) {
		c.Notify = func(n llm.Notice) { notices = append(notices, n) }
	})
	for i := range 2 {
		req := judgeRequest()
		req.Replicate = i
		if _, err := r.provider.Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	if c := r.ledger.rows()[0]; c.CostKind != "reported" || c.CostMicros < 900_000 || c.State != llm.CallUsable || c.Cause != "" {
		t.Errorf("row = %+v", c)
	}
	if len(notices) != 1 || notices[0].Cause != llm.CauseAnomaly || notices[0].Provider != "fake" || notices[0].Message == "" ||
		notices[0].Waiting {
		t.Errorf("notices = %+v", notices)
	}
}

func TestTooLongTextIsNamedBeforeItIsPaid(t *testing.T) {
	t.Parallel()
	long := "The manual of the ferry 操縦手引 " + strings.Repeat("alpha bravo charlie ", 400)
	r := newRig(t, fakeprovider.Options{}, func(c *llm.OpenAIConfig) { c.MaxInputTokens = 1000 })
	_, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"short", long, "also short"})
	if llm.CauseOf(err) != llm.CauseTooLong || llm.Fatal(err) || !strings.Contains(err.Error(), "text 2 of 3") ||
		!strings.Contains(err.Error(), "The manual of the ferry") {
		t.Fatalf("error = %v", err)
	}
	if len(r.ledger.rows()) != 0 || len(r.server.Ledger()) != 0 {
		t.Fatal("something was sent")
	}
	if _, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{strings.Repeat("alpha ", 900)}); err != nil {
		t.Fatalf("a text within the limit: %v", err)
	}
	known := newRig(t, fakeprovider.Options{})
	if _, err := known.provider.Embed(t.Context(), llm.Embedding{Model: "text-embedding-3-small"},
		[]string{strings.Repeat(long, 10)}); llm.CauseOf(err) != llm.CauseTooLong {
		t.Fatalf("a model whose limit is known: %v", err)
	}
	refused := newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.ClientError,
		Body: "This model's maximum context length is 512 tokens, however you requested 2000"}))
	_, err = refused.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"short", long})
	if llm.CauseOf(err) != llm.CauseTooLong || !strings.Contains(err.Error(), "The manual of the ferry") {
		t.Fatalf("a limit that only the server knows: %v", err)
	}
	if stored := digests(refused.ledger); len(stored) != 0 {
		t.Fatalf("%d vectors stored", len(stored))
	}
}
