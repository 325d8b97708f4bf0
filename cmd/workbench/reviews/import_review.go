package reviews

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ImportReviewCmd is the verb import-review.
type ImportReviewCmd struct {
	File            string `arg:"" help:"Workbook of workbench report with its review columns filled in (.xlsx)."`
	Reviewer        string `help:"Who reviewed, for rows that do not say so themselves." placeholder:"NAME"`
	Apply           bool   `help:"Store the reviews." xor:"apply"`
	DryRun          bool   `help:"Only show what would happen: the default." xor:"apply"`
	ApplyReferences bool   `help:"Also make a dataset version with the corrected references; with --apply."`
}

// Help explains.
func (ImportReviewCmd) Help() string {
	return `The workbook that workbench report writes has columns for people: verdict, correctness, trust, cause, corrected reference, action,
priority, comment. Fill them in, save, and import the workbook. Rows may be sorted, filtered and deleted, but the hidden columns must stay.

Nothing is overwritten: each reviewer's word stands beside the judge's scores, a changed mind is kept as the next revision, and importing
the same workbook again changes nothing. Rows that cannot be taken are named with sheet, row and column, and the exit code is 5.

Examples:
  workbench import-review report.xlsx --reviewer "CS (lead)"            what would happen
  workbench import-review report.xlsx --reviewer "CS (lead)" --apply
  workbench import-review report.xlsx --apply --apply-references        also the next version of the dataset`
}

// Run imports.
func (c ImportReviewCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		done, err := reviews.ImportReviews(p.Context, w, c.File,
			reviews.ReviewImport{Reviewer: c.Reviewer, Apply: c.Apply, References: c.ApplyReferences})
		if err != nil {
			return err
		}
		figures := []progress.ReviewFigures{}
		if done.Applied {
			for _, run := range done.Runs {
				f, err := reviews.ReviewFigures(p.Context, w, run)
				if err != nil {
					return err
				}
				figures = append(figures, f)
			}
		}
		if p.Flags.JSON {
			if err := p.PrintJSON(map[string]any{"import": done, "figures": figures}); err != nil {
				return err
			}
			return leftOut(done)
		}
		printerOf(p).imports(done)
		for _, f := range figures {
			printerOf(p).reviewFigures(f)
		}
		return leftOut(done)
	})
}

// leftOut is the problem that ends the command with code 5 when rows could not be taken.
func leftOut(done reviews.ImportedReviews) error {
	if done.LeftOut == 0 {
		return nil
	}
	return problem.New(problem.Incomplete, "reviews_left_out", "%d filled-in rows could not be taken", done.LeftOut).
		With("rows", done.LeftOut).
		WithHint("correct what is named above in the workbook and import it again; rows that were taken are not taken twice")
}

func (p reviewPrinter) imports(done reviews.ImportedReviews) {
	counts := []any{done.New, done.Changed, done.Known, done.LeftOut, done.Blank}
	if done.Applied {
		p.Say("stored %d new and %d changed reviews; %d were known, %d rows are left out, %d are blank", counts...)
	} else {
		p.Say("would store %d new and %d changed reviews; %d were known, %d rows are left out, %d are blank", counts...)
	}
	if len(done.Conflicts) > 0 {
		p.Say("")
		p.Say("conflicts:")
	}
	for _, c := range done.Conflicts {
		p.Say("  %s", program.OneLine(c.In(string(p.Lang())), 400))
	}
	if len(done.References) > 0 {
		p.Say("")
		rows := make([][]string, len(done.References))
		for i, r := range done.References {
			rows[i] = []string{r.Dataset, r.QuestionID, r.Old, r.New, strings.Join(r.Reviewers, ", ")}
		}
		p.Table([]string{"DATASET", "QUESTION", "REFERENCE", "CORRECTED", "BY"}, rows)
	}
	switch {
	case len(done.Datasets) > 0:
		for _, ref := range done.Datasets {
			p.Say("made %s with the corrected references; the next run uses it", ref)
		}
	case len(done.References) > 0:
		p.Note("the dataset does not have these references yet: --apply --apply-references makes its next version")
	}
	if !done.Applied {
		p.Note("nothing was stored; add --apply")
	}
}

// reviewFigures prints how far people and judge agree, and what the headlines are when people are right.
func (p reviewPrinter) reviewFigures(f progress.ReviewFigures) {
	if f.Reviews == 0 {
		return
	}
	p.Say("")
	p.Say("run %s: %d of %d answers are reviewed by %s", f.RunID, len(f.Labels), f.Answers, strings.Join(f.Reviewers, ", "))
	if f.Stale > 0 {
		p.Note("%d reviews were made of answers that have changed since; they count for nothing", f.Stale)
	}
	var rows [][]string
	for _, group := range []struct {
		who     string
		figures []progress.RaterFigures
	}{{"people and judge", f.Judge}, {"people among each other", f.People}} {
		for _, r := range group.figures {
			ci := "-"
			if r.CI95 != nil {
				ci = fmt.Sprintf("%.2f … %.2f", r.CI95.Low, r.CI95.High)
			}
			rows = append(rows, []string{p.Lang().Text(group.who), p.Lang().
				Text(r.Of), strconv.Itoa(r.N), stats.PerCent(r.Percent, 0), kappaText(r.Kappa),
				kappaText(r.Alpha), ci})
		}
	}
	if len(rows) > 0 {
		p.Table([]string{"AGREEMENT OF", "ON", "N", "EQUAL", "KAPPA", "ALPHA", "95% (KAPPA, ELSE ALPHA)"}, rows)
	}
	for _, r := range f.Judge {
		if ok, known := f.Accepts(r.Of); known && !ok {
			p.Warn("people and judge agree too little on %s to trust the judge alone: kappa is below 0.60, or more than 0.10 below that of people among each other",
				p.Lang().Text(r.Of))
		}
	}
	rows = nil
	for _, c := range f.Corrected {
		if c.Labels == 0 {
			continue
		}
		share, decimals := c.Metric == progress.IncorrectShare, 2
		if share {
			decimals = 1
		}
		corrected, ci := "-", p.labelsNeeded(c.Needs)
		if c.Estimate != nil {
			corrected = agreedAmount(c.Estimate, share, decimals)
			ci = agreedAmount(&c.CI95.Low, share, decimals) + " … " + agreedAmount(&c.CI95.High, share, decimals)
		}
		rows = append(rows, []string{p.meanOf(c.Metric), agreedAmount(&c.Judge, share, decimals), corrected, ci,
			strconv.Itoa(c.Labels), strconv.Itoa(c.N)})
	}
	if len(rows) > 0 {
		p.Say("")
		p.Table([]string{"MEAN OF", "JUDGE", "CORRECTED BY PEOPLE", "95%", "LABELS", "ANSWERS"}, rows)
		p.Note("corrected means take the labels for a random choice within the low scores and within the others")
	}
}

func kappaText(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *v)
}

// labelsNeeded says which labels are missing.
func (p reviewPrinter) labelsNeeded(list []progress.LabelNeed) string {
	var out []string
	for _, n := range list {
		text := "review %d more of the %d others, chosen at random"
		if n.Low {
			text = "review %d more of the %d low scores, chosen at random"
		}
		out = append(out, p.Lang().Text(text, n.Want-n.Have, n.Of))
	}
	return p.Lang().Parts(out)
}

// meanOf names what a corrected mean is the mean of.
func (p reviewPrinter) meanOf(metric string) string {
	if metric == progress.IncorrectShare {
		return p.Lang().Text("incorrect share")
	}
	return p.Lang().Text(metric)
}
