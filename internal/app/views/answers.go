package views

import (
	"context"
	"encoding/json"
	"os"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// WriteDataset writes a stored dataset into a file, for a process that reads answers to it and must not see the database.
func (v *libraryViews) WriteDataset(ctx context.Context, ref, path string) error {
	dataset, err := v.w.Store.Dataset(ctx, ref)
	if err != nil {
		return problem.From(err).With("field", "dataset")
	}
	body, err := json.Marshal(dataset)
	if err != nil {
		return err
	}
	return os.WriteFile(path, body, 0o600)
}

// CheckAnswers refuses what [Views.KeepAnswers] would refuse whatever the file holds.
func (v *libraryViews) CheckAnswers(ctx context.Context, o app.AnswersOptions) error {
	_, _, err := v.w.AnswersFor(ctx, o)
	return err
}

// KeepAnswers stores the answers of an upload as the next version of a log, with the experiment that replays them. With dry it only
// says what would be stored.
func (v *libraryViews) KeepAnswers(ctx context.Context, u uploads.Upload, o app.AnswersOptions, dry bool) (app.ImportedAnswers, error) {
	dataset, definition, err := v.w.AnswersFor(ctx, o)
	if err != nil {
		return app.ImportedAnswers{}, err
	}
	ref := experiments.Ref{Name: dataset.Name, Version: dataset.Version}
	log := rag.NewLog(o.Name, ref.String(), u.Answers)
	if err := app.Fitting(log, dataset); err != nil {
		return app.ImportedAnswers{}, err // the dataset has changed while the file was read
	}
	if dry {
		return app.AnswersImport(log, u.Answered), nil
	}
	return v.w.KeepAnswers(ctx, log, u.Answered, definition)
}

// KeepResults stores the results of another tool that an upload held, with the experiment that replays them.
func (v *libraryViews) KeepResults(ctx context.Context, u uploads.Upload, o app.ResultsOptions) (app.ImportedResults, error) {
	if err := experiments.ValidName("imported results", o.Name); err != nil {
		return app.ImportedResults{}, err
	}
	return v.w.KeepResults(ctx, u.Results, o.Name, o)
}

// StartResults begins the run that holds imported scores, or finds an equal one; nothing where a model would have to be paid.
func StartResults(ctx context.Context, b *jobs.Background, experiment string) (string, error) {
	job, known, err := b.W.JobOfResults(ctx, experiment)
	if err != nil || known != "" || job == nil {
		return known, err
	}
	run, err := b.StartRun(ctx, jobs.Order{Experiment: experiment}, "")
	return run.RunID, err
}
