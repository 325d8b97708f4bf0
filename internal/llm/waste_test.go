package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// bought asks for n different judgements, 8 at a time, as a run does, and returns the last fatal error.
func bought(t *testing.T, r *rig, n int) (fatal error) {
	t.Helper()
	ctx := llm.WithGuard(t.Context(), &llm.Guard{})
	slots := make(chan struct{}, 8)
	var group sync.WaitGroup
	var mutex sync.Mutex
	for i := range n {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			req := judgeRequest()
			req.Data = json.RawMessage(fmt.Sprintf(`{"answer":"%d"}`, i))
			if _, err := r.provider.Complete(ctx, req); llm.Fatal(err) {
				mutex.Lock()
				fatal = err
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	return fatal
}

// TestPayingForNothingStops has servers whose replies are of no use: at most 40 calls are wasted, and the error says in whose words.
func TestPayingForNothingStops(t *testing.T) {
	t.Parallel()
	every := func(n int, b fakeprovider.Behaviour) fakeprovider.Options {
		return fakeprovider.Options{Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if r.N%n == 0 {
				return fakeprovider.Behaviour{}
			}
			return b
		}}
	}
	two := fakeprovider.Behaviour{Fault: fakeprovider.Content, Body: `Perhaps {"score":4}, or rather {"score":2}.`}
	for _, c := range []struct {
		name    string
		options fakeprovider.Options
		cause   string
		says    string
	}{
		{"two verdicts in each reply", always(two), llm.CauseUseless, "or rather"},
		{"no text", always(fakeprovider.Behaviour{Fault: fakeprovider.EmptyContent}), llm.CauseUseless, "were of no use"},
		{"a login page", always(fakeprovider.Behaviour{Fault: fakeprovider.HTML}), llm.CauseUseless, "Log in"},
		{"a filter", always(fakeprovider.Behaviour{Fault: fakeprovider.ContentFilter}), llm.CauseUseless, "content_filter"},
		{"refused requests", always(fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Status: http.StatusBadRequest,
			Body: "Invalid model name passed in model=gpt-test"}), llm.CauseRefused, "Invalid model name passed in model=gpt-test"},
		{"three of four of no use", every(4, two), llm.CauseUseless, "or rather"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.options)
			err := bought(t, r, 300)
			if llm.CauseOf(err) != c.cause || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it ends with %v, want %s and %q", err, c.cause, c.says)
			}
			wasted := 0
			for _, row := range r.ledger.rows() {
				if row.State != llm.CallUsable {
					wasted++
				}
			}
			t.Logf("%s: %d calls wasted", c.name, wasted)
			if wasted > 40 || wasted < 20 {
				t.Errorf("%d calls are wasted, want 20 to 40", wasted)
			}
			checkNoKey(t, r.ledger.rows(), err)
		})
	}
}

// TestAKeyThatIsRefusedIsTriedOnlyByWhatIsInFlight sends 300 judgements to a server that refuses the key.
func TestAKeyThatIsRefusedIsTriedOnlyByWhatIsInFlight(t *testing.T) {
	t.Parallel()
	r := newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Status: http.StatusUnauthorized, Body: "wrong key"}))
	err := bought(t, r, 300)
	if sent := len(r.ledger.rows()); llm.CauseOf(err) != llm.CauseAuth || sent == 0 || sent > 8 {
		t.Errorf("%d calls, and then %v", sent, err)
	}
}

// TestAFewUselessRepliesStopNothing: a model that now and then misses the form is asked again, and the run goes on. Every start of a run
// begins to count anew, and so does everything that belongs to no run.
func TestAFewUselessRepliesStopNothing(t *testing.T) {
	t.Parallel()
	bad := fakeprovider.Behaviour{Fault: fakeprovider.Content, Body: "no"}
	r := newRig(t, fakeprovider.Options{Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
		if r.N%3 == 0 {
			return bad
		}
		return fakeprovider.Behaviour{}
	}})
	if err := bought(t, r, 300); err != nil {
		t.Errorf("a third of no use: %v", err)
	}
	r = newRig(t, always(bad))
	for range 30 {
		if _, err := r.provider.Complete(t.Context(), judgeRequest()); llm.CauseOf(err) != llm.CauseSchema {
			t.Fatalf("without a guard: %v", err)
		}
	}
	for range 2 {
		if err := bought(t, r, 100); llm.CauseOf(err) != llm.CauseUseless {
			t.Errorf("a start of its own: %v", err)
		}
	}
}

func TestWordsOfBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status        int
		body          string
		server, model string
	}{
		{400, `{"error":{"message":"Invalid model name passed in model=x"}}`, "Invalid model name passed in model=x", ""},
		{400, `{"detail":"nope"}`, `"nope"`, ""},
		{502, "<html>Bad gateway</html>", "<html>Bad gateway</html>", ""},
		{200, `{"error":{"message":"upstream","code":429}}`, "the server sent an error as a success: upstream", ""},
		{200, `{"choices":[{"message":{"content":"I think\n4"},"finish_reason":"stop"}]}`, "", "I think 4"},
		{200, `{"choices":[{"message":{"refusal":"I cannot"},"finish_reason":"stop"}]}`, "", "I cannot"},
		{200, `{"choices":[{"message":{"content":"abc"},"finish_reason":"length"}]}`, "", "abc [length]"},
		{200, `<html>Log in</html>`, "", "<html>Log in</html>"},
		{200, `{}`, "", "{}"},
		{0, "", "", ""},
	} {
		if server, model := llm.Words(c.status, []byte(c.body)); server != c.server || model != c.model {
			t.Errorf("%d %s says %q and %q", c.status, c.body, server, model)
		}
	}
	long := strings.Repeat("a", 5000) + "end"
	if said, _ := llm.Words(400, []byte(long)); len(said) > 700 || !strings.HasSuffix(said, "end") {
		t.Errorf("a long text becomes %q", said)
	}
}
