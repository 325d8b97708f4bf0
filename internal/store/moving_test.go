package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pressly/goose/v3"
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/notebooks"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// change is something that the program does to rows which people and processes change.
type change struct {
	name  string
	keeps string // kinds of rows, of which it keeps what was there: it must not seal what somebody else wrote
	do    func(ctx context.Context, s *Store) error
}

// changes are all ways of the store to change such rows, one after the other, on what [movingRows] stores of two runs.
func changes(runs []string) []change {
	put := func(i int, paused bool) func(context.Context, *Store) error {
		return func(ctx context.Context, s *Store) error {
			return s.PutSchedule(ctx, experiments.Schedule{Name: fmt.Sprint("row ", i), Cron: "@hourly", Paused: paused, PausedWhy: "so",
				NextAt: at(50), CreatedAt: at(7)})
		}
	}
	pause := func(why string) func(context.Context, *Store) error {
		return func(ctx context.Context, s *Store) error {
			_, err := s.PauseSchedule(ctx, "row 0", why, at(70))
			return err
		}
	}
	claim := func(ctx context.Context, s *Store) error {
		_, err := s.ClaimSlots(ctx, "row 0", at(50), at(60), nil)
		return err
	}
	revoke := func(seconds int) func(context.Context, *Store) error {
		return func(ctx context.Context, s *Store) error {
			_, err := s.RevokeShare(ctx, "row 0", at(seconds))
			return err
		}
	}
	note := func(c experiments.NoteChange) func(context.Context, *Store) error {
		return func(ctx context.Context, s *Store) error {
			_, _, err := s.ChangeNotes(ctx, runs[0], c, "Ben", at(9))
			return err
		}
	}
	version := func(text string, seconds int) func(context.Context, *Store) error {
		return func(ctx context.Context, s *Store) error {
			_, _, err := s.PutVersion(ctx, "row 0", saved(text, "Ben", at(seconds)), []byte(text), nil)
			return err
		}
	}
	settle := func(by string, seconds int) func(context.Context, *Store) error {
		return func(ctx context.Context, s *Store) error {
			when := new(at(seconds))
			if by == "" {
				when = nil
			}
			_, err := s.SettleComment(ctx, "row 0", "comment 0", by, when)
			return err
		}
	}
	move := func(from, to string) func(context.Context, *Store) error {
		return func(ctx context.Context, s *Store) error { return s.MoveNotebook(ctx, from, to) }
	}
	const all = "schedules share_links notebook_versions notebook_comments run_notes run_tags"
	later := int(experiments.VersionsLast.Seconds()) + 100
	return []change{
		{"open a link", all, func(ctx context.Context, s *Store) error {
			_, _, err := s.OpenShare(ctx, "hash of row 0", "ja", at(20))
			return err
		}},
		{"pause a schedule", all, pause("so")},
		{"resume it", all, pause("")},
		{"keep a version", all, version("a", 10)},
		{"fold a version", all, version("b", 11)},
		{"name a version", all, func(ctx context.Context, s *Store) error {
			_, err := s.NameVersion(ctx, "row 0", 1, "first")
			return err
		}},
		{"lock a version", all, func(ctx context.Context, s *Store) error {
			return s.LockVersion(ctx, "row 0", 1, sumOf("lock"), []byte("lock"))
		}},
		{"settle a comment", all, settle("Ben", 12)},
		{"move comments", all, func(ctx context.Context, s *Store) error { return s.MoveComments(ctx, "row 0", "c", "d") }},
		{"add a tag", all, note(experiments.NoteChange{Add: []string{"new", "good"}})},
		{"move a notebook", all, move("row 0", "elsewhere")},
		{"move it back", all, move("elsewhere", "row 0")},
		{"open a comment again", "schedules share_links notebook_versions run_notes run_tags", settle("", 0)}, // as it was sealed first
		{"edit a schedule", "share_links", put(0, false)},
		{"claim its slot", "share_links", claim},
		{"claim it twice", "share_links", claim},
		{"add a schedule", "share_links", put(2, true)},
		{"remove a schedule", "share_links", func(ctx context.Context, s *Store) error { return s.RemoveSchedule(ctx, "row 1") }},
		{"change a note", "share_links", note(experiments.NoteChange{Note: new("other"), Remove: []string{"kept"}})},
		{"take a note away", "share_links", note(experiments.NoteChange{Note: new("")})},
		{"write it again", "share_links", note(experiments.NoteChange{Note: new("again")})},
		{"remove a comment", "share_links", func(ctx context.Context, s *Store) error {
			return s.ForgetComment(ctx, "row 0", "comment 1")
		}},
		{"move a notebook over another", "share_links", move("row 0", "row 1")},
		{"forget old versions", "share_links", version("c", later)},
		{"revoke a link", "", revoke(21)},
		{"revoke it twice", "", func(ctx context.Context, s *Store) error { _ = revoke(22)(ctx, s); return nil }},
		{"links expire", "", func(ctx context.Context, s *Store) error {
			return s.PrunePeople(ctx, at(1000), experiments.Retention{Done: 10, Refused: 10})
		}},
		{"share again", "", func(ctx context.Context, s *Store) error { return s.CreateShare(ctx, shared("third", runs[1])) }},
	}
}

