package api

import (
	"context"
	"net/http"
	"net/url"

	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// identitiesRoutes are the routes of a sign-in with the provider. Browsers visit them, so both answer with a redirection.
func (s *Resources) identitiesRoutes(r *requests.Router) {
	requests.Visit(r, requests.OidcPath, "Go to the identity provider to sign in", s.sessions.goToProvider)
	requests.Visit(r, requests.BackPath, "Come back from the identity provider", s.sessions.backFromProvider)
}

func (s *sessionsAPI) goToProvider(ctx context.Context, _ *requests.Nothing) (string, *http.Cookie, error) {
	if s.identity == nil {
		return "", nil, requests.NoProvider()
	}
	to, cookie, err := s.identity.Begin(ctx)
	if err != nil {
		s.log("the identity provider cannot be used", "error", err)
		return "/?problem=" + url.QueryEscape(problem.CodeOf(err)), s.identity.Keep(nil), nil
	}
	return to, cookie, nil
}

func (s *sessionsAPI) backFromProvider(ctx context.Context, in *requests.BackInput) (string, *http.Cookie, error) {
	if s.identity == nil {
		return "", nil, requests.NoProvider()
	}
	v := requests.VisitorOf(ctx)
	try, refused := s.access.Limits.SignIn(s.now(), v.Address, "", false)
	if refused != nil {
		return "", nil, refused
	}
	value := ""
	if cookies, err := http.ParseCookie(in.Cookies); err == nil {
		for _, c := range cookies {
			if c.Name == s.identity.Cookie {
				value = c.Value
			}
		}
	}
	id, err := s.identity.Finish(ctx, value, in)
	var account experiments.Account
	if err == nil {
		account, err = s.people.SignInAs(ctx, id)
	}
	var by people.Actor
	if err == nil {
		by, err = s.people.OfAccount(ctx, account.ID)
	}
	if err == nil {
		try.Right()
		_, err = s.access.Open(ctx, by)
	}
	if err != nil {
		s.log("a sign-in with the identity provider was refused", "error", err)
		s.access.Record(ctx, v, experiments.AuditEntry{Action: experiments.AuditSignIn, Outcome: experiments.AuditFailed,
			Detail: problem.CodeOf(err)})
		return "/?problem=" + url.QueryEscape(problem.CodeOf(err)), s.identity.Keep(nil), nil
	}
	return "/", s.identity.Keep(nil), nil
}
