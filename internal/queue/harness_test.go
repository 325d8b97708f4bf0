package queue

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// world is a database with a corpus and a dataset of n questions.
type world struct {
	dsn, driver string
	store       *store.Store // to look with
	questions   []experiments.Question
}

// gate stands before the generator of a queue's process. Its function is called for each answer.
type gate struct {
	mu    sync.Mutex
	asked map[string]int // answers asked for, by question
	on    func(ctx context.Context, question string) error
}

func (g *gate) pass(ctx context.Context) error {
	id := llm.ScopeOf(ctx).QuestionID
	g.mu.Lock()
	if g.asked == nil {
		g.asked = map[string]int{}
	}
	g.asked[id]++
	g.mu.Unlock()
	if g.on == nil {
		return nil
	}
	return g.on(ctx, id)
}

func (g *gate) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, k := range g.asked {
		n += k
	}
	return n
}

// gated is the offline provider behind a gate.
type gated struct {
	llm.Provider
	gate *gate
}

func (g gated) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if req.Purpose == prompts.PurposeGenerate {
		if err := g.gate.pass(ctx); err != nil {
			return llm.Reply{}, err
		}
	}
	return g.Provider.Complete(ctx, req)
}

type providers struct{ gate *gate }

func (p providers) Provider(string) (llm.Provider, error) {
	handlers := offline.Handlers()
	maps.Copy(handlers, metrics.OfflineHandlers())
	return gated{llm.NewOffline(handlers, offline.Embedders()), p.gate}, nil
}

// member is one process that serves the queue: a store, a queue and a gate of its own.
type member struct {
	Queue
	gate *gate
}

var members atomic.Int64

// join opens the world's database once more. Its heartbeats are twenty times as fast.
func (w *world) join(t *testing.T, g *gate) member {
	t.Helper()
	if g == nil {
		g = &gate{}
	}
	s, err := store.Open(t.Context(), w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	owner := fmt.Sprintf("host-%d:%d", members.Add(1), os.Getpid())
	every := func(d time.Duration) (<-chan time.Time, func()) {
		ticker := time.NewTicker(d / 20)
		return ticker.C, ticker.Stop
	}
	indexes := rag.NewIndexes(2)
	log := func(message string, args ...any) { t.Log(append([]any{owner, message}, args...)...) }
	q, err := Open(t.Context(), Options{
		Store: s, DSN: w.dsn, Owner: owner, Questions: 4, Now: time.Now, Every: every, Log: log,
		Runner: func(experiments.Setup) *experiments.Runner {
			return &experiments.Runner{
				Store: s, Providers: providers{g}, Indexes: indexes, Now: time.Now, Owner: owner, Concurrency: 4, Every: every, Log: log,
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		q.Close()
		_ = s.Close()
	})
	return member{q, g}
}

// serve serves until the returned function is called, which returns what Serve returned.
func (m member) serve(t *testing.T) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.Serve(ctx, nil) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() { cancel(); err = <-done })
		return err
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return stop
}

// newWorld fills a database.
func newWorld(t *testing.T, driver, dsn string, n int) *world {
	t.Helper()
	s, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &world{dsn: dsn, driver: driver, store: s}
	var docs []rag.Document
	for i := range n {
		fee := fmt.Sprintf("%d00 yen", i+1)
		docs = append(docs, rag.Document{ID: fmt.Sprintf("d%d", i), Lang: "en",
			Text: fmt.Sprintf("Ticket class %d costs %s for each segment.", i, fee)})
		w.questions = append(w.questions, experiments.Question{
			ID: fmt.Sprintf("q%03d", i), Text: fmt.Sprintf("What does ticket class %d cost?", i), Lang: "en", Reference: fee,
			Answerable: true,
		})
	}
	if _, _, err := s.PutCorpus(t.Context(), rag.NewCorpus("rules", docs), time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.PutDataset(t.Context(), experiments.NewDataset("asked", w.questions), time.Now()); err != nil {
		t.Fatal(err)
	}
	return w
}

// create stores a run over all questions.
func (w *world) create(t *testing.T) experiments.Run {
	t.Helper()
	suite, err := metrics.Resolve([]string{"standard"})
	if err != nil {
		t.Fatal(err)
	}
	setup := experiments.Setup{
		Experiment: "e", Config: rag.DefaultConfig(), Corpus: experiments.Ref{Name: "rules", Version: 1},
		Dataset: experiments.Ref{Name: "asked", Version: 1},
		Suite:   suite, Judge: metrics.DefaultJudge(), LowScore: 2, Offline: true,
	}
	runner := experiments.Runner{Store: w.store, Now: time.Now}
	run, err := runner.Create(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: setup}, w.questions)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// until waits until the condition holds. Its limit is for what hangs, not for machines that do much else at the same time.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	const limit = 3 * time.Minute
	deadline := time.After(limit)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("not within %v: %s", limit, what)
		case <-tick.C:
		}
	}
}

