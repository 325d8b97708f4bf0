package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// accountsRoutes are the routes about people who sign in, their sessions and tokens, and the audit log.
func (s *Resources) accountsRoutes(r *requests.Router) {
	s.identitiesRoutes(r)
	requests.Post(r, "/setup", requests.Public, "Make the first administrator with the link that workbench serve printed", s.sessions.setUp)
	requests.Post(r, "/password-reset", requests.Public, "Set a password with a link", s.sessions.resetPassword)
	requests.Post(r, "/me/password", requests.Read, "Change one's own password; all sessions end", s.accounts.changePassword)
	requests.Get(r, "/me/sessions", requests.Read, "One's own sessions", s.accounts.mySessions)
	requests.Remove(r, "/me/sessions/{id}", requests.Read, "End one of one's own sessions", s.accounts.endMySession)
	requests.Get(r, "/tokens", requests.Read, "One's own API tokens, or everybody's", s.accounts.listTokens)
	requests.Post(r, "/tokens", requests.Read, "Make an API token", s.accounts.addToken)
	requests.Remove(r, "/tokens/{id}", requests.Read, "Revoke one of one's own API tokens; administrators revoke any", s.accounts.revokeToken)
	requests.Get(r, "/accounts", requests.Admin, "Everybody who can sign in", s.accounts.listAccounts)
	requests.Post(r, "/accounts", requests.Admin, "Make an account; without a password it comes with a link that sets one", s.accounts.addAccount)
	requests.Patch(r, "/accounts/{id}", requests.Admin, "Give another role, keep somebody out or let them in", s.accounts.changeAccount)
	requests.Post(r, "/accounts/{id}/reset-link", requests.Admin, "Make a link with which somebody sets a password, once, within a day", s.accounts.makeResetLink)
	requests.Get(r, "/accounts/{id}/sessions", requests.Admin, "The sessions of an account", s.accounts.listSessions)
	requests.Remove(r, "/accounts/{id}/sessions", requests.Admin, "End all sessions of an account", s.accounts.endSessions)
	requests.Get(r, "/audit", requests.Admin, "The audit log, newest first", s.accounts.listAudit)
	requests.Table(r, "/audit", requests.Admin, "The audit log as a file", s.accounts.exportAudit)
}

// ownAccount is the account of whoever asks with a session: not with a token, which must not make more of itself.
func ownAccount(ctx context.Context) (*requests.Visitor, error) {
	v := requests.VisitorOf(ctx)
	switch {
	case v.Kind == people.ActorLocal:
		return v, requests.NewProblem(http.StatusConflict, "account_needed", "nobody signs in here, so there is no account of yours",
			"use the command line: workbench user, workbench token")
	case v.Kind != people.ActorAccount:
		return v, requests.NewProblem(http.StatusForbidden, "session_needed", "this needs somebody who has signed in, not a token",
			"sign in with a name and a password")
	}
	return v, nil
}

type passwordInput struct {
	Body struct {
		Present  string `json:"present" minLength:"1" maxLength:"1000"`
		Password string `json:"password" minLength:"1" maxLength:"1000" doc:"12 to 128 characters"`
	}
}

func (s *accountsAPI) changePassword(ctx context.Context, in *passwordInput) (requests.Done, error) {
	v, err := ownAccount(ctx)
	if err != nil {
		return requests.Done{}, err
	}
	// Whoever finds a browser open does not guess the password in it either.
	try, refused := s.access.Limits.SignIn(s.now(), v.Address, experiments.NameKey(v.Name), true)
	if refused != nil {
		return requests.Done{}, refused
	}
	if err := s.people.SetPassword(ctx, v.Account, in.Body.Present, in.Body.Password); err != nil {
		return requests.Done{}, err
	}
	try.Right()
	return requests.Done{}, s.access.Sessions.Destroy(ctx)
}

func (s *accountsAPI) mySessions(ctx context.Context, _ *requests.Nothing) (ItemsOf[experiments.WebSession], error) {
	v := requests.VisitorOf(ctx)
	if v.Account == "" {
		return ItemsOf[experiments.WebSession]{Items: []experiments.WebSession{}}, nil
	}
	return items(s.people.Sessions(ctx, v.Account))
}

type idPath struct {
	ID string `path:"id" maxLength:"200"`
}

