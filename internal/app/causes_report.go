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
	in := analysis.CauseReportInput{DiagnoseID: run.ID, Method: analysis.CauseMethod(run.Setup.Analysis.Method), Risks: map[string]analysis.RepairRisk{}}
	found, err := experiments.Findings[analysis.Diagnosis](ctx, w.Store, run.ID)
	if err != nil {
		return analysis.CauseReport{}, err
	}
	results, err := w.Store.Results(ctx, run.ID)
	if err != nil {
		return analysis.CauseReport{}, err
	}
	for _, r := range results {
		for _, s := range r.Scores {
			if s.State == metrics.Errored {
				in.Failed++
			}
		}
	}
	if in.Patterns, err = analysis.PatternsOf(ctx, e, w.Store); err != nil {
		return analysis.CauseReport{}, err
	}
	report := analysis.ReportCauses(e, found, in)
	if len(report.Recommendations) == 0 {
		return report, nil
	}
	for _, r := range report.Recommendations {
		risk, err := rag.Remember(ctx, w.Store, riskKind, riskKey(run, r.Repair), func(context.Context) (analysis.RepairRisk, error) {
			return analysis.RepairRisk{}, errUnknownRisk
		})
		switch {
		case err == nil:
			in.Risks[r.Repair.Key()] = risk
		case !errors.Is(err, errUnknownRisk):
			return report, err
		}
	}
	return analysis.ReportCauses(e, found, in), nil
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
	return experiments.Run{}, problem.New(problem.NotFound, "causes_unknown", "the causes of run %s have not been analysed", id).
		With("run", id).WithHint("workbench diagnose %s", id)
}

// riskKind is the kind of stage that keeps what a change does to good answers.
const riskKind = "cause_risk"

var errUnknownRisk = errors.New("the risk has not been looked at")

func riskKey(run experiments.Run, r analysis.Repair) string {
	return rag.StageKey(riskKind, analysis.CauseVersion, run.ID, r.Key())
}

// weighRisks retrieves for the good answers of a diagnosed run with each recommended change, and remembers what that does to them.
// A change to an embedder that is bought is left out: it would buy a vector for every question.
func (w *Workbench) weighRisks(ctx context.Context, run experiments.Run) error {
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
	for _, r := range report.Recommendations {
		bought := (r.Repair.Param == "embedding" || r.Repair.Param == "embedding.model") && run.Setup.Config.Embedding.Provider != "offline"
		if !r.Repair.Retrieves() || bought || run.Setup.Config.Rewrite.Mode == "llm" || run.Setup.Config.Rerank.Mode == "llm" {
			continue
		}
		_, err := rag.Remember(ctx, w.Store, riskKind, riskKey(run, r.Repair), func(ctx context.Context) (analysis.RepairRisk, error) {
			return analysis.RiskOf(ctx, lab, source.Evaluation, r.Repair)
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
