package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// stopped explains a run that did not come to its end: where it stopped at its budget, with what the rest would cost.
func (p runPrinter) stopped(w *app.Workbench, id string, err error) error {
	if id == "" || err == nil {
		return err
	}
	if message, hint, ok := app.AtBudget(p.ctx, w, id); ok {
		return problem.New(problem.Incomplete, "budget_spent", "%s", message).With("run", id).WithHint("%s", hint)
	}
	return err
}

// cost prints in one line what runs have cost; nothing where nothing was bought.
func (p runPrinter) cost(w *app.Workbench, runs ...experiments.Run) {
	if p.flags.JSON {
		return
	}
	for _, run := range runs {
		s, err := w.Store.Spent(p.ctx, run.ID)
		if err != nil || s.Calls == 0 && s.SavedCalls == 0 {
			continue
		}
		p.say("run %s %s", run.ID, p.lang().spending(s, w.Config.Currency))
	}
}

// spending says what was spent, in one sentence.
func (l language) spending(s experiments.Spending, currency string) string {
	parts := []string{l.made(s, currency)}
	if s.PossibleCalls > 0 {
		parts = append(parts, l.text("%d more may have cost up to %s", s.PossibleCalls,
			l.price(s.PossibleMicros, s.PossibleMicros > 0, currency)))
	}
	if s.UnknownPrice > 0 && s.ConfirmedMicros > 0 {
		parts = append(parts, l.text("the price of %d is unknown", s.UnknownPrice))
	}
	if s.Unusable > 0 {
		parts = append(parts, l.text("%d were paid and of no use", s.Unusable))
	}
	if s.Repaired > 0 {
		parts = append(parts, l.text("repaired %d of %d replies", s.Repaired, s.Replies))
	}
	switch {
	case s.SavedCalls > 0 && s.SavedMicros > 0:
		parts = append(parts, l.text("%d replies worth %s were there already", s.SavedCalls, l.price(s.SavedMicros, true, currency)))
	case s.SavedCalls > 0:
		parts = append(parts, l.text("%d replies were there already", s.SavedCalls))
	}
	return strings.Join(parts, l.format("; "))
}

// made says how many calls there were and what they cost for sure.
func (l language) made(s experiments.Spending, currency string) string {
	if s.UnknownPrice > 0 && s.ConfirmedMicros == 0 {
		return l.text("made %d calls, price unknown", s.Calls)
	}
	return l.text("made %d calls for %s", s.Calls, l.confirmed(s, currency))
}

// confirmed is what the provider confirmed to cost: unknown where no call has a price, and a part of it where some have none.
func (l language) confirmed(s experiments.Spending, currency string) string {
	switch {
	case s.UnknownPrice == 0:
		return l.price(s.ConfirmedMicros, true, currency)
	case s.ConfirmedMicros == 0:
		return l.price(0, false, currency)
	}
	return l.text("more than %s", l.price(s.ConfirmedMicros, true, currency))
}

// some is an amount that stands for calls; where it is 0 although there are calls, their price is not known.
func (l language) some(micros int64, calls int, currency string) string {
	return l.price(micros, micros > 0 || calls == 0, currency)
}

// bill prints what a run cost, by what the money went for.
func (p runPrinter) bill(w *app.Workbench, run experiments.Run) error {
	b, err := w.Bill(p.ctx, run)
	if err != nil {
		return err
	}
	if p.flags.JSON {
		return p.printJSON(b)
	}
	if len(b.Children) == 0 {
		p.say("run %s %s", run.ID, p.lang().spending(b.Total, b.Currency))
	} else {
		p.say("run %s, together with the runs that belong to it, %s", run.ID, p.lang().spending(b.Total, b.Currency))
		p.say("")
		p.billRuns(run, b)
	}
	for _, field := range []string{"stage", "purpose", "model", "question"} {
		lines := b.By[field]
		if len(lines) == 0 {
			continue
		}
		rows := make([][]string, len(lines))
		for i, l := range lines {
			rows[i] = append([]string{l.Value}, p.lang().billCells(l.Spending, b.Currency)...)
		}
		p.say("")
		p.table(append([]string{strings.ToUpper(field)}, billHead...), rows)
	}
	for _, l := range b.By["model"] {
		if l.Repaired > 0 {
			p.say("%s: repaired %d of %d replies", l.Value, l.Repaired, l.Replies)
		}
	}
	return nil
}

// billRuns prints what a run and each run that belongs to it cost.
func (p runPrinter) billRuns(run experiments.Run, b app.Bill) {
	rows := [][]string{append([]string{run.ID, string(run.Kind), "-"}, p.lang().billCells(b.Own, b.Currency)...)}
	for _, c := range b.Children {
		rows = append(rows, append([]string{c.RunID, string(c.Kind), c.ParentID}, p.lang().billCells(c.Total, b.Currency)...))
	}
	p.table(append([]string{"RUN", "KIND", "BELONGS TO"}, billHead...), rows)
}

var billHead = []string{"CALLS", "CONFIRMED", "POSSIBLY SPENT", "SAVED", "TOKENS IN", "TOKENS OUT"}

// billCells are a bill in the columns of [billHead].
func (l language) billCells(s experiments.Spending, currency string) []string {
	return []string{
		strconv.Itoa(s.Calls), l.confirmed(s, currency), l.some(s.PossibleMicros, s.PossibleCalls, currency),
		l.some(s.SavedMicros, s.SavedCalls, currency), strconv.FormatInt(s.PromptTokens, 10), strconv.FormatInt(s.OutputTokens, 10),
	}
}

// confirm asks before something that cannot be undone. Without a terminal it needs --yes.
func (p *program) confirm(yes bool, what string) (bool, error) {
	if yes {
		return true, nil
	}
	if !p.interactive {
		return false, problem.New(problem.Invalid, "confirm", "this needs a confirmation: %s", what).WithHint("add --yes")
	}
	fmt.Fprintf(p.stderr, "%s? This cannot be undone. [y/N] ", what)
	line, _ := bufio.NewReader(p.stdin).ReadString('\n') // the end of input is a no
	if strings.ToLower(strings.TrimSpace(line)) != "y" {
		p.say("nothing was changed")
		return false, nil
	}
	return true, nil
}

type runsRetryCmd struct {
	ID     string `arg:"" name:"run" help:"Finished run: id, its beginning, or an experiment's name."`
	Repeat bool   `help:"Also repeat calls whose reply never came to systems that are asked at most once."`
	Budget string `help:"What it may spend: an amount (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Help explains.
func (runsRetryCmd) Help() string {
	return `Asks again what ended in an error, in a child run. The finished run stays as it is; from then on its results are shown together
with the child's.

Example:
  workbench runs retry-errors 3f2a`
}

// Run retries.
func (c runsRetryCmd) Run(p *program) error {
	budget, err := app.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.with(func(w *app.Workbench) error {
		parent, err := w.FindRun(p.ctx, c.ID)
		if err != nil {
			return err
		}
		child, err := w.RetryErrors(p.ctx, parent.ID, c.Repeat, budget)
		if err != nil {
			return p.runs().stopped(w, child.ID, err)
		}
		e, err := experiments.LoadEvaluation(p.ctx, w.Store, parent.ID)
		if err != nil {
			return err
		}
		p.runs().cost(w, child)
		if err := p.runs().results([]experiments.Run{e.Run}, true); err != nil {
			return err
		}
		return covered(e.Run)
	})
}
