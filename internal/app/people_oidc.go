package app

import (
	"context"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// OIDCConfig is the identity provider that people may sign in with. It is part of the configuration file: nothing over HTTP says
// where people are sent.
type OIDCConfig struct {
	Name            string                      `yaml:"name" json:"name,omitempty"` // on the button; default the issuer's host
	Issuer          string                      `yaml:"issuer" json:"issuer"`
	ClientID        string                      `yaml:"client_id" json:"client_id"`
	ClientSecretEnv string                      `yaml:"client_secret_env" json:"client_secret_env,omitempty"` // environment variable; "" is a public client
	PublicURL       string                      `yaml:"public_url" json:"public_url"`                         // how browsers reach this server
	AllowedDomains  []string                    `yaml:"allowed_domains" json:"allowed_domains,omitempty"`     // of e-mail addresses; none: only who has an account or a role already
	RoleClaim       string                      `yaml:"role_claim" json:"role_claim,omitempty"`               // claim that names roles
	Roles           map[string]experiments.Role `yaml:"roles" json:"roles,omitempty"`                         // value of the claim → role; none: the values are our roles
	DefaultRole     experiments.Role            `yaml:"default_role" json:"default_role,omitempty"`           // of who has none; "" lets nobody in that has none
	Proxy           string                      `yaml:"proxy" json:"proxy,omitempty"`
	CAFile          string                      `yaml:"ca_file" json:"ca_file,omitempty"`
}

// validate checks what the configuration file says.
func (c *OIDCConfig) validate() error {
	wrong := func(field, message string, args ...any) *problem.Problem {
		return problem.New(problem.Invalid, "config_oidc", "oidc."+field+" "+message, args...).With("field", "oidc."+field).
			WithHint("docs/teams.md has an example")
	}
	for _, f := range []struct{ field, text string }{{"issuer", c.Issuer}, {"public_url", c.PublicURL}} {
		if !secureURL(f.text) {
			return wrong(f.field, "is %q; it must begin with https://, or be on the loopback address", f.text)
		}
	}
	if c.ClientID == "" {
		return wrong("client_id", "is missing")
	}
	if c.DefaultRole != "" && !c.DefaultRole.Valid() {
		return wrong("default_role", "is %q; it must be viewer, editor or admin", c.DefaultRole)
	}
	if c.DefaultRole != "" && len(c.AllowedDomains) == 0 {
		return wrong("allowed_domains", "is missing: with a default role everybody whom the issuer knows would be let in")
	}
	for _, value := range slices.Sorted(maps.Keys(c.Roles)) {
		if !c.Roles[value].Valid() {
			return wrong("roles", "gives %s the role %q; it must be viewer, editor or admin", value, c.Roles[value])
		}
	}
	return nil
}

// secureURL reports whether nothing on the way to an address can listen.
func secureURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	addr, err := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || err == nil && addr.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && local
}

// Shown is the name of the provider as people know it.
func (c *OIDCConfig) Shown() string {
	if c.Name != "" {
		return c.Name
	}
	u, err := url.Parse(c.Issuer)
	if err != nil {
		return c.Issuer
	}
	return u.Host
}

// Role is the highest role among the values of a claim, or "".
func (c *OIDCConfig) Role(claim any) experiments.Role {
	values, ok := claim.([]any)
	if !ok {
		values = []any{claim}
	}
	best := experiments.RoleNone
	for _, v := range values {
		name, _ := v.(string)
		role := experiments.Role(name)
		if len(c.Roles) > 0 {
			role = c.Roles[name]
		}
		if role.Valid() && (!best.Valid() || best.Within(role)) {
			best = role
		}
	}
	return best
}

// Allows reports whether an e-mail address belongs to an allowed domain. Without domains every address does: then only who has an
// account or a role is let in.
func (c *OIDCConfig) Allows(email string) bool {
	at := strings.LastIndexByte(email, '@')
	if at < 1 {
		return false
	}
	same := func(domain string) bool { return strings.EqualFold(strings.TrimPrefix(domain, "@"), email[at+1:]) }
	return len(c.AllowedDomains) == 0 || slices.ContainsFunc(c.AllowedDomains, same)
}

// OIDC is the identity provider of the configuration file with the client's secret, or nil.
func (w *Workbench) OIDC() (config *OIDCConfig, secret string, err error) {
	c := w.Config.OIDC
	if c == nil || c.ClientSecretEnv == "" {
		return c, "", nil
	}
	if secret = w.options.Getenv(c.ClientSecretEnv); secret == "" {
		return nil, "", problem.New(problem.Invalid, "config_oidc", "the environment variable %s is empty", c.ClientSecretEnv).With("field", "oidc.client_secret_env").
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
		return a, problem.New(problem.Invalid, "sign_in_failed", "there is no account for %s", name).WithHint("ask an administrator for one")
	}
	a = experiments.Account{ID: newID(), Name: name, Role: role, Subject: id.Subject, CreatedAt: p.now()}
	return a, p.store.CreateAccount(ctx, a)
}
