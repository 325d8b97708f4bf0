package rag

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

func endpoint() remote.Endpoint {
	return remote.Endpoint{
		Name: "prod", URL: "https://rag.example/api/ask", Method: "POST", Template: `{"query": "{{question}}"}`, Answer: "answer",
		Contexts: "sources", ContextID: "doc", Headers: map[string]string{"Authorization": "Bearer ${RAG_KEY}"},
	}
}

// outsideProviders reaches one endpoint and one log.
type outsideProviders struct {
	namedProviders
	client llm.Provider
	log    *Log
}

func (o outsideProviders) Endpoint(remote.Endpoint) (llm.Provider, error) { return o.client, nil }
func (o outsideProviders) Log(context.Context, LogRef) (*Log, error)      { return o.log, nil }
func (o outsideProviders) Provider(name string) (llm.Provider, error) {
	return o.namedProviders.Provider(name)
}

func (e *echo) Info() llm.Info {
	return llm.Info{Name: "endpoint prod", Kind: "endpoint", Origin: "https://rag.example"}
}
func (e *echo) Embed(context.Context, llm.Embedding, []string) ([][]float32, error) { return nil, nil }

// echo answers with a fixed mapped reply and remembers what it was asked.
type echo struct {
	mu    sync.Mutex
	reply string
	asked []llm.Request
}

func (e *echo) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, req)
	return llm.Reply{Text: e.reply}, nil
}

func handbook() *Corpus {
	return NewCorpus("manual", []Document{
		{ID: "d1", Text: "Refunds take ten days. A fee of 500 yen applies. Ask at the counter."},
		{ID: "d2", Text: "Pets travel in the hold.\n  Cages must be   closed. Ask at the counter."},
	})
}

func TestEndpointAnswers(t *testing.T) {
	t.Parallel()
	e := endpoint()
	client := &echo{reply: `{"answer":"Ten days.","contexts":[{"text":"A fee of 500 yen applies."},{"text":"Pets travel in the hold. Cages must be closed.","id":"unknown"}]}`}
	stages := newMemoryStages()
	system, err := Open(t.Context(), DefaultConfig().WithEndpoint(e), handbook(), outsideProviders{client: client}, nil, stages)
	if err != nil {
		t.Fatal(err)
	}
	defer system.Close()
	run := llm.WithScope(t.Context(), llm.Scope{RunID: "r1", QuestionID: "q1"})
	got, err := system.Answer(run, "How long?")
	if err != nil {
		t.Fatal(err)
	}
	want := Answer{
		Retrieval: Retrieval{Query: "How long?", Hits: []Hit{
			{Span: Span{DocID: "d1", Start: 23, End: 48}, Score: 1, Text: "A fee of 500 yen applies."},
			{Span: Span{DocID: "d2", Start: 0, End: 50}, Score: 0.5, Text: "Pets travel in the hold. Cages must be closed."},
		}},
		Generation: Generation{Text: "Ten days."},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Answer{}, "RetrievalKey", "GenerationKey")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := system.Answer(run, "How long?"); err != nil || len(client.asked) != 1 {
		t.Errorf("asked %d times within one run: %v", len(client.asked), err)
	}
	other := llm.WithScope(t.Context(), llm.Scope{RunID: "r2", QuestionID: "q1"})
	if _, err := system.Answer(other, "How long?"); err != nil || len(client.asked) != 2 {
		t.Errorf("asked %d times in two runs: a run must ask anew: %v", len(client.asked), err)
	}
	child := llm.WithScope(t.Context(), llm.Scope{RunID: "r3", Parent: "r1", QuestionID: "q1"})
	again, err := system.Answer(child, "How long?")
	if err != nil || len(client.asked) != 2 || again.GenerationKey != got.GenerationKey {
		t.Errorf("a child run does not take over its parent's answer: %d calls, %v", len(client.asked), err)
	}
	for range 2 {
		if _, err := system.Answer(t.Context(), "How long?"); err != nil {
			t.Fatal(err)
		}
	}
	if len(client.asked) != 4 {
		t.Errorf("asked %d times: outside a run nothing is remembered", len(client.asked))
	}
}

func TestWhatAnEndpointHides(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reply  string
		corpus *Corpus
		want   string
	}{
		"no contexts":       {`{"answer":"A","contexts":null}`, handbook(), NoContexts},
		"nothing retrieved": {`{"answer":"A","contexts":[]}`, handbook(), ""},
		"located":           {`{"answer":"A","contexts":[{"text":"A fee of 500 yen applies."}]}`, handbook(), ""},
		"one not located": {`{"answer":"A","contexts":[{"text":"A fee of 500 yen applies."},{"text":"Something else."}]}`,
			handbook(), NoPlaces},
		"in two places":       {`{"answer":"A","contexts":[{"text":"Ask at the counter."}]}`, handbook(), NoPlaces},
		"the id says which":   {`{"answer":"A","contexts":[{"text":"Ask at the counter.","id":"d2"}]}`, handbook(), ""},
		"not in its document": {`{"answer":"A","contexts":[{"text":"A fee of 500 yen applies.","id":"d2"}]}`, handbook(), NoPlaces},
		"no corpus":           {`{"answer":"A","contexts":[{"text":"A fee of 500 yen applies."}]}`, nil, NoPlaces},
		"blank context":       {`{"answer":"A","contexts":[{"text":"A fee of 500 yen applies."},{"text":" "}]}`, handbook(), ""},
	} {
		e := endpoint()
		system, err := Open(t.Context(), DefaultConfig().WithEndpoint(e), test.corpus, outsideProviders{client: &echo{reply: test.reply}},
			nil, newMemoryStages())
		if err != nil {
			t.Fatal(err)
		}
		got, err := system.Answer(llm.WithScope(t.Context(), llm.Scope{RunID: "r", QuestionID: "q"}), "?")
		if err != nil || got.Hidden != test.want {
			t.Errorf("%s: hidden %q, want %q: %v", name, got.Hidden, test.want, err)
		}
		system.Close()
	}
}

func TestEndpointTakesOurContexts(t *testing.T) {
	t.Parallel()
	e := endpoint()
	e.Contexts, e.ContextID = "", ""
	e.Template = `{"q":"{{question}}","c":{{contexts}},"k":{{k}},"s":"{{system_prompt}}"}`
	base := DefaultConfig()
	base.Chunk, base.Retrieve, base.Generate.Prompt = Chunking{By: "sentences", Size: 1}, Retrieve{Mode: "bm25", K: 1}, "Be brief."
	client := &echo{reply: `{"answer":"500 yen.","contexts":null}`}
	system, err := Open(t.Context(), base.WithEndpoint(e), handbook(),
		outsideProviders{namedProviders{"offline": llm.NewOffline(offline.Handlers(), offline.Embedders())}, client, nil}, NewIndexes(1),
		newMemoryStages())
	if err != nil {
		t.Fatal(err)
	}
	defer system.Close()
	got, err := system.Answer(llm.WithScope(t.Context(), llm.Scope{RunID: "r", QuestionID: "q"}), "How much is the fee in yen?")
	if err != nil || got.Hidden != "" || len(got.Hits) != 1 || got.Hits[0].DocID != "d1" || got.Text != "500 yen." {
		t.Fatalf("%+v, %v", got, err)
	}
	want := `\"c\":[\"A fee of 500 yen applies.\"],\"k\":1,\"s\":\"Be brief.\"`
	if body := string(client.asked[0].Data); !strings.Contains(body, want) {
		t.Errorf("sent %s, which lacks %s", body, want)
	}
}
