// Package server is the HTTP face of the workbench: the API under /api/v1, the events of runs, and the user interface.
//
// It decides nothing. Handlers read a request, call a use case of package app, and write what it returns. The whole list of
// routes stands in routes.go, one line each with the permission that it needs; a route without one cannot be registered. The
// API's contract is docs/openapi.json, which is made from the types here and verified by a test.
//
// # Who may do what
//
// Without tokens whoever reaches the server is an administrator, which is right on the loopback address alone. With tokens a
// request carries one as a bearer, or a session cookie that was exchanged for it. A role has permissions, a route needs one
// ([Role], [Permission]).
//
// # What protects it
//
// Requests pass, in this order: a recovery that never shows a stack; security headers; the Host check (421 for a name that is
// not ours, against DNS rebinding); limits of time and size; the standard library's cross-origin protection (403 for a
// state-changing request of another site); the session; the permission of the route. docs/security.md has the table of threats
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
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/rag-workbench/workbench/internal/app"
)

// Options say what a server serves, and to whom.
type Options struct {
	Workbench *app.Workbench
	Version   string
	Assets    fs.FS    // the built user interface; nil shows a page that says how to build it
	Hosts     []string // further names that a browser may know this server by, without port
	Tokens    Tokens   // nil: whoever reaches the server is an administrator
	TLS       bool     // browsers reach it over TLS, directly or through a proxy: cookies are Secure
	Parser    Parser   // reads uploaded files in another process; nil refuses uploads
	TempDir   string   // where uploads wait; "" is the system's
	Now       func() time.Time
	Every     func(time.Duration) (ticks <-chan time.Time, stop func()) // of event streams; nil uses the system's clock
	Log       func(message string, args ...any)                         // of what went wrong inside; may be nil
}

// Server is the HTTP API and the user interface. It starts nothing until [Server.Serve].
type Server struct {
	Options
	views    *app.Views
	work     *app.Background
	access   *access
	uploads  *uploads
	api      huma.API
	routes   []Route
	handler  http.Handler
	stopping chan struct{} // closed when Serve ends: event streams end
}

// The limits of one connection.
const (
	headerTimeout   = 5 * time.Second
	bodyTimeout     = 60 * time.Second
	idleTimeout     = 120 * time.Second
	maxHeaderBytes  = 32 << 10
	maxBodyBytes    = 1 << 20
	shutdownTimeout = 10 * time.Second
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
	s := &Server{
		Options: o, views: app.NewViews(o.Workbench), work: app.NewBackground(o.Workbench, o.Log), access: newAccess(o), uploads: newUploads(o),
		stopping: make(chan struct{}),
	}
	engine, err := s.engine()
	if err != nil {
		return nil, err
	}
	s.handler = s.guarded(engine)
	return s, nil
}

func (s *Server) engine() (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.UseRawPath, engine.UnescapePathValues = true, true // document ids and judges hold slashes, which arrive escaped
	engine.RedirectTrailingSlash, engine.HandleMethodNotAllowed = false, true
	if err := engine.SetTrustedProxies(nil); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	engine.NoRoute(s.page)
	engine.NoMethod(func(c *gin.Context) { writeProblem(c.Writer, methodUnknown(c.Request)) })
	r := newRouter(s, engine)
	s.register(r)
	r.complete()
	s.api, s.routes = r.api, r.routes
	return engine, r.err
}

// Handler is the whole server as one handler, for tests and for servers of others.
func (s *Server) Handler() http.Handler { return s.handler }

// Routes lists the routes of the API in the order of routes.go.
func (s *Server) Routes() []Route { return s.routes }

// Serve answers on a listener until ctx ends. Then it takes no new requests, ends event streams, brings the others to their end
// within ten seconds, and pauses the runs that it works, with everything kept.
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
			s.uploads.forget(s.Now())
		}
	}
	close(s.stopping)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if closeErr := web.Shutdown(ending); closeErr != nil {
		_ = web.Close() // some client does not go: its connection is cut
	}
	s.work.Close()
	s.uploads.close()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}
