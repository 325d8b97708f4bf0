package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// database is a database that is gone when its test ends.
type database struct{ dsn string }

// open opens the database, as often as a test likes.
func (d database) open(t testing.TB, options ...Option) *Store {
	t.Helper()
	s, err := Open(t.Context(), d.dsn, options...)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func newSQLite(t testing.TB) database {
	return database{filepath.Join(t.TempDir(), "workbench.db")}
}

// copiedSQLite is a file whose tables are there already.
func copiedSQLite(t testing.TB) database {
	t.Helper()
	d := newSQLite(t)
	ok(t, os.WriteFile(d.dsn, must[[]byte](t)(migratedFile()), 0o600))
	return d
}

// migratedFile is a SQLite file with all tables and no rows, made once.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "workbench-migrated-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "workbench.db")
	s, err := Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// newPostgres is a database whose tables are there already.
func newPostgres(t testing.TB) database {
	t.Helper()
	return database{pgtest.Migrated(t, func(address string) error {
		s, err := Open(context.Background(), address)
		if err != nil {
			return err
		}
		return s.Close()
	})}
}

// onEach runs a test on every engine, each time on a database of its own; the tables of PostgreSQL are there already.
func onEach(t *testing.T, test func(t *testing.T, d database)) {
	t.Helper()
	onBoth(t, copiedSQLite, newPostgres, test)
}

// onEachEmpty is onEach without any tables, for tests of how they are made.
func onEachEmpty(t *testing.T, test func(t *testing.T, d database)) {
	t.Helper()
	onBoth(t, newSQLite, emptyPostgres, test)
}

func onBoth(t *testing.T, sqlite, postgres func(testing.TB) database, test func(t *testing.T, d database)) {
	t.Helper()
	t.Run(SQLite, func(t *testing.T) {
		t.Parallel()
		test(t, sqlite(t))
	})
	t.Run(PostgreSQL, func(t *testing.T) {
		t.Parallel()
		test(t, postgres(t))
	})
}

func emptyPostgres(t testing.TB) database { return database{pgtest.Empty(t)} }

// at is a moment of the tests' clock.
func at(seconds int) time.Time {
	return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
}

// filler gives every exported field a value of its own that is not zero.
type filler struct{ n int }

func filled1[T any]() T {
	var v T
	(&filler{}).fill(reflect.ValueOf(&v).Elem())
	return v
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(at(f.n).Add(123456 * time.Microsecond)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d 値", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(float64(f.n) + 0.25)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(f.n % 256))
	case reflect.Interface:
		v.Set(reflect.ValueOf([]any{f.n, fmt.Sprint("any ", f.n), float64(f.n) + 0.5}))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
	default:
		panic("the filler does not know " + v.Type().String())
	}
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatalf("unexpected error: %v", err)
		}
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// wantProblem fails unless err is a Problem of this kind and code.
func wantProblem(t testing.TB, err error, kind problem.Kind, code string) {
	t.Helper()
	if !problem.Is(err, kind) || problem.CodeOf(err) != code {
		t.Fatalf("error is %v (%s); want a %s Problem with code %s", err, problem.CodeOf(err), kind, code)
	}
}

// setup is a small setup with three metrics; seed makes it differ from others.
func setup(seed string) experiments.Setup {
	return experiments.Setup{Experiment: "exp-" + seed, Dataset: experiments.Ref{Name: "set-" + seed, Version: 1}, Suite: []metrics.Spec{
		{ID: "trust", Version: "v1"}, {ID: "correctness", Version: "v2"}, {ID: "hit", Version: "v3"},
	}}
}

// queued creates a run of three questions that waits to be started. Its questions stand in no alphabetical order.
func queued(t testing.TB, s *Store, seed string) experiments.Run {
	t.Helper()
	run, err := s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: setup(seed), CreatedAt: at(0)},
		[]string{"q2", "q3", "q1"})
	ok(t, err)
	return run
}

// running is queued, claimed by owner "me".
func running(t testing.TB, s *Store, seed string) experiments.Run {
	t.Helper()
	run, err := s.ClaimRun(t.Context(), queued(t, s, seed).ID, "me", at(1), at(0))
	ok(t, err)
	return run
}

// result is an answer to a question with all three scores, and the stages that hold the answer.
func result(question, said string, value float64) (experiments.Result, []rag.Stage) {
	r, g := rag.StageKey("retrieve", "1", question, said), rag.StageKey("generate", "1", question, said)
	res := experiments.Result{QuestionID: question, LatencyMS: 7, Answer: &rag.Answer{
		Retrieval:    rag.Retrieval{Query: question, Hits: []rag.Hit{{Span: rag.Span{DocID: "d", Start: 1, End: 2}, Score: 0.5}}},
		RetrievalKey: r,
		Generation:   rag.Generation{Text: said}, GenerationKey: g,
	}, Scores: []metrics.Score{
		{Metric: "trust", Version: "v1", State: metrics.Scored, Value: value, Reason: "because", Stages: []string{g, r}},
		{Metric: "correctness", Version: "v2", State: metrics.Errored, Reason: "provider_auth"},
		{Metric: "hit", Version: "v3", State: metrics.NotApplicable, Reason: "no_evidence"},
	}}
	return res, []rag.Stage{
		{Key: r, Kind: "retrieve", Body: []byte(fmt.Sprintf(`{"query":%q,"hits":[{"doc_id":"d","start":1,"end":2,"score":0.5}]}`,
			question))},
		{Key: g, Kind: "generate", Body: []byte(fmt.Sprintf(`{"text":%q}`, said))},
	}
}

// pendingResult is what a run knows about a question before anybody worked on it.
func pendingResult(question string) experiments.Result {
	r, _ := result(question, "", 0)
	r.Answer, r.LatencyMS = nil, 0
	for i, sc := range r.Scores {
		r.Scores[i] = metrics.Score{Metric: sc.Metric, Version: sc.Version, State: metrics.Pending}
	}
	return r
}

// ids returns the ids of runs, joined.
func ids(runs []experiments.Run) string {
	var out []string
	for _, r := range runs {
		out = append(out, r.ID)
	}
	return strings.Join(out, " ")
}

// stocked stores the datasets that the runs of a test only name, so that the doctor finds them.
func stocked(t testing.TB, s *Store) *Store {
	t.Helper()
	for _, run := range must[[]experiments.Run](t)(s.Runs(t.Context(), experiments.RunFilter{})) {
		if name := run.Setup.Dataset.Name; name != "" {
			_, _, err := s.PutDataset(t.Context(), experiments.NewDataset(name, []experiments.Question{{ID: "q1"}, {ID: "q2"}, {ID: "q3"}}),
				at(0))
			ok(t, err)
		}
	}
	return s
}
