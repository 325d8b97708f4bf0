package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/resealtest"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// testKey is the key of a place that has marked nothing yet.
var testKey = Key{Secret: []byte("0123456789abcdef0123456789abcdef")}

// vouched is a store whose place has a key.
func vouched(t *testing.T, d database) *Store {
	t.Helper()
	s := d.open(t)
	identity, rows, err := s.Vouch(t.Context(), testKey, true)
	ok(t, err)
	if identity == "" || rows != 0 || s.Vouched.State != sqldb.Keyed {
		t.Fatalf("the database is %q with %d rows, and vouched for %+v", identity, rows, s.Vouched)
	}
	return s
}

// unmarked are the forgeries that nobody finds where the place has a key, by table and what was done, with the reason. Everything that the
// doctor leaves unfound without a key too stands in [unfound].
var unmarked = map[string]string{
	"stages.-":  "nothing names it, so it is computed again",
	"vectors.-": "it is computed again",
}

// TestForgeriesLackTheMark does what somebody does who may write the database and knows the program, but not the key that lies outside of
// it: every column of a row of every sealed table is changed, a row is taken away, put in a second time, and exchanged with another, and
// all is sealed anew, roots and tails of runs too. The doctor finds each, or a list says why not.
func TestForgeriesLackTheMark(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("forges every column of every table, one after the other")
	}
	onEach(t, func(t *testing.T, d database) {
		s := vouched(t, d)
		evidenced(t, s)
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(t.Context())))
		m := &mutating{t: t, s: s, tables: must[[]contents.Table](t)(s.tables(t.Context()))}
		done := map[string]bool{}
		for _, rule := range integrity.Rules {
			if !done[rule.Table] {
				done[rule.Table] = true
				m.forgeTable(rule)
			}
		}
		t.Logf("%d forgeries, %d found", m.tried, m.found)
	})
}

// forgeTable forges one row of a table in every way.
func (m *mutating) forgeTable(rule integrity.Rule) {
	table := contents.Quoted(rule.Table)
	rows := m.rows(rule.Table, quotedAll(rule.Key))
	where := rows[len(rows)/2]
	columns := m.columns(rule.Table)
	for _, c := range columns {
		if integrity.Open[rule.Table][c.Name] == "" && !(c.Name == "pooled") {
			m.forge(rule.Table, c.Name, "UPDATE "+table+" SET "+contents.Quoted(c.Name)+" = "+m.other(c)+" WHERE "+where)
		}
	}
	m.forge(rule.Table, "-", "DELETE FROM "+table+" WHERE "+where)
	var names, values []string
	for _, c := range columns {
		names = append(names, contents.Quoted(c.Name))
		value := contents.Quoted(c.Name)
		if c.Key || c.Name == "id" || c.Name == "seq" {
			value = m.other(c)
		}
		values = append(values, value)
	}
	m.forge(rule.Table, "+", "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") SELECT "+strings.Join(values, ", ")+" FROM "+table+
		" WHERE "+where)
	if len(rows) < 2 {
		return
	}
	with := rows[(len(rows)/2+1)%len(rows)]
	for _, c := range columns {
		if c.Key || slices.Contains(rule.Key, c.Name) || integrity.Open[rule.Table][c.Name] != "" {
			continue
		}
		name := contents.Quoted(c.Name)
		of := func(where string) string { return "(SELECT " + name + " FROM " + table + " WHERE " + where + ")" }
		m.forge(rule.Table, "exchanged "+c.Name, "UPDATE "+table+" SET "+name+" = CASE WHEN "+where+" THEN "+of(with)+" ELSE "+of(where)+
			" END WHERE ("+where+" OR "+with+") AND NOT ("+of(with)+" IS NOT DISTINCT FROM "+of(where)+")")
	}
}

func quotedAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = contents.Quoted(n)
	}
	return out
}

// forge does a statement, seals everything anew without the key, in a transaction that is undone, and expects the doctor to find it.
func (m *mutating) forge(table, what, statement string) {
	undone, refused := errors.New("undone"), false
	var found []doctor.Finding
	err := m.s.Orm.WithContext(m.t.Context()).Transaction(func(tx *gorm.DB) (err error) {
		m.free(tx)
		if res := tx.Exec(statement); res.Error != nil || res.RowsAffected == 0 {
			refused = true // the database does not take it, or nothing is other than before
			return undone
		}
		err = resealtest.Forge(tx, m.tables)
		if err == nil {
			found, err = doctor.Check(tx, m.s.Engine(), m.tables)
		}
		if err != nil { // who cannot go on is red too
			found = []doctor.Finding{{Message: err.Error()}}
		}
		return undone
	})
	if !errors.Is(err, undone) {
		m.t.Fatalf("%s: %v", statement, err)
	}
	if refused {
		return
	}
	m.tried++
	if len(found) > 0 {
		m.found++
	} else if key := table + "." + what; unmarked[key] == "" && unfound[key] == "" {
		m.t.Errorf("nobody finds, sealed anew: %s", statement)
	}
}