// overRuns are the runs that are over.
func overRuns(t *testing.T, s *Store) (runs []string) {
	t.Helper()
	ok(t, s.Orm.Raw("SELECT id FROM runs WHERE state = 'finished' ORDER BY seq").Scan(&runs).Error)
	return runs
}

// TestSealsFollowEveryChange does all that the program does to rows which people and processes change, with a key and without one: the
// doctor finds nothing after any of it.
func TestSealsFollowEveryChange(t *testing.T) {
	t.Parallel()
	keyless := func(t *testing.T, d database) *Store { t.Helper(); return d.open(t) }
	for _, open := range []func(*testing.T, database) *Store{vouched, keyless} {
		onEach(t, func(t *testing.T, d database) {
			s := open(t, d)
			evidenced(t, s)
			for _, c := range changes(overRuns(t, s)) {
				if err := c.do(t.Context(), s); err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				if found := must[[]doctor.Finding](t)(s.Check(t.Context())); len(found) > 0 {
					t.Fatalf("%s: found are %v", c.name, found)
				}
			}
		})
	}
}

// TestARunTakesWhatStandsBesideItAway deletes a run with a link, a note and tags.
func TestARunTakesWhatStandsBesideItAway(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := vouched(t, d)
		first, second := twoRuns(t, s)
		movingRows(t, s, first, second)
		ok(t, s.DeleteRun(t.Context(), second))
		if found := must[[]doctor.Finding](t)(s.Check(t.Context())); len(found) > 0 {
			t.Errorf("found are %v", found)
		}
		var left int
		ok(t, s.Orm.Raw("SELECT COUNT(*) FROM seals WHERE kind IN ('share_links', 'run_notes', 'run_tags')").Row().Scan(&left))
		if left != 4 {
			t.Errorf("%d seals are left", left)
		}
	})
}

// TestNoChangeHidesAForgery changes each column of a row of each table whose rows change, by hand, seals it anew without the key or leaves
// its seal as it is, and then has the program change the row: nothing of that hides the forgery, until the row is put in anew as a whole or
// taken away.
func TestNoChangeHidesAForgery(t *testing.T) {
	t.Parallel()
	s := vouched(t, newSQLite(t))
	evidenced(t, s)
	runs := overRuns(t, s)
	m := &mutating{t: t, s: s, tables: must[[]contents.Table](t)(s.tables(t.Context()))}
	m.copied()
	done := 0
	for _, rule := range integrity.Rules {
		if !rule.Moving {
			continue
		}
		row := m.rows(rule.Table, quotedAll(rule.Key))[0]
		for _, c := range m.columns(rule.Table) {
			if c.Key || integrity.Open[rule.Table][c.Name] != "" {
				continue
			}
			statement := "UPDATE " + contents.Quoted(rule.Table) + " SET " + contents.Quoted(c.Name) + " = " + m.other(c) + " WHERE " + row
			for _, resealed := range []bool{false, true} {
				done++
				if !m.stays(rule, statement, resealed, changes(runs)) {
					t.Errorf("what the program changes hides (sealed anew: %v): %s", resealed, statement)
				}
			}
		}
	}
	t.Logf("%d forgeries", done)
}

