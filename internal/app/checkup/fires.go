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
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// mostChecked bounds the fires that are read at once.
const mostChecked = 100_000

// fires computes what the fires of schedules tell again from their runs: fires have no seal, because they move forward. A fire whose
// runs have got votes since, or are gone, is only held against itself; so is one of a notebook, which sums up several comparisons. What
// another version of the program told, or one that names no release, is only noted where it differs: the rules may have changed since.
// So is a workbook that lies on another host.
func fires(ctx context.Context, p Place) (r Report, err error) {
	all, err := p.Store.Fires(ctx, experiments.FireList{Limit: mostChecked})
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
		one.alone(p.DataDir)
		if f.State != experiments.FireRan || f.Baseline == "" || f.Gate == "" || f.Version == "" && notebooks[f.Schedule] {
			continue
		}
		still, err := asTold(ctx, w, f)
		if err != nil {
			return r, err
		}
		if still {
			if err := one.compare(ctx, w, p.Version, moved); err != nil {
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

// alone holds a fire against itself and against the disk.
func (t told) alone(dir string) {
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

// compare holds what a fire tells against the comparison of its runs.
func (t told) compare(ctx context.Context, w *app.Workbench, version string, moved map[string]bool) error {
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
	sure := t.Version == version && released(version) && !moved[both[1].Run.Setup.Judge.Provider]
	tell := func(finding string, args ...any) {
		if sure {
			t.report.Findings = append(t.report.Findings, t.said(finding, args...))
			return
		}
		t.report.Notes = append(t.report.Notes, t.said("told by version %s; this version, %s, reads otherwise: %s",
			orUnknown(t.Version), version, fmt.Sprintf(finding, args...)))
	}
	worse, before := worseIn(c), slices.Sorted(slices.Values(t.Worse))
	if !slices.Equal(worse, before) || c.VerdictCounts.Mixed != t.Mixed || c.VerdictCounts.Better != t.Better ||
		c.LowBefore != t.LowBefore {
		tell("it tells %d answers as worse, %d as mixed and %d as better, and the comparison of its runs %d, %d and %d",
			len(before), t.Mixed, t.Better, len(worse), c.VerdictCounts.Mixed, c.VerdictCounts.Better)
	}
	gate, err := reporting.Gate(ctx, w, t.Baseline, t.RunID, compare.DefaultGateRules())
	if err == nil && string(gate.Decision) != t.Gate {
		tell("its gate was told as %s, and its runs give %s", t.Gate, gate.Decision)
	}
	return ctx.Err()
}

// released reports whether a version names one program: builds from a working tree share a name and differ.
func released(version string) bool {
	return version != "" && version != "dev" && version != "development" && !strings.HasSuffix(version, "-dirty")
}

func orUnknown(version string) string {
	if version == "" {
		return "(not kept)"
	}
	return version
}

// worseIn are the questions whose verdict is worse, in their order.
func worseIn(c compare.Comparison) (ids []string) {
	for _, v := range c.With(compare.Worse) {
		ids = append(ids, v.QuestionID)
	}
	slices.Sort(ids)
	return ids
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
