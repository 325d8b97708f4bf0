package analyses

import (
	"context"
	"errors"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// CauseReport is what the finished diagnosis of most of a run's low answers found, the newest of such. method narrows it; "" prefers tested causes to observed ones,
// and leaves the paper's out. NotFound when there is none. It buys nothing.
func CauseReport(ctx context.Context, w *app.Workbench, name string, method causes.CauseMethod) (causes.CauseReport, error) {
	e, err := w.Evaluation(ctx, name)
	if err != nil {
		return causes.CauseReport{}, err
	}
	return CausesOf(ctx, w, e, method)
}

// CausesOf reads the newest finished diagnosis of an evaluation, as CauseReport does. NotFound when there is none.
func CausesOf(ctx context.Context, w *app.Workbench, e experiments.Evaluation, method causes.CauseMethod) (causes.CauseReport, error) {
	return causesBy(ctx, w, e, method, whole)
}

func causesBy(ctx context.Context, w *app.Workbench, e experiments.Evaluation, method causes.CauseMethod,
	read finding) (causes.CauseReport, error) {
	run, err := chosenDiagnosis(ctx, w, e.Run.ID, method)
	if err != nil {
		return causes.CauseReport{}, err
	}
	first := app.FirstVotes(e)
	d, err := diagnosed(ctx, w, first, run, read)
	if err != nil {
		return causes.CauseReport{}, err
	}
	report, err := d.report(ctx, w)
	if err != nil {
		return report, err
	}
	if report.Examples, err = d.examples(ctx, w, report); err != nil || report.Method != causes.PaperWay {
		return report, err
	}
	return report, setBeside(ctx, w, e, run, &report)
}

// setBeside puts the tested causes beside those of a control method, where the run has been diagnosed in both ways.
func setBeside(ctx context.Context, w *app.Workbench, e experiments.Evaluation, control experiments.Run, report *causes.CauseReport) error {
	run, err := chosenDiagnosis(ctx, w, e.Run.ID, causes.Tested)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	d, err := diagnosed(ctx, w, app.FirstVotes(e), run, inShort)
	if err != nil {
		return err
	}
	tested, err := d.report(ctx, w)
	if err != nil {
		return err
	}
	beside := causes.CausesBeside(*report, tested)
	beside.SameJudge = control.Setup.Judge.Provider == run.Setup.Judge.Provider && control.Setup.Judge.Model == run.Setup.Judge.Model
	report.Beside = &beside
	return nil
}

// reading is a diagnosis that was read, of the first votes of an evaluation.
type reading struct {
	e       experiments.Evaluation
	run     experiments.Run
	results []experiments.Result // of the diagnosis
	found   diagnoses
	in      causes.CauseReportInput // what is known without trials
}

func diagnosed(ctx context.Context, w *app.Workbench, e experiments.Evaluation, run experiments.Run, read finding) (d reading, err error) {
	d = reading{e: e, run: run, in: causes.CauseReportInput{DiagnoseID: run.ID, Method: causes.CauseMethod(run.Setup.Analysis.Method),
		Reference: run.Setup.Analysis.Reference}}
	if d.results, err = experiments.PooledResults(ctx, w.Store, run.ID); err != nil {
		return d, err
	}
	if d.found, err = read(ctx, w, run.ID, d.results); err != nil {
		return d, err
	}
	d.in.Failed = failedCells(d.results)
	d.in.Patterns, err = causes.PatternsOf(ctx, e, w.Store)
	return d, err
}

// report sums up the diagnosis, with what is known of each recommendation.
func (d reading) report(ctx context.Context, w *app.Workbench) (causes.CauseReport, error) {
	in := d.in
	in.Risks, in.Outcomes = map[string]causes.RepairRisk{}, map[string]causes.RepairOutcome{}
	others, err := runsBeside(ctx, w, d.e.Run)
	if err != nil {
		return causes.CauseReport{}, err
	}
	if in.Measured, err = measuredIn(ctx, w, d.e, others); err != nil {
		return causes.CauseReport{}, err
	}
	for _, r := range causes.ToTry(d.e, d.found, d.in) {
		risk, knownRisk, err := remembered[causes.RepairRisk](ctx, w.Store, riskKind, d.run, r)
		if err != nil {
			return causes.CauseReport{}, err
		}
		if knownRisk {
			in.Risks[r.Key()] = risk
		}
		outcome, tried, err := remembered[causes.RepairOutcome](ctx, w.Store, triedKind, d.run, r)
		if err != nil {
			return causes.CauseReport{}, err
		}
		made, isMade, err := madeIn(ctx, w, d.e, others, r)
		if err != nil {
			return causes.CauseReport{}, err
		}
		switch {
		case isMade:
			in.Outcomes[r.Key()] = made
		case tried:
			in.Outcomes[r.Key()] = outcome
		}
	}
	return causes.ReportCauses(d.e, d.found, in), nil
}

// examples tells answers of frequent causes through. Their diagnoses are read whole, however the others were read.
func (d reading) examples(ctx context.Context, w *app.Workbench, report causes.CauseReport) ([]causes.CauseExample, error) {
	var corpus *rag.Corpus
	if c := d.e.Run.Setup.Corpus; c.Name != "" && len(report.Diagnoses) > 0 {
		var err error
		if corpus, err = w.Store.Corpus(ctx, c.String()); err != nil {
			return nil, err
		}
	}
	told := report.Told()
	of := slices.DeleteFunc(slices.Clone(d.results), func(r experiments.Result) bool {
		return !slices.ContainsFunc(told, func(t causes.Diagnosis) bool { return t.QuestionID == r.QuestionID })
	})
	found, err := whole(ctx, w, d.run.ID, of)
	if err != nil {
		return nil, err
	}
	for i := range told {
		told[i] = found[told[i].QuestionID]
	}
	return causes.ExamplesOf(report, told, d.e, corpus), nil
}

// failedCells counts the cells that have an error after all retries.
func failedCells(results []experiments.Result) (n int) {
	for _, r := range results {
		for _, s := range r.Scores {
			if r.Replicate == 0 && s.State == metrics.Errored {
				n++
			}
		}
	}
	return n
}

// remembered is what was found out about a recommendation, where it was looked at.
func remembered[T any](ctx context.Context, stages rag.Stages, kind string, run experiments.Run, r causes.Recommendation) (found T,
	ok bool, err error) {
	found, err = rag.Remember(ctx, stages, kind, recommendationKey(kind, run, r), func(context.Context) (T, error) {
		var none T
		return none, errNotLookedAt
	})
	if errors.Is(err, errNotLookedAt) {
		return found, false, nil
	}
	return found, err == nil, err
}

// chosenDiagnosis finds the finished run of kind diagnose to show for a run.
func chosenDiagnosis(ctx context.Context, w *app.Workbench, id string, method causes.CauseMethod) (experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: id, Kind: experiments.KindDiagnose, State: experiments.Finished})
	if err != nil {
		return experiments.Run{}, err
	}
	wanted := []causes.CauseMethod{method}
	if method == "" {
		wanted = []causes.CauseMethod{causes.Tested, causes.Observed}
	}
	for _, m := range wanted {
		own := slices.DeleteFunc(slices.Clone(runs), func(r experiments.Run) bool { return r.Setup.Analysis.Method != string(m) })
		if len(own) > 0 {
			return fullest(ctx, w, id, own)
		}
	}
	return experiments.Run{}, NoCauses(id)
}