// stays tells whether a forgery is found still after the program has changed rows of its kind.
func (m *mutating) stays(rule integrity.Rule, statement string, resealed bool, all []change) bool {
	t := m.t
	t.Helper()
	path, ctx := filepath.Join(t.TempDir(), "copy.db"), t.Context()
	ok(t, os.WriteFile(path, m.base, 0o600))
	s := must[*Store](t)(OpenCopy(ctx, path))
	defer func() { ok(t, s.Close()) }()
	ok(t, s.Orm.Exec(statement).Error)
	if resealed {
		ok(t, doctor.SealKinds(s.Orm, m.tables, rule.Kind))
	}
	_, _, err := s.Vouch(ctx, testKey, true)
	ok(t, err)
	for _, c := range all {
		if slices.Contains(strings.Fields(c.keeps), rule.Kind) {
			_ = c.do(ctx, s) // what was forged may not be readable
		}
	}
	return slices.ContainsFunc(must[[]doctor.Finding](t)(s.Check(ctx)), func(f doctor.Finding) bool {
		return strings.HasPrefix(f.Subject, rule.Kind+" ")
	})
}

// TestEverythingArrivesSealed reads an export of everything twice into another database of its own engine, with a key: notes and tags are
// sealed where they arrive, calls that belong to no run are counted once, and what was there stays as it is.
func TestEverythingArrivesSealed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		evidenced(t, s)
		for i := range 3 {
			bought(t, s, named(fmt.Sprint("alone", i), "", "", "judge", "judge.claims", "j"), 7)
		}
		files := map[string]*bytes.Buffer{}
		must[[]string](t)(s.ExportEverything(ctx, func(table string) (io.Writer, error) {
			files[table] = &bytes.Buffer{}
			return files[table], nil
		}))
		to := newSQLite(t)
		if s.Engine() == PostgreSQL {
			to = newPostgres(t)
		}
		target := vouched(t, to)
		for range 2 {
			ok(t, target.ImportRuns(ctx, func(table string) (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(files[table].Bytes())), nil
			}))
			if found := must[[]doctor.Finding](t)(target.Check(ctx)); len(found) > 0 {
				t.Fatalf("found are %v", found)
			}
		}
		marks, _ := sqldb.MarkerOf(target.Orm).(*seals.Marks)
		var own int64
		ok(t, target.Orm.Raw("SELECT COUNT(*) FROM calls WHERE run_id = ''").Row().Scan(&own))
		if n, whole, err := marks.Counted(target.Orm, seals.Alone); err != nil || !whole || n != own || own < 3 {
			t.Errorf("%d calls of no run are counted of %d, %v, %v", n, own, whole, err)
		}
		var notes int
		ok(t, target.Orm.Raw("SELECT COUNT(*) FROM seals WHERE kind IN ('run_notes', 'run_tags')").Row().Scan(&notes))
		if notes != 2+4 {
			t.Errorf("%d notes and tags are sealed", notes)
		}
	})
}

// TestACallOfNoRunIsMissed takes a call that belongs to no run away with its seal, after several hands and processes booked some,
// one of them twice.
func TestACallOfNoRunIsMissed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := vouched(t, d), t.Context()
		var hands sync.WaitGroup
		for hand := range 4 {
			hands.Go(func() {
				for i := range 5 {
					bought(t, s, named(fmt.Sprintf("alone%d%d", hand, i), "", "", "judge", "judge.claims", "j"), 7)
				}
			})
		}
		hands.Wait()
		_ = s.Begin(ctx, named("alone00", "", "", "judge", "judge.claims", "j")) // is there already
		other := vouchedAgain(t, d)
		bought(t, other, named("of another process", "", "", "judge", "judge.claims", "j"), 7)
		bought(t, s, named("last", "", "", "judge", "judge.claims", "j"), 7)
		if found := must[[]doctor.Finding](t)(s.Check(ctx)); len(found) > 0 {
			t.Fatalf("found are %v", found)
		}
		ok(t, s.Orm.Exec("DELETE FROM cache WHERE call_id = 'alone00'").Error)
		ok(t, s.Orm.Exec("DELETE FROM calls WHERE id = 'alone00'").Error)
		ok(t, s.Orm.Exec("DELETE FROM seals WHERE kind = 'calls' AND key = 'alone00'").Error)
		found := must[[]doctor.Finding](t)(s.Check(ctx))
		if len(found) != 1 || found[0].Invariant != "mark" || found[0].Subject != seals.Alone ||
			!strings.Contains(found[0].Message, "21 of this kind, but 22") {
			t.Errorf("found are %v", found)
		}
	})
}

