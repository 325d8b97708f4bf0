package remote

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

func TestTemplateRenders(t *testing.T) {
	t.Parallel()
	hostile := Asking{Question: "\"}, \"admin\": true, \\ {{k}}\n\u2028 <b>", K: 5, Contexts: []string{`a"b`, "c\\"},
		Prompt: "Be \"brief\"."}
	for _, test := range []struct {
		template string
		a        Asking
		want     string
	}{
		{`{"q": "{{question}}"}`, Asking{Question: "Why?"}, `{"q": "Why?"}`},
		{`{"q": {{question}}, "k": {{ k }}}`, Asking{Question: "Why?", K: 3}, `{"q": "Why?", "k": 3}`},
		{`{"q": "Q: {{question}} ({{k}})"}`, Asking{Question: "Why?", K: 3}, `{"q": "Q: Why? (3)"}`},
		{`{"q":"{{question}}","c":{{contexts}}}`, Asking{Question: "x"}, `{"q":"x","c":[]}`},
		{
			`{"q":"{{question}}","c":{{contexts}},"s":"{{system_prompt}}"}`, hostile,
			`{"q":"\"}, \"admin\": true, \\ {{k}}\n\u2028 <b>","c":["a\"b","c\\"],"s":"Be \"brief\"."}`,
		},
		{`{"a":{"b":"{{question}}"}}`, Asking{Question: "x"}, `{"a":{"b":"x"}}`},
		{`["\"{{question}}"]`, Asking{Question: "x"}, `["\"x"]`},
	} {
		parsed, err := parseBody(test.template)
		if err != nil {
			t.Errorf("%s: %v", test.template, err)
			continue
		}
		if diff := cmp.Diff(test.want, string(parsed.body(test.a))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.template, diff)
		}
	}
}

func TestTemplateRefused(t *testing.T) {
	t.Parallel()
	for name, template := range map[string]string{
		"no question":        `{"q": "x"}`,
		"not JSON":           `{"q": "{{question}}"`,
		"beside a digit":     `{"q": "{{question}}", "k": 1{{k}}}`,
		"before an exponent": `{"q": "{{question}}", "k": {{k}}e5}`,
		"two values":         `{"q": {{question}}{{k}}}`,
		"unknown slot":       `{"q": "{{question}} {{answer}}"}`,
		"slot never closed":  `{"q": "{{question"}`,
		"contexts in text":   `{"q": "{{question}} {{contexts}}"}`,
		"form":               `q={{question}}`,
		"invalid UTF-8":      "{\"q\": \"{{question}}\xff\"}",
		"too long":           `{"q": "{{question}}", "x": "` + strings.Repeat("x", maxTemplateBytes) + `"}`,
	} {
		if _, err := parseBody(template); problem.CodeOf(err) != "endpoint_template" || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzTemplate checks that whatever is asked, a template stays the JSON it was, with the question as one text in it.
func FuzzTemplate(f *testing.F) {
	f.Add(`{"q": "{{question}}", "k": {{k}}, "c": {{contexts}}, "s": "{{system_prompt}}"}`, `"}], "x": {{question}}`, "ctx", 3)
	f.Add(`["\\{{question}}\\", {{question}}]`, "\\\"\x00\xff", "", -1)
	f.Add(`{"{{question}}": 1}`, "a", "b", 0)
	f.Fuzz(func(t *testing.T, template, question, context string, k int) {
		parsed, err := parseBody(template)
		if err != nil {
			if problem.CodeOf(err) != "endpoint_template" {
				t.Fatalf("%v is no Problem for people", err)
			}
			return
		}
		// A question is data: rendered with it, the template has the shape it has with a harmless one.
		harmless := jsonShape(t, parsed.body(Asking{Question: "harmless", K: 1, Contexts: []string{"c"}, Prompt: "p"}))
		got := jsonShape(t, parsed.body(Asking{Question: question, K: k, Contexts: []string{context}, Prompt: question}))
		if diff := cmp.Diff(harmless, got); diff != "" {
			t.Fatalf("the question %q changes the shape of %s:\n%s", question, template, diff)
		}
	})
}

// jsonShape is the JSON's delimiters and kinds of values, in order.
func jsonShape(t *testing.T, body []byte) []string {
	t.Helper()
	if !json.Valid(body) {
		t.Fatalf("not JSON: %s", body)
	}
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber()
	var out []string
	for {
		token, err := dec.Token()
		if err != nil {
			return out
		}
		if d, ok := token.(json.Delim); ok {
			out = append(out, d.String())
			continue
		}
		out = append(out, jsonKind(token))
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	parsed, err := parseAddress("https://rag.example/ask?q={{question}}&k={{k}}&lang=en")
	if err != nil {
		t.Fatal(err)
	}
	got := parsed.address(Asking{Question: "a&b=c #?/ 値\r\n", K: 4})
	u, err := url.Parse(got)
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{"q": {"a&b=c #?/ 値\r\n"}, "k": {"4"}, "lang": {"en"}}
	if diff := cmp.Diff(want, u.Query()); diff != "" || u.Host != "rag.example" || u.Fragment != "" {
		t.Errorf("%s (-want +got):\n%s", got, diff)
	}
	for _, address := range []string{"https://{{question}}/", "https://rag.example/{{question}}?x=1", "https://rag.example/?c={{contexts}}",
		"https://rag.example/?q={{foo}}"} {
		if _, err := parseAddress(address); problem.CodeOf(err) != "endpoint_url" {
			t.Errorf("%s: %v", address, err)
		}
	}
}
