package store

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
)

// TestWorkersShareTheCountOfWaste has two processes work one run before a judge whose replies are of no use: together they waste at most 40
// calls, whoever makes them and whenever the second joins. A judge that refuses schemas and answers without them wastes nothing.
func TestWorkersShareTheCountOfWaste(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		stores := [2]*Store{d.open(t), d.open(t)}
		unread := func(fakeprovider.Request) fakeprovider.Behaviour {
			return fakeprovider.Behaviour{Fault: fakeprovider.Content, Body: "rather good"}
		}
		for _, join := range []int64{0, 12, 19} {
			sent, causes := judgedByTwo(t, stores, budgeted(t, stores[0], 0), join, unread)
			t.Logf("the second joins after %d: %d calls, %v", join, sent, causes)
			if sent > 40 || sent < 20 || causes[llm.CauseUseless] < 2 {
				t.Errorf("the second joins after %d: %d calls were wasted and the two ended with %v", join, sent, causes)
			}
		}
		schemas := func(r fakeprovider.Request) fakeprovider.Behaviour {
			if r.Schema == nil {
				return fakeprovider.Behaviour{}
			}
			return fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Status: http.StatusBadRequest,
				Body: "response_format json_schema is not supported"}
		}
		sent, causes := judgedByTwo(t, stores, budgeted(t, stores[0], 0), 0, schemas)
		if causes[llm.CauseUseless]+causes[llm.CauseRefused] > 0 {
			t.Errorf("a server without schemas stops the run after %d calls: %v", sent, causes)
		}
	})
}

// judgedByTwo lets two processes ask for 60 judgements each, four at a time, and returns how many calls the ledger has and how asking
// ended. The second opens the run when join requests have come in.
func judgedByTwo(t *testing.T, stores [2]*Store, run string, join int64,
	behave func(fakeprovider.Request) fakeprovider.Behaviour) (int, map[string]int) {
	t.Helper()
	var came atomic.Int64
	joined := make(chan struct{})
	counted := func(r fakeprovider.Request) fakeprovider.Behaviour {
		if came.Add(1) == join {
			close(joined)
		}
		return behave(r)
	}
	begin := experiments.Event{RunID: run, Kind: experiments.EventStarted, At: time.Now(), Body: []byte("{}")}
	_, err := stores[0].AppendEvent(t.Context(), begin)
	ok(t, err)
	server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{Behave: counted,
		Answer: func(fakeprovider.Request) (string, error) { return `{"score":3}`, nil }}))
	t.Cleanup(server.Close)
	causes, mutex := map[string]int{}, sync.Mutex{}
	var group sync.WaitGroup
	for process, s := range stores {
		if process > 0 && join > 0 {
			<-joined
		}
		ids := 0
		provider, err := llm.NewOpenAI(llm.OpenAIConfig{Name: "gate", BaseURL: server.URL + "/v1", APIKey: "k", Client: server.Client(),
			Secret: []byte("0123456789abcdef"), Owner: fmt.Sprint("worker ", process), Ledger: s, Now: time.Now,
			NewID: func() string {
				mutex.Lock()
				defer mutex.Unlock()
				ids++
				return fmt.Sprintf("%s-%d-%d", run, process, ids)
			}})
		ok(t, err)
		started, err := s.LastStarted(t.Context(), run)
		ok(t, err)
		ctx := llm.WithGuard(llm.WithScope(t.Context(), llm.Scope{RunID: run, Stage: "judge"}), &llm.Guard{
			Others: func(ctx context.Context, provider, model string, most int) ([]bool, error) {
				return s.NewestWasted(ctx, run, provider, model, started, most)
			}})
		slots := make(chan struct{}, 4)
		group.Go(func() {
			for i := range 60 {
				slots <- struct{}{}
				group.Go(func() {
					defer func() { <-slots }()
					_, err := provider.Complete(ctx, llm.Request{Purpose: "judge.trust", Model: "judge", Instruction: "Grade it.",
						Data: json.RawMessage(fmt.Sprintf(`{"answer":"%d of %d"}`, i, process)), Schema: &replies.Schema{Name: "rubric",
							Body: json.RawMessage(`{"type":"object","properties":{"score":{"type":"integer"}},"required":["score"],` +
								`"additionalProperties":false}`)}, MaxTokens: 100})
					mutex.Lock()
					defer mutex.Unlock()
					if cause := llm.CauseOf(err); err != nil {
						causes[cause]++
					}
				})
			}
		})
	}
	group.Wait()
	calls, err := stores[0].Calls(t.Context(), run)
	ok(t, err)
	return len(calls), causes
}