func (w *world) state(t *testing.T, id string) experiments.RunState {
	t.Helper()
	return w.run(t, id).State
}

func (w *world) run(t *testing.T, id string) experiments.Run {
	t.Helper()
	run, err := w.store.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// checkWhole fails unless the run is finished, every cell was written once, and totals and chain are those of its cells.
func (w *world) checkWhole(t *testing.T, id string) experiments.Run {
	t.Helper()
	run := w.run(t, id)
	if run.State != experiments.Finished {
		t.Fatalf("run %s is %s (%s)", id, run.State, run.Cause)
	}
	results, err := w.store.Results(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(w.questions) || experiments.ChainLike(run.Chain, results) != run.Chain {
		t.Errorf("%d results of %d; chain of the stored cells %s, of the run %s", len(results), len(w.questions),
			experiments.Chain(results), run.Chain)
	}
	var cells, settled, most int
	w.query(t, "SELECT count(*), sum(CASE WHEN state <> 'pending' THEN 1 ELSE 0 END), max(writes) FROM cells WHERE run_id = '"+id+"'",
		&cells, &settled, &most)
	if cells != settled || most != 1 {
		t.Errorf("%d of %d cells are settled, one was written %d times", settled, cells, most)
	}
	finished := func() (n int) {
		for _, e := range w.events(t, id) {
			if e.Kind == experiments.EventFinished {
				n++
			}
		}
		return n
	}
	until(t, "the end of the run in its history", func() bool { return finished() > 0 })
	if n := finished(); n != 1 {
		t.Errorf("the run was finished %d times", n)
	}
	return run
}

func (w *world) events(t *testing.T, id string) []experiments.Event {
	t.Helper()
	events, err := w.store.Events(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// query reads one row past the store.
func (w *world) query(t *testing.T, query string, into ...any) {
	t.Helper()
	db, err := sql.Open(w.driver, w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query).Scan(into...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// exec changes rows past the store.
func (w *world) exec(t *testing.T, statement string) {
	t.Helper()
	db, err := sql.Open(w.driver, w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// onEach runs a test on every engine.
func onEach(t *testing.T, n int, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Run(store.SQLite, func(t *testing.T) {
		t.Parallel()
		test(t, newWorld(t, "sqlite", filepath.Join(t.TempDir(), "workbench.db"), n))
	})
	t.Run(store.PostgreSQL, func(t *testing.T) {
		t.Parallel()
		test(t, onPostgres(t, n))
	})
}

// onPostgres is a world in a PostgreSQL database of its own.
func onPostgres(t *testing.T, n int) *world {
	t.Helper()
	return newWorld(t, "pgx", pgtest.Migrated(t, func(address string) error {
		s, err := store.Open(context.Background(), address)
		if err != nil {
			return err
		}
		return s.Close()
	}), n)
}
