package requests

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/oauth2"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Identity signs people in with an identity provider: OpenID Connect, authorization code with PKCE, state and nonce. Where it sends
// people and what it asks stands in the configuration file alone.
type Identity struct {
	Config *app.OIDCConfig
	secret string
	client *http.Client
	now    func() time.Time
	Cookie string // name of the cookie that binds a sign-in to the browser that began it
	tls    bool

	mu       sync.Mutex
	provider *oidc.Provider // nil until somebody signs in
}

// oidcWait bounds one request to the provider, and oidcLife how long a sign-in there may take.
const (
	oidcWait = 15 * time.Second
	oidcLife = 10 * time.Minute
	OidcPath = "/session/oidc"
	BackPath = "/session/oidc/callback"
)

// NewIdentity returns nil without a provider in the configuration file, and where nobody signs in.
func NewIdentity(o Options) (*Identity, error) {
	config, secret, err := people.OIDC(o.Workbench)
	if err != nil || config == nil || !o.SignIn {
		return nil, err
	}
	client, err := outbound.New(outbound.Options{Total: oidcWait, FirstByte: oidcWait, MaxBody: 1 << 20, Proxy: config.Proxy,
		CAFile: config.CAFile})
	if err != nil {
		return nil, err
	}
	name := "wb-oidc"
	if o.TLS {
		name = "__Host-wb-oidc"
	}
	return &Identity{Config: config, secret: secret, client: client, now: o.Now, Cookie: name, tls: o.TLS}, nil
}

// connect asks the provider where its parts are, once it can be reached.
func (d *Identity) connect(ctx context.Context) (*oidc.Provider, *oauth2.Config, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.provider == nil {
		// Keys are fetched with this context later on, so no request may end it.
		p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), d.client), d.Config.Issuer)
		if err != nil {
			return nil, nil, problem.New(problem.Unavailable, "oidc_unavailable", "the identity provider cannot be used").Because(err)
		}
		d.provider = p
	}
	return d.provider, &oauth2.Config{
		ClientID: d.Config.ClientID, ClientSecret: d.secret, Endpoint: d.provider.Endpoint(),
		Scopes:      []string{oidc.ScopeOpenID, "email", "profile"},
		RedirectURL: strings.TrimSuffix(d.Config.PublicURL, "/") + Prefix + BackPath,
	}, nil
}

// Attempt is a sign-in under way. It is in a cookie of the browser that began it.
type Attempt struct {
	State    string    `json:"s"`
	Nonce    string    `json:"n"`
	Verifier string    `json:"v"`
	Begun    time.Time `json:"t"`
}

// Keep is the cookie that holds an attempt until the browser comes back; nil takes it away.
func (d *Identity) Keep(a *Attempt) *http.Cookie {
	// Lax: the provider sends the browser back from another site, with a plain visit.
	c := &http.Cookie{Name: d.Cookie, Path: "/", HttpOnly: true, Secure: d.tls, SameSite: http.SameSiteLaxMode, MaxAge: -1}
	if a != nil {
		body, _ := json.Marshal(a) // texts and a time
		c.Value, c.MaxAge = base64.RawURLEncoding.EncodeToString(body), int(oidcLife.Seconds())
	}
	return c
}

func (d *Identity) kept(value string) (a Attempt, ok bool) {
	body, err := base64.RawURLEncoding.DecodeString(value)
	if err == nil {
		err = json.Unmarshal(body, &a)
	}
	age := d.now().Sub(a.Begun)
	return a, err == nil && a.State != "" && a.Nonce != "" && a.Verifier != "" && age >= 0 && age < oidcLife
}

// Begin is where the browser goes, and what it keeps meanwhile.
func (d *Identity) Begin(ctx context.Context) (to string, cookie *http.Cookie, err error) {
	_, config, err := d.connect(ctx)
	if err != nil {
		return "", nil, err
	}
	a := &Attempt{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Begun: d.now()}
	return config.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), d.Keep(a), nil
}

// refusedBy is what a visitor is told who could not be signed in; why is for the log.
func refusedBy(code string, why error) error {
	return problem.New(problem.Invalid, code, "the identity provider did not sign anybody in").Because(why)
}

