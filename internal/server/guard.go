package server

import (
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// withSession loads the session of a request that may need one. Files of the user interface do not.
func (s *Server) withSession(next http.Handler) http.Handler {
	loaded := s.access.Sessions.LoadAndSave(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.OfAPI(r.URL.Path) || r.URL.Path == "/metrics" {
			loaded.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// prunePeople takes away what has expired.
func (s *Server) prunePeople(ctx context.Context) {
	if err := s.People.Prune(ctx); err != nil && ctx.Err() == nil {
		s.Log("what has expired was not taken away", "error", err)
	}
}

// policy is what a page of ours may do: run scripts and show styles, pictures and fonts of its own origin, and nothing else.
// Neither scripts nor styles may stand in the page itself.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"

// guarded puts what every request passes around a handler; the package comment gives the order.
func (s *Server) guarded(next http.Handler) http.Handler {
	if s.SignIn {
		next = s.withSession(next)
	}
	next = s.sameSite(next)
	next = s.limited(next)
	next = s.ourHost(next)
	next = s.headed(next)
	return s.recovered(next)
}

// recovered keeps a mistake of ours from taking the process with it, and the stack from the client.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler { //nolint:errorlint,err113 // the sentinel of net/http
				panic(v)
			}
			s.Log("request panicked", "method", r.Method, "path", loggedPath(r.URL.Path), "panic", v, "stack", string(debug.Stack()))
			requests.WriteProblem(w, r, requests.NewProblem(http.StatusInternalServerError, "internal", "something went wrong",
				"the log of the server says more"))
		}()
		next.ServeHTTP(w, r)
	})
}

// headed sets the headers that every reply carries.
func (s *Server) headed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()")
		h.Set("X-Request-Id", rand.Text())
		if s.TLS {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if requests.OfAPI(r.URL.Path) {
			h.Set("Cache-Control", "no-store")
			h.Set("Vary", "Accept-Language") // problems are said in it
		}
		next.ServeHTTP(w, r)
	})
}

// ourHost refuses requests to a name that is not ours: a page of another site whose name was made to resolve to this address.
func (s *Server) ourHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.ours(r.Host) {
			requests.WriteProblem(w, r, requests.NewProblem(http.StatusMisdirectedRequest, "host",
				"this server does not answer to the name in the request",
				"open it as http://localhost, or start it with --host NAME"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ours reports whether a Host header names this server. An address is no name, so that nobody can make it resolve elsewhere; other
// addresses than loopback are ours only where people sign in.
func (s *Server) ours(host string) bool {
	name := strings.ToLower(host)
	if h, _, err := net.SplitHostPort(name); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.Zone() == "" && (addr.IsLoopback() || s.SignIn)
	}
	return name == "localhost" || slices.ContainsFunc(s.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// sameSite refuses requests that change something and come from a page of another site.
func (s *Server) sameSite(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.WriteProblem(w, r, requests.NewProblem(http.StatusForbidden, "cross_origin",
			"a page of another site may not change anything here",
			"send the request from this server's own pages, or from a program"))
	}))
	return protection.Handler(next)
}

// limited bounds the address, the size of a body and the time it takes to arrive. Uploads have limits of their own.
func (s *Server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.URL.RawQuery) > maxQueryBytes {
			requests.WriteProblem(w, r,
				requests.NewProblem(http.StatusRequestURITooLong, "too_large", "the query is longer than 8 KiB", ""))
			return
		}
		if hasToken(r) {
			requests.WriteProblem(w, r, requests.Invalid("token_in_url", "token",
				"a token does not belong into an address, which is kept in histories and logs",
				"send it as Authorization: Bearer, or open a session"))
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			limit := int64(requests.MaxBodyBytes)
			if r.URL.Path == otlpPath {
				limit = maxTraceBytes
			}
			if !api.TakesFiles(r.URL.Path) && r.ContentLength > limit { // as announced: nothing of it is read
				w.Header().Set("Connection", "close")
				requests.WriteProblem(w, r, requests.TooLarge(limit))
				return
			}
			control := http.NewResponseController(w)
			_ = control.SetReadDeadline(time.Now().
				Add(s.bodyTime(strings.TrimPrefix(r.URL.Path,
					requests.Prefix)))) //nolint:forbidigo // a deadline of the network is the system's clock; a test's recorder has none
			r.Body = &timedBody{ReadCloser: r.Body, control: control, header: w.Header()}
			if !api.TakesFiles(r.URL.Path) {
				r.Body = http.MaxBytesReader(w, r.Body, limit+1) // one more, so that the contract's own limit speaks
			}
		}
		next.ServeHTTP(w, r)
	})
}

// bodyTime is how long a body may take to arrive: a file longer than other bodies.
func (s *Server) bodyTime(path string) time.Duration {
	limit := s.BodyTime
	if limit <= 0 {
		limit = bodyTimeout
	}
	if api.TakesFiles(path) {
		limit *= filesTake
	}
	return limit
}

const maxQueryBytes = 8 << 10

// hasToken reports whether a query carries something that is a secret.
func hasToken(r *http.Request) bool {
	for _, name := range []string{"token", "access_token", "api_key"} {
		if r.URL.Query().Has(name) {
			return true
		}
	}
	return false
}

// timedBody takes the deadline of the body away when the body is read: a handler may take longer than that.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
	header  http.Header // of the reply
}

// Read clears the deadline with the last byte, and only then: what is left of a body that came too late must not be waited for.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF { //nolint:errorlint // as io.Reader wants it
		_ = b.control.SetReadDeadline(time.Time{})
	} else if err != nil {
		b.header.Set("Connection", "close")
	}
	return n, err
}
