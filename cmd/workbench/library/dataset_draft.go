package library

import (
	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type datasetDraftCmd struct {
	Corpus string `arg:"" help:"Registered corpus: name, or name@version."`
	N      int    `help:"How many questions, a quarter of each category." name:"n" default:"40" placeholder:"N" type:"count"`
	Out    string `help:"Sheet to write, .xlsx or .jsonl; default CORPUS-draft.xlsx." type:"path" placeholder:"FILE"`
	Judge  string `help:"Who writes them, as provider/model; default the offline rules." placeholder:"PROVIDER/MODEL"`
	Seed   uint64 `help:"Another seed begins with other passages." default:"0" placeholder:"N"`
	Plan   bool   `help:"Show what would be asked and what it costs, and stop. Makes no call."`
	Budget string `help:"What may be spent: an amount in the price file's currency (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Help explains.
func (datasetDraftCmd) Help() string {
	return `Proposes questions with references and evidence from passages of a corpus: single-hop and multi-hop, specific and abstract. Every
quote is checked against its document. A draft is not a dataset: read each row, correct it, and write accepted into the column
review_status; importing the sheet takes only those rows.

Examples:
  workbench dataset draft manual                             40 questions into manual-draft.xlsx, by offline rules
  workbench dataset draft manual --judge openai/gpt-4.1 --plan
  workbench dataset draft manual --judge openai/gpt-4.1 --n 80 --out draft.xlsx --budget 3.00
  workbench dataset import draft.xlsx --name faq --corpus manual`
}

// Run drafts or plans.
func (c datasetDraftCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	rules := analyses.DraftRules{N: c.N, Out: c.Out, Judge: c.Judge, Seed: c.Seed, Budget: budget}
	return p.With(func(w *app.Workbench) error {
		if c.Plan {
			plan, err := analyses.PlanDraft(p.Context, w, c.Corpus, rules)
			if err != nil {
				return err
			}
			return printing.Runs(p).PrintPlan(plan)
		}
		d, err := analyses.DraftDataset(p.Context, w, c.Corpus, rules)
		for _, n := range d.Notes {
			p.Note("note: %s", p.Lang().Noted(n))
		}
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(d)
		}
		p.Say("drafted %s into %s", p.Lang().Many(d.Questions, "question"), d.Path)
		for _, category := range experiments.Categories() {
			p.Say("  %s: %d", questions.CategoryName(category, string(p.Lang())), d.ByCat[string(category)])
		}
		p.Say("next: read them, write accepted into review_status, then: workbench dataset import %s --corpus %s", d.Path, c.Corpus)
		if d.Offline {
			p.Note("Written by the built-in offline rules: gaps and headings, to try the way of working; a model writes real questions (--judge).")
		}
		return nil
	})
}
