package schedules

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ScheduleRow is a schedule as the command line and the API show it.
type ScheduleRow struct {
	Name       string              `json:"name"`
	Experiment string              `json:"experiment"`
	Notebook   string              `json:"notebook"`
	Params     []string            `json:"params"`
	Recent     *experiments.Recent `json:"recent,omitempty" doc:"what users asked is evaluated, in the place of the experiment's dataset"`
	Cron       string              `json:"cron"`
	Zone       string              `json:"zone"`
	CatchUp    experiments.CatchUp `json:"catch_up"`
	Overlap    experiments.Overlap `json:"overlap"`
	Window     string              `json:"window"` // such as 24h0m0s
	Budget     experiments.Budget  `json:"budget"`
	Monthly    experiments.Budget  `json:"monthly"`
	PauseAfter int                 `json:"pause_after"`
	Notify     []string            `json:"notify"`
	Ping       string              `json:"ping"`
	Lang       string              `json:"lang"`
	Limits     *experiments.Limits `json:"limits,omitempty"` // of the release check; absent: the usual ones
	LimitsSaid *findings.Text      `json:"limits_said,omitempty"`
	Paused     bool                `json:"paused"`
	PausedWhy  string              `json:"paused_why"`
	NextAt     *time.Time          `json:"next_at,omitempty"` // UTC; absent while paused
	CreatedAt  time.Time           `json:"created_at"`
	Month      experiments.Budget  `json:"month"`          // spent by the fires of this calendar month in the zone
	Last       *experiments.Fire   `json:"last,omitempty"` // the newest slot
	Caution    *findings.Text      `json:"caution,omitempty" doc:"what the decision of its gate is worth, where the built-in judge scored"`
	Currency   string              `json:"currency"`
}

// ScheduleRowOf shows one schedule.
func ScheduleRowOf(ctx context.Context, w *app.Workbench, name string) (ScheduleRow, error) {
	s, err := w.Whole.Schedule(ctx, name)
	if err != nil {
		return ScheduleRow{}, err
	}
	return scheduleRow(ctx, w, s)
}

// ScheduleRows shows every schedule, by name.
func ScheduleRows(ctx context.Context, w *app.Workbench) ([]ScheduleRow, error) {
	all, err := w.Whole.Schedules(ctx)
	if err != nil {
		return nil, err
	}
	out := []ScheduleRow{}
	for _, s := range all {
		row, err := scheduleRow(ctx, w, s)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

func scheduleRow(ctx context.Context, w *app.Workbench, s experiments.Schedule) (ScheduleRow, error) {
	row := ScheduleRow{
		Name: s.Name, Experiment: s.Experiment, Notebook: s.Notebook, Params: app.NonNil(s.Params), Recent: s.Recent, Cron: s.Cron,
		Zone:    s.Zone,
		CatchUp: s.CatchUp, Overlap: s.Overlap,
		Window: s.Window.String(), Budget: s.Budget, Monthly: s.Monthly, PauseAfter: s.PauseAfter, Notify: app.NonNil(s.Notify),
		Ping: s.Ping, Lang: s.Lang, Limits: s.Limits,
		Paused: s.Paused, PausedWhy: s.PausedWhy, CreatedAt: s.CreatedAt, Currency: w.Config.Currency,
	}
	if rules, err := reporting.OfSchedule(s.Name, s.Limits).Rules(); err == nil && s.Limits != nil {
		row.LimitsSaid = new(findings.LimitsText(rules.Limits(), rules.By))
	}
	if !s.Paused {
		row.NextAt = &s.NextAt
	}
	fires, err := w.Whole.Fires(ctx, experiments.FireList{Schedule: s.Name, Limit: 1})
	if err != nil {
		return row, err
	}
	if len(fires) > 0 {
		row.Last = &fires[0]
	}
	if row.Caution, err = GateCaution(ctx, w, fires...); err != nil {
		return row, err
	}
	row.Month, err = spentInMonth(ctx, w, s, w.Options.Now(), "")
	return row, err
}

// spentInMonth is what the fires of a schedule have cost in the calendar month of a time, but for one.
func spentInMonth(ctx context.Context, w *app.Workbench, s experiments.Schedule, at time.Time, but string) (experiments.Budget, error) {
	var used experiments.Budget
	zone, err := timetable.ParseZone(s.Zone)
	if err != nil {
		return used, err
	}
	at = at.In(zone)
	first := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, zone)
	fires, err := w.Whole.Fires(ctx, experiments.FireList{Schedule: s.Name, Since: first, Before: first.AddDate(0, 1, 0)})
	for _, f := range fires {
		if f.ID != but {
			used.Micros, used.Calls = used.Micros+f.Spent, used.Calls+f.Calls
		}
	}
	return used, err
}

// Slot is one slot to come, by the clock of its zone and in UTC.
type Slot struct {
	Local string    `json:"local"` // RFC 3339 with the zone's offset
	UTC   time.Time `json:"utc"`
	Zone  string    `json:"zone"` // its abbreviation then, such as CEST
}

// SlotsIn shows slots by the clock of a zone.
func SlotsIn(zone string, slots []time.Time) ([]Slot, error) {
	loc, err := timetable.ParseZone(zone)
	if err != nil {
		return nil, err
	}
	out := []Slot{}
	for _, at := range slots {
		name, _ := at.In(loc).Zone()
		out = append(out, Slot{Local: at.In(loc).Format(time.RFC3339), UTC: at.UTC(), Zone: name})
	}
	return out, nil
}

// Preview is what a timetable means: its next slots, or what is wrong with it.
type Preview struct {
	Slots   []Slot           `json:"slots"`
	Problem *problem.Problem `json:"problem,omitempty"` // its parameters name field and position
}

// PreviewOf says what a timetable means. A wrong one is no error.
func PreviewOf(w *app.Workbench, cron, zone string, n int) (Preview, error) {
	slots, err := PreviewSlots(w, cron, zone, time.Time{}, n)
	if err != nil {
		if problem.Is(err, problem.Invalid) {
			return Preview{Slots: []Slot{}, Problem: problem.From(err)}, nil
		}
		return Preview{}, err
	}
	shown, err := SlotsIn(zone, slots)
	return Preview{Slots: shown}, err
}
