package analyses

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	analysisquestions "github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Analyses are what else is known of a run. A part is nil where the run has not been analysed.
type Analyses struct {
	Causes    *causes.CauseReport               // only what every diagnosis says by itself
	Questions *analysisquestions.QuestionReport // only the labels
}

// AnalysesOf reads the newest finished diagnosis and question analysis of a run. A tested diagnosis goes before an observed one, and
// the paper's is none of its causes. An analysis of the run's dataset by itself serves all runs on the same version.
func AnalysesOf(ctx context.Context, w *app.Workbench, e experiments.Evaluation) (Analyses, error) {
	var out Analyses
	run := e.Run
	diagnose, questions, err := AnalysisRuns(ctx, w, run)
	if err != nil {
		return out, err
	}
	if diagnose != nil {
		found, err := experiments.Findings[causes.Diagnosis](ctx, w.Store, diagnose.ID)
		if err != nil {
			return out, err
		}
		out.Causes = &causes.CauseReport{RunID: run.ID, DiagnoseID: diagnose.ID, Method: causes.CauseMethod(diagnose.Setup.Analysis.Method)}
		for _, id := range slices.Sorted(maps.Keys(found)) {
			out.Causes.Diagnoses = append(out.Causes.Diagnoses, found[id])
		}
	}
	if questions == nil {
		return out, nil
	}
	found, err := questionAnalysis(ctx, w, *questions, e.Questions)
	if err != nil {
		return out, err
	}
	out.Questions = &analysisquestions.QuestionReport{RunID: run.ID, AnalyseID: questions.ID, Dataset: questions.Setup.Dataset.String()}
	for _, id := range slices.Sorted(maps.Keys(found.Labels)) {
		out.Questions.Questions = append(out.Questions.Questions, found.Labels[id])
	}
	return out, nil
}

// AnalysisRuns finds the runs that analysed a run, or the version of its dataset; nil where there is none.
func AnalysisRuns(ctx context.Context, w *app.Workbench, run experiments.Run) (diagnose, questions *experiments.Run, err error) {
	switch newest, err := chosenDiagnosis(ctx, w, run.ID, ""); {
	case err == nil:
		diagnose = &newest
	case !problem.Is(err, problem.NotFound):
		return nil, nil, err
	}
	found, err := questionAnalyses(ctx, w, run.ID, run.Setup.Dataset)
	if err == nil && len(found) > 0 && (found[0].ParentID == run.ID || found[0].Setup.Dataset.Version == run.Setup.Dataset.Version) {
		questions = &found[0]
	}
	return diagnose, questions, err
}

// Number writes a threshold as short as it is.
func Number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
