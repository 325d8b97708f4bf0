package server

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// The paths for those who watch the process. They lie outside the API: no version, no contract, no browser.
const (
	alivePath   = "/healthz"
	readyPath   = "/readyz"
	metricsPath = "/metrics"
)

// readyTimeout bounds how long the database may take to answer the question whether the server is ready.
const readyTimeout = 5 * time.Second

// watched registers what those ask who watch the process. Alive and ready need no token and say nothing but yes or no.
func (s *Server) watched(mux *chi.Mux) {
	alive := func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, plainText, []byte("ok\n")) }
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		mux.MethodFunc(method, alivePath, alive)
		mux.MethodFunc(method, readyPath, s.ready)
	}
	mux.Get(metricsPath, s.metrics)
}

const plainText = "text/plain; charset=utf-8"

// ready answers whether requests may be sent here: the database answers, its tables are those of this program, and the server is not
// about to stop. Why not is in the log alone.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.draining() {
		send(w, http.StatusServiceUnavailable, plainText, []byte("stopping\n"))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if err := jobs.Ready(ctx, s.Workbench); err != nil {
		s.Log("not ready", "error", err)
		send(w, http.StatusServiceUnavailable, plainText, []byte("not ready\n"))
		return
	}
	send(w, http.StatusOK, plainText, []byte("ready\n"))
}

// draining reports whether the server is stopping.
func (s *Server) draining() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

// timely refuses to begin anything while the server stops; what can be read is still answered.
func (s *Server) timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead || !s.draining() {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Retry-After", "10")
		requests.WriteProblem(w, r, requests.NewProblem(http.StatusServiceUnavailable, "server_stopping",
			"the server is about to stop and begins nothing any more", "send the request again in a moment"))
	})
}
