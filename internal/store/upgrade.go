package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"

	"github.com/rag-workbench/workbench/internal/problem"
)

// keptCopies is how many copies of former tables stay beside a SQLite file.
const keptCopies = 3

// upgradeStep is told what an upgrade has just done. Tests end the process there.
var upgradeStep = func(string) {}

// upgrade brings the tables of an existing SQLite file up to date: one process at a time, after a copy that was found good. Each
// migration is one transaction, so a process that is killed anywhere leaves a file that the next one upgrades from where it stands.
func (s *migrator) upgrade(ctx context.Context) error {
	path, err := s.file(ctx)
	if err != nil {
		return err
	}
	return alone(ctx, path+".upgrade-lock", func() error {
		upgradeStep("locked")
		stored, err := schemaOf(ctx, s.Pool, s.Engine())
		if err != nil || stored >= KnownSchema() { // somebody else was first
			return err
		}
		if !s.Scratch {
			if err := s.copyBeside(ctx, path, stored); err != nil {
				return err
			}
		}
		provider, err := s.provider()
		if err != nil {
			return err
		}
		for {
			if _, err := provider.UpByOne(ctx); errors.Is(err, goose.ErrNoNextVersion) {
				return nil
			} else if err != nil {
				return err
			}
			upgradeStep("migrated")
		}
	})
}

// file is the path of the SQLite file.
func (s *migrator) file(ctx context.Context) (path string, err error) {
	err = s.Pool.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&path)
	return path, err
}

// alone runs f while no other process runs it under the same lock. The lock is one of SQLite's on a file of its own, so the system
// lets go of it when the process dies. The file stays: removing it would let two hold it.
func alone(ctx context.Context, path string, f func() error) error {
	db, conn, err := locked(ctx, path, "600000") // the others copy and migrate meanwhile
	if err != nil {
		return err
	}
	defer func() { _ = errors.Join(conn.Close(), db.Close()) }() // lets go of the lock
	return f()
}

// locked takes the lock of a file and waits at most so many milliseconds for it.
func locked(ctx context.Context, path, wait string) (*sql.DB, *sql.Conn, error) {
	q := url.Values{"_pragma": {"busy_timeout(" + wait + ")"}}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") { // a drive letter
		slashed = "/" + slashed
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	if _, err := conn.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		return nil, nil, errors.Join(err, conn.Close(), db.Close())
	}
	return db, conn, nil
}

// copyBeside copies the database before its tables are changed, looks whether the copy is good, and keeps the newest copies.
func (s *migrator) copyBeside(ctx context.Context, path string, stored int64) error {
	beside := fmt.Sprintf("%s.before-upgrade-%05d", path, stored)
	have, err := s.Contents(ctx)
	if err != nil {
		return err
	}
	if c, err := ReadContents(ctx, beside); err == nil && c.Equal(have) {
		return nil // of an upgrade that was broken off
	}
	half := beside + ".half"
	if err := os.Remove(half); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := s.Pool.ExecContext(ctx, "VACUUM INTO ?", half); err != nil {
		return uncopied(beside, err)
	}
	upgradeStep("copied")
	c, err := ReadContents(ctx, half)
	if err != nil {
		return uncopied(beside, err)
	}
	if why := have.Difference(c); why != "" { // somebody wrote
		return uncopied(beside, errors.New("the copy is not equal: "+why))
	}
	upgradeStep("compared")
	if err := errors.Join(synced(half), os.Rename(half, beside)); err != nil {
		return uncopied(beside, err)
	}
	upgradeStep("kept")
	return dropOld(path)
}

// uncopied refuses an upgrade without a copy.
func uncopied(beside string, err error) error {
	return problem.New(problem.Unavailable, "upgrade_copy",
		"the tables have to be brought up to date, and the copy that is made before, %s, failed; nothing was changed", beside).
		With("path", beside).Because(err).
		WithHint("make room on the disk and let no other process write to the database, then start again")
}

// dropOld removes all but the newest copies.
func dropOld(path string) error {
	copies, err := filepath.Glob(escaped(path) + ".before-upgrade-*")
	if err != nil {
		return err
	}
	copies = slices.DeleteFunc(copies, func(name string) bool {
		_, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
		return err != nil
	})
	slices.Sort(copies)
	for len(copies) > keptCopies {
		if err := os.Remove(copies[0]); err != nil {
			return err
		}
		copies = copies[1:]
	}
	return nil
}

// escaped is a path as a pattern that matches only itself.
func escaped(path string) string {
	return strings.NewReplacer(`[`, `[[]`, `*`, `[*]`, `?`, `[?]`).Replace(path)
}

// OpenCopy opens a SQLite file that nobody keeps, as [Open] does, but makes no copy before it brings the tables up to date.
func OpenCopy(ctx context.Context, path string) (*Store, error) {
	s, err := openSQLite(ctx, path)
	if err != nil {
		return nil, err
	}
	s.Scratch = true
	if err := migratorOf(s).migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := os.Remove(path + ".upgrade-lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, s.Close())
	}
	return storeOf(s), nil
}
