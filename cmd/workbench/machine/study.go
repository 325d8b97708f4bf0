// Package machine holds the verbs about this installation: studies and backups out and in, doctor, providers and stand-ins for them,
// configuration, version.
package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/text"
)

// copyPrinter tells what was found in studies, backups and databases.
type copyPrinter struct{ *program.Program }

func copies(p *program.Program) copyPrinter { return copyPrinter{p} }

// ExportCmd is the verb export.
type ExportCmd struct {
	File string   `arg:"" help:"The study to write, for example STUDY.zip. An existing file is not overwritten."`
	Runs []string `arg:"" optional:"" help:"Run ids, their beginnings, or experiment names; without any, all finished runs."`

	Everything bool `help:"All there is, whether a run rests on it or not: also unfinished runs, baselines, endpoints and judge cards."`
}

// Help shows examples.
func (ExportCmd) Help() string {
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
func (c ExportCmd) Run(p *program.Program) error {
	if c.Everything && len(c.Runs) > 0 {
		return problem.New(problem.Invalid, "usage", "--everything takes no runs").WithHint("leave the runs out, or leave --everything out")
	}
	return p.Reading(func(w *app.Workbench) error {
		write := func() (archive.Manifest, error) { return archive.Export(p.Context, w, c.File, p.Version, c.Runs...) }
		if c.Everything {
			write = func() (archive.Manifest, error) { return archive.ExportEverything(p.Context, w, c.File, p.Version) }
		}
		m, err := write()
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(m)
		}
		digest, err := archive.StudyDigest(c.File)
		if err != nil {
			return err
		}
		p.Say("wrote %s: %s", c.File, p.Lang().Many(len(m.Runs), "run"))
		p.Say("digest %s: whoever gets it from you by another way than the file can tell that it is yours: workbench verify FILE --digest",
			digest)
		return nil
	})
}

// ImportCmd is the verb import.
type ImportCmd struct {
	File string `arg:"" help:"A study written by: workbench export"`
}

// Run imports.
func (c ImportCmd) Run(p *program.Program) error {
	if _, err := os.Stat(c.File); errors.Is(err, fs.ErrNotExist) {
		return text.FileMissing(c.File)
	}
	return p.With(func(w *app.Workbench) error {
		m, err := archive.Import(p.Context, w, c.File)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(m)
		}
		p.Say("%s of the file are here now; workbench runs list shows them", p.Lang().Many(len(m.Runs), "run"))
		return nil
	})
}

// VerifyCmd is the verb verify.
type VerifyCmd struct {
	File   string `arg:"" help:"A study written by: workbench export"`
	Digest string `help:"The digest that the export printed." placeholder:"HEX"`
}

// Help explains.
func (VerifyCmd) Help() string {
	return `Computes every answer, score, total and report of the study again from the raw replies in it, cell by cell, in a scratch database,
without a network and without the data directory, and compares. A score that nothing could be computed for is not verified, and is named.
A sweep has no answers of its own: its runs are verified.
Measured values (latency, tokens, cost) are not computed. Rows are compared with their seals, and with --digest the whole study with the
digest that its export printed: only a digest that came to you by another way says that nobody wrote the whole study anew.

Examples:
  workbench verify study.zip
  workbench verify study.zip --digest 3f2a…      as printed by: workbench export

What another version of the program wrote, or another version of its offline judge scored, may come out otherwise today: it is named as not
compared where it differs, counted, and never called different. That is no success either.

Exit codes: 0 everything is equal, 1 something differs, 2 the file is no study or was changed, 5 nothing differs, but not everything could be
computed again or compared.`
}

// Run verifies.
func (c VerifyCmd) Run(p *program.Program) error {
	if err := archive.CheckStudyDigest(c.File, c.Digest); err != nil {
		return err
	}
	v, err := studies.Verify(p.Context, c.File, p.Version, func() time.Time { return p.Now().UTC() })
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		if err := p.PrintJSON(v); err != nil {
			return err
		}
	} else {
		copies(p).verdict(c.File, v)
		copies(p).verified(v)
		copies(p).taken(v)
	}
	switch {
	case !v.Equal:
		return program.ExitError(program.ExitBroken)
	case !v.Complete:
		return program.ExitError(program.ExitIncomplete)
	}
	return nil
}

// takenWords are the words for what follows from no reply, by its name in a verification.
var takenWords = map[string]document.Words{
	"dates": {EN: "dates", JA: "日時"}, "costs": {EN: "costs", JA: "費用"}, "reviews": {EN: "reviews", JA: "レビュー"},
	"agreements": {EN: "agreements", JA: "合意"}, "taxonomies": {EN: "lists of themes", JA: "テーマの一覧"},
	"run_notes": {EN: "notes", JA: "メモ"}, "run_tags": {EN: "tags", JA: "タグ"}, "judge_cards": {EN: "judge cards", JA: "評価モデルカード"},
	"baselines": {EN: "pinned baselines", JA: "固定した比較の基準"}, "endpoints": {EN: "endpoints", JA: "接続先"},
}

