package app

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// SetBudget gives a run or sweep that is not over another budget.
func (w *Workbench) SetBudget(ctx context.Context, idOrPrefix string, b experiments.Budget) error {
	run, err := w.Store.Run(ctx, idOrPrefix)
	if err != nil {
		return err
	}
	spent, err := w.Store.Spent(ctx, run.ID)
	if err != nil {
		return err
	}
	used := spent.ConfirmedMicros + spent.PossibleMicros
	switch {
	case b.Micros > 0 && b.Micros <= used:
		return alreadySpent(run.ID, w.Amount(b.Micros), w.Amount(used))
	case b.Calls > 0 && b.Calls <= spent.Calls:
		return alreadySpent(run.ID, fmt.Sprintf("%d calls", b.Calls), fmt.Sprintf("%d calls", spent.Calls))
	}
	return w.Store.SetBudget(ctx, run.ID, b)
}

// alreadySpent refuses a budget that leaves nothing to go on with.
func alreadySpent(run, budget, used string) error {
	return problem.New(problem.Invalid, "budget_below_spent", "a budget of %s leaves run %s nothing: it has used %s", budget, run, used).
		With("field", "budget").WithHint("a budget counts what was spent before; write more than that")
}

// Amount writes micro-units of money in the currency of the configuration.
func (w *Workbench) Amount(micros int64) string {
	if micros > 0 && micros < 50 { // which would read as nothing
		return "less than 0.0001 " + w.Config.Currency
	}
	return fmt.Sprintf("%.4f %s", float64(micros)/1e6, w.Config.Currency)
}

// PruneReport is what pruning takes away: old replies, and tables of vectors on connections.
type PruneReport struct {
	records.PruneReport
	Tables     int      `json:"tables,omitempty"`      // tables of vectors that no search opened for the age
	TableBytes int64    `json:"table_bytes,omitempty"` // of those, with their indexes
	Unreached  []string `json:"unreached,omitempty"`   // connections that did not open: their tables stay
}

// Prune drops the raw replies of settled calls older than age, except those that unfinished runs, baselines and pinned runs rest
// on, and the tables of vectors that no search opened for as long: what needs them again writes them again. With dry it only says what
// would be lost.
func Prune(ctx context.Context, w *Workbench, age time.Duration, dry bool) (PruneReport, error) {
	replies, err := w.Whole.PruneReplies(ctx, w.Options.Now().Add(-age), dry)
	report := PruneReport{PruneReport: replies}
	if err != nil {
		return report, err
	}
	for _, name := range w.Databases.Names() {
		server, err := w.Databases.Server(ctx, name)
		if err != nil {
			w.Log("connection did not open", "connection", name, "error", err)
			report.Unreached = append(report.Unreached, name)
			continue
		}
		tables, err := server.Prune(ctx, age, dry)
		if err != nil {
			return report, err
		}
		report.Tables += len(tables)
		for _, t := range tables {
			report.TableBytes += t.Bytes
		}
	}
	return report, nil
}

// ParseDays reads an age in days, such as 90d.
func ParseDays(s string) (time.Duration, error) {
	days, err := strconv.Atoi(strings.TrimSuffix(s, "d"))
	if err != nil || days < 0 || days > mostDays {
		return 0, problem.New(problem.Invalid, "days", "%q is no number of days", s).WithHint("write it like 90d")
	}
	return time.Duration(days) * 24 * time.Hour, nil
}

// mostDays is a hundred years: more is a typing mistake, and too long for a [time.Duration] soon after.
const mostDays = 36_525

// Pin keeps the replies of a run from being pruned, or lets them go again.
func Pin(ctx context.Context, w *Workbench, idOrPrefix string, pinned bool) (experiments.Run, error) {
	run, err := w.FindRun(ctx, idOrPrefix)
	if err != nil {
		return run, err
	}
	return run, w.Whole.PinRun(ctx, run.ID, pinned)
}