// TestTheTailOfAHistoryIsKept takes the last events of a run that is over away with their seals, and calls that nothing rests on with their
// price, and counts anew what can be counted.
func TestTheTailOfAHistoryIsKept(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := vouched(t, d), t.Context()
		evidenced(t, s)
		m := &mutating{t: t, s: s, tables: must[[]contents.Table](t)(s.tables(ctx))}
		var run string
		ok(t, s.Orm.Raw("SELECT run_id FROM events LIMIT 1").Row().Scan(&run))
		m.forge("events", "tail", fmt.Sprintf("DELETE FROM events WHERE run_id = '%s' AND seq >= 2", run))
		m.forge("audit_log", "all", "DELETE FROM audit_log")
		m.forge("judge_cards", "all", "DELETE FROM judge_cards")
		m.forge("reviews", "all", "DELETE FROM reviews")
		m.forge("agreements", "all", "DELETE FROM agreements")
		m.forge("baselines", "all", "DELETE FROM baselines")
		for _, kind := range integrity.Counted {
			found := m.after([]string{fmt.Sprintf("DELETE FROM install WHERE name = 'seals of %s'", kind)})
			if len(found) != 1 || found[0].Invariant != "mark" || found[0].Subject != kind {
				t.Errorf("the number of %s is taken away, and found are %v", kind, found)
			}
		}
	})
}

// TestAKeyIsTakenUp opens a database from before there was a key, one that was marked elsewhere, and one in the place of another.
func TestAKeyIsTakenUp(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		evidenced(t, s)
		state := func(key Key, writing bool, want sqldb.VouchedState) (identity string, rows int64) {
			t.Helper()
			other := d.open(t)
			identity, rows, err := other.Vouch(ctx, key, writing)
			ok(t, err)
			if other.Vouched.State != want {
				t.Errorf("the state is %v, want %v", other.Vouched.State, want)
			}
			if found := must[[]doctor.Finding](t)(other.Check(ctx)); len(found) > 0 {
				t.Errorf("found are %v", found)
			}
			return identity, rows
		}
		_ = must[[]byte](t)(s.InstallSecret(ctx))
		state(testKey, false, sqldb.Keyless)
		identity, rows := state(testKey, true, sqldb.Keyed)
		if all := must[int64](t)(s.Sealed(ctx)); rows != all || rows == 0 || must[int64](t)(s.Unmarked(ctx)) != 0 {
			t.Errorf("%d of %d rows were marked", rows, all)
		}
		known := testKey
		known.Marked = identity
		state(known, true, sqldb.Keyed)
		state(known, false, sqldb.Keyed)
		other := Key{Secret: []byte("another key of another place 012")}
		if s.Engine() == PostgreSQL {
			state(other, false, sqldb.Foreign)
			state(other, true, sqldb.Foreign)
			must[bool](t)(seals.Shared(s.Read(ctx)))
			state(known, true, sqldb.Keyed) // rows without a mark are told as a note
		}
		ok(t, s.Orm.Exec("UPDATE install SET value = ? WHERE name = 'secret'", []byte("x")).Error)
		state(known, true, sqldb.Replaced)
	})
}

// TestAKeyTakesUpMoreKinds opens a database that an older program has marked, which knew no seals of rows that change: whoever only reads
// accuses nobody, who writes marks them once, and what goes back to the former identity is another database.
func TestAKeyTakesUpMoreKinds(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := vouched(t, d), t.Context()
		evidenced(t, s)
		marks, _ := sqldb.MarkerOf(s.Orm).(*seals.Marks)
		hexed := func(id []byte) string { return hex.EncodeToString(id) }
		known := Key{Secret: testKey.Secret, Marked: hexed(marks.Former()), Rows: 3, Since: "2026-11-20"}
		as := func(identity []byte) {
			ok(t, s.Orm.Exec("UPDATE install SET value = ? WHERE name = 'seals'", identity).Error)
		}
		as(marks.Former())
		ok(t, s.Orm.Exec("UPDATE seals SET mark = NULL WHERE kind IN ?", integrity.Moving()).Error)
		for _, kind := range integrity.Moving() {
			ok(t, s.Orm.Exec("DELETE FROM install WHERE name = ?", "seals of "+kind).Error)
		}
		opened := func(key Key, writing bool) (*Store, string, int64) {
			t.Helper()
			other := d.open(t)
			identity, rows, err := other.Vouch(ctx, key, writing)
			ok(t, err)
			if found := must[[]doctor.Finding](t)(other.Check(ctx)); len(found) > 0 {
				t.Errorf("found are %v", found)
			}
			return other, identity, rows
		}
		if _, identity, _ := opened(known, false); identity != "" {
			t.Errorf("who reads remembers %q", identity)
		}
		other, identity, rows := opened(known, true)
		if identity != hexed(marks.Identity()) || rows != 3+18 || other.Vouched.Rows != rows || other.Vouched.Since != "" {
			t.Errorf("%q has %d rows, %+v", identity, rows, other.Vouched)
		}
		if n := must[int64](t)(other.Unmarked(ctx)); n != 0 {
			t.Errorf("%d seals have no mark", n)
		}
		if _, identity, rows := opened(known, true); identity != hexed(marks.Identity()) || rows != 3 { // one that shares the key
			t.Errorf("another place remembers %q with %d rows", identity, rows)
		}
		known.Marked = identity
		if _, identity, _ := opened(known, true); identity != "" {
			t.Errorf("remembered twice: %q", identity)
		}
		as(marks.Former())
		if other, _, _ := opened(known, true); other.Vouched.State != sqldb.Replaced {
			t.Errorf("what went back is %v", other.Vouched.State)
		}
	})
}
