package api

import (
	"context"
	"os"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// SchedulePath names a schedule.
type SchedulePath struct {
	Name string `path:"name" maxLength:"200" doc:"name of a schedule"`
}

func (s *schedulesAPI) listSchedules(ctx context.Context, _ *requests.Nothing) (ItemsOf[schedules.ScheduleRow], error) {
	return items(schedules.ScheduleRows(ctx, s.workbench))
}

func (s *schedulesAPI) getSchedule(ctx context.Context, in *SchedulePath) (schedules.ScheduleRow, error) {
	return schedules.ScheduleRowOf(ctx, s.workbench, in.Name)
}

type scheduleInput struct {
	SchedulePath
	Body struct {
		Experiment string   `json:"experiment,omitempty" maxLength:"200" doc:"registered name; this or a notebook"`
		Notebook   string   `json:"notebook,omitempty" maxLength:"200" doc:"name of a notebook"`
		Params     []string `json:"params,omitempty" maxItems:"50" doc:"of the notebook, name=value"`
		Last       int      `json:"last,omitempty" minimum:"1" maximum:"5000" doc:"evaluate so many of the questions that users asked"`
		Days       int      `json:"days,omitempty" minimum:"1" maximum:"366" doc:"in so many days before the slot; default 7 with last"`
		Seed       string   `json:"seed,omitempty" maxLength:"200" doc:"another one draws other questions"`
		Cron       string   `json:"cron" minLength:"1" maxLength:"200" doc:"five fields, or @every DURATION, @hourly, @daily, @weekly, @monthly"`
		Zone       string   `json:"zone,omitempty" maxLength:"64" doc:"IANA name; default UTC"`
		CatchUp    string   `json:"catch_up,omitempty" enum:"latest,skip,all"`
		Overlap    string   `json:"overlap,omitempty" enum:"skip,queue,cancel,allow"`
		Window     string   `json:"window,omitempty" maxLength:"20" doc:"how late a slot may be caught up, such as 6h; default 24h"`
		Budget     string   `json:"budget,omitempty" maxLength:"40" doc:"of one fire: 2.50 or 500calls"`
		Monthly    string   `json:"monthly,omitempty" maxLength:"40" doc:"of all fires of a calendar month in the zone"`
		PauseAfter *int     `json:"pause_after,omitempty" minimum:"0" maximum:"100" doc:"failures in a row; 0 is never, default 3"`
		Notify     []string `json:"notify,omitempty" maxItems:"20" doc:"names of channels of the configuration"`
		Ping       string   `json:"ping,omitempty" maxLength:"100" doc:"name of the channel that hears of every fire that went well"`
		Lang       string   `json:"lang,omitempty" enum:"en,ja" doc:"of the workbook"`
		AskedLimits
	}
}

// putSchedule registers a schedule or changes it. Where messages go is named, never given.
func (s *schedulesAPI) putSchedule(ctx context.Context, in *scheduleInput) (schedules.ScheduleRow, error) {
	b := in.Body
	limits, err := b.asked()
	if err != nil {
		return schedules.ScheduleRow{}, err
	}
	_, err = schedules.PutSchedule(ctx, s.workbench, schedules.ScheduleOrder{
		Name: in.Name, Experiment: b.Experiment, Notebook: b.Notebook, Params: b.Params, Last: b.Last, Days: b.Days, Seed: b.Seed,
		Cron: b.Cron, Zone: b.Zone,
		CatchUp: experiments.CatchUp(b.CatchUp),
		Overlap: experiments.Overlap(b.Overlap), Window: b.Window, Budget: b.Budget, Monthly: b.Monthly, PauseAfter: b.PauseAfter,
		Notify: b.Notify, Ping: b.Ping, Lang: b.Lang, Limits: limits,
	}, s.notebooksDir)
	if err != nil {
		return schedules.ScheduleRow{}, err
	}
	return schedules.ScheduleRowOf(ctx, s.workbench, in.Name)
}

type notebookSchedulesInput struct {
	Body struct {
		Notebook string `json:"notebook" minLength:"1" maxLength:"200"`
	}
}

// putNotebookSchedules registers what the front matter of a notebook says.
func (s *schedulesAPI) putNotebookSchedules(ctx context.Context, in *notebookSchedulesInput) (ItemsOf[schedules.ScheduleRow], error) {
	made, err := schedules.PutNotebookSchedules(ctx, s.workbench, in.Body.Notebook, s.notebooksDir)
	if err != nil {
		return ItemsOf[schedules.ScheduleRow]{}, err
	}
	rows := []schedules.ScheduleRow{}
	for _, m := range made {
		row, err := schedules.ScheduleRowOf(ctx, s.workbench, m.Name)
		if err != nil {
			return ItemsOf[schedules.ScheduleRow]{}, err
		}
		rows = append(rows, row)
	}
	return items(rows, nil)
}

func (s *schedulesAPI) removeSchedule(ctx context.Context, in *SchedulePath) error {
	return schedules.RemoveSchedule(ctx, s.workbench, in.Name)
}

func (s *schedulesAPI) pauseSchedule(ctx context.Context, in *SchedulePath) (schedules.ScheduleRow, error) {
	if _, err := schedules.PauseSchedule(ctx, s.workbench, in.Name, ""); err != nil {
		return schedules.ScheduleRow{}, err
	}
	return schedules.ScheduleRowOf(ctx, s.workbench, in.Name)
}

func (s *schedulesAPI) resumeSchedule(ctx context.Context, in *SchedulePath) (schedules.ScheduleRow, error) {
	if _, err := schedules.ResumeSchedule(ctx, s.workbench, in.Name); err != nil {
		return schedules.ScheduleRow{}, err
	}
	return schedules.ScheduleRowOf(ctx, s.workbench, in.Name)
}

func (s *schedulesAPI) runScheduleNow(ctx context.Context, in *SchedulePath) (experiments.Fire, error) {
	return schedules.RunNow(ctx, s.workbench, in.Name)
}

type nextInput struct {
	SchedulePath
	N int `query:"n" minimum:"1" maximum:"100" default:"10"`
}

func (s *schedulesAPI) nextSlots(ctx context.Context, in *nextInput) (ItemsOf[schedules.Slot], error) {
	schedule, err := schedules.Schedule(ctx, s.workbench, in.Name)
	if err != nil {
		return ItemsOf[schedules.Slot]{}, err
	}
	slots, err := schedules.NextSlots(ctx, s.workbench, in.Name, in.N)
	if err != nil {
		return ItemsOf[schedules.Slot]{}, err
	}
	return items(schedules.SlotsIn(schedule.Zone, slots))
}

type firesInput struct {
	SchedulePath
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"next_cursor of the part before"`
}

func (s *schedulesAPI) listFires(ctx context.Context, in *firesInput) (schedules.FireRows, error) {
	if _, err := schedules.Schedule(ctx, s.workbench, in.Name); err != nil {
		return schedules.FireRows{}, err
	}
	return schedules.FireRowsOf(ctx, s.workbench, in.Name, listing.Page{Limit: in.Limit, Cursor: in.Cursor})
}

type fireInput struct {
	SchedulePath
	Fire string `path:"fire" maxLength:"40"`
}

// fireWorkbook sends the workbook that a fire wrote.
func (s *schedulesAPI) fireWorkbook(ctx context.Context, in *fireInput) (*huma.StreamResponse, error) {
	f, err := schedules.Fire(ctx, s.workbench, in.Name, in.Fire)
	if err != nil {
		return nil, err
	}
	path := schedules.FireWorkbook(s.workbench, f)
	if _, err := os.Stat(path); path == "" || err != nil {
		return nil, problem.New(problem.NotFound, "fire_workbook", "fire %s has no workbook on this server", f.ID).With("fire", f.ID)
	}
	return sentFile(s.log, path, f.Schedule+"-"+f.NominalAt.Format("2006-01-02"), "xlsx")
}

type previewScheduleInput struct {
	Body struct {
		Cron string `json:"cron" maxLength:"1000"`
		Zone string `json:"zone,omitempty" maxLength:"200"`
		N    int    `json:"n,omitempty" minimum:"0" maximum:"100" doc:"default 10"`
	}
}

// previewSchedule says what a timetable means while it is being written.
func (s *schedulesAPI) previewSchedule(_ context.Context, in *previewScheduleInput) (schedules.Preview, error) {
	n := in.Body.N
	if n == 0 {
		n = 10
	}
	return schedules.PreviewOf(s.workbench, in.Body.Cron, in.Body.Zone, n)
}

func (s *schedulesAPI) listZones(context.Context, *requests.Nothing) (ItemsOf[string], error) {
	return items(timetable.Zones(), nil)
}
