package server

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

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
func (s *Server) watched(engine *gin.Engine) {
	engine.Use(s.numbers.observe, s.refuseLate)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		engine.Handle(method, alivePath, func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
		engine.Handle(method, readyPath, s.ready)
	}
	engine.GET(metricsPath, s.metrics)
}

// ready answers whether requests may be sent here: the database answers, its tables are those of this program, and the server is not
// about to stop. Why not is in the log alone.
func (s *Server) ready(c *gin.Context) {
	if s.draining() {
		c.String(http.StatusServiceUnavailable, "stopping\n")
		return
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), readyTimeout)
	defer cancel()
	if err := jobs.Ready(ctx, s.Workbench); err != nil {
		s.Log("not ready", "error", err)
		c.String(http.StatusServiceUnavailable, "not ready\n")
		return
	}
	c.String(http.StatusOK, "ready\n")
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

// refuseLate refuses to begin anything while the server stops; what can be read is still answered.
func (s *Server) refuseLate(c *gin.Context) {
	if c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead || !s.draining() {
		return
	}
	c.Header("Retry-After", "10")
	requests.WriteProblem(c.Writer, requests.NewProblem(http.StatusServiceUnavailable, "server_stopping",
		"the server is about to stop and begins nothing any more", "send the request again in a moment"))
	c.Abort()
}
