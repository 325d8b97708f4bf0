package fakeprovider

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const chat = `{"model":"m","messages":[{"role":"system","content":"sys"},{"role":"user","content":"usr"}]}`

func start(t *testing.T, o Options) (*Server, *httptest.Server) {
	t.Helper()
	s := New(o)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return s, h
}

func post(t *testing.T, url, body string) (int, []byte, error) {
	t.Helper()
	resp, err := http.Post(url, "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	return resp.StatusCode, got, err
}

func TestBill(t *testing.T) {
	t.Parallel()
	s, h := start(t, Options{Script: map[int]Behaviour{2: {Fault: ServerError}, 3: {Fault: Truncated}}})
	for i, want := range []int{200, 500, 200} {
		status, _, err := post(t, h.URL+"/v1/chat/completions", chat)
		if broken := i == 2; status != want || (err != nil) != broken {
			t.Fatalf("request %d: %d, %v", i+1, status, err)
		}
	}
	if _, _, err := post(t, h.URL+"/v1/embeddings", `{"model":"e","input":["abcd","efghi"]}`); err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{N: 1, Path: "chat/completions", Model: "m", Status: 200, PromptTokens: 2, CompletionTokens: 10, Charged: true},
		{N: 2, Path: "chat/completions", Model: "m", Fault: ServerError, Status: 500, PromptTokens: 2, CompletionTokens: 10},
		{N: 3, Path: "chat/completions", Model: "m", Fault: Truncated, Status: 200, PromptTokens: 2, CompletionTokens: 10, Charged: true},
		{N: 4, Path: "embeddings", Purpose: "embed", Model: "e", Status: 200, PromptTokens: 3, Charged: true},
	}
	got := s.Ledger()
	if got[0].Hash != got[1].Hash || got[0].Hash == got[3].Hash {
		t.Errorf("hashes must follow the bodies: %+v", got)
	}
	for i := range got {
		got[i].Hash = ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("bill (-want +got): %s", diff)
	}
}

func TestKeyAndResponder(t *testing.T) {
	t.Parallel()
	_, locked := start(t, Options{Key: "k"})
	if status, _, err := post(t, locked.URL+"/chat/completions", chat); err != nil || status != 401 {
		t.Fatalf("without the key: %d, %v", status, err)
	}
	_, own := start(t, Options{Responder: func(model, system, user string, schema []byte) (string, error) {
		if user == "fail" {
			return "", errors.New("no")
		}
		return model + system + user + string(schema), nil
	}})
	_, body, err := post(t, own.URL+"/chat/completions", chat)
	if err != nil || !bytes.Contains(body, []byte(`"content":"msysusr"`)) {
		t.Fatalf("%s, %v", body, err)
	}
	if status, _, _ := post(t, own.URL+"/chat/completions", `{"messages":[{"role":"user","content":"fail"}]}`); status != 500 {
		t.Fatalf("a failing responder gave %d", status)
	}
	if status, _, _ := post(t, own.URL+"/chat/completions", `{`); status != 400 {
		t.Fatalf("a broken request gave %d", status)
	}
}

func TestMinimalSatisfiesTheSchema(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"string","minLength":3},"b":{"type":"integer","minimum":2,"maximum":5},"c":{"type":"number","exclusiveMinimum":1}},"required":["a","b","c"],"additionalProperties":false}`,
		`{"type":"object","properties":{"list":{"type":"array","minItems":2,"items":{"$ref":"#/$defs/item"}}},"required":["list"],"$defs":{"item":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}}}`,
		`{"enum":["x","y"]}`, `{"const":7}`, `{"type":["null","string"]}`, `{"anyOf":[{"type":"integer","maximum":-3},{"type":"string"}]}`,
		`{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"null"}},"required":["b"]}]}`,
		`{"type":"array","prefixItems":[{"const":1},{"const":2}],"minItems":2,"items":false}`,
	} {
		text, err := Minimal([]byte(schema))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema)))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("mem:///s", doc); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.MustCompile("mem:///s").Validate(value); err != nil {
			t.Errorf("%s does not satisfy %s: %v", text, schema, err)
		}
	}
	for _, schema := range []string{`{`, `{"$ref":"#"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"http://x.example"}`} {
		if text, err := Minimal([]byte(schema)); err == nil {
			t.Errorf("%s gave %s", schema, text)
		}
	}
}

func TestVectorsFollowTheText(t *testing.T) {
	t.Parallel()
	dot := func(a, b string) float64 {
		var ab, aa, bb float64
		va, vb := Vector(a, 256), Vector(b, 256)
		for i := range va {
			ab, aa, bb = ab+va[i]*vb[i], aa+va[i]*va[i], bb+vb[i]*vb[i]
		}
		return ab * ab / (aa * bb)
	}
	if same := dot("How do I get a refund?", "How do I get a refund?"); same < 0.999 {
		t.Errorf("equal texts have similarity %v", same)
	}
	if near, far := dot("how do I get a refund", "I want a refund"), dot("how do I get a refund", "blue whales sing"); near <= far {
		t.Errorf("shared words: %v, none: %v", near, far)
	}
	if near, far := dot("返金の方法を教えて", "返金の方法"), dot("返金の方法を教えて", "天気は晴れ"); near <= far {
		t.Errorf("shared characters: %v, none: %v", near, far)
	}
}

func TestEveryVectorFaultShows(t *testing.T) {
	t.Parallel()
	for _, fault := range []Fault{VectorsNaN, VectorsNull, VectorsOverflow, VectorsZero, VectorsRagged, VectorsWrongSize, VectorsShort,
		VectorsDoubled, VectorsShuffled, VectorsBadIndex} {
		_, h := start(t, Options{Script: map[int]Behaviour{2: {Fault: fault}}})
		_, good, _ := post(t, h.URL+"/embeddings", `{"model":"e","input":["a","b"]}`)
		_, bad, _ := post(t, h.URL+"/embeddings", `{"model":"e","input":["a","b"]}`)
		if bytes.Equal(good, bad) || len(bad) == 0 || !json.Valid(good) {
			t.Errorf("%s changes nothing", fault)
		}
	}
}
