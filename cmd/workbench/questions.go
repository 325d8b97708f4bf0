package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

type questionsCmd struct {
	Name           string   `arg:"" help:"Run, experiment or dataset." name:"run-or-dataset"`
	Judge          string   `help:"Who classifies, as provider/model; default the judge of the run, or the offline one." placeholder:"PROVIDER/MODEL"`
	Corpus         string   `help:"Of a dataset: the corpus in which its evidence lies; default that of its newest run." placeholder:"NAME"`
	Taxonomy       []string `help:"Lock this edited taxonomy first and assign to it. Repeatable." type:"path" placeholder:"FILE"`
	ExportTaxonomy string   `help:"Write the themes in force into this file, to be edited, and stop." type:"path" placeholder:"FILE"`
	NoSearch       bool     `help:"Where the dataset has no evidence, look for none: hops are then guessed from the wording, in fewer calls."`
	Show           bool     `help:"Print the newest analysis instead of making one."`
	buying
}

// Help explains.
func (questionsCmd) Help() string {
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
func (c questionsCmd) Run(p *program) error {
	budget, err := app.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	rules := analyses.QuestionRules{Judge: c.Judge, Corpus: c.Corpus, NoSearch: c.NoSearch, Select: c.selection(), Budget: budget}
	for _, path := range c.Taxonomy {
		t, err := experiments.ReadTaxonomy(path)
		if err != nil {
			return err
		}
		rules.Taxonomies = append(rules.Taxonomies, t)
	}
	return p.with(func(w *app.Workbench) error {
		switch {
		case c.ExportTaxonomy != "":
			return c.export(p, w)
		case c.Plan:
			plan, err := analyses.PlanQuestions(p.ctx, w, c.Name, rules)
			if err != nil {
				return err
			}
			return p.runs().printPlan(plan)
		case !c.Show:
			run, err := analyses.AnalyseQuestions(p.ctx, w, c.Name, rules)
			if err != nil {
				return p.runs().stopped(w, run.ID, err)
			}
			p.runs().cost(w, run)
			if err := covered(run); err != nil {
				return err
			}
		}
		report, err := analyses.QuestionReport(p.ctx, w, c.Name)
		if err != nil || p.flags.JSON {
			return firstError(err, func() error { return p.printJSON(report) })
		}
		p.causes().questionReport(report, string(p.lang()))
		return nil
	})
}

// export writes the themes in force. It overwrites nothing.
func (c questionsCmd) export(p *program, w *app.Workbench) error {
	t, err := analyses.Themes(p.ctx, w, c.Name)
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
	p.say("wrote %s: %s, %s", c.ExportTaxonomy, t, p.lang().many(len(t.Labels), "label"))
	return nil
}

// questionReport prints the bars, the warnings and how far to trust them.
func (p causePrinter) questionReport(r questions.QuestionReport, lang string) {
	p.say("%s of %s, analysed in run %s", p.lang().many(len(r.Questions), "question"), r.Dataset, r.AnalyseID)
	category := func(id string) string { return questions.CategoryName(experiments.Category(id), lang) }
	p.labelTable("CATEGORY", r, r.Categories, category)
	for _, t := range r.Taxonomies {
		name := func(id string) string { return printable(t.Name(id, lang)) }
		if t.ID == experiments.ThemeTaxonomy {
			p.labelTable("THEME", r, r.Themes, name)
		} else if bars, ok := r.Further[t.ID]; ok {
			p.labelTable(strings.ToUpper(t.ID), r, bars, name)
		}
	}
	p.labelTable("KEYWORD", r, r.Keywords[:min(15, len(r.Keywords))], printable)
	for _, w := range r.Warnings {
		p.say("not tested: %s", printable(w.Text.In(lang)))
	}
	s := r.Reliability
	if s.ByText > 0 {
		p.say("hops of %s are a guess from the wording: no evidence is known", p.lang().many(s.ByText, "question"))
	}
	if s.Churn != nil {
		p.say("%s with another label than in run %s (%.1f %% of those with the same wording)", p.lang().
			many(len(r.Changed), "question"), r.Previous, 100**s.Churn)
	}
	if len(r.Gained) > 0 {
		p.say("%s had no theme in that run and has one that was added since", p.lang().many(len(r.Gained), "question"))
	}
	for _, g := range s.Gold {
		kappa := "not defined"
		if g.Kappa != nil {
			kappa = fmt.Sprintf("%.2f (95 %%: %.2f to %.2f)", *g.Kappa, g.Interval.Low, g.Interval.High)
		}
		p.say("%s against people: %d of %d agree, kappa %s", g.Taxonomy, g.Agree, g.N, kappa)
	}
	for _, c := range s.Confusable {
		p.say("votes waver between %s and %s (%.0f %%): merge them, or sharpen their rules", printable(c.A), printable(c.B), 100*c.Share)
	}
	if r.Offline {
		p.note("Labelled by simple built-in rules: good for trying the tool, not for decisions.")
	}
}

func (p causePrinter) labelTable(title string, r questions.QuestionReport, bars []questions.LabelCount, name func(string) string) {
	if len(bars) == 0 {
		return
	}
	header := []string{title, "QUESTIONS", "SHARE"}
	if r.RunID != "" {
		header = append(header, "LOW SCORES")
	}
	rows := make([][]string, len(bars))
	for i, b := range bars {
		rows[i] = []string{name(b.Label), strconv.Itoa(b.Count),
			fmt.Sprintf("%.0f %%", 100*float64(b.Count)/float64(max(1, len(r.Questions))))}
		if r.RunID != "" {
			rows[i] = append(rows[i], strconv.Itoa(b.Low))
		}
	}
	p.table(header, rows)
}
