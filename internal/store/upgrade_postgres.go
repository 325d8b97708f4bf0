package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/machine"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Option changes how [Open] opens a database.
type Option func(*sqldb.DB)

// BackupDone says that there is a backup of the database to go back to, so that tables on PostgreSQL may be brought up to date. Without
// it they are when the last good backup is younger than a day, or nothing is stored yet. A SQLite file needs neither: it is copied first.
func BackupDone(s *sqldb.DB) { s.Saved = true }

// freshBackup is how old the last good backup may be that an upgrade relies on.
const freshBackup = 24 * time.Hour

// backedUp refuses to bring tables on PostgreSQL up to date where there is something to lose and nothing to go back to.
func (s *migrator) backedUp(ctx context.Context, stored, known int64) error {
	var holds bool
	err := s.Pool.QueryRowContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM runs) OR EXISTS (SELECT 1 FROM datasets) OR EXISTS (SELECT 1 FROM corpora)").Scan(&holds)
	if err != nil || !holds {
		return err
	}
	var now time.Time
	var at []byte
	err = s.Pool.QueryRowContext(ctx, "SELECT now(), value FROM install WHERE name = $1", machine.LastBackup).Scan(&now, &at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if last, err := time.Parse(time.RFC3339, string(at)); err == nil && now.Sub(last) < freshBackup {
		return nil
	}
	return problem.New(problem.Conflict, "backup_needed",
		"the tables must be brought from version %d to %d, and no good backup of the last 24 hours is known", stored, known).
		With("stored", stored).With("known", known).
		WithHint("make one with the program that has worked with them so far: workbench backup FILE. If you have one of another kind, set WORKBENCH_BACKUP_DONE=1")
}
