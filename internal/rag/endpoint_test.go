package rag

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

func endpoint() Endpoint {
	return Endpoint{
		Name: "prod", URL: "https://rag.example/api/ask", Method: "POST", Template: `{"query": "{{question}}"}`, Answer: "answer",
		Contexts: "sources", ContextID: "doc", Headers: map[string]string{"Authorization": "Bearer ${RAG_KEY}"},
	}
}

func TestEndpointValidate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*Endpoint)
		code   string
	}{
		"as it is": {func(*Endpoint) {}, ""},
		"GET": {func(e *Endpoint) { e.Method, e.Template, e.URL = "GET", "", "http://localhost:8080/ask?q={{question}}" },
			""},
		"plain header":         {func(e *Endpoint) { e.Headers = map[string]string{"Accept-Language": "ja"} }, ""},
		"two keys":             {func(e *Endpoint) { e.Headers = map[string]string{"X-Auth": "${USER_ID}:${USER_KEY}"} }, ""},
		"no scheme":            {func(e *Endpoint) { e.URL = "rag.example/ask" }, "endpoint_url"},
		"other scheme":         {func(e *Endpoint) { e.URL = "file:///etc/passwd" }, "endpoint_url"},
		"password in address":  {func(e *Endpoint) { e.URL = "https://user:hunter2@rag.example/ask" }, "endpoint_url"},
		"fragment":             {func(e *Endpoint) { e.URL += "#x" }, "endpoint_url"},
		"key in query":         {func(e *Endpoint) { e.URL += "?api_key=hunter2" }, "endpoint_url"},
		"odd method":           {func(e *Endpoint) { e.Method = "DELETE" }, "endpoint_field"},
		"GET with template":    {func(e *Endpoint) { e.Method = "GET" }, "endpoint_field"},
		"GET without question": {func(e *Endpoint) { e.Method, e.Template = "GET", "" }, "endpoint_url"},
		"no template":          {func(e *Endpoint) { e.Template = "" }, "endpoint_field"},
		"no answer":            {func(e *Endpoint) { e.Answer = "" }, "endpoint_field"},
		"wrong path":           {func(e *Endpoint) { e.Answer = "a..b" }, "json_path"},
		"context path alone":   {func(e *Endpoint) { e.Contexts = "" }, "endpoint_field"},
		"timeout":              {func(e *Endpoint) { e.TimeoutMS = 3_600_000 }, "endpoint_field"},
		"key written out": {func(e *Endpoint) { e.Headers = map[string]string{"Authorization": "Bearer hunter2"} },
			"endpoint_header"},
		"key beside a variable": {func(e *Endpoint) { e.Headers = map[string]string{"X-Key": "hunter2hunter2hunter2hunter2${X}"} },
			"endpoint_header"},
		"line break in header": {func(e *Endpoint) { e.Headers = map[string]string{"Accept": "a\r\nX-Evil: hunter2"} }, "endpoint_header"},
		"header name":          {func(e *Endpoint) { e.Headers = map[string]string{"X Evil": "${X}"} }, "endpoint_header"},
		"host":                 {func(e *Endpoint) { e.Headers = map[string]string{"Host": "${X}"} }, "endpoint_header"},
		"contexts both ways":   {func(e *Endpoint) { e.Template = `{"q":"{{question}}","c":{{contexts}}}` }, "endpoint_field"},
	} {
		e := endpoint()
		test.change(&e)
		err := e.Validate()
		if problem.CodeOf(err) != test.code {
			t.Errorf("%s: %v, want code %q", name, err, test.code)
		}
		if err != nil && strings.Contains(fmt.Sprint(err, problem.From(err).Hint, problem.From(err).Params), "hunter2") {
			t.Errorf("%s: the error repeats a key: %v", name, err)
		}
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	e := endpoint()
	env := map[string]string{"RAG_KEY": "sk-0123456789"}
	headers, secrets, err := e.Resolve(func(name string) string { return env[name] })
	if err != nil || headers["Authorization"] != "Bearer sk-0123456789" || !slices.Equal(secrets, []string{"sk-0123456789"}) {
		t.Errorf("%v %v %v", headers, secrets, err)
	}
	env["RAG_KEY"] = "sk-\nX-Evil: 1"
	if _, _, err := e.Resolve(func(name string) string { return env[name] }); problem.CodeOf(err) != "endpoint_key" ||
		strings.Contains(err.Error(), "Evil") {
		t.Errorf("a key with a line break: %v", err)
	}
	if _, _, err := e.Resolve(func(string) string { return "" }); problem.CodeOf(err) != "endpoint_key" ||
		!strings.Contains(err.Error(), "RAG_KEY") {
		t.Errorf("a missing key: %v", err)
	}
}

