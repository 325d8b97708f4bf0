package serve

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

// schedulePrinter tells of schedules, of what became of their slots, and of trends.
type schedulePrinter struct{ *program.Program }

func schedulesOf(p *program.Program) schedulePrinter { return schedulePrinter{p} }

// ScheduleCmd is the verb schedule.
type ScheduleCmd struct {
	Add    scheduleAddCmd    `cmd:"" help:"Evaluate an experiment, or execute a notebook, again and again; or change how."`
	List   scheduleListCmd   `cmd:"" help:"List schedules."`
	Show   scheduleShowCmd   `cmd:"" help:"Show a schedule and its newest slots."`
	Remove scheduleRemoveCmd `cmd:"" help:"Forget a schedule. Its fires and their runs stay."`
	Pause  schedulePauseCmd  `cmd:"" help:"Keep a schedule from firing."`
	Resume scheduleResumeCmd `cmd:"" help:"Let a paused schedule fire again, from its next slot."`
	RunNow scheduleRunNowCmd `cmd:"" name:"run-now" help:"Fire a schedule at this moment."`
	Next   scheduleNextCmd   `cmd:"" help:"The next slots, by the clock of the zone and in UTC."`
	Fires  scheduleFiresCmd  `cmd:"" help:"What became of the slots, newest first."`
}

