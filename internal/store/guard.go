package store

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// A run's guard is two numbers beside its budget: what its calls have cost, and what calls under way may cost. They are
// kept with each call so that the check before sending is one conditional UPDATE, and are rebuilt from the calls when a run
// is claimed. Where money may be gone without a known amount, the estimate counts as spent.

// guardOf is what one call adds to its run's guard. guardSums is the same in SQL.
func guardOf(c callRow) (spent, reserved int64) {
	switch llm.CallState(c.State) {
	case llm.CallSent, llm.CallBanked:
		return 0, c.EstimateMicros
	case llm.CallUnknown:
		return c.EstimateMicros, 0
	case llm.CallUsable, llm.CallUnusable:
		if c.CostKind == "unknown" {
			return max(c.CostMicros, c.EstimateMicros), 0
		}
	case llm.CallFailed:
	}
	return c.CostMicros, 0
}

const guardSums = `SELECT
	CAST(COALESCE(SUM(CASE
		WHEN state IN ('sent', 'banked') THEN 0
		WHEN state = 'unknown' THEN estimate_micros
		WHEN state IN ('usable', 'unusable') AND cost_kind = 'unknown' AND estimate_micros > cost_micros THEN estimate_micros
		ELSE cost_micros END), 0) AS BIGINT),
	CAST(COALESCE(SUM(CASE WHEN state IN ('sent', 'banked') THEN estimate_micros ELSE 0 END), 0) AS BIGINT)
	FROM calls WHERE run_id = ?`

// reserve takes the estimate from the run's budget, or says why the call must not be sent.
func reserve(tx *gorm.DB, runID string, estimate int64) error {
	res := tx.Exec(`UPDATE runs SET guard_reserved = guard_reserved + ?
		WHERE id = ? AND state <> 'cancelled' AND wanted_state <> 'cancelled'
		AND (budget_micros = 0 OR guard_spent + guard_reserved + ? <= budget_micros)`, estimate, runID, estimate)
	if res.Error != nil || res.RowsAffected == 1 {
		return res.Error
	}
	row, err := findRun(tx, runID)
	if err != nil {
		return err
	}
	cancelled := string(experiments.Cancelled)
	if row.State == cancelled || row.WantedState == cancelled {
		return problem.New(problem.Conflict, "run_cancelled", "run %s was cancelled", row.ID).With("run", row.ID)
	}
	return problem.New(problem.Incomplete, "budget_spent", "the next call may cost %d micros, but only %d of the budget of %d are left for run %s",
		estimate, max(0, row.Budget-row.Spent-row.Reserved), row.Budget, row.ID).
		With("run", row.ID).With("budget_micros", row.Budget).With("estimate_micros", estimate).
		WithHint("start it again with a higher --budget; nothing that was answered is asked again")
}

// adjustGuard moves a run's guard from what the call added before to what it adds now.
func adjustGuard(tx *gorm.DB, before, now callRow) error {
	oldSpent, oldReserved := guardOf(before)
	spent, reserved := guardOf(now)
	if now.RunID == "" || spent == oldSpent && reserved == oldReserved {
		return nil
	}
	return tx.Exec("UPDATE runs SET guard_spent = guard_spent + ?, guard_reserved = guard_reserved + ? WHERE id = ?",
		spent-oldSpent, reserved-oldReserved, now.RunID).Error
}

// rebuildGuard computes a run's guard from its calls. The run's row is locked before the calls are summed, so that a call
// being booked at the same moment is either summed or adds itself afterwards.
func rebuildGuard(tx *gorm.DB, runID string) error {
	if _, err := lockRun(tx, runID, forUpdate); err != nil {
		if problem.Is(err, problem.NotFound) {
			return nil // deleted: only its bill is left
		}
		return err
	}
	var spent, reserved int64
	if err := tx.Raw(guardSums, runID).Row().Scan(&spent, &reserved); err != nil {
		return err
	}
	return tx.Exec("UPDATE runs SET guard_spent = ?, guard_reserved = ? WHERE id = ?", spent, reserved, runID).Error
}

// RecoverCalls takes over the calls that owners who are not alive left behind: sent ones become [llm.CallUnknown], possibly
// spent; banked ones lose their owner, so that Lookup finds them and their reply is parsed instead of bought again. It
// rebuilds the guards of their runs and returns how many calls it took over. alive is asked once for each owner.
func (s *Store) RecoverCalls(ctx context.Context, alive func(owner string) bool) (int, error) {
	open := []llm.CallState{llm.CallSent, llm.CallBanked}
	var owners, dead []string
	if err := s.read(ctx).Model(&callRow{}).Where("state IN ? AND owner <> ''", open).Distinct().Order("owner").Pluck("owner", &owners).Error; err != nil {
		return 0, wrap("find calls under way", err)
	}
	for _, owner := range owners {
		if !alive(owner) {
			dead = append(dead, owner)
		}
	}
	if len(dead) == 0 {
		return 0, nil
	}
	taken := 0
	err := s.write(ctx, "recover calls", func(tx *gorm.DB) error {
		var left []callRow
		err := tx.Clauses(forUpdate).Select("id", "run_id", "state").Where("state IN ? AND owner IN ?", open, dead).Order("id").Find(&left).Error
		if err != nil {
			return err
		}
		ids := map[llm.CallState][]string{}
		var runs []string
		for _, c := range left {
			ids[llm.CallState(c.State)] = append(ids[llm.CallState(c.State)], c.ID)
			if c.RunID != "" {
				runs = append(runs, c.RunID)
			}
		}
		if err := updateCalls(tx, ids[llm.CallSent], "state", llm.CallUnknown); err != nil {
			return err
		}
		if err := updateCalls(tx, ids[llm.CallBanked], "owner", ""); err != nil {
			return err
		}
		taken = len(left)
		return rebuildGuards(tx, runs)
	})
	return taken, err
}

// updateCalls sets one column of the calls with these ids: the locked rows, and no others.
func updateCalls(tx *gorm.DB, ids []string, column string, value any) error {
	for chunk := range slices.Chunk(ids, batchRows) {
		if err := tx.Model(&callRow{}).Where("id IN ?", chunk).Update(column, value).Error; err != nil {
			return err
		}
	}
	return nil
}

// rebuildGuards rebuilds the guards of several runs, in one order so that two rebuilders cannot wait for each other.
func rebuildGuards(tx *gorm.DB, runs []string) error {
	slices.Sort(runs)
	for _, id := range slices.Compact(runs) {
		if err := rebuildGuard(tx, id); err != nil {
			return err
		}
	}
	return nil
}