func (s *accountsAPI) endMySession(ctx context.Context, in *idPath) error {
	return s.people.EndSessionOf(ctx, requests.VisitorOf(ctx).Account, in.ID)
}

// TokenRow is a token with its owner's name.
type TokenRow struct {
	experiments.APIToken
	Owner string `json:"owner"` // name; "" for a token of the machine
	Alive bool   `json:"alive"` // it has neither expired nor been revoked
}

type tokensInput struct {
	Everybody bool `query:"everybody" doc:"needs the permission admin"`
}

func (s *accountsAPI) listTokens(ctx context.Context, in *tokensInput) (ItemsOf[TokenRow], error) {
	v, out := requests.VisitorOf(ctx), ItemsOf[TokenRow]{Items: []TokenRow{}}
	if in.Everybody && !requests.May(v.Role, requests.Admin) {
		return out, requests.NewProblem(http.StatusForbidden, "permission", "the role "+string(v.Role)+" sees its own tokens only",
			"leave everybody out")
	}
	if !in.Everybody && v.Account == "" {
		return out, nil
	}
	tokens, err := s.people.Tokens(ctx, v.Account, in.Everybody)
	if err != nil {
		return out, err
	}
	accounts, err := s.people.Accounts(ctx)
	names := map[string]string{}
	for _, a := range accounts {
		names[a.ID] = a.Name
	}
	for _, t := range tokens {
		out.Items = append(out.Items, TokenRow{APIToken: t, Owner: names[t.Account], Alive: t.Alive(s.now())})
	}
	return out, err
}

type addTokenInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100" doc:"what uses it"`
		Role string `json:"role" enum:"viewer,editor,admin" doc:"at most one's own"`
		Days int    `json:"days,omitempty" minimum:"1" maximum:"366" doc:"until it expires; default 90"`
	}
}

// MadeToken is a new token with its secret.
type MadeToken struct {
	Token  TokenRow `json:"token"`
	Secret string   `json:"secret" doc:"shown this once"`
}

func (s *accountsAPI) addToken(ctx context.Context, in *addTokenInput) (MadeToken, error) {
	v, err := ownAccount(ctx)
	if err != nil {
		return MadeToken{}, err
	}
	b := in.Body
	t, secret, err := s.people.AddToken(ctx, people.NewToken{Name: b.Name, Role: requests.Role(b.Role), Owner: v.Account,
		Life: time.Duration(b.Days) * 24 * time.Hour})
	if err != nil {
		return MadeToken{}, err
	}
	requests.Noted(ctx, fmt.Sprintf("token %s, role %s, until %s", t.ID, t.Role, t.ExpiresAt.Format(time.DateOnly)))
	return MadeToken{Token: TokenRow{APIToken: t, Owner: v.Name, Alive: true}, Secret: secret}, nil
}

func (s *accountsAPI) revokeToken(ctx context.Context, in *idPath) error {
	v, owner := requests.VisitorOf(ctx), ""
	if !requests.May(v.Role, requests.Admin) {
		if owner = v.Account; owner == "" {
			owner = "nobody's" // a token of the machine revokes none
		}
	}
	t, err := s.people.RevokeToken(ctx, in.ID, owner)
	requests.Noted(ctx, t.Name)
	return err
}

func (s *accountsAPI) listAccounts(ctx context.Context, _ *requests.Nothing) (ItemsOf[experiments.Account], error) {
	return items(s.people.Accounts(ctx))
}

type addAccountInput struct {
	Body struct {
		Name     string `json:"name" minLength:"1" maxLength:"200" doc:"an e-mail address, or a name"`
		Role     string `json:"role" enum:"viewer,editor,admin"`
		Password string `json:"password,omitempty" maxLength:"1000" doc:"12 to 128 characters; empty makes a link that sets one"`
	}
}

// MadeAccount is an account with the link that sets its password.
type MadeAccount struct {
	Account experiments.Account `json:"account"`
	Link    string              `json:"link" doc:"goes behind /reset# in the address of this server; shown this once, for a day; empty where a password was given"`
}

func (s *accountsAPI) addAccount(ctx context.Context, in *addAccountInput) (MadeAccount, error) {
	a, link, err := s.people.AddAccount(ctx, in.Body.Name, requests.Role(in.Body.Role), in.Body.Password)
	requests.Noted(ctx, fmt.Sprintf("%s, role %s", a.Name, a.Role))
	return MadeAccount{Account: a, Link: link}, err
}

