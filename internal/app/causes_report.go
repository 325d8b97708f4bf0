package app

import (
	"context"
	"errors"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// openDiagnosis readies the cause analysis of a run.
func (w *Workbench) openDiagnosis(ctx context.Context, run experiments.Run, stages rag.Stages) (experiments.Analyst, error) {
	source, err := w.diagnosisSource(ctx, run, stages)
	if err != nil {
		return nil, err
	}
	return analysis.OpenDiagnosis(ctx, run, source)
}

func (w *Workbench) diagnosisSource(ctx context.Context, run experiments.Run, stages rag.Stages) (analysis.DiagnosisSource, error) {
	source := analysis.DiagnosisSource{Providers: w.providers, Indexes: w.indexes, Stages: stages}
	var err error
	if source.Evaluation, err = experiments.LoadEvaluation(ctx, w.Store, run.Setup.Analysis.Of); err != nil {
		return source, err
	}
	source.Evaluation = firstVotes(source.Evaluation)
	if run.Setup.Corpus.Name != "" {
		source.Corpus, err = w.Store.Corpus(ctx, run.Setup.Corpus.String())
	}
	return source, err
}

// CauseReport is what the newest finished diagnosis of a run found. method narrows it; "" prefers tested causes to observed ones,
// and leaves the paper's out. NotFound when there is none. It buys nothing.
func (w *Workbench) CauseReport(ctx context.Context, name string, method analysis.CauseMethod) (analysis.CauseReport, error) {
	e, err := w.Evaluation(ctx, name)
	if err != nil {
		return analysis.CauseReport{}, err
	}
	return w.causesOf(ctx, e, method)
}

func (w *Workbench) causesOf(ctx context.Context, e experiments.Evaluation, method analysis.CauseMethod) (analysis.CauseReport, error) {
	run, err := w.newestDiagnosis(ctx, e.Run.ID, method)
	if err != nil {
		return analysis.CauseReport{}, err
	}
	report, err := w.causeReport(ctx, firstVotes(e), run)
	if err != nil || report.Method != analysis.PaperWay {
		return report, err
	}
	return report, w.setBeside(ctx, e, run, &report)
}

// setBeside puts the tested causes beside those of a control method, where the run has been diagnosed in both ways.
func (w *Workbench) setBeside(ctx context.Context, e experiments.Evaluation, control experiments.Run, report *analysis.CauseReport) error {
	run, err := w.newestDiagnosis(ctx, e.Run.ID, analysis.Tested)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	tested, err := w.causeReport(ctx, firstVotes(e), run)
	if err != nil {
		return err
	}
	beside := analysis.CausesBeside(*report, tested)
	beside.SameJudge = control.Setup.Judge.Provider == run.Setup.Judge.Provider && control.Setup.Judge.Model == run.Setup.Judge.Model
	report.Beside = &beside
	return nil
}

// causeReport reads what a diagnosis found.
func (w *Workbench) causeReport(ctx context.Context, e experiments.Evaluation, run experiments.Run) (analysis.CauseReport, error) {
	in := analysis.CauseReportInput{DiagnoseID: run.ID, Method: analysis.CauseMethod(run.Setup.Analysis.Method), Risks: map[string]analysis.RepairRisk{}, Outcomes: map[string]analysis.RepairOutcome{}}
	found, err := experiments.Findings[analysis.Diagnosis](ctx, w.Store, run.ID)
	if err != nil {
		return analysis.CauseReport{}, err
	}
	if in.Failed, err = w.failedCells(ctx, run.ID); err != nil {
		return analysis.CauseReport{}, err
	}
	if in.Patterns, err = analysis.PatternsOf(ctx, e, w.Store); err != nil {
		return analysis.CauseReport{}, err
	}
	report := analysis.ReportCauses(e, found, in)
	if len(report.Recommendations) == 0 {
		return report, nil
	}
	for _, r := range report.Recommendations {
		risk, knownRisk, err := remembered[analysis.RepairRisk](ctx, w.Store, riskKind, run, r)
		if err != nil {
			return report, err
		}
		if knownRisk {
			in.Risks[r.Key()] = risk
		}
		outcome, tried, err := remembered[analysis.RepairOutcome](ctx, w.Store, triedKind, run, r)
		if err != nil {
			return report, err
		}
		if tried {
			in.Outcomes[r.Key()] = outcome
		}
	}
	return analysis.ReportCauses(e, found, in), nil
}

// failedCells counts the cells of a run that have an error after all its retries.
func (w *Workbench) failedCells(ctx context.Context, id string) (n int, err error) {
	results, err := experiments.PooledResults(ctx, w.Store, id)
	for _, r := range results {
		for _, s := range r.Scores {
			if r.Replicate == 0 && s.State == metrics.Errored {
				n++
			}
		}
	}
	return n, err
}

// remembered is what was found out about a recommendation, where it was looked at.
func remembered[T any](ctx context.Context, stages rag.Stages, kind string, run experiments.Run, r analysis.Recommendation) (found T, ok bool, err error) {
	found, err = rag.Remember(ctx, stages, kind, recommendationKey(kind, run, r), func(context.Context) (T, error) {
		var none T
		return none, errNotLookedAt
	})
	if errors.Is(err, errNotLookedAt) {
		return found, false, nil
	}
	return found, err == nil, err
}

// newestDiagnosis finds the finished run of kind diagnose to show for a run.
func (w *Workbench) newestDiagnosis(ctx context.Context, id string, method analysis.CauseMethod) (experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: id, Kind: experiments.KindDiagnose, State: experiments.Finished})
	if err != nil {
		return experiments.Run{}, err
	}
	wanted := []analysis.CauseMethod{method}
	if method == "" {
		wanted = []analysis.CauseMethod{analysis.Tested, analysis.Observed}
	}
	for _, m := range wanted {
		for _, r := range runs { // the newest first
			if r.Setup.Analysis.Method == string(m) {
				return r, nil
			}
		}
	}
	return experiments.Run{}, noCauses(id)
}

