package schedules

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// mostChecked bounds the fires that are read at once.
const mostChecked = 100_000

// CheckFires computes what the fires of schedules tell again from their runs: fires have no seal, because they move forward. A fire whose
// runs have got votes since, or are gone, is only held against itself; so is one of a notebook, which sums up several comparisons. Which
// version of the program told a fire is not kept, so what differs is said with both reasons for it.
func CheckFires(ctx context.Context, w *app.Workbench) (found []doctor.Finding, err error) {
	fires, err := w.Whole.Fires(ctx, experiments.FireList{Limit: mostChecked})
	if err != nil {
		return nil, err
	}
	schedules, err := w.Whole.Schedules(ctx)
	if err != nil {
		return nil, err
	}
	of := map[string]experiments.Schedule{}
	for _, s := range schedules {
		of[s.Name] = s
	}
	for _, f := range fires {
		tell := func(format string, args ...any) {
			found = append(found, doctor.Finding{Invariant: "fire", Subject: "fire " + f.Schedule + " " + f.NominalAt.UTC().Format(
				"2006-01-02T15:04:05Z"), Message: fmt.Sprintf(format, args...)})
		}
		stray := slices.DeleteFunc(slices.Clone(f.NewlyWorse), func(id string) bool { return slices.Contains(f.Worse, id) })
		if len(stray) > 0 {
			tell("it tells %d answers as newly worse that it does not tell as worse", len(stray))
		}
		if f.Workbook != "" && w.Options.DataDir != "" {
			if _, err := os.Stat(filepath.Join(w.Options.DataDir, filepath.FromSlash(f.Workbook))); os.IsNotExist(err) {
				tell("its workbook %s is not there", f.Workbook)
			}
		}
		if s, known := of[f.Schedule]; f.State != experiments.FireRan || f.Baseline == "" || f.Gate == "" || !known || s.Notebook != "" {
			continue
		}
		still, err := asTold(ctx, w, f)
		if err != nil {
			return nil, err
		}
		if !still {
			continue
		}
		var anchors []string
		if f.Anchors != "" {
			anchors = []string{f.Baseline, f.Anchors}
		}
		c, _, err := w.Compare(ctx, f.Baseline, f.RunID, anchors...)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // its runs are told of elsewhere
		}
		worse, told := worseIn(c), slices.Clone(f.Worse)
		slices.Sort(worse)
		slices.Sort(told)
		if !slices.Equal(worse, told) || c.VerdictCounts.Mixed != f.Mixed || c.VerdictCounts.Better != f.Better ||
			c.LowBefore != f.LowBefore {
			tell("it tells %d answers as worse, %d as mixed and %d as better, and the comparison of its runs %d, %d and %d"+
				": it was changed, or told by another version of the program",
				len(told), f.Mixed, f.Better, len(worse), c.VerdictCounts.Mixed, c.VerdictCounts.Better)
		}
		gate, err := reporting.Gate(ctx, w, f.Baseline, f.RunID, compare.DefaultGateRules())
		if err == nil && string(gate.Decision) != f.Gate {
			tell("its gate was told as %s, and its runs give %s: it was changed, or told by another version of the program", f.Gate, gate.Decision)
		}
	}
	return found, nil
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
