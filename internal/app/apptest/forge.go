package apptest

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/store/resealtest"
)

// Forge does what somebody does who has the SQLite file, knows the program and has read the key of the place: it executes statements with
// foreign keys off, and then takes all seals away and seals and marks everything again as it is, roots of runs included.
func (w *World) Forge(t *testing.T, statements ...string) {
	t.Helper()
	w.Tamper(t, statements...)
	if err := resealtest.Everything(t.Context(), w.Whole.DB, w.Whole.ReadTables); err != nil {
		t.Fatal(err)
	}
	if err := resealtest.Marked(t.Context(), w.Whole.DB); err != nil {
		t.Fatal(err)
	}
}

// Tamper executes statements in the SQLite file, with foreign keys off.
func (w *World) Tamper(t *testing.T, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.Options.DataDir, app.DatabaseFile)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1) // attached files belong to a connection
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
