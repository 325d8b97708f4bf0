package store

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// firstVersion opens the database with the tables of version 1.
func firstVersion(t *testing.T, d database) *Store {
	t.Helper()
	open, dialect := openSQLite, goose.DialectSQLite3
	if strings.Contains(d.dsn, "://") {
		open, dialect = openPostgres, goose.DialectPostgres
	}
	s, err := open(t.Context(), d.dsn)
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	folder, err := fs.Sub(migrations, "migrations/"+s.engine)
	ok(t, err)
	provider, err := goose.NewProvider(dialect, s.pool, folder, goose.WithDisableGlobalRegistry(true))
	ok(t, err)
	_, err = provider.UpTo(t.Context(), 1)
	ok(t, err)
	return s
}

// TestUpgradeOfBills opens a database of version 1 with a sweep under way: its guards and bills are right afterwards.
func TestUpgradeOfBills(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		old := firstVersion(t, d)
		for id, run := range map[string]struct {
			sweep           string
			spent, reserved int64
		}{"sweep": {"", 0, 0}, "a": {"sweep", 20, 5}, "b": {"sweep", 300, 0}, "c": {"", 7, 0}} {
			ok(t, old.read(t.Context()).Exec(`INSERT INTO runs (id, kind, parent_id, sweep_id, ordinal, params, setup, setup_digest, experiment, dataset, state, cause,
				owner, epoch, wanted_state, budget_micros, guard_spent, guard_reserved, created_at, totals, chain)
				VALUES (?, 'evaluate', '', ?, 0, 'null', '{}', ?, '', '', 'paused', '', '', 0, '', 0, ?, ?, ?, 'null', '')`,
				id, run.sweep, id, run.spent, run.reserved, at(0)).Error)
		}
		for _, c := range []struct {
			id, run, state string
			cost, estimate int64
		}{{"a1", "a", "usable", 20, 30}, {"a2", "a", "sent", 0, 5}, {"b1", "b", "unusable", 300, 1}, {"c1", "c", "usable", 7, 7}, {"gone1", "gone", "usable", 9, 9}, {"x", "", "usable", 9, 9}} {
			ok(t, old.read(t.Context()).Exec(`INSERT INTO calls (id, run_id, question_id, stage, purpose, provider, origin, model, cache_key, replicate, attempt, state, owner, sent_at,
				done_at, http_status, estimate_micros, cost_micros, cost_kind, prompt_tokens, completion_tokens, model_seen, reply_sha256, cause)
				VALUES (?, ?, '', '', '', '', '', '', ?, 0, 1, ?, '', ?, ?, 200, ?, ?, 'reported', 0, 0, '', '', '')`,
				c.id, c.run, c.id, c.state, at(1), at(2), c.estimate, c.cost).Error)
		}
		s := d.open(t, BackupDone)
		wantGuard(t, s, "sweep", 320, 5)
		wantGuard(t, s, "a", 20, 5)
		wantGuard(t, s, "b", 300, 0)
		wantGuard(t, s, "c", 7, 0)
		diff(t, experiments.Spending{Calls: 3, ConfirmedMicros: 320, PossibleMicros: 5, PossibleCalls: 1, Unusable: 1},
			must[experiments.Spending](t)(s.Spent(t.Context(), "sweep")))
		bought(t, s, call("a3", "a", 10), 8)
		wantGuard(t, s, "sweep", 328, 5)
	})
}
