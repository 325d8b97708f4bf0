package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// onLoopback is the address of a server that listens on all addresses.
func (s served) onLoopback() string {
	return "http://127.0.0.1" + s.url[strings.LastIndex(s.url, ":"):]
}

// holds reports which files of a folder hold a text.
func holds(t *testing.T, dir, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if strings.Contains(string(body), text) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The first start prints a link that makes the administrator, once; there is no account before, and nothing of it in the data directory.
func TestServeElsewherePrintsASetupLink(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.serve("--addr", "0.0.0.0:0", "--insecure-http")
	if len(s.lines) != 1 || !strings.Contains(s.lines[0], "/setup#wbs_") || !strings.Contains(s.lines[0], "30 minutes") ||
		!strings.Contains(s.lines[0], "http://localhost:") {
		t.Fatalf("printed %v", s.lines)
	}
	link := s.lines[0][strings.LastIndex(s.lines[0], "#")+1:]
	if status, _ := ask(t, s.onLoopback()+"/api/v1/runs", ""); status != http.StatusUnauthorized {
		t.Errorf("without signing in = %d", status)
	}
	if status, _ := ask(t, s.onLoopback()+"/setup", ""); status != http.StatusOK {
		t.Errorf("the page of the link = %d", status)
	}
	setup := fmt.Sprintf(`{"link":%q,"name":"ann@team.example","password":"violet tram under seven hats"}`, link)
	if status, body := sent(t, s.onLoopback()+"/api/v1/setup", setup); status != 200 || !strings.Contains(body, `"role":"admin"`) {
		t.Errorf("setup = %d %s", status, body)
	}
	if status, body := sent(t, s.onLoopback()+"/api/v1/setup", setup); status != http.StatusNotFound {
		t.Errorf("setup again = %d %s", status, body)
	}
	s.stop()
	for _, secret := range []string{link, "violet tram"} {
		if files := holds(t, b.path("data"), secret); len(files) > 0 {
			t.Errorf("%q is in %v", secret, files)
		}
	}
	again := b.serve("--addr", "127.0.0.1:0", "--require-sign-in")
	if len(again.lines) != 0 {
		t.Errorf("printed again: %v", again.lines)
	}
	if status, _ := ask(t, again.url+"/api/v1/runs", ""); status != http.StatusUnauthorized {
		t.Errorf("on the loopback address with --require-sign-in = %d", status)
	}
	again.stop()
}

// The tokens of an older version's file work as before, are revoked like others, and do not come back.
func TestTokensOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	token := "wbt_of-an-older-version"
	sum := sha256.Sum256([]byte(token))
	file := fmt.Sprintf(`[{"sha256":%q,"role":"admin","created_at":"2026-01-01T00:00:00Z"}]`, hex.EncodeToString(sum[:]))
	write := func(mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(b.path("data"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(b.path("data/access-tokens.json"), []byte(file), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(0o600)
	if err := os.Chmod(b.path("data/access-tokens.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := b.run("serve", "--addr", "0.0.0.0:0", "--insecure-http"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "chmod 600") {
		t.Errorf("a file that others can read: %d %s", o.code, o.stderr)
	}
	if err := os.Chmod(b.path("data/access-tokens.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := b.serve("--addr", "0.0.0.0:0", "--insecure-http")
	if len(s.lines) != 0 {
		t.Errorf("there is an administrator's token, and yet: %v", s.lines)
	}
	if status, body := ask(t, s.onLoopback()+"/api/v1/runs", token); status != 200 {
		t.Errorf("the old token = %d %s", status, body)
	}
	s.stop()
	if _, err := os.Stat(b.path("data/access-tokens.json")); err == nil {
		t.Error("the file is still there")
	}
	list := b.must("token", "list", "--json").stdout
	var tokens []struct{ ID, Name, Role string }
	if err := json.Unmarshal([]byte(list), &tokens); err != nil || len(tokens) != 1 || tokens[0].Role != "admin" ||
		strings.Contains(list, hex.EncodeToString(sum[:])) {
		t.Fatalf("%s (%v)", list, err)
	}
	b.must("token", "revoke", tokens[0].ID)
	write(0o600) // as if the old version had been started in between
	s = b.serve("--addr", "0.0.0.0:0", "--insecure-http")
	if status, _ := ask(t, s.onLoopback()+"/api/v1/runs", token); status != http.StatusUnauthorized {
		t.Errorf("the revoked token = %d", status)
	}
	s.stop()
}

func TestPeopleOnTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if o := b.must("user", "list"); !strings.Contains(o.stdout, "user add") {
		t.Error(o.stdout)
	}
	added := b.must("user", "add", "ann@team.example", "--role", "admin", "--server", "https://bench.example/").stdout
	if !strings.Contains(added, "https://bench.example/reset#wbr_") {
		t.Error(added)
	}
	b.must("user", "add", "bob")
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"user", "add", "BOB"}, "already"},
		{[]string{"user", "role", "ann@team.example", "viewer"}, "last administrator"},
		{[]string{"user", "disable", "ann@team.example"}, "last administrator"},
		{[]string{"user", "role", "nobody", "viewer"}, `"nobody"`},
		{[]string{"user", "role", "bob", "king"}, "king"},
		{[]string{"token", "add", "x", "--owner", "bob", "--role", "admin"}, "may not do more"},
		{[]string{"token", "add", "x", "--days", "900"}, "366"},
		{[]string{"token", "revoke", "none"}, `"none"`},
		{[]string{"user", "add", "eve", "--password-stdin"}, "no password"},
	} {
		if o := b.run(test.args...); o.code != program.ExitUsage || !strings.Contains(o.stderr, test.says) {
			t.Errorf("%v: %d %s", test.args, o.code, o.stderr)
		}
	}
	made := b.must("token", "add", "ci", "--owner", "bob", "--role", "viewer").stdout
	secret := strings.TrimSpace(made[strings.LastIndex(made, " ")+1:])
	s := b.serve("--addr", "127.0.0.1:0", "--require-sign-in")
	if status, body := ask(t, s.url+"/api/v1/me", secret); status != 200 || !strings.Contains(body, `"role":"viewer"`) {
		t.Errorf("%d %s", status, body)
	}
	b.must("user", "disable", "bob") // another process, while the server runs
	if status, _ := ask(t, s.url+"/api/v1/runs", secret); status != http.StatusUnauthorized {
		t.Errorf("a token of somebody disabled = %d", status)
	}
	b.must("user", "enable", "bob")
	b.must("user", "role", "bob", "editor")
	if o := b.must("user", "reset-link", "bob"); !strings.Contains(o.stdout, "/reset#wbr_") {
		t.Error(o.stdout)
	}
	if status, _ := ask(t, s.url+"/api/v1/runs", secret); status != 200 {
		t.Errorf("after enabling = %d", status)
	}
	s.stop()
	log := b.must("audit").stdout
	for _, want := range []string{"user.add", "token.add", "user.disable", "user.enable", "user.role", "user.reset-link", "command line",
		"bob: role editor"} {
		if !strings.Contains(log, want) {
			t.Errorf("the audit log lacks %s:\n%s", want, log)
		}
	}
	for _, hidden := range []string{secret, "wbr_", "wbt_"} {
		if strings.Contains(log, hidden) {
			t.Errorf("the audit log holds %s", hidden)
		}
	}
	for _, list := range []string{b.must("user", "list").stdout, b.must("token", "list").stdout} {
		if !strings.Contains(list, "bob") {
			t.Error(list)
		}
	}
}
