package store

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// OpenReading opens a database of which nothing is changed: nothing is created, no tables are brought up to date, and a SQLite file on a
// full disk or in a folder without write permission is read too. It returns a Problem with the code "database_missing",
// "database_empty" (there are no tables), "database_older" or "database_newer" for a database that is not what this program reads.
func OpenReading(ctx context.Context, dsn string) (*Store, error) {
	opening := readSQLite
	if strings.Contains(dsn, "://") {
		opening = readPostgres
	}
	s, err := opening(ctx, dsn)
	if err != nil {
		return nil, err
	}
	if err := readable(ctx, s, dsn); err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, err
	}
	return storeOf(s), nil
}

// readable refuses tables that are not those of this program.
func readable(ctx context.Context, s *sqldb.DB, dsn string) error {
	place := dsn
	if s.Engine() == PostgreSQL {
		place = "the PostgreSQL database" // its address may hold a password
	}
	stored, err := schemaOf(ctx, s.Pool, s.Engine())
	switch known := KnownSchema(); {
	case err != nil:
		return problem.New(problem.Unavailable, "database_unreadable", "%s cannot be read as a database of the workbench", place).
			With("database", place).Because(err).
			WithHint("is it another file, or damaged? `workbench restore` puts a backup into an empty place")
	case stored == 0:
		return problem.New(problem.NotFound, "database_empty", "%s is empty: it has no tables", place).With("database", place).
			WithHint("name the right place with --data or --database; `workbench init` and `workbench demo` fill a new one")
	case stored < known:
		return problem.New(problem.Conflict, "database_older",
			"%s was written by an older workbench: its tables are of version %d, this program reads %d", place, stored, known).
			With("stored", stored).With("known", known).
			WithHint("every verb that writes, such as `workbench serve`, brings it up to date and keeps a copy; this one changes nothing")
	case stored > known:
		return newerSchema(stored, known)
	}
	return nil
}

func readPostgres(ctx context.Context, dsn string) (*sqldb.DB, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil { // pgx leaves the password out of its message
		return nil, problem.New(problem.Invalid, "database_address", "the database URL is not understood").Because(err).
			WithHint("write it as postgres://user:password@host:5432/database")
	}
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["default_transaction_read_only"] = "on"
	pool := stdlib.OpenDB(*config)
	sqldb.Limit(pool)
	if err := sqldb.CheckServer(ctx, pool); err != nil {
		_ = pool.Close() // the first error is the one to tell
		return nil, err
	}
	return sqldb.NewDB(PostgreSQL, pool, postgres.New(postgres.Config{Conn: sqldb.BorderPool{Pool: pool}}), seals.Watching)
}

// readSQLite opens a file that exists. Where nobody has written since it was closed, there is no log beside it, and it is read as it
// is; where there is one, SQLite reads both, in a copy of them if it may not write beside them.
func readSQLite(ctx context.Context, path string) (*sqldb.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, sqldb.Wrap("find the database file", err)
	}
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(problem.NotFound, "database_missing", "there is no database %s", path).With("database", path).
			WithHint("name the right place with --data or WORKBENCH_DATA; `workbench init` and `workbench demo` make a new one")
	}
	if err != nil {
		return nil, problem.New(problem.Unavailable, "database_unreadable", "%s cannot be read", path).With("database", path).Because(err)
	}
	if info.Size() == 0 {
		return nil, problem.New(problem.NotFound, "database_empty", "%s is empty", path).With("database", path).
			WithHint("name the right place with --data; `workbench restore` puts a backup into an empty place")
	}
	if log, err := os.Stat(abs + "-wal"); err != nil || log.Size() == 0 {
		s, err := openFile(abs, url.Values{"mode": {"ro"}, "immutable": {"1"}})
		if err == nil {
			s.Still = func() error { return unchanged(abs, info) }
		}
		return s, err
	}
	s, err := openFile(abs, url.Values{"mode": {"ro"}})
	if err != nil {
		return nil, err
	}
	if _, err = schemaOf(ctx, s.Pool, SQLite); err == nil {
		return s, nil
	}
	return readCopy(abs, errors.Join(err, s.Close()))
}

// readCopy reads a file with its log in a folder of temporary files.
func readCopy(path string, why error) (*sqldb.DB, error) {
	dir, err := os.MkdirTemp("", "workbench-read-")
	if err != nil {
		return nil, errors.Join(why, err)
	}
	there := filepath.Join(dir, filepath.Base(path))
	s, err := func() (*sqldb.DB, error) {
		for _, end := range []string{"", "-wal"} {
			if err := copyFile(path+end, there+end); err != nil {
				return nil, err
			}
		}
		return openFile(there, url.Values{"mode": {"rw"}})
	}()
	if err != nil {
		_ = os.RemoveAll(dir) // the first error is the one to tell
		return nil, problem.New(problem.Unavailable, "database_unreadable", "%s can neither be read where it is nor copied to %s", path,
			os.TempDir()).Because(errors.Join(why, err))
	}
	s.Still = func() error { return os.RemoveAll(dir) }
	return s, nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from) //nolint:gosec // the user's own database
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()                                     // it was only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in a folder of our own
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// unchanged says that somebody has written into a file while it was read as one that stays as it is.
func unchanged(path string, before os.FileInfo) error {
	now, err := os.Stat(path)
	if err == nil && now.Size() == before.Size() && now.ModTime().Equal(before.ModTime()) {
		return nil
	}
	return problem.New(problem.Unavailable, "database_changed", "somebody wrote into %s while it was read; what was shown may be mixed",
		path).
		With("database", path).WithHint("ask again")
}

func openFile(abs string, how url.Values) (*sqldb.DB, error) {
	how.Set("_time_format", "sqlite")
	how.Set("_timezone", "UTC")
	for _, p := range []string{"busy_timeout(10000)", "trusted_schema(0)"} {
		how.Add("_pragma", p)
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") { // a drive letter
		slashed = "/" + slashed
	}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed, RawQuery: how.Encode()}).String())
	if err != nil {
		return nil, sqldb.Wrap("open the database file", err)
	}
	sqldb.Limit(pool)
	pool.SetConnMaxIdleTime(time.Minute)
	return sqldb.NewDB(SQLite, pool, sqldb.SQLiteDialector{Pool: sqldb.BorderPool{Pool: pool}}, seals.Watching)
}

// Held keeps others from taking a folder for one that was left behind, until release is called or this process ends.
func Held(dir string) (release func(), err error) {
	db, conn, err := locked(context.Background(), filepath.Join(dir, heldName), "0")
	if err != nil {
		return nil, err
	}
	return func() { _ = errors.Join(conn.Close(), db.Close()) }, nil
}

// heldName is the file in a scratch folder that whoever works there has locked.
const heldName = ".held"

// LeftBehind reports whether a folder that somebody had [Held] belongs to nobody any more. One that was never held is left behind when
// it was not touched since a time.
func LeftBehind(dir string, untouched time.Time) bool {
	if _, err := os.Stat(filepath.Join(dir, heldName)); err != nil {
		info, err := os.Stat(dir)
		return err == nil && info.ModTime().Before(untouched)
	}
	release, err := Held(dir)
	if err != nil {
		return false
	}
	release()
	return true
}
