package server

import (
	"context"
	"os"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// SchedulePath names a schedule.
type SchedulePath struct {
	Name string `path:"name" maxLength:"200" doc:"name of a schedule"`
}

func (s *Server) listSchedules(ctx context.Context, _ *nothing) (itemsOf[app.ScheduleRow], error) {
	return items(s.Workbench.ScheduleRows(ctx))
}

func (s *Server) getSchedule(ctx context.Context, in *SchedulePath) (app.ScheduleRow, error) {
	return s.Workbench.ScheduleRow(ctx, in.Name)
}

type scheduleInput struct {
	SchedulePath
	Body struct {
		Experiment string   `json:"experiment,omitempty" maxLength:"200" doc:"registered name; this or a notebook"`
		Notebook   string   `json:"notebook,omitempty" maxLength:"200" doc:"name of a notebook"`
		Params     []string `json:"params,omitempty" maxItems:"50" doc:"of the notebook, name=value"`
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
	}
}

// putSchedule registers a schedule or changes it. Where messages go is named, never given.
func (s *Server) putSchedule(ctx context.Context, in *scheduleInput) (app.ScheduleRow, error) {
	b := in.Body
	_, err := s.Workbench.PutSchedule(ctx, app.ScheduleOrder{
		Name: in.Name, Experiment: b.Experiment, Notebook: b.Notebook, Params: b.Params, Cron: b.Cron, Zone: b.Zone, CatchUp: experiments.CatchUp(b.CatchUp),
		Overlap: experiments.Overlap(b.Overlap), Window: b.Window, Budget: b.Budget, Monthly: b.Monthly, PauseAfter: b.PauseAfter, Notify: b.Notify, Ping: b.Ping, Lang: b.Lang,
	}, s.Notebooks)
	if err != nil {
		return app.ScheduleRow{}, err
	}
	return s.Workbench.ScheduleRow(ctx, in.Name)
}

type notebookSchedulesInput struct {
	Body struct {
		Notebook string `json:"notebook" minLength:"1" maxLength:"200"`
	}
}

// putNotebookSchedules registers what the front matter of a notebook says.
func (s *Server) putNotebookSchedules(ctx context.Context, in *notebookSchedulesInput) (itemsOf[app.ScheduleRow], error) {
	made, err := s.Workbench.PutNotebookSchedules(ctx, in.Body.Notebook, s.Notebooks)
	if err != nil {
		return itemsOf[app.ScheduleRow]{}, err
	}
	rows := []app.ScheduleRow{}
	for _, m := range made {
		row, err := s.Workbench.ScheduleRow(ctx, m.Name)
		if err != nil {
			return itemsOf[app.ScheduleRow]{}, err
		}
		rows = append(rows, row)
	}
	return items(rows, nil)
}

func (s *Server) removeSchedule(ctx context.Context, in *SchedulePath) error {
	return s.Workbench.RemoveSchedule(ctx, in.Name)
}

func (s *Server) pauseSchedule(ctx context.Context, in *SchedulePath) (app.ScheduleRow, error) {
	if _, err := s.Workbench.PauseSchedule(ctx, in.Name, ""); err != nil {
		return app.ScheduleRow{}, err
	}
	return s.Workbench.ScheduleRow(ctx, in.Name)
}

func (s *Server) resumeSchedule(ctx context.Context, in *SchedulePath) (app.ScheduleRow, error) {
	if _, err := s.Workbench.ResumeSchedule(ctx, in.Name); err != nil {
		return app.ScheduleRow{}, err
	}
	return s.Workbench.ScheduleRow(ctx, in.Name)
}

func (s *Server) runScheduleNow(ctx context.Context, in *SchedulePath) (experiments.Fire, error) {
	return s.Workbench.RunNow(ctx, in.Name)
}

type nextInput struct {
	SchedulePath
	N int `query:"n" minimum:"1" maximum:"100" default:"10"`
}

func (s *Server) nextSlots(ctx context.Context, in *nextInput) (itemsOf[app.Slot], error) {
	schedule, err := s.Workbench.Schedule(ctx, in.Name)
	if err != nil {
		return itemsOf[app.Slot]{}, err
	}
	slots, err := s.Workbench.NextSlots(ctx, in.Name, in.N)
	if err != nil {
		return itemsOf[app.Slot]{}, err
	}
	return items(app.SlotsIn(schedule.Zone, slots))
}

type firesInput struct {
	SchedulePath
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"next_cursor of the part before"`
}

func (s *Server) listFires(ctx context.Context, in *firesInput) (app.Listed[experiments.Fire], error) {
	if _, err := s.Workbench.Schedule(ctx, in.Name); err != nil {
		return app.Listed[experiments.Fire]{}, err
	}
	return s.Workbench.Fires(ctx, in.Name, app.Page{Limit: in.Limit, Cursor: in.Cursor})
}

type fireInput struct {
	SchedulePath
	Fire string `path:"fire" maxLength:"40"`
}

// fireWorkbook sends the workbook that a fire wrote.
func (s *Server) fireWorkbook(ctx context.Context, in *fireInput) (*huma.StreamResponse, error) {
	f, err := s.Workbench.Fire(ctx, in.Name, in.Fire)
	if err != nil {
		return nil, err
	}
	path := s.Workbench.FireWorkbook(f)
	if _, err := os.Stat(path); path == "" || err != nil {
		return nil, problem.New(problem.NotFound, "fire_workbook", "fire %s has no workbook on this server", f.ID).With("fire", f.ID)
	}
	return s.sentFile(path, f.Schedule+"-"+f.NominalAt.Format("2006-01-02"), "xlsx")
}

type previewScheduleInput struct {
	Body struct {
		Cron string `json:"cron" maxLength:"1000"`
		Zone string `json:"zone,omitempty" maxLength:"200"`
		N    int    `json:"n,omitempty" minimum:"0" maximum:"100" doc:"default 10"`
	}
}

// previewSchedule says what a timetable means while it is being written.
func (s *Server) previewSchedule(_ context.Context, in *previewScheduleInput) (app.Preview, error) {
	n := in.Body.N
	if n == 0 {
		n = 10
	}
	return s.Workbench.Preview(in.Body.Cron, in.Body.Zone, n)
}

func (s *Server) listZones(context.Context, *nothing) (itemsOf[string], error) {
	return items(experiments.Zones(), nil)
}
