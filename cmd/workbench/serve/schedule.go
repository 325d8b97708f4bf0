package serve

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

// fireStates is the group of the pages' words for what became of a slot.
const fireStates = "schedules.states"

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
	Last       int      `help:"Evaluate so many of the questions that users asked, as traces say, instead of the dataset." placeholder:"N" type:"count"`
	Days       int      `help:"Of these, the ones of so many days before the slot; 7 with --last." placeholder:"N" type:"count"`
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
	program.LimitFlags
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
		limits, err := c.Asked("schedule")
		if err != nil {
			return err
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
			Lang: p.Written(), Limits: limits,
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
		p.Say("schedule %s: %s", r.Name, schedulesOf(p.Program).state(r))
	}
	return nil
}

// state says when a schedule fires next, or why it does not.
func (p schedulePrinter) state(r schedules.ScheduleRow) string {
	if r.Paused || r.NextAt == nil {
		return p.Lang().Text("paused: %s", p.reason(r.PausedWhy, r.Zone))
	}
	return p.Lang().Text("next at %s", localTime(*r.NextAt, r.Zone))
}

// joined are notes on one line.
func (p schedulePrinter) joined(notes []string) string {
	if p.Lang() == program.Japanese {
		return strings.Join(notes, frontend.Words("ja", "schedules.joint"))
	}
	return strings.Join(notes, "; ")
}

// reason is why a slot ended as it did, or a schedule is paused; in Japanese in the words of the pages.
func (p schedulePrinter) reason(written, zone string) string {
	if p.Lang() != program.Japanese {
		return written
	}
	return frontend.Reason("ja", written, func(moment string) string {
		for _, layout := range []string{"2006-01-02 15:04 MST", time.RFC3339} {
			if at, err := time.Parse(layout, moment); err == nil {
				return localTime(at, zone)
			}
		}
		return moment
	})
}

// evaluates names what a schedule evaluates.
func (p schedulePrinter) evaluates(r schedules.ScheduleRow) string {
	switch {
	case r.Recent != nil:
		return p.Lang().Text("%s, over what users asked: at most %d questions of %d days", r.Experiment, r.Recent.Last, r.Recent.Days)
	case r.Experiment != "":
		return r.Experiment
	}
	return p.Lang().Text("notebook %s", r.Notebook)
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
			last, say := "-", schedulesOf(p)
			if r.Last != nil {
				last = say.Lang().Word(fireStates, string(r.Last.State)) + " " + localTime(r.Last.NominalAt, r.Zone)
			}
			rows = append(rows, []string{r.Name, say.evaluates(r), r.Cron, r.Zone, say.state(r), last})
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
		schedulesOf(p).schedule(r)
		fires, err := schedules.FireRowsOf(p.Context, w, r.Name, listing.Page{Limit: 10})
		if err != nil || len(fires.Items) == 0 {
			return err
		}
		p.Say("")
		schedulesOf(p).fires(w, fires, r.Zone)
		return nil
	})
}

// schedule prints what a schedule does.
func (p schedulePrinter) schedule(r schedules.ScheduleRow) {
	lang := p.Lang()
	catchUp, what := p.Lang().Word("schedules.catchUps", string(r.CatchUp)), p.evaluates(r)
	if r.Notebook != "" {
		what += " " + strings.Join(r.Params, " ")
	}
	rows := [][]string{
		{"evaluates", what},
		{"when", lang.Text("%s in %s", r.Cron, r.Zone)},
		{"state", p.state(r)},
		{"catch up", lang.Text("%s, within %s", catchUp, p.window(r.Window))},
		{"overlap", p.Lang().Word("schedules.overlaps", string(r.Overlap))},
		{"budget", lang.Text("%s a fire, %s a month; %s this month", p.budget(r.Budget, r.Currency), p.budget(r.Monthly, r.Currency),
			p.spent(r.Month, r.Currency))},
		{"pauses", lang.Text("after %d failures in a row", r.PauseAfter)},
		{"notifies", cmp.Or(strings.Join(r.Notify, ", "), lang.Format("nobody"))},
		{"pings", cmp.Or(r.Ping, lang.Format("nobody"))},
	}
	for _, row := range rows {
		row[0] = lang.Format(row[0])
	}
	p.Table([]string{lang.Text("SCHEDULE %s", r.Name), ""}, rows)
	if r.LimitsSaid != nil { // in full, where a cell of the table is cut
		p.Say("%s", program.Printable(r.LimitsSaid.In(string(lang))))
	}
}

// window is how late a slot may be caught up; in Japanese in hours.
func (p schedulePrinter) window(written string) string {
	if d, err := time.ParseDuration(written); err == nil && p.Lang() == program.Japanese {
		return fmt.Sprintf("%g時間", d.Hours())
	}
	return written
}

func (p schedulePrinter) budget(b experiments.Budget, currency string) string {
	if b == (experiments.Budget{}) {
		return p.Lang().Format("no bound")
	}
	return p.spent(b, currency)
}

func (p schedulePrinter) spent(b experiments.Budget, currency string) string {
	var parts []string
	if b.Micros > 0 {
		parts = append(parts, fmt.Sprintf("%.2f %s", float64(b.Micros)/1e6, currency))
	}
	if b.Calls > 0 || b.Micros == 0 {
		parts = append(parts, p.Lang().Text("%d calls", b.Calls))
	}
	return p.Lang().List(parts)
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
