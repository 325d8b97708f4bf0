package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// TestARowTakenWithItsSealIsFound takes every sealed row away together with its seal: the doctor finds it by what else tells of it, or
// [doctor.Unattested] says that nothing does.
func TestARowTakenWithItsSealIsFound(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		evidenced(t, s)
		m := &mutating{t: t, s: s, tables: must[[]contents.Table](t)(s.tables(t.Context()))}
		found, missed := map[string]int{}, map[string]int{}
		for _, rule := range integrity.Rules {
			for _, where := range m.rows(rule.Table, rule.Key) {
				if len(m.taken(rule, where)) > 0 {
					found[rule.Kind]++
				} else {
					missed[rule.Kind]++
				}
			}
			if missed[rule.Kind] > 0 && doctor.Unattested[rule.Kind] == "" {
				t.Errorf("%d rows of %s can be taken away with their seals, and nobody tells", missed[rule.Kind], rule.Kind)
			}
		}
		for kind := range doctor.Unattested {
			if found[kind]+missed[kind] == 0 {
				t.Errorf("%s is excused, and there is none", kind)
			}
		}
		t.Logf("found: %v; missed: %v", found, missed)
	})
}

// taken takes a row away with its seals, in a transaction that is undone, and returns what the doctor finds.
func (m *mutating) taken(rule integrity.Rule, where string) (found []doctor.Finding) {
	undone := errors.New("undone")
	err := m.s.Orm.WithContext(m.t.Context()).Transaction(func(tx *gorm.DB) error {
		m.free(tx)
		before := m.keys(tx, rule.Table)
		ok(m.t, tx.Exec("DELETE FROM "+contents.Quoted(rule.Table)+" WHERE "+where).Error)
		after := m.keys(tx, rule.Table)
		for key := range before {
			if !after[key] {
				for _, r := range integrity.Of(rule.Table) {
					ok(m.t, tx.Exec("DELETE FROM seals WHERE kind = ? AND key = ?", r.Kind, key).Error)
				}
			}
		}
		found = must[[]doctor.Finding](m.t)(doctor.Check(tx, m.s.Engine(), m.tables))
		return undone
	})
	if !errors.Is(err, undone) {
		m.t.Fatal(err)
	}
	return found
}

// free lets a transaction take rows that others point at, as in a file that somebody edits.
func (m *mutating) free(tx *gorm.DB) {
	statement := "PRAGMA defer_foreign_keys = ON"
	if m.s.Engine() == PostgreSQL {
		statement = "SET LOCAL session_replication_role = replica"
	}
	ok(m.t, tx.Exec(statement).Error)
}

// keys are the keys of the seals of a table's rows.
func (m *mutating) keys(tx *gorm.DB, table string) map[string]bool {
	rule := integrity.Of(table)[0]
	i := slices.IndexFunc(m.tables, func(t contents.Table) bool { return t.Name == table })
	of, out := contents.Table{Name: table}, map[string]bool{}
	for _, key := range rule.Key {
		k := slices.IndexFunc(m.tables[i].Columns, func(c contents.Column) bool { return c.Name == key })
		of.Columns = append(of.Columns, m.tables[i].Columns[k])
	}
	ok(m.t, contents.EachRow(m.t.Context(), tx.Statement.ConnPool, of, func(values []any) error {
		out[integrity.KeyOf(values...)] = true
		return nil
	}))
	return out
}

