package app_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

func added(name, address string) experiments.AddedProvider {
	return experiments.AddedProvider{Name: name, BaseURL: address, Models: []string{"m"}, AddedBy: "ann"}
}

// TestAddressesThatMayNotBeAdded: each hostile address is refused with what is wrong and what to do next, and no secret in it is repeated.
func TestAddressesThatMayNotBeAdded(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Config.PrivateHosts = []string{"llm.intern", "10.0.0.5"}
	for address, says := range map[string]string{
		"":                                             "cannot be read",
		"api.example.com/v1":                           "cannot be read",
		"file:///etc/passwd":                           "begins with file:",
		"gopher://api.example.com":                     "begins with gopher:",
		"javascript:alert(1)":                          "cannot be read",
		"http://api.example.com/v1":                    "begins with http://",
		"https://sk-hunter2@example.com/v1":            "user name or a password",
		"https://u:hunter2@example.com/v1":             "user name or a password",
		"https://api.example.com/v1?key=hunter2":       "? or a #",
		"https://api.example.com/v1#hunter2":           "? or a #",
		"https://127.0.0.1/v1":                         "is loopback",
		"https://[::1]:8080/v1":                        "not a public IPv6 address",
		"https://[::ffff:10.0.0.1]/v1":                 "is private",
		"https://169.254.169.254/latest":               "where clouds keep credentials",
		"https://192.168.1.4":                          "is private",
		"https://10.0.0.6":                             "is private",
		"https://localhost:11434/v1":                   "of this machine",
		"https://a.localhost/v1":                       "of this machine",
		"https://ollama:11434/v1":                      "of this machine",
		"https://metadata.google.internal/":            "private networks",
		"https://printer.local/":                       "private networks",
		"https://127.1/":                               "no name of a host",
		"https://2130706433/":                          "of this machine",
		"https://0x7f.0x1/":                            "no name of a host",
		"https:///v1":                                  "names no host",
		"https://api.example.com:99999/v1":             "port 99999",
		"https://api.example.com/v1\r\nX-Evil: 1":      "line break",
		"https://api.example.com/v1 https://b.example": "line break",
		"https://api.example.com\\@evil.example/v1":    "another character",
		"https://api.example.com/\u202egnp.v1":         "another character",
		"https://api.example.com/v1/chat/completions":  "/chat/completions",
		"https://api.example.com/a/../../b":            "..",
		"https://" + strings.Repeat("a", 600) + ".com": "more than 500 characters",
		"http://llm.intern.evil.example/v1":            "begins with http://",
	} {
		_, _, err := w.AddProvider(t.Context(), added("gate", address))
		p := problem.From(err)
		if p == nil || !strings.HasPrefix(p.Code, "provider_address_") || !strings.Contains(p.Message, says) || p.Hint == "" ||
			p.Params["field"] != "base_url" {
			t.Errorf("%q: %v", address, err)
		} else if strings.Contains(p.Message+p.Hint, "hunter2") || len(p.Message) > 300 {
			t.Errorf("%q is repeated: %s", address, p.Message)
		}
	}
	for address, kept := range map[string]string{
		"https://API.Example.com./v1/": "https://api.example.com/v1", " https://api.example.com:8443 ": "https://api.example.com:8443",
		"http://llm.intern:8000/v1": "http://llm.intern:8000/v1", "https://10.0.0.5/v1": "https://10.0.0.5/v1",
		"https://[2606:4700::1111]/v1": "https://[2606:4700::1111]/v1",
	} {
		if p, _, err := w.AddProvider(t.Context(), added("gate", address)); err != nil || p.BaseURL != kept {
			t.Errorf("%q: %q, %v", address, p.BaseURL, err)
		}
	}
}

// TestWhatElseMayNotBeAdded: names, models, dialects and limits that cannot be, and names that belong to the configuration.
func TestWhatElseMayNotBeAdded(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for code, changes := range map[string][]func(*experiments.AddedProvider){
		"name": {func(p *experiments.AddedProvider) { p.Name = "../etc" },
			func(p *experiments.AddedProvider) { p.Name = strings.Repeat("n", 5000) },
			func(p *experiments.AddedProvider) { p.Name = "a\r\nb" }},
		"provider_taken": {func(p *experiments.AddedProvider) { p.Name = "openai" },
			func(p *experiments.AddedProvider) { p.Name = "offline" }},
		"provider_dialect": {func(p *experiments.AddedProvider) { p.Dialect = "azure" },
			func(p *experiments.AddedProvider) { p.Dialect = strings.Repeat("x", 5000) }},
		"provider_model": {func(p *experiments.AddedProvider) { p.Models = nil },
			func(p *experiments.AddedProvider) { p.Models = []string{"a\r\nX-Evil: 1"} },
			func(p *experiments.AddedProvider) { p.Models = []string{"../../admin"} },
			func(p *experiments.AddedProvider) { p.Models = []string{"m?key=x"} },
			func(p *experiments.AddedProvider) { p.Models = []string{strings.Repeat("m", 5000)} }},
		"provider_limit": {func(p *experiments.AddedProvider) { p.Concurrency = -1 },
			func(p *experiments.AddedProvider) { p.RequestsPerMinute = 1 << 40 }},
	} {
		for i, change := range changes {
			p := added("gate", "https://api.example.com/v1")
			change(&p)
			_, _, err := w.AddProvider(t.Context(), p)
			if got := problem.From(err); got == nil || got.Code != code || got.Hint == "" || len(got.Message) > 6000 {
				t.Errorf("%s %d: %v", code, i, err)
			}
		}
	}
	p := added("claude", "")
	p.Dialect = "anthropic"
	if kept, created, err := w.AddProvider(t.Context(), p); err != nil || !created || kept.BaseURL != "https://api.anthropic.com/v1" {
		t.Errorf("the address of a maker: %+v %v", kept, err)
	}
}

