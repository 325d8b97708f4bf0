package printing

import (
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Stopped explains a run that did not come to its end: where it stopped at its budget, with what the rest would cost.
func (p RunPrinter) Stopped(w *app.Workbench, id string, err error) error {
	if id == "" || err == nil {
		return err
	}
	if message, hint, ok := app.AtBudget(p.Context, w, id); ok {
		return problem.New(problem.Incomplete, "budget_spent", "%s", message).With("run", id).WithHint("%s", hint)
	}
	return err
}

// Cost prints in one line what runs have cost; nothing where nothing was bought.
func (p RunPrinter) Cost(w *app.Workbench, runs ...experiments.Run) {
	if p.Flags.JSON {
		return
	}
	for _, run := range runs {
		s, err := w.Store.Spent(p.Context, run.ID)
		if err != nil || s.Calls == 0 && s.SavedCalls == 0 {
			continue
		}
		p.Say("run %s %s", run.ID, p.Lang().Spending(s, w.Config.Currency))
	}
}

// Bill prints what a run cost, by what the money went for.
func (p RunPrinter) Bill(w *app.Workbench, run experiments.Run) error {
	b, err := w.Bill(p.Context, run)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(b)
	}
	if len(b.Children) == 0 {
		p.Say("run %s %s", run.ID, p.Lang().Spending(b.Total, b.Currency))
	} else {
		p.Say("run %s, together with the runs that belong to it, %s", run.ID, p.Lang().Spending(b.Total, b.Currency))
		p.Say("")
		p.billRuns(run, b)
	}
	for _, field := range []string{"stage", "purpose", "model", "question"} {
		lines := b.By[field]
		if len(lines) == 0 {
			continue
		}
		rows := make([][]string, len(lines))
		for i, l := range lines {
			rows[i] = append([]string{l.Value}, billCells(p.Lang(), l.Spending, b.Currency)...)
		}
		p.Say("")
		p.Table(append([]string{strings.ToUpper(field)}, billHead...), rows)
	}
	for _, l := range b.By["model"] {
		if l.Repaired > 0 {
			p.Say("%s: repaired %d of %d replies", l.Value, l.Repaired, l.Replies)
		}
	}
	return nil
}

// billRuns prints what a run and each run that belongs to it cost.
func (p RunPrinter) billRuns(run experiments.Run, b app.Bill) {
	rows := [][]string{append([]string{run.ID, string(run.Kind), "-"}, billCells(p.Lang(), b.Own, b.Currency)...)}
	for _, c := range b.Children {
		rows = append(rows, append([]string{c.RunID, string(c.Kind), c.ParentID}, billCells(p.Lang(), c.Total, b.Currency)...))
	}
	p.Table(append([]string{"RUN", "KIND", "BELONGS TO"}, billHead...), rows)
}

var billHead = []string{"CALLS", "CONFIRMED", "POSSIBLY SPENT", "SAVED", "TOKENS IN", "TOKENS OUT"}

// billCells are a bill in the columns of [billHead].
func billCells(l program.Language, s experiments.Spending, currency string) []string {
	return []string{
		strconv.Itoa(s.Calls), l.Confirmed(s, currency), l.Some(s.PossibleMicros, s.PossibleCalls, currency),
		l.Some(s.SavedMicros, s.SavedCalls, currency), strconv.FormatInt(s.PromptTokens, 10), strconv.FormatInt(s.OutputTokens, 10),
	}
}
