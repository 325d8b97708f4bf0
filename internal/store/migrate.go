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

// migrate brings the tables up to date.
func (s *Store) migrate(ctx context.Context) error {
	var err error
	for range migrateAttempts {
		err = s.migrateOnce(ctx)
		// On PostgreSQL an advisory lock keeps others out. SQLite has none: whoever comes second finds that a table is
		// there already, its migration is rolled back, and the next attempt sees that all is done.
		if _, told := errors.AsType[*problem.Problem](err); err == nil || told || s.engine == PostgreSQL || ctx.Err() != nil {
			break
		}
	}
	return wrap("create the tables", err)
}

func (s *Store) migrateOnce(ctx context.Context) error {
	folder, err := fs.Sub(migrations, "migrations/"+s.engine)
	if err != nil {
		return err
	}
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if s.engine == PostgreSQL {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
		if err != nil {
			return err
		}
		dialect, options = goose.DialectPostgres, append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(dialect, s.pool, folder, options...)
	if err != nil {
		return err
	}
	stored, err := provider.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	if known := sources[len(sources)-1].Version; stored > known {
		return problem.New(problem.Conflict, "database_newer", "the database has tables of version %d; this program knows version %d", stored, known).
			With("stored", stored).With("known", known).
			WithHint("use a newer workbench, or another database")
	} else if stored == known {
		return nil
	}
	_, err = provider.Up(ctx)
	return err
}