// taken says what was not computed again, because nothing gives it.
func (p copyPrinter) taken(v archive.Verification) {
	taken := make([]string, len(v.Taken))
	for i, name := range v.Taken {
		taken[i] = takenWords[name].In(string(p.Lang()))
	}
	p.Say("taken as it is, because no reply gives it: %s", p.Lang().List(taken))
	if v.Notebook != nil {
		p.Say("taken as it is in the notebook: its text, the dates, calls and costs in its lock, comments, and which run was the baseline")
	}
	if len(v.Runs) > 0 && v.Replies == 0 {
		p.Say("it holds no reply of a model: what was computed again follows from its documents, its questions and this program alone")
	}
}

// verdict says in one sentence what came of it, before anything else.
func (p copyPrinter) verdict(file string, v archive.Verification) {
	switch n := len(v.Runs); {
	case !v.Equal:
		p.Say("%s is NOT confirmed: something in it is not what it was, or does not follow from the rest; do not rely on it", file)
	case n == 0:
		p.Say("nothing in %s was computed again: it holds no finished run", file)
	case v.OtherVersion > 0 && v.Version == v.Running:
		p.Say("only a part of %s could be confirmed: %d parts are otherwise than this program makes them; another build of version %s may have made "+
			"them, or somebody changed them: that cannot be told",
			file, v.OtherVersion, v.Version)
	case v.OtherVersion > 0:
		p.Say("only a part of %s could be confirmed: nothing that could be compared differs, but %d parts were made by another version and were not "+
			"compared, or rest on what was taken as it is stored (version %s wrote the file, this is version %s)",
			file, v.OtherVersion, v.Version, v.Running)
	case !v.Complete:
		p.Say("only a part of %s could be confirmed: nothing differs, but not everything could be computed again; what is named below was not", file)
	default:
		p.Say("answers, scores, totals and reports of %d runs in %s were computed again and are equal", n, file)
	}
}

// verified prints what was computed again, what was not, and what differs.
func (p copyPrinter) verified(v archive.Verification) {
	rows := make([][]string, len(v.Runs))
	for i, r := range v.Runs {
		result := p.Lang().Text("equal")
		switch {
		case len(r.Different) > 0:
			result = p.Lang().Text("%d differences: %s", len(r.Different), p.someOf(r.Different))
		case len(r.Missing) > 0:
			result = p.Lang().Text("%d of %d questions verified; without a reply: %s", r.Verified, r.Questions, p.someOf(r.Missing))
		case len(r.OtherVersion)+r.Kept > 0:
			result = p.Lang().Text("in part")
		}
		rows[i] = []string{
			r.ID, fmt.Sprintf("%d/%d", r.Verified, r.Questions), fmt.Sprintf("%d/%d", r.Recomputed, r.Cells-r.Errors-r.Measured),
			strconv.Itoa(r.Errors),
			strconv.Itoa(r.Measured), strconv.Itoa(r.Reports), result,
		}
	}
	p.Table([]string{"RUN", "QUESTIONS VERIFIED", "SCORES RECOMPUTED", "ERRORS", "MEASURED", "REPORTS EQUAL", "RESULT"}, rows)
	for _, r := range v.Runs {
		if r.Kept > 0 {
			p.Say("run %s used another version of the offline provider (%s): %d scores follow from its outputs, which were taken as "+
				"they are stored, and not computed again", r.ID, p.sentence(r.OfflineVersion), r.Kept)
		}
		if len(r.OtherVersion) > 0 {
			p.notCompared(r)
		}
		if r.Taken > 0 {
			p.Say("run %s searched approximately: what it found for %d questions was taken as it is stored, and not searched again",
				r.ID, r.Taken)
		}
	}
	if v.Vectors.Stored > 0 {
		p.Say("vectors: %d of %d follow from the replies of embedding calls", v.Vectors.Recomputed, v.Vectors.Stored)
		for _, d := range v.Vectors.Different[:min(len(v.Vectors.Different), mostShown)] {
			p.Say("vector %s follows from no reply", d)
		}
	}
	for _, run := range v.NotComputed {
		if run.Kind == experiments.KindSweep {
			p.Say("nothing to compute: sweep %s has no answers of its own, and its runs are named above", run.ID)
			continue
		}
		p.Say("not computed again: run %s (%s, %s)", run.ID, p.Lang().Word("kind", string(run.Kind)),
			p.Lang().Word("state", string(run.State)))
	}
	if n := v.Notebook; n != nil {
		p.Say("notebook: %d of %d cells give the sealed result again; %d pages follow from the sealed results", n.Recomputed, n.Cells, n.Pages)
		for _, d := range n.Different[:min(len(n.Different), mostShown)] {
			p.Say("notebook: differs: %s", p.sentence(d))
		}
		for _, d := range n.NotChecked[:min(len(n.NotChecked), mostShown)] {
			p.Say("notebook: not checked: %s", p.sentence(d))
		}
	}
	p.findings(v.Findings)
	if !v.Sealed {
		p.Say("the study was written before rows were sealed: only what was computed again is verified")
	}
}

