package serve

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/problem"
)

// HealthCmd is the verb health.
type HealthCmd struct {
	URL string `arg:"" optional:"" help:"Address to ask, such as http://127.0.0.1:7700/readyz; without it the database is asked."`
}

// Help explains.
func (HealthCmd) Help() string {
	return `For the health checks of containers, whose image holds nothing else: exits with 0 when the address answers 200, or without an
address when the database can be opened and its tables are those of this program.`
}

const healthTimeout = 8 * time.Second

// Run asks.
func (c HealthCmd) Run(p *program.Program) error {
	if c.URL == "" {
		return p.With(func(w *app.Workbench) error { return jobs.Ready(p.Context, w) })
	}
	r, err := http.NewRequestWithContext(p.Context, http.MethodGet, c.URL, nil)
	if err != nil {
		return problem.New(problem.Invalid, "address", "%q is no address", c.URL).WithHint("write it as http://127.0.0.1:7700/readyz")
	}
	client := http.Client{Timeout: healthTimeout, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return errors.New("redirected")
	}}
	response, err := client.Do(r)
	if err != nil {
		return problem.New(problem.Unavailable, "not_healthy", "%s does not answer", c.URL).Because(err)
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	_, _ = io.CopyN(io.Discard, response.Body, 1<<10)
	if response.StatusCode != http.StatusOK {
		return problem.New(problem.Unavailable, "not_healthy", "%s answers %s", c.URL, response.Status)
	}
	return nil
}
