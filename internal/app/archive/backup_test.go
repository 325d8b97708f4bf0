package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/sealed"
	"github.com/rag-workbench/workbench/internal/store"
)

// restored opens a restored place beside a world: the same provider, another data directory.
func restored(w *apptest.World, t *testing.T, file string, to RestoreTo) (*apptest.World, Restored) {
	t.Helper()
	if to.DataDir == "" {
		to.DataDir = filepath.Join(t.TempDir(), "data")
	}
	r, err := Restore(t.Context(), file, to)
	if err != nil {
		t.Fatal(err)
	}
	other := &apptest.World{Dir: filepath.Dir(to.DataDir), Env: w.Env, Provider: w.Provider, Address: w.Address, Host: w.Host}
	other.OpenAgain(t, to.DatabaseURL)
	return other, r
}

// saved backs a world up.
func saved(w *apptest.World, t *testing.T, name string) (string, BackupManifest) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	m, err := Backup(t.Context(), w.Workbench, file, "test")
	if err != nil {
		t.Fatal(err)
	}
	return file, m
}

// keys are the secrets that no backup may hold.
func keys(w *apptest.World, t *testing.T) [][]byte {
	t.Helper()
	secret, err := w.Whole.InstallSecret(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return [][]byte{secret, []byte(w.Env["OPENAI_API_KEY"])}
}

func TestRestoredPlaceBuysNothingAgain(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	first := w.Worked(t, apptest.Bought)
	w.Write(t, "data/notebooks/weekly.rag.md", "# weekly\n")
	w.Write(t, "data/fires/f1/report.xlsx", "a workbook")
	w.Write(t, "data/key.pem", "not for others")
	if err := os.Symlink("/etc/passwd", filepath.Join(w.Dir, "data/notebooks/link")); err != nil {
		t.Fatal(err)
	}
	file, m := saved(w, t, "b.zip")
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		for i, key := range keys(w, t) {
			if bytes.Contains(body, key) {
				t.Errorf("%s holds secret %d", f.Name, i)
			}
		}
	}
	if diff := cmp.Diff([]string{"workbench.db", "fires/f1/report.xlsx", "notebooks/weekly.rag.md", "manifest.json"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the backup: %v %v", info.Mode(), err)
	}
	if at, made, err := LastBackup(t.Context(), w.Workbench); err != nil || !made || !at.Equal(m.CreatedAt) {
		t.Errorf("the last backup was made %v %v %v", at, made, err)
	}
	paid := len(w.Provider.Ledger())
	other, r := restored(w, t, file, RestoreTo{Verify: true})
	if again := other.Worked(t, apptest.Bought); again.Chain != first.Chain || len(w.Provider.Ledger()) != paid {
		t.Errorf("chain %s, then %s; %d calls bought again", first.Chain, again.Chain, len(w.Provider.Ledger())-paid)
	}
	if bytes.Equal(keys(w, t)[0], keys(other, t)[0]) {
		t.Error("the install secret travelled")
	}
	if body, err := os.ReadFile(filepath.Join(other.Dir, "data/notebooks/weekly.rag.md")); string(body) != "# weekly\n" || r.Files != 2 {
		t.Errorf("the notebook is %q, %v; %d files", body, err, r.Files)
	}
	if got, want := other.EvaluationFile(t, first.ID), w.EvaluationFile(t, first.ID); got != want {
		t.Error("the restored run is another one")
	}
}

// TestEnginesAreMoved moves a workbench from SQLite to PostgreSQL and back with backups: equal tables, equal evaluations.
func TestEnginesAreMoved(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	first := w.Worked(t, apptest.Bought)
	there, m := saved(w, t, "there.zip")
	on, r := restored(w, t, there, RestoreTo{DatabaseURL: apptest.Postgres(t)})
	if r.Engine != store.PostgreSQL {
		t.Errorf("restored into %s", r.Engine)
	}
	back, n := saved(on, t, "back.zip")
	if diff := cmp.Diff(m.Contents, n.Contents); diff != "" || n.Engine != store.PostgreSQL {
		t.Errorf("from %s (-there +back):\n%s", n.Engine, diff)
	}
	home, _ := restored(w, t, back, RestoreTo{Verify: true})
	for _, other := range []*apptest.World{on, home} {
		if got, want := other.EvaluationFile(t, first.ID), w.EvaluationFile(t, first.ID); got != want {
			t.Errorf("on %s the run is another one", other.Engine)
		}
	}
	if _, err := Restore(t.Context(), there, RestoreTo{DataDir: t.TempDir(),
		DatabaseURL: on.Options.DatabaseURL}); problem.CodeOf(err) != "restore_not_empty" {
		t.Errorf("over a live database: %v", err)
	}
}

// load evaluates with one writer after the other until it is told to stop, and knows which runs are over.
type load struct {
	mu       sync.Mutex
	finished []experiments.Run
	ended    chan error
	calls    chan struct{} // one for each call that somebody waits for
}

func underLoad(ctx context.Context, w *apptest.World, t *testing.T) *load {
	t.Helper()
	l := &load{ended: make(chan error, 1), calls: make(chan struct{})}
	w.Provider = fakeprovider.New(fakeprovider.Options{
		Key: w.Env["OPENAI_API_KEY"], Responder: apptest.Respond, Latency: 2 * time.Millisecond,
		Behave: func(fakeprovider.Request) fakeprovider.Behaviour {
			select {
			case l.calls <- struct{}{}:
			default:
			}
			return fakeprovider.Behaviour{}
		},
	})
	go func() {
		for i := 0; ; i++ {
			path := filepath.Join(w.Dir, fmt.Sprintf("load-%d.yaml", i))
			text := "corpus: rules\ndataset: asked\n" +
				strings.ReplaceAll(strings.ReplaceAll(apptest.Bought, "name: bought", fmt.Sprintf("name: load-%d", i)), "writer-1",
					fmt.Sprintf("writer-%d", i))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				l.ended <- err
				return
			}
			e, _, err := w.Experiment(ctx, path)
			var job app.Job
			if err == nil {
				job, err = w.Job(ctx, e, app.Select{})
			}
			var run experiments.Run
			if err == nil {
				run, err = w.Run(ctx, job)
			}
			if ctx.Err() != nil {
				err = nil
			}
			if err != nil || ctx.Err() != nil {
				l.ended <- err
				return
			}
			l.mu.Lock()
			l.finished = append(l.finished, run)
			l.mu.Unlock()
		}
	}()
	return l
}

