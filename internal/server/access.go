package server

import (
	"context"
	"crypto/sha256"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/alexedwards/scs/v2/memstore"
	"github.com/danielgtaylor/huma/v2"
)

// Permission is what a route needs.
type Permission string

// The permissions. The public ones need none: they say who is asking, and open and close sessions.
const (
	Public Permission = "public"
	Read   Permission = "read"  // look at everything but secrets, which nobody sees
	Run    Permission = "run"   // spend: start, pause, cancel and resume runs
	Edit   Permission = "edit"  // datasets, corpora, experiments, baselines
	Admin  Permission = "admin" // delete runs, test connections
)

func (p Permission) known() bool {
	return slices.Contains([]Permission{Public, Read, Run, Edit, Admin}, p)
}

// Role is a set of permissions.
type Role string

// The roles.
const (
	Anonymous     Role = ""
	Viewer        Role = "viewer"
	Editor        Role = "editor"
	Administrator Role = "admin"
)

// Permissions are what a role may do.
func (r Role) Permissions() []Permission {
	switch r {
	case Viewer:
		return []Permission{Read}
	case Editor:
		return []Permission{Read, Run, Edit}
	case Administrator:
		return []Permission{Read, Run, Edit, Admin}
	case Anonymous:
	}
	return []Permission{}
}

func (r Role) may(p Permission) bool { return p == Public || slices.Contains(r.Permissions(), p) }

// Tokens knows the tokens that may be presented, by their SHA-256 alone.
type Tokens interface {
	// Role returns the role of a token, and false for one that is unknown or has expired.
	Role(ctx context.Context, hash [sha256.Size]byte) (role string, ok bool)
}

// access finds out who is asking.
type access struct {
	tokens   Tokens
	sessions *scs.SessionManager
	now      func() time.Time

	mu     sync.Mutex
	failed map[string][]time.Time // log-ins that failed, by address
}

// The life of a session and the log-ins that may fail in a minute.
const (
	sessionIdle  = 12 * time.Hour
	sessionLife  = 7 * 24 * time.Hour
	loginsFailed = 5
	loginWindow  = time.Minute
)

const sessionRole = "token" // holds the hash of the token, so that a token that is taken away takes its sessions with it

func newAccess(o Options) *access {
	m := scs.New()
	m.Store = memstore.NewWithCleanupInterval(0) // no goroutine: sessions end with the process at the latest
	m.IdleTimeout, m.Lifetime = sessionIdle, sessionLife
	m.Cookie.Name, m.Cookie.HttpOnly, m.Cookie.SameSite, m.Cookie.Path, m.Cookie.Persist = "wb", true, http.SameSiteStrictMode, "/", false
	if o.TLS {
		m.Cookie.Name, m.Cookie.Secure = "__Host-wb", true
	}
	m.HashTokenInStore = true
	m.ErrorFunc = func(w http.ResponseWriter, _ *http.Request, err error) {
		o.Log("session failed", "error", err)
		writeProblem(w, newProblem(http.StatusInternalServerError, "internal", "something went wrong", ""))
	}
	return &access{tokens: o.Tokens, sessions: m, now: o.Now, failed: map[string][]time.Time{}}
}

// role is the role of whoever asks. A bearer that is wrong is nobody, whatever the session says.
func (a *access) role(ctx context.Context, authorization string) Role {
	if a.tokens == nil {
		return Administrator
	}
	if authorization != "" {
		scheme, token, _ := strings.Cut(authorization, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return Anonymous
		}
		return a.known(ctx, sha256.Sum256([]byte(strings.TrimSpace(token))))
	}
	hash, ok := a.sessions.Get(ctx, sessionRole).([]byte)
	if !ok || len(hash) != sha256.Size {
		return Anonymous
	}
	return a.known(ctx, [sha256.Size]byte(hash))
}

func (a *access) known(ctx context.Context, hash [sha256.Size]byte) Role {
	name, ok := a.tokens.Role(ctx, hash)
	if role := Role(name); ok && len(role.Permissions()) > 0 {
		return role
	}
	return Anonymous
}

type roleKey struct{}

// roleOf is the role of whoever asks, inside a handler.
func roleOf(ctx context.Context) Role {
	role, _ := ctx.Value(roleKey{}).(Role)
	return role
}

// permits lets only requests through whose role has the permission.
func (a *access) permits(need Permission) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		role := a.role(ctx.Context(), ctx.Header("Authorization"))
		switch {
		case role.may(need):
			next(huma.WithValue(ctx, roleKey{}, role))
		case role == Anonymous:
			ctx.SetHeader("WWW-Authenticate", "Bearer")
			refuse(ctx, newProblem(http.StatusUnauthorized, "token_missing", "this needs a token", "send it as Authorization: Bearer, or sign in; `workbench serve` printed the first one"))
		default:
			p := newProblem(http.StatusForbidden, "permission", "the role "+string(role)+" may not do this", "ask for a token with the permission "+string(need))
			p.Params = map[string]any{"permission": need, "role": role}
			refuse(ctx, p)
		}
	}
}

// refuse answers before the handler.
func refuse(ctx huma.Context, p *Problem) {
	ctx.SetHeader("Content-Type", problemType)
	ctx.SetStatus(p.Status)
	writeJSON(ctx.BodyWriter(), p)
}

// login exchanges a token for a session. Five failures in a minute of one address, and it has to wait.
func (a *access) login(ctx context.Context, remote, token string) (Role, error) {
	if a.tokens == nil {
		return Administrator, nil
	}
	address, _, err := net.SplitHostPort(remote)
	if err != nil {
		address = remote
	}
	now := a.now()
	a.mu.Lock()
	recent := slices.DeleteFunc(a.failed[address], func(t time.Time) bool { return now.Sub(t) > loginWindow })
	a.failed[address] = recent
	a.mu.Unlock()
	if len(recent) >= loginsFailed {
		return Anonymous, newProblem(http.StatusTooManyRequests, "login_limit", "too many attempts in a minute", "wait a minute")
	}
	hash := sha256.Sum256([]byte(strings.TrimSpace(token)))
	role := a.known(ctx, hash)
	if role == Anonymous {
		a.mu.Lock()
		a.failed[address] = append(a.failed[address], now)
		if len(a.failed) > 10_000 { // an attacker with many addresses does not fill the memory
			clear(a.failed)
		}
		a.mu.Unlock()
		return Anonymous, newProblem(http.StatusUnauthorized, "token_unknown", "the token is not known", "`workbench serve` printed the first one when it was started")
	}
	if err := a.sessions.RenewToken(ctx); err != nil {
		return Anonymous, err
	}
	a.sessions.Put(ctx, sessionRole, hash[:])
	return role, nil
}

// logout ends the session.
func (a *access) logout(ctx context.Context) error {
	if a.tokens == nil {
		return nil
	}
	return a.sessions.Destroy(ctx)
}
