package requests

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// What a session holds: the id of an account, or of the token that it was opened with. What that may do is looked up at each
// request, so that a role that is taken away is gone at once.
const (
	sessionAccount = "account"
	sessionToken   = "token"
)

// newSessions builds the manager itself: scs.New would start a goroutine that sweeps sessions in memory, of which there are none.
func newSessions(o Options) *scs.SessionManager {
	m := &scs.SessionManager{
		Store: sessionStore{o.People}, Codec: sessionCodec{}, IdleTimeout: people.SessionIdle, Lifetime: people.SessionLife,
		HashTokenInStore: true,
		Cookie:           scs.SessionCookie{Name: "wb", Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode},
		ErrorFunc: func(w http.ResponseWriter, r *http.Request, err error) {
			o.Log("session failed", "error", err)
			WriteProblem(w, r, NewProblem(http.StatusServiceUnavailable, "access",
				"who is asking cannot be found out at this moment", "try again"))
		},
	}
	if o.TLS {
		m.Cookie.Name, m.Cookie.Secure = "__Host-wb", true
	}
	return m
}

// sessionStore keeps sessions in the database, which all servers share.
type sessionStore struct{ people *people.People }

var _ scs.CtxStore = sessionStore{}

// FindCtx implements scs.CtxStore.
func (s sessionStore) FindCtx(ctx context.Context, id string) ([]byte, bool, error) {
	session, ok, err := s.people.Session(ctx, id)
	return session.Data, ok && len(session.Data) > 0, err
}

// CommitCtx implements scs.CtxStore. It makes no session: [access.open] does, and what was ended meanwhile stays ended.
func (s sessionStore) CommitCtx(ctx context.Context, id string, data []byte, _ time.Time) error {
	return s.people.KeepSession(context.WithoutCancel(ctx), id, data)
}

// DeleteCtx implements scs.CtxStore.
func (s sessionStore) DeleteCtx(ctx context.Context, id string) error {
	return s.people.EndSession(context.WithoutCancel(ctx), id)
}

// Find implements scs.Store.
func (s sessionStore) Find(id string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), id)
}

// Commit implements scs.Store.
func (s sessionStore) Commit(id string, data []byte, expires time.Time) error {
	return s.CommitCtx(context.Background(), id, data, expires)
}

// Delete implements scs.Store.
func (s sessionStore) Delete(id string) error { return s.DeleteCtx(context.Background(), id) }

// sessionCodec keeps what a session holds as JSON, which no version of a program is needed to read.
type sessionCodec struct{}

type sessionData struct {
	Deadline time.Time      `json:"deadline"`
	Values   map[string]any `json:"values"`
}

// Encode implements scs.Codec.
func (sessionCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	return json.Marshal(sessionData{deadline.UTC(), values})
}

// Decode implements scs.Codec.
func (sessionCodec) Decode(body []byte) (time.Time, map[string]any, error) {
	var d sessionData
	err := json.Unmarshal(body, &d)
	if d.Values == nil {
		d.Values = map[string]any{}
	}
	return d.Deadline, d.Values, err
}

// sessionID is what the store knows a session by: the hash of its secret.
func (a *Access) sessionID(ctx context.Context) string {
	secret := a.Sessions.Token(ctx)
	if secret == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// ofSession is who acts with the session of a request.
func (a *Access) ofSession(ctx context.Context) (by people.Actor, err error) {
	by.Kind = people.ActorNobody
	if id := a.Sessions.GetString(ctx, sessionAccount); id != "" {
		by, err = a.people.OfAccount(ctx, id)
	} else if id := a.Sessions.GetString(ctx, sessionToken); id != "" {
		by, err = a.people.OfTokenID(ctx, id)
	}
	by.Session = a.sessionID(ctx)
	return by, err
}

// Open opens a session under a new id. The one that the browser had until now ends.
func (a *Access) Open(ctx context.Context, by people.Actor) (people.Actor, error) {
	v := VisitorOf(ctx)
	by.Address = v.Address
	if err := a.Sessions.RenewToken(ctx); err != nil {
		return v.Actor, err
	}
	session := experiments.WebSession{ID: a.sessionID(ctx), Account: by.Account, Address: v.Address, Agent: v.agent}
	if by.Kind == people.ActorToken {
		session.Token = by.Token
		a.Sessions.Put(ctx, sessionToken, by.Token)
		a.Sessions.Remove(ctx, sessionAccount)
	} else {
		a.Sessions.Put(ctx, sessionAccount, by.Account)
		a.Sessions.Remove(ctx, sessionToken)
	}
	if err := a.people.OpenSession(ctx, session); err != nil {
		return v.Actor, err
	}
	by.Session = session.ID
	who := *v
	who.Actor = by
	a.Record(ctx, &who, experiments.AuditEntry{Action: experiments.AuditSignIn})
	return by, nil
}

// Logout ends the session of a request.
func (a *Access) Logout(ctx context.Context) error {
	v := VisitorOf(ctx)
	if !a.SignIn || v.Session == "" {
		return nil
	}
	if v.Role != Anonymous {
		a.Record(ctx, v, experiments.AuditEntry{Action: "session.close"})
	}
	return a.Sessions.Destroy(ctx)
}
