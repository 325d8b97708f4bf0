package server

import (
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// rooms are the resources of the API. Each is a small type with the handlers of its routes and with what they need, and nothing else:
// who reads one knows what its handlers can reach.
type rooms struct {
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

// newRooms gives each resource what it needs.
func newRooms(s *Server) *rooms {
	w, v, work, log := s.Workbench, s.views, s.work, requests.Journal(s.Log)
	events := requests.Streams{Every: s.Every, Log: log, Stopping: s.stopping}
	pages := sharing.Sharing{Workbench: w, People: s.People, Views: v, Version: s.Version, Now: s.Now, Notebook: s.books.Evaluated,
		Comments: s.books.Remarked}
	return &rooms{
		sessions:    sessionsAPI{v, s.People, s.access, s.identity, s.SignIn, s.Version, s.Now, log},
		accounts:    accountsAPI{s.People, s.access, s.Now},
		runs:        runsAPI{v, work, w, events, s.Version, s.TempDir, s.Now, log},
		causes:      causesAPI{v, work, w},
		comparisons: comparisonsAPI{v, work, w, s.Version, log},
		sweeps:      sweepsAPI{v, work},
		jobs:        jobsAPI{work, log},
		experiments: experimentsAPI{v, w},
		datasets:    datasetsAPI{v, work, w, s.uploads, s.Parser},
		corpora:     corporaAPI{v, w, s.uploads, s.Parser},
		agreements:  agreementsAPI{v, s.uploads, s.Parser},
		queue:       queueAPI{v, work, w, s.SignIn},
		machine:     machineAPI{v, work, w, s.uploads},
		files:       filesAPI{v, work, s.uploads, s.Parser},
		sheets:      sheetsAPI{work},
		validations: validationsAPI{work, w},
		notebooks:   notebooksAPI{s.books, events, s.TempDir, log},
		notices:     noticesAPI{v, w},
		schedules:   schedulesAPI{w, s.Notebooks, log},
		shares:      sharesAPI{w, pages, s.SignIn},
		traces:      tracesAPI{work, w, s.Now, log},
	}
}