// Finish proves who has come back from the provider.
func (d *Identity) Finish(ctx context.Context, cookie string, in *BackInput) (people.Identity, error) {
	none := people.Identity{}
	a, ok := d.kept(cookie)
	switch {
	case !ok || subtle.ConstantTimeCompare([]byte(a.State), []byte(in.State)) != 1:
		return none, refusedBy("oidc_state", errors.New("the state is not that of this browser"))
	case in.Issuer != "" && in.Issuer != d.Config.Issuer:
		return none, refusedBy("oidc_refused", errors.New("another issuer answers"))
	case in.Error != "" || in.Code == "":
		return none, refusedBy("oidc_refused", errors.New("the provider says "+in.Error))
	}
	provider, config, err := d.connect(ctx)
	if err != nil {
		return none, err
	}
	tokens, err := config.Exchange(oidc.ClientContext(ctx, d.client), in.Code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return none, refusedBy("oidc_refused", err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	token, err := provider.Verifier(&oidc.Config{ClientID: d.Config.ClientID, Now: d.now}).Verify(ctx, raw)
	if err != nil {
		return none, refusedBy("oidc_refused", err)
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(a.Nonce)) != 1 {
		return none, refusedBy("oidc_refused", errors.New("the nonce is not that of this browser"))
	}
	claims := map[string]any{}
	if err := token.Claims(&claims); err != nil {
		return none, refusedBy("oidc_refused", err)
	}
	return d.vouched(token, claims)
}

// vouched is what a proven token says, where the configuration lets them in.
func (d *Identity) vouched(token *oidc.IDToken, claims map[string]any) (people.Identity, error) {
	email, _ := claims["email"].(string)
	verified := claims["email_verified"] == true || claims["email_verified"] == "true"
	if email == "" || !verified {
		return people.Identity{}, refusedBy("oidc_email", errors.New("no verified e-mail address"))
	}
	if !d.Config.Allows(email) {
		return people.Identity{}, refusedBy("oidc_domain", errors.New("the domain is not allowed"))
	}
	id := people.Identity{Subject: token.Issuer + " " + token.Subject, Name: email, Default: d.Config.DefaultRole}
	if d.Config.RoleClaim != "" {
		id.Role = d.Config.Role(claims[d.Config.RoleClaim])
	}
	return id, nil
}

// Visit registers a route that sends the browser elsewhere.
func Visit[I any](r *Router, path, summary string, h func(context.Context, *I) (to string, cookie *http.Cookie, err error)) {
	op := r.operation(http.MethodGet, path, http.StatusSeeOther, Public, summary)
	op.Responses = map[string]*huma.Response{"303": {Description: "See Other"}}
	huma.Register(r.Api, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		to, cookie, err := h(ctx, in)
		if err != nil {
			return nil, r.log.Failed(ctx, err)
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			c.AppendHeader("Set-Cookie", cookie.String())
			c.SetHeader("Location", to)
			c.SetStatus(http.StatusSeeOther)
			_, _ = c.BodyWriter().Write(nil) // sends the header
		}}, nil
	})
}

// NoProvider is the problem of a server that knows no identity provider.
func NoProvider() error {
	return NewProblem(http.StatusNotFound, "oidc_off", "people sign in with a name and a password here",
		"the configuration file may name an identity provider: docs/teams.md")
}

// BackInput is what providers send along; what is not used is listed because unknown parameters are refused.
type BackInput struct {
	Code         string `query:"code" maxLength:"4096"`
	State        string `query:"state" maxLength:"200"`
	Error        string `query:"error" maxLength:"200"`
	Issuer       string `query:"iss" maxLength:"1000"`
	Description  string `query:"error_description" maxLength:"2000"`
	ErrorURI     string `query:"error_uri" maxLength:"2000"`
	SessionState string `query:"session_state" maxLength:"2000"`
	Scope        string `query:"scope" maxLength:"2000"`
	AuthUser     string `query:"authuser" maxLength:"200"`
	Prompt       string `query:"prompt" maxLength:"200"`
	Hosted       string `query:"hd" maxLength:"200"`
	Cookies      string `header:"Cookie" hidden:"true"`
}
