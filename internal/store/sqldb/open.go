package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Pragmas are the settings of every SQLite connection, in the order they are applied. They are read back when the file is
// opened, because SQLite ignores what it does not understand or cannot do.
var Pragmas = []struct{ Name, value, Want string }{
	{"busy_timeout", "10000", "10000"}, // first: the next one needs a lock
	{"journal_mode", "WAL", "wal"},
	{"synchronous", "FULL", "2"},
	{"foreign_keys", "1", "1"},
	{"trusted_schema", "0", "0"},
}

// sqliteDSN is the driver's address of a file. Without the time settings, times would be stored as Go prints them and
// compare wrongly.
func sqliteDSN(path string) string {
	q := url.Values{"_txlock": {"immediate"}, "_time_format": {"sqlite"}, "_timezone": {"UTC"}}
	for _, p := range Pragmas {
		q.Add("_pragma", p.Name+"("+p.value+")")
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // a drive letter
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String()
}

// ConnectSQLite opens the file of a SQLite database; see [NewDB] for watching.
func ConnectSQLite(ctx context.Context, path string, watching Watching) (*DB, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, problem.New(problem.Invalid, "database_address", "the SQLite database needs the path of a file").
			WithHint("give a path such as workbench-data/workbench.db")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, Wrap("find the database file", err)
	}
	if dir, err := os.Stat(filepath.Dir(abs)); err != nil || !dir.IsDir() {
		return nil, problem.New(problem.Invalid, "database_directory", "the directory %s of the database does not exist",
			filepath.Dir(abs)).
			With("directory", filepath.Dir(abs)).
			WithHint("create it, or name another one")
	}
	pool, err := sql.Open("sqlite", sqliteDSN(abs))
	if err != nil {
		return nil, Wrap("open the database file", err)
	}
	Limit(pool)
	if err := settled(ctx, pool); err != nil {
		_ = pool.Close() // the first error is the one to tell
		return nil, err
	}
	return NewDB(SQLiteEngine, pool, SQLiteDialector{BorderPool{pool}}, watching)
}

// Limit bounds the connections of a pool.
func Limit(pool *sql.DB) {
	pool.SetMaxOpenConns(PoolSize)
	pool.SetMaxIdleConns(PoolSize)
	pool.SetConnMaxIdleTime(5 * time.Minute)
}

// busyTries and busyPause bound how long a file is opened again that another one is just turning into a write-ahead log, or is leaving as
// the last: for both SQLite says at once that it is locked, without the wait of busy_timeout (sqlite.org/wal.html, section 8).
const (
	busyTries = 500
	busyPause = 10 * time.Millisecond
)

// settled opens the first connection of a pool and returns when its settings hold.
func settled(ctx context.Context, pool *sql.DB) error {
	began := time.Now()
	for try := 1; ; try++ {
		err := checkPragmas(ctx, pool)
		e, ok := errors.AsType[*sqlite.Error](err)
		if !ok || e.Code()&0xff != sqlite3.SQLITE_BUSY || try == busyTries || time.Since(began) > busyTries*busyPause {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(busyPause):
		}
	}
}

func checkPragmas(ctx context.Context, pool *sql.DB) error {
	for _, p := range Pragmas {
		var got string
		if err := pool.QueryRowContext(ctx, "PRAGMA "+p.Name).Scan(&got); err != nil {
			return Wrap("open the database file", err)
		}
		if got != p.Want {
			return problem.New(problem.Unavailable, "database_setting", "SQLite kept %s at %s; it must be %s", p.Name, got, p.Want).
				With("setting", p.Name).With("value", got).With("want", p.Want).
				WithHint("keep the database on a local disk: network file systems cannot do this")
		}
	}
	return nil
}

// IdleInTransaction is the server's limit for a transaction in which nothing happens. Ours hold no pauses.
const IdleInTransaction = "idle_in_transaction_session_timeout"

// ConnectPostgres opens a PostgreSQL database; see [NewDB] for watching.
func ConnectPostgres(ctx context.Context, dsn string, watching Watching) (*DB, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil { // pgx leaves the password out of its message
		return nil, problem.New(problem.Invalid, "database_address", "the database URL is not understood").Because(err).
			WithHint("write it as postgres://user:password@host:5432/database")
	}
	config.RuntimeParams["timezone"] = "UTC"
	// A process that freezes in the middle of a transaction keeps its locks; the server ends that transaction for the others.
	if config.RuntimeParams[IdleInTransaction] == "" {
		config.RuntimeParams[IdleInTransaction] = "20s"
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "workbench"
	}
	pool := stdlib.OpenDB(*config)
	Limit(pool)
	if err := CheckServer(ctx, pool); err != nil {
		_ = pool.Close() // the first error is the one to tell
		return nil, err
	}
	return NewDB(PostgresEngine, pool, postgres.New(postgres.Config{Conn: BorderPool{pool}}), watching)
}

// oldestPostgres is the first server version that the conformance suite's SQL needs and that is still maintained.
const oldestPostgres = 140000

// CheckServer refuses a PostgreSQL server that is too old, or whose database is not in UTF-8.
func CheckServer(ctx context.Context, pool *sql.DB) error {
	var version int
	var shown, encoding string
	err := pool.QueryRowContext(ctx, `SELECT CAST(current_setting('server_version_num') AS INTEGER),
		current_setting('server_version'), current_setting('server_encoding')`).Scan(&version, &shown, &encoding)
	if err != nil {
		return Wrap("connect to PostgreSQL", err)
	}
	if version < oldestPostgres {
		return problem.New(problem.Unavailable, "database_too_old", "the server runs PostgreSQL %s; 14 or newer is needed", shown).
			With("version", shown).WithHint("upgrade the server, or use SQLite")
	}
	if encoding != "UTF8" {
		return problem.New(problem.Unavailable, "database_encoding", "the database is encoded in %s; it must be UTF8", encoding).
			With("encoding", encoding).WithHint("create a database with ENCODING 'UTF8'")
	}
	return nil
}
