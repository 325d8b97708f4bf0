package analyses

import (
	"errors"
	"io/fs"
	"os"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// QuestionsCmd is the verb questions.
type QuestionsCmd struct {
	Name           string   `arg:"" help:"Run, experiment or dataset." name:"run-or-dataset"`
	Judge          string   `help:"Who classifies, as provider/model; default the judge of the run, or the offline one." placeholder:"PROVIDER/MODEL"`
	Corpus         string   `help:"Of a dataset: the corpus in which its evidence lies; default that of its newest run." placeholder:"NAME"`
	Taxonomy       []string `help:"Lock this edited taxonomy first and assign to it. Repeatable." type:"path" placeholder:"FILE"`
	ExportTaxonomy string   `help:"Write the themes in force into this file, to be edited, and stop." type:"path" placeholder:"FILE"`
	NoSearch       bool     `help:"Where the dataset has no evidence, look for none: hops are then guessed from the wording, in fewer calls."`
	Show           bool     `help:"Print the newest analysis instead of making one."`
	program.Buying
}

// Help explains.
func (QuestionsCmd) Help() string {
	return `Says of every question whether it needs one place of the corpus or several (from its evidence, where the dataset has it), whether
it asks for a specific item or an explanation, its theme and its keywords, and what the dataset does not test. Themes are proposed
once and locked for the dataset's name: a question whose wording is unchanged keeps its label. docs/questions.md has the method,
and a taxonomy for risks as an example.

Examples:
  workbench questions faq                                    the questions of the newest run of faq, with its low scores
  workbench questions faq-153                                the questions of a dataset
  workbench questions faq --plan                             what it would ask and cost
  workbench questions faq --budget 1.50 --judge openai/gpt-4.1-mini
  workbench questions faq --export-taxonomy themes.yaml      then edit names, rules, labels, and
  workbench questions faq --taxonomy themes.yaml             assign again
  workbench questions faq --taxonomy risk.yaml --lang ja
  workbench questions faq --show --json`
}

// Run analyses, plans, exports or shows.
func (c QuestionsCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	rules := analyses.QuestionRules{Judge: c.Judge, Corpus: c.Corpus, NoSearch: c.NoSearch, Select: c.Selection(), Budget: budget}
	for _, path := range c.Taxonomy {
		t, err := experiments.ReadTaxonomy(path)
		if err != nil {
			return err
		}
		rules.Taxonomies = append(rules.Taxonomies, t)
	}
	return p.With(func(w *app.Workbench) error {
		switch {
		case c.ExportTaxonomy != "":
			return c.export(p, w)
		case c.Plan:
			plan, err := analyses.PlanQuestions(p.Context, w, c.Name, rules)
			if err != nil {
				return err
			}
			return printing.Runs(p).PrintPlan(plan)
		case !c.Show:
			run, err := analyses.AnalyseQuestions(p.Context, w, c.Name, rules)
			if err != nil {
				return printing.Runs(p).Stopped(w, run.ID, err)
			}
			printing.Runs(p).Cost(w, run)
			if err := program.Covered(run); err != nil {
				return err
			}
		}
		report, err := analyses.QuestionReport(p.Context, w, c.Name)
		if err != nil || p.Flags.JSON {
			return firstError(err, func() error { return p.PrintJSON(report) })
		}
		printing.Causes(p).QuestionReport(report, string(p.Lang()))
		return nil
	})
}

// export writes the themes in force. It overwrites nothing.
func (c QuestionsCmd) export(p *program.Program, w *app.Workbench) error {
	t, err := analyses.Themes(p.Context, w, c.Name)
	if err != nil {
		return err
	}
	body, err := t.YAML()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.ExportTaxonomy, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return problem.New(problem.Conflict, "file_exists", "%s is there already", c.ExportTaxonomy).
			WithHint("name another file, or remove it first")
	}
	if err != nil {
		return problem.New(problem.Invalid, "taxonomy_path", "cannot write %s", c.ExportTaxonomy).Because(err)
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	p.Say("wrote %s: %s, %s", c.ExportTaxonomy, t, p.Lang().Many(len(t.Labels), "label"))
	return nil
}
