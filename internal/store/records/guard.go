package records

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A run's guard is three numbers beside its budget: what its calls have cost, what calls under way may cost, and how many
// calls there are. They are kept with each call so that the check before sending is one conditional UPDATE, and are rebuilt
// from the calls when a run is claimed. Where money may be gone without a known amount, the estimate counts as spent. A
// sweep's guard covers its own calls and those of all its runs; it is always changed before that of the run.

// guarded is what a call adds to guards.
type guarded struct {
	run, sweep, state, costKind string
	estimate, cost              int64
}

// sums is what the call adds to its run's guard. guardSums is the same in SQL.
func (c guarded) sums() (spent, reserved int64) {
	switch llm.CallState(c.state) {
	case llm.CallSent, llm.CallBanked:
		return 0, c.estimate
	case llm.CallUnknown:
		return c.estimate, 0
	case llm.CallUsable, llm.CallUnusable:
		if c.costKind == "unknown" {
			return max(c.cost, c.estimate), 0
		}
	case llm.CallFailed:
	}
	return c.cost, 0
}

// guardSums sums the guard of a run, or of a sweep, from the calls. It takes the id twice.
const guardSums = `SELECT
	CAST(COALESCE(SUM(CASE
		WHEN state IN ('sent', 'banked') THEN 0
		WHEN state = 'unknown' THEN estimate_micros
		WHEN state IN ('usable', 'unusable') AND cost_kind = 'unknown' AND estimate_micros > cost_micros THEN estimate_micros
		ELSE cost_micros END), 0) AS BIGINT),
	CAST(COALESCE(SUM(CASE WHEN state IN ('sent', 'banked') THEN estimate_micros ELSE 0 END), 0) AS BIGINT),
	COUNT(*)
	FROM calls WHERE ` + OfRun

// OfRun selects the calls of a run, or of a sweep and its runs. It takes the id twice.
const OfRun = "(run_id = ? OR sweep_id = ? AND sweep_id <> '')"

// GuardNumbers are the three numbers as they are kept, or summed.
type GuardNumbers struct {
	Spent, Reserved int64
	Calls           int
}

// SumGuard sums the guard from the calls.
func SumGuard(tx *gorm.DB, id string) (g GuardNumbers, err error) {
	err = tx.Raw(guardSums, id, id).Row().Scan(&g.Spent, &g.Reserved, &g.Calls)
	return g, err
}

const (
	reserveCall = `UPDATE runs SET guard_reserved = guard_reserved + ?, guard_calls = guard_calls + 1
		WHERE id = ? AND state <> 'cancelled' AND wanted_state <> 'cancelled'
		AND (budget_calls = 0 OR guard_calls < budget_calls)
		AND (budget_micros = 0 OR ? AND guard_spent + guard_reserved + ? <= budget_micros) RETURNING state`

	moveGuard = "UPDATE runs SET guard_spent = guard_spent + ?, guard_reserved = guard_reserved + ? WHERE id = ? RETURNING state"
)

// reserve takes the call from the budgets of its run and its run's sweep, or says why the call must not be sent. It returns
// the sweep.
func reserve(tx sqldb.Statements, c llm.Call) (sweep string, err error) {
	found, err := tx.Row([]any{&sweep}, "SELECT sweep_id FROM runs WHERE id = ?", c.RunID)
	if err != nil {
		return "", err
	}
	if !found {
		return "", NoRun(c.RunID)
	}
	priced := c.CostKind == "estimated" || c.CostKind == "reported"
	for _, id := range []string{sweep, c.RunID} {
		if id == "" {
			continue
		}
		found, err := guard(tx, id, reserveCall, c.EstimateMicros, id, priced, c.EstimateMicros)
		if err != nil {
			return "", err
		}
		if !found {
			return "", whyRefused(tx, id, c, priced)
		}
	}
	return sweep, nil
}

// guard changes the guard of a run by a statement that returns its state. Of a run that is over the tail moves with it.
func guard(tx sqldb.Statements, id, statement string, args ...any) (found bool, err error) {
	var state string
	if found, err = tx.Row([]any{&state}, statement, args...); err != nil || !found || !Ended(experiments.RunState(state)) {
		return found, err
	}
	return true, moveTail(tx, id)
}

// whyRefused is the Problem of a call that the guard of a run or sweep did not let through.
func whyRefused(tx sqldb.Statements, id string, c llm.Call, priced bool) error {
	var state, wanted, kind string
	var b experiments.Budget
	var g GuardNumbers
	found, err := tx.Row([]any{&state, &wanted, &kind, &b.Micros, &b.Calls, &g.Spent, &g.Reserved, &g.Calls},
		"SELECT state, wanted_state, kind, budget_micros, budget_calls, guard_spent, guard_reserved, guard_calls FROM runs WHERE id = ?",
		id)
	if err != nil {
		return err
	}
	if !found {
		return NoRun(id)
	}
	noun := "run"
	if kind == string(experiments.KindSweep) {
		noun = "sweep"
	}
	cancelled := string(experiments.Cancelled)
	switch {
	case state == cancelled || wanted == cancelled:
		return problem.New(problem.Conflict, "run_cancelled", "%s %s was cancelled", noun, id).With("run", id)
	case b.Micros > 0 && !priced:
		return problem.New(problem.Incomplete, "price_unknown", "model %q has no price, so %s %s cannot keep to its budget of %s",
			c.Model, noun, id, Money(b.Micros)).
			With("run", id).With("model", c.Model).With("budget_micros", b.Micros).
			WithHint("add the model to the price file (0 for a free one), or bound the number of calls instead")
	}
	return spent(noun, id, b, g, c.EstimateMicros)
}

