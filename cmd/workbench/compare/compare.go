// Package compare holds the verbs that set runs, or files of scores, beside each other: compare, baseline, gate, report.
package compare

import (
	"runtime/debug"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Cmd is the verb compare.
type Cmd struct {
	Runs   []string `arg:"" help:"BASELINE CANDIDATE; CANDIDATE alone; BASELINE and up to five others; or two files of scores."`
	Most   int      `name:"list" aliases:"worst" help:"List at most N answers: the first of those that got worse, or that --only asks for." default:"10" placeholder:"N"`
	Ask    string   `name:"question" help:"Show what changed for this question: contexts, answer, scores." placeholder:"ID"`
	Anchor []string `name:"anchors" help:"Two runs over answers that never change, or one with replicates: they tell a judge's drift." placeholder:"RUN"`
	Only   []string `help:"List only answers with this verdict: worse, mixed, needs_check, no_change, better. Repeatable." placeholder:"LABEL"`
	verifyFlags
	fileFlags
}

// Help shows examples.
func (Cmd) Help() string {
	return `CANDIDATE alone is compared with the pinned baseline; up to five others stand side by side with BASELINE. Runs are named by their
ids, the beginnings of these, or experiments (the newest finished run that is no part of a sweep); files of scores come from any tool.

Questions are matched by id, or by text where ids changed, and must have an equal reference. Each gets one of five verdicts:
worse, mixed, needs check, no change, better. Correctness decides and trust guards it, unless the experiment says otherwise
(decide_by). Where generator and judge are deterministic one vote settles a verdict; otherwise a difference of one vote needs a
check, until replicates of the question decide.

Examples:
  workbench compare 3f2a 9c41
  workbench compare faq-old faq-new
  workbench compare 9c41                   against the pinned baseline
  workbench compare 3f2a 9c41 77d0         side by side: the verdict of each against the first
  workbench compare faq-old faq-new --question q17     contexts and answers side by side
  workbench compare faq-old faq-new --json --only worse
  workbench compare faq-old faq-new --verify --plan    what checking would cost; without --plan it checks

Two files (.csv, .tsv, .jsonl, .json, .xlsx) with a column id or question, optionally replicate, and one column of numbers for each
metric are compared without a data directory; so are result files of Ragas, DeepEval, promptfoo, RAGChecker, MLflow and
Langfuse, as they are. Their scores decide; no judge of ours is asked.
  workbench compare old.csv new.csv
  workbench compare ragas-april.csv ragas-may.csv

Exit codes: 0 done, 5 checking stopped early, 6 not comparable.`
}

// Run compares.
func (c Cmd) Run(p *program.Program) error {
	if scoreFiles(c.Runs) {
		return c.files(p)
	}
	if len(c.Runs) > 2 {
		return c.beside(p)
	}
	rules, err := c.verifyFlags.rules()
	if err != nil {
		return err
	}
	only, err := labelsOf(c.Only)
	if err != nil {
		return err
	}
	baseline, candidate := "", c.Runs[len(c.Runs)-1]
	if len(c.Runs) == 2 {
		baseline = c.Runs[0]
	}
	defer program.Thrifty(program.CompareHeap, debug.SetGCPercent)()
	open := p.Reading
	if c.Verify {
		open = p.With // it buys
	}
	return open(func(w *app.Workbench) error {
		if done, err := c.verify(p, w, baseline, candidate, rules); done || err != nil {
			return err
		}
		comparison, both, err := app.CompareInShort(p.Context, w, baseline, candidate, c.Anchor...)
		if err != nil {
			return err
		}
		if both[0].Run.ID == both[1].Run.ID && !p.Flags.JSON {
			p.Say("run %s is compared with itself, so nothing can differ; name two runs", both[0].Run.ID)
			return nil
		}
		if c.Ask != "" {
			return compareQuestion(p, comparison, both, c.Ask)
		}
		onlyLabels(&comparison, only)
		warnings := comparison.Warnings
		if len(only) == 0 && !p.Flags.JSON {
			warnings = comparison.WarningsBeside()
		}
		for _, warning := range warnings {
			p.Warn("%s", warning.Text(string(p.Lang())))
		}
		printing.Comparisons(p).NotCompared(comparison)
		if len(only) > 0 && !p.Flags.JSON {
			printing.Comparisons(p).Only(comparison, both, c.Most, only)
			return nil
		}
		return c.print(p, w, comparison, both)
	})
}

// print says what came of a comparison.
func (c Cmd) print(p *program.Program, w *app.Workbench, comparison compare.Comparison, both [2]experiments.Evaluation) error {
	found, err := reporting.Findings(p.Context, w, comparison, both, compare.DefaultGateRules())
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(struct {
			Baseline  string `json:"baseline"`
			Candidate string `json:"candidate"`
			compare.Comparison
			Sentences findings.Sentences `json:"sentences"`
			Findings  findings.Findings  `json:"findings"`
		}{comparison.Baseline.ID, comparison.Candidate.ID, comparison, found.Said(), found})
	}
	printing.Runs(p).JudgeBadge(comparison.Candidate)
	p.Say("baseline %s (%s), candidate %s (%s)", comparison.Baseline.ID,
		printing.NameOf(comparison.Baseline, p.Lang()), comparison.Candidate.ID,
		printing.NameOf(comparison.Candidate, p.Lang()))
	printing.Comparisons(p).Changed(found)
	printing.Comparisons(p).Opening(found.Open(findings.CommandText, string(p.Lang())))
	printing.Comparisons(p).Verdicts(comparison)
	printing.Comparisons(p).ChangeTable(comparison)
	why(p, comparison)
	if err := printing.Causes(p).CauseChanges(w, both); err != nil {
		return err
	}
	printing.Comparisons(p).WorseAnswers(comparison, both, c.Most)
	printing.Comparisons(p).BetterAnswers(comparison, both, 0) // says how to see them
	c.verifyHint(p, w, comparison, both)
	return nil
}

