package archive

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAForgerWhoRepairsEverything raises scores in questions that also hold an error, closes chain and totals over them again and takes
// all seals away, as if an older program had written the rows: what is computed from the replies is still not what is stored.
func TestAForgerWhoRepairsEverything(t *testing.T) {
	t.Parallel()
	w := studied(t)
	var broken experiments.Run
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if r.Totals != nil && len(r.Totals.Errors) > 0 {
			broken = r
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(w.Options.DataDir, "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range []string{
		"UPDATE cells SET value = 5 WHERE state = 'scored' AND metric = 'correctness' AND value < 5 AND run_id = '" + broken.ID + "'",
		"DELETE FROM seals",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	results, err := w.Store.Results(t.Context(), broken.ID)
	if err != nil {
		t.Fatal(err)
	}
	totals := experiments.Total(results, broken.Setup.LowRule())
	if _, err := db.ExecContext(t.Context(), "UPDATE runs SET chain = ?, totals = ? WHERE id = ?", experiments.Chain(results),
		string(asJSON(totals)), broken.ID); err != nil {
		t.Fatal(err)
	}
	if found, err := w.Whole.Check(t.Context()); err != nil || len(found) == 0 {
		t.Errorf("the doctor finds nothing: %v %v", found, err)
	}
	path := filepath.Join(t.TempDir(), "forged.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test", broken.ID); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || v.Equal {
		t.Fatalf("a forged study is confirmed: %v %+v", err, v)
	}
	different := 0
	for _, r := range v.Runs {
		if r.ID == broken.ID {
			different = len(r.Different)
		}
	}
	if different == 0 {
		t.Errorf("no difference is named: %+v", v)
	}
	other := apptest.NewWorld(t, "")
	if _, err := Import(t.Context(), other.Workbench, path); err == nil {
		t.Error("a forged study is imported")
	}
	_ = os.Remove(path)
}
