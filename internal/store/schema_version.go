package store

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// KnownSchema is the version of the tables that this program makes and reads.
func KnownSchema() int64 {
	files, err := migrations.ReadDir("migrations/" + SQLite)
	if err != nil || len(files) == 0 {
		panic("the migrations are not embedded") // they always are
	}
	last := slices.MaxFunc(files, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	var version int64
	if _, err := fmt.Sscanf(last.Name(), "%d_", &version); err != nil {
		panic("a migration has no number: " + last.Name())
	}
	return max(version, sealing, compacting, keeping, missing, pooling, sealingMore, marking, moving)
}

// schemaOf is the version of the tables of a database; 0 when it has none of ours.
func schemaOf(ctx context.Context, db *sql.DB, engine string) (int64, error) {
	there := "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'"
	if engine == PostgreSQL {
		there = "SELECT count(*) FROM information_schema.tables WHERE table_name = 'goose_db_version' AND table_schema = current_schema()"
	}
	var n int
	if err := db.QueryRowContext(ctx, there).Scan(&n); err != nil || n == 0 {
		return 0, err
	}
	var version sql.NullInt64
	err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	return version.Int64, err
}

// newerSchema refuses tables that a newer program made.
func newerSchema(stored, known int64) *problem.Problem {
	return problem.New(problem.Conflict, "database_newer",
		"SCHEMA_NEWER (%d > %d): a newer workbench made these tables, and this one cannot read them", stored, known).
		With("stored", stored).With("known", known).
		WithHint("use the newer workbench, or another database")
}
