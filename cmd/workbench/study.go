package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

type exportCmd struct {
	File string   `arg:"" help:"The study to write, for example STUDY.zip. An existing file is not overwritten."`
	Runs []string `arg:"" optional:"" help:"Run ids, their beginnings, or experiment names; without any, all finished runs."`

	Everything bool `help:"All there is, whether a run rests on it or not: also unfinished runs, baselines, endpoints and judge cards."`
}

// Help shows examples.
func (exportCmd) Help() string {
	return `A study holds runs with everything they rest on: corpora, datasets, configurations, answers, scores with their evidence,
every call with its raw reply, and the reports in English and Japanese. It holds no API key. Accounts, schedules and messages are in
backups only.

Examples:
  workbench export study.zip               all finished runs
  workbench export all.zip --everything    to move to another database; one JSON Lines file for each kind
  workbench export study.zip 3f2a faq-new
  workbench verify study.zip               on another machine: compute everything again`
}

// Run exports.
func (c exportCmd) Run(p *program) error {
	if c.Everything && len(c.Runs) > 0 {
		return problem.New(problem.Invalid, "usage", "--everything takes no runs").WithHint("leave the runs out, or leave --everything out")
	}
	return p.with(func(w *app.Workbench) error {
		write := func() (app.Manifest, error) { return w.Export(p.ctx, c.File, version, c.Runs...) }
		if c.Everything {
			write = func() (app.Manifest, error) { return w.ExportEverything(p.ctx, c.File, version) }
		}
		m, err := write()
		if err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(m)
		}
		p.say("wrote %s: %d runs", c.File, len(m.Runs))
		return nil
	})
}

type importCmd struct {
	File string `arg:"" help:"A study written by: workbench export"`
}

// Run imports.
func (c importCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		m, err := w.Import(p.ctx, c.File)
		if err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(m)
		}
		p.say("imported %d runs; workbench runs list shows them", len(m.Runs))
		return nil
	})
}

type verifyCmd struct {
	File string `arg:"" help:"A study written by: workbench export"`
}

// Help explains.
func (verifyCmd) Help() string {
	return `Computes every answer, score, total and report of the study again from the raw replies in it, in a scratch database, without
a network and without the data directory, and compares. Measured values (latency, tokens, cost) are not computed.

Exit codes: 0 everything is equal, 1 something differs, 2 the file is no study or was changed.`
}

// Run verifies.
func (c verifyCmd) Run(p *program) error {
	v, err := app.VerifyStudy(p.ctx, c.File, func() time.Time { return p.now().UTC() })
	if err != nil {
		return err
	}
	if p.flags.JSON {
		if err := p.printJSON(v); err != nil {
			return err
		}
	} else {
		rows := make([][]string, len(v.Runs))
		for i, r := range v.Runs {
			result := "equal"
			if len(r.Different) > 0 {
				result = fmt.Sprintf("%d differences: %s", len(r.Different), strings.Join(r.Different, "; "))
			}
			rows[i] = []string{r.ID, strconv.Itoa(r.Questions), strconv.Itoa(r.Recomputed), strconv.Itoa(r.Errors), strconv.Itoa(r.Scores), strconv.Itoa(r.Reports), result}
		}
		p.table([]string{"RUN", "QUESTIONS", "RECOMPUTED", "ERRORS", "CELLS COMPARED", "REPORTS EQUAL", "RESULT"}, rows)
		p.findings(v.Findings)
	}
	if !v.Equal {
		return exitError(exitBroken)
	}
	if !p.flags.JSON {
		p.say("everything in %s follows from its replies", c.File)
	}
	return nil
}

func (p *program) findings(list []store.Finding) {
	for _, f := range list {
		p.say("%s  %s: %s", f.Invariant, f.Subject, f.Message)
	}
}

type doctorCmd struct{}

// Help explains.
func (doctorCmd) Help() string {
	return `Checks that runs, scores, bills and history agree with each other: one terminal state for every call, every score with a
usable reply behind it, bills equal to the sum of their calls, stored totals and chains equal to recomputation, no cell
written twice. It changes nothing.

Exit codes: 0 all is well, 1 something is not.`
}

// Run checks.
func (doctorCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		findings, err := w.Doctor(p.ctx)
		if err != nil {
			return err
		}
		if p.flags.JSON {
			if findings == nil {
				findings = []store.Finding{}
			}
			if err := p.printJSON(findings); err != nil {
				return err
			}
		} else {
			p.findings(findings)
		}
		if len(findings) > 0 {
			return exitError(exitBroken)
		}
		if !p.flags.JSON {
			p.say("all invariants hold")
		}
		return nil
	})
}

type runsPruneCmd struct {
	OlderThan string `help:"Age of the replies to drop, in days." default:"90d" placeholder:"DAYS"`
	Yes       bool   `help:"Do not ask." short:"y"`
}

// Help explains.
func (runsPruneCmd) Help() string {
	return `Drops the raw requests and replies of old calls to make room. Answers, scores, reports and the bill stay. What is lost is said
first: runs whose replies are gone cannot be verified any more, and the same questions would be bought again.
Replies of unfinished runs, baselines and pinned runs are kept.

Examples:
  workbench runs prune --older-than 30d
  workbench runs pin 3f2a                  keep the replies of a run`
}

// Run prunes, after saying what is lost.
func (c runsPruneCmd) Run(p *program) error {
	age, err := app.ParseDays(c.OlderThan)
	if err != nil {
		return problem.New(problem.Invalid, "usage", "--older-than is %q; it must be a number of days such as 90d", c.OlderThan)
	}
	return p.with(func(w *app.Workbench) error {
		lost, err := w.Prune(p.ctx, age, true)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%d replies (%.1f MB), %d of them in the cache; %d runs could not be verified any more", lost.Replies, float64(lost.Bytes)/1e6, lost.CacheEntries, len(lost.Runs))
		if lost.Replies == 0 {
			p.note("nothing is old enough to drop; %d replies are kept because something rests on them", lost.Kept)
			if p.flags.JSON {
				return p.printJSON(lost)
			}
			return nil
		}
		if ok, err := p.confirm(c.Yes, "Drop "+what); err != nil || !ok {
			return err
		}
		if lost, err = w.Prune(p.ctx, age, false); err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(lost)
		}
		p.say("dropped %s", what)
		return nil
	})
}

type runsPinCmd struct {
	ID string `arg:"" name:"run" help:"Run or sweep id, its beginning, or an experiment's name."`
}

// Run pins.
func (c runsPinCmd) Run(p *program) error { return p.pin(c.ID, true) }

type runsUnpinCmd struct {
	ID string `arg:"" name:"run" help:"Run or sweep id, its beginning, or an experiment's name."`
}

// Run unpins.
func (c runsUnpinCmd) Run(p *program) error { return p.pin(c.ID, false) }

func (p *program) pin(id string, pinned bool) error {
	return p.with(func(w *app.Workbench) error {
		run, err := w.Pin(p.ctx, id, pinned)
		if err != nil {
			return err
		}
		if pinned {
			p.say("the replies of run %s are kept", run.ID)
		} else {
			p.say("the replies of run %s may be pruned again", run.ID)
		}
		return nil
	})
}
