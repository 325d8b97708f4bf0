// Package requests is what happens to a request of the API before its handler and after it: who asks, and whether they may; how much
// they may; sessions and sign-in elsewhere; how files arrive; how errors, files and events go back; and how a route is registered
// with all of that, so that it stands in the contract.
//
// It knows no resource. Package server beside it has them.
package requests

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Permission is what a route needs.
type Permission string

// The permissions. The public ones need none: they say who is asking, and open and close sessions.
const (
	Public Permission = "public"
	Read   Permission = "read"  // look at everything but secrets, which nobody sees
	Run    Permission = "run"   // spend: start, pause, cancel and resume runs
	Edit   Permission = "edit"  // datasets, corpora, experiments, baselines
	Admin  Permission = "admin" // delete runs, test connections, look after people
)

func (p Permission) known() bool {
	return slices.Contains([]Permission{Public, Read, Run, Edit, Admin}, p)
}

// Role is a set of permissions.
type Role = experiments.Role

// The roles.
const (
	Anonymous     = experiments.RoleNone
	Viewer        = experiments.RoleViewer
	Editor        = experiments.RoleEditor
	Administrator = experiments.RoleAdmin
)

// Permissions are what a role may do.
func Permissions(r Role) []Permission {
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

// May reports whether a role has a permission.
func May(r Role, p Permission) bool { return p == Public || slices.Contains(Permissions(r), p) }

// Rate bounds the requests of one account, token, or address that has not signed in.
type Rate struct {
	PerSecond float64
	Burst     float64 // at once
}

// Access finds out who is asking, and lets through what they may do.
type Access struct {
	people   *people.People
	SignIn   bool // everybody has to
	Sessions *scs.SessionManager
	Limits   *Limits
	trusted  []netip.Prefix
	now      func() time.Time
	Log      func(message string, args ...any)
}

// NewAccess decides who may do what by the options of a server.
func NewAccess(o Options) *Access {
	return &Access{
		people: o.People, SignIn: o.SignIn, Sessions: newSessions(o), Limits: NewLimits(o.Rate), trusted: o.TrustedProxies,
		now: o.Now, Log: o.Log,
	}
}

// Visitor is who asks, and what is written of the request into the audit log.
type Visitor struct {
	people.Actor
	agent   string
	detail  string
	planned bool // nothing was done
}

// VisitorKey is where the context of a request holds its [Visitor].
type VisitorKey struct{}

// VisitorOf is who asks, inside a handler.
func VisitorOf(ctx context.Context) *Visitor {
	v, ok := ctx.Value(VisitorKey{}).(*Visitor)
	if !ok {
		return &Visitor{Actor: people.Actor{Kind: people.ActorNobody}}
	}
	return v
}

// Noted adds a detail to what the audit log says of this request. It must hold neither secrets nor contents.
func Noted(ctx context.Context, detail string) {
	v := VisitorOf(ctx)
	v.detail = strings.TrimPrefix(v.detail+"; "+detail, "; ")
}

// OnlyPlans returns only, which says that a request asked what something would cost. Such a request changes nothing, so that the audit log
// says nothing of it.
func OnlyPlans(ctx context.Context, only bool) bool {
	if only {
		VisitorOf(ctx).planned = true
	}
	return only
}

// NotedBudget adds the budget that somebody gave to what the audit log says.
func NotedBudget(ctx context.Context, budget string) {
	if budget != "" {
		Noted(ctx, "budget "+budget)
	}
}

// Visit finds out who sends a request. A bearer that is wrong is nobody, whatever the session says.
func (a *Access) Visit(ctx context.Context, r *http.Request) (*Visitor, error) {
	v := &Visitor{agent: r.UserAgent()}
	var err error
	switch scheme, secret, bearer := strings.Cut(r.Header.Get("Authorization"), " "); {
	case !a.SignIn:
		v.Actor = people.Actor{Kind: people.ActorLocal, Name: "this machine", Role: Administrator}
	case scheme == "":
		v.Actor, err = a.ofSession(ctx)
	case bearer && strings.EqualFold(scheme, "Bearer"):
		v.Actor, err = a.people.OfToken(ctx, secret)
	default:
		v.Actor = people.Actor{Kind: people.ActorNobody}
	}
	v.Address = VisitorAddress(r, a.trusted)
	return v, err
}

// permits lets only requests through whose sender may do what the route does, and not too many of them. What changes something or
// takes data away is written into the audit log, and so is what was refused.
func (a *Access) permits(route Route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, _ := humachi.Unwrap(ctx)
		v, err := a.Visit(ctx.Context(), r)
		if err != nil {
			a.Log("who is asking could not be found out", "error", err)
			refuse(ctx, NewProblem(http.StatusServiceUnavailable, "access",
				"who is asking cannot be found out at this moment", "try again"))
			return
		}
		if wait := a.Wait(v); wait > 0 {
			refuse(ctx, TooMany("request_limit", "too many requests", wait))
			return
		}
		switch {
		case May(v.Role, route.Permission):
			next(huma.WithValue(huma.WithContext(ctx, notebooks.AskedBy(ctx.Context(), v.ID)), VisitorKey{}, v))
			if route.audited() && !v.planned && ctx.Status() < http.StatusBadRequest {
				a.Record(ctx.Context(), v, experiments.AuditEntry{Action: operationID(route.Method, route.Path),
					Target: strings.TrimPrefix(r.URL.Path, Prefix), Detail: v.detail})
			}
		case v.Role == Anonymous:
			ctx.SetHeader("WWW-Authenticate", "Bearer")
			refuse(ctx, NewProblem(http.StatusUnauthorized, "token_missing", "this needs somebody who has signed in, or a token",
				"sign in, or send a token as Authorization: Bearer"))
		default:
			a.Record(ctx.Context(), v, experiments.AuditEntry{
				Action: operationID(route.Method, route.Path), Target: strings.TrimPrefix(r.URL.Path, Prefix),
				Outcome: experiments.AuditRefused,
			})
			p := NewProblem(http.StatusForbidden, "permission", "the role "+string(v.Role)+" may not do this",
				"ask for the permission "+string(route.Permission))
			p.Params = map[string]any{"permission": route.Permission, "role": v.Role}
			refuse(ctx, p)
		}
	}
}

