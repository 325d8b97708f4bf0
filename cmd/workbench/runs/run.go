package runs

import (
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// RunCmd is the verb run.
type RunCmd struct {
	Experiments []string `arg:"" optional:"" help:"Registered names or experiment files; without any, the files in experiments/, compared with the first."`
	program.Buying
}

// Help shows examples.
func (RunCmd) Help() string {
	return `Examples:
  workbench run                             every file in experiments/, with comparison and workbook
  workbench run faq.yaml                    register the file and run its base configuration
  workbench run faq --plan                  what it would ask and cost
  workbench run faq --budget 2.50           stop before more is spent; runs resume goes on
  workbench run faq other --json            an array of results
  workbench run faq --limit 10 --filter theme:refunds
  workbench run faq --memory 500MB          search indexes hold no more; results are the same

Without names, the run of the first file becomes the baseline of its dataset where that has none. A pinned baseline stays:
only "workbench baseline set RUN" changes it.

Exit codes: 0 done, 1 broken, 2 usage or configuration, 5 incomplete (scored < 95%), 130 interrupted.`
}

// Run runs.
func (c RunCmd) Run(p *program.Program) error {
	all := len(c.Experiments) == 0
	if all {
		files, err := experimentFiles()
		if err != nil {
			return err
		}
		c.Experiments = files
	}
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		jobs, analyses := make([]app.Job, len(c.Experiments)), make([][]string, len(c.Experiments))
		for i, name := range c.Experiments {
			e, _, changed, err := w.ExperimentAgain(p.Context, name)
			if err != nil {
				return err
			}
			printing.Runs(p).Revised(e, changed)
			printing.Runs(p).Doubts(e.Definition)
			if jobs[i], err = w.Job(p.Context, e, c.Selection()); err != nil {
				return err
			}
			jobs[i].Budget = budget
			analyses[i] = e.Definition.Analyses
			if err := p.ThresholdOf(w, e); err != nil {
				return err
			}
		}
		if c.Plan {
			return printing.Runs(p).Plan(w, jobs)
		}
		if err := printing.Runs(p).EvidenceGone(w, jobs); err != nil {
			return err
		}
		runs := make([]experiments.Run, len(jobs))
		for i, j := range jobs {
			var err error
			if runs[i], err = w.Run(p.Context, j); err != nil {
				return printing.Runs(p).Stopped(w, runs[i].ID, err)
			}
		}
		printing.Runs(p).Cost(w, runs...)
		if err := printing.Runs(p).Results(runs, len(c.Experiments) == 1); err != nil {
			return err
		}
		for i, run := range runs {
			if err := printing.Runs(p).Analyse(w, run, []experiments.Run{run}, analyses[i], budget); err != nil {
				return err
			}
		}
		if all && len(runs) > 1 && !p.Flags.JSON {
			if err := compareAll(p, w, runs); err != nil {
				return err
			}
		}
		return program.Covered(runs...)
	})
}

// experimentFiles are the files that `workbench run` takes when it is given no name.
func experimentFiles() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(app.ExperimentsDir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, problem.New(problem.Invalid, "usage", "run needs the name of an experiment, or files in %s/", app.ExperimentsDir).
			WithHint("workbench init DOCS QUESTIONS writes them; workbench experiment list shows registered ones")
	}
	slices.Sort(files)
	return files, nil
}
