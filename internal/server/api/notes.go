package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

type changeNotesInput struct {
	RunPath
	Body experiments.NoteChange
}

func (s *runsAPI) changeNotes(ctx context.Context, in *changeNotesInput) (app.NotesChanged, error) {
	changed, err := app.ChangeNotes(ctx, s.workbench, in.ID, in.Body, requests.VisitorOf(ctx).Name)
	if err == nil {
		requests.Noted(ctx, app.Told(in.Body))
	}
	return changed, err
}

func (s *runsAPI) listRunTags(ctx context.Context, _ *requests.Nothing) (ItemsOf[experiments.TagCount], error) {
	return items(s.workbench.Whole.RunTags(ctx))
}

func (s *runsAPI) listRunViews(ctx context.Context, _ *requests.Nothing) (ItemsOf[experiments.RunView], error) {
	return items(s.workbench.Whole.RunViews(ctx))
}

// ViewPath names a saved view.
type ViewPath struct {
	Name string `path:"name" maxLength:"200" doc:"of the view"`
}

type putRunViewInput struct {
	ViewPath
	Body struct {
		Query string `json:"query" maxLength:"4000" doc:"what stands behind the ? of the page's address"`
	}
}

func (s *runsAPI) putRunView(ctx context.Context, in *putRunViewInput) (experiments.RunView, error) {
	return app.SaveView(ctx, s.workbench, experiments.RunView{Name: in.Name, Query: in.Body.Query}, requests.VisitorOf(ctx).Name)
}

func (s *runsAPI) removeRunView(ctx context.Context, in *ViewPath) error {
	return s.workbench.Whole.RemoveRunView(ctx, in.Name, s.now().UTC())
}

func (s *runsAPI) restoreRunView(ctx context.Context, in *ViewPath) (experiments.RunView, error) {
	return s.workbench.Whole.RestoreRunView(ctx, in.Name)
}