// Reads reports whether a request outside the API comes from somebody who may read.
func (a *Access) Reads(r *http.Request) bool {
	v, err := a.Visit(r.Context(), r)
	return err == nil && May(v.Role, Read)
}

// Wait is how long a visitor has to wait for the next request. Whoever needs not sign in has no limit: it is their own machine.
func (a *Access) Wait(v *Visitor) time.Duration {
	switch {
	case !a.SignIn:
		return 0
	case v.Role == Anonymous:
		return a.Limits.Requests.Take("address "+Network(v.Address), a.now())
	}
	return a.Limits.Requests.Take(v.Kind+" "+v.ID, a.now())
}

// audited reports whether what a route does is written down: everything that changes something, but sign-ins, which say more
// themselves, and what only plans; and files that people take away.
func (r Route) audited() bool {
	last := path.Base(r.Path)
	switch {
	case r.Permission == Public || last == "plan" || last == "preview":
		return false
	case r.Permission == Read && r.Method == http.MethodPost && !strings.HasPrefix(r.Path, "/me/") && r.Path != "/tokens":
		return false // it only computes
	case r.Method != http.MethodGet:
		return true
	}
	ending := strings.TrimPrefix(path.Ext(last), ".")
	return FileTypes[ending] != ""
}

// Record writes an entry of the audit log. A request is not refused because it could not be written down, but the log says so.
func (a *Access) Record(ctx context.Context, v *Visitor, e experiments.AuditEntry) {
	if err := a.people.Record(ctx, v.Actor, e); err != nil && !errors.Is(err, context.Canceled) {
		a.Log("the audit log was not written", "action", e.Action, "error", err)
	}
}

// refuse answers before the handler.
func refuse(ctx huma.Context, p *Problem) {
	for name, values := range p.GetHeaders() {
		ctx.SetHeader(name, values[0])
	}
	ctx.SetHeader("Content-Type", ProblemType)
	ctx.SetStatus(p.Status)
	writeJSON(ctx.BodyWriter(), problem.Spoken(LanguageOf(ctx.Header(languageHeader)), p))
}

// Login signs somebody in with a name and a password, or with a token alone.
func (a *Access) Login(ctx context.Context, name, password, token string) (people.Actor, error) {
	v := VisitorOf(ctx)
	if !a.SignIn {
		return v.Actor, nil
	}
	var account experiments.Account
	known := false
	if name != "" {
		var err error
		if account, err = a.people.Account(ctx, name); err != nil && !problem.Is(err, problem.NotFound) {
			return v.Actor, err
		}
		if known, err = a.people.Known(ctx, account.ID, v.Address); err != nil {
			return v.Actor, err
		}
	}
	try, refused := a.Limits.SignIn(a.now(), v.Address, experiments.NameKey(name), known)
	if refused != nil {
		return v.Actor, refused
	}
	by, err := a.proven(ctx, name, password, token)
	if err != nil || by.Role == Anonymous {
		who := *v
		if account.ID != "" { // the name of somebody who exists; another one may be a password in the wrong field
			who.ID, who.Name, who.Kind = account.ID, account.Name, people.ActorAccount
		}
		a.Record(ctx, &who, experiments.AuditEntry{Action: experiments.AuditSignIn, Outcome: experiments.AuditFailed, Detail: codeOf(err)})
		return v.Actor, err
	}
	try.Right()
	return a.Open(ctx, by)
}

// proven is whoever a name with a password, or a token, belongs to.
func (a *Access) proven(ctx context.Context, name, password, token string) (people.Actor, error) {
	if token == "" {
		account, err := a.people.SignIn(ctx, name, password)
		if err != nil {
			if problem.CodeOf(err) == "sign_in_failed" {
				p := FromProblem(problem.From(err))
				p.Status, p.Title = http.StatusUnauthorized, http.StatusText(http.StatusUnauthorized)
				err = p
			}
			return people.Actor{}, err
		}
		return a.people.OfAccount(ctx, account.ID)
	}
	by, err := a.people.OfToken(ctx, token)
	if err == nil && by.Role == Anonymous {
		err = NewProblem(http.StatusUnauthorized, "token_unknown", "the token is not known",
			"it may have expired or been revoked; make one with: workbench token add")
	}
	return by, err
}

// OfAPI reports whether a path belongs to the API and not to the user interface.
func OfAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }
