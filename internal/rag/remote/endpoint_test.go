package remote

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

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
		e := prod()
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
	e := prod()
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
		e := prod()
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
		want  Reply
		cause string
		says  string
	}{
		"texts and ids": {
			body: `{"answer":"A","sources":[{"text":"one","doc":"d1"},{"content":"two","doc":2},"three"]}`,
			want: Reply{Answer: "A", Contexts: []Context{{Text: "one", ID: "d1"}, {Text: "two", ID: "2"}, {Text: "three"}}},
		},
		"empty answer":     {body: `{"answer":"","sources":[]}`, want: Reply{Contexts: []Context{}}},
		"null answer":      {body: `{"answer":null,"sources":[]}`, want: Reply{Contexts: []Context{}}},
		"number":           {body: `{"answer":42,"sources":[]}`, want: Reply{Answer: "42", Contexts: []Context{}}},
		"contexts missing": {body: `{"answer":"A"}`, want: Reply{Answer: "A", Notes: []string{NoteContextsMissing}}},
		"contexts no list": {body: `{"answer":"A","sources":{"text":"x"}}`, want: Reply{Answer: "A", Notes: []string{NoteContextsNoList}}},
		"contexts null":    {body: `{"answer":"A","sources":null}`, want: Reply{Answer: "A", Notes: []string{NoteContextsNoList}}},
		"NUL":              {body: `{"answer":"a\u0000b","sources":[]}`, want: Reply{Answer: "a␀b", Contexts: []Context{}}},
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
		e := prod()
		parsed, err := e.Parse()
		if err != nil {
			t.Fatal(err)
		}
		value, failure := decodeReply([]byte(test.body))
		var got Reply
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
	e := prod()
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

func prod() Endpoint {
	return Endpoint{
		Name: "prod", URL: "https://rag.example/api/ask", Method: "POST", Template: `{"query": "{{question}}"}`, Answer: "answer",
		Contexts: "sources", ContextID: "doc", Headers: map[string]string{"Authorization": "Bearer ${RAG_KEY}"},
	}
}
