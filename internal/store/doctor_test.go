package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// TestCheck breaks one thing at a time in a sound database, and expects that finding and no other. FIRST and SECOND stand for
// the ids of its runs.
func TestCheck(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		first, second := twoRuns(t, s)
		over(t, s, first)
		for i := range 3 {
			_, err := s.AppendEvent(t.Context(), experiments.Event{RunID: first, Kind: experiments.EventProgress, At: at(i)})
			ok(t, err)
		}
		ok(t, s.Begin(t.Context(), call("loose", "", 5)))
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(stocked(t, s).Check(t.Context())))
		names := strings.NewReplacer("FIRST", first, "SECOND", second)
		tables := must[[]contents.Table](t)(s.tables(t.Context()))
		for _, c := range []struct {
			name, invariant, subject, message string
			statements                        []string
		}{
			{"no such state", "V1", "call loose", `"lost"`, []string{"UPDATE calls SET state = 'lost' WHERE id = 'loose'"}},
			{"usable without a reply", "V1", "call loose", "no reply was banked",
				[]string{"UPDATE calls SET state = 'usable' WHERE id = 'loose'"}},
			{"reply changed", "V1", "call judge1", "not the one", []string{"UPDATE calls SET reply = request WHERE id = 'judge1'"}},
			{"cost before its end", "V1", "call loose", "cost already", []string{"UPDATE calls SET cost_micros = 1 WHERE id = 'loose'"}},
			{"negative", "V1", "call loose", "negative", []string{"UPDATE calls SET estimate_micros = -1 WHERE id = 'loose'"}},
			{"score without stage", "V2", "cell FIRST/q1/trust", "stage v does not exist", []string{"DELETE FROM stages WHERE key = 'v'"}},
			{"score from an unusable call", "V2", "cell FIRST/q1/trust", "judge2", []string{
				"DELETE FROM cache WHERE call_id = 'judge2'", "UPDATE calls SET state = 'unusable' WHERE id = 'judge2'",
			}},
			{"score from no call", "V2", "cell FIRST/q1/trust", "not in the ledger",
				[]string{"UPDATE stages SET calls = '[\"judge1\",\"gone\"]' WHERE key = 'v'"}},
			{"guard", "V3", "run FIRST", "sum up to", []string{"UPDATE runs SET guard_reserved = guard_reserved + 1 WHERE id = 'FIRST'"}},
			{"guard of calls", "V3", "run FIRST", "sum up to", []string{"UPDATE runs SET guard_calls = 0 WHERE id = 'FIRST'"}},
			{"totals", "V4", "run FIRST", "stored totals", []string{`UPDATE runs SET totals = '{"questions":9}' WHERE id = 'FIRST'`}},
			{"reason changed", "V5", "run FIRST", "chain",
				[]string{"UPDATE cells SET reason = 'since then' WHERE run_id = 'FIRST' AND metric = 'trust'"}},
			{"written twice", "V6", "cell FIRST/q1/trust", "2 times",
				[]string{"UPDATE cells SET writes = 2 WHERE run_id = 'FIRST' AND question_id = 'q1' AND metric = 'trust'"}},
			{"a run of two slots", "V8", "run FIRST", "2 fires", []string{
				"INSERT INTO fires (id, schedule, nominal_at, state, worker, cancel, run_id, body) VALUES ('f1', 's', '2026-03-02 06:00:00+00:00', 'ran', '', FALSE, 'FIRST', '{}'), ('f2', 's', '2026-03-09 06:00:00+00:00', 'ran', '', FALSE, 'FIRST', '{}')",
			}},
			{"a fire without its run", "V8", "fire f1", "does not exist", []string{
				"INSERT INTO fires (id, schedule, nominal_at, state, worker, cancel, run_id, body) VALUES ('f1', 's', '2026-03-02 06:00:00+00:00', 'running', 'a', FALSE, 'gone', '{}')",
			}},
			{"cache of another request", "V9", "cache key of judge1", "another request",
				[]string{"UPDATE cache SET call_id = 'judge2' WHERE call_id = 'judge1'"}},
			{"cache of a pruned call", "V9", "cache key of judge1", "no reply",
				[]string{"UPDATE calls SET pruned = TRUE, reply = NULL WHERE id = 'judge1'"}},
			{"nobody's run", "V10", "run SECOND", "nobody holds it", []string{"UPDATE runs SET state = 'running' WHERE id = 'SECOND'"}},
			{"run of the future", "V10", "run SECOND", "nobody can take it over", []string{
				"UPDATE runs SET state = 'running', owner = 'me', heartbeat_at = '2999-01-01 00:00:00+00:00' WHERE id = 'SECOND'",
			}},
			{"gap", "events", "run FIRST", "2 events, numbered from 1 to 3",
				[]string{"DELETE FROM events WHERE run_id = 'FIRST' AND seq = 2"}},
		} {
			var found []doctor.Finding
			undone := errors.New("undone")
			err := s.Orm.Transaction(func(tx *gorm.DB) (err error) {
				for _, statement := range c.statements {
					if err := tx.Exec(names.Replace(statement)).Error; err != nil {
						return err
					}
				}
				if found, err = doctor.Check(tx, s.Engine(), tables); err != nil {
					return err
				}
				return undone
			})
			if !errors.Is(err, undone) {
				t.Errorf("%s: %v", c.name, err)
			}
			found = slices.DeleteFunc(found, func(f doctor.Finding) bool {
				return slices.Contains([]string{"seal", "tree", "tail", "copy", "body"}, f.Invariant)
			}) // tested by mutations
			if len(found) != 1 || found[0].Invariant != c.invariant || found[0].Subject != names.Replace(c.subject) ||
				!strings.Contains(found[0].Message, c.message) {
				t.Errorf("%s: found are %+v; want %s about %q: %q", c.name, found, c.invariant, names.Replace(c.subject), c.message)
			}
		}
	})
}

// TestCheckMissesNothingOfAForeignSweep books a call to another sweep than its run's.
func TestCheckMissesNothingOfAForeignSweep(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		sweep := created(t, s, experiments.Run{Kind: experiments.KindSweep}, "sweep")
		run := created(t, s, experiments.Run{SweepID: sweep}, "member")
		bought(t, s, call("c", run, 5), 5)
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(stocked(t, s).Check(ctx)))
		ok(t, s.Read(ctx).Exec("UPDATE calls SET sweep_id = '' WHERE id = 'c'").Error)
		var subjects []string
		for _, f := range must[[]doctor.Finding](t)(stocked(t, s).Check(ctx)) {
			subjects = append(subjects, f.Invariant+" "+f.Subject)
		}
		diff(t, []string{"V3 run " + sweep, "V3 call c", "seal calls c"}, subjects)
	})
}
