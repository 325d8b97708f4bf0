package store

import (
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
)

// firstVersion opens the database with the tables of version 1.
func firstVersion(t *testing.T, d database) *Store { return olderVersion(t, d, 1) }

// olderVersion opens the database with the tables of this version.
func olderVersion(t *testing.T, d database, version int64) *Store {
	t.Helper()
	open := openSQLite
	if strings.Contains(d.dsn, "://") {
		open = openPostgres
	}
	s, err := open(t.Context(), d.dsn)
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	_, err = must[*goose.Provider](t)(migratorOf(s).provider()).UpTo(t.Context(), version)
	ok(t, err)
	return storeOf(s)
}

// TestUpgradeOfBills opens a database of version 1 with a sweep under way: its guards and bills are right afterwards.
func TestUpgradeOfBills(t *testing.T) {
	t.Parallel()
	onEachEmpty(t, func(t *testing.T, d database) {
		old := firstVersion(t, d)
		for id, run := range map[string]struct {
			sweep           string
			spent, reserved int64
		}{"sweep": {"", 0, 0}, "a": {"sweep", 20, 5}, "b": {"sweep", 300, 0}, "c": {"", 7, 0}} {
			ok(t, old.Read(t.Context()).Exec(`INSERT INTO runs (id, kind, parent_id, sweep_id, ordinal, params, setup, setup_digest, experiment, dataset, state, cause,
				owner, epoch, wanted_state, budget_micros, guard_spent, guard_reserved, created_at, totals, chain)
				VALUES (?, 'evaluate', '', ?, 0, 'null', '{}', ?, '', '', 'paused', '', '', 0, '', 0, ?, ?, ?, 'null', '')`,
				id, run.sweep, id, run.spent, run.reserved, at(0)).Error)
		}
		for _, c := range []struct {
			id, run, state string
			cost, estimate int64
		}{{"a1", "a", "usable", 20, 30}, {"a2", "a", "sent", 0, 5}, {"b1", "b", "unusable", 300, 1}, {"c1", "c", "usable", 7, 7},
			{"gone1", "gone", "usable", 9, 9}, {"x", "", "usable", 9, 9}} {
			ok(t, old.Read(t.Context()).Exec(`INSERT INTO calls (id, run_id, question_id, stage, purpose, provider, origin, model, cache_key, replicate, attempt, state, owner, sent_at,
				done_at, http_status, estimate_micros, cost_micros, cost_kind, prompt_tokens, completion_tokens, model_seen, reply_sha256, cause)
				VALUES (?, ?, '', '', '', '', '', '', ?, 0, 1, ?, '', ?, ?, 200, ?, ?, 'reported', 0, 0, '', '', '')`,
				c.id, c.run, c.id, c.state, at(1), at(2), c.estimate, c.cost).Error)
		}
		s := d.open(t, BackupDone)
		wantGuard(t, s, "sweep", 320, 5)
		wantGuard(t, s, "a", 20, 5)
		wantGuard(t, s, "b", 300, 0)
		wantGuard(t, s, "c", 7, 0)
		diff(t, experiments.Spending{Calls: 3, ConfirmedMicros: 320, PossibleMicros: 5, PossibleCalls: 1, Unusable: 1, Replies: 2},
			must[experiments.Spending](t)(s.Spent(t.Context(), "sweep")))
		bought(t, s, call("a3", "a", 10), 8)
		wantGuard(t, s, "sweep", 328, 5)
	})
}

// TestUpgradeSealsWhatIsThere opens a database from before there were seals, with a finished run and the call that it rests on: it has a
// root afterwards, and the root is that of the rows as they are.
func TestUpgradeSealsWhatIsThere(t *testing.T) {
	t.Parallel()
	onEachEmpty(t, func(t *testing.T, d database) {
		old := olderVersion(t, d, 11)
		do := func(query string, args ...any) { ok(t, old.Read(t.Context()).Exec(query, args...).Error) }
		do(`INSERT INTO runs (id, kind, parent_id, sweep_id, ordinal, params, setup, setup_digest, experiment, dataset, state, cause, owner, epoch, wanted_state,
			budget_micros, guard_spent, guard_reserved, created_at, totals, chain)
			VALUES ('r', 'evaluate', '', '', 0, 'null', '{}', 'd', '', '', 'finished', '', '', 0, '', 0, 7, 0, ?, '{}', '')`, at(0))
		do(`INSERT INTO answers (run_id, question_id, replicate, state, retrieval_key, generation_key, failure_cause, failure_message, latency_ms, created_at)
			VALUES ('r', 'q', 0, 'answered', '', 'g', '', '', 1, ?)`, at(1))
		do(`INSERT INTO stages (key, kind, body, calls) VALUES ('g', 'generate', ?, '["c"]')`, []byte("{}"))
		do(`INSERT INTO calls (id, run_id, question_id, stage, purpose, provider, origin, model, cache_key, replicate, attempt, state, owner, sent_at, done_at, http_status,
			estimate_micros, cost_micros, cost_kind, prompt_tokens, completion_tokens, model_seen, reply_sha256, cause)
			VALUES ('c', 'r', 'q', '', '', '', '', '', 'k', 0, 1, 'usable', '', ?, ?, 200, 7, 7, 'reported', 0, 0, '', '', '')`, at(0), at(1))
		s := d.open(t, BackupDone)
		var roots []seals.Row
		ok(t, s.Read(t.Context()).Where("kind = ?", integrity.Tree).Find(&roots).Error)
		row := must[records.RunRow](t)(records.FindRun(s.Read(t.Context()), "r"))
		root := must[integrity.Digest](t)(records.NewTrees(s.Read(t.Context())).Root(row))
		diff(t, []seals.Row{{Kind: integrity.Tree, Key: "r", Digest: root[:]}}, roots)
		for kind, want := range map[string]int64{"runs": 1, "runs_end": 1, "answers": 1, "stages": 1, "calls": 1} {
			var n int64
			ok(t, s.Read(t.Context()).Model(&seals.Row{}).Where("kind = ?", kind).Count(&n).Error)
			if n != want {
				t.Errorf("%d seals of %s, want %d", n, kind, want)
			}
		}
	})
}
