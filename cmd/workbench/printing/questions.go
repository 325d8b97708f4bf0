package printing

import (
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// QuestionReport prints the bars, the warnings and how far to trust them.
func (p CausePrinter) QuestionReport(r questions.QuestionReport, lang string) {
	p.Say("%s of %s, analysed in run %s", p.Lang().Many(len(r.Questions), "question"), r.Dataset, r.AnalyseID)
	if r.RunID != "" {
		switch {
		case r.LowUntold:
			p.Say("low scores of run %s cannot be told: no answer has a score by which it could be low", r.RunID)
		case len(r.OwnLow) > 0:
			p.Say("low scores are those of run %s: %s", r.RunID, experiments.Setup{Low: r.OwnLow}.LowRule().Short(lang))
		default:
			p.Say("low scores are those of run %s", r.RunID)
		}
	}
	category := func(id string) string { return questions.CategoryName(experiments.Category(id), lang) }
	p.labelTable("CATEGORY", r, r.Categories, category)
	for _, t := range r.Taxonomies {
		name := func(id string) string { return program.Printable(t.Name(id, lang)) }
		if t.ID == experiments.ThemeTaxonomy {
			p.labelTable("THEME", r, r.Themes, name)
		} else if bars, ok := r.Further[t.ID]; ok {
			p.labelTable(strings.ToUpper(t.ID), r, bars, name)
		}
	}
	p.labelTable("KEYWORD", r, r.Keywords[:min(15, len(r.Keywords))], program.Printable)
	for _, w := range r.Warnings {
		p.Say("not tested: %s", program.Printable(w.Text.In(lang)))
	}
	s := r.Reliability
	if s.ByText > 0 {
		p.Say("hops of %s are a guess from the wording: their evidence is not labelled, and none was found", p.Lang().Many(s.ByText, "question"))
	}
	if s.Churn != nil && len(r.Changed) > 0 {
		p.Say("%s with another label than in run %s (%.1f%% of those with the same wording)", p.Lang().
			Many(len(r.Changed), "question"), r.Previous, 100**s.Churn)
	}
	if len(r.Gained) > 0 {
		p.Say("%s without a theme in run %s: a theme that was added since is theirs now", p.Lang().Many(len(r.Gained), "question"), r.Previous)
	}
	for _, g := range s.Gold {
		kappa := p.Lang().Format("not defined")
		if g.Kappa != nil {
			kappa = p.Lang().Text("%.2f (95%%: %.2f to %.2f)", *g.Kappa, g.Interval.Low, g.Interval.High)
		}
		p.Say("%s against people: %d of %d agree, kappa %s", g.Taxonomy, g.Agree, g.N, kappa)
	}
	for _, c := range s.Confusable {
		p.Say("votes waver between %s and %s (%s%%): merge them, or sharpen their rules", program.Printable(c.A), program.Printable(c.B),
			stats.Percent(c.Share, 0))
	}
	if r.Offline {
		p.Note("Labelled by simple built-in rules: good for trying the tool, not for decisions.")
	}
}

func (p CausePrinter) labelTable(title string, r questions.QuestionReport, bars []questions.LabelCount, name func(string) string) {
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
			stats.PerCent(float64(b.Count)/float64(max(1, len(r.Questions))), 0)}
		if r.RunID != "" {
			low := strconv.Itoa(b.Low)
			if r.LowUntold {
				low = "-"
			}
			rows[i] = append(rows[i], low)
		}
	}
	p.Table(header, rows)
}
