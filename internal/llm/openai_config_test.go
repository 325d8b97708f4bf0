package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestKeyOfCoversEveryField(t *testing.T) {
	t.Parallel()
	info := llm.Info{Kind: "openai", Origin: "https://a.example/v1"}
	base := llm.Request{Schema: &replies.Schema{Name: "n", Body: json.RawMessage(`{}`)}, Data: json.RawMessage(`{}`)}
	keys := map[llm.Key]string{llm.KeyOf(info, base): "the base"}
	note := func(key llm.Key, what string) {
		if before, twice := keys[key]; twice {
			t.Errorf("%s has the key of %s", what, before)
		}
		keys[key] = what
	}
	change := func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			v.SetString(v.String() + "x")
		case reflect.Int:
			v.SetInt(v.Int() + 1)
		case reflect.Float64:
			v.SetFloat(v.Float() + 0.5)
		case reflect.Slice:
			v.SetBytes([]byte(`{"x":1}`))
		default:
			t.Fatalf("teach this test about %s", v.Type())
		}
	}
	for i := range reflect.TypeFor[llm.Request]().NumField() {
		req := base
		field := reflect.ValueOf(&req).Elem().Field(i)
		name := reflect.TypeFor[llm.Request]().Field(i).Name
		if name == "Rerank" || name == "Compact" || name == "Value" || name == "made" {
			continue // in which dialect a service is asked, and how the data is held: not what it is asked
		}
		if field.Kind() != reflect.Pointer {
			change(field)
			note(llm.KeyOf(info, req), name)
			continue
		}
		for k := range field.Elem().NumField() {
			if reflect.TypeFor[replies.Schema]().Field(k).Name == "Partial" {
				continue // says how the reply is read, not what is asked for
			}
			schema := *base.Schema
			req.Schema = &schema
			change(reflect.ValueOf(&schema).Elem().Field(k))
			note(llm.KeyOf(info, req), fmt.Sprint(name, " field ", k))
		}
		req.Schema = nil
		note(llm.KeyOf(info, req), "no "+name)
	}
	note(llm.KeyOf(llm.Info{Kind: "other", Origin: info.Origin}, base), "the kind")
	note(llm.KeyOf(llm.Info{Kind: info.Kind, Origin: "https://b.example/v1"}, base), "the origin")
	if llm.KeyOf(llm.Info{Name: "renamed", Kind: info.Kind, Origin: info.Origin}, base) != llm.KeyOf(info, base) {
		t.Error("the provider's name must not change the key")
	}
}

func TestRequestsThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*llm.Request){
		"no model":         func(r *llm.Request) { r.Model = "" },
		"data is no JSON":  func(r *llm.Request) { r.Data = json.RawMessage(`{"a":`) },
		"data is a list":   func(r *llm.Request) { r.Data = json.RawMessage(`[1]`) },
		"schema is broken": func(r *llm.Request) { r.Schema = &replies.Schema{Name: "s", Body: json.RawMessage(`{"type":12}`)} },
		"schema reads files": func(r *llm.Request) {
			r.Schema = &replies.Schema{Name: "s", Body: json.RawMessage(`{"$ref":"file:///etc/hostname"}`)}
		},
	} {
		r := newRig(t, fakeprovider.Options{})
		req := judgeRequest()
		spoil(&req)
		if _, err := r.provider.Complete(t.Context(), req); llm.CauseOf(err) != llm.CauseRequest || len(r.ledger.rows()) != 0 {
			t.Errorf("%s: error = %v", name, err)
		}
	}
}

func TestConfigurationsThatCannotWork(t *testing.T) {
	t.Parallel()
	good := llm.OpenAIConfig{
		Name: "p", BaseURL: "https://API.example:443/v1/", Secret: make([]byte, 16), Now: time.Now, NewID: func() string { return "1" },
	}
	p, err := llm.NewOpenAI(good)
	if err != nil || p.Info().Origin != "https://api.example/v1" {
		t.Fatalf("%+v, %v", p, err)
	}
	for name, spoil := range map[string]func(*llm.OpenAIConfig){
		"no name":      func(c *llm.OpenAIConfig) { c.Name = "" },
		"no URL":       func(c *llm.OpenAIConfig) { c.BaseURL = "" },
		"odd scheme":   func(c *llm.OpenAIConfig) { c.BaseURL = "file:///etc" },
		"password":     func(c *llm.OpenAIConfig) { c.BaseURL = "https://u:hunter2@api.example" },
		"query":        func(c *llm.OpenAIConfig) { c.BaseURL = "https://api.example?key=hunter2" },
		"short secret": func(c *llm.OpenAIConfig) { c.Secret = []byte("short") },
		"no clock":     func(c *llm.OpenAIConfig) { c.Now = nil },
		"no ids":       func(c *llm.OpenAIConfig) { c.NewID = nil },
		"key and line": func(c *llm.OpenAIConfig) { c.APIKey = "hunter2\n" },
	} {
		cfg := good
		spoil(&cfg)
		_, err := llm.NewOpenAI(cfg)
		if !problem.Is(err, problem.Invalid) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error = %v", name, err)
		}
	}
}

func TestWithoutLedger(t *testing.T) {
	t.Parallel()
	server := fakeprovider.New(fakeprovider.Options{})
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	p, err := llm.NewOpenAI(llm.OpenAIConfig{
		Name: "probe", BaseURL: s.URL, Secret: make([]byte, 16), Now: time.Now, NewID: func() string { return "1" },
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if reply, err := p.Complete(t.Context(), judgeRequest()); err != nil || reply.Cached || reply.CallID != "" {
			t.Fatalf("reply = %+v, %v", reply, err)
		}
	}
	if v, err := p.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"a", "b"}); err != nil || len(v) != 2 {
		t.Fatalf("embed: %v", err)
	}
}
