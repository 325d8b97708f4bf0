// Package server is the HTTP face of the workbench: the API under /api/v1, the events of runs, and the user interface.
//
// It decides nothing. Handlers read a request, call a use case of package app, and write what it returns. They are methods of one
// small type for each resource, which has what they need and nothing else (package api). The whole list of
// routes stands in its routes.go, one line each with the permission that it needs; a route without one cannot be registered. The
// API's contract is docs/openapi.json, which is made from the types here and verified by a test.
//
// # Who may do what
//
// Where nobody signs in whoever reaches the server is an administrator, which is right on the loopback address alone. Elsewhere a
// request carries a token as a bearer, or the cookie of a session that was opened with a name and a password, or with a token.
// Accounts, sessions and tokens are in the database, which several servers share ([people.People]). A role has
// permissions, a route needs one ([Role], [Permission]). What changes something is written into the audit log (access.go).
//
// # What protects it
//
// Requests pass, in this order: a recovery that never shows a stack; security headers; the Host check (421 for a name that is
// not ours, against DNS rebinding); limits of time and size; the standard library's cross-origin protection (403 for a
// state-changing request of another site); the session; the number of requests; the permission of the route. docs/security.md has
// the table of threats
// and tests.
//
// # Errors
//
// Every error is an application/problem+json document made from a problem.Problem: code, detail, hint, field and parameters.
// What is not a Problem becomes "internal", and the cause goes to the log alone.
package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// Options say what a server serves, and to whom.
type Options = requests.Options

// Server is the HTTP API and the user interface. It starts nothing until [Server.Serve].
type Server struct {
	Options
	views     *views.Views
	work      *jobs.Background
	access    *requests.Access
	uploads   *requests.Inbox
	identity  *requests.Identity // nil: people sign in with passwords and tokens alone
	books     *studies.Notebooks
	numbers   *numbers
	sharing   sharing.Sharing
	resources *api.Resources
	contract  func() (*huma.OpenAPI, error) // what the API says of itself, made anew
	routes    []requests.Route
	handler   http.Handler
	stopping  chan struct{} // closed when Serve ends: event streams end
}

// The limits of one connection.
const (
	headerTimeout   = 5 * time.Second
	bodyTimeout     = 60 * time.Second
	filesTake       = 15 // times as long as other bodies
	idleTimeout     = 120 * time.Second
	maxHeaderBytes  = 32 << 10
	shutdownTimeout = 90 * time.Second
)

// New puts a server together. It fails when a route is registered without a permission.
func New(o Options) (*Server, error) {
	if o.Workbench == nil || o.Now == nil {
		return nil, errors.New("server: Workbench and Now are needed")
	}
	if o.Every == nil {
		o.Every = func(d time.Duration) (<-chan time.Time, func()) { t := time.NewTicker(d); return t.C, t.Stop }
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.People == nil {
		var err error
		if o.People, err = people.NewPeople(context.Background(), o.Workbench); err != nil {
			return nil, err
		}
	}
	s := &Server{
		Options: o, views: views.NewViews(o.Workbench), work: jobs.NewBackground(o.Workbench, o.Log), access: requests.NewAccess(o),
		uploads:  requests.NewInbox(o),
		stopping: make(chan struct{}),
	}
	s.numbers = newNumbers(o)
	s.books = studies.NewNotebooks(o.Workbench, s.views, s.work, o.Notebooks, o.Version)
	s.sharing = sharing.Sharing{Workbench: o.Workbench, People: o.People, Views: s.views, Version: o.Version, Now: o.Now,
		Notebook: s.books.Evaluated, Comments: s.books.Remarked}
	var err error
	if s.identity, err = requests.NewIdentity(o); err != nil {
		return nil, err
	}
	routes, err := s.routed()
	if err != nil {
		return nil, err
	}
	s.handler = s.guarded(routes)
	return s, nil
}

// routed has what answers at each path: the API, those who watch the process, links, traces, and everywhere else the user interface.
func (s *Server) routed() (*chi.Mux, error) {
	mux := chi.NewRouter()
	mux.Use(s.numbers.observed, s.timely)
	mux.NotFound(s.page)
	mux.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { requests.WriteProblem(w, r, requests.MethodUnknown(r)) })
	s.watched(mux)
	mux.Get(sharing.PathPrefix+"{secret}", s.shared)
	received, err := newOTLP(s)
	if err != nil {
		return nil, err
	}
	mux.Post(otlpPath, received.post)
	r := requests.NewRouter(mux, s.access, s.bodyTime, requests.Journal(s.Log))
	s.resources = api.New(api.Needs{Options: s.Options, Views: s.views, Work: s.work, Access: s.access, Identity: s.identity,
		Uploads: s.uploads, Books: s.books, Sharing: s.sharing, Stopping: s.stopping})
	r.Register(s.resources.Register)
	s.contract, s.routes = r.Whole, r.Routes
	return mux, r.Err
}

// send replies with a whole body. Where the client is gone nothing more can be said.
func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// Handler is the whole server as one handler, for tests and for servers of others.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers on a listener until ctx ends. Then it is not ready any more, ends event streams, begins nothing new, lets the
// questions in flight come to their end, pauses the runs that it works, with everything kept, and answers the requests that are
// there. After 90 seconds, or when Hurry closes, it breaks off what is left.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	web := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(l) }()
	ticks, stop := s.Every(time.Minute)
	defer stop()
	var err error
	for waiting := true; waiting; {
		select {
		case err = <-failed:
			waiting = false
		case <-ctx.Done():
			waiting = false
		case <-ticks:
			s.views.Forget()
			s.resources.SettleTraces(ctx)
			s.prunePeople(ctx)
			s.uploads.Forget(s.Now())
		}
	}
	close(s.stopping)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	go func() {
		select {
		case <-s.Hurry:
			cancel()
		case <-ending.Done():
		}
	}()
	if drainErr := s.work.Drain(ending); drainErr != nil {
		s.Log("the runs under way could not be asked to pause", "error", drainErr)
	}
	if closeErr := web.Shutdown(ending); closeErr != nil {
		_ = web.Close() // some client does not go: its connection is cut
	}
	s.work.Close()
	s.uploads.Close()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}