type scheduleAddCmd struct {
	Name       string   `arg:"" optional:"" help:"Name of the schedule. Left out with a notebook whose front matter has schedules."`
	Experiment string   `help:"Registered experiment to evaluate." placeholder:"NAME"`
	Notebook   string   `help:"Notebook of the notebook folder to execute." placeholder:"NAME"`
	Param      []string `help:"Parameter of the notebook. Repeatable." short:"p" sep:"none" placeholder:"NAME=VALUE"`
	Last       int      `help:"Evaluate so many of the questions that users asked, as traces say, instead of the dataset." placeholder:"N"`
	Days       int      `help:"Of these, the ones of so many days before the slot; 7 with --last." placeholder:"N"`
	Seed       string   `help:"Another seed draws other questions of these." placeholder:"TEXT"`
	Cron       string   `help:"When: minute hour day-of-month month day-of-week, or @daily, @weekly, @every 12h." placeholder:"CRON"`
	Zone       string   `help:"Time zone of the clock, such as Asia/Tokyo." default:"UTC" placeholder:"ZONE"`
	CatchUp    string   `help:"Slots that passed while nothing was running: latest, skip or all (the newest ten)." enum:"latest,skip,all" default:"latest" placeholder:"WAY"`
	Overlap    string   `help:"A slot whose predecessor is under way: skip, queue, cancel or allow." enum:"skip,queue,cancel,allow" default:"skip" placeholder:"WAY"`
	Window     string   `help:"How late a slot may be caught up." default:"24h" placeholder:"DURATION"`
	Budget     string   `help:"Of one fire: an amount (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
	Monthly    string   `help:"Of all fires of a calendar month." placeholder:"AMOUNT"`
	PauseAfter int      `help:"Pause after so many failures in a row; 0 never." default:"3" placeholder:"N"`
	Notify     []string `help:"Channel of the configuration that hears of what changed. Repeatable." placeholder:"CHANNEL"`
	Ping       string   `help:"Channel that hears of every fire that went well, so that its silence is noticed." placeholder:"CHANNEL"`
	notebookFolder
}

// notebookFolder is the flag of verbs that look for notebooks.
type notebookFolder struct {
	Notebooks string `help:"Folder of the notebooks; default notebooks in the data directory." placeholder:"DIR"`
}

// Help shows examples.
func (scheduleAddCmd) Help() string {
	return `At every slot a server (workbench serve) or worker asks the system anew, judges what is new, compares with the locked baseline and with
the slot before, asks again what is in doubt, has the judge judge some old answers again, and writes a workbook. It buys within
--budget. docs/schedules.md is the manual; docs/notifications.md says who hears of what.

Examples:
  workbench schedule add production --experiment faq --cron '0 6 * * 1' --zone Asia/Tokyo --budget 2.50 --monthly 10 --notify ops
  workbench schedule add asked --experiment faq --last 200 --days 7 --cron '0 6 * * 1'     what users asked last week
  workbench schedule add nightly --experiment faq --cron @daily --catch-up skip --overlap queue
  workbench schedule add weekly --notebook study --cron '0 6 * * 1' -p k=6
  workbench schedule add --notebook study                    what the front matter of the notebook says
  workbench schedule next production -n 10                   when is that?

Each slot fires once, however many servers there are. A time that a change to summer time leaves out fires right after it; a time
that comes twice in autumn fires the first time.`
}

// Run registers.
func (c scheduleAddCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		if c.Notebook != "" && c.Cron == "" {
			made, err := schedules.PutNotebookSchedules(p.Context, w, c.Notebook, c.Notebooks)
			if err != nil {
				return err
			}
			return schedulesOf(p).schedules(w, made...)
		}
		before, err := schedules.Schedule(p.Context, w, c.Name)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return err
		}
		s, err := schedules.PutSchedule(p.Context, w, schedules.ScheduleOrder{
			Name: c.Name, Experiment: c.Experiment, Notebook: c.Notebook, Params: c.Param, Last: c.Last, Days: c.Days,
			Seed: c.Seed, Cron: c.Cron, Zone: c.Zone,
			CatchUp: experiments.CatchUp(c.CatchUp),
			Overlap: experiments.Overlap(c.Overlap), Window: c.Window, Budget: c.Budget, Monthly: c.Monthly, PauseAfter: &c.PauseAfter,
			Notify: c.Notify, Ping: c.Ping,
			Lang: p.Written(),
		}, c.Notebooks)
		if err != nil {
			return err
		}
		if err := schedulesOf(p).replaced(before, s); err != nil {
			return err
		}
		return schedulesOf(p).schedules(w, s)
	})
}

// replaced says that a schedule of this name was there before, and what of it is otherwise now.
func (p schedulePrinter) replaced(before, now experiments.Schedule) error {
	if before.Name == "" {
		return nil
	}
	before.NextAt, before.CreatedAt = now.NextAt, now.CreatedAt
	changed, err := experiments.Changed(before, now)
	if err != nil {
		return err
	}
	if len(changed) == 0 {
		p.Note("schedule %s was there already, just so", now.Name)
		return nil
	}
	p.Note("schedule %s was there already and is replaced (changed: %s)", now.Name, p.Lang().List(changed))
	return nil
}

// schedules prints schedules that were registered or changed.
func (p schedulePrinter) schedules(w *app.Workbench, all ...experiments.Schedule) error {
	rows := []schedules.ScheduleRow{}
	for _, s := range all {
		row, err := schedules.ScheduleRowOf(p.Context, w, s.Name)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if p.Flags.JSON {
		if len(rows) == 1 {
			return p.PrintJSON(rows[0])
		}
		return p.PrintJSON(rows)
	}
	for _, r := range rows {
		p.Say("schedule %s: %s", r.Name, scheduleState(r))
	}
	return nil
}

// scheduleState says when a schedule fires next, or why it does not.
func scheduleState(r schedules.ScheduleRow) string {
	if r.Paused || r.NextAt == nil {
		return "paused: " + r.PausedWhy
	}
	return "next at " + localTime(*r.NextAt, r.Zone)
}

// localTime is a time by the clock of a zone.
func localTime(at time.Time, zone string) string {
	loc, err := timetable.ParseZone(zone)
	if err != nil {
		loc = time.UTC
	}
	return at.In(loc).Format("2006-01-02 15:04 MST")
}

type scheduleListCmd struct{}

// Help shows examples.
func (scheduleListCmd) Help() string {
	return "Examples:\n  workbench schedule list\n  workbench schedule list --json"
}

// Run lists.
func (scheduleListCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		all, err := schedules.ScheduleRows(p.Context, w)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(all)
		}
		rows := [][]string{}
		for _, r := range all {
			last := "-"
			if r.Last != nil {
				last = string(r.Last.State) + " " + localTime(r.Last.NominalAt, r.Zone)
			}
			rows = append(rows, []string{r.Name, cmp.Or(r.Experiment, "notebook "+r.Notebook), r.Cron, r.Zone, scheduleState(r), last})
		}
		p.Table([]string{"SCHEDULE", "EVALUATES", "CRON", "ZONE", "NEXT", "LAST SLOT"}, rows)
		return nil
	})
}

type scheduleName struct {
	Name string `arg:"" help:"Name of the schedule."`
}

type scheduleShowCmd struct{ scheduleName }

// Help shows examples.
func (scheduleShowCmd) Help() string {
	return "Examples:\n  workbench schedule show production\n  workbench schedule show production --json"
}

// Run shows.
func (c scheduleShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		r, err := schedules.ScheduleRowOf(p.Context, w, c.Name)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(r)
		}
		rows := [][]string{
			{"evaluates", cmp.Or(r.Experiment, "notebook "+r.Notebook+" "+strings.Join(r.Params, " "))},
			{"when", r.Cron + " in " + r.Zone},
			{"state", scheduleState(r)},
			{"catch up", fmt.Sprintf("%s, within %s", r.CatchUp, r.Window)},
			{"overlap", string(r.Overlap)},
			{"budget", fmt.Sprintf("%s a fire, %s a month; %s this month", budgetText(r.Budget, r.Currency),
				budgetText(r.Monthly, r.Currency), spentText(r.Month, r.Currency))},
			{"pauses", fmt.Sprintf("after %d failures in a row", r.PauseAfter)},
			{"notifies", cmp.Or(strings.Join(r.Notify, ", "), "nobody")},
			{"pings", cmp.Or(r.Ping, "nobody")},
		}
		p.Table([]string{"SCHEDULE " + r.Name, ""}, rows)
		fires, err := schedules.Fires(p.Context, w, r.Name, listing.Page{Limit: 10})
		if err != nil || len(fires.Items) == 0 {
			return err
		}
		p.Say("")
		schedulesOf(p).fires(w, fires.Items, r.Zone)
		return nil
	})
}

func budgetText(b experiments.Budget, currency string) string {
	if b == (experiments.Budget{}) {
		return "no bound"
	}
	return spentText(b, currency)
}

func spentText(b experiments.Budget, currency string) string {
	var parts []string
	if b.Micros > 0 {
		parts = append(parts, fmt.Sprintf("%.2f %s", float64(b.Micros)/1e6, currency))
	}
	if b.Calls > 0 || b.Micros == 0 {
		parts = append(parts, strconv.Itoa(b.Calls)+" calls")
	}
	return strings.Join(parts, ", ")
}

type scheduleRemoveCmd struct{ scheduleName }

// Run removes.
func (c scheduleRemoveCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		if err := schedules.RemoveSchedule(p.Context, w, c.Name); err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(map[string]string{"removed": c.Name})
		}
		p.Say("removed schedule %s; its fires and their runs stay", c.Name)
		return nil
	})
}

type schedulePauseCmd struct {
	scheduleName
	Why string `help:"Why, for those who wonder." placeholder:"TEXT"`
}

// Help shows examples.
func (schedulePauseCmd) Help() string {
	return "Examples:\n  workbench schedule pause production --why 'the help centre moves'\n  workbench schedule resume production"
}

// Run pauses.
func (c schedulePauseCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		s, err := schedules.PauseSchedule(p.Context, w, c.Name, c.Why)
		if err != nil {
			return err
		}
		return schedulesOf(p).schedules(w, s)
	})
}

type scheduleResumeCmd struct{ scheduleName }

// Run resumes.
func (c scheduleResumeCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		s, err := schedules.ResumeSchedule(p.Context, w, c.Name)
		if err != nil {
			return err
		}
		return schedulesOf(p).schedules(w, s)
	})
}

// serveSchedules fires schedules until the program is interrupted; the function it returns waits for the end of that.
func serveSchedules(p *program.Program, w *app.Workbench, off bool, notebooks string) (wait func()) {
	if off {
		return func() {}
	}
	ctx, stop := context.WithCancel(p.Context)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = scheduler(p, w, notebooks).Serve(ctx) // it returns nil: what goes wrong is logged and tried again
	}()
	return func() { stop(); <-ended }
}

// scheduler is the scheduler of this process.
func scheduler(p *program.Program, w *app.Workbench, notebooks string) *schedules.Scheduler {
	log := slog.New(slog.NewTextHandler(p.Stderr, nil))
	began := time.Now()
	return schedules.NewScheduler(w, schedules.SchedulerOptions{
		Version: p.Version, Notebooks: notebooks, Elapsed: func() time.Duration { return time.Since(began) },
		Log: func(m string, args ...any) { log.Error(m, args...) },
	})
}
