package analyses

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/simulation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

type validateRegressionsCmd struct {
	Experiment string   `help:"Compare this experiment with itself instead of simulating: its name or file." placeholder:"NAME"`
	Runs       int      `help:"Simulated runs of each world; those of means ten times as many." default:"100" placeholder:"N" type:"count"`
	Seed       uint64   `help:"Of all chance: equal seeds give equal figures." default:"1" placeholder:"N"`
	Replicates int      `help:"With --experiment: votes for each question; 6 are three for each arm." placeholder:"N" type:"count"`
	Plan       bool     `help:"With --experiment: show what it would cost, and stop. Makes no call."`
	Budget     string   `help:"With --experiment: what may be spent, as an amount (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
	Limit      int      `help:"With --experiment: only the first N questions." placeholder:"N"`
	Filter     []string `help:"With --experiment: only questions with this tag, or critical. Repeatable." placeholder:"TAG"`
}

// Help shows examples.
func (validateRegressionsCmd) Help() string {
	return `Shows how far the word "worse" can be trusted. Without an experiment it plays made-up comparisons whose truth is known through
the regression guard, beside "any lower score is worse" and "the mean of three votes", with the figures of the design in
brackets. With an experiment it asks the same questions several times of the same configuration and compares the votes with
each other: whatever differs is noise of this project's generator and judge.

Examples:
  workbench validate regressions                         made-up worlds, about half a minute
  workbench validate regressions --runs 20 --json
  workbench validate regressions --experiment faq --plan
  workbench validate regressions --experiment faq --replicates 6 --budget 2.50`
}

// Run validates.
func (c validateRegressionsCmd) Run(p *program.Program) error {
	if c.Experiment == "" {
		if c.Plan || c.Budget != "" || c.Replicates != 0 || c.Limit != 0 || len(c.Filter) > 0 {
			return problem.New(problem.Invalid, "usage",
				"--replicates, --plan, --budget, --limit and --filter belong to --experiment; simulating buys nothing").
				WithHint("workbench validate regressions --experiment NAME --plan")
		}
		return c.simulate(p)
	}
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	rules := validations.SelfRules{Votes: c.Replicates, Seed: c.Seed, Budget: budget}
	selection := app.Select{Limit: c.Limit, Filter: c.Filter}
	return p.With(func(w *app.Workbench) error {
		e, _, err := w.Experiment(p.Context, c.Experiment)
		if err != nil {
			return err
		}
		if c.Plan {
			plan, err := validations.PlanSelf(p.Context, w, e, selection, rules)
			if err != nil || p.Flags.JSON {
				return firstError(err, func() error { return p.PrintJSON(plan) })
			}
			p.Say("compare %s with itself: %s, at most about %s, %s", e.Name, p.Lang().Many(plan.Votes, "vote"), p.Lang().
				Many(plan.Calls, "call"), p.Lang().Price(plan.Micros, plan.Known, plan.Currency))
			return nil
		}
		test, err := validations.CompareSelf(p.Context, w, e, selection, rules)
		if err != nil {
			last := test.RunID
			if n := len(test.Children); n > 0 {
				last = test.Children[n-1]
			}
			return printing.Runs(p).Stopped(w, last, err)
		}
		if p.Flags.JSON {
			return p.PrintJSON(test)
		}
		selfTest(p, test, w.Config.Currency)
		return nil
	})
}

func firstError(err error, otherwise func() error) error {
	if err != nil {
		return err
	}
	return otherwise()
}

// mostSimulated keeps a typing mistake from simulating for days.
const mostSimulated = 10_000

func (c validateRegressionsCmd) simulate(p *program.Program) error {
	if c.Runs < 1 || c.Runs > mostSimulated {
		return problem.New(problem.Invalid, "usage", "--runs %d: 1 to %d make sense", c.Runs, mostSimulated).
			WithHint("100 give shares to about ±0.03")
	}
	s, err := simulation.Run(c.Runs, c.Seed, func(done, of int, what string) error {
		if worlds := simulation.DesignWorlds(); done < len(worlds) {
			return stepped(p, done, of, worldName(p.Lang(), worlds[done]))
		}
		return stepped(p, done, of, p.Lang().Format(what))
	})
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(s)
	}
	simulated(p, s)
	return nil
}

// clearLine begins a line of progress anew on a terminal.
func clearLine(live bool) string {
	if live {
		return "\r\x1b[K"
	}
	return ""
}

// beside is a measured figure with the design's in brackets.
func beside(measured, design simulation.Figure, format string) string {
	text := "-"
	if measured.Known() {
		text = fmt.Sprintf(format, float64(measured))
	}
	if design.Known() {
		text += " (" + fmt.Sprintf(format, float64(design)) + ")"
	}
	return text
}

// alone is a measured figure.
func alone(measured simulation.Figure, format string) string {
	return beside(measured, simulation.Figure(math.NaN()), format)
}

// worldName is a made-up world in the language of the program.
func worldName(l program.Language, w simulation.NoiseWorld) string {
	if l == program.English {
		return w.Name()
	}
	noise := l.Text("uneven noise")
	if w.Even {
		noise = l.Text("even noise")
	}
	name := l.Text("%s, %s, flip %g%%", l.Format(string(w.Scores)), noise, 100*w.Flip)
	if w.Pinned > 1 {
		name += l.Text(", baseline pinned with %d votes", w.Pinned)
	}
	return name
}

// detectorName is what calls an answer worse, in the language of the program.
func detectorName(l program.Language, d simulation.Detector) string {
	switch d {
	case simulation.AnyDrop:
		return l.Text("any drop")
	case simulation.DropOfDelta:
		return l.Text("drop of delta")
	case simulation.MeanOfThree:
		return l.Text("mean of three")
	case simulation.GuardDetector:
		return l.Text("guard")
	}
	return string(d)
}

// simulated prints the tables of a simulation.
func simulated(p *program.Program, s simulation.Simulation) {
	p.Say("200 questions, 10 of them really worse, 5 better; in brackets the figures of the design. Calls come on top of one vote for each answer.")
	var rows [][]string
	for _, t := range s.Worlds {
		name := worldName(p.Lang(), t.World)
		for _, r := range t.Rows {
			m, d := r.Measured, r.Design
			rows = append(rows, []string{
				name, detectorName(p.Lang(), r.Detector), beside(m.Power, d.Power, "%.2f"), beside(m.FalseFlags, d.FalseFlags, "%.1f"),
				beside(m.Precision, d.Precision, "%.2f"),
				beside(m.Alarms, d.Alarms, "%.2f"), beside(m.Extra, d.Extra, "%.0f"), beside(m.ExtraAlike, d.ExtraAlike, "%.0f"),
			})
			name = ""
		}
	}
	p.Table([]string{"WORLD", "CALLED WORSE BY", "FOUND", "FALSE", "PRECISION", "FALSE IF NOTHING CHANGED", "CALLS", "IF NOTHING CHANGED"},
		rows)
	p.Say("")
	p.Say("Questions that the generator answers right only sometimes: why a check answers again")
	rows = nil
	for _, r := range s.Flaky {
		how := p.Lang().Text("judge the stored answer again")
		if r.Regenerate {
			how = p.Lang().Text("answer and judge again")
		}
		m, d := r.Measured, r.Design
		rows = append(rows, []string{
			stats.PerCent(r.Share, 0), how, beside(m.Alarms, d.Alarms, "%.2f"), beside(m.Power, d.Power, "%.2f"),
			beside(m.FDR, d.FDR, "%.2f"),
		})
	}
	p.Table([]string{"SUCH QUESTIONS", "CHECKED BY", "FALSE IF NOTHING CHANGED", "FOUND", "SHARE FALSE"}, rows)
	meansSimulated(p, s)
}

func meansSimulated(p *program.Program, s simulation.Simulation) {
	p.Say("")
	p.Say("Share of comparisons that find a difference of the mean where there is none, at a nominal 5%%")
	var rows [][]string
	for _, r := range s.Clusters {
		m, d := r.Measured, r.Design
		asked := fmt.Sprintf("%d × %d", r.Clusters, r.Size)
		if r.Largest > 0 {
			asked = fmt.Sprintf("%d + %d × %d", r.Largest, r.Clusters-1, r.Size)
		}
		rows = append(rows, []string{
			fmt.Sprintf("%s, ICC %g", asked, r.ICC), beside(m.PairedT, d.PairedT, "%.3f"),
			beside(m.Robust, d.Robust, "%.3f"), beside(m.CR1, d.CR1, "%.3f"),
			beside(m.Bootstrap, d.Bootstrap, "%.3f"), beside(m.SignFlip, d.SignFlip, "%.3f"),
		})
	}
	p.Table([]string{"DOCUMENTS × QUESTIONS", "PLAIN T", "CLUSTER T (OURS)", "CLUSTER T (TEXTBOOK)", "CLUSTER BOOTSTRAP",
		"CLUSTER SIGN FLIP"}, rows)
	p.Say("")
	p.Say("The release check with a margin of 0.05 and scores of SD 0.35, beside two simpler rules")
	rows = nil
	for _, r := range s.Gate {
		m, d := r.Measured, r.Design
		rows = append(rows, []string{
			strconv.Itoa(r.Questions), fmt.Sprintf("%+.2f", r.Effect), p.Lang().Text("%d at %g", r.Looks, r.Alpha),
			beside(m.Dropped, d.Dropped, "%.2f"),
			beside(m.Significant, d.Significant, "%.2f"), beside(m.Pass, d.Pass, "%.2f"), beside(m.Fail, d.Fail, "%.2f"),
			beside(m.Inconclusive, d.Inconclusive, "%.2f"),
		})
	}
	p.Table([]string{"QUESTIONS", "TRUE CHANGE", "LOOKS", "LOWER MEAN BLOCKS", "P < .05 BLOCKS", "PASS", "FAIL", "INCONCLUSIVE"}, rows)
}

// selfTest prints what comparing an experiment with itself showed.
func selfTest(p *program.Program, t validations.SelfTest, currency string) {
	if t.Settled {
		p.Say("%s is deterministic: generator and judge give the same reply to the same request, so there is no noise to measure, and nothing was bought.", t.Experiment)
		p.Say("Every difference between two of its runs is a difference of the configurations, and one vote settles it.")
		return
	}
	r := t.Result
	p.Say("%s against itself: %s asked %d times each, dealt into %s of two equal arms", t.Experiment, p.Lang().
		Many(r.Questions, "question"), r.Votes, p.Lang().Many(r.Splits, "comparison"))
	var rows [][]string
	for _, m := range r.Metrics {
		worse := "-"
		if m.Gate {
			worse = fmt.Sprintf("%.2f", m.Worse)
		}
		rows = append(rows, []string{
			p.Lang().Metric(m.Metric), fmt.Sprintf("%.1f", m.AnyDrop), fmt.Sprintf("%.1f", m.Drop), worse, alone(m.Noise, "%.3f"),
			alone(m.Reliability, "%.2f"), alone(m.SameQuestion, "%.3f"),
			alone(m.VisibleOne, "%.3f"), alone(m.VisibleAll, "%.3f"),
		})
	}
	p.Say("answers wrongly called worse in each comparison, the noise of one vote, and the smallest changes that can be seen:")
	p.Table([]string{"METRIC", "ANY DROP", "DROP OF DELTA", "WORKBENCH", "NOISE SD", "ICC", "ONE QUESTION", "MEAN, 1 VOTE",
		p.Lang().Text("MEAN, %d VOTES", max(1, r.Votes/2))}, rows)
	p.Say("")
	p.Say("%s", selfSentences(p.Lang(), *r))
	if t.Bought > 0 {
		p.Say("%s bought with %s for %s", p.Lang().Many(t.Bought, "vote"), p.Lang().Many(t.Calls, "call"), p.Lang().
			Price(t.Micros, t.Known, currency))
	}
}

// selfSentences says the result to people in a hurry, for the first metric that decides.
func selfSentences(l program.Language, r simulation.SelfComparison) string {
	for _, m := range r.Metrics {
		if !m.Gate {
			continue
		}
		parts := []string{
			l.Text("%s: painting every lower score red would have marked %.1f of %d answers although nothing changed; "+
				"the workbench calls %.2f worse.", l.Metric(m.Metric), m.AnyDrop, r.Questions, m.Worse),
		}
		if m.SameQuestion.Known() {
			parts = append(parts,
				l.Text("A change below %.2f on one question is within noise; a change of the mean is seen from about %.2f on.",
					float64(m.SameQuestion), float64(m.VisibleOne)))
		}
		if m.Reliability.Known() && m.Reliability < 0.6 {
			parts = append(parts, l.Text("The judge is so noisy (ICC under 0.6) that it should be mended before runs are compared."))
		}
		return strings.Join(parts, l.Text(" "))
	}
	return l.Text("No metric of the suite decides what is worse.")
}
