package store

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"os"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

//go:embed migrations
var migrations embed.FS

// migrateAttempts bounds the retries of a process that lost the race to create a new SQLite file's tables.
const migrateAttempts = 5

// migrate brings the tables up to date. A SQLite file that has tables already is copied first (upgrade.go).
func (s *migrator) migrate(ctx context.Context) error {
	var err error
	for range migrateAttempts {
		err = s.migrateOnce(ctx)
		// On PostgreSQL an advisory lock keeps others out. A new SQLite file has none: whoever comes second finds that a table is
		// there already, its migration is rolled back, and the next attempt sees that all is done.
		if _, told := errors.AsType[*problem.Problem](err); err == nil || told || s.Engine() == PostgreSQL || ctx.Err() != nil {
			break
		}
	}
	return sqldb.Wrap("create the tables", err)
}

func (s *migrator) migrateOnce(ctx context.Context) error {
	stored, err := schemaOf(ctx, s.Pool, s.Engine())
	if err != nil {
		return err
	}
	known := KnownSchema()
	switch {
	case stored > known:
		return newerSchema(stored, known)
	case stored == known:
		return nil
	case stored > 0 && s.Engine() == SQLite:
		return s.upgrade(ctx)
	case s.Engine() == SQLite && !s.Scratch:
		return s.create(ctx)
	case stored > 0 && !s.Saved:
		if err := s.backedUp(ctx, stored, known); err != nil {
			return err
		}
	}
	return s.up(ctx)
}

// up applies every migration that was not applied.
func (s *migrator) up(ctx context.Context) error {
	provider, err := s.provider()
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// create makes the tables of a new SQLite file. Whoever finds them half made waits until they are whole, as for an upgrade.
func (s *migrator) create(ctx context.Context) error {
	path, err := s.file(ctx)
	if err != nil {
		return err
	}
	lock := path + ".upgrade-lock"
	err = alone(ctx, lock, func() error { return s.up(ctx) })
	if err == nil {
		_ = os.Remove(lock) // who still waits for it finds nothing left to do
	}
	return err
}

// provider knows the migrations and what was applied of them.
func (s *migrator) provider() (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, "migrations/"+s.Engine())
	if err != nil {
		return nil, err
	}
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(s.sealAll(), s.compactAll(), s.keepAll(), s.keepAbsent(), s.poolAll(), s.sealMore(), s.makeMarks(),
			s.sealMoving())}
	if s.Engine() == PostgreSQL {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
		if err != nil {
			return nil, err
		}
		dialect, options = goose.DialectPostgres, append(options, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(dialect, s.Pool, folder, options...)
}

// Ready says why this database cannot be served, or nil: it must answer, and its tables must be those that this program knows. A
// newer program may have changed them since it was opened.
func (s *migrator) Ready(ctx context.Context) error {
	stored, err := schemaOf(ctx, s.Pool, s.Engine())
	if err != nil {
		return sqldb.Wrap("ask the database", err)
	}
	if known := KnownSchema(); stored > known {
		return newerSchema(stored, known)
	}
	return nil
}