// vouchedAgain is another process on a database that is vouched for.
func vouchedAgain(t *testing.T, d database) *Store {
	t.Helper()
	s := d.open(t)
	_, _, err := s.Vouch(t.Context(), testKey, true)
	ok(t, err)
	return s
}

// TestForgedRowsAreMended does what the doctor advises where somebody changed a row: it is quiet afterwards.
func TestForgedRowsAreMended(t *testing.T) {
	t.Parallel()
	advised := map[string]func(ctx context.Context, s *Store, runs []string) error{
		"UPDATE schedules SET body = '{}' WHERE name = 'row 0'": func(ctx context.Context, s *Store, _ []string) error {
			return s.PutSchedule(ctx, experiments.Schedule{Name: "row 0", Cron: "@daily", NextAt: at(5), CreatedAt: at(5)})
		},
		"UPDATE share_links SET title = 'x' WHERE id = 'row 0'": func(ctx context.Context, s *Store, _ []string) error {
			_, err := s.RevokeShare(ctx, "row 0", at(11))
			return err
		},
		"UPDATE notebook_comments SET text = 'x' WHERE notebook = 'row 0' AND id = 'comment 1'": func(ctx context.Context, s *Store,
			_ []string) error {
			return s.ForgetComment(ctx, "row 0", "comment 1")
		},
		"UPDATE run_notes SET note = 'x' WHERE note = 'row 0'": func(ctx context.Context, s *Store, runs []string) error {
			_, _, err := s.ChangeNotes(ctx, runs[0], experiments.NoteChange{Note: new("again")}, "Ben", at(11))
			return err
		},
		"UPDATE run_tags SET made_by = 'x' WHERE tag = 'good'": func(ctx context.Context, s *Store, runs []string) error {
			for _, run := range runs {
				_, _, err := s.ChangeNotes(ctx, run, experiments.NoteChange{Remove: []string{"good"}}, "Ben", at(11))
				_, _, again := s.ChangeNotes(ctx, run, experiments.NoteChange{Add: []string{"good"}}, "Ben", at(11))
				if err := errors.Join(err, again); err != nil {
					return err
				}
			}
			return nil
		},
	}
	onEach(t, func(t *testing.T, d database) {
		s := vouched(t, d)
		evidenced(t, s)
		for statement, mend := range advised {
			ok(t, s.Orm.Exec(statement).Error)
			if found := must[[]doctor.Finding](t)(s.Check(t.Context())); len(found) == 0 {
				t.Errorf("nobody finds: %s", statement)
			}
			ok(t, mend(t.Context(), s, overRuns(t, s)))
			if found := must[[]doctor.Finding](t)(s.Check(t.Context())); len(found) > 0 {
				t.Errorf("%s: found are %v", statement, found)
			}
		}
	})
}

// TestAPlaceWithoutTheKeyChangesRows has a place without the key of a PostgreSQL database do all changes, on rows that the key has marked:
// the place with the key accuses nobody, and goes on from there.
func TestAPlaceWithoutTheKeyChangesRows(t *testing.T) {
	t.Parallel()
	d, ctx := newPostgres(t), t.Context()
	s := vouched(t, d)
	evidenced(t, s)
	other := d.open(t)
	_, _, err := other.Vouch(ctx, Key{Secret: []byte("another key of another place 012")}, true)
	ok(t, err)
	endpoint := filled1[remote.Endpoint]()
	endpoint.Name = "there"
	endpoint.URL += "x"
	_, changed, err := other.PutEndpoint(ctx, endpoint, at(1))
	if err != nil || !changed {
		t.Errorf("the endpoint was changed: %v, %v", changed, err)
	}
	for i, c := range changes(overRuns(t, s)) {
		by := []*Store{other, vouchedAgain(t, d)}[i%2]
		if err := c.do(ctx, by); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if found := must[[]doctor.Finding](t)(vouchedAgain(t, d).Check(ctx)); len(found) > 0 {
			t.Fatalf("%s: found are %v", c.name, found)
		}
	}
}

