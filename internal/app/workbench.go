// Package app holds the use cases that the command line, the API and schedules share, and puts the parts together.
//
// A [Workbench] is one open data directory. Its methods take names and paths as people write them and return domain
// values; they print nothing. Only the methods that start or resume runs spend money.
package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/queue"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store"
)

// Options say where a workbench lives.
type Options struct {
	DataDir     string // holds the SQLite file; created when absent
	DatabaseURL string // postgres://…; when set, DataDir holds no database
	BackupDone  bool   // there is a backup to go back to, should the tables on PostgreSQL have to be brought up to date
	ConfigPath  string // configuration file; "" looks for workbench.yaml in the working directory
	Concurrency int    // questions worked at the same time; 0 decides by provider
	SaveAtOnce  bool   // a result is saved when it has finished, and waits for no other: for tests that look between two
	Memory      string // that indexes may hold together, such as 500MB; "" takes what the configuration says
	Getenv      func(string) string
	Now         func() time.Time
	Sleep       func(ctx context.Context, d time.Duration) error // waits between attempts of a call; nil uses a timer
	Progress    func(experiments.Progress)
	Notify      func(llm.Notice)   // of waits for a provider and of bills that look odd; may be nil
	Pressed     func(rag.Pressure) // of what the memory for indexes causes; may be nil
	Log         func(message string, args ...any)
}

// Workbench is an open data directory.
type Workbench struct {
	Store      experiments.Store
	Config     Config
	Options    Options
	Providers  *Providers
	Indexes    *rag.Indexes
	Databases  *Connections // that vectors are kept in; opened when one is needed
	Owner      string
	Engine     string // store.SQLite or store.PostgreSQL
	Reading    bool   // the database was opened for reading: nothing is kept in it
	CloseStore func() error
	Whole      *store.Store // the same store, with what only a whole database offers: studies, pruning, checks
	openQueue  func(context.Context) (queue.Queue, error)

	mu    sync.Mutex
	queue queue.Queue // nil until something is worked
}

// Open opens the data directory, creating and migrating its database as needed.
func Open(ctx context.Context, o Options) (*Workbench, error) {
	config, err := ConfigOf(o)
	if err != nil {
		return nil, err
	}
	budget, err := memoryOf(o, config)
	if err != nil {
		return nil, err
	}
	dsn := o.DatabaseURL
	if dsn == "" {
		if err := os.MkdirAll(o.DataDir, 0o700); err != nil {
			return nil, problem.New(problem.Invalid, "data_dir", "cannot create the data directory %s", o.DataDir).Because(err).
				WithHint("choose another with --data or WORKBENCH_DATA")
		}
		dsn = filepath.Join(o.DataDir, DatabaseFile)
	}
	var how []store.Option
	if o.BackupDone {
		how = append(how, store.BackupDone)
	}
	s, err := store.Open(ctx, dsn, how...)
	if err != nil {
		return nil, err
	}
	secret, err := s.InstallSecret(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("install secret: %w", err), s.Close())
	}
	if err := vouch(ctx, s, o, true); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	w := &Workbench{Store: s, Config: config, Options: o, Indexes: newIndexes(budget), Owner: OwnerName(),
		Engine: s.Engine(), Whole: s, CloseStore: s.Close, Databases: NewConnections(config, o.Getenv)}
	w.Indexes.Databases = w.Databases
	w.openQueue = func(ctx context.Context) (queue.Queue, error) {
		return queue.Open(ctx, queue.Options{
			Store: s, DSN: dsn, Owner: w.Owner, Runner: w.Runner, Questions: mostInFlight(w), Now: o.Now, Progress: o.Progress, Log: o.Log,
		})
	}
	if _, err := s.RecoverCalls(ctx, Alive); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if _, err := s.RecoverRuns(ctx, Alive); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	w.Providers = &Providers{
		Config: config, Getenv: o.Getenv, Store: s, Secret: secret, Owner: w.Owner, Now: o.Now, sleep: o.Sleep, notify: o.Notify,
		Tests: true, Open: map[string]llm.Provider{},
	}
	return w, nil
}

// OpenReading opens the data directory for verbs that change nothing: nothing is created, brought up to date or taken over, so that it
// works on a full disk and on a copy that may not be written to. See [store.OpenReading] for what it refuses.
func OpenReading(ctx context.Context, o Options) (*Workbench, error) {
	config, err := ConfigOf(o)
	if err != nil {
		return nil, err
	}
	budget, err := memoryOf(o, config)
	if err != nil {
		return nil, err
	}
	dsn := o.DatabaseURL
	if dsn == "" {
		dsn = filepath.Join(o.DataDir, DatabaseFile)
	}
	s, err := store.OpenReading(ctx, dsn)
	if err != nil {
		return nil, err
	}
	if err := vouch(ctx, s, o, false); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	w := &Workbench{Store: s, Config: config, Options: o, Indexes: newIndexes(budget), Owner: OwnerName(),
		Engine: s.Engine(), Reading: true, Whole: s, CloseStore: s.Close, Databases: NewConnections(config, o.Getenv)}
	w.Indexes.Databases = w.Databases
	w.openQueue = func(context.Context) (queue.Queue, error) {
		return nil, problem.New(problem.Internal, "reading", "the database was opened for reading, and nothing can be worked")
	}
	w.Providers = &Providers{
		Config: config, Getenv: o.Getenv, Store: s, Owner: w.Owner, Now: o.Now, sleep: o.Sleep, notify: o.Notify,
		Open: map[string]llm.Provider{},
	}
	return w, nil
}

// ConfigOf reads the configuration file that is in force.
func ConfigOf(o Options) (Config, error) {
	path, named := o.ConfigPath, o.ConfigPath != ""
	if !named {
		path = "workbench.yaml"
	}
	c, err := ReadConfig(path, named, o.Getenv)
	if err != nil {
		return c, err
	}
	return withRecording(c, o), nil
}

// DatabaseFile is the SQLite file in a data directory.
const DatabaseFile = "workbench.db"

// OwnerName is host, process id and a mark of this start: what another process on this host needs to see whether the owner still
// lives. In a container that starts anew host and process id are those of the process that died.
func OwnerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s:%d:%s", host, os.Getpid(), startMark())
}

// startMark tells this process from others that had its id.
var startMark = sync.OnceValue(func() string { return strings.ToLower(rand.Text()[:8]) })

// Alive reports whether an owner's process still runs. Of processes on other hosts nothing is known here, so they count as
// Alive.
func Alive(owner string) bool {
	host, rest, _ := strings.Cut(owner, ":")
	pid, mark, _ := strings.Cut(rest, ":")
	here, err := os.Hostname()
	n, numberErr := strconv.Atoi(pid)
	if err != nil || host != here || numberErr != nil {
		return true
	}
	if n == os.Getpid() && !strings.HasPrefix(mark, startMark()) {
		return false
	}
	process, err := os.FindProcess(n)
	return err == nil && !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// Close closes the database.
func (w *Workbench) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queue != nil {
		w.queue.Close()
	}
	if w.Databases != nil {
		w.Databases.Close()
	}
	return w.CloseStore()
}

// Log is where the workbench writes what nobody waits for.
func (w *Workbench) Log(message string, args ...any) {
	if w.Options.Log != nil {
		w.Options.Log(message, args...)
	}
}
