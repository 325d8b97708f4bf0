package schedules

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/notify"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/text"
)

// SchedulerOptions say how schedules are served.
type SchedulerOptions struct {
	Version   string               // of the program, for workbooks
	Notebooks string               // the notebook folder; "" is the folder notebooks of the data directory
	Elapsed   func() time.Duration // since some moment, whatever becomes of the clock; nil: jumps are not noticed while serving
	Log       func(message string, args ...any)
}

// NewScheduler returns the scheduler of this workbench. It starts nothing; call its Serve.
func NewScheduler(w *app.Workbench, o SchedulerOptions) *Scheduler {
	o.Notebooks = notebookFolder(w, o.Notebooks)
	return &Scheduler{
		Store: w.Whole, Worker: w.Owner, Now: w.Options.Now, Elapsed: o.Elapsed, Skew: w.Whole.ClockSkew, Alive: app.Alive, Log: o.Log,
		Notify: func(ctx context.Context, s experiments.Schedule, f experiments.Fire) error {
			return notify.Notify(ctx, w, s, f)
		},
		Work: func(ctx context.Context, s experiments.Schedule, f *experiments.Fire, save func(experiments.Fire) error) error {
			return workFire(ctx, w, o, s, f, save)
		},
	}
}

// Shared reports whether other hosts may work on the same database.
func Shared(w *app.Workbench) bool { return w.Engine == store.PostgreSQL }

// notebookFolder is where the notebooks lie that schedules name.
func notebookFolder(w *app.Workbench, folder string) string {
	if folder != "" {
		return folder
	}
	return app.NotebooksDir(w)
}

// defaultWindow is how late a slot may be caught up where a schedule does not say.
const defaultWindow = 24 * time.Hour

// mostWindow bounds how late a slot may be caught up.
const mostWindow = 31 * 24 * time.Hour

// scheduleName is what a schedule may be called: its name becomes a folder too.
var scheduleName = text.Lazy(`^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,63}$`)

// ScheduleOrder is a schedule as somebody wants to have it. Empty fields take the default.
type ScheduleOrder struct {
	Name       string   `json:"name"`
	Experiment string   `json:"experiment,omitempty"` // registered name
	Notebook   string   `json:"notebook,omitempty"`   // name of a notebook in the notebook folder
	Params     []string `json:"params,omitempty"`     // of the notebook, name=value
	// evaluate so many of the questions that users asked, in so many days before the slot: 7 where only last says how many
	Last       int                 `json:"last,omitempty"`
	Days       int                 `json:"days,omitempty"`
	Seed       string              `json:"seed,omitempty"` // of drawing them
	Cron       string              `json:"cron"`
	Zone       string              `json:"zone,omitempty"`     // IANA name; default UTC
	CatchUp    experiments.CatchUp `json:"catch_up,omitempty"` // latest, skip or all; default latest
	Overlap    experiments.Overlap `json:"overlap,omitempty"`  // skip, queue, cancel or allow; default skip
	Window     string              `json:"window,omitempty"`   // how late a slot may be caught up, such as 6h; default 24h
	Budget     string              `json:"budget,omitempty"`   // of one fire: 2.50 or 500calls
	Monthly    string              `json:"monthly,omitempty"`  // of all fires of a calendar month in the zone
	PauseAfter *int                `json:"pause_after,omitempty"`
	Notify     []string            `json:"notify,omitempty"` // channels of the configuration
	Ping       string              `json:"ping,omitempty"`
	Lang       string              `json:"lang,omitempty"`  // of the workbook: en or ja; default en
	Limits     reporting.GateAsked `json:"limits,omitzero"` // of the release check of an experiment
}

