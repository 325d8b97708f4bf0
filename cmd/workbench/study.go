package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
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
	return p.reading(func(w *app.Workbench) error {
		write := func() (archive.Manifest, error) { return archive.Export(p.ctx, w, c.File, version, c.Runs...) }
		if c.Everything {
			write = func() (archive.Manifest, error) { return archive.ExportEverything(p.ctx, w, c.File, version) }
		}
		m, err := write()
		if err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(m)
		}
		digest, err := archive.StudyDigest(c.File)
		if err != nil {
			return err
		}
		p.say("wrote %s: %d runs", c.File, len(m.Runs))
		p.say("digest %s: whoever gets it from you by another way than the file can tell that it is yours: workbench verify FILE --digest",
			digest)
		return nil
	})
}

type importCmd struct {
	File string `arg:"" help:"A study written by: workbench export"`
}

// Run imports.
func (c importCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		m, err := archive.Import(p.ctx, w, c.File)
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
	File   string `arg:"" help:"A study written by: workbench export"`
	Digest string `help:"The digest that the export printed." placeholder:"HEX"`
}

// Help explains.
func (verifyCmd) Help() string {
	return `Computes every answer, score, total and report of the study again from the raw replies in it, cell by cell, in a scratch database,
without a network and without the data directory, and compares. A score that nothing could be computed for is not verified, and is named.
Measured values (latency, tokens, cost) are not computed. Rows are compared with their seals, and with --digest the whole study with the
digest that its export printed: only a digest that came to you by another way says that nobody wrote the whole study anew.

Examples:
  workbench verify study.zip
  workbench verify study.zip --digest 3f2a…      as printed by: workbench export

Exit codes: 0 everything is equal, 1 something differs, 2 the file is no study or was changed, 5 nothing differs, but not everything could be
computed again.`
}

// Run verifies.
func (c verifyCmd) Run(p *program) error {
	if err := archive.CheckStudyDigest(c.File, c.Digest); err != nil {
		return err
	}
	v, err := archive.VerifyStudy(p.ctx, c.File, func() time.Time { return p.now().UTC() })
	if err != nil {
		return err
	}
	if p.flags.JSON {
		if err := p.printJSON(v); err != nil {
			return err
		}
	} else {
		p.copies().verified(v)
	}
	switch {
	case !v.Equal:
		return exitError(exitBroken)
	case !v.Complete:
		return exitError(exitIncomplete)
	}
	if !p.flags.JSON {
		p.say("everything in %s follows from its replies", c.File)
	}
	return nil
}

// verified prints what was computed again, what was not, and what differs.
func (p copyPrinter) verified(v archive.Verification) {
	rows := make([][]string, len(v.Runs))
	for i, r := range v.Runs {
		result := "equal"
		switch {
		case len(r.Different) > 0:
			result = fmt.Sprintf("%d differences: %s", len(r.Different), someOf(r.Different))
		case len(r.Missing) > 0:
			result = fmt.Sprintf("%d of %d questions verified; without a reply: %s", r.Verified, r.Questions, someOf(r.Missing))
		}
		rows[i] = []string{
			r.ID, fmt.Sprintf("%d/%d", r.Verified, r.Questions), fmt.Sprintf("%d/%d", r.Recomputed, r.Cells-r.Errors-r.Measured),
			strconv.Itoa(r.Errors),
			strconv.Itoa(r.Measured), strconv.Itoa(r.Reports), result,
		}
	}
	p.table([]string{"RUN", "QUESTIONS VERIFIED", "SCORES RECOMPUTED", "ERRORS", "MEASURED", "REPORTS EQUAL", "RESULT"}, rows)
	for _, r := range v.Runs {
		if r.Taken > 0 {
			p.say("run %s searched approximately: what it found for %d questions was taken as it is stored, and not searched again",
				r.ID, r.Taken)
		}
	}
	if v.Vectors.Stored > 0 {
		p.say("vectors: %d of %d follow from the replies of embedding calls", v.Vectors.Recomputed, v.Vectors.Stored)
		for _, d := range v.Vectors.Different[:min(len(v.Vectors.Different), mostShown)] {
			p.say("vector %s follows from no reply", d)
		}
	}
	p.findings(v.Findings)
	if !v.Sealed {
		p.say("the study was written before rows were sealed: only what was computed again is verified")
	}
}

