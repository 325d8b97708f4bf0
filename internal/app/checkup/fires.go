package checkup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/sealed"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// mostChecked bounds the fires that are read at once.
const mostChecked = 100_000

// fires computes what the fires of schedules tell again from their runs. Seals tell of those that were changed after they ended; this, of
// those that were wrong when they did, or that were forged together with their seal. A fire whose runs have got votes since, or are gone,
// is only held against itself; so is one of a notebook, which sums up several comparisons. What another version of the program told, or one
// that names no release, is only noted where it differs: the rules may have changed since. So is a workbook that lies on another host.
func fires(ctx context.Context, p Place) (r Report, err error) {
	all, err := p.Store.Fires(ctx, experiments.FireList{Limit: mostChecked})
	if problem.CodeOf(err) == "row_unreadable" {
		return r, nil // V8 tells of it
	}
	if err != nil || len(all) == 0 {
		return r, err
	}
	notebooks, err := notebooksOf(ctx, p)
	if err != nil {
		return r, err
	}
	w, moved, err := reader(ctx, p, judgesOf(ctx, p, all))
	if err != nil {
		return r, err
	}
	for _, f := range all {
		one := told{f, &r}
		one.alone(ctx, p)
		if f.State != experiments.FireRan || f.Baseline == "" || f.Gate == "" || f.Version == "" && notebooks[f.Schedule] {
			continue
		}
		still, err := asTold(ctx, w, f)
		if err != nil {
			return r, err
		}
		if still {
			if err := one.compare(ctx, w, p.Version, moved, all); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// notebooksOf are the names that schedules have or had which execute notebooks; a fire from before versions were kept does not say.
func notebooksOf(ctx context.Context, p Place) (map[string]bool, error) {
	schedules, err := p.Store.Schedules(ctx)
	out := map[string]bool{}
	for _, s := range schedules {
		out[s.Name] = s.Notebook != ""
	}
	return out, err
}

// judgesOf are the providers of the judges of what fires compared.
func judgesOf(ctx context.Context, p Place, fires []experiments.Fire) (names []string) {
	for _, f := range fires {
		run, err := p.Store.Run(ctx, f.RunID)
		if name := run.Setup.Judge.Provider; err == nil && f.RunID != "" && name != "offline" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// told is a fire that is looked at.
type told struct {
	experiments.Fire
	report *Report
}

func (t told) said(format string, args ...any) doctor.Finding {
	return doctor.Finding{Invariant: "fire", Subject: "fire " + t.Schedule + " " + t.NominalAt.UTC().Format("2006-01-02T15:04:05Z"),
		Message: fmt.Sprintf(format, args...)}
}

// alone holds a fire against itself, its run and the disk.
func (t told) alone(ctx context.Context, p Place) {
	dir := p.DataDir
	if t.Version != "" && t.RunID != "" { // else it may be one of a notebook, whose runs may be older
		if run, err := p.Store.Run(ctx, t.RunID); err == nil && run.Setup.Fire != t.ID {
			t.report.Findings = append(t.report.Findings, t.said("its run %s was not made for it", t.RunID))
		}
	}
	t.anchored(ctx, p)
	stray := slices.DeleteFunc(slices.Clone(t.NewlyWorse), func(id string) bool { return slices.Contains(t.Worse, id) })
	if len(stray) > 0 {
		t.report.Findings = append(t.report.Findings, t.said("it tells %d answers as newly worse that it does not tell as worse", len(stray)))
	}
	if t.Workbook == "" || dir == "" {
		return
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(t.Workbook))); os.IsNotExist(err) {
		t.report.Notes = append(t.report.Notes, t.said("its workbook %s is not here: it may lie on the host that wrote it", t.Workbook))
	}
}

// anchored holds what a fire says of the run in which the judge judged answers of its baseline again against the runs that are there.
// That it says nothing of one is only noted: where judging was broken off, somebody may have finished it since.
func (t told) anchored(ctx context.Context, p Place) {
	if run, err := p.Store.Run(ctx, t.Anchors); t.Anchors != "" && err == nil {
		switch {
		case run.Setup.Rejudge != t.ID:
			t.report.Findings = append(t.report.Findings, t.said("in run %s the judge did not judge answers again for it",
				t.Anchors))
		case run.ParentID != t.Baseline: // what a program before this rule kept of an earlier baseline
			t.report.Notes = append(t.report.Notes, t.said("in run %s the judge judged answers of another run than its baseline again",
				t.Anchors))
		}
	}
	if t.State != experiments.FireRan || t.Baseline == "" {
		return
	}
	runs, err := p.Store.Runs(ctx, experiments.RunFilter{ParentID: t.Baseline, Kind: experiments.KindVerify})
	if err != nil {
		return // told of elsewhere
	}
	for _, run := range runs {
		if run.Setup.Rejudge == t.ID && run.ID != t.Anchors && run.State == experiments.Finished {
			t.report.Notes = append(t.report.Notes, t.said("in run %s the judge judged the answers of its baseline again for it, and it does "+
				"not say so: what the judge's change is told from may be another run, or none", run.ID))
		}
	}
}

// compare holds what a fire tells against the comparison of its runs.
func (t told) compare(ctx context.Context, w *app.Workbench, version string, moved map[string]bool, all []experiments.Fire) error {
	var anchors []string
	if t.Anchors != "" {
		anchors = []string{t.Baseline, t.Anchors}
	}
	c, both, err := w.Compare(ctx, t.Baseline, t.RunID, anchors...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return nil //nolint:nilerr // its runs are told of elsewhere
	}
	run, err := w.Store.Run(ctx, t.RunID) // with its own totals: those of votes that were bought later are not what was told
	if err != nil {
		return err
	}
	tell := t.tells(version, moved[both[1].Run.Setup.Judge.Provider])
	if wrong := unlike(t.Fire, t.again(c, run, all)); len(wrong) > 0 {
		tell("its figures are not those that its runs give (told → given): %s", strings.Join(wrong, "; "))
	}
	rules, err := reporting.OfSchedule(t.Schedule, t.Limits).Rules()
	if err != nil {
		tell("its limits cannot be read: %s", problem.From(err).Message)
		return ctx.Err()
	}
	gate, err := reporting.Gate(ctx, w, t.Baseline, t.RunID, rules)
	if err == nil && string(gate.Decision) != t.Gate {
		tell("its release check was told as %s, and its runs give %s", t.Gate, gate.Decision)
	}
	return ctx.Err()
}

// tells says of a difference: as a finding where the same program told of the fire from the same replies, else as a note.
func (t told) tells(version string, moved bool) func(finding string, args ...any) {
	sure := sealed.SameProgram(t.Version, version) && !moved
	return func(finding string, args ...any) {
		if sure {
			t.report.Findings = append(t.report.Findings, t.said(finding, args...))
			return
		}
		t.report.Notes = append(t.report.Notes, t.said("told by version %s; this version, %s, reads otherwise: %s",
			orUnknown(t.Version), version, fmt.Sprintf(finding, args...)))
	}
}

// again is the fire as its runs give it now. What they do not say stays as it was told: which scores an earlier attempt of a run with
// errors had, and what was new where the fire before cannot be known for certain.
func (t told) again(c compare.Comparison, run experiments.Run, all []experiments.Fire) experiments.Fire {
	f := t.Fire
	c.Tell(&f)
	if run.Totals != nil && len(run.Totals.Errors) == 0 {
		f.TellScores(run)
	}
	if before, known := beforeIn(t.Fire, all); known {
		f.TellNew(before)
	}
	return f
}

// beforeIn is the fire before one, nil where there was none; false where that is not certain: the fire named another when it began, as
// several may be under way at once.
func beforeIn(f experiments.Fire, all []experiments.Fire) (before *experiments.Fire, known bool) {
	for i, o := range all {
		if o.Schedule == f.Schedule && o.State == experiments.FireRan && o.RunID != "" && o.NominalAt.Before(f.NominalAt) &&
			(before == nil || o.NominalAt.After(before.NominalAt)) {
			before = &all[i]
		}
	}
	if before == nil {
		return nil, f.Previous == ""
	}
	return before, before.RunID == f.Previous && !before.FinishedAt.After(f.StartedAt)
}

// unlike are the figures in which two fires differ, as they were told and as they are given.
func unlike(told, given experiments.Fire) (wrong []string) {
	number := func(name string, was, is int) {
		if was != is {
			wrong = append(wrong, fmt.Sprintf("%s %d → %d", name, was, is))
		}
	}
	questions := func(name string, was, is []string) {
		was, is = slices.Sorted(slices.Values(was)), slices.Sorted(slices.Values(is))
		if len(was) == len(is) && !slices.Equal(was, is) {
			wrong = append(wrong, fmt.Sprintf("%s %s → %s", name, strings.Join(was, ","), strings.Join(is, ",")))
		}
		number(name, len(was), len(is))
	}
	questions("worse", told.Worse, given.Worse)
	questions("newly_worse", told.NewlyWorse, given.NewlyWorse)
	number("mixed", told.Mixed, given.Mixed)
	number("needs_check", told.NeedsCheck, given.NeedsCheck)
	number("better", told.Better, given.Better)
	number("low_before", told.LowBefore, given.LowBefore)
	number("low", told.Low, given.Low)
	number("scored", told.Scored, given.Scored)
	if told.Drift != given.Drift {
		wrong = append(wrong, fmt.Sprintf("drift %q → %q", told.Drift, given.Drift))
	}
	return wrong
}

func orUnknown(version string) string {
	if version == "" {
		return "(not kept)"
	}
	return version
}

// asTold reports whether the runs of a fire are there and got no votes since it told of them.
func asTold(ctx context.Context, w *app.Workbench, f experiments.Fire) (bool, error) {
	for _, id := range []string{f.Baseline, f.RunID} {
		if _, err := w.Store.Run(ctx, id); err != nil {
			return false, nil //nolint:nilerr // a run that is gone is told of elsewhere
		}
		children, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: id})
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(children, func(r experiments.Run) bool {
			return r.Kind != experiments.KindDiagnose && r.Kind != experiments.KindQuestions && r.CreatedAt.After(f.FinishedAt)
		}) {
			return false, nil
		}
	}
	return true, nil
}
