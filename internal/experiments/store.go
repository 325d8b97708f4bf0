package experiments

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// Store keeps everything. Implementations are in package store; one conformance suite runs on each of them.
// Methods return a *problem.Problem of kind NotFound for an unknown name or id, and Conflict where they say so.
type Store interface {
	Library
	Registry
	RunStore
	EventStore
	BillStore
	OutsideStore
	rag.Stages
	llm.Ledger
	llm.VectorStore
}

// Library keeps corpora and datasets as immutable versions. A reference is "name" (the newest version) or "name@version".
type Library interface {
	// PutCorpus stores the corpus under its name: as the next version, or not at all when the newest version has the same
	// digest. created says which.
	PutCorpus(ctx context.Context, c *rag.Corpus, now time.Time) (ref Ref, created bool, err error)
	Corpus(ctx context.Context, ref string) (*rag.Corpus, error)
	Corpora(ctx context.Context) ([]Listing, error)
	// PutDataset is PutCorpus for datasets.
	PutDataset(ctx context.Context, d *Dataset, now time.Time) (ref Ref, created bool, err error)
	Dataset(ctx context.Context, ref string) (*Dataset, error)
	Datasets(ctx context.Context) ([]Listing, error)
}

// Registry keeps experiments with their revisions, and baselines.
type Registry interface {
	// PutExperiment registers the definition: as a new experiment, as the next revision, or not at all when nothing changed.
	PutExperiment(ctx context.Context, d Definition, now time.Time) (Experiment, error)
	// Experiment returns the newest revision.
	Experiment(ctx context.Context, name string) (Experiment, error)
	// Experiments returns the newest revisions by name; archived ones only when asked for.
	Experiments(ctx context.Context, archived bool) ([]Experiment, error)
	SetArchived(ctx context.Context, name string, archived bool) error
	SetBaseline(ctx context.Context, b Baseline) error
	// Baseline returns the baseline of a dataset, or NotFound.
	Baseline(ctx context.Context, dataset string) (Baseline, error)
	Baselines(ctx context.Context) ([]Baseline, error)
	ClearBaseline(ctx context.Context, dataset string) error
}

// RunFilter narrows Runs. Zero fields do not filter.
type RunFilter struct {
	Experiment string
	Dataset    string
	SweepID    string
	ParentID   string
	ParentIDs  []string // children of any of them; none does not filter
	IDs        []string // these runs, by their whole ids; none does not filter
	State      RunState
	Kind       Kind
	Tags       []string // runs that have all of them
	Roots      bool     // only runs that are no child of another
	Folded     bool     // a sweep in the place of its runs: it is there when it fits, or when one of them does
	Alone      bool     // only runs that are of no sweep
	Limit      int
}