// mostShown bounds how many of many things are named.
const mostShown = 10

// someOf joins the first of many sentences.
func someOf(list []string) string {
	out := strings.Join(list[:min(len(list), mostShown)], "; ")
	if more := len(list) - mostShown; more > 0 {
		out += fmt.Sprintf("; and %d more", more)
	}
	return out
}

func (p copyPrinter) findings(list []doctor.Finding) {
	for _, f := range list {
		p.say("%s  %s: %s", f.Invariant, f.Subject, f.Message)
	}
}

type doctorCmd struct{}

// Help explains.
func (doctorCmd) Help() string {
	return `Checks that runs, scores, bills and history agree with each other: one terminal state for every call, every score with a
usable reply behind it, bills equal to the sum of their calls, stored totals and chains equal to recomputation, no cell
written twice. And that nothing was edited, taken away or put in that stays as it is: documents, questions, setups, requests, replies,
vectors, verdicts, answers, scores, events. It changes and creates nothing, and works on a full disk and on a read-only copy. A database that is
missing, empty or of another version is said so.

Exit codes: 0 all is well, 1 something is not.`
}

// Run checks.
func (doctorCmd) Run(p *program) error {
	return p.looking(false, func(w *app.Workbench) error {
		findings, err := app.Doctor(p.ctx, w)
		if err != nil {
			return err
		}
		err = p.copies().checked(findings, func(all []doctor.Finding) any { return all })
		if err == nil && !p.flags.JSON {
			p.say("all invariants hold")
		}
		return err
	})
}

// checked shows what a check found, as JSON or as text; with findings the program ends as broken.
func (p copyPrinter) checked(findings []doctor.Finding, asJSON func([]doctor.Finding) any) error {
	if p.flags.JSON {
		if err := p.printJSON(asJSON(append([]doctor.Finding{}, findings...))); err != nil {
			return err
		}
	} else {
		p.findings(findings)
	}
	if len(findings) > 0 {
		return exitError(exitBroken)
	}
	return nil
}

type runsPruneCmd struct {
	OlderThan string `help:"Age of the replies to drop, in days." default:"90d" placeholder:"DAYS"`
	Yes       bool   `help:"Do not ask." short:"y"`
}

// Help explains.
func (runsPruneCmd) Help() string {
	return `Drops the raw requests and replies of old calls to make room. Answers, scores, reports and the bill stay. What is lost is said
first: runs whose replies are gone cannot be verified any more, and the same questions would be bought again.
Replies of unfinished runs, baselines and pinned runs are kept. Tables of vectors on connections (retrieve.engine: pgvector) that no
search opened for as long are dropped too; what needs them writes them again.

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
		lost, err := app.Prune(p.ctx, w, age, true)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%d replies (%.1f MB), %d of them in the cache; %d runs could not be verified any more", lost.Replies,
			float64(lost.Bytes)/1e6, lost.CacheEntries, len(lost.Runs))
		if lost.Tables > 0 {
			what += fmt.Sprintf("; %d tables of vectors that no search opened since (%.1f MB)", lost.Tables, float64(lost.TableBytes)/1e6)
		}
		for _, name := range lost.Unreached {
			p.warn("connection %s did not open; its tables of vectors stay", name)
		}
		if lost.Replies+lost.Tables == 0 {
			p.note("nothing is old enough to drop; %d replies are kept because something rests on them", lost.Kept)
			if p.flags.JSON {
				return p.printJSON(lost)
			}
			return nil
		}
		if ok, err := p.confirm(c.Yes, "Drop "+what); err != nil || !ok {
			return err
		}
		if lost, err = app.Prune(p.ctx, w, age, false); err != nil {
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
		run, err := app.Pin(p.ctx, w, id, pinned)
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
