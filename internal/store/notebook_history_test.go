package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/notebooks"
)

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// saved is a version of a text as somebody saves it.
func saved(text, by string, at time.Time) experiments.NotebookVersion {
	return experiments.NotebookVersion{Digest: sumOf(text), By: by, ChangedAt: at, Origin: experiments.VersionSaved}
}

// TestVersions saves, folds, names, runs, restores and forgets versions of a notebook.
func TestVersions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		const book = "notebooks/方針.rag.md"
		put := func(v experiments.NotebookVersion, text, lock string) experiments.NotebookVersion {
			t.Helper()
			if lock != "" {
				v.Lock = sumOf(lock)
			}
			got, _, err := s.PutVersion(ctx, book, v, []byte(text), []byte(lock))
			ok(t, err)
			return got
		}
		numbers := func() (out string) {
			t.Helper()
			for _, v := range must[[]experiments.NotebookVersion](t)(s.Versions(ctx, book)) {
				out += fmt.Sprintf("%d %s %s;", v.Number, v.By, v.Origin)
			}
			return out
		}
		put(saved("one", "Ann", at(0)), "one", "")
		put(saved("one", "Ann", at(1)), "one", "")
		v := put(saved("two", "Ann", at(599)), "two", "")
		if v.Number != 1 || !v.At.Equal(at(0)) || !v.ChangedAt.Equal(at(599)) {
			t.Errorf("what one author saves within ten minutes is one version: %+v", v)
		}
		put(saved("three", "Ben", at(600)), "three", "")
		put(saved("four", "Ben", at(1200)), "four", "") // ten minutes later
		must[experiments.NotebookVersion](t)(s.NameVersion(ctx, book, 3, "四"))
		put(saved("five", "Ben", at(1201)), "five", "")
		ran := saved("five", "Ben", at(1202))
		ran.Ran, ran.Params = true, []string{"p.k=7"}
		diff(t, 4, put(ran, "five", "lock").Number)
		ok(t, s.LockVersion(ctx, book, 4, sumOf("lock 2"), []byte("lock 2")))
		put(saved("six", "Ben", at(1203)), "six", "lock 2")
		outside := saved("seven", "", at(1204))
		outside.Origin = experiments.VersionDisk
		put(outside, "seven", "lock 2")
		diff(t, "6  disk;5 Ben saved;4 Ben saved;3 Ben saved;2 Ben saved;1 Ann saved;", numbers())

		got, text, lock, err := s.Version(ctx, book, 4)
		ok(t, err)
		diff(t, experiments.NotebookVersion{Number: 4, Digest: sumOf("five"), Lock: sumOf("lock 2"), By: "Ben", At: at(1201),
			ChangedAt: at(1201), Origin: "saved", Params: []string{"p.k=7"}, Ran: true}, got)
		diff(t, "five lock 2", string(text)+" "+string(lock))
		_, _, _, err = s.Version(ctx, book, 9)
		wantProblem(t, err, problem.NotFound, "version_unknown")
		_, err = s.NameVersion(ctx, book, 9, "x")
		wantProblem(t, err, problem.NotFound, "version_unknown")

		var texts int64
		ok(t, s.Read(ctx).Model(&notebooks.NotebookTextRow{}).Count(&texts).Error)
		diff(t, int64(7), texts) // six texts and the newest lock: "one" went when it was folded, and the lock of before with it

		ok(t, s.MoveNotebook(ctx, book, "notebooks/other.rag.md"))
		diff(t, "", numbers())
		_, text, _, err = s.Version(ctx, "notebooks/other.rag.md", 6)
		ok(t, err)
		diff(t, "seven", string(text))
	})
}

// TestVersionsAreForgotten keeps a year and a thousand versions, and the newest one for good.
func TestVersionsAreForgotten(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		put := func(text string, when time.Time) int {
			t.Helper()
			v := saved(text, "", when)
			v.Origin = experiments.VersionDisk
			got, _, err := s.PutVersion(ctx, "n", v, []byte(text), nil)
			ok(t, err)
			return got.Number
		}
		put("old", at(0))
		put("older than a year", at(1))
		put("new", at(2).Add(experiments.VersionsLast))
		list := must[[]experiments.NotebookVersion](t)(s.Versions(ctx, "n"))
		if len(list) != 1 || list[0].Number != 3 {
			t.Errorf("a year later there are %+v", list)
		}
		ok(t, s.Orm.Exec("UPDATE notebook_versions SET number = ? WHERE number = 3", experiments.MostVersions+3).Error)
		later := at(9).Add(experiments.VersionsLast)
		row, err := notebooks.ToNotebookVersion("n", experiments.NotebookVersion{Number: 4, Digest: sumOf("new"), At: later,
			ChangedAt: later,
			Origin:    "disk"})
		ok(t, err)
		ok(t, s.Orm.Create(&row).Error)
		put("newest", at(10).Add(experiments.VersionsLast))
		list = must[[]experiments.NotebookVersion](t)(s.Versions(ctx, "n"))
		if len(list) != 2 || list[1].Number != experiments.MostVersions+3 {
			t.Errorf("of more than a thousand there are %+v", list)
		}
	})
}

