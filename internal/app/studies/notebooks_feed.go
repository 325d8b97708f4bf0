package studies

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// NotebookJob is a notebook that is being run, or was.
type NotebookJob struct {
	ID        string           `json:"id"`
	State     string           `json:"state" enum:"running,done,stopped,failed"`
	Cells     []string         `json:"cells"` // asked for; none is everything that is stale
	StartedAt time.Time        `json:"started_at"`
	EndedAt   *time.Time       `json:"ended_at,omitempty"`
	Problem   *NotebookProblem `json:"problem,omitempty"`
	Spend     notebooks.Spend  `json:"spend"` // by this job
}

// The states of a run of a notebook: those of a job, and stopped by somebody.
const (
	workRunning = string(experiments.JobRunning)
	workDone    = string(experiments.JobDone)
	workFailed  = string(experiments.JobFailed)
	workStopped = "stopped"
)

// NotebookEvent is something that happened to a notebook.
type NotebookEvent struct {
	Seq  int64              `json:"seq"`
	Kind string             `json:"kind" enum:"job,cell,seen,saved,comment"`
	Job  *NotebookJob       `json:"job,omitempty"`
	Cell *NotebookCellEvent `json:"cell,omitempty"`

	Seen  *NotebookSeen      `json:"seen,omitempty"`  // of who follows: who else looks at it
	Saved *NotebookTextEvent `json:"saved,omitempty"` // of who follows: the file is another one

	Comment *NotebookCommentEvent `json:"comment,omitempty"` // of who follows: somebody said, resolved or removed something
}

// NotebookCellEvent is how one cell stands.
type NotebookCellEvent struct {
	Name    string             `json:"name"`
	State   notebooks.State    `json:"state"`
	Why     []string           `json:"why"`
	Reasons []notebooks.Reason `json:"reasons"`
	Done    int                `json:"done"`
	Total   int                `json:"total"`
	Spend   notebooks.Spend    `json:"spend"`
	Error   *NotebookProblem   `json:"error,omitempty"`
}

// notebookFeed is what happens to one notebook in this process. Of each cell, and of the job, the newest event is kept: whoever comes late
// learns how everything stands.
type notebookFeed struct {
	now func() time.Time

	polling  sync.Mutex // one look at the store at a time
	mu       sync.Mutex
	seq      int64
	events   map[string]NotebookEvent // by cell; "" is the job
	job      *NotebookJob
	quit     chan struct{} // closed to stop the job
	halted   bool
	presence           // who looks at it
	bought   *purchase // that is being made
	spent    map[string]notebooks.Spend
}

// feed is the feed of a name.
func (s *Notebooks) feed(name string) *notebookFeed {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.feeds[name]
	if !ok {
		f = &notebookFeed{now: s.w.Options.Now, events: map[string]NotebookEvent{}, spent: map[string]notebooks.Spend{}}
		if _, err := s.path(name); err == nil {
			s.feeds[name] = f
		}
	}
	return f
}

func (s *Notebooks) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.feeds, name)
}

// running reports whether a notebook is being run.
func (s *Notebooks) running(name string) bool {
	s.mu.Lock()
	f, ok := s.feeds[name]
	s.mu.Unlock()
	if !ok {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.job != nil && f.job.State == workRunning
}

// put keeps an event. Numbers begin with the time, so that they go on after a restart.
func (f *notebookFeed) put(key string, e NotebookEvent) {
	f.seq = max(f.seq+1, f.now().UnixMilli())
	e.Seq = f.seq
	f.events[key] = e
}

func (f *notebookFeed) putCell(c NotebookCellEvent) {
	c.Why, c.Reasons = app.NonNil(c.Why), orEmpty(c.Reasons)
	f.put(c.Name, NotebookEvent{Kind: "cell", Cell: &c})
}

func (f *notebookFeed) putJob() {
	job := *f.job
	f.put("", NotebookEvent{Kind: "job", Job: &job})
}

// known is the job of an id, if this process had it last.
func (f *notebookFeed) known(id string) (NotebookJob, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job != nil && f.job.ID == id {
		return *f.job, true
	}
	return NotebookJob{}, false
}

// start begins a job; another one under way is a Conflict. The channel closes when the job is to stop.
func (f *notebookFeed) start(id string, o NotebookOrder, plan NotebookPlan, v *notebooks.View) (NotebookJob, <-chan struct{}, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job != nil && f.job.State == workRunning {
		return NotebookJob{}, nil, problem.New(problem.Conflict, "notebook_running", "the notebook is being run already").
			With("job", f.job.ID).
			WithHint("wait until it is done, or stop it")
	}
	clear(f.events)
	clear(f.spent)
	f.job = &NotebookJob{ID: id, State: workRunning, Cells: app.NonNil(o.Cells), StartedAt: f.now().UTC()}
	f.quit, f.halted = make(chan struct{}), false
	f.putJob()
	for _, c := range plan.Cells {
		f.spent[c.Name] = v.Cell(c.Name).Spend
		f.putCell(NotebookCellEvent{Name: c.Name, State: notebooks.Queued, Spend: v.Cell(c.Name).Spend})
	}
	return *f.job, f.quit, nil
}

// tell hears of the cells of a job.
func (f *notebookFeed) tell(c notebooks.CellView) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := NotebookCellEvent{Name: c.Name, State: c.State, Why: c.Why, Reasons: c.Reasons, Spend: c.Spend}
	if c.Error != nil {
		p := notebookProblem(c.Error)
		e.Error = &p
	}
	f.putCell(e)
}