// TestWhatIsNamedAndTakenIsFound takes away rows with all that is below them and all seals, as somebody does who knows the tables: what
// names them is left. The same rows, deleted by the program, are no finding.
func TestWhatIsNamedAndTakenIsFound(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		evidenced(t, s)
		parent, err := s.CreateRun(ctx, experiments.Run{Kind: experiments.KindSweep, Setup: setup("sweep"), CreatedAt: at(0)}, nil)
		ok(t, err)
		sweep := parent.ID
		members := []string{created(t, s, experiments.Run{SweepID: sweep}, "one"), created(t, s, experiments.Run{SweepID: sweep}, "two")}
		again := []string{created(t, s, experiments.Run{}, "again"), created(t, s, experiments.Run{}, "again")}
		fired := created(t, s, experiments.Run{}, "fired")
		stocked(t, s)
		for _, id := range slices.Concat(members, again, []string{fired}) {
			over(t, s, id)
		}
		_, err = s.ClaimRun(ctx, sweep, "me", at(5), at(0))
		ok(t, err)
		chains := make([]experiments.Run, len(members))
		for i, id := range members {
			chains[i] = must[experiments.Run](t)(s.Run(ctx, id))
		}
		ok(t, s.FinishRun(ctx, sweep, "me", experiments.Totals{}, experiments.SweepChain(chains), at(6)))
		for _, text := range []string{"a", "b", "c"} {
			_, _, err := s.PutCorpus(ctx, rag.NewCorpus("spare", []rag.Document{{ID: "d", Text: text}}), at(0))
			ok(t, err)
		}
		fire := timetable.NewFire("s", at(0), experiments.FireRan)
		fire.RunID = fired
		must[bool](t)(s.AddFire(ctx, fire))
		bought(t, s, call("paid", again[1], 5), 5)
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(ctx)))

		m := &mutating{t: t, s: s, tables: must[[]contents.Table](t)(s.tables(ctx))}
		run := func(id string) []string {
			var out []string
			for _, table := range []string{"results", "grounds", "cells", "answers", "events"} {
				out = append(out, fmt.Sprintf("DELETE FROM %s WHERE run_id = '%s'", table, id))
			}
			out = append(out, fmt.Sprintf("DELETE FROM runs WHERE id = '%s'", id))
			return append(out, fmt.Sprintf(`DELETE FROM seals WHERE kind IN ('cells', 'answers', 'events', 'runs', 'runs_end', 'runs_seq', 'tree', 'tail')
				AND key LIKE '%s%%'`, id))
		}
		for _, c := range []struct {
			name, invariant, subject string
			statements               []string
		}{
			{"a run that something was bought for", "gone", "run " + again[1], run(again[1])},
			{"a run that an equal one came after", "gone", "run " + again[0], run(again[0])},
			{"a run of a sweep", "gone", "sweep " + sweep, run(members[0])},
			{"the run of a fire", "gone", "run " + fired, run(fired)},
			{"a version below another", "gone", "corpus spare@2", []string{
				"DELETE FROM documents WHERE corpus = 'spare' AND version = 2", "DELETE FROM corpora WHERE name = 'spare' AND version = 2",
				"DELETE FROM seals WHERE kind IN ('corpora', 'documents') AND key LIKE 'spare" + "\x1f" + "2%'",
			}},
			{"a mark by hand", "gone", "gone runs/" + again[0],
				[]string{"INSERT INTO seals (kind, key, digest) SELECT 'gone', 'runs\x1f" + again[0] + "', digest FROM seals LIMIT 1"}},
		} {
			found := m.after(c.statements)
			if len(found) != 1 || found[0].Invariant != c.invariant || found[0].Subject != c.subject {
				t.Errorf("%s: found are %+v, want %s about %s", c.name, found, c.invariant, c.subject)
			}
		}
		for _, id := range []string{again[1], again[0], members[0], fired} {
			ok(t, s.DeleteRun(ctx, id))
			diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(ctx)))
		}
		created(t, s, experiments.Run{}, "again")
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(ctx)))
	})
}

// after is what the doctor finds after statements that are undone.
func (m *mutating) after(statements []string) (found []doctor.Finding) {
	undone := errors.New("undone")
	err := m.s.Orm.WithContext(m.t.Context()).Transaction(func(tx *gorm.DB) error {
		m.free(tx)
		for _, statement := range statements {
			ok(m.t, tx.Exec(statement).Error)
		}
		found = must[[]doctor.Finding](m.t)(doctor.Check(tx, m.s.Engine(), m.tables))
		return undone
	})
	if !errors.Is(err, undone) {
		m.t.Fatal(err)
	}
	return found
}

// TestGapsOfBeforeAreNoFinding takes a run away as an older program did, which kept nothing of it, and brings the tables up to date; and
// reads a study that leaves out what its rows name.
func TestGapsOfBeforeAreNoFinding(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		evidenced(t, s)
		again := []string{created(t, s, experiments.Run{}, "again"), created(t, s, experiments.Run{}, "again")}
		stocked(t, s)
		themes := experiments.Run{Kind: experiments.KindQuestions, Setup: setup("again"), CreatedAt: at(0)}
		themes.Setup.Experiment, themes.Setup.Revision, themes.Setup.Analysis = "themes-set", 1, nil // of no experiment
		must[experiments.Run](t)(s.CreateRun(ctx, themes, nil))
		bought(t, s, call("paid", again[0], 5), 5)
		ok(t, s.DeleteRun(ctx, again[0]))
		ok(t, s.Orm.Exec("DELETE FROM seals WHERE kind = 'gone'").Error)
		found := must[[]doctor.Finding](t)(s.Check(ctx))
		if len(found) != 1 || !strings.Contains(found[0].Subject, again[0]) {
			t.Fatalf("found are %v", found)
		}
		ok(t, s.Orm.Transaction(func(tx *gorm.DB) error { return doctor.KeepAbsent(tx, nil) }))
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(ctx)))
		before := must[map[string]bool](t)(doctor.Absent(s.Read(ctx)))
		diff(t, []string{"runs\x1f" + again[0]}, slices.Collect(maps.Keys(before)))
	})
}