// spent is the Problem of a budget that the next call does not fit into.
func spent(noun, id string, b experiments.Budget, g GuardNumbers, estimate int64) *problem.Problem {
	p := problem.New(problem.Incomplete, "budget_spent", "the budget of %s %s is used up: of %d calls %d were made", noun, id,
		b.Calls, g.Calls)
	if b.Calls == 0 || g.Calls < b.Calls {
		p = problem.New(problem.Incomplete, "budget_spent",
			"the budget of %s %s is used up: of %s, %s are spent and %s reserved for calls under way, so %s are left, and the next call may cost %s",
			noun, id, Money(b.Micros), Money(g.Spent), Money(g.Reserved), Money(max(0, b.Micros-g.Spent-g.Reserved)), Money(estimate))
	}
	return p.With("run", id).With("budget_micros", b.Micros).With("spent_micros", g.Spent).With("reserved_micros", g.Reserved).
		With("left_micros", max(0, b.Micros-g.Spent-g.Reserved)).With("estimate_micros", estimate).
		With("budget_calls", b.Calls).With("calls", g.Calls).
		WithHint("give it a higher budget and resume it; nothing that was answered is asked again")
}

// Money writes millionths in whole units.
func Money(micros int64) string {
	if micros < 0 {
		return "-" + Money(-micros)
	}
	return fmt.Sprintf("%d.%06d", micros/1_000_000, micros%1_000_000)
}

// adjustGuard moves the guards of a call's sweep and run from what the call added before to what it adds now.
func adjustGuard(tx sqldb.Statements, before, now guarded) error {
	oldSpent, oldReserved := before.sums()
	spent, reserved := now.sums()
	if spent == oldSpent && reserved == oldReserved {
		return nil
	}
	for _, id := range []string{now.sweep, now.run} {
		if id == "" {
			continue
		}
		if _, err := guard(tx, id, moveGuard, spent-oldSpent, reserved-oldReserved, id); err != nil {
			return err
		}
	}
	return nil
}

// rebuildGuard computes the guards of a run and of its sweep from the calls.
func rebuildGuard(tx *gorm.DB, runID string) error { return rebuildGuards(tx, []string{runID}) }

// rebuildGuards rebuilds the guards of runs and of their sweeps: first the sweeps, in one order, so that two rebuilders
// cannot wait for each other. A row is locked before its calls are summed, so that a call being booked at the same moment
// is either summed or adds itself afterwards. Of a deleted run only the bill is left.
func rebuildGuards(tx *gorm.DB, runs []string) error {
	var sweeps []string
	for chunk := range slices.Chunk(runs, sqldb.BatchRows) {
		var some []string
		if err := tx.Model(&RunRow{}).Where("id IN ? AND sweep_id <> ''", chunk).Distinct().Pluck("sweep_id", &some).Error; err != nil {
			return err
		}
		sweeps = append(sweeps, some...)
	}
	for _, ids := range [][]string{sweeps, runs} {
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			if _, err := lockRun(tx, id, sqldb.ForUpdate); problem.Is(err, problem.NotFound) {
				continue
			} else if err != nil {
				return err
			}
			g, err := SumGuard(tx, id)
			if err != nil {
				return err
			}
			err = tx.Exec("UPDATE runs SET guard_spent = ?, guard_reserved = ?, guard_calls = ? WHERE id = ?",
				g.Spent, g.Reserved, g.Calls, id).Error
			if err == nil {
				err = CloseTail(tx, id)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// RecoverCalls takes over the calls that owners who are not alive left behind: sent ones become [llm.CallUnknown], possibly
// spent; banked ones lose their owner, so that Lookup finds them and their reply is parsed instead of bought again. It
// rebuilds the guards of their runs and returns how many calls it took over. alive is asked once for each owner.
func (s *LedgerTables) RecoverCalls(ctx context.Context, alive func(owner string) bool) (int, error) {
	open := []llm.CallState{llm.CallSent, llm.CallBanked}
	var owners, dead []string
	if err := s.Read(ctx).Model(&CallRow{}).Where("state IN ? AND owner <> ''", open).Distinct().Order("owner").Pluck("owner", &owners).
		Error; err != nil {
		return 0, sqldb.Wrap("find calls under way", err)
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
	err := s.Write(ctx, "recover calls", func(tx *gorm.DB) error {
		var left []CallRow
		err := tx.Clauses(sqldb.ForUpdate).Select("id", "run_id", "state").Where("state IN ? AND owner IN ?", open, dead).Order("id").
			Find(&left).Error
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
		if err := sealCalls(tx, ids[llm.CallSent]); err != nil {
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
	for chunk := range slices.Chunk(ids, sqldb.BatchRows) {
		if err := tx.Model(&CallRow{}).Where("id IN ?", chunk).Update(column, value).Error; err != nil {
			return err
		}
	}
	return nil
}

// SetBudget implements [experiments.RunStore]. A budget below what is spent stops the run at its next call.
func (s *LedgerTables) SetBudget(ctx context.Context, id string, b experiments.Budget) error {
	if b.Micros < 0 || b.Calls < 0 {
		return problem.New(problem.Invalid, "budget_negative", "a budget cannot be negative").WithHint("give 0 for no bound")
	}
	return s.Write(ctx, "set the budget of run "+id, func(tx *gorm.DB) error {
		row, err := lockRun(tx, id, sqldb.ForUpdate)
		if err != nil {
			return err
		}
		switch experiments.RunState(row.State) {
		case experiments.Finished, experiments.Cancelled, experiments.Failed:
			return refused(row, "given another budget")
		case experiments.Queued, experiments.Running, experiments.Paused:
		}
		return tx.Model(&RunRow{}).Where("id = ?", id).Updates(map[string]any{"budget_micros": b.Micros, "budget_calls": b.Calls}).Error
	})
}