// elsewhere is a server on the loopback address that counts what reaches it and tells the keys that it was sent, equal ones once.
func elsewhere(t *testing.T, reply http.HandlerFunc) (address string, reached *atomic.Int32, keys func() []string) {
	t.Helper()
	var count atomic.Int32
	sent := make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		sent <- r.Header.Get("Authorization")
		reply(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, &count, func() (all []string) {
		for len(sent) > 0 {
			all = append(all, <-sent)
		}
		return slices.Compact(all)
	}
}

func embeds(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(`{"data":[{"index":0,"embedding":[1,0]}],"usage":{"prompt_tokens":1,"total_tokens":1}}`))
}

func probed(t *testing.T, w *app.Workbench, name string) llm.Probe {
	t.Helper()
	probes, err := w.Probe(t.Context(), []app.ProbeTarget{{Model: rag.Model{Provider: name, Name: "m"}, Purpose: llm.ProbeEmbed}})
	if err != nil {
		t.Fatal(err)
	}
	return probes[0]
}

// TestAnAddedProviderReachesNoInnerAddress: what a name leads to is judged when a connection is made, whatever was stored, and a redirect
// is not followed.
func TestAnAddedProviderReachesNoInnerAddress(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	inner, reached, _ := elsewhere(t, embeds)
	// The name was one of the internet when it was added, and leads here now: behind the rules for addresses, as DNS does it.
	_, _, err := w.Whole.PutProvider(t.Context(), added("gate", strings.Replace(inner, "127.0.0.1", "localhost", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if probe := probed(t, w.Workbench, "gate"); probe.OK || !strings.Contains(probe.Message, "not allowed") || reached.Load() != 0 {
		t.Errorf("reached %d times: %+v", reached.Load(), probe)
	}
	w.Config.PrivateHosts = []string{"127.0.0.1"}
	w.Providers.Config.PrivateHosts = w.Config.PrivateHosts
	turning, _, _ := elsewhere(t, func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, inner, http.StatusTemporaryRedirect)
	})
	if _, _, err := w.AddProvider(t.Context(), added("turn", turning)); err != nil {
		t.Fatal(err)
	}
	if probe := probed(t, w.Workbench, "turn"); probe.OK || reached.Load() != 0 {
		t.Errorf("a redirect led to an inner address %d times: %+v", reached.Load(), probe)
	}
}

// TestAKeyGoesToItsOriginAlone: a provider that was added gets the key that the owner of the machine bound, at once; at another address it
// gets none; removed it is unknown, and taken back it is as it was.
func TestAKeyGoesToItsOriginAlone(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Config.PrivateHosts = []string{"127.0.0.1"}
	w.Providers.Config.PrivateHosts = w.Config.PrivateHosts
	w.Options.Getenv = func(name string) string { return map[string]string{"GATE_KEY": "hunter2"}[name] }
	w.Providers.Getenv = w.Options.Getenv
	one, _, keysOfOne := elsewhere(t, embeds)
	two, _, keysOfTwo := elsewhere(t, embeds)
	put := func(address string) {
		t.Helper()
		if _, _, err := w.AddProvider(t.Context(), added("gate", address)); err != nil {
			t.Fatal(err)
		}
	}
	put(one)
	if probe := probed(t, w.Workbench, "gate"); !probe.OK || !slices.Equal(keysOfOne(), []string{""}) {
		t.Errorf("without a key: %+v", probe)
	}
	for _, wrong := range []string{"sk-live 1", "A=B", "a\nb"} {
		if _, err := w.BindKey(t.Context(), "gate", wrong); problem.CodeOf(err) != "provider_variable" ||
			strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := w.BindKey(t.Context(), "gate", "GATE_KEY"); err != nil {
		t.Fatal(err)
	}
	probed(t, w.Workbench, "gate")
	if sent := keysOfOne(); !slices.Equal(sent, []string{"Bearer hunter2"}) {
		t.Errorf("with its key: %q", sent)
	}
	put(two)
	probed(t, w.Workbench, "gate")
	if sent := keysOfTwo(); !slices.Equal(sent, []string{""}) {
		t.Errorf("at another address it was sent %q", sent)
	}
	if _, err := w.RemoveProvider(t.Context(), "gate"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Providers.Provider("gate"); problem.CodeOf(err) != "provider_unknown" {
		t.Errorf("removed: %v", err)
	}
	if known, err := w.Known(); err != nil || slices.Contains(known.Names(), "gate") {
		t.Errorf("removed: %v %v", known.Names(), err)
	}
	if _, err := w.RestoreProvider(t.Context(), "gate"); err != nil {
		t.Fatal(err)
	}
	put(one)
	probed(t, w.Workbench, "gate")
	if sent := keysOfOne(); !slices.Equal(sent, []string{"Bearer hunter2"}) {
		t.Errorf("taken back, at its origin: %q", sent)
	}
}
