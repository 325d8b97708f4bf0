package experiments

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// memory is what a runner needs of a store for one run. Like a database it does nothing for a context that has ended.
type memory struct {
	Store // whatever else is asked for is not there

	mu      sync.Mutex
	dataset *Dataset
	run     Run
	owner   string
	results map[string]Result
	stages  map[string][]byte
	events  []EventKind
	wish    RunState // of somebody else, heard with the next heartbeat
	broken  error    // of every save
}

func (m *memory) use(ctx context.Context) (func(), error) {
	m.mu.Lock()
	return m.mu.Unlock, ctx.Err()
}

func (m *memory) Dataset(context.Context, string) (*Dataset, error) { return m.dataset, nil }

func (m *memory) CreateRun(ctx context.Context, r Run, _ []string) (Run, error) {
	free, err := m.use(ctx)
	defer free()
	r.ID = "run"
	m.run = r
	return r, err
}

func (m *memory) Run(ctx context.Context, _ string) (Run, error) {
	free, err := m.use(ctx)
	defer free()
	return m.run, err
}

func (m *memory) ClaimRun(ctx context.Context, _, owner string, _, _ time.Time) (Run, error) {
	free, err := m.use(ctx)
	defer free()
	if err == nil {
		m.run.State, m.run.Cause, m.owner = Running, "", owner
	}
	return m.run, err
}

func (m *memory) Heartbeat(ctx context.Context, _, _ string, _ time.Time) (RunState, error) {
	free, err := m.use(ctx)
	defer free()
	if m.wish != "" {
		return m.wish, err
	}
	return m.run.State, err
}

func (m *memory) StopRun(ctx context.Context, _, owner string, to RunState, cause string, _ time.Time) error {
	free, err := m.use(ctx)
	defer free()
	if err == nil && (owner != m.owner || m.run.State != Running) {
		return problem.New(problem.Conflict, "run_lost", "it is not yours")
	}
	m.run.State, m.run.Cause = to, cause
	return err
}

func (m *memory) Missing(ctx context.Context, _ string) ([]string, error) {
	free, err := m.use(ctx)
	defer free()
	var out []string
	for _, q := range m.dataset.Questions {
		if _, ok := m.results[q.ID]; !ok {
			out = append(out, q.ID)
		}
	}
	return out, err
}

func (m *memory) SaveResults(ctx context.Context, _ string, results []Result, stages []rag.Stage, _ time.Time) error {
	free, err := m.use(ctx)
	defer free()
	if err = errors.Join(err, m.broken); err != nil {
		return err
	}
	for _, r := range results {
		m.results[r.QuestionID] = r
	}
	for _, s := range stages {
		m.stages[s.Key] = s.Body
	}
	return nil
}

func (m *memory) Results(ctx context.Context, _ string) ([]Result, error) {
	free, err := m.use(ctx)
	defer free()
	var out []Result
	for _, q := range m.dataset.Questions {
		out = append(out, m.results[q.ID])
	}
	return out, err
}

func (m *memory) FinishRun(ctx context.Context, _, _ string, t Totals, chain string, _ time.Time) error {
	free, err := m.use(ctx)
	defer free()
	m.run.State, m.run.Totals, m.run.Chain = Finished, &t, chain
	return err
}

func (m *memory) AppendEvent(ctx context.Context, e Event) (Event, error) {
	free, err := m.use(ctx)
	defer free()
	m.events = append(m.events, e.Kind)
	return e, err
}

func (m *memory) Stage(_ context.Context, key string) (body []byte, found bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	body, found = m.stages[key]
	return body, found, nil
}

// finder is an analyst that counts how often it was asked about each question.
type finder struct {
	mu    sync.Mutex
	asked map[string]int
	find  func(ctx context.Context, id string) error
}

func (f *finder) Close() {}

func (f *finder) Finding(ctx context.Context, q Question) (Finding, error) {
	f.mu.Lock()
	f.asked[q.ID]++
	f.mu.Unlock()
	return Finding{Body: q.ID, Confidence: 1}, f.find(ctx, q.ID)
}

// ran is a runner on a memory, with a run of six questions that an analyst works one after the other.
type ran struct {
	*Runner
	*memory
	*finder
	ticks chan time.Time
}

