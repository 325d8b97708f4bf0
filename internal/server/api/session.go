package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// Me says who is asking and what they may do.
type Me struct {
	Role        requests.Role         `json:"role"` // "" for nobody
	Permissions []requests.Permission `json:"permissions"`
	Auth        string                `json:"auth"` // loopback: nobody signs in; sign_in: everybody does
	Kind        string                `json:"kind" enum:"nobody,account,token,local" doc:"local: nobody signs in here"`
	Name        string                `json:"name"`    // as people know them
	Account     string                `json:"account"` // id; "" where there is none
	Session     string                `json:"session"` // id of the session that asks; "" where there is none
	Provider    string                `json:"provider" doc:"name of the identity provider that people may sign in with; empty: none"`
	Version     string                `json:"version"`
	Languages   []string              `json:"languages"`
	Home        *views.Home           `json:"home,omitempty"` // where the user interface opens
}

type meInput struct {
	Lang          string `query:"lang" enum:"en,ja" doc:"language of the demo to open on"`
	Authorization string `header:"Authorization" hidden:"true"`
}

func (s *sessionsAPI) me(ctx context.Context, in *meInput) (Me, error) {
	v := requests.VisitorOf(ctx)
	me := Me{
		Role: v.Role, Permissions: requests.Permissions(v.Role), Auth: "loopback", Kind: v.Kind, Name: v.Name, Account: v.Account,
		Version: s.version, Languages: []string{"en", "ja"},
	}
	if s.signIn {
		me.Auth = "sign_in"
	}
	if s.identity != nil {
		me.Provider = s.identity.Config.Shown()
	}
	if !requests.May(v.Role, requests.Read) {
		me.Version = "" // nobody's business
		return me, nil
	}
	me.Session = v.Session
	home, err := s.views.Home(ctx, in.Lang)
	me.Home = &home
	return me, err
}

type loginInput struct {
	Body struct {
		Name     string `json:"name,omitempty" maxLength:"200" doc:"of an account, with its password"`
		Password string `json:"password,omitempty" maxLength:"1000"`
		Token    string `json:"token,omitempty" maxLength:"200" doc:"instead of both: an API token"`
	}
}

func (s *sessionsAPI) login(ctx context.Context, in *loginInput) (Me, error) {
	b := in.Body
	switch {
	case b.Token != "" && (b.Name != "" || b.Password != ""):
		return Me{}, requests.Invalid("sign_in", "token", "send either a token, or a name with a password", "")
	case b.Token == "" && b.Name == "" && s.signIn:
		return Me{}, requests.Invalid("sign_in", "name", "send a name with a password, or a token", "")
	}
	by, err := s.access.Login(ctx, b.Name, b.Password, b.Token)
	if err != nil {
		return Me{}, err
	}
	return s.me(context.WithValue(ctx, requests.VisitorKey{}, &requests.Visitor{Actor: by}), &meInput{})
}

func (s *sessionsAPI) logout(ctx context.Context, _ *requests.Nothing) error {
	return s.access.Logout(ctx)
}

type setupInput struct {
	Body struct {
		Link     string `json:"link" minLength:"1" maxLength:"200" doc:"what stands behind # in the address that workbench serve printed"`
		Name     string `json:"name" minLength:"1" maxLength:"200" doc:"an e-mail address, or a name"`
		Password string `json:"password" minLength:"1" maxLength:"1000" doc:"12 to 128 characters"`
	}
}

// setUp makes the first administrator.
func (s *sessionsAPI) setUp(ctx context.Context, in *setupInput) (Me, error) {
	return s.byLink(ctx, "setup", func() (experiments.Account, error) {
		return s.people.SetUp(ctx, in.Body.Link, in.Body.Name, in.Body.Password)
	})
}

type resetInput struct {
	Body struct {
		Link     string `json:"link" minLength:"1" maxLength:"200" doc:"what stands behind # in the address that an administrator gave"`
		Password string `json:"password" minLength:"1" maxLength:"1000" doc:"12 to 128 characters"`
	}
}

// resetPassword sets a password by a link.
func (s *sessionsAPI) resetPassword(ctx context.Context, in *resetInput) (Me, error) {
	return s.byLink(ctx, "password.reset", func() (experiments.Account, error) {
		return s.people.UseResetLink(ctx, in.Body.Link, in.Body.Password)
	})
}

// byLink does what a link allows once, and signs its owner in. Tries are limited as sign-ins are.
func (s *sessionsAPI) byLink(ctx context.Context, action string, use func() (experiments.Account, error)) (Me, error) {
	v := requests.VisitorOf(ctx)
	try, refused := s.access.Limits.SignIn(s.now(), v.Address, "", false)
	if refused != nil {
		return Me{}, refused
	}
	account, err := use()
	if code := problem.CodeOf(err); code != "link_unknown" {
		try.Right()
	} else {
		s.access.Record(ctx, v, experiments.AuditEntry{Action: action, Outcome: experiments.AuditFailed, Detail: code})
	}
	if err != nil {
		return Me{}, err
	}
	by, err := s.people.OfAccount(ctx, account.ID)
	if err != nil {
		return Me{}, err
	}
	by.Address = v.Address
	s.access.Record(ctx, &requests.Visitor{Actor: by}, experiments.AuditEntry{Action: action, Target: account.Name})
	if s.signIn {
		if by, err = s.access.Open(ctx, by); err != nil {
			return Me{}, err
		}
	}
	return s.me(context.WithValue(ctx, requests.VisitorKey{}, &requests.Visitor{Actor: by}), &meInput{})
}

func (s *sessionsAPI) catalogue(context.Context, *requests.Nothing) (views.Catalogue, error) {
	return s.views.Catalogue()
}
