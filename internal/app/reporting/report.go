package reporting

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports"
)

// Report puts a run into a report, with what it is compared with and everything that analyses, agreements and reviews say of it.
// Baseline "" takes the pinned one when there is one; its release check goes by what is asked of a gate. What was never done is nil in the
// report, which says so. It buys nothing.
func Report(ctx context.Context, w *app.Workbench, baseline, candidate, lang, version string, asked GateAsked,
) (reports.Report, error) {
	rules, err := asked.Rules()
	if err != nil {
		return reports.Report{}, err
	}
	r := reports.Report{Lang: lang, GeneratedAt: w.Options.Now().Local(), Version: version}
	comparison, both, err := app.CompareInShort(ctx, w, baseline, candidate)
	alone := baseline == "" && problem.CodeOf(err) == "baseline_unknown"
	if err != nil && !alone {
		return r, err
	}
	r.Candidate = both[1]
	r.Title = r.Candidate.Run.Setup.Experiment
	if !alone && both[0].Run.ID != both[1].Run.ID {
		if err := CompareWith(&r.Input, comparison, both, rules); err != nil {
			return r, err
		}
	} else if len(rules.Limits()) > 0 {
		return r, problem.New(problem.Invalid, "limits_alone", "limits of the release check are about two runs, and this report is about one").
			WithHint("name the baseline too, or pin one with `workbench baseline set RUN`")
	}
	if err := FillReport(ctx, w, &r); err != nil {
		return r, err
	}
	if r.Baseline != nil {
		pare(r.Baseline.Results)
	}
	return r, nil
}

// pare lets go of what no report tells of its baseline once it was compared: the judge's words and what they rest on. Formats are written
// from what is left, and a workbook takes the most memory while it is.
func pare(results []experiments.Result) {
	for i := range results {
		r := &results[i]
		r.Reasons, r.Grounds, r.Cover = "", nil, nil
	}
}

// FillReport adds what analyses, agreements and reviews say of the candidate.
func FillReport(ctx context.Context, w *app.Workbench, r *reports.Report) error {
	if r.Baseline != nil {
		moved, err := analyses.CompareCauses(ctx, w, *r.Baseline, r.Candidate)
		if err == nil {
			r.BaselineCauses, r.Causes, r.CauseChanges, r.CauseMoves = &moved.Before, &moved.After, moved.Changes, moved.Moves
		} else if !problem.Is(err, problem.NotFound) {
			return err
		} else if before, err := analyses.CausesInShort(ctx, w, *r.Baseline, ""); err == nil {
			r.BaselineCauses = &before // that of the baseline alone, or found in another way
		} else if !problem.Is(err, problem.NotFound) {
			return err
		}
	}
	err := fillFindings(ctx, w, &r.Input)
	if err != nil {
		return err
	}
	if r.Causes != nil {
		if err := analyses.TellCauses(ctx, w, r.Causes); err != nil {
			return err
		}
	}
	r.Sweep, err = reportSweep(ctx, w, r.Candidate.Run)
	return err
}

// reportSweep reads the sweep that a run belongs to; nil when it belongs to none.
func reportSweep(ctx context.Context, w *app.Workbench, run experiments.Run) (*reports.Sweep, error) {
	if run.SweepID == "" {
		return nil, nil //nolint:nilnil // most runs belong to no sweep
	}
	runs, err := w.SweepRuns(ctx, run.SweepID)
	if err != nil {
		return nil, err
	}
	out := &reports.Sweep{ID: run.SweepID, Runs: runs}
	if winner, err := app.Winner(runs); err == nil {
		out.Winner = winner.ID
	}
	finished := slices.DeleteFunc(slices.Clone(runs), func(r experiments.Run) bool { return r.State != experiments.Finished })
	if len(finished) < 2 || len(finished) > sweeps.MostRead {
		return out, nil
	}
	evaluations, err := sweeps.Evaluations(ctx, w, finished)
	if err != nil {
		return nil, err
	}
	metrics := compare.SweepMetrics(run.Setup.Suite)
	for _, metric := range metrics[:min(1, len(metrics))] {
		out.Effects = append(out.Effects, compare.MainEffectsOf(evaluations, metric))
	}
	out.Map = compare.MapOf(evaluations, compare.GoodAnswers, false)
	return out, nil
}