// BaselineCmd is the verb baseline.
type BaselineCmd struct {
	Set   baselineSetCmd   `cmd:"" help:"Pin a finished run as the baseline of its dataset."`
	Show  baselineShowCmd  `cmd:"" help:"Show the pinned baselines."`
	Clear baselineClearCmd `cmd:"" help:"Unpin the baseline of a dataset."`
}

type baselineSetCmd struct {
	Run_       string `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name."` //nolint:revive // Run is the verb
	Replicates int    `help:"Ask and judge again until every question has N votes: later comparisons then need fewer. 3 is recommended." placeholder:"N" type:"count"`
	Plan       bool   `help:"With --replicates: show what that costs, and stop. Makes no call."`
}

// Run pins.
func (c baselineSetCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		if done, err := c.replicates(p, w); done || err != nil {
			return err
		}
		b, err := w.SetBaseline(p.Context, c.Run_)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(b)
		}
		p.Say("run %s is the baseline of dataset %s", b.RunID, b.Dataset)
		run, err := w.Store.Run(p.Context, b.RunID)
		if part := len(run.Setup.Questions); err == nil && part > 0 {
			p.Warn("it was over %d questions and not over the whole dataset: a release check counts the others as missing", part)
		}
		return err
	})
}

type baselineShowCmd struct{}

// Run shows.
func (baselineShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		list, err := w.Store.Baselines(p.Context)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(list)
		}
		if len(list) == 0 {
			p.Say("none; pin one with: workbench baseline set RUN")
			return nil
		}
		rows := make([][]string, len(list))
		for i, b := range list {
			rows[i] = []string{b.Dataset, b.RunID, b.SetAt.Format("2006-01-02 15:04")}
		}
		p.Table([]string{"DATASET", "RUN", "SET (UTC)"}, rows)
		return nil
	})
}

type baselineClearCmd struct {
	Dataset string `arg:"" help:"Name of the dataset."`
}

// Run unpins.
func (c baselineClearCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		if err := w.Store.ClearBaseline(p.Context, c.Dataset); err != nil {
			return err
		}
		p.Say("dataset %s has no baseline any more; the run itself stays", c.Dataset)
		return nil
	})
}
