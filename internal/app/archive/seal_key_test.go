package archive

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/resealtest"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// audited is a row that is sealed and counted.
var audited = experiments.AuditEntry{At: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), Kind: "machine", Action: "x", Outcome: "done"}

// keyed opens the place of a world anew and returns it.
func keyed(t *testing.T, dir string, reading bool) *app.Workbench {
	t.Helper()
	open := app.Open
	if reading {
		open = app.OpenReading
	}
	w, err := open(t.Context(), app.Options{DataDir: dir, Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// lookedAt is what the doctor says of the key.
func lookedAt(t *testing.T, w *app.Workbench) (findings, notes int) {
	t.Helper()
	report, err := checkup.Check(t.Context(), checkup.Of(w, "test"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Invariant == "mark" {
			findings++
		}
	}
	for _, f := range report.Notes {
		if f.Invariant == "mark" {
			notes++
		}
	}
	return findings, notes
}

// TestAPlaceHasAKey makes a place, looks at what its file says, takes the file away, puts another database into its place, and damages it.
func TestAPlaceHasAKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, app.SealKeyFile)
	w := keyed(t, dir, false)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || w.Whole.Vouched.State != sqldb.Keyed {
		t.Fatalf("%v, %v, %+v", err, info, w.Whole.Vouched)
	}
	// Something that is sealed.
	if err := w.Whole.AppendAudit(t.Context(), audited); err != nil {
		t.Fatal(err)
	}
	if findings, notes := lookedAt(t, w); findings != 0 || notes != 0 {
		t.Errorf("%d findings, %d notes of honest rows", findings, notes)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again := keyed(t, dir, false)
	if after, _ := os.ReadFile(path); string(after) != string(before) || again.Whole.Vouched.State != sqldb.Keyed {
		t.Errorf("opening it again changed the key: %s", after)
	}

	// Without its file nobody vouches, and the next start believes what it finds, and says how much.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if findings, notes := lookedAt(t, keyed(t, dir, true)); findings != 0 || notes != 1 {
		t.Errorf("%d findings, %d notes without a key", findings, notes)
	}
	believed := keyed(t, dir, false)
	if findings, notes := lookedAt(t, believed); findings != 0 || notes != 1 || believed.Whole.Vouched.Rows != 1 {
		t.Errorf("%d findings, %d notes, %+v", findings, notes, believed.Whole.Vouched)
	}

	// Another identity in the place of the one that was marked is a finding, until the file is made to forget.
	if err := believed.Whole.Orm.Exec("UPDATE install SET value = ? WHERE name = 'secret'", []byte("other")).Error; err != nil {
		t.Fatal(err)
	}
	for _, reading := range []bool{true, false} {
		if findings, _ := lookedAt(t, keyed(t, dir, reading)); findings != 1 {
			t.Errorf("%d findings of another database", findings)
		}
	}
	if err := app.ForgetMarked(dir, ""); err != nil {
		t.Fatal(err)
	}
	if findings, _ := lookedAt(t, keyed(t, dir, false)); findings != 0 {
		t.Errorf("%d findings after the key forgot", findings)
	}

	noNumber := "key " + strings.Repeat("00", 32) + "\ndatabase a b c d\n"
	for _, damaged := range []string{"", "key xyz\n", "key 00\n", "strange\n", noNumber} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := app.Open(t.Context(), app.Options{DataDir: dir, Getenv: func(string) string { return "" }, Now: time.Now})
		if problem.CodeOf(err) != "seal_key" {
			t.Errorf("%q is taken for a key: %v", damaged, err)
		}
	}
}

// TestARestoredPlaceIsMarked restores a backup into a folder whose key has marked another database: it is no forgery.
func TestARestoredPlaceIsMarked(t *testing.T) {
	t.Parallel()
	from, dir := t.TempDir(), t.TempDir()
	w := keyed(t, from, false)
	if err := w.Whole.AppendAudit(t.Context(), audited); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "b.zip")
	if _, err := Backup(t.Context(), w, file, "test"); err != nil {
		t.Fatal(err)
	}
	other := keyed(t, dir, false)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(filepath.Join(dir, app.DatabaseFile+end))
	}
	if _, err := Restore(t.Context(), file, RestoreTo{DataDir: dir, Verify: true, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	restored := keyed(t, dir, false)
	if findings, notes := lookedAt(t, restored); findings != 0 || notes != 1 {
		t.Errorf("%d findings, %d notes of a restored place", findings, notes)
	}
}

// TestWhatSomebodySealedIsNotHandedOver: a study of a run that somebody changed and sealed anew without the key is refused, and leaves no
// file; as it was it is written.
func TestWhatSomebodySealedIsNotHandedOver(t *testing.T) {
	t.Parallel()
	w := apptest.NewPriced(t)
	run := does(w, t, asking)
	if _, err := Export(t.Context(), w.Workbench, filepath.Join(w.Dir, "honest.zip"), "test", run.ID); err != nil {
		t.Fatal(err)
	}
	w.Tamper(t, "UPDATE runs SET budget_calls = budget_calls + 1")
	if err := resealtest.Everything(t.Context(), w.Whole.DB, w.Whole.ReadTables); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.Dir, "forged.zip")
	_, err := Export(t.Context(), w.Workbench, path, "test", run.ID)
	if p := problem.From(err); problem.CodeOf(err) != "study_seal" || p.Params["rows"] == 0 {
		t.Errorf("what somebody sealed is handed over: %v", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a file is left: %v", err)
	}
}