type changeAccountInput struct {
	ID   string `path:"id" maxLength:"200"`
	Body struct {
		Role     *string `json:"role,omitempty" enum:"viewer,editor,admin"`
		Disabled *bool   `json:"disabled,omitempty"`
	}
}

func (s *accountsAPI) changeAccount(ctx context.Context, in *changeAccountInput) (experiments.Account, error) {
	a, err := s.people.Account(ctx, in.ID)
	if err == nil && in.Body.Role != nil {
		requests.Noted(ctx, fmt.Sprintf("%s: role %s, was %s", a.Name, *in.Body.Role, a.Role))
		a, err = s.people.SetRole(ctx, a.ID, requests.Role(*in.Body.Role))
	}
	if err == nil && in.Body.Disabled != nil {
		requests.Noted(ctx, fmt.Sprintf("%s: disabled %t", a.Name, *in.Body.Disabled))
		a, err = s.people.SetDisabled(ctx, a.ID, *in.Body.Disabled)
	}
	return a, err
}

func (s *accountsAPI) makeResetLink(ctx context.Context, in *idPath) (MadeAccount, error) {
	a, link, err := s.people.ResetLink(ctx, in.ID)
	requests.Noted(ctx, a.Name)
	return MadeAccount{Account: a, Link: link}, err
}

func (s *accountsAPI) listSessions(ctx context.Context, in *idPath) (ItemsOf[experiments.WebSession], error) {
	a, err := s.people.Account(ctx, in.ID)
	if err != nil {
		return ItemsOf[experiments.WebSession]{}, err
	}
	return items(s.people.Sessions(ctx, a.ID))
}

func (s *accountsAPI) endSessions(ctx context.Context, in *idPath) error {
	a, err := s.people.Account(ctx, in.ID)
	if err != nil {
		return err
	}
	n, err := s.people.EndSessions(ctx, a.ID)
	requests.Noted(ctx, fmt.Sprintf("%s: %d sessions", a.Name, n))
	return err
}

// AuditQuery narrows the audit log.
type AuditQuery struct {
	Name    string `query:"name" maxLength:"300" doc:"of who did it"`
	Action  string `query:"action" maxLength:"300"`
	Outcome string `query:"outcome" enum:"done,refused,failed"`
	Since   string `query:"since" maxLength:"40" doc:"a day (2026-11-20) or a moment (2026-11-20T09:00:00Z)"`
}

func (q AuditQuery) filter() (experiments.AuditFilter, error) {
	f := experiments.AuditFilter{Name: q.Name, Action: q.Action, Outcome: q.Outcome}
	if q.Since == "" {
		return f, nil
	}
	var err error
	if f.Since, err = time.Parse(time.RFC3339, q.Since); err != nil {
		if f.Since, err = time.Parse(time.DateOnly, q.Since); err != nil {
			return f, requests.Invalid("since", "since", "that is no day and no moment", "write it as 2026-11-20 or 2026-11-20T09:00:00Z")
		}
	}
	return f, nil
}

type listAuditInput struct {
	AuditQuery
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor string `query:"cursor" maxLength:"20" doc:"next_cursor of the part before"`
}

func (s *accountsAPI) listAudit(ctx context.Context, in *listAuditInput) (listing.Listed[experiments.AuditEntry], error) {
	out := listing.Listed[experiments.AuditEntry]{Items: []experiments.AuditEntry{}}
	f, err := in.filter()
	if err != nil {
		return out, err
	}
	if in.Cursor != "" {
		if f.Before, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil || f.Before < 1 {
			return out, requests.Invalid("cursor", "cursor", "the cursor does not belong to this list", "begin again without cursor")
		}
	}
	f.Limit = in.Limit
	out.Items, out.Total, err = s.people.Audit(ctx, f)
	if n := len(out.Items); n == in.Limit && out.Items[n-1].ID > 1 {
		out.NextCursor = strconv.FormatInt(out.Items[n-1].ID, 10)
	}
	return out, err
}

func (s *accountsAPI) exportAudit(ctx context.Context, in *AuditQuery) (spreadsheet.Table, string, error) {
	f, err := in.filter()
	if err != nil {
		return spreadsheet.Table{}, "", err
	}
	entries, _, err := s.people.Audit(ctx, f)
	return people.AuditTable(entries), "audit", err
}
