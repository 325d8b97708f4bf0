package serve

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

type scheduleRunNowCmd struct {
	scheduleName
	NoWait bool `help:"Leave the fire to a server or worker." name:"no-wait"`
	notebookFolder
}

// Help shows examples.
func (scheduleRunNowCmd) Help() string {
	return `Works the fire in this process, unless a server takes it first, and shows what it found. It buys within the schedule's budget.

Examples:
  workbench schedule run-now production
  workbench schedule run-now production --no-wait

Exit codes: 0 it ran, 3 its gate says FAIL, 5 it failed or was skipped.`
}

// Run fires.
func (c scheduleRunNowCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		f, err := schedules.RunNow(p.Context, w, c.Name)
		if err == nil && !c.NoWait {
			f, err = scheduler(p, w, c.Notebooks).WorkFire(p.Context, f.ID)
		}
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			err = p.PrintJSON(f)
		} else {
			err = schedulesOf(p).fire(w, f)
		}
		if err != nil {
			return err
		}
		switch {
		case f.State == experiments.FireFailed || f.State == experiments.FireSkipped || f.State == experiments.FireMissed:
			return problem.New(problem.Incomplete, "fire_"+string(f.State), "the fire %s: %s", f.State, f.Reason).With("fire", f.ID)
		case f.Gate == "FAIL":
			return program.ExitError(program.ExitGateFail)
		}
		return nil
	})
}

// fire prints what one fire found.
func (p schedulePrinter) fire(w *app.Workbench, f experiments.Fire) error {
	p.Say("fire %s of schedule %s: %s", f.ID, f.Schedule, p.Lang().Word(fireStates, string(f.State)))
	if f.Reason != "" {
		p.Say("  %s", program.Printable(p.reason(f.Reason, "")))
	}
	switch {
	case f.RunID == "":
	case f.Low == 0 && f.Scored == 0:
		p.Say("  run %s: low scores cannot be told: no answer has a score by which it could be low", f.RunID)
	default:
		p.Say("  run %s: %d low scores of %d", f.RunID, f.Low, f.Scored)
	}
	if f.Baseline != "" {
		newly := program.Printable(strings.Join(f.NewlyWorse, ", "))
		if f.Previous == "" { // nothing is newly so where nothing was before
			p.Say("  against the baseline %s: %d worse, %d mixed, %d better, %d need a check; there is no earlier fire", f.Baseline,
				len(f.Worse), f.Mixed, f.Better, f.NeedsCheck)
		} else {
			p.Say("  against %s: %d worse (%d newly), %d mixed, %d better, %d need a check", f.Baseline, len(f.Worse),
				len(f.NewlyWorse), f.Mixed, f.Better, f.NeedsCheck)
		}
		switch {
		case len(f.NewlyWorse) == 0:
		case f.Previous == "":
			p.Say("  worse: %s", newly)
		default:
			p.Say("  newly worse: %s", newly)
		}
	}
	if f.Gate != "" {
		p.Say("  release check %s", p.decision(f.Gate))
	}
	if f.Drift != "" {
		p.Say("  %s", p.drift(f.Drift))
	}
	if path := schedules.FireWorkbook(w, f); path != "" {
		p.Say("  workbook: %s", path)
	}
	p.Say("  cost: %s", p.spent(experiments.Budget{Micros: f.Spent, Calls: f.Calls}, w.Config.Currency))
	caution, err := schedules.GateCaution(p.Context, w, f)
	p.caution(caution)
	return err
}

// decision is what a gate decided, as people read it; "" where there was none.
func (p schedulePrinter) decision(gate string) string {
	return compare.DecisionWord(stats.Decision(gate), string(p.Lang()))
}

// caution says what the decisions of gates are worth; nothing where no offline judge scored.
func (p schedulePrinter) caution(worth *findings.Text) {
	if worth != nil {
		p.Say("%s", worth.In(string(p.Lang())))
	}
}

// drift is how the judge changed, with the names of the metrics.
func (p schedulePrinter) drift(written string) string {
	changes, ok := strings.CutPrefix(written, compare.DriftSaid)
	if !ok || p.Lang() != program.Japanese {
		return written
	}
	parts := strings.Split(changes, ", ")
	for i, part := range parts {
		metric, by, _ := strings.Cut(part, " ")
		parts[i] = p.Lang().Metric(metric) + " " + by
	}
	return strings.ReplaceAll(frontend.Words("ja", "schedules.drift"), "{{metrics}}", p.Lang().List(parts))
}

