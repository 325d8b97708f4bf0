package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestAProviderIsAddedByEitherDoor: what the command line adds the server has at once, and the other way round; the key that is bound
// reaches its server and stands nowhere; another address does not get it; what is removed is taken back.
func TestAProviderIsAddedByEitherDoor(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{}))
	t.Cleanup(server.Close)
	address := server.URL + "/v1"
	b := newBench(t)
	b.env["WORKBENCH_CONFIG"] = b.path("workbench.yaml")
	b.write("workbench.yaml", "private_hosts: [127.0.0.1]\n")
	b.env["GATE_KEY"] = "hunter2"
	if out := b.must("providers", "add", "house", "--url", address, "--model", "embed-1", "--rpm", "600").stdout; !strings.Contains(out,
		"added provider house") || !strings.Contains(out, "workbench providers key house VARIABLE") {
		t.Errorf("added: %s", out)
	}
	s := b.serve("--addr", "127.0.0.1:0")
	shown := func() (p views.ProviderSetting) {
		t.Helper()
		var settings views.Settings
		if status, body := ask(t, s.url+"/api/v1/settings", ""); status != http.StatusOK ||
			json.Unmarshal([]byte(body), &settings) != nil ||
			strings.Contains(body, "hunter2") {
			t.Fatalf("%d %s", status, body)
		}
		for _, x := range settings.Providers {
			if x.Name == "house" {
				p = x
			}
		}
		return p
	}
	if p := shown(); p.Added == nil || p.Added.BaseURL != address || p.Added.KeyBound || p.PerMinute != 600 {
		t.Errorf("in the settings: %+v", p)
	}
	if out := b.must("providers", "key", "house", "GATE_KEY").
		stdout; !strings.Contains(out, "nowhere else") || strings.Contains(out, "hunter2") {
		t.Errorf("bound: %s", out)
	}
	if p := shown(); !p.Added.KeyBound || p.KeyName != "GATE_KEY" || !p.KeySet {
		t.Errorf("with a key: %+v", p)
	}
	if out := b.run("providers", "test", "house", "--model", "embed-1", "--purpose", "embed"); out.code != 0 {
		t.Errorf("the test: %d %s", out.code, out.stderr)
	}
	b.must("providers", "add", "house", "--url", "https://api.example.com/v1", "--model", "embed-1")
	if p := shown(); p.Added.KeyBound || p.KeyName != "" {
		t.Errorf("the key went along to another address: %+v", p)
	}
	if out := b.must("providers", "remove", "house").stdout; !strings.Contains(out, "providers restore house") || shown().Name != "" {
		t.Errorf("removed: %s", out)
	}
	b.must("providers", "restore", "house")
	var list []experiments.AddedProvider
	if err := json.Unmarshal([]byte(b.must("providers", "list", "--added", "--json").stdout), &list); err != nil || len(list) != 1 ||
		!list[0].RemovedAt.IsZero() || list[0].KeyOrigin != server.URL {
		t.Errorf("%+v, %v", list, err)
	}
	for _, args := range [][]string{{"house", "--url", "file:///etc/passwd"}, {"openai", "--url", "https://api.example.com"},
		{"x", "--url", "https://10.0.0.1/v1"}} {
		if o := b.run(append([]string{"providers", "add", "--model", "m"}, args...)...); o.code != program.ExitUsage ||
			!strings.Contains(o.stderr, "hint: ") {
			t.Errorf("%v: %d %s", args, o.code, o.stderr)
		}
	}
	log := b.must("audit", "--json").stdout
	for _, action := range []string{"provider.add", "provider.key", "provider.remove", "provider.restore"} {
		if !strings.Contains(log, action) {
			t.Errorf("the audit log lacks %s", action)
		}
	}
	err := filepath.WalkDir(b.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // of this test
		if strings.Contains(string(content), "hunter2") {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
