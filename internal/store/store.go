// Package store keeps everything the workbench knows: corpora, datasets, experiments, runs, stage outputs, vectors and the
// ledger of calls. It implements [experiments.Store] on SQLite and on PostgreSQL with one code path and one conformance
// suite.
//
// # Opening
//
// [Open] takes the path of a SQLite file or a postgres:// URL, brings the tables up to date and refuses a database that a
// newer program wrote. Several processes may open one SQLite file (write-ahead log); every commit reaches the disk before
// it returns, because a lost ledger row would be lost money.
//
// # Rules
//
// Rows are private to this package; toRow and fromRow functions beside them translate to the domain types. Everything that
// enters a database passes one border (border.go): times become UTC with microseconds, NUL becomes U+2400 and invalid
// UTF-8 becomes U+FFFD, so both databases answer alike. Bytes (stage bodies, requests, replies) are kept as they are.
// Nested values are JSON in text columns. Everything that writes runs in one transaction; what can race is decided by
// the database: a unique key, a conditional UPDATE, ON CONFLICT DO NOTHING.
//
// On SQLite the writes of one store share commits (write.go): each is a savepoint of its own, and returns after the commit
// that holds it. [Open] starts no goroutine; the first write starts one that ends when nothing is left to write.
//
// # Migrations
//
// migrations/sqlite and migrations/postgres hold the same numbered files. They only go forward.
package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// The engines a store can run on, as [Store.Engine] names them.
const (
	SQLite     = "sqlite"
	PostgreSQL = "postgres"
)

// poolSize bounds the open connections of one store. Eight writers queue well on SQLite; an unbounded pool does not.
const poolSize = 8

// Store is an open database. It is safe for concurrent use. Close it when done. What it can do is the sum of its parts: each is a type
// of its own with the tables that it knows, and they share a [DB].
type Store struct {
	*DB
	libraryTables
	runTables
	ledgerTables
	peopleTables
	scheduleTables
	machineTables
	copies
	migrator
}

// The parts of a store.
type (
	// libraryTables are what runs are made of: corpora, datasets, logs, experiments, taxonomies, endpoints, agreements, judge cards.
	libraryTables struct{ *DB }
	// runTables are runs with their results, reviews and notes.
	runTables struct{ *DB }
	// ledgerTables are calls, their bill, the budgets that they are counted against, and what was computed of their replies.
	ledgerTables struct{ *DB }
	// peopleTables are accounts, sessions, tokens, shared pages and the log of who did what.
	peopleTables struct{ *DB }
	// scheduleTables are schedules with their fires, messages, and traces that arrive.
	scheduleTables struct{ *DB }
	// machineTables are what belongs to this installation: providers, jobs, keys of requests, the fence secret, backups.
	machineTables struct{ *DB }
	// copies are the database as a whole: studies, backups, the doctor.
	copies struct{ *DB }
	// migrator knows what tables there are, and how they are brought up to date.
	migrator struct{ copies }
)

// DB is a connection to a database: how it is read and written, whatever its tables are.
type DB struct {
	db      *gorm.DB
	pool    *sql.DB
	engine  string
	writer  *writer      // nil on PostgreSQL
	scratch bool         // the file is nobody's: no copy is made before its tables are changed
	still   func() error // of one that is only read: ends the reading
	saved   bool         // somebody says that there is a backup to go back to

	reading sync.Mutex
	reads   map[string]*sql.Stmt // queries that are asked for every call
}

var _ experiments.Store = (*Store)(nil)

// Open opens the database at dsn, a postgres:// URL or the path of a SQLite file in an existing directory, and brings its
// tables up to date. The file is created when it is missing. It returns a Problem for an address it cannot use, a database
// it cannot reach, and a database written by a newer program.
// One on PostgreSQL whose tables are older is a Conflict where no backup is known to go back to: see [BackupDone].
func Open(ctx context.Context, dsn string, options ...Option) (*Store, error) {
	opening := openSQLite
	if scheme, _, found := strings.Cut(dsn, "://"); found {
		if scheme != "postgres" && scheme != "postgresql" {
			return nil, problem.New(problem.Invalid, "database_address", "a database address cannot start with %s://", scheme).
				With("scheme", scheme).
				WithHint("give a postgres:// URL, or the path of a file for SQLite")
		}
		opening = openPostgres
	}
	s, err := opening(ctx, dsn)
	if err != nil {
		return nil, err
	}
	for _, set := range options {
		set(s)
	}
	if err := migratorOf(s).migrate(ctx); err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, err
	}
	return storeOf(s), nil
}

// storeOf gives a connection its parts.
func storeOf(c *DB) *Store {
	return &Store{c, libraryTables{c}, runTables{c}, ledgerTables{c}, peopleTables{c}, scheduleTables{c}, machineTables{c}, copies{c},
		migrator{copies{c}}}
}

// migratorOf is what brings the tables of a connection up to date.
func migratorOf(c *DB) *migrator { return &migrator{copies{c}} }

// newDB puts gorm on a pool of connections.
func newDB(engine string, pool *sql.DB, dialector gorm.Dialector) (*DB, error) {
	db, err := gorm.Open(dialector, &gorm.Config{
		Logger:                 logger.Discard,
		SkipDefaultTransaction: true,
		TranslateError:         true,
		DisableAutomaticPing:   true,
		QueryFields:            true, // never *, which would have the database make columns that nobody reads
	})
	if err != nil {
		return nil, wrap("open the database", err)
	}
	if err := db.Callback().Create().After("gorm:create").Register("workbench:seal", sealCreated); err != nil {
		return nil, wrap("open the database", err)
	}
	c := &DB{db: db, pool: pool, engine: engine, reads: map[string]*sql.Stmt{}}
	if engine == SQLite {
		c.writer = newWriter(c)
	}
	return c, nil
}

// Close waits for the writes that were asked for and releases the connections. The store cannot be used afterwards.
func (s *DB) Close() error {
	if s.writer != nil {
		s.writer.close()
	}
	err := wrap("close the database", s.pool.Close())
	if s.still != nil {
		err = errors.Join(err, s.still())
	}
	return err
}

// Engine is the database in use: [SQLite] or [PostgreSQL].
func (s *DB) Engine() string { return s.engine }

// prepared returns a query written by hand as a statement that every connection prepares once. The database closes it.
func (s *DB) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if st, ok := s.reads[query]; ok {
		return st, nil
	}
	text := query
	if s.engine == PostgreSQL {
		text = numbered(query)
	}
	st, err := s.pool.PrepareContext(ctx, text) //nolint:sqlclosecheck // prepared once; the database closes it
	if err == nil {
		s.reads[query] = st
	}
	return st, err
}

// read returns a handle for statements outside a transaction.
func (s *DB) read(ctx context.Context) *gorm.DB { return s.db.WithContext(ctx) }

// snapshot runs f over one unchanging state of the database.
func (s *DB) snapshot(ctx context.Context, doing string, f func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{ReadOnly: true}
	if s.engine == PostgreSQL {
		opts.Isolation = sql.LevelRepeatableRead // SQLite has nothing weaker and no name for it
	}
	return wrap(doing, s.db.WithContext(ctx).Transaction(f, opts))
}