type scheduleNextCmd struct {
	Name string `arg:"" optional:"" help:"Name of the schedule; or give --cron."`
	N    int    `help:"How many, 1 to 100." short:"n" default:"10" placeholder:"N"`
	Cron string `help:"Of a timetable that no schedule has yet." placeholder:"CRON"`
	Zone string `help:"Time zone of --cron." default:"UTC" placeholder:"ZONE"`
}

// Help shows examples.
func (scheduleNextCmd) Help() string {
	return `Examples:
  workbench schedule next production
  workbench schedule next --cron '30 2 * * *' --zone Europe/Berlin -n 100`
}

// Run prints.
func (c scheduleNextCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		zone, slots, err := c.slots(p, w)
		if err != nil {
			return err
		}
		shown, err := schedules.SlotsIn(zone, slots)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(shown)
		}
		rows := [][]string{}
		for _, s := range shown {
			at, err := time.Parse(time.RFC3339, s.Local)
			if err != nil {
				return err
			}
			day := p.Lang().Day
			rows = append(rows, []string{day(at) + at.Format(" 15:04 -07:00 ") + s.Zone, day(s.UTC) + s.UTC.Format(" 15:04")})
		}
		p.Table([]string{zone, "UTC"}, rows)
		return nil
	})
}

func (c scheduleNextCmd) slots(p *program.Program, w *app.Workbench) (zone string, slots []time.Time, err error) {
	if c.Cron != "" {
		slots, err = schedules.PreviewSlots(w, c.Cron, c.Zone, time.Time{}, c.N)
		return c.Zone, slots, err
	}
	if c.Name == "" {
		return "", nil, problem.New(problem.Invalid, "schedule_field", "name a schedule, or a timetable with --cron").
			WithHint("workbench schedule next --help")
	}
	s, err := schedules.Schedule(p.Context, w, c.Name)
	if err != nil {
		return "", nil, err
	}
	slots, err = schedules.NextSlots(p.Context, w, c.Name, c.N)
	return s.Zone, slots, err
}

type scheduleFiresCmd struct {
	Name  string `arg:"" optional:"" help:"Name of the schedule; default all."`
	Limit int    `help:"The newest so many; 0 is all." short:"n" default:"20" placeholder:"N"`
}

// Help shows examples.
func (scheduleFiresCmd) Help() string {
	return `Every slot ends as ran, skipped, missed or failed, with a reason.

Examples:
  workbench schedule fires production
  workbench schedule fires --json -n 0`
}

// Run lists.
func (c scheduleFiresCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		zone := "UTC"
		if c.Name != "" {
			if s, err := schedules.Schedule(p.Context, w, c.Name); err == nil {
				zone = s.Zone
			} else if !problem.Is(err, problem.NotFound) {
				return err
			}
		}
		fires, err := schedules.FireRowsOf(p.Context, w, c.Name, program.PageOf(c.Limit))
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(fires.Items)
		}
		schedulesOf(p).fires(w, fires, zone)
		return nil
	})
}

// fires prints what became of slots, and what the decisions of their gates are worth.
func (p schedulePrinter) fires(w *app.Workbench, fires schedules.FireRows, zone string) {
	rows := [][]string{}
	for _, f := range fires.Items {
		found := []string{p.drift(f.Drift), p.reason(f.Reason, zone)}
		switch {
		case f.State != experiments.FireRan:
			found = found[1:]
		case f.Baseline == "" && f.Gate != "":
			found = append([]string{p.Lang().Text("release check %s", p.decision(f.Gate))}, found...)
		case f.Baseline != "" && f.Gate == "":
			found = append([]string{p.Lang().Text("%d worse, %d newly", len(f.Worse), len(f.NewlyWorse))}, found...)
		case f.Baseline != "":
			found = append([]string{p.Lang().Text("release check %s, %d worse, %d newly", p.decision(f.Gate), len(f.Worse),
				len(f.NewlyWorse))}, found...)
		}
		found = slices.DeleteFunc(found, func(s string) bool { return s == "" })
		state := p.Lang().Word(fireStates, string(f.State))
		if f.Slots > 1 {
			state += " ×" + strconv.Itoa(f.Slots)
		}
		rows = append(rows, []string{localTime(f.NominalAt, zone), f.Schedule, state, f.RunID,
			p.spent(experiments.Budget{Micros: f.Spent, Calls: f.Calls}, w.Config.Currency), p.joined(found)})
	}
	p.Table([]string{"SLOT", "SCHEDULE", "STATE", "RUN", "COST", "FOUND"}, rows)
	p.caution(fires.Caution)
}