// RunStore keeps runs. A run's cells are created pending with it; what is missing is always a query.
type RunStore interface {
	// CreateRun inserts the run in state Queued with one pending cell for each question and metric. It gives the run its id:
	// the first 12 hexadecimal digits of SHA-256(kind, setup digest, n), n counting the runs of equal kind and setup in
	// this store, so that the same work has the same id in every fresh store.
	CreateRun(ctx context.Context, r Run, questions []string) (Run, error)
	// Run finds a run by id or unique prefix.
	Run(ctx context.Context, idOrPrefix string) (Run, error)
	// Runs returns runs, newest first.
	Runs(ctx context.Context, f RunFilter) ([]Run, error)
	// ClaimRun moves a queued or paused run, or a running one whose owner has not been seen since staleBefore, to Running
	// for this owner. Conflict when another process owns it or it is over.
	ClaimRun(ctx context.Context, id, owner string, now, staleBefore time.Time) (Run, error)
	// Heartbeat says the owner is alive and returns the state it should be in: Running, or Paused or Cancelled when
	// somebody asked for that.
	Heartbeat(ctx context.Context, id, owner string, now time.Time) (RunState, error)
	// SetBudget replaces the budget of a run that is not over.
	SetBudget(ctx context.Context, id string, b Budget) error
	// RequestState asks a running run to become Paused or Cancelled; a queued or paused one is cancelled at once.
	RequestState(ctx context.Context, id string, want RunState, now time.Time) error
	// StopRun moves a running run of this owner to Paused, Cancelled or Failed with a cause.
	StopRun(ctx context.Context, id, owner string, to RunState, cause string, now time.Time) error
	// Missing returns the questions that have pending cells, in dataset order.
	Missing(ctx context.Context, id string) ([]string, error)
	// SaveResults stores answers and scores of some questions, together with stage outputs, in one transaction. Cells that
	// are not pending any more stay as they are: the first writer wins.
	SaveResults(ctx context.Context, id string, results []Result, stages []rag.Stage, now time.Time) error
	// Results returns all results in dataset order, pending cells included. Hit texts are not filled in.
	Results(ctx context.Context, id string) ([]Result, error)
	// FinishRun stores totals and chain and moves the run to Finished.
	FinishRun(ctx context.Context, id, owner string, t Totals, chain string, now time.Time) error
	// DeleteRun removes a run with its cells, and a sweep with its runs. Conflict while it is running or a baseline.
	DeleteRun(ctx context.Context, id string) error
}

// EventStore keeps the history of runs.
type EventStore interface {
	// AppendEvent adds an event to a run's history and returns it with its Seq: 1, 2, … without gaps, in the order of commits.
	AppendEvent(ctx context.Context, e Event) (Event, error)
	// Events returns the events of a run with Seq greater than after, in order, at most limit of them (0 is all).
	Events(ctx context.Context, runID string, after int64, limit int) ([]Event, error)
}

// BillStore reads the ledger as a bill. A sweep's bill is that of all its runs.
type BillStore interface {
	// Spent sums the ledger rows of a run.
	Spent(ctx context.Context, id string) (Spending, error)
	// BillLines sums them for each value of a field: "stage", "purpose", "question" or "model", sorted by value.
	BillLines(ctx context.Context, id, field string) ([]BillLine, error)
	// Calls returns the ledger rows of a run in the order they were sent, without request and reply bodies.
	Calls(ctx context.Context, id string) ([]llm.Call, error)
	// Call returns one ledger row with its bodies.
	Call(ctx context.Context, id string) (llm.Call, error)
	// LastStarted is when work on a run began or went on for the last time, the same for all processes; the zero time where it never did.
	LastStarted(ctx context.Context, run string) (time.Time, error)
	// NewestWasted says of the newest settled calls of a run to a model, of all processes, which were of no use: those sent since a
	// moment, the newest first, at most so many.
	NewestWasted(ctx context.Context, run, provider, model string, since time.Time, most int) ([]bool, error)
}

// Spending is a bill, in millionths of the price file's currency. What the provider really charged lies between Confirmed and
// Confirmed + Possible, where every price is known.
type Spending struct {
	Calls           int   `json:"calls"` // HTTP attempts, those that failed included
	ConfirmedMicros int64 `json:"confirmed_micros"`
	PossibleMicros  int64 `json:"possible_micros"` // calls whose reply never arrived, is not read yet or says no usage: their estimates
	PossibleCalls   int   `json:"possible_calls"`
	UnknownPrice    int   `json:"unknown_price"` // paid calls without a known price
	Unusable        int   `json:"unusable"`      // paid replies that were of no use
	Replies         int   `json:"replies"`       // that were paid, of use or not
	Repaired        int   `json:"repaired"`      // of them, read although they were not exactly the JSON asked for
	CachedTokens    int64 `json:"cached_tokens"` // of the prompt tokens, those that the provider had in its cache
	PromptTokens    int64 `json:"prompt_tokens"`
	OutputTokens    int64 `json:"output_tokens"`
	SavedCalls      int   `json:"saved_calls"`  // replies this run uses that an earlier run had bought
	SavedMicros     int64 `json:"saved_micros"` // and what those cost then
}

