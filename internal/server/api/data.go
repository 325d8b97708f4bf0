package api

import (
	"context"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// StudiesPath takes studies, the largest files of all.
const (
	StudiesPath      = "/studies"
	VerificationPath = "/studies/verification"
)

// dataRoutes are the routes of the data directory as a whole.
func (s *Resources) dataRoutes(r *requests.Router) {
	requests.Form(r, StudiesPath, requests.Admin, "Import the runs of a study with everything they rest on", s.machine.importStudy)
	describeForm(r, StudiesPath, []string{"file"}, map[string]string{"file": "*study.zip, as the export of a run writes it; at most 1 GiB"})
	requests.Form(r, VerificationPath, requests.Admin, "Compute everything in a study again from its raw replies, as a job", s.machine.verifyStudy)
	describeForm(r, VerificationPath, []string{"file"}, map[string]string{"file": "*study.zip; at most 1 GiB",
		"digest": "that its export printed, or its beginning, received by another way than the file"})
	requests.Post(r, "/prune", requests.Admin, "Drop the raw replies of old calls, or only say what would be lost", s.machine.prune)
}

func (s *machineAPI) importStudy(ctx context.Context, in *formInput) (archive.Manifest, error) {
	up, err := s.uploads.ReceiveUpTo(in.writer, in.request, views.MaxStudyBytes)
	if err != nil {
		return archive.Manifest{}, err
	}
	defer up.Remove()
	if err := up.Knows(); err != nil {
		return archive.Manifest{}, err
	}
	if len(up.Files) != 1 {
		return archive.Manifest{}, requests.Invalid("upload_files", "file", "a study is one file", "send it in the field file")
	}
	return views.ImportUploaded(ctx, s.workbench, filepath.Join(up.Dir, requests.FilesFolder, up.Files[0]), up.Files[0])
}

// verifyStudy starts a job whose result is a [views.Verified].
func (s *machineAPI) verifyStudy(_ context.Context, in *formInput) (Job, error) {
	up, err := s.uploads.ReceiveUpTo(in.writer, in.request, views.MaxStudyBytes)
	if err != nil {
		return Job{}, err
	}
	if err = up.Knows("digest"); err == nil && len(up.Files) != 1 {
		err = requests.Invalid("upload_files", "file", "a study is one file", "send it in the field file")
	}
	if err != nil {
		up.Remove()
		return Job{}, err
	}
	return job(views.VerifyUploaded(s.work, filepath.Join(up.Dir, requests.FilesFolder, up.Files[0]), up.Files[0], up.Fields["digest"],
		archive.Verifier{Version: s.version, Notebook: studies.CheckSealed(s.version)}, up.Remove))
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
