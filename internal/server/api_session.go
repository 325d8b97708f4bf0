package server

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/rag-workbench/workbench/internal/app"
)

// Me says who is asking and what they may do.
type Me struct {
	Role        Role         `json:"role"` // "" for nobody
	Permissions []Permission `json:"permissions"`
	Auth        string       `json:"auth"` // loopback: no token is needed; token: one is
	Version     string       `json:"version"`
	Languages   []string     `json:"languages"`
	Home        *app.Home    `json:"home,omitempty"` // where the user interface opens
}

type meInput struct {
	Lang          string `query:"lang" enum:"en,ja" doc:"language of the demo to open on"`
	Authorization string `header:"Authorization" hidden:"true"`
}

func (s *Server) me(ctx context.Context, in *meInput) (Me, error) {
	role := roleOf(ctx)
	me := Me{Role: role, Permissions: role.Permissions(), Auth: "loopback", Version: s.Version, Languages: []string{"en", "ja"}}
	if s.Tokens != nil {
		me.Auth = "token"
	}
	if !role.may(Read) {
		me.Version = "" // nobody's business
		return me, nil
	}
	home, err := s.views.Home(ctx, in.Lang)
	me.Home = &home
	return me, err
}

type loginInput struct {
	remote string
	Body   struct {
		Token string `json:"token" maxLength:"200" doc:"as printed by workbench serve"`
	}
}

// Resolve keeps the address that asks, for the limit on attempts.
func (in *loginInput) Resolve(ctx huma.Context) []error {
	in.remote = humagin.Unwrap(ctx).Request.RemoteAddr
	return nil
}

func (s *Server) login(ctx context.Context, in *loginInput) (Me, error) {
	role, err := s.access.login(ctx, in.remote, in.Body.Token)
	if err != nil {
		return Me{}, err
	}
	return s.me(context.WithValue(ctx, roleKey{}, role), &meInput{})
}

func (s *Server) logout(ctx context.Context, _ *nothing) error { return s.access.logout(ctx) }

func (s *Server) catalogue(context.Context, *nothing) (app.Catalogue, error) {
	return s.views.Catalogue()
}

// contract answers with the OpenAPI document.
func (s *Server) contract(context.Context, *nothing) (*huma.StreamResponse, error) {
	body, err := s.OpenAPI()
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		ctx.SetHeader("Content-Type", "application/json")
		_, _ = ctx.BodyWriter().Write(body) // the client is gone: nothing more can be said
	}}, err
}

// OpenAPI is the contract as indented JSON: the same bytes every time.
func (s *Server) OpenAPI() ([]byte, error) { return indented(s.api.OpenAPI()) }
