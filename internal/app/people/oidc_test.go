package people

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// What an identity provider vouches for opens the account that is theirs, and nobody else's.
func TestSignInAs(t *testing.T) {
	t.Parallel()
	p, _ := newPeople(t)
	ctx := t.Context()
	if _, _, err := p.AddAccount(ctx, "local@team.example", experiments.RoleAdmin, goodPassword); err != nil {
		t.Fatal(err)
	}
	invited, _, err := p.AddAccount(ctx, "invited@team.example", experiments.RoleEditor, "")
	if err != nil {
		t.Fatal(err)
	}
	as := func(subject, name string, role, otherwise experiments.Role) (experiments.Account, string) {
		a, err := p.SignInAs(ctx, Identity{Subject: "https://idp.example " + subject, Name: name, Role: role, Default: otherwise})
		return a, problem.CodeOf(err)
	}
	if _, code := as("1", "local@team.example", "", experiments.RoleViewer); code != "account_exists" {
		t.Errorf("an account with a password was taken over: %q", code)
	}
	if a, code := as("2", "invited@team.example", "", experiments.RoleViewer); code != "" || a.ID != invited.ID ||
		a.Role != experiments.RoleEditor {
		t.Errorf("%+v %q", a, code)
	}
	if _, code := as("3", "invited@team.example", "", experiments.RoleViewer); code != "account_exists" {
		t.Errorf("a second subject took the account: %q", code)
	}
	made, code := as("4", "new@team.example", "", experiments.RoleViewer)
	if code != "" || made.Role != experiments.RoleViewer {
		t.Errorf("%+v %q", made, code)
	}
	if a, _ := as("4", "renamed@team.example", experiments.RoleEditor, experiments.RoleViewer); a.ID != made.ID ||
		a.Role != experiments.RoleEditor {
		t.Errorf("%+v", a)
	}
	if _, code := as("5", "other@team.example", "", ""); code != "sign_in_failed" {
		t.Errorf("without a role: %q", code)
	}
	if _, err := p.SetDisabled(ctx, made.ID, true); err != nil {
		t.Fatal(err)
	}
	if _, code := as("4", "new@team.example", "", experiments.RoleViewer); code != "sign_in_failed" {
		t.Errorf("disabled: %q", code)
	}
}