// Plus adds two bills.
func (s Spending) Plus(o Spending) Spending {
	return Spending{
		Calls: s.Calls + o.Calls, ConfirmedMicros: s.ConfirmedMicros + o.ConfirmedMicros, PossibleMicros: s.PossibleMicros +
			o.PossibleMicros,
		PossibleCalls: s.PossibleCalls + o.PossibleCalls, UnknownPrice: s.UnknownPrice + o.UnknownPrice, Unusable: s.Unusable + o.Unusable,
		PromptTokens: s.PromptTokens + o.PromptTokens, OutputTokens: s.OutputTokens + o.OutputTokens,
		Replies: s.Replies + o.Replies, Repaired: s.Repaired + o.Repaired, CachedTokens: s.CachedTokens + o.CachedTokens,
		SavedCalls: s.SavedCalls + o.SavedCalls, SavedMicros: s.SavedMicros + o.SavedMicros,
	}
}

// CallUsage is what the usable calls for one purpose to one model used together.
type CallUsage struct {
	Purpose      string
	Model        string
	Calls        int
	PromptTokens int64
	OutputTokens int64
	RequestBytes int64 // of their bodies as they were sent
}

// Trouble is what went wrong with calls of a run for one cause: replies of no use, refused requests, calls without a reply.
type Trouble struct {
	Provider   string `json:"provider"`
	Model      string `json:"model"`
	Purpose    string `json:"purpose"` // of the newest of them
	Cause      string `json:"cause"`   // an llm cause code
	HTTPStatus int    `json:"http_status"`
	Calls      int    `json:"calls"`
	Server     string `json:"server,omitempty"` // the words of the server about the newest of them, cut
	Reply      string `json:"reply,omitempty"`  // or what the model wrote, cut; both are data of others
	CallID     string `json:"call_id"`          // the newest of them
}

// BillLine is the part of a bill that belongs to one stage, purpose, question or model.
type BillLine struct {
	Value string `json:"value"`
	Spending
}

// OutsideStore keeps the descriptions of systems that run elsewhere, and logs of what they answered.
type OutsideStore interface {
	// PutEndpoint stores an endpoint under its name, in the place of the one that had it. created is false where there was
	// one; changed where the description is not the one that is stored already.
	PutEndpoint(ctx context.Context, e remote.Endpoint, now time.Time) (created, changed bool, err error)
	Endpoint(ctx context.Context, name string) (remote.Endpoint, error)
	// Endpoints returns all endpoints by name.
	Endpoints(ctx context.Context) ([]remote.Endpoint, error)
	// DeleteEndpoint forgets an endpoint. Runs keep the description they were started with.
	DeleteEndpoint(ctx context.Context, name string) error
	// PutIndex stores how the index behind a corpus is read, in the place of what was stored before.
	PutIndex(ctx context.Context, s rag.IndexSource, now time.Time) error
	// DeleteIndex forgets how the index behind a corpus is read. Runs keep the mapping they were started with.
	DeleteIndex(ctx context.Context, corpus string) error
	// Index returns how the index behind a corpus is read; false where the corpus has none.
	Index(ctx context.Context, corpus string) (rag.IndexSource, bool, error)
	// Indexes returns all of them by the name of the corpus.
	Indexes(ctx context.Context) ([]rag.IndexSource, error)
	// PutLog stores the log under its name: as the next version, or not at all when the newest version has the same digest.
	PutLog(ctx context.Context, l *rag.Log, now time.Time) (ref Ref, created bool, err error)
	// Log returns a log by "name" (the newest version) or "name@version".
	Log(ctx context.Context, ref string) (*rag.Log, error)
	// Logs lists all versions by name and version.
	Logs(ctx context.Context) ([]Listing, error)
	llm.InterruptedCalls
}
