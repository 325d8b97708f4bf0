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
const (
	studiesPath      = "/studies"
	verificationPath = "/studies/verification"
)

// dataRoutes are the routes of the data directory as a whole.
func (s *rooms) dataRoutes(r *router) {
	form(r, studiesPath, Admin, "Import the runs of a study with everything they rest on", s.machine.importStudy)
	describeForm(r, studiesPath, []string{"file"}, map[string]string{"file": "*study.zip, as the export of a run writes it; at most 1 GiB"})
	form(r, verificationPath, Admin, "Compute everything in a study again from its raw replies, as a job", s.machine.verifyStudy)
	describeForm(r, verificationPath, []string{"file"}, map[string]string{"file": "*study.zip; at most 1 GiB",
		"digest": "that its export printed, or its beginning, received by another way than the file"})
	post(r, "/prune", Admin, "Drop the raw replies of old calls, or only say what would be lost", s.machine.prune)
}

func (s *machineAPI) importStudy(ctx context.Context, in *formInput) (archive.Manifest, error) {
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
	return views.ImportUploaded(ctx, s.workbench, filepath.Join(up.dir, filesFolder, up.files[0]), up.files[0])
}

// verifyStudy starts a job whose result is an [archive.Verification].
func (s *machineAPI) verifyStudy(_ context.Context, in *formInput) (Job, error) {
	up, err := s.uploads.receiveUpTo(in.writer, in.request, views.MaxStudyBytes)
	if err != nil {
		return Job{}, err
	}
	if err = up.knows("digest"); err == nil && len(up.files) != 1 {
		err = invalid("upload_files", "file", "a study is one file", "send it in the field file")
	}
	if err != nil {
		up.remove()
		return Job{}, err
	}
	return job(views.VerifyUploaded(s.work, filepath.Join(up.dir, filesFolder, up.files[0]), up.files[0], up.fields["digest"], up.remove))
}

type pruneInput struct {
	Body struct {
		OlderThan string `json:"older_than" minLength:"1" maxLength:"10" doc:"age of the replies to drop, in days, such as 90d"`
		Dry       bool   `json:"dry,omitempty" doc:"only say what would be lost"`
	}
}

// prune drops what nothing rests on that is not over, pinned or a baseline.
func (s *machineAPI) prune(ctx context.Context, in *pruneInput) (app.PruneReport, error) {
	age, err := app.ParseDays(in.Body.OlderThan)
	if err != nil {
		return app.PruneReport{}, problem.From(err).With("field", "older_than")
	}
	report, err := app.Prune(ctx, s.workbench, age, in.Body.Dry)
	if report.Runs == nil {
		report.Runs = []string{}
	}
	return report, err
}