// TestRowsOfBeforeAreSealed brings a database up to date that holds such rows without seals, takes it to the other engine as a backup does,
// and changes a row there.
func TestRowsOfBeforeAreSealed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		evidenced(t, s)
		ok(t, s.Orm.Exec("DELETE FROM seals WHERE kind IN ?", integrity.Moving()).Error)
		ok(t, s.Orm.Exec("DELETE FROM goose_db_version WHERE version_id = ?", moving).Error)
		if found := must[[]doctor.Finding](t)(s.Check(ctx)); len(found) != 18 {
			t.Errorf("without seals, found are %d", len(found))
		}
		_, err := must[*goose.Provider](t)(migratorOf(s.DB).provider()).ApplyVersion(ctx, moving, true)
		ok(t, err)
		path, held := filepath.Join(t.TempDir(), "copy.db"), filepath.Join(t.TempDir(), "held.db")
		must[Contents](t)(s.Copy(ctx, path))
		must[Contents](t)(s.Copy(ctx, held))
		there := must[*Store](t)(OpenCopy(ctx, held))
		t.Cleanup(func() { _ = there.Close() })
		all := []*Store{s, there}
		if os.Getenv(pgtest.Address) != "" {
			to := newPostgres(t).open(t)
			must[Contents](t)(to.Fill(ctx, path))
			all = append(all, to)
		}
		for _, one := range all {
			clean := func() { diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(one.Check(ctx))) }
			clean()
			for _, c := range changes(overRuns(t, one))[:10] {
				ok(t, c.do(ctx, one))
			}
			clean()
		}
	})
}

// TestManyRowsMoveAtOnce renames a notebook with as many versions as one keeps, and deletes them over another.
func TestManyRowsMoveAtOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := vouched(t, d), t.Context()
		text := []byte("text")
		ok(t, s.Orm.Create(&notebooks.NotebookTextRow{Notebook: "a", Digest: sumOf("text"),
			Body: must[[]byte](t)(notebooks.Deflated(text, nil))}).Error)
		var rows []notebooks.NotebookVersionRow
		for i := range experiments.MostVersions {
			v := experiments.NotebookVersion{Number: i + 1, Digest: sumOf("text"), At: at(i), ChangedAt: at(i)}
			row, err := notebooks.ToNotebookVersion("a", v)
			ok(t, err)
			rows = append(rows, row)
		}
		ok(t, s.Write(ctx, "fill", func(tx *gorm.DB) error { return sqldb.Insert(tx, rows) }))
		ok(t, s.MoveNotebook(ctx, "a", "b"))
		if list := must[[]experiments.NotebookVersion](t)(s.Versions(ctx, "b")); len(list) == 0 {
			t.Error("nothing has moved")
		}
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(ctx)))
		ok(t, s.MoveNotebook(ctx, "nothing", "b"))
		var left int
		ok(t, s.Orm.Raw("SELECT COUNT(*) FROM seals").Row().Scan(&left))
		if left != 0 {
			t.Errorf("%d seals are left", left)
		}
	})
}

// TestSealedRowsAreChangedOneWay has gorm change such rows past their seals: it refuses.
func TestSealedRowsAreChangedOneWay(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		first, second := twoRuns(t, s)
		movingRows(t, s, first, second)
		for row, column := range map[any]string{
			&records.NoteRow{}: "note", &records.TagRow{}: "made_by", &notebooks.NotebookVersionRow{}: "origin",
		} {
			past := s.Orm.WithContext(t.Context()).Session(&gorm.Session{AllowGlobalUpdate: true})
			for what, err := range map[string]error{
				"updates": past.Model(row).Update(column, "x").Error, "deletes": past.Delete(row).Error,
				"saves": past.Model(row).Updates(row).Error,
			} {
				if err == nil || !strings.Contains(err.Error(), "sealed") {
					t.Errorf("%s %T: %v", what, row, err)
				}
			}
		}
		if found := must[[]doctor.Finding](t)(s.Check(t.Context())); len(found) > 0 {
			t.Errorf("found are %v", found)
		}
	})
}