// fullest is, of diagnoses of one run, the newest first, the one of most answers that are low now: what somebody diagnoses of a part of
// them does not hide what is known of all.
func fullest(ctx context.Context, w *app.Workbench, id string, diagnoses []experiments.Run) (experiments.Run, error) {
	if len(diagnoses) == 1 {
		return diagnoses[0], nil
	}
	e, err := w.Evaluation(ctx, id)
	if err != nil {
		return experiments.Run{}, err
	}
	low := map[string]bool{}
	standing, _ := experiments.Standing(e.Results)
	for _, r := range standing {
		low[r.QuestionID] = r.Low(e.Run.Setup.LowRule())
	}
	best, most := diagnoses[0], -1
	for _, r := range diagnoses {
		covered := 0
		for _, q := range r.Setup.Questions {
			if low[q] {
				covered++
			}
		}
		if covered > most {
			best, most = r, covered
		}
	}
	return best, nil
}

// NoCauses says that a run was not diagnosed.
func NoCauses(run string) error {
	return problem.New(problem.NotFound, "causes_unknown", "the causes of the low scores of run %s have not been looked for", run).
		With("run_id", run).WithHint("diagnose the run (`workbench diagnose %s`); the plan says what that costs", run)
}

// The kinds of stages that keep what a recommended configuration does to good answers, and what it did when it was tried.
const (
	riskKind  = "cause_risk"
	triedKind = "cause_tried"
)

var errNotLookedAt = errors.New("the recommendation has not been looked at")

func recommendationKey(kind string, run experiments.Run, r causes.Recommendation) string {
	return rag.StageKey(kind, run.Setup.Analysis.Version, run.ID, r.Key()) // what an earlier version tried is still what happened
}

// CauseComparison is what moved between the causes of two runs.
type CauseComparison struct {
	Method  causes.CauseMethod   `json:"method"`
	Changes []causes.CauseChange `json:"changes"` // cause × question category, before and after (the founding paper's table 5)
	Moves   []causes.CauseMove   `json:"moves"`
	Before  causes.CauseReport   `json:"-"` // in short
	After   causes.CauseReport   `json:"-"` // in short
}

// CompareCauses sets the causes of two runs side by side. NotFound unless both have been diagnosed by the same method: tested and
// observed causes are never counted together.
func CompareCauses(ctx context.Context, w *app.Workbench, baseline, candidate experiments.Evaluation) (CauseComparison, error) {
	var c CauseComparison
	var err error
	for _, method := range []causes.CauseMethod{causes.Tested, causes.Observed} {
		c = CauseComparison{Method: method}
		if c.Before, err = CausesInShort(ctx, w, baseline, method); err == nil {
			c.After, err = CausesInShort(ctx, w, candidate, method)
		}
		if err == nil || !problem.Is(err, problem.NotFound) {
			break
		}
	}
	if err != nil {
		return c, err
	}
	labels := map[string]experiments.QuestionLabels{}
	questions, err := QuestionReport(ctx, w, candidate.Run.ID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return c, err
	}
	for _, l := range questions.Questions {
		labels[l.QuestionID] = l
	}
	c.Changes = causes.CauseChanges(c.Before, c.After, labels)
	c.Moves = causes.CauseMoves(app.FirstVotes(baseline), app.FirstVotes(candidate), c.Before, c.After)
	return c, nil
}