// acknowledged are the runs of which somebody was told that they are over.
func (l *load) acknowledged() []experiments.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]experiments.Run{}, l.finished...)
}

// TestBackupUnderLoad backs up while runs go on. What was acknowledged before is in the backup, the doctor finds nothing in the
// restored place, and what was under way there can be finished.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{store.SQLite, store.PostgreSQL} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			database := ""
			if engine == store.PostgreSQL {
				database = apptest.Postgres(t)
			}
			w := apptest.NewWorld(t, database)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			l := underLoad(ctx, w, t)
			rounds, paused := 3, 0
			if testing.Short() {
				rounds = 1 // the race detector sees the same hands at less work
			}
			for i := 0; i < rounds || paused == 0 && i < 3; i++ {
				before := l.acknowledged()
				for range 15 { // the load goes on
					<-l.calls
				}
				file, _ := saved(w, t, "load.zip")
				paused += sound(w, t, file, before)
			}
			stop()
			if err := <-l.ended; err != nil {
				t.Fatal(err)
			}
			if paused == 0 {
				t.Error("no run was under way at any backup: there was no load")
			}
			t.Logf("%d runs finished meanwhile; %d were under way at a backup", len(l.finished), paused)
		})
	}
}

// sound restores a backup, looks for the acknowledged runs and finishes those that were under way. It returns how many were.
func sound(w *apptest.World, t *testing.T, file string, acknowledged []experiments.Run) int {
	t.Helper()
	other, r := restored(w, t, file, RestoreTo{Verify: true})
	for _, run := range acknowledged {
		got, err := other.Store.Run(t.Context(), run.ID)
		if err != nil || got.State != experiments.Finished || got.Chain != run.Chain {
			t.Errorf("run %s was acknowledged; restored it is %s %s, %v", run.ID, got.State, got.Chain, err)
		}
	}
	runs, err := other.Store.Runs(t.Context(), experiments.RunFilter{State: experiments.Paused})
	if err != nil || len(runs) != r.Paused {
		t.Errorf("%d runs are paused, %d were said to be; %v", len(runs), r.Paused, err)
	}
	for _, run := range runs {
		if _, err := other.Resume(t.Context(), run.ID); err != nil {
			t.Errorf("resume %s: %v", run.ID, err)
		}
	}
	if findings, err := other.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("the doctor: %v %v", findings, err)
	}
	return r.Paused
}

