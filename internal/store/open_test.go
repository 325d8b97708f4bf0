package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/machine"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

func TestMigrationsAreIdempotent(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		first := d.open(t)
		run := queued(t, first, "a")
		second := d.open(t)
		if _, err := second.Run(t.Context(), run.ID); err != nil {
			t.Errorf("after opening again: %v", err)
		}
		if first.Engine() != second.Engine() || !strings.HasSuffix(t.Name(), first.Engine()) {
			t.Errorf("the engine is %s and then %s", first.Engine(), second.Engine())
		}
		var applied int
		ok(t, second.Read(t.Context()).Raw("SELECT count(*) FROM goose_db_version WHERE version_id > 0").Row().Scan(&applied))
		if int64(applied) != KnownSchema() {
			t.Errorf("%d migrations are recorded; there are %d", applied, KnownSchema())
		}
	})
}

// TestOpenTogether opens an empty database several times at the same moment: on SQLite many, since what goes wrong there (a file that is
// just being turned into a write-ahead log is "locked" without any wait) is a matter of luck.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	onEachEmpty(t, func(t *testing.T, d database) {
		openTogether(t, d)
		if strings.HasSuffix(t.Name(), SQLite) {
			for range 9 {
				openTogether(t, newSQLite(t))
			}
		}
	})
}

func openTogether(t *testing.T, d database) {
	t.Helper()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			s, err := Open(t.Context(), d.dsn)
			if err == nil {
				_, err = s.InstallSecret(t.Context())
				err = errors.Join(err, s.Close())
			}
			if err != nil {
				t.Errorf("open: %v", err)
			}
		})
	}
	wg.Wait()
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		ok(t, s.Read(t.Context()).Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, ?)", true).Error)
		_, err := Open(t.Context(), d.dsn)
		wantProblem(t, err, problem.Conflict, "database_newer")
		if problem.From(err).Hint == "" {
			t.Error("there is no hint what to do")
		}
	})
}

func TestMigrationFoldersMatch(t *testing.T) {
	t.Parallel()
	names := func(engine string) (out []string) {
		for _, f := range must[[]os.DirEntry](t)(migrations.ReadDir("migrations/" + engine)) {
			out = append(out, f.Name())
		}
		return out
	}
	diff(t, names(SQLite), names(PostgreSQL))
}

func TestInstallSecret(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		first := must[[]byte](t)(d.open(t).InstallSecret(t.Context()))
		second := must[[]byte](t)(d.open(t).InstallSecret(t.Context()))
		if len(first) != 32 || bytes.Equal(first, make([]byte, 32)) || !bytes.Equal(first, second) {
			t.Errorf("the secret is %d bytes, and the same again: %v", len(first), bytes.Equal(first, second))
		}
	})
	other := must[[]byte](t)(newSQLite(t).open(t).InstallSecret(t.Context()))
	if bytes.Equal(other, must[[]byte](t)(newSQLite(t).open(t).InstallSecret(t.Context()))) {
		t.Error("two databases have the same secret")
	}
}

// TestTranslatedErrors: both drivers' errors for a violated constraint are recognised.
func TestTranslatedErrors(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		row := machine.InstallRow{Name: "x", Value: []byte("1")}
		ok(t, s.Read(ctx).Create(&row).Error)
		if err := s.Read(ctx).Create(&row).Error; !sqldb.Duplicate(err) {
			t.Errorf("a second row of one key: %v", err)
		}
		err := s.Read(ctx).Create(&records.BaselineRow{Dataset: "d", RunID: "nobody"}).Error
		if !errors.Is(err, gorm.ErrForeignKeyViolated) || sqldb.Duplicate(err) {
			t.Errorf("a baseline of no run: %v", err)
		}
	})
}

func TestCancelledContext(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Corpora(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled read returned %v", err)
		}
		if _, _, err := s.PutCorpus(ctx, corpus("c", "x"), at(0)); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled write returned %v", err)
		}
	})
}

// TestSettings reads back what every connection of the pool was given.
func TestSettings(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	var held []*sql.Conn
	for range sqldb.PoolSize {
		conn := must[*sql.Conn](t)(s.Pool.Conn(t.Context()))
		held = append(held, conn)
		for _, p := range sqldb.Pragmas {
			var got string
			ok(t, conn.QueryRowContext(t.Context(), "PRAGMA "+p.Name).Scan(&got))
			if got != p.Want {
				t.Errorf("%s is %s; want %s", p.Name, got, p.Want)
			}
		}
	}
	for _, conn := range held {
		ok(t, conn.Close())
	}
	if n := s.Pool.Stats().MaxOpenConnections; n != sqldb.PoolSize {
		t.Errorf("the pool is bounded at %d; want %d", n, sqldb.PoolSize)
	}
}

func TestOddPaths(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b?c=1#d%20 日本")
	ok(t, os.Mkdir(dir, 0o750))
	path := filepath.Join(dir, "work?bench%.db")
	database{path}.open(t)
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the database is somewhere else: %v", err)
	}
}

func TestRefusedAddresses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.db")
	ok(t, os.WriteFile(file, []byte(strings.Repeat("these are notes, not tables\n", 100)), 0o600))
	for dsn, want := range map[string]string{
		"":                             "database_address",
		":memory:":                     "database_address",
		"mysql://host/db":              "database_address",
		"postgres://host:nonsense/db":  "database_address",
		filepath.Join(file, "x", "y"):  "database_directory",
		"/nowhere/at/all/workbench.db": "database_directory",
		file:                           "database_damaged",
		"postgres://user:topsecret@127.0.0.1:1/db?connect_timeout=5": "database_unreachable",
	} {
		_, err := Open(t.Context(), dsn)
		if p := problem.From(err); p == nil || p.Code != want || p.Hint == "" {
			t.Errorf("opening %q: %v; want a Problem with code %s and a hint", dsn, err, want)
		} else if strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%q shows the password", err)
		}
	}
}

// TestDriverMatchesItsC compares the C library of the SQLite driver with the version that the driver was translated for:
// another one may corrupt data.
func TestDriverMatchesItsC(t *testing.T) {
	t.Parallel()
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Version}} {{.GoMod}}", "modernc.org/libc",
		"modernc.org/sqlite").Output()
	ok(t, err)
	fields := strings.Fields(string(listed)) // version and go.mod of the one, then of the other
	linked, driver := fields[0], fields[3]
	parsed, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", driver).Output()
	ok(t, err)
	var mod struct {
		Require []struct{ Path, Version string }
	}
	ok(t, json.Unmarshal(parsed, &mod))
	for _, r := range mod.Require {
		if r.Path == "modernc.org/libc" && r.Version == linked {
			return
		}
	}
	t.Errorf("modernc.org/libc %s is linked; modernc.org/sqlite requires %+v", linked, mod.Require)
}
