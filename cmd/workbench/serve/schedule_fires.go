package serve

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
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
			if err := p.PrintJSON(f); err != nil {
				return err
			}
		} else {
			schedulesOf(p).fire(w, f)
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
func (p schedulePrinter) fire(w *app.Workbench, f experiments.Fire) {
	p.Say("fire %s of schedule %s: %s", f.ID, f.Schedule, f.State)
	if f.Reason != "" {
		p.Say("  %s", program.Printable(f.Reason))
	}
	if f.RunID != "" {
		p.Say("  run %s: %d low scores of %d", f.RunID, f.Low, f.Scored)
	}
	if f.Baseline != "" {
		p.Say("  against %s: %d worse (%d newly), %d mixed, %d better, %d need a check; gate %s", f.Baseline, len(f.Worse),
			len(f.NewlyWorse), f.Mixed, f.Better, f.NeedsCheck, f.Gate)
		if len(f.NewlyWorse) > 0 {
			p.Say("  newly worse: %s", program.Printable(strings.Join(f.NewlyWorse, ", ")))
		}
	}
	if f.Drift != "" {
		p.Say("  %s", f.Drift)
	}
	if path := schedules.FireWorkbook(w, f); path != "" {
		p.Say("  workbook: %s", path)
	}
	p.Say("  cost: %s", spentText(experiments.Budget{Micros: f.Spent, Calls: f.Calls}, w.Config.Currency))
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
			rows = append(rows, []string{at.Format("Mon 2006-01-02 15:04 -07:00") + " " + s.Zone, s.UTC.Format("Mon 2006-01-02 15:04")})
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
		fires, err := schedules.Fires(p.Context, w, c.Name, program.PageOf(c.Limit))
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(fires.Items)
		}
		schedulesOf(p).fires(w, fires.Items, zone)
		return nil
	})
}

func (p schedulePrinter) fires(w *app.Workbench, fires []experiments.Fire, zone string) {
	rows := [][]string{}
	for _, f := range fires {
		found := f.Reason
		if f.State == experiments.FireRan && f.Baseline != "" {
			found = fmt.Sprintf("gate %s, %d worse, %d newly; %s", f.Gate, len(f.Worse), len(f.NewlyWorse),
				strings.TrimSuffix(f.Drift+"; "+f.Reason, "; "))
		}
		if f.State == experiments.FireRan && f.Drift == "" {
			found = strings.TrimSuffix(found, "; ")
		}
		state := string(f.State)
		if f.Slots > 1 {
			state += " ×" + strconv.Itoa(f.Slots)
		}
		rows = append(rows, []string{localTime(f.NominalAt, zone), f.Schedule, state, f.RunID,
			spentText(experiments.Budget{Micros: f.Spent, Calls: f.Calls}, w.Config.Currency), found})
	}
	p.Table([]string{"SLOT", "SCHEDULE", "STATE", "RUN", "COST", "FOUND"}, rows)
}
