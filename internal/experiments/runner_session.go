package experiments

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// commitAtMost bounds how many results are saved in one transaction, and with them what a crash can undo. Bought replies are
// in the ledger before that, so what is undone is only arithmetic.
const commitAtMost = 20

// progressEvery is the least time between two stored events of progress.
const progressEvery = time.Second

// Session is a run that is open in this process: its system, suite and questions. Several batches of the run may be worked in
// it at the same time; together they have the runner's Concurrency questions in flight. Close it when done.
type Session struct {
	runner *Runner
	run    Run
	worker *worker
	slots  chan struct{} // one for each question in flight
	total  int
	shared bool // other processes work on the run too: how far it is only the store knows

	committing sync.Mutex // one commit at a time: a result may point to stages that another one brought
	done       atomic.Int64
	errored    atomic.Int64
	guard      llm.Guard    // stops paying for nothing, over all batches of this session
	waiting    atomic.Int64 // questions put aside, because a reply to them is not recorded yet
	told       time.Time    // when progress was last stored; guarded by committing
}

// Open opens a run of which missing questions are not settled. shared says that other processes work on it too.
func (r *Runner) Open(ctx context.Context, run Run, missing int, shared bool) (*Session, error) {
	d, err := r.open(ctx, run)
	if err != nil {
		return nil, err
	}
	s := &Session{runner: r, run: run, worker: d, slots: make(chan struct{}, max(1, r.Concurrency)),
		total: len(d.questions), shared: shared}
	if len(run.Setup.Questions) > 0 {
		s.total = len(run.Setup.Questions)
	}
	s.done.Store(int64(s.total - missing))
	if !shared {
		return s, nil
	}
	started, err := r.Store.LastStarted(ctx, run.ID)
	if err != nil {
		s.Close()
		return nil, err
	}
	s.guard.Others = func(ctx context.Context, provider, model string, most int) ([]bool, error) {
		return r.Store.NewestWasted(ctx, run.ID, provider, model, started, most)
	}
	return s, nil
}

// Close lets go of the system.
func (s *Session) Close() { s.worker.close() }

// Work answers, scores and saves these questions: a window of the session's slots moves over them, and whatever has finished
// is saved together with its stages, at most 20 results in a transaction and none later than Gather, so that a slow question holds up
// no other. When stop
// closes, or a question fails in a way that every other one would, no further question is begun and those in flight are brought
// to their end; when ctx ends, they are broken off. What finished is saved in each case. Work returns the first such failure.
func (s *Session) Work(ctx context.Context, questions []string, stop <-chan struct{}) error {
	ctx = llm.WithScope(ctx, s.run.Scope())
	ctx, abort := context.WithCancel(llm.WithGuard(ctx, &s.guard))
	defer abort()
	finished := make(chan Result, commitAtMost)
	saved := make(chan error, 1)
	go func() { saved <- s.save(ctx, finished, abort) }()
	err := s.feed(ctx, questions, stop, finished)
	close(finished)
	if saveErr := <-saved; saveErr != nil {
		return saveErr // what the questions met afterwards follows from it
	}
	if n := s.waiting.Load(); err == nil && n > 0 {
		return notRecorded(s.run.ID, int(n))
	}
	return err
}

// notRecorded puts a run down until somebody has answered what it asked.
func notRecorded(run string, questions int) error {
	return problem.New(problem.Incomplete, llm.CauseNotRecorded, "run %s waits: replies to %d of its questions are not recorded yet",
		run, questions).
		With("run_id", run).With("questions", questions).
		WithHint("connect a model (`workbench config --help`), or answer what waits (`workbench record --help`), then: "+
			"workbench runs resume %s", run)
}

// feed works the questions, each in a slot, and returns when none is in flight any more.
func (s *Session) feed(ctx context.Context, questions []string, stop <-chan struct{}, finished chan<- Result) error {
	var flying sync.WaitGroup
	var once sync.Once
	var first error
	failed := make(chan struct{})
	for _, id := range questions {
		if !s.slot(ctx, stop, failed) {
			break
		}
		flying.Go(func() {
			defer func() { <-s.slots }()
			heard, unheard := llm.WithUnheard(ctx)
			result, err := s.runner.question(heard, s.worker, s.worker.questions[id])
			if unheard() > 0 && ctx.Err() == nil {
				s.waiting.Add(1) // computed again when its replies are there; what is there costs nothing then
				return
			}
			if err != nil {
				once.Do(func() { first = err; close(failed) })
				return
			}
			finished <- result
		})
	}
	flying.Wait()
	if first == nil {
		return ctx.Err()
	}
	return first
}

// slot waits for a free slot; false when no question may be begun any more.
func (s *Session) slot(ctx context.Context, stop, failed <-chan struct{}) bool {
	select {
	case <-stop:
		return false
	case <-failed:
		return false
	case <-ctx.Done():
		return false
	case s.slots <- struct{}{}:
	}
	select { // a choice between two that are ready is a toss
	case <-stop:
	case <-failed:
	case <-ctx.Done():
	default:
		return true
	}
	<-s.slots
	return false
}

// save commits whatever has finished until finished closes. When the store fails it breaks off what is in flight.
func (s *Session) save(ctx context.Context, finished <-chan Result, abort func()) error {
	ctx = context.WithoutCancel(ctx) // what finished is kept even though ctx has ended
	var failure error
	for first := range finished {
		if failure != nil {
			continue // nobody may wait for this channel
		}
		results := gather(first, finished, s.runner.Gather)
		if failure = s.commit(ctx, results); failure != nil {
			abort()
		}
	}
	return failure
}

// gather collects the results of one commit: what finishes soon after the first, until the run has no more.
func gather(first Result, finished <-chan Result, within time.Duration) []Result {
	results := []Result{first}
	late := time.NewTimer(within)
	defer late.Stop()
	for len(results) < commitAtMost {
		select {
		case r, open := <-finished:
			if !open {
				return results
			}
			results = append(results, r)
		case <-late.C:
			return results
		}
	}
	return results
}

func (s *Session) commit(ctx context.Context, results []Result) error {
	s.committing.Lock()
	defer s.committing.Unlock()
	err := s.worker.stages.Commit(func(stages []rag.Stage) error {
		return s.runner.Store.SaveResults(ctx, s.run.ID, results, stages, s.runner.Now())
	})
	if err != nil {
		return err
	}
	s.errored.Add(int64(failures(results)))
	s.tell(ctx, int(s.done.Add(int64(len(results)))))
	return nil
}

// failures counts the cells without a score although one applies.
func failures(results []Result) int {
	c := Total(results, LowRule{}).Coverage
	return c.Applicable - c.Scored
}

// tell says how far the run is: to the caller each time, to the store now and then and at the end. Nothing depends on it, so
// what goes wrong is only logged.
func (s *Session) tell(ctx context.Context, done int) {
	now := s.runner.Now()
	due := now.Sub(s.told) >= progressEvery || done == s.total
	if s.shared {
		if !due {
			return
		}
		missing, err := s.runner.Store.Missing(ctx, s.run.ID)
		if err != nil {
			s.runner.log("progress of run "+s.run.ID+" is not known", "error", err)
			return
		}
		done = s.total - len(missing)
	}
	if s.runner.Progress != nil {
		s.runner.Progress(Progress{Run: s.run, Done: done, Total: s.total})
	}
	if due {
		s.told = now
		s.runner.event(ctx, s.run.ID, EventProgress, map[string]any{"done": done, "total": s.total, "errors": s.errored.Load()})
	}
}
