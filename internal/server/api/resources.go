// Package api is the resources of the HTTP API: for each a small type with the handlers of its routes, which routes.go lists.
//
// It has no tests of its own: those of the server ask it over HTTP. What registers a route is compiled anew for the types of each, and
// with a test in this package all of it would be compiled twice.
package api

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// Resources are what the API tells of and changes. Each is a small type with the handlers of its routes and with what they need, and
// nothing else: who reads one knows what its handlers can reach.
type Resources struct {
	sessions    sessionsAPI
	accounts    accountsAPI
	runs        runsAPI
	causes      causesAPI
	comparisons comparisonsAPI
	sweeps      sweepsAPI
	jobs        jobsAPI
	experiments experimentsAPI
	datasets    datasetsAPI
	corpora     corporaAPI
	agreements  agreementsAPI
	queue       queueAPI
	machine     machineAPI
	files       filesAPI
	sheets      sheetsAPI
	validations validationsAPI
	notebooks   notebooksAPI
	notices     noticesAPI
	schedules   schedulesAPI
	shares      sharesAPI
	traces      tracesAPI
}

// sessionsAPI signs people in and out, and says who is asking.
type sessionsAPI struct {
	views    *views.Views
	people   *people.People
	access   *requests.Access
	identity *requests.Identity // nil: people sign in with passwords and tokens alone
	signIn   bool
	version  string
	now      func() time.Time
	log      requests.Journal
}

// accountsAPI is who may sign in, with what, and who did what.
type accountsAPI struct {
	people *people.People
	access *requests.Access
	now    func() time.Time
}

// runsAPI starts, steers and shows runs.
type runsAPI struct {
	views     *views.Views
	work      *jobs.Background
	workbench *app.Workbench
	streams   requests.Streams
	version   string
	tempDir   string
	now       func() time.Time
	log       requests.Journal
}

// causesAPI looks for causes of low scores and for what questions have in common.
type causesAPI struct {
	views     *views.Views
	work      *jobs.Background
	workbench *app.Workbench
}

// comparisonsAPI compares runs, and reports on it.
type comparisonsAPI struct {
	views     *views.Views
	work      *jobs.Background
	workbench *app.Workbench
	version   string
	log       requests.Journal
}

// sweepsAPI is runs over the values of parameters, and searches for the best.
type sweepsAPI struct {
	views *views.Views
	work  *jobs.Background
}

// jobsAPI is what goes on after a reply.
type jobsAPI struct {
	work *jobs.Background
	log  requests.Journal
}

// experimentsAPI registers experiments.
type experimentsAPI struct {
	views     *views.Views
	workbench *app.Workbench
}

// datasetsAPI is questions, their taxonomies and their baselines.
type datasetsAPI struct {
	views     *views.Views
	work      *jobs.Background
	workbench *app.Workbench
	uploads   *requests.Inbox
	parser    requests.Parser
}

// corporaAPI is documents.
type corporaAPI struct {
	views     *views.Views
	workbench *app.Workbench
	uploads   *requests.Inbox
	parser    requests.Parser
}

// agreementsAPI is what people agreed about datasets and said about answers.
type agreementsAPI struct {
	views   *views.Views
	uploads *requests.Inbox
	parser  requests.Parser
}

// queueAPI hands answers to reviewers, and learns of their decisions.
type queueAPI struct {
	views     *views.Views
	work      *jobs.Background
	workbench *app.Workbench
	signIn    bool
}

// machineAPI is what runs rest on: endpoints, judges, providers, the data directory.
type machineAPI struct {
	views     *views.Views
	work      *jobs.Background
	workbench *app.Workbench
	uploads   *requests.Inbox
	version   string // of the program
}

// filesAPI reads files that other tools wrote.
type filesAPI struct {
	views   *views.Views
	work    *jobs.Background
	uploads *requests.Inbox
	parser  requests.Parser
}

// sheetsAPI drafts question sheets.
type sheetsAPI struct{ work *jobs.Background }

// validationsAPI breaks systems and judges on purpose.
type validationsAPI struct {
	work      *jobs.Background
	workbench *app.Workbench
}

// notebooksAPI is notebooks and what they were sealed with.
type notebooksAPI struct {
	books   *studies.Notebooks
	streams requests.Streams
	tempDir string
	log     requests.Journal
}

// noticesAPI is messages of schedules, and trends.
type noticesAPI struct {
	views     *views.Views
	workbench *app.Workbench
}

// schedulesAPI evaluates experiments again and again.
type schedulesAPI struct {
	workbench    *app.Workbench
	notebooksDir string
	log          requests.Journal
}

// sharesAPI makes links that show one page.
type sharesAPI struct {
	workbench *app.Workbench
	sharing   sharing.Sharing
	signIn    bool
}

// tracesAPI makes questions and answers of traces that arrived.
type tracesAPI struct {
	work      *jobs.Background
	workbench *app.Workbench
	now       func() time.Time
	log       requests.Journal
}

// Needs are what the resources work with: what the server was told, and what it has put together of that.
type Needs struct {
	requests.Options
	Views    *views.Views
	Work     *jobs.Background
	Access   *requests.Access
	Identity *requests.Identity // nil: people sign in with passwords and tokens alone
	Uploads  *requests.Inbox
	Books    *studies.Notebooks
	Sharing  sharing.Sharing
	Stopping <-chan struct{} // closed when the server ends: event streams end
}

// New gives each resource what it needs.
func New(n Needs) *Resources {
	w, v, work, log := n.Workbench, n.Views, n.Work, requests.Journal(n.Log)
	events := requests.Streams{Every: n.Every, Log: log, Stopping: n.Stopping}
	return &Resources{
		sessions:    sessionsAPI{v, n.People, n.Access, n.Identity, n.SignIn, n.Version, n.Now, log},
		accounts:    accountsAPI{n.People, n.Access, n.Now},
		runs:        runsAPI{v, work, w, events, n.Version, n.TempDir, n.Now, log},
		causes:      causesAPI{v, work, w},
		comparisons: comparisonsAPI{v, work, w, n.Version, log},
		sweeps:      sweepsAPI{v, work},
		jobs:        jobsAPI{work, log},
		experiments: experimentsAPI{v, w},
		datasets:    datasetsAPI{v, work, w, n.Uploads, n.Parser},
		corpora:     corporaAPI{v, w, n.Uploads, n.Parser},
		agreements:  agreementsAPI{v, n.Uploads, n.Parser},
		queue:       queueAPI{v, work, w, n.SignIn},
		machine:     machineAPI{v, work, w, n.Uploads, n.Version},
		files:       filesAPI{v, work, n.Uploads, n.Parser},
		sheets:      sheetsAPI{work},
		validations: validationsAPI{work, w},
		notebooks:   notebooksAPI{n.Books, events, n.TempDir, log},
		notices:     noticesAPI{v, w},
		schedules:   schedulesAPI{w, n.Notebooks, log},
		shares:      sharesAPI{w, n.Sharing, n.SignIn},
		traces:      tracesAPI{work, w, n.Now, log},
	}
}

// SettleTraces reads traces that are complete and forgets old ones.
func (s *Resources) SettleTraces(ctx context.Context) { s.traces.settle(ctx) }

// MayShare reports whether links are made and opened here.
func (s *Resources) MayShare() bool { return s.shares.mayShare() }