// PutSchedule registers a schedule, or changes the one of this name. folder is the notebook folder, "" for the usual one. It returns
// the schedule with the time of its next slot. A wrong field is an Invalid Problem that names it.
func PutSchedule(ctx context.Context, w *app.Workbench, o ScheduleOrder, folder string) (experiments.Schedule, error) {
	s, err := schedule(ctx, w, o, folder)
	if err != nil {
		return s, err
	}
	now := w.Options.Now().UTC()
	s.CreatedAt = now
	old, err := w.Whole.Schedule(ctx, s.Name)
	known := err == nil
	if err != nil && !problem.Is(err, problem.NotFound) {
		return s, err
	}
	if known {
		s.CreatedAt, s.Paused, s.PausedWhy, s.NextAt = old.CreatedAt, old.Paused, old.PausedWhy, old.NextAt
	}
	table, err := timetable.ParseTimetable(s.Cron, s.Zone, s.CreatedAt)
	if err != nil {
		return s, err
	}
	// The slot after the next waits where a clock was put back. A later one was written into the database by somebody else.
	next := table.Next(now)
	if !known || old.Cron != s.Cron || old.Zone != s.Zone || !next.IsZero() && old.NextAt.After(table.Next(next)) {
		s.NextAt = next
	}
	return s, w.Whole.PutSchedule(ctx, s)
}

// schedule checks an order and fills in defaults.
func schedule(ctx context.Context, w *app.Workbench, o ScheduleOrder, folder string) (experiments.Schedule, error) {
	s := experiments.Schedule{
		Name: o.Name, Experiment: o.Experiment, Notebook: o.Notebook, Params: app.NonNil(o.Params),
		Cron: strings.TrimSpace(o.Cron), Zone: o.Zone,
		CatchUp: o.CatchUp, Overlap: o.Overlap, Window: defaultWindow, PauseAfter: 3, Notify: app.NonNil(o.Notify),
		Ping: o.Ping, Lang: o.Lang,
	}
	if s.Zone == "" {
		s.Zone = "UTC"
	}
	if !scheduleName.MatchString(s.Name) {
		return s, wrongSchedule("name", s.Name, "a name has letters, digits, - _ and . and at most 64 of them")
	}
	var err error
	if s.Limits, err = o.limits(); err != nil {
		return s, err
	}
	if o.PauseAfter != nil {
		s.PauseAfter = *o.PauseAfter
	}
	if s.PauseAfter < 0 || s.PauseAfter > 100 {
		return s, wrongSchedule("pause_after", s.PauseAfter, "0 never pauses; 1 to 100 failures in a row do")
	}
	if err := scheduleChoices(&s); err != nil {
		return s, err
	}
	if s.Recent, err = o.recent(); err != nil {
		return s, err
	}
	if o.Window != "" {
		d, err := time.ParseDuration(o.Window)
		if err != nil || d < 0 || d > mostWindow {
			return s, wrongSchedule("window", o.Window, "write a duration from 0h to 744h")
		}
		s.Window = d
	}
	for _, b := range []struct {
		field, text string
		into        *experiments.Budget
	}{{"budget", o.Budget, &s.Budget}, {"monthly", o.Monthly, &s.Monthly}} {
		amount, err := experiments.ParseBudget(b.text)
		if err != nil {
			return s, problem.From(err).With("field", b.field)
		}
		*b.into = amount
	}
	if fire, month := s.Budget, s.Monthly; month.Micros > 0 && fire.Micros > month.Micros || month.Calls > 0 && fire.Calls > month.Calls {
		return s, wrongSchedule("budget", o.Budget,
			"one fire may spend no more than all fires of a month: raise --monthly, or lower --budget")
	}
	for _, channel := range append(append([]string{}, s.Notify...), s.Ping) {
		if channel == "" {
			continue
		}
		if _, err := w.Config.Channel(channel); err != nil {
			if p := problem.From(err); p.Code == "channel_unknown" {
				err = p.With("field", "notify")
			}
			return s, err
		}
	}
	return s, scheduleSubject(ctx, w, s, folder)
}

// limits are those of the release check, nil where nobody set any.
func (o ScheduleOrder) limits() (*experiments.Limits, error) {
	rules, err := o.Limits.Rules()
	if err == nil {
		err = rules.OnScale()
	}
	if err != nil || len(rules.Limits()) == 0 {
		return nil, err
	}
	if o.Notebook != "" {
		return nil, wrongSchedule("min", o.Notebook, "limits are of an experiment's release check; a notebook has them in a gate cell")
	}
	limits := o.Limits.Limits
	if compare.DefaultAllowance(rules.Allowance) {
		limits.Allowance = nil
	}
	return &limits, nil
}

