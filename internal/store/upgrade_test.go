package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/contents"
)

// former makes a SQLite file with the tables of an older version, and rows in those that version had.
func former(t *testing.T, path string, version int64) Contents {
	t.Helper()
	db, err := openSQLite(t.Context(), path)
	ok(t, err)
	s := storeOf(db)
	_, err = must[*goose.Provider](t)(s.provider()).UpTo(t.Context(), version)
	ok(t, err)
	tx := must[*sql.Tx](t)(s.Pool.BeginTx(t.Context(), nil))
	for i := range 200 {
		_, err := tx.ExecContext(t.Context(),
			"INSERT INTO corpora (name, version, digest, items, chars, created_at) VALUES (?, 1, ?, 1, 1, ?)", fmt.Sprint("corpus ", i),
			strings.Repeat("x", 500), at(i))
		ok(t, err)
	}
	ok(t, tx.Commit())
	c, err := s.Contents(t.Context())
	ok(t, err)
	ok(t, s.Close())
	return c
}

// corporaOf is what a database holds of what [former] stored.
func corporaOf(t *testing.T, c Contents) contents.TableContent {
	t.Helper()
	i := slices.IndexFunc(c.Tables, func(x contents.TableContent) bool { return x.Name == "corpora" })
	if i < 0 {
		t.Fatal("there is no table corpora")
	}
	return c.Tables[i]
}

// besides are the copies beside a file, oldest first.
func besides(t *testing.T, path string) []string {
	t.Helper()
	return must[[]string](t)(filepath.Glob(path + ".before-upgrade-*"))
}

// TestUpgradeKeepsACopy: from every older version, the data is there afterwards, and beside it as it was before.
func TestUpgradeKeepsACopy(t *testing.T) {
	t.Parallel()
	for version := int64(1); version < KnownSchema(); version++ {
		path := filepath.Join(t.TempDir(), "workbench.db")
		before := former(t, path, version)
		after := must[Contents](t)(database{path}.open(t).Contents(t.Context()))
		if after.Schema != KnownSchema() {
			t.Errorf("from version %d to %d", version, after.Schema)
		}
		diff(t, corporaOf(t, before), corporaOf(t, after))
		copies := besides(t, path)
		if len(copies) != 1 {
			t.Fatalf("from version %d: copies %v", version, copies)
		}
		diff(t, before, must[Contents](t)(ReadContents(t.Context(), copies[0])))
	}
}

func TestUpgradeKeepsTheNewestCopies(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	path := filepath.Join(t.TempDir(), "work[1]bench.db")
	for version := int64(1); version <= keptCopies+2; version++ {
		former(t, path, version)
		database{path}.open(t)
		ok(t, os.Remove(path)) // the next one is made anew
		_, _ = os.Remove(path+"-wal"), os.Remove(path+"-shm")
	}
	var left []string
	for _, e := range must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path))) {
		if strings.Contains(e.Name(), ".before-upgrade-") {
			left = append(left, strings.TrimPrefix(e.Name(), "work[1]bench.db.before-upgrade-"))
		}
	}
	diff(t, []string{"00003", "00004", "00005"}, left)
}

// TestUpgradeWithoutRoomChangesNothing: when the copy cannot be made, the tables stay as they are.
func TestUpgradeWithoutRoomChangesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "workbench.db")
	former(t, path, 3)
	ok(t, os.MkdirAll(path+".before-upgrade-00003.half/in the way", 0o700))
	_, err := Open(t.Context(), path)
	if err == nil {
		t.Fatal("it was upgraded without a copy")
	}
	ok(t, withCopy(path, func(db *sql.DB) error {
		version, err := schemaOf(t.Context(), db, SQLite)
		if version != 3 {
			t.Errorf("the tables are of version %d", version)
		}
		return err
	}))
}

// TestUpgradeTogether: of several that start at once, one upgrades and the others wait.
func TestUpgradeTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "workbench.db")
	before := former(t, path, 1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := Open(t.Context(), path)
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Errorf("open: %v", err)
			}
		})
	}
	wg.Wait()
	diff(t, corporaOf(t, before), corporaOf(t, must[Contents](t)(database{path}.open(t).Contents(t.Context()))))
	if copies := besides(t, path); len(copies) != 1 {
		t.Errorf("copies %v", copies)
	}
}

// The environment of the child process that is killed during an upgrade.
const (
	upgradeFile = "WORKBENCH_TEST_UPGRADE" // the file to upgrade
	upgradeDies = "WORKBENCH_TEST_DIES_AT" // how many steps it lives
)

// TestUpgradeChild is no test: it is the process that TestKilledUpgrade kills.
func TestUpgradeChild(t *testing.T) { //nolint:paralleltest // it ends the process
	path := os.Getenv(upgradeFile)
	if path == "" {
		t.Skip("only as a child of TestKilledUpgrade")
	}
	left, err := strconv.Atoi(os.Getenv(upgradeDies))
	ok(t, err)
	upgradeStep = func(string) {
		if left--; left == 0 {
			self, err := os.FindProcess(os.Getpid())
			ok(t, err)
			ok(t, self.Kill())
			select {} // until the signal arrives
		}
	}
	s, err := Open(t.Context(), path)
	ok(t, err)
	ok(t, s.Close())
}

// TestKilledUpgrade kills a process at every step of an upgrade from version 1; the next start finishes it, with all data and with a
// copy of the state before.
func TestKilledUpgrade(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	kills := 0
	for step := 1; ; step++ {
		path := filepath.Join(t.TempDir(), "workbench.db")
		before := former(t, path, 1)
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestUpgradeChild$")
		child.Env = append(os.Environ(), upgradeFile+"="+path, upgradeDies+"="+strconv.Itoa(step))
		out, err := child.CombinedOutput()
		died := err != nil
		if exit, killed := errors.AsType[*exec.ExitError](err); died && (!killed || exit.Exited()) {
			t.Fatalf("step %d: %v\n%s", step, err, out)
		}
		s, err := Open(context.WithoutCancel(t.Context()), path)
		if err != nil {
			t.Fatalf("after a kill at step %d: %v", step, err)
		}
		after := must[Contents](t)(s.Contents(t.Context()))
		ok(t, s.Close())
		diff(t, corporaOf(t, before), corporaOf(t, after))
		if after.Schema != KnownSchema() {
			t.Errorf("after a kill at step %d the tables are of version %d", step, after.Schema)
		}
		diff(t, before, must[Contents](t)(ReadContents(t.Context(), besides(t, path)[0])))
		if !died {
			break
		}
		kills++
	}
	if want := 4 + int(KnownSchema()) - 1; kills != want { // locked, copied, compared, kept, and each migration
		t.Errorf("killed %d times, want %d", kills, want)
	}
}

// TestReady: a database whose tables a newer program has changed is not served any more.
func TestReady(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		ok(t, s.Ready(t.Context()))
		ok(t, s.Read(t.Context()).Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, ?)", true).Error)
		wantProblem(t, s.Ready(t.Context()), problem.Conflict, "database_newer")
	})
}
