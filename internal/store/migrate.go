package store

import (
	"context"
	"embed"
	"errors"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/rag-workbench/workbench/internal/problem"
)

//go:embed migrations
var migrations embed.FS

// migrateAttempts bounds the retries of a process that lost the race to create a new SQLite file's tables.
const migrateAttempts = 5

// migrate brings the tables up to date. A SQLite file that has tables already is copied first (upgrade.go).
func (s *Store) migrate(ctx context.Context) error {
	var err error
	for range migrateAttempts {
		err = s.migrateOnce(ctx)
		// On PostgreSQL an advisory lock keeps others out. A new SQLite file has none: whoever comes second finds that a table is
		// there already, its migration is rolled back, and the next attempt sees that all is done.
		if _, told := errors.AsType[*problem.Problem](err); err == nil || told || s.engine == PostgreSQL || ctx.Err() != nil {
			break
		}
	}
	return wrap("create the tables", err)
}

func (s *Store) migrateOnce(ctx context.Context) error {
	stored, err := schemaOf(ctx, s.pool, s.engine)
	if err != nil {
		return err
	}
	known := KnownSchema()
	switch {
	case stored > known:
		return newerSchema(stored, known)
	case stored == known:
		return nil
	case stored > 0 && s.engine == SQLite:
		return s.upgrade(ctx)
	case stored > 0 && !s.saved:
		if err := s.backedUp(ctx, stored, known); err != nil {
			return err
		}
	}
	provider, err := s.provider()
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// provider knows the migrations and what was applied of them.
func (s *Store) provider() (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, "migrations/"+s.engine)
	if err != nil {
		return nil, err
	}
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if s.engine == PostgreSQL {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
		if err != nil {
			return nil, err
		}
		dialect, options = goose.DialectPostgres, append(options, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(dialect, s.pool, folder, options...)
}

// Ready says why this database cannot be served, or nil: it must answer, and its tables must be those that this program knows. A
// newer program may have changed them since it was opened.
func (s *Store) Ready(ctx context.Context) error {
	stored, err := schemaOf(ctx, s.pool, s.engine)
	if err != nil {
		return wrap("ask the database", err)
	}
	if known := KnownSchema(); stored > known {
		return newerSchema(stored, known)
	}
	return nil
}
