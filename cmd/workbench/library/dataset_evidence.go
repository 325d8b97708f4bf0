package library

import (
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type datasetEvidenceCmd struct {
	Dataset string `arg:"" help:"Registered dataset: name, or name@version."`
	Corpus  string `help:"Corpus to look through; default that of the dataset's newest run." placeholder:"CORPUS"`
	Out     string `help:"Sheet to write, .xlsx or .jsonl; default DATASET-evidence.xlsx." type:"path" placeholder:"FILE"`
	Judge   string `help:"Who decides whether a passage says it, as provider/model; default the offline judge." placeholder:"PROVIDER/MODEL"`
	Plan    bool   `help:"Show what would be asked at most and what it costs, and stop. Makes no call."`
	Budget  string `help:"What may be spent: an amount in the price file's currency (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Help explains.
func (datasetEvidenceCmd) Help() string {
	return `Looks through a whole corpus for the places that say what the references say, for the questions that have no evidence yet, and writes the
dataset as a sheet: found places are proposed, with their quotes; everything else stands as it is: kept is evidence from before, and none is where
nothing was found. Read what is proposed, write accepted into evidence_status, and import the sheet: it becomes the next version of the
dataset. Questions whose evidence you do not accept stay without.

Examples:
  workbench dataset evidence faq                              where do the answers stand? by offline rules
  workbench dataset evidence faq --judge openai/gpt-4.1 --plan
  workbench dataset evidence faq --corpus manual@2 --out faq.xlsx
  workbench dataset import faq-evidence.xlsx --name faq --corpus manual`
}

// Run looks or plans.
func (c datasetEvidenceCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	rules := analyses.EvidenceRules{Corpus: c.Corpus, Judge: c.Judge, Out: c.Out, Budget: budget}
	return p.With(func(w *app.Workbench) error {
		if c.Plan {
			plan, err := analyses.PlanEvidence(p.Context, w, c.Dataset, rules)
			if err != nil {
				return err
			}
			return printing.Runs(p).PrintPlan(plan)
		}
		found, err := analyses.FindEvidence(p.Context, w, c.Dataset, rules)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(found)
		}
		p.Say("evidence of %s in %s: found for %s, for a part of the reference in %d, none for %d", found.Dataset, found.Corpus, p.Lang().
			Many(found.Whole, "question"), found.Part, found.None)
		p.Say("  had some before: %d; nothing to look for: %d", found.Known, found.Unasked)
		if found.Whole+found.Part == 0 {
			return nil
		}
		dataset, _, _ := strings.Cut(found.Dataset, "@")
		corpus, _, _ := strings.Cut(found.Corpus, "@")
		p.Say("next: read the proposed rows of %s, write accepted into evidence_status, then: workbench dataset import %s --name %s --corpus %s", found.Path, found.Path, dataset, corpus)
		if found.Offline {
			p.Note("Looked for by the built-in offline rules: words that agree, no understanding; a model reads passages (--judge).")
		}
		return nil
	})
}