// TestRestoreRefuses everything that is no backup, and every place that is not empty, and leaves nothing behind.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Write(t, "data/notebooks/a.rag.md", "# a\n")
	file, m := saved(w, t, "b.zip")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Backup(t.Context(), w.Workbench, file, "test"); problem.CodeOf(err) != "file_exists" {
		t.Errorf("a second backup of one name: %v", err)
	}
	for url, says := range map[string][2]string{"": {"--into", "data is not empty: it holds a database, the file workbench.db"},
		"postgres://nobody.invalid/x": {"--data", "data is not empty: it holds the folder notebooks, with notebooks"}} { // before any is asked
		_, err := Restore(t.Context(), file, RestoreTo{DataDir: filepath.Join(w.Dir, "data"), DatabaseURL: url})
		if p := problem.From(err); p.Code != "restore_not_empty" || !strings.HasSuffix(p.Hint, says[0]) ||
			!strings.HasSuffix(p.Message, says[1]) {
			t.Errorf("into a place in use with %q: %v, %q", url, err, p.Hint)
		}
	}
	for _, folder := range backupFolders {
		if held[folder] == "" {
			t.Errorf("no words say what %s is", folder)
		}
	}
	changed := func(change func(m *BackupManifest)) []byte { return rezipped(t, good, change) }
	for name, test := range map[string]struct {
		body []byte
		code string
	}{
		"half":     {good[:len(good)/2], "backup_file"},
		"newer":    {changed(func(m *BackupManifest) { m.Contents.Schema = 9999 }), "database_newer"},
		"format":   {changed(func(m *BackupManifest) { m.Format = 2 }), "backup_file"},
		"up":       {changed(func(m *BackupManifest) { m.Files["notebooks/../../x"] = m.Files["notebooks/a.rag.md"] }), "backup_file"},
		"root":     {changed(func(m *BackupManifest) { m.Files["/etc/x"] = m.Files["notebooks/a.rag.md"] }), "backup_file"},
		"keys":     {changed(func(m *BackupManifest) { m.Files["access-tokens.json"] = m.Files["notebooks/a.rag.md"] }), "backup_file"},
		"digest":   {changed(func(m *BackupManifest) { m.Files["notebooks/a.rag.md"] = "" }), "backup_file"},
		"rows":     {changed(func(m *BackupManifest) { m.Contents.Tables[0].Rows++ }), "backup_file"},
		"database": {changed(func(m *BackupManifest) { delete(m.Files, backupDatabase) }), "backup_file"},
	} {
		dir := t.TempDir()
		at := filepath.Join(dir, "x.zip")
		if err := os.WriteFile(at, test.body, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(t.Context(), at, RestoreTo{DataDir: filepath.Join(dir, "data")}); problem.CodeOf(err) != test.code {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(filepath.Join(dir, "data")); err == nil && len(left) > 0 {
			t.Errorf("%s left %v", name, left)
		}
	}
	checked, report, err := CheckBackup(t.Context(), file, "", "test")
	if err != nil || len(report.Findings) > 0 || !checked.Contents.Equal(m.Contents) {
		t.Errorf("the good one: %v %v", report, err)
	}
}

// rezipped writes a backup again with another manifest.
func rezipped(t *testing.T, body []byte, change func(*BackupManifest)) []byte {
	t.Helper()
	return changedZip(t, body, sealed.ManifestName, func(content []byte) []byte {
		var m BackupManifest
		if err := json.Unmarshal(content, &m); err != nil {
			t.Fatal(err)
		}
		change(&m)
		content, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return content
	})
}

// changedZip writes the files of an archive again, one of them changed.
func changedZip(t *testing.T, body []byte, name string, change func([]byte) []byte) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == name {
			content = change(content)
		}
		w, err := z.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