func wrongSchedule(field string, value any, hint string) *problem.Problem {
	p := problem.New(problem.Invalid, "schedule_field", "%s %q cannot be used", field, fmt.Sprint(value))
	if value == "" {
		p = problem.New(problem.Invalid, "schedule_field", "the schedule has no %s", field)
	}
	return p.With("field", field).With("value", value).WithHint("%s", hint)
}

// scheduleChoices fills in and checks the fields that are words.
func scheduleChoices(s *experiments.Schedule) error {
	switch s.CatchUp {
	case "":
		s.CatchUp = experiments.CatchUpLatest
	case experiments.CatchUpLatest, experiments.CatchUpSkip, experiments.CatchUpAll:
	default:
		return wrongSchedule("catch_up", s.CatchUp, "latest, skip or all")
	}
	switch s.Overlap {
	case "":
		s.Overlap = experiments.OverlapSkip
	case experiments.OverlapSkip, experiments.OverlapQueue, experiments.OverlapCancel, experiments.OverlapAllow:
	default:
		return wrongSchedule("overlap", s.Overlap, "skip, queue, cancel or allow")
	}
	switch s.Lang {
	case "":
		s.Lang = "en"
	case "en", "ja":
	default:
		return wrongSchedule("lang", s.Lang, "en or ja")
	}
	return nil
}

// scheduleSubject checks that what a schedule evaluates exists.
func scheduleSubject(ctx context.Context, w *app.Workbench, s experiments.Schedule, folder string) error {
	if (s.Experiment == "") == (s.Notebook == "") {
		return problem.New(problem.Invalid, "schedule_field", "a schedule evaluates one experiment or executes one notebook").
			With("field", "experiment").
			WithHint("give the name of a registered experiment, or of a notebook")
	}
	if s.Experiment != "" && len(s.Params) > 0 {
		return wrongSchedule("params", strings.Join(s.Params, ", "), "parameters are those of a notebook; an experiment has none")
	}
	if s.Experiment != "" {
		e, err := w.Store.Experiment(ctx, s.Experiment)
		if err != nil {
			return err
		}
		return measured(e, s.Limits)
	}
	n, err := scheduledNotebook(w, s.Notebook, folder)
	if err != nil {
		return err
	}
	for _, p := range s.Params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return wrongSchedule("params", p, "write name=value")
		}
		if err := n.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// measured refuses thresholds of metrics that an experiment does not measure: every fire would fail by them. What another tool measured
// in a log is known when it is read.
func measured(e experiments.Experiment, limits *experiments.Limits) error {
	if limits == nil || e.Definition.Answers != "" {
		return nil
	}
	specs, err := e.Definition.Specs()
	if err != nil {
		return err
	}
	ids := make([]string, len(specs))
	for i, spec := range specs {
		ids[i] = spec.ID
	}
	for _, said := range limits.Min {
		t, err := compare.ParseThreshold(said)
		if err != nil {
			return problem.From(err).With("field", "min")
		}
		if _, known := text.NameAmong(t.Metric, ids); !known {
			return problem.New(problem.Invalid, "metric_unknown", "%s has no metric %q", e.Name, t.Metric).With("name", t.Metric).
				With("field", "min").With("value", said).WithHint("it has: %s", strings.Join(ids, ", "))
		}
	}
	return nil
}

// scheduledNotebook opens a notebook of the notebook folder. Somebody may have written it over HTTP, so it reads no files, as when
// it fires.
func scheduledNotebook(w *app.Workbench, name, folder string) (*notebooks.Notebook, error) {
	folder = notebookFolder(w, folder)
	if !app.NotebookName(name) {
		return nil, wrongSchedule("notebook", name, "give the name of a notebook, not a path")
	}
	return notebooks.Open(scheduledFile(folder, name), &studies.NotebookEngine{W: w, Dir: app.NoFolder, Sent: true}, w.Options.Now)
}

