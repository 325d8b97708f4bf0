package store

import (
	"database/sql"
	"slices"
	"testing"
)

// TestOneEngine: the pure Go engine is the only SQLite that is linked, with a C compiler as without.
func TestOneEngine(t *testing.T) {
	t.Parallel()
	if got, want := sql.Drivers(), []string{"pgx", "pgx/v5", "sqlite"}; !slices.Equal(got, want) {
		t.Errorf("the drivers %q are registered, want %q", got, want)
	}
}