// buying notes what is being bought; nil is nothing.
func (f *notebookFeed) buying(p *purchase) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bought = p
}

// end notes how the cells stand when a job is over.
func (f *notebookFeed) end(v *notebooks.View, err error, stopped bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bought = nil
	at := f.now().UTC()
	f.job.EndedAt, f.job.State = &at, workDone
	switch p := stoppedOrNil(err, stopped); {
	case stopped:
		f.job.State = workStopped
	case p != nil:
		wrong := notebookProblem(p)
		f.job.State, f.job.Problem = workFailed, &wrong
	}
	if v != nil {
		for name, before := range f.spent {
			c := v.Cell(name)
			if e := f.events[name].Cell; c == nil || e == nil {
				continue
			}
			if c.State != notebooks.Queued { // the walk did not come so far
				f.job.Spend.Calls += c.Spend.Calls - before.Calls
				f.job.Spend.Micros += c.Spend.Micros - before.Micros
				f.job.Spend.Currency = c.Spend.Currency
			}
		}
		for _, c := range v.Cells {
			if e, ok := f.events[c.Name]; ok && c.State != notebooks.Queued &&
				(e.Cell.State == notebooks.Queued || e.Cell.State == notebooks.Running) {
				f.putCell(NotebookCellEvent{Name: c.Name, State: c.State, Why: c.Why, Reasons: c.Reasons, Spend: c.Spend})
			}
		}
	}
	for name, e := range f.events { // nobody waits for anything any more
		if e.Cell != nil && (e.Cell.State == notebooks.Queued || e.Cell.State == notebooks.Running) {
			f.putCell(NotebookCellEvent{Name: name, State: notebooks.Stale, Spend: e.Cell.Spend})
		}
	}
	f.putJob()
}

// stop asks a job to end.
func (f *notebookFeed) stop(name string) (NotebookJob, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job == nil || f.job.State != workRunning {
		return NotebookJob{}, problem.New(problem.Conflict, "notebook_idle", "the notebook %s is not being run", name).With("name", name)
	}
	if !f.halted {
		f.halted = true
		close(f.quit)
	}
	return *f.job, nil
}

// poll looks how far the running cell is.
func (f *notebookFeed) poll(ctx context.Context) error {
	if !f.polling.TryLock() {
		return nil // somebody looks right now
	}
	defer f.polling.Unlock()
	f.mu.Lock()
	p := f.bought
	f.mu.Unlock()
	if p == nil {
		return nil
	}
	done, total, spent, err := p.progress(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.events[p.cell].Cell
	if f.bought != p || e == nil || e.Done == done && e.Total == total && e.Spend == spent {
		return nil
	}
	f.putCell(NotebookCellEvent{Name: p.cell, State: notebooks.Running, Done: done, Total: total, Spend: spent})
	return nil
}

// since lists the events behind a number, oldest first, and whether no more will come because nothing is being run.
func (f *notebookFeed) since(after int64) (out []NotebookEvent, over bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.events {
		if e.Seq > after {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b NotebookEvent) int { return cmp.Compare(a.Seq, b.Seq) })
	return out, f.job == nil || f.job.State != workRunning
}

// running reports whether a job is under way.
func (f *notebookFeed) running() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.job != nil && f.job.State == workRunning
}

// overlay puts the state of a job over a view of the text.
func (f *notebookFeed) overlay(ctx context.Context, d *NotebookDetail) {
	_ = f.poll(ctx) // without it the figures are a little older
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job == nil {
		return
	}
	job := *f.job
	d.Job = &job
	if job.State != workRunning {
		return
	}
	for i := range d.Cells {
		c := &d.Cells[i]
		if e := f.events[c.Name].Cell; e != nil && (e.State == notebooks.Queued || e.State == notebooks.Running) {
			c.State, c.Done, c.Total, c.Spend = e.State, e.Done, e.Total, e.Spend
		}
	}
}

// NotebookWatch follows what happens to one notebook. One goroutine uses it at a time.
type NotebookWatch struct {
	Name  string
	feed  *notebookFeed
	after int64
}

// Watch begins behind event number after; 0 tells how everything stands.
func (s *Notebooks) Watch(name string, after int64) (*NotebookWatch, error) {
	if _, err := s.file(name); err != nil {
		return nil, err
	}
	return &NotebookWatch{name, s.feed(name), after}, nil
}

// Next returns what happened since. over says that nothing is being run: more comes only when somebody starts it again.
func (w *NotebookWatch) Next(ctx context.Context) (events []NotebookEvent, over bool, err error) {
	if err := w.feed.poll(ctx); err != nil {
		return nil, false, err
	}
	events, over = w.feed.since(w.after)
	if len(events) > 0 {
		w.after = events[len(events)-1].Seq
	}
	return events, over, nil
}