// TestADamagedVersionIsRefused: a kept text that was changed, cut or swapped is not handed out as what was saved.
func TestADamagedVersionIsRefused(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		_, _, err := s.PutVersion(ctx, "n", saved("one", "", at(0)), []byte("one"), nil)
		ok(t, err)
		other, err := notebooks.Deflated([]byte("two"), nil)
		ok(t, err)
		for _, body := range [][]byte{other, other[:1], {}} {
			ok(t, s.Orm.Model(&notebooks.NotebookTextRow{}).Where("notebook = ?", "n").Update("body", body).Error)
			_, _, _, err = s.Version(ctx, "n", 1)
			wantProblem(t, err, problem.Unavailable, "version_damaged")
		}
	})
}

// TestRemovedCells keeps cells for thirty days.
func TestRemovedCells(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		a, b := filled1[experiments.RemovedCell](), filled1[experiments.RemovedCell]()
		a.ID, a.At, a.Expires = "a", at(1), at(1).Add(experiments.RemovedLast)
		b.ID, b.At, b.Expires = "b", at(2), at(2).Add(experiments.RemovedLast)
		ok(t, s.PutRemoved(ctx, "n", []experiments.RemovedCell{a, b}, at(2)))
		diff(t, []experiments.RemovedCell{b, a}, must[[]experiments.RemovedCell](t)(s.Removed(ctx, "n", at(3))))
		diff(t, []experiments.RemovedCell{}, must[[]experiments.RemovedCell](t)(s.Removed(ctx, "m", at(3))))
		diff(t, []experiments.RemovedCell{b}, must[[]experiments.RemovedCell](t)(s.Removed(ctx, "n", a.Expires)))
		_, err := s.ForgetRemoved(ctx, "n", "a", a.Expires)
		wantProblem(t, err, problem.NotFound, "removed_unknown")
		diff(t, b, must[experiments.RemovedCell](t)(s.ForgetRemoved(ctx, "n", "b", at(3))))
		_, err = s.ForgetRemoved(ctx, "n", "b", at(3))
		wantProblem(t, err, problem.NotFound, "removed_unknown")
		ok(t, s.PutRemoved(ctx, "n", nil, a.Expires))
		var left int64
		ok(t, s.Read(ctx).Model(&notebooks.RemovedRow{}).Count(&left).Error)
		diff(t, int64(0), left)
	})
}

// TestFiveHundredVersions counts the bytes of 500 versions of 20 KB, each a line longer or shorter than the last.
func TestFiveHundredVersions(t *testing.T) {
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("writes 500 versions: set WORKBENCH_SLOW_TESTS=1")
	}
	var raw []byte // prose and cells as people write them
	for _, name := range []string{"running.md", "notebook.md"} {
		body, err := os.ReadFile("../../docs/" + name)
		ok(t, err)
		raw = append(raw, body...)
	}
	s, ctx := newSQLite(t).open(t), t.Context()
	for i := range 500 {
		from := (i * 37) % 3000
		text := fmt.Sprintf("%s\nedit %d by hand\n%s", raw[from:from+1000], i, raw[len(raw)-19000:])
		v := saved(text, "", at(i*601))
		_, _, err := s.PutVersion(ctx, "n", v, []byte(text), nil)
		ok(t, err)
	}
	var pages int
	ok(t, s.Orm.Raw("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'notebook%' OR name LIKE 'sqlite_autoindex_notebook%'").Scan(&pages).Error)
	began := time.Now()
	_, text, _, err := s.Version(ctx, "n", 250)
	ok(t, err)
	t.Logf("500 versions of %d bytes take %.2f MiB; one is read in %s", len(text), float64(pages)/(1<<20), time.Since(began))
	if pages > 4<<20 || !strings.Contains(string(text), "edit 249 by hand") {
		t.Errorf("they take %d bytes", pages)
	}
}
