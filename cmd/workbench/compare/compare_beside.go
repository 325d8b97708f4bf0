package compare

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// beside sets several runs beside the first of them.
func (c Cmd) beside(p *program.Program) error {
	if c.Verify || c.Ask != "" || len(c.Anchor) > 0 || len(c.Only) > 0 {
		return problem.New(problem.Invalid, "usage", "--verify, --question, --anchors and --only are about two runs, not %d", len(c.Runs)).
			WithHint("compare two of them: workbench compare %s %s", c.Runs[0], c.Runs[1])
	}
	return p.Reading(func(w *app.Workbench) error {
		v := views.NewViews(w)
		view, err := v.Beside(p.Context, c.Runs[0], c.Runs[1:])
		if err != nil {
			return err
		}
		query := views.BesideQuery{Page: listing.Page{Limit: -1}, Differ: !p.Flags.JSON}
		questions, err := v.BesideQuestions(p.Context, c.Runs[0], c.Runs[1:], query)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(struct {
				views.BesideView
				Rows []views.BesideRow `json:"rows"`
			}{view, questions.Items})
		}
		for _, r := range view.Runs {
			for _, warning := range r.Warnings {
				p.Warn("%s: %s", r.Run.RunID, warning.Text(string(p.Lang())))
			}
		}
		besideTable(p, view)
		p.Say("%s", view.Words.In(string(p.Lang())))
		p.Say("")
		p.Say("The runs disagree on %d of %d questions.", view.Disagreed, view.Questions)
		besideQuestions(p, view, questions.Items[:min(c.Most, len(questions.Items))])
		return nil
	})
}

// lowOf is how many answers are low of those of which it can be told.
func lowOf(p *program.Program, low, rated int) string {
	if rated == 0 {
		return p.Lang().Text("cannot be told")
	}
	return fmt.Sprintf("%d/%d", low, rated)
}

// besideTable prints a column for each run, the baseline first.
func besideTable(p *program.Program, view views.BesideView) {
	header := []string{"", "BASELINE " + view.Baseline.RunID}
	names, low := []string{"EXPERIMENT", view.Baseline.Experiment}, []string{"LOW", "-"}
	for i, r := range view.Runs {
		header, names = append(header, r.Run.RunID), append(names, r.Run.Experiment)
		low = append(low, lowOf(p, r.LowAfter, r.RatedAfter))
		if i == 0 {
			low[1] = lowOf(p, r.LowBefore, r.RatedBefore)
		}
	}
	rows := [][]string{names, low}
	for _, metric := range view.Metrics {
		row, decimals := []string{metric, "-"}, program.Decimals(metric)
		for _, r := range view.Runs { // one baseline stands beside them all
			if m, ok := r.Changes[metric]; ok {
				decimals = max(decimals, stats.DecimalsBeside(m.Baseline, m.Candidate, decimals))
			}
		}
		for _, r := range view.Runs {
			m, ok := r.Changes[metric]
			if !ok {
				row = append(row, "-")
				continue
			}
			row[1] = stats.Fixed(m.Baseline, decimals)
			is, shown := stats.Fixed(m.Candidate, decimals), stats.Signed(stats.Difference(m.Baseline, m.Candidate), decimals)
			cell := fmt.Sprintf("%s (%s)", is, shown)
			if m.CI != nil {
				cell = fmt.Sprintf("%s (%s; %s … %s)", is, shown, stats.Signed(m.CI[0], 2),
					stats.Signed(m.CI[1], 2))
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	for _, label := range []compare.Label{compare.Worse, compare.Mixed, compare.NeedsCheck, compare.NoChange, compare.Better} {
		row := []string{label.Word(string(p.Lang())), ""}
		for _, r := range view.Runs {
			row = append(row, strconv.Itoa(r.Labels.Of(label)))
		}
		rows = append(rows, row)
	}
	for _, name := range view.Parameters.Differing {
		row := []string{name, cmp.Or(view.Parameters.Runs[view.Baseline.RunID][name], "-")}
		for _, r := range view.Runs {
			row = append(row, cmp.Or(view.Parameters.Runs[r.Run.RunID][name], "-"))
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		row[0] = p.Lang().Format(row[0])
	}
	p.Table(header, rows)
}

// besideQuestions prints the verdict of each run on some questions.
func besideQuestions(p *program.Program, view views.BesideView, questions []views.BesideRow) {
	if len(questions) == 0 {
		return
	}
	header := []string{"QUESTION"}
	for _, r := range view.Runs {
		header = append(header, r.Run.RunID)
	}
	var rows [][]string
	for _, q := range questions {
		row := []string{q.QuestionID}
		for _, cell := range q.Cells {
			word := "-"
			if cell.Label != "" {
				word = cell.Label.Word(string(p.Lang()))
			}
			row = append(row, word)
		}
		rows = append(rows, append(row, q.Question))
	}
	p.Table(append(header, "TEXT"), rows)
}
