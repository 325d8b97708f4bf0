package people

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// OIDC is the identity provider of the configuration file with the client's secret, or nil.
func OIDC(w *app.Workbench) (config *app.OIDCConfig, secret string, err error) {
	c := w.Config.OIDC
	if c == nil || c.ClientSecretEnv == "" {
		return c, "", nil
	}
	if secret = w.Options.Getenv(c.ClientSecretEnv); secret == "" {
		return nil, "", problem.New(problem.Invalid, "config_oidc", "the environment variable %s is empty", c.ClientSecretEnv).
			With("field", "oidc.client_secret_env").
			WithHint("export %s=…, or remove client_secret_env for a public client", c.ClientSecretEnv)
	}
	return c, secret, nil
}

// Identity is what an identity provider vouches for.
type Identity struct {
	Subject string           // issuer and subject
	Name    string           // the e-mail address that it has verified
	Role    experiments.Role // that it says; "" leaves the role to the administrators
	Default experiments.Role // of a new account for which it says none; "" makes none
}

// SignInAs finds the account of an identity, or makes it. An account that an administrator made under the same name without a
// password is theirs from then on; one with a password is somebody's already.
func (p *People) SignInAs(ctx context.Context, id Identity) (experiments.Account, error) {
	a, err := p.store.AccountOf(ctx, id.Subject)
	if problem.Is(err, problem.NotFound) {
		a, err = p.join(ctx, id)
	}
	if err != nil {
		return experiments.Account{}, err
	}
	now := p.now()
	a, err = p.store.ChangeAccount(ctx, a.ID, func(a *experiments.Account) error {
		if a.Disabled {
			return problem.New(problem.Invalid, "sign_in_failed", "the account %s is disabled", a.Name).WithHint("ask an administrator")
		}
		a.SignedInAt, a.Subject = now, id.Subject
		if id.Role.Valid() {
			a.Role = id.Role
		}
		return nil
	})
	return a, err
}

func (p *People) join(ctx context.Context, id Identity) (experiments.Account, error) {
	name, err := checkName(id.Name)
	if err != nil {
		return experiments.Account{}, err
	}
	a, err := p.store.AccountNamed(ctx, name)
	switch {
	case problem.Is(err, problem.NotFound):
	case err != nil:
		return a, err
	case a.PasswordHash == "" && a.Subject == "":
		return a, nil
	default:
		return a, problem.New(problem.Conflict, "account_exists", "there is an account %s already, which signs in another way", a.Name).
			WithHint("sign in with its password, or ask an administrator to rename one of the two")
	}
	role := id.Role
	if !role.Valid() {
		role = id.Default
	}
	if !role.Valid() {
		return a, problem.New(problem.Invalid, "sign_in_failed", "there is no account for %s", name).
			WithHint("ask an administrator for one")
	}
	a = experiments.Account{ID: NewID(), Name: name, Role: role, Subject: id.Subject, CreatedAt: p.now()}
	return a, p.store.CreateAccount(ctx, a)
}
