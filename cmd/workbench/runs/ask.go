package runs

import (
	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// AskCmd is the verb ask.
type AskCmd struct {
	Question   string `arg:"" help:"The question."`
	Experiment string `help:"Registered name or experiment file." short:"e" required:"" placeholder:"NAME"`
	Plan       bool   `help:"Show what would be asked and what it costs, and stop. Makes no call."`
}

// Help shows examples.
func (AskCmd) Help() string {
	return `Answers one question with an experiment's base configuration and shows contexts and scores. A question of the dataset
is scored against its reference too. Nothing is stored as a run.

Examples:
  workbench ask "Can a Saver ticket be refunded?" -e faq-candidate --plan    what it would ask and cost
  workbench ask "Can a Saver ticket be refunded?" -e faq-candidate`
}

// Run asks.
func (c AskCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		e, _, err := w.Experiment(p.Context, c.Experiment)
		if err != nil {
			return err
		}
		if c.Plan {
			plan, err := w.PlanAsk(p.Context, e, c.Question)
			if err != nil {
				return err
			}
			return printing.Runs(p).PrintPlan(plan)
		}
		asked, err := w.Ask(p.Context, e, c.Question)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(asked)
		}
		p.Say("%s", program.Printable(asked.Answer.Text))
		p.Say("")
		if asked.Answer.Query != asked.Question.Text {
			p.Say("searched   %s", program.Printable(asked.Answer.Query))
		}
		printing.Runs(p).Contexts(asked.Setup.Config, asked.Answer.Hits)
		p.Say("")
		printing.Runs(p).JudgeBadge(experiments.Run{Setup: asked.Setup})
		result := experiments.Result{Scores: asked.Scores}
		rows := make([][]string, len(asked.Scores))
		for i, s := range asked.Scores {
			rows[i] = []string{p.Lang().Metric(s.Metric), printing.Runs(p).Cell(result, s.Metric), reasonOf(s)}
		}
		p.Table([]string{"METRIC", "SCORE", "WHY"}, rows)
		if asked.Spent != nil {
			p.Say("this question %s", p.Lang().Spending(*asked.Spent, w.Config.Currency))
		}
		return nil
	})
}

// reasonOf is the judge's reason; for cells without a score the cell names it already.
func reasonOf(s metrics.Score) string {
	if s.State != metrics.Scored {
		return ""
	}
	return program.Printable(s.Reason)
}
