package runs

import (
	"fmt"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// How many answers the first comparison shows.
const (
	firstWorse  = 10
	firstBetter = 2
)

// compareAll sets every further run beside the first and writes a workbook for the last pair.
func compareAll(p *program.Program, w *app.Workbench, runs []experiments.Run) error {
	if err := pinWhereNone(p, w, runs[0]); err != nil {
		return err
	}
	for _, candidate := range runs[1:] {
		comparison, both, err := w.Compare(p.Context, runs[0].ID, candidate.ID)
		if err != nil {
			return err
		}
		p.Say("")
		p.Say("%s compared with %s:", candidate.Setup.Experiment, runs[0].Setup.Experiment)
		printing.Comparisons(p).Said(w, comparison, both)
		printing.Comparisons(p).WorseAnswers(comparison, both, firstWorse)
		printing.Comparisons(p).BetterAnswers(comparison, both, firstBetter)
		lang := "en"
		if p.Lang() == program.Japanese || len(both[1].Questions) > 0 && both[1].Questions[0].Lang == "ja" {
			lang = "ja"
		}
		report, err := reporting.Report(p.Context, w, runs[0].ID, candidate.ID, lang, p.Version, reporting.GateAsked{})
		if err != nil {
			return err
		}
		file := fmt.Sprintf("report-%s.xlsx", candidate.ID)
		if err := program.WriteWhole(file, report.WriteXLSX); err != nil {
			return err
		}
		p.Say("")
		p.Say("wrote %s", file)
	}
	return nil
}

// pinWhereNone makes a run the baseline of its dataset where that has none. One that is pinned stays: only people move it, because gates
// and schedules judge by it.
func pinWhereNone(p *program.Program, w *app.Workbench, run experiments.Run) error {
	dataset := run.Setup.Dataset.Name
	pinned, err := w.Store.Baseline(p.Context, dataset)
	switch {
	case problem.CodeOf(err) == "baseline_unknown":
		if _, err := w.SetBaseline(p.Context, run.ID); err != nil {
			return err
		}
		p.Say("run %s is the baseline of dataset %s, which had none", run.ID, dataset)
	case err != nil:
		return err
	case pinned.RunID != run.ID:
		p.Say("the baseline of dataset %s stays run %s; to change it: workbench baseline set %s", dataset, pinned.RunID, run.ID)
	}
	return nil
}