// notCompared names what another version made of a run, by the reasons.
func (p copyPrinter) notCompared(r archive.RunVerified) {
	parts := map[string][]string{}
	for _, n := range r.OtherVersion {
		parts[n.Why] = append(parts[n.Why], n.Part)
	}
	for _, why := range slices.Sorted(maps.Keys(parts)) {
		p.Say("run %s: parts that were not compared: %d (%s): %s", r.ID, len(parts[why]), p.sentence(why), p.someOf(parts[why]))
	}
}

// mostShown bounds how many of many things are named.
const mostShown = 10

// someOf joins the first of many sentences.
func (p copyPrinter) someOf(list []string) string {
	said := make([]string, min(len(list), mostShown))
	for i := range said {
		said[i] = p.sentence(list[i])
	}
	out := p.Lang().Parts(said)
	if more := len(list) - mostShown; more > 0 {
		out += p.Lang().Text("; and %d more", more)
	}
	return out
}

func (p copyPrinter) findings(list []doctor.Finding) {
	for _, f := range list {
		p.Say("%s  %s: %s", f.Invariant, f.SubjectIn(string(p.Lang())), p.sentence(f.Message))
	}
}

// sentence is what was found in the language of the program.
func (p copyPrinter) sentence(english string) string {
	return p.Lang().Noted(english)
}

// DoctorCmd is the verb doctor.
type DoctorCmd struct{}

// Help explains.
func (DoctorCmd) Help() string {
	return `Checks that runs, scores, bills and history agree with each other: one terminal state for every call, every score with a
usable reply behind it, bills equal to the sum of their calls, stored totals and chains equal to recomputation, no cell
written twice; that answers were made with the setup of their run, and that scores are what the stored verdicts give. And that no row differs from its seal, lacks one, or is gone while its seal is left: documents, questions, setups, requests,
replies, vectors, verdicts, answers, scores, events, reviews, agreements, fires that ended, the order of runs; and, as this program wrote
them last, schedules, share links, versions and comments of notebooks, notes and tags of runs.
The texts of notebooks are compared with their digests, and what the fires of schedules tell with the comparison of their runs. It changes and
creates nothing, and works on a full disk and on a read-only copy. A database that is missing, empty or of another version is said so.

Seals carry the mark of a key, the file seal.key in the data directory: a row that was changed together with its seal is found, and one that was
taken away together with its seal where its kind is counted. It does not notice that where the key is not here, or somebody has read it, unless
something can be computed again or points at the row; what was changed before there were seals, or before the key was made; and
files beside the database. An older server that still ran after an upgrade did not seal what it wrote, and looks like somebody who forges. These
rows have no seal, because people and processes change them: fires that have not ended, jobs, messages, traces, accounts, sign-ins, tokens,
added providers, mappings of indexes, probes, texts and removed cells of notebooks, pins, kept lists.

What is worth knowing while nothing is wrong is a note: a fire that another version of the program told of and this one reads otherwise,
answers and scores that this one keeps under other keys, or a workbook that is not here. With --json both are listed, under findings and notes.

Exit codes: 0 no problem was found, whatever the notes, 1 there is one.`
}

// Run checks.
func (DoctorCmd) Run(p *program.Program) error {
	return p.Looking(false, func(w *app.Workbench) error {
		report, err := checkup.Check(p.Context, checkup.Of(w, p.Version))
		if err != nil {
			return err
		}
		err = copies(p).checked(report, func(all checkup.Report) any { return all })
		if err == nil && !p.Flags.JSON {
			p.Say("no problem was found")
		}
		return err
	})
}

// checked shows what a check found, as JSON or as text; with findings the program ends as broken. Notes change no exit code.
func (p copyPrinter) checked(r checkup.Report, asJSON func(checkup.Report) any) error {
	r.Findings, r.Notes = app.NonNil(r.Findings), app.NonNil(r.Notes)
	for _, f := range r.Notes {
		p.Note("note: %s: %s", f.SubjectIn(string(p.Lang())), p.sentence(f.Message))
	}
	findings := r.Findings
	if p.Flags.JSON {
		if err := p.PrintJSON(asJSON(r)); err != nil {
			return err
		}
	} else {
		p.findings(findings)
	}
	if len(findings) > 0 {
		return program.ExitError(program.ExitBroken)
	}
	return nil
}