// noCauses says that a run was not diagnosed.
func noCauses(run string) error {
	return problem.New(problem.NotFound, "causes_unknown", "the causes of the low scores of run %s have not been looked for", run).
		With("run_id", run).WithHint("diagnose the run (`workbench diagnose %s`); the plan says what that costs", run)
}

// The kinds of stages that keep what a recommended configuration does to good answers, and what it did when it was tried.
const (
	riskKind  = "cause_risk"
	triedKind = "cause_tried"
)

var errNotLookedAt = errors.New("the recommendation has not been looked at")

func recommendationKey(kind string, run experiments.Run, r analysis.Recommendation) string {
	return rag.StageKey(kind, analysis.CauseVersion, run.ID, r.Key())
}

// weighRecommendations finds out, for each configuration that a diagnosis recommends, which good answers lose their evidence by it; and
// where every model is offline, it tries the configuration on the answers themselves. What a model would have to be bought for is left
// out: the report then says that it was not tried.
func (w *Workbench) weighRecommendations(ctx context.Context, run experiments.Run) error {
	source, err := w.diagnosisSource(ctx, run, w.Store)
	if err != nil {
		return err
	}
	report, err := w.causeReport(ctx, source.Evaluation, run)
	if err != nil || len(report.Recommendations) == 0 || source.Corpus == nil {
		return err
	}
	setup := run.Setup.Analysis
	lab, err := analysis.NewLab(ctx, analysis.LabOptions{
		Evaluation: source.Evaluation, Corpus: source.Corpus, Providers: w.providers, Indexes: w.indexes, Stages: w.Store,
		Reference: setup.Reference, Embedders: setup.Embedders,
	})
	if err != nil {
		return err
	}
	defer lab.Close()
	ctx = llm.WithScope(ctx, llm.Scope{RunID: run.ID})
	c := source.Evaluation.Run.Setup.Config
	for _, r := range report.Recommendations {
		if !r.Applies || c.IsOutside() || c.Rewrite.Mode == "llm" || c.Rerank.Mode == "llm" || c.Embedding.Provider != "offline" && r.Embeds() {
			continue
		}
		risk, err := rag.Remember(ctx, w.Store, riskKind, recommendationKey(riskKind, run, r), func(ctx context.Context) (analysis.RepairRisk, error) {
			return analysis.RiskOf(ctx, lab, source.Evaluation, r.Changes())
		})
		if err != nil {
			return err
		}
		if !source.Evaluation.Run.Setup.Offline || c.Generate.Provider != "offline" || c.Embedding.Provider != "offline" {
			continue
		}
		r.AtRisk = risk.AtRisk
		_, err = rag.Remember(ctx, w.Store, triedKind, recommendationKey(triedKind, run, r), func(ctx context.Context) (analysis.RepairOutcome, error) {
			return lab.TryRepairs(ctx, r, 1)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// CauseComparison is what moved between the causes of two runs.
type CauseComparison struct {
	Method  analysis.CauseMethod   `json:"method"`
	Changes []analysis.CauseChange `json:"changes"` // cause × question category, before and after (the founding paper's table 5)
	Moves   []analysis.CauseMove   `json:"moves"`
	Before  analysis.CauseReport   `json:"-"`
	After   analysis.CauseReport   `json:"-"`
}

// CompareCauses sets the causes of two runs side by side. NotFound unless both have been diagnosed by the same method: tested and
// observed causes are never counted together.
func (w *Workbench) CompareCauses(ctx context.Context, baseline, candidate experiments.Evaluation) (CauseComparison, error) {
	var c CauseComparison
	var err error
	for _, method := range []analysis.CauseMethod{analysis.Tested, analysis.Observed} {
		c = CauseComparison{Method: method}
		if c.Before, err = w.causesOf(ctx, baseline, method); err == nil {
			c.After, err = w.causesOf(ctx, candidate, method)
		}
		if err == nil || !problem.Is(err, problem.NotFound) {
			break
		}
	}
	if err != nil {
		return c, err
	}
	labels := map[string]analysis.QuestionLabels{}
	questions, err := w.QuestionReport(ctx, candidate.Run.ID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return c, err
	}
	for _, l := range questions.Questions {
		labels[l.QuestionID] = l
	}
	c.Changes = analysis.CauseChanges(c.Before, c.After, labels)
	c.Moves = analysis.CauseMoves(firstVotes(baseline), firstVotes(candidate), c.Before, c.After)
	return c, nil
}