func TestAccepts(t *testing.T) {
	t.Parallel()
	for template, want := range map[string][]string{
		`{"q":"{{question}}"}`:                                 nil,
		`{"q":"{{question}}","k":{{k}}}`:                       {"retrieve.k"},
		`{"q":"{{question}}","s":"{{system_prompt}}"}`:         {"generate.prompt"},
		`{"q":"{{question}}","c":{{contexts}}}`:                {"retrieve.k", "chunk.size", "embedding.model", "corpus"},
		`{"q":"{{question}}","k":{{k}},"p":{{system_prompt}}}`: {"retrieve.k", "generate.prompt"},
	} {
		e := endpoint()
		e.Template = template
		var got []string
		for _, param := range []string{"retrieve.k", "generate.prompt", "chunk.size", "embedding.model", "corpus", "generate.model",
			"post_process"} {
			if e.Accepts(param) {
				got = append(got, param)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", template, diff)
		}
	}
}

func TestMap(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`{"text":"x"},`, 9_999) + `{"text":"y"}`
	long := strings.Repeat("あ", MaxContextBytes)
	for name, test := range map[string]struct {
		body  string
		want  mapped
		cause string
		says  string
	}{
		"texts and ids": {
			body: `{"answer":"A","sources":[{"text":"one","doc":"d1"},{"content":"two","doc":2},"three"]}`,
			want: mapped{Answer: "A", Contexts: []mappedContext{{Text: "one", ID: "d1"}, {Text: "two", ID: "2"}, {Text: "three"}}},
		},
		"empty answer":     {body: `{"answer":"","sources":[]}`, want: mapped{Contexts: []mappedContext{}}},
		"null answer":      {body: `{"answer":null,"sources":[]}`, want: mapped{Contexts: []mappedContext{}}},
		"number":           {body: `{"answer":42,"sources":[]}`, want: mapped{Answer: "42", Contexts: []mappedContext{}}},
		"contexts missing": {body: `{"answer":"A"}`, want: mapped{Answer: "A", Notes: []string{NoteContextsMissing}}},
		"contexts no list": {body: `{"answer":"A","sources":{"text":"x"}}`, want: mapped{Answer: "A", Notes: []string{NoteContextsNoList}}},
		"contexts null":    {body: `{"answer":"A","sources":null}`, want: mapped{Answer: "A", Notes: []string{NoteContextsNoList}}},
		"NUL":              {body: `{"answer":"a\u0000b","sources":[]}`, want: mapped{Answer: "a␀b", Contexts: []mappedContext{}}},
		"answer missing": {body: `{"result":"SECRET","n":[{"x":1}]}`, cause: llm.CauseEndpointMapping,
			says: "answer is not there; received keys: n[0].x, result"},
		"answer an object": {body: `{"answer":{"text":"SECRET"}}`, cause: llm.CauseEndpointMapping,
			says: "is an object, not a text; received keys: answer.text"},
		"context no text": {body: `{"answer":"A","sources":[{"body":"SECRET"}]}`, cause: llm.CauseEndpointMapping,
			says: "item 0 has no text"},
		"web page":         {body: "<html>login</html>", cause: llm.CauseEndpointEnvelope, says: "web page"},
		"empty":            {body: " \n", cause: llm.CauseEndpointEnvelope, says: "no body"},
		"cut off":          {body: `{"answer":"A`, cause: llm.CauseEndpointEnvelope, says: "not JSON"},
		"trailing garbage": {body: `{"answer":"A"} {"answer":"B"}`, cause: llm.CauseEndpointEnvelope, says: "more text"},
		"list":             {body: `["answer"]`, cause: llm.CauseEndpointMapping, says: "looked for in a list"},
	} {
		e := endpoint()
		parsed, err := e.parse()
		if err != nil {
			t.Fatal(err)
		}
		value, failure := decodeReply([]byte(test.body))
		var got mapped
		if failure == nil {
			got, failure = parsed.read(value)
		}
		if test.cause != "" {
			if failure == nil || failure.Cause != test.cause || !strings.Contains(failure.Message, test.says) ||
				strings.Contains(failure.Error(), "SECRET") {
				t.Errorf("%s: %v, want %s saying %q and no value", name, failure, test.cause, test.says)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || failure != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, failure, diff)
		}
	}
	e := endpoint()
	text, _, failure := e.Map([]byte(`{"answer":"A","sources":[` + many + `]}`))
	if failure != nil || strings.Count(text, `"text"`) != MaxContexts || !strings.Contains(text, NoteContextsCapped) {
		t.Errorf("10,000 contexts: %v, %d kept", failure, strings.Count(text, `"text"`))
	}
	text, _, failure = e.Map([]byte(`{"answer":"A","sources":["` + long + `"]}`))
	if failure != nil || !strings.Contains(text, NoteContextsCapped) || len(text) > MaxContextBytes+200 ||
		strings.Contains(text, "\uFFFD") {
		t.Errorf("a context of %d bytes: %v, %d kept", len(long), failure, len(text))
	}
}

// outsideProviders reaches one endpoint and one log.
type outsideProviders struct {
	namedProviders
	client llm.Provider
	log    *Log
}

func (o outsideProviders) Endpoint(Endpoint) (llm.Provider, error)   { return o.client, nil }
func (o outsideProviders) Log(context.Context, LogRef) (*Log, error) { return o.log, nil }
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
	system, err := Open(t.Context(), e.WithEndpoint(DefaultConfig()), handbook(), outsideProviders{client: client}, nil, stages)
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
		system, err := Open(t.Context(), e.WithEndpoint(DefaultConfig()), test.corpus, outsideProviders{client: &echo{reply: test.reply}},
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
	system, err := Open(t.Context(), e.WithEndpoint(base), handbook(),
		outsideProviders{namedProviders{"offline": llm.NewOffline(OfflineHandlers(), OfflineEmbedders())}, client, nil}, NewIndexes(1),
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
