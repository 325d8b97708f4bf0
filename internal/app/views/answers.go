package views

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// readAnswers reads logged answers to the questions of a dataset that was written beside them.
func (r UploadRequest) readAnswers() (Upload, error) {
	raw, err := os.ReadFile(r.Dataset)
	if err != nil {
		return Upload{}, err
	}
	var dataset experiments.Dataset
	if err := json.Unmarshal(raw, &dataset); err != nil {
		return Upload{}, err
	}
	log, report, err := intake.ReadAnswers(r.Path, r.Name, &dataset, intake.ReadOptions{Columns: r.Columns})
	if err != nil {
		return Upload{}, err
	}
	return Upload{Answers: log.Answers, Answered: report}, nil
}

// reading is how files of scores are read: as the rules of their comparison say.
func (r UploadRequest) reading() foreign.ForeignOptions {
	o := r.Foreign
	o.Lower, o.Higher = r.Rules.Lower, r.Rules.Higher
	return o
}

// compareScores reads two files of scores and compares them.
func (r UploadRequest) compareScores() (Upload, error) {
	var tables [2]*foreign.ScoreTable
	for i, path := range []string{r.Path, r.Other} {
		arm := [2]string{"baseline", "candidate"}[i]
		var err error
		if tables[i], err = foreign.ReadScoresCalled(path, arm+"/"+filepath.Base(path), r.reading()); err != nil {
			return Upload{}, problem.From(err).With("field", arm)
		}
	}
	compared, err := compare.CompareScores(tables[0], tables[1], r.Rules)
	return Upload{Compared: &compared}, err
}

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
func (v *libraryViews) KeepAnswers(ctx context.Context, u Upload, o app.AnswersOptions, dry bool) (app.ImportedAnswers, error) {
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
func (v *libraryViews) KeepResults(ctx context.Context, u Upload, o app.ResultsOptions) (app.ImportedResults, error) {
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
