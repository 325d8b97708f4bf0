package people

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// signInFailed is the same for an unknown name, a wrong password, and an account that has none or is disabled.
func signInFailed() error {
	return problem.New(problem.Invalid, "sign_in_failed", "the name or the password is wrong").
		WithHint("an administrator can make a link that sets a new password: workbench user reset-link NAME")
}

// SignIn finds the account of a name and a password. It takes as long for an unknown name as for a wrong password, and answers
// with one Problem of code sign_in_failed for both.
func (p *People) SignIn(ctx context.Context, name, password string) (experiments.Account, error) {
	a, err := p.store.AccountNamed(ctx, name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return a, err
	}
	same, stale, err := p.matches(ctx, password, a.PasswordHash)
	if err != nil {
		return experiments.Account{}, err
	}
	if !same || a.Disabled {
		return experiments.Account{}, signInFailed()
	}
	now := p.now()
	a, err = p.store.ChangeAccount(ctx, a.ID, func(a *experiments.Account) error { a.SignedInAt = now; return nil })
	if err == nil && stale {
		err = p.rehash(ctx, a, password)
	}
	return a, err
}

// rehash keeps a password at today's cost. Its sessions end with the old hash, and the one that is being opened comes after.
func (p *People) rehash(ctx context.Context, a experiments.Account, password string) error {
	hash, err := p.hash(ctx, password)
	if err != nil {
		return err
	}
	_, err = p.store.ChangeAccount(ctx, a.ID, func(a *experiments.Account) error { a.PasswordHash = hash; return nil })
	return err
}

// SetPassword gives somebody who knows the present password another one. All sessions of the account end.
func (p *People) SetPassword(ctx context.Context, account, present, password string) error {
	a, err := p.store.Account(ctx, account)
	if err != nil {
		return err
	}
	same, _, err := p.matches(ctx, present, a.PasswordHash)
	if err != nil {
		return err
	}
	if !same {
		return problem.New(problem.Invalid, "password_wrong", "the present password is wrong").With("field", "present")
	}
	if err := checkPassword(password, a.Name); err != nil {
		return err
	}
	hash, err := p.hash(ctx, password)
	if err != nil {
		return err
	}
	_, err = p.store.ChangeAccount(ctx, a.ID, func(a *experiments.Account) error { a.PasswordHash = hash; return nil })
	return err
}

// OfAccount is who acts with a session of an account, or an actor of no role when the account is gone or disabled.
func (p *People) OfAccount(ctx context.Context, id string) (Actor, error) {
	a, err := p.store.Account(ctx, id)
	if problem.Is(err, problem.NotFound) || err == nil && a.Disabled {
		return Actor{Kind: ActorNobody}, nil
	}
	return Actor{Kind: ActorAccount, ID: a.ID, Name: a.Name, Role: a.Role, Account: a.ID}, err
}

// OfToken is who acts with a token, or an actor of no role when it is unknown, has expired or was revoked, or when its owner is
// gone or disabled. It may do at most what its owner may.
func (p *People) OfToken(ctx context.Context, secret string) (Actor, error) {
	t, err := p.store.TokenHashed(ctx, HashOf(secret))
	return p.ofToken(ctx, t, err)
}

// OfTokenID is [People.OfToken] for a session that was opened with the token.
func (p *People) OfTokenID(ctx context.Context, id string) (Actor, error) {
	t, err := p.store.Token(ctx, id)
	return p.ofToken(ctx, t, err)
}

func (p *People) ofToken(ctx context.Context, t experiments.APIToken, err error) (Actor, error) {
	now := p.now()
	if problem.Is(err, problem.NotFound) || err == nil && !t.Alive(now) {
		return Actor{Kind: ActorNobody}, nil
	}
	if err != nil {
		return Actor{Kind: ActorNobody}, err
	}
	by := Actor{Kind: ActorToken, ID: t.ID, Name: t.Name, Role: t.Role, Token: t.ID}
	if t.Account != "" {
		owner, err := p.OfAccount(ctx, t.Account)
		if err != nil || !owner.Role.Valid() {
			return Actor{Kind: ActorNobody}, err
		}
		by.Role, by.Account, by.Name = t.Role.Lower(owner.Role), t.Account, owner.Name+" · "+t.Name
	}
	if now.Sub(t.UsedAt) >= seenStep {
		if err := p.store.UseToken(ctx, t.ID, now); err != nil {
			return Actor{Kind: ActorNobody}, err
		}
	}
	return by, nil
}

// Known reports whether an account has signed in from an address in the last 90 days.
func (p *People) Known(ctx context.Context, account, address string) (bool, error) {
	return p.store.SignedInFrom(ctx, account, address, p.now().Add(-knownAddressLife))
}

// Session finds a session that has not ended.
func (p *People) Session(ctx context.Context, id string) (experiments.WebSession, bool, error) {
	return p.store.Session(ctx, id, p.now())
}

// The life of a session: how long it may be out of use, and how long in all.
const (
	SessionIdle = 12 * time.Hour
	SessionLife = 7 * 24 * time.Hour
)

// OpenSession keeps a new session.
func (p *People) OpenSession(ctx context.Context, s experiments.WebSession) error {
	s.CreatedAt = p.now()
	s.SeenAt, s.ExpiresAt = s.CreatedAt, s.CreatedAt.Add(SessionIdle)
	s.Agent = text.Cut(strings.ToValidUTF8(s.Agent, "\ufffd"), mostAudit)
	return p.store.PutSession(ctx, s)
}

// KeepSession notes that a session is in use, once a minute at most, unless its data have changed. A session that has ended
// meanwhile stays ended.
func (p *People) KeepSession(ctx context.Context, id string, data []byte) error {
	now := p.now()
	s, ok, err := p.store.Session(ctx, id, now)
	if err != nil || !ok || bytes.Equal(s.Data, data) && now.Sub(s.SeenAt) < seenStep {
		return err
	}
	expires := now.Add(SessionIdle)
	if last := s.CreatedAt.Add(SessionLife); last.Before(expires) {
		expires = last
	}
	return p.store.PutSeen(ctx, id, data, now, expires)
}

// EndSession ends a session; one that is not there has ended.
func (p *People) EndSession(ctx context.Context, id string) error {
	return p.store.DeleteSession(ctx, id)
}

// Sessions lists the sessions of an account, newest first.
func (p *People) Sessions(ctx context.Context, account string) ([]experiments.WebSession, error) {
	return p.store.Sessions(ctx, account, p.now())
}

// EndSessionOf ends a session of an account, or returns NotFound when it is none of its.
func (p *People) EndSessionOf(ctx context.Context, account, id string) error {
	s, ok, err := p.Session(ctx, id)
	if err != nil {
		return err
	}
	if !ok || s.Account != account || account == "" {
		return problem.New(problem.NotFound, "session_unknown", "there is no such session").WithHint("it may have ended already")
	}
	return p.EndSession(ctx, id)
}

// EndSessions ends all sessions of an account and says how many there were.
func (p *People) EndSessions(ctx context.Context, account string) (int, error) {
	return p.store.DeleteSessions(ctx, account)
}
