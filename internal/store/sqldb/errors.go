package sqldb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Wrap says what was being done. Problems and ended contexts pass as they are; what the user can do something about
// becomes a Problem; the rest is internal.
func Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*problem.Problem](err); ok || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if p := outside(err); p != nil {
		return p.Because(fmt.Errorf("%s: %w", doing, err))
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Unreadable is the Problem of a stored value that this program did not write like that.
func Unreadable(what string, err error) error {
	return problem.New(problem.Unavailable, "row_unreadable", "%s is not readable", what).With("row", what).Because(err).
		WithHint("somebody changed it, or it is damaged: `workbench doctor` lists all such rows, and `workbench restore` puts a backup into an empty place")
}

// outside returns the Problem for a failure outside the program, or nil.
func outside(err error) *problem.Problem {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return problem.New(problem.Unavailable, "database_busy", "another process kept the database locked").
				WithHint("try again; if it stays so, find the process that holds the file open")
		case sqlite3.SQLITE_FULL:
			return problem.New(problem.Unavailable, "disk_full", "the disk of the database is full").
				WithHint("free some space; nothing that was saved before is lost")
		case sqlite3.SQLITE_IOERR:
			return problem.New(problem.Unavailable, "database_io", "the disk did not do what the database asked of it").
				WithHint("is it full, or defective? nothing that was saved before is lost, and verbs that only read may still work")
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
			return problem.New(problem.Unavailable, "database_file", "the database file cannot be opened for writing").
				WithHint("check that the file and its directory exist and are writable, or work on a copy: `cp -r DIR COPY`, then --data COPY")
		case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
			return problem.New(problem.Unavailable, "database_damaged", "the database file is damaged or is not a SQLite database").
				WithHint("restore it from a backup, or name another file")
		}
		return nil
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return problem.New(problem.Unavailable, "database_unreachable", "the PostgreSQL server cannot be reached").
			WithHint("check that it runs, and the host, port, user and password of the database URL")
	}
	// 25P03: it waited too long for the next statement; the others: somebody ended the connection, or the server is stopping or starting.
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && slices.Contains([]string{"25P03", "57P01", "57P02", "57P03"}, e.Code) {
		return problem.New(problem.Unavailable, "database_ended", "the PostgreSQL server ended the connection: %s", e.Message).
			WithHint("try again; what was saved before is kept")
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return problem.New(problem.Unavailable, "database_unreachable", "the connection to the PostgreSQL server broke").
			WithHint("try again; what was saved before is kept")
	}
	return nil
}

// Duplicate reports whether err says that a unique key is taken.
func Duplicate(err error) bool { return errors.Is(err, gorm.ErrDuplicatedKey) }

// UnknownAmong is [Unknown] where names are known: one that is near is named.
func UnknownAmong(what, name string, names []string) *problem.Problem {
	meant := text.Meant(name, names)
	if meant == "" {
		return Unknown(what, name)
	}
	return problem.New(problem.NotFound, what+"_unknown", "there is no %s %q%s", what, name, meant).With("name", name).
		With("near", text.Nearest(name, names))
}

// Unknown is the Problem for a name or id that is not in the store.
func Unknown(what, name string) *problem.Problem {
	return problem.New(problem.NotFound, what+"_unknown", "there is no %s %q", what, name).With("name", name)
}