func newRan(t *testing.T, find func(ctx context.Context, id string) error) *ran {
	t.Helper()
	var questions []Question
	for _, id := range []string{"q1", "q2", "q3", "q4", "q5", "q6"} {
		questions = append(questions, Question{ID: id, Text: id})
	}
	r := &ran{
		memory: &memory{dataset: NewDataset("d", questions), results: map[string]Result{}, stages: map[string][]byte{}},
		finder: &finder{asked: map[string]int{}, find: find},
		ticks:  make(chan time.Time),
	}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	r.Runner = &Runner{
		Store: r.memory, Now: func() time.Time { return now }, Owner: "here", Concurrency: 1,
		Every: func(time.Duration) (<-chan time.Time, func()) { return r.ticks, func() {} },
		Analysts: map[Kind]OpenAnalyst{KindDiagnose: func(context.Context, Run, rag.Stages) (Analyst, error) {
			return r.finder, nil
		}},
	}
	setup := Setup{Dataset: Ref{Name: "d", Version: 1}, Suite: []metrics.Spec{{ID: "cause", Version: "1"}},
		Analysis: &AnalysisSetup{Of: "other"}}
	if _, err := r.Create(t.Context(), Run{Kind: KindDiagnose, Setup: setup}, questions); err != nil {
		t.Fatal(err)
	}
	return r
}

// stands compares what is stored of the run.
func (r *ran) stands(t *testing.T, state RunState, cause string, settled ...string) {
	t.Helper()
	r.memory.mu.Lock()
	defer r.memory.mu.Unlock()
	if r.run.State != state || r.run.Cause != cause {
		t.Errorf("the run is %s (%s), want %s (%s)", r.run.State, r.run.Cause, state, cause)
	}
	got := []string{}
	for id := range r.results {
		got = append(got, id)
	}
	slices.Sort(got)
	if diff := cmp.Diff(settled, got); diff != "" {
		t.Errorf("stored results (-want +got):\n%s", diff)
	}
	for id, result := range r.results {
		for _, s := range result.Scores {
			for _, key := range s.Stages {
				if r.stages[key] == nil {
					t.Errorf("%s points to a stage that is not stored", id)
				}
			}
		}
	}
}

