package people

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

const goodPassword = "violet tram under seven hats"

// newPeople is an empty database with people whose passwords cost little, on a clock that the test sets.
func newPeople(t *testing.T) (*People, *time.Time) {
	t.Helper()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	w, err := app.Open(t.Context(), app.Options{DataDir: t.TempDir(), Getenv: func(string) string { return "" },
		Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	p, err := NewPeople(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	p.Cost = PasswordCost{Passes: 1, KiB: 8, Threads: 1}
	return p, &now
}

func TestPasswordRules(t *testing.T) {
	t.Parallel()
	for password, code := range map[string]string{
		"": "password_length", "eleven char": "password_length", strings.Repeat("ab cd", 26): "password_length", strings.Repeat("値", 12) +
			"\xff": "password_length",
		"password1234": "password_common", "PassWord1234": "password_common", "aaaaaaaaaaaa": "password_common",
		"abcabcabcabcabc":      "password_common",
		"passwordpasswordpass": "password_common", "qwertyqwertyqwerty": "password_common", "123456789012": "password_common",
		"correct horse battery staple": "password_common",
		"ann.smith2026!":               "password_common", "Ann.Smith-ann.smith": "password_common",
		goodPassword: "", "twelve chars": "", "青い電車と七つの帽子と川": "", strings.Repeat("long and different ", 6): "", "abcdabcdabce": "",
		"            x": "",
	} {
		if got := problem.CodeOf(checkPassword(password, "Ann.Smith@team.example")); got != code {
			t.Errorf("%q: %q, want %q", password, got, code)
		}
	}
	if n := len(commonPasswords()); n < 300 {
		t.Errorf("%d common passwords", n)
	}
	for common := range commonPasswords() {
		if checkPassword(common, "") == nil {
			t.Errorf("%q is taken", common)
		}
	}
}

// The hash at its real cost: 64 MiB and three passes, in the form that other programs read too.
func TestPasswordsAreHashed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	p, _ := newPeople(t)
	p.Cost = PasswordCost{}
	before := time.Now()
	phc, err := p.hash(t.Context(), goodPassword)
	if err != nil || !strings.HasPrefix(phc, "$argon2id$v=19$m=65536,t=3,p=1$") || strings.Contains(phc, "violet") {
		t.Fatalf("%s %v", phc, err)
	}
	t.Logf("one hash: %s", time.Since(before).Round(time.Millisecond))
	again, err := p.hash(t.Context(), goodPassword)
	if err != nil || again == phc {
		t.Errorf("the same salt twice: %v", err)
	}
	for password, want := range map[string]bool{goodPassword: true, goodPassword + " ": false, "": false} {
		if same, stale, err := p.matches(t.Context(), password, phc); same != want || stale || err != nil {
			t.Errorf("%q: %v %v %v", password, same, stale, err)
		}
	}
	for _, broken := range []string{"", "x", "$argon2id$v=19$m=65536,t=0,p=1$YWFhYWFhYWE$YWFhYWFhYWE",
		"$argon2id$v=19$m=99999999,t=1,p=1$YWFhYWFhYWFhYWFhYWFhYQ$YWFhYWFhYWFhYWFhYWFhYQ", "$2a$10$abc"} {
		if same, _, err := p.matches(t.Context(), "", broken); same || err != nil {
			t.Errorf("%q matches, or %v", broken, err)
		}
	}
	if _, _, _, ok := parsePHC(phc); !ok {
		t.Error("its own form is not read")
	}
}

// No more than two hashes are computed at once, and no more than a few wait.
func TestHashesAreBounded(t *testing.T) {
	t.Parallel()
	p, _ := newPeople(t)
	for range hashesAtOnce {
		p.hashing <- struct{}{}
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range hashesWaiting {
		wg.Go(func() {
			if _, err := p.hash(ctx, goodPassword); problem.CodeOf(err) == "sign_in_busy" {
				t.Error("there was room to wait")
			}
		})
	}
	for p.waiting.Load() < hashesWaiting {
		runtime.Gosched()
	}
	if _, err := p.hash(ctx, goodPassword); problem.CodeOf(err) != "sign_in_busy" {
		t.Errorf("one too many: %v", err)
	}
	stop()
	wg.Wait()
	<-p.hashing
	if _, err := p.hash(t.Context(), goodPassword); err != nil {
		t.Error(err)
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	p, now := newPeople(t)
	ctx := t.Context()
	ann, link, err := p.AddAccount(ctx, " ann@team.example ", experiments.RoleAdmin, goodPassword)
	if err != nil || link != "" || ann.Name != "ann@team.example" {
		t.Fatal(ann, link, err)
	}
	if _, _, err := p.AddAccount(ctx, "bob", experiments.RoleViewer, ""); err != nil {
		t.Fatal(err)
	}
	for name, password := range map[string]string{"ann@team.example": "wrong password here", "bob": "", "nobody": goodPassword, "": "",
		ann.ID: goodPassword} {
		if _, err := p.SignIn(ctx, name, password); problem.CodeOf(err) != "sign_in_failed" {
			t.Errorf("%s: %v", name, err)
		}
	}
	got, err := p.SignIn(ctx, "ANN@team.example", goodPassword)
	if err != nil || got.ID != ann.ID || !got.SignedInAt.Equal(*now) {
		t.Fatal(got, err)
	}
	p.Cost.Passes = 2 // hashes shall cost more from now on
	if _, err := p.SignIn(ctx, "ann@team.example", goodPassword); err != nil {
		t.Fatal(err)
	}
	if a, _ := p.Account(ctx, ann.ID); !strings.Contains(a.PasswordHash, "t=2") {
		t.Errorf("the hash stayed as it was: %s", a.PasswordHash)
	}
	if err := p.SetPassword(ctx, ann.ID, "wrong password here", "another violet tram"); problem.CodeOf(err) != "password_wrong" {
		t.Error(err)
	}
	for _, name := range []string{"", "a\x00b", "a\nb", strings.Repeat("x", 201), "zero\u200bwidth"} {
		if _, _, err := p.AddAccount(ctx, name, experiments.RoleViewer, goodPassword); problem.CodeOf(err) != "account_name" {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, _, err := p.AddAccount(ctx, "eve", "king", goodPassword); problem.CodeOf(err) != "role" {
		t.Error(err)
	}
}

func TestPruneKeepsTheYear(t *testing.T) {
	t.Parallel()
	p, now := newPeople(t)
	for range 3 {
		if err := p.Record(t.Context(), Machine(), experiments.AuditEntry{Action: "x", Detail: strings.Repeat("長", 400)}); err != nil {
			t.Fatal(err)
		}
		*now = now.Add(300 * 24 * time.Hour)
	}
	if err := p.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, total, err := p.Audit(t.Context(), experiments.AuditFilter{})
	if err != nil || total != 1 || len([]rune(entries[0].Detail)) != 300 || entries[0].Outcome != experiments.AuditDone {
		t.Errorf("%d %+v %v", total, entries, err)
	}
}
