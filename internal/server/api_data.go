package server

import (
	"context"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/problem"
)

// studiesPath takes studies, the largest files of all.
const studiesPath = "/studies"

// data are the routes of the data directory as a whole.
func (s *Server) data(r *router) {
	form(r, studiesPath, Admin, "Import the runs of a study with everything they rest on", s.importStudy)
	describeForm(r, studiesPath, []string{"file"}, map[string]string{"file": "*study.zip, as the export of a run writes it; at most 1 GiB"})
	post(r, "/prune", Admin, "Drop the raw replies of old calls, or only say what would be lost", s.prune)
}

func (s *Server) importStudy(ctx context.Context, in *formInput) (archive.Manifest, error) {
	up, err := s.uploads.receiveUpTo(in.writer, in.request, views.MaxStudyBytes)
	if err != nil {
		return archive.Manifest{}, err
	}
	defer up.remove()
	if err := up.knows(); err != nil {
		return archive.Manifest{}, err
	}
	if len(up.files) != 1 {
		return archive.Manifest{}, invalid("upload_files", "file", "a study is one file", "send it in the field file")
	}
	return views.ImportUploaded(ctx, s.Workbench, filepath.Join(up.dir, filesFolder, up.files[0]), up.files[0])
}

type pruneInput struct {
	Body struct {
		OlderThan string `json:"older_than" minLength:"1" maxLength:"10" doc:"age of the replies to drop, in days, such as 90d"`
		Dry       bool   `json:"dry,omitempty" doc:"only say what would be lost"`
	}
}

// prune drops what nothing rests on that is not over, pinned or a baseline.
func (s *Server) prune(ctx context.Context, in *pruneInput) (app.PruneReport, error) {
	age, err := app.ParseDays(in.Body.OlderThan)
	if err != nil {
		return app.PruneReport{}, problem.From(err).With("field", "older_than")
	}
	report, err := app.Prune(ctx, s.Workbench, age, in.Body.Dry)
	if report.Runs == nil {
		report.Runs = []string{}
	}
	return report, err
}