// finishes works the run to its end and wants only these questions to be asked again.
func (r *ran) finishes(t *testing.T, asked map[string]int) {
	t.Helper()
	r.finder.find = func(context.Context, string) error { return nil }
	r.wish = ""
	run, err := r.Work(t.Context(), "run")
	if err != nil || run.State != Finished || run.Totals == nil || run.Totals.Coverage.Scored != 6 {
		t.Errorf("the run that went on: %+v, %v", run, err)
	}
	r.stands(t, Finished, "", "q1", "q2", "q3", "q4", "q5", "q6")
	if diff := cmp.Diff(asked, r.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if want := EventFinished; r.events[len(r.events)-1] != want {
		t.Errorf("the last event is %s", r.events[len(r.events)-1])
	}
}

// A budget that is spent pauses the run under that name, and only what is missing is asked when it goes on.
func TestASpentBudgetIsTheCauseOfAPause(t *testing.T) {
	t.Parallel()
	r := newRan(t, func(_ context.Context, id string) error {
		if id == "q3" {
			return problem.New(problem.Incomplete, "budget_spent", "the budget is spent")
		}
		return nil
	})
	if _, err := r.Work(t.Context(), "run"); problem.CodeOf(err) != "budget_spent" {
		t.Errorf("the run ends with %v", err)
	}
	r.stands(t, Paused, "budget", "q1", "q2")
	if want := []EventKind{EventCreated, EventStarted, EventProgress, EventPaused}; !slices.Equal(want, r.events) {
		t.Errorf("events %v, want %v", r.events, want)
	}
	r.finishes(t, map[string]int{"q1": 1, "q2": 1, "q3": 2, "q4": 1, "q5": 1, "q6": 1})
}

// What finished before or while a run is interrupted is stored, although the context has ended.
func TestAnInterruptionLosesNothingThatFinished(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	r := newRan(t, func(_ context.Context, id string) error {
		if id == "q2" {
			interrupt()
		}
		return nil
	})
	if _, err := r.Work(ctx, "run"); problem.CodeOf(err) != "run_paused" {
		t.Errorf("the run ends with %v", err)
	}
	r.stands(t, Paused, "interrupted", "q1", "q2")
	r.finishes(t, map[string]int{"q1": 1, "q2": 1, "q3": 1, "q4": 1, "q5": 1, "q6": 1})
}

// A question that is broken off by the interruption is no failure of its own: it is asked again.
func TestAnInterruptedQuestionStaysMissing(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	r := newRan(t, func(ctx context.Context, id string) error {
		if id == "q2" {
			interrupt()
			return ctx.Err()
		}
		return nil
	})
	if _, err := r.Work(ctx, "run"); problem.CodeOf(err) != "run_paused" {
		t.Errorf("the run ends with %v", err)
	}
	r.stands(t, Paused, "interrupted", "q1")
	r.finishes(t, map[string]int{"q1": 1, "q2": 2, "q3": 1, "q4": 1, "q5": 1, "q6": 1})
}

// Somebody who asks for a stop, here or through the store, gets the questions in flight brought to their end, and no other begun.
func TestAWishToStopBringsWhatIsInFlightToItsEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		wish        RunState // "" stops here
		state       RunState
		cause, code string
	}{
		{"here", "", Paused, "interrupted", "run_paused"},
		{"pause", Paused, Paused, "user", "run_paused"},
		{"cancel", Cancelled, Cancelled, "user", "run_cancelled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			stop := make(chan struct{})
			var r *ran
			r = newRan(t, func(_ context.Context, id string) error {
				if id != "q2" {
					return nil
				}
				if c.wish == "" {
					close(stop)
				} else {
					r.memory.mu.Lock()
					r.wish = c.wish
					r.memory.mu.Unlock()
				}
				r.ticks <- time.Time{} // the watch hears of it,
				r.ticks <- time.Time{} // and has acted on it when it listens again
				return nil
			})
			if _, err := r.WorkUntil(t.Context(), "run", stop); problem.CodeOf(err) != c.code {
				t.Errorf("the run ends with %v", err)
			}
			r.stands(t, c.state, c.cause, "q1", "q2")
			if len(r.asked) != 2 {
				t.Errorf("asked %v", r.asked)
			}
		})
	}
}

// A store that fails breaks off what is in flight: nothing is asked whose answer cannot be kept.
func TestAStoreThatFailsEndsTheWork(t *testing.T) {
	t.Parallel()
	r := newRan(t, func(ctx context.Context, id string) error {
		if id == "q2" {
			<-ctx.Done() // ends because the result of q1 cannot be saved
			return ctx.Err()
		}
		return nil
	})
	r.broken = errors.New("the disk is full")
	if _, err := r.Work(t.Context(), "run"); err == nil || problem.CodeOf(err) == "run_interrupted" {
		t.Errorf("the run ends with %v", err)
	}
	r.stands(t, Paused, r.run.Cause, []string{}...)
	if r.run.Cause == "interrupted" || len(r.asked) > 2 {
		t.Errorf("cause %q, asked %v", r.run.Cause, r.asked)
	}
}

// Progress is stored at most once a second, and whenever the last question is done.
func TestTheLastQuestionIsToldHoweverSoon(t *testing.T) {
	t.Parallel()
	m := &memory{}
	s := &Session{runner: &Runner{Store: m, Now: func() time.Time { return time.Unix(100, 0) }}, total: 3}
	for done := range 3 {
		s.tell(t.Context(), done+1)
	}
	if want := []EventKind{EventProgress, EventProgress}; !slices.Equal(want, m.events) {
		t.Errorf("of three questions within a second these are told: %v; want those of the first and the last", m.events)
	}
}

// Whoever cancels a run may reach the ledger first: the call that it refuses cancels the run, and does not pause it.
func TestALedgerThatRefusesACancelledRunCancelsIt(t *testing.T) {
	t.Parallel()
	to, cause := stopFor(t.Context(), problem.New(problem.Conflict, "run_cancelled", "the run was cancelled"))
	if to != Cancelled || cause != causeUser {
		t.Errorf("the run is %s because of %q", to, cause)
	}
}