// PutNotebookSchedules registers what the front matter of a notebook says under schedules: each as NOTEBOOK.NAME.
func PutNotebookSchedules(ctx context.Context, w *app.Workbench, notebook, folder string) ([]experiments.Schedule, error) {
	n, err := scheduledNotebook(w, notebook, folder)
	if err != nil {
		return nil, err
	}
	front := n.Document.Front.Schedules
	if len(front) == 0 {
		return nil, problem.New(problem.Invalid, "schedule_none", "the front matter of notebook %s has no schedules", notebook).
			With("notebook", notebook).
			WithHint("give --cron, or write into the front matter\nschedules:\n  - {name: monday, cron: \"0 6 * * 1\", zone: Europe/Berlin, budget: 5.00}")
	}
	out := []experiments.Schedule{}
	for _, f := range front {
		o := ScheduleOrder{Name: notebook + "." + f.Name, Notebook: notebook, Cron: f.Cron, Zone: f.Zone, Budget: f.Limit, Notify: f.Notify}
		if len(n.Document.Front.Lang) > 0 {
			o.Lang = n.Document.Front.Lang[0]
		}
		for name, value := range f.Params {
			o.Params = append(o.Params, fmt.Sprintf("%s=%v", name, value))
		}
		s, err := PutSchedule(ctx, w, o, folder)
		if err != nil {
			return out, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Schedule returns one schedule.
func Schedule(ctx context.Context, w *app.Workbench, name string) (experiments.Schedule, error) {
	return w.Whole.Schedule(ctx, name)
}

// RemoveSchedule forgets a schedule. Its fires and their runs stay; what is due of it ends as skipped.
func RemoveSchedule(ctx context.Context, w *app.Workbench, name string) error {
	return w.Whole.RemoveSchedule(ctx, name)
}

// PauseSchedule keeps a schedule from firing. A fire under way goes on.
func PauseSchedule(ctx context.Context, w *app.Workbench, name, why string) (experiments.Schedule, error) {
	if why == "" {
		why = "somebody paused it"
	}
	if _, err := w.Whole.Schedule(ctx, name); err != nil {
		return experiments.Schedule{}, err
	}
	if _, err := w.Whole.PauseSchedule(ctx, name, why, time.Time{}); err != nil {
		return experiments.Schedule{}, err
	}
	return w.Whole.Schedule(ctx, name)
}

// ResumeSchedule lets a paused schedule go on from its next slot; those that passed while it was paused are not missed ones.
func ResumeSchedule(ctx context.Context, w *app.Workbench, name string) (experiments.Schedule, error) {
	s, err := w.Whole.Schedule(ctx, name)
	if err != nil {
		return s, err
	}
	table, err := timetable.ParseTimetable(s.Cron, s.Zone, s.CreatedAt)
	if err != nil {
		return s, err
	}
	if _, err := w.Whole.PauseSchedule(ctx, name, "", table.Next(w.Options.Now())); err != nil {
		return s, err
	}
	return w.Whole.Schedule(ctx, name)
}

// NextSlots are the next n slots of a schedule, 1 to 100.
func NextSlots(ctx context.Context, w *app.Workbench, name string, n int) ([]time.Time, error) {
	s, err := w.Whole.Schedule(ctx, name)
	if err != nil {
		return nil, err
	}
	return PreviewSlots(w, s.Cron, s.Zone, s.CreatedAt, n)
}

// PreviewSlots are the next n slots, 1 to 100, of a timetable that no schedule has yet. The zero anchor is now.
func PreviewSlots(w *app.Workbench, cron, zone string, anchor time.Time, n int) ([]time.Time, error) {
	now := w.Options.Now()
	if anchor.IsZero() {
		anchor = now
	}
	if n < 1 || n > 100 {
		return nil, wrongSchedule("n", n, "1 to 100 slots are shown")
	}
	table, err := timetable.ParseTimetable(cron, zone, anchor)
	if err != nil {
		return nil, err
	}
	return table.NextN(now, n), nil
}

// RunNow adds a fire at this moment. A server or worker with a scheduler takes it, also of a paused schedule. Where a fire of the
// schedule is open, its overlap policy decides; under skip that is a Conflict.
func RunNow(ctx context.Context, w *app.Workbench, name string) (experiments.Fire, error) {
	s, err := w.Whole.Schedule(ctx, name)
	if err != nil {
		return experiments.Fire{}, err
	}
	open, err := w.Whole.OpenFires(ctx, name)
	if err != nil {
		return experiments.Fire{}, err
	}
	now := w.Options.Now()
	f := timetable.NewFire(name, now.Truncate(time.Second), experiments.FireDue)
	f.RunNow = true
	if len(open) > 0 && (s.Overlap == experiments.OverlapSkip || s.Overlap == experiments.OverlapQueue && len(open) > 1) {
		return f, problem.New(problem.Conflict, "fire_open", "the fire of %s is still %s", open[0].NominalAt.Format(time.RFC3339),
			open[0].State).
			With("fire", open[0].ID).With("state", open[0].State).
			WithHint("wait for it, or let the schedule queue, cancel or allow overlaps")
	}
	added, err := w.Whole.AddFire(ctx, f)
	if err == nil && !added {
		err = problem.New(problem.Conflict, "fire_known", "schedule %s has a fire of this second already", name).With("fire", f.ID)
	}
	if err != nil {
		return f, err
	}
	if s.Overlap == experiments.OverlapCancel {
		for _, o := range open {
			if err := w.Whole.CancelFire(ctx, o.ID, "somebody asked for another one", f.ID, now); err != nil {
				return f, err
			}
		}
	}
	return w.Whole.Fire(ctx, f.ID)
}

// fireOrder is how fires are listed; their nominal times are different within a schedule.
var fireOrder = listing.Order[experiments.Fire]{
	First: "-nominal_at", ID: func(f experiments.Fire) string { return f.ID },
	Keys: map[string]func(experiments.Fire) listing.SortKey{
		"nominal_at": func(f experiments.Fire) listing.SortKey { return listing.TimeKey(f.NominalAt) },
	},
}

// Fires are the fires of a schedule, newest first; "" is every schedule. Only one schedule's can be listed in parts.
func Fires(ctx context.Context, w *app.Workbench, schedule string, page listing.Page) (listing.Listed[experiments.Fire], error) {
	page.Sort = fireOrder.First
	return listing.Fetched(fireOrder, page, func(p experiments.Part) ([]experiments.Fire, int, error) {
		l := experiments.FireList{Schedule: schedule}
		total, err := w.Whole.CountFires(ctx, l)
		if err != nil {
			return nil, 0, err
		}
		if l.Limit = p.Limit; p.After != nil {
			l.Before = time.UnixMicro(int64(p.After.Key.Number)).UTC()
		}
		fires, err := w.Whole.Fires(ctx, l)
		return fires, total, err
	})
}

// FireRows are fires with what the decisions of their gates are worth.
type FireRows struct {
	listing.Listed[experiments.Fire]
	Caution *findings.Text `json:"caution,omitempty" doc:"what the decisions of the release check are worth, where the built-in judge scored one of them"`
}

// FireRowsOf are the fires of a schedule, as [Fires] lists them.
func FireRowsOf(ctx context.Context, w *app.Workbench, schedule string, page listing.Page) (FireRows, error) {
	fires, err := Fires(ctx, w, schedule, page)
	if err != nil {
		return FireRows{}, err
	}
	caution, err := GateCaution(ctx, w, fires.Items...)
	return FireRows{fires, caution}, err
}

// GateCaution says what the gate's decisions about some fires are worth, where the offline judge scored one of them; nil elsewhere.
func GateCaution(ctx context.Context, w *app.Workbench, fires ...experiments.Fire) (*findings.Text, error) {
	var runs []string
	for _, f := range fires {
		if f.Gate != "" && f.RunID != "" {
			runs = append(runs, f.RunID)
		}
	}
	for some := range slices.Chunk(runs, 500) { // what one statement of every engine takes
		wanted := experiments.RunList{RunFilter: experiments.RunFilter{IDs: some}}
		heads, _, err := w.Whole.RunHeads(ctx, wanted, experiments.Part{Sort: "created_at"})
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(heads, func(h experiments.RunHead) bool { return h.Offline }) {
			return new(findings.OfflineGate()), nil
		}
	}
	return nil, nil //nolint:nilnil // no gate of the offline judge: nothing to say
}

// Fire is one fire of a schedule.
func Fire(ctx context.Context, w *app.Workbench, schedule, id string) (experiments.Fire, error) {
	f, err := w.Whole.Fire(ctx, id)
	if err == nil && f.Schedule != schedule {
		err = problem.New(problem.NotFound, "fire_unknown", "schedule %s has no fire %q", schedule, id).With("name", id)
	}
	return f, err
}
