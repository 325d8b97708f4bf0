package llm

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func offlineForTest() Provider {
	return NewOffline(map[string]Handler{
		"echo":  func(req Request) (string, error) { return string(req.Data), nil },
		"wrong": func(Request) (string, error) { return "half a reply", errors.New("no data") },
		"model": func(req Request) (string, error) { return "", UnknownModel("generator", req.Model, []string{"a", "b"}) },
	}, map[string]EmbedFunc{
		"one": func(s string) []float32 { return []float32{1, float32(len(s))} },
		"all": func(string) []float32 { return []float32{1} },
	})
}

func TestOfflineInfo(t *testing.T) {
	t.Parallel()
	want := Info{Name: "offline", Kind: "offline", Origin: OfflineVersion, Deterministic: true, Free: true}
	if got := offlineForTest().Info(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestOfflineComplete(t *testing.T) {
	t.Parallel()
	p := offlineForTest()
	reply, err := p.Complete(t.Context(), Request{Purpose: "echo", Model: "m", Data: []byte(`{"a":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Reply{Text: `{"a":1}`, Model: "m", FinishReason: "stop"}); reply != want {
		t.Errorf("%+v, want %+v", reply, want)
	}
	for purpose, words := range map[string][]string{
		"unheard-of": {`"unheard-of"`},
		"model":      {"generator", `"m"`, "a, b"},
	} {
		_, err := p.Complete(t.Context(), Request{Purpose: purpose, Model: "m"})
		if CauseOf(err) != CauseUnsupported || !Fatal(err) {
			t.Errorf("%s: %v has the cause %s", purpose, err, CauseOf(err))
		}
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not say %s", purpose, err, w)
			}
		}
	}
	if reply, err := p.Complete(t.Context(), Request{Purpose: "wrong"}); err == nil || reply != (Reply{}) {
		t.Errorf("a failing handler gave %+v, %v", reply, err)
	}
}

func TestOfflineEmbed(t *testing.T) {
	t.Parallel()
	p := offlineForTest()
	vectors, err := p.Embed(t.Context(), Embedding{Model: "one"}, []string{"a", "", "abc", "a"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{1, 0, 3, 1} {
		if !slices.Equal(vectors[i], []float32{1, want}) {
			t.Errorf("text %d has the vector %v", i, vectors[i])
		}
	}
	if vectors, err := p.Embed(t.Context(), Embedding{Model: "one"}, nil); err != nil || len(vectors) != 0 {
		t.Errorf("no texts gave %v, %v", vectors, err)
	}
	_, err = p.Embed(t.Context(), Embedding{Model: "two"}, []string{"a"})
	if CauseOf(err) != CauseUnsupported || !strings.Contains(err.Error(), `"two"`) || !strings.Contains(err.Error(), "all, one") {
		t.Errorf("an unknown model gave %v", err)
	}
}
