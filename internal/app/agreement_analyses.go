package app

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Analyses are what else is known of a run. A part is nil where the run has not been analysed.
type Analyses struct {
	Causes    *analysis.CauseReport    // only what every diagnosis says by itself
	Questions *analysis.QuestionReport // only the labels
}

// analysesOf reads the newest finished diagnosis and question analysis of a run. A tested diagnosis goes before an observed one. An
// analysis of the run's dataset by itself serves all runs on the same version.
func (w *Workbench) analysesOf(ctx context.Context, run experiments.Run) (Analyses, error) {
	var out Analyses
	diagnose, err := w.newestAnalysis(ctx, experiments.KindDiagnose, func(r experiments.Run) int {
		switch {
		case r.Setup.Analysis.Of != run.ID:
			return 0
		case r.Setup.Analysis.Method == string(analysis.Tested):
			return 2
		}
		return 1
	})
	if err != nil {
		return out, err
	}
	if diagnose != nil {
		found, err := experiments.Findings[analysis.Diagnosis](ctx, w.Store, diagnose.ID)
		if err != nil {
			return out, err
		}
		out.Causes = &analysis.CauseReport{RunID: run.ID, DiagnoseID: diagnose.ID, Method: analysis.CauseMethod(diagnose.Setup.Analysis.Method)}
		for _, id := range slices.Sorted(maps.Keys(found)) {
			out.Causes.Diagnoses = append(out.Causes.Diagnoses, found[id])
		}
	}
	questions, err := w.newestAnalysis(ctx, experiments.KindQuestions, func(r experiments.Run) int {
		if of := r.Setup.Analysis.Of; of == run.ID || of == "" && r.Setup.Dataset.Digest == run.Setup.Dataset.Digest {
			return 1
		}
		return 0
	})
	if err != nil || questions == nil {
		return out, err
	}
	found, err := experiments.Findings[analysis.QuestionLabels](ctx, w.Store, questions.ID)
	if err != nil {
		return out, err
	}
	out.Questions = &analysis.QuestionReport{RunID: run.ID, AnalyseID: questions.ID, Dataset: questions.Setup.Dataset.String()}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		out.Questions.Questions = append(out.Questions.Questions, found[id])
	}
	return out, nil
}

// newestAnalysis finds the newest finished run of a kind that fits best; nil when none fits.
func (w *Workbench) newestAnalysis(ctx context.Context, kind experiments.Kind, fits func(experiments.Run) int) (*experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Kind: kind, State: experiments.Finished})
	if err != nil {
		return nil, err
	}
	var best *experiments.Run
	most := 0
	for i, r := range runs { // the newest first
		if r.Setup.Analysis == nil {
			continue
		}
		if n := fits(r); n > most {
			best, most = &runs[i], n
		}
	}
	return best, nil
}

// number writes a threshold as short as it is.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
