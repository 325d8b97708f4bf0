package serve

import (
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/schedules"
)

// WorkerCmd is the verb worker.
type WorkerCmd struct {
	NoSchedules bool `help:"Leave the schedules to servers and other workers."`
	notebookFolder
}

// Help shows examples.
func (WorkerCmd) Help() string {
	return `Works the runs that others submit to the same PostgreSQL database, in batches of up to 20 questions, until it is stopped. Start
as many as you like, on as many hosts: each needs the same workbench.yaml and the keys of the providers. A batch whose worker
dies or freezes is given to another one within a minute; what was bought is in the ledger and is not bought again. It fires
schedules too: each slot once, whatever the number of workers.

Examples:
  export WORKBENCH_DATABASE_URL=postgres://user:password@db.example:5432/workbench
  workbench worker                         until Ctrl-C or SIGTERM
  workbench worker --concurrency 64        at most 64 questions in flight in this process
  workbench run faq.yaml                   elsewhere: submits the run, helps, and shows its progress

The first Ctrl-C or SIGTERM lets the questions in flight come to their end (at most 90 seconds) and exits with 0; a second one
breaks them off, and others take them up.`
}

// Run serves the queue.
func (c WorkerCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		hurry, end := p.Hurry("worker")
		defer end()
		defer serveNotices(p, w)()
		defer serveSchedules(p, w, c.NoSchedules || !schedules.Shared(w), c.Notebooks)()
		return w.ServeQueue(p.Context, hurry)
	})
}
