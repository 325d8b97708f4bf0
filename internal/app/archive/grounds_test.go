package archive

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/checkup"
)

// TestARunWithoutGroundsIsNoted: a copy that is not there is worth a note, and no finding.
func TestARunWithoutGroundsIsNoted(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, apptest.Offline)
	check := func() checkup.Report {
		r, err := checkup.Check(t.Context(), checkup.Of(w.Workbench, "test"))
		if err != nil || len(r.Findings) > 0 {
			t.Fatalf("%v %+v", err, r)
		}
		return r
	}
	if r := check(); len(r.Notes) > 0 {
		t.Errorf("nothing is missing: %+v", r.Notes)
	}
	db, err := sql.Open("sqlite", filepath.Join(w.Options.DataDir, "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), "DELETE FROM grounds WHERE run_id = ?", run.ID); err != nil {
		t.Fatal(err)
	}
	if r := check(); len(r.Notes) != 1 || r.Notes[0].Subject != "run "+run.ID {
		t.Errorf("%+v", r.Notes)
	}
}
