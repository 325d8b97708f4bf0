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
// Rows are private to the packages below this one; functions beside them translate to the domain types. Everything that
// enters a database passes one border (sqldb/border.go): times become UTC with microseconds, NUL becomes U+2400 and invalid
// UTF-8 becomes U+FFFD, so both databases answer alike. Bytes (stage bodies, requests, replies) are kept as they are.
// Nested values are JSON in text columns. Everything that writes runs in one transaction; what can race is decided by
// the database: a unique key, a conditional UPDATE, ON CONFLICT DO NOTHING.
//
// On SQLite the writes of one store share commits (sqldb/write.go): each is a savepoint of its own, and returns after the commit
// that holds it. [Open] starts no goroutine; the first write starts one that ends when nothing is left to write.
//
// # Migrations
//
// migrations/sqlite and migrations/postgres hold the same numbered files. They only go forward.
package store

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/machine"
	"github.com/rag-workbench/workbench/internal/store/notebooks"
	"github.com/rag-workbench/workbench/internal/store/people"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/schedules"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
	"github.com/rag-workbench/workbench/internal/store/studies"
)

// The engines a store can run on, as [Store.Engine] names them.
const (
	SQLite     = sqldb.SQLiteEngine
	PostgreSQL = sqldb.PostgresEngine
)

// Store is an open database. It is safe for concurrent use. Close it when done. What it can do is the sum of its parts: each is a type
// of its own with the tables that it knows, and they share a [DB].
type Store struct {
	*sqldb.DB
	libraryTables
	runTables
	ledgerTables
	historyTables
	commentTables
	peopleTables
	scheduleTables
	machineTables
	studyTables
	checker
	copies
	migrator
}

// The parts of a store. Those that stand alone are packages.
type (
	libraryTables  = library.Tables
	runTables      = records.RunTables
	ledgerTables   = records.LedgerTables
	historyTables  = notebooks.HistoryTables
	commentTables  = notebooks.CommentTables
	studyTables    = studies.Tables
	checker        = doctor.Checker
	peopleTables   = people.Tables
	scheduleTables = schedules.Tables
	machineTables  = machine.Tables

	// copies are the database as a whole, out and in.
	copies struct{ *sqldb.DB }
	// migrator knows what tables there are, and how they are brought up to date.
	migrator struct{ copies }
)

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
func storeOf(c *sqldb.DB) *Store {
	return &Store{
		DB:            c,
		libraryTables: library.Tables{DB: c}, runTables: records.RunTables{DB: c}, ledgerTables: records.LedgerTables{DB: c},
		historyTables: notebooks.HistoryTables{DB: c}, commentTables: notebooks.CommentTables{DB: c},
		peopleTables: people.Tables{DB: c}, scheduleTables: schedules.Tables{DB: c}, machineTables: machine.Tables{DB: c},
		studyTables: studies.Tables{DB: c}, checker: doctor.Checker{DB: c, ReadTables: (&copies{c}).tables},
		copies: copies{c}, migrator: migrator{copies{c}},
	}
}

// migratorOf is what brings the tables of a connection up to date.
func migratorOf(c *sqldb.DB) *migrator { return &migrator{copies{c}} }

func openSQLite(ctx context.Context, path string) (*sqldb.DB, error) {
	return sqldb.ConnectSQLite(ctx, path, seals.Watching)
}

func openPostgres(ctx context.Context, dsn string) (*sqldb.DB, error) {
	return sqldb.ConnectPostgres(ctx, dsn, seals.Watching)
}
