//go:build !cgo

package store

import (
	"database/sql"
	"slices"
	"testing"
)

// TestOneEngine: the pure Go engine is the only SQLite that works in the program. gorm's dialect also registers the C one,
// which without cgo is an empty shell; with cgo two engines would be linked.
func TestOneEngine(t *testing.T) {
	t.Parallel()
	for _, name := range sql.Drivers() {
		if !slices.Contains([]string{"sqlite", "sqlite3", "pgx", "pgx/v5"}, name) {
			t.Errorf("an unexpected driver %q is registered", name)
		}
	}
	shell, err := sql.Open("sqlite3", ":memory:")
	ok(t, err)
	defer func() { ok(t, shell.Close()) }()
	if err := shell.PingContext(t.Context()); err == nil {
		t.Error("the C engine is linked too; build with CGO_ENABLED=0")
	}
}
