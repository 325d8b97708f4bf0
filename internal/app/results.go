package app

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Summary is a run as the command line and the API print it. Its fields are a contract (design.md 6).
type Summary struct {
	RunID         string                      `json:"run_id"`
	Experiment    string                      `json:"experiment"`
	Params        map[string]any              `json:"params,omitempty"`
	Coverage      experiments.Coverage        `json:"coverage"`
	Scores        map[string]experiments.Mean `json:"scores"`
	LowScoreCount int                         `json:"low_score_count"`
}

// Summarize returns the summary of a finished run.
func Summarize(run experiments.Run) Summary { return SummaryOf(run.Head()) }

// SummaryOf is [Summarize] of a run in a list.
func SummaryOf(run experiments.RunHead) Summary {
	s := Summary{RunID: run.RunID, Experiment: run.Experiment, Scores: map[string]experiments.Mean{}}
	if run.Totals != nil {
		s.Coverage, s.Scores, s.LowScoreCount = run.Totals.Coverage, run.Totals.Scores, run.Totals.LowScoreCount
	}
	if len(run.Params) > 0 {
		s.Params = map[string]any{}
		for _, p := range run.Params {
			s.Params[p.Name] = p.Value
		}
	}
	return s
}

// FindRun returns the run that a person means by a run id, a unique prefix of one, or an experiment's name: then its newest finished
// run that is no part of a sweep, and a part of one only where there is no other. A sweep tries what nobody uses, and its last
// configuration would stand in for the experiment's own.
func (w *Workbench) FindRun(ctx context.Context, name string) (experiments.Run, error) {
	newest := experiments.RunFilter{Experiment: name, State: experiments.Finished, Kind: experiments.KindEvaluate, Roots: true, Limit: 1}
	for _, newest.Alone = range []bool{true, false} {
		if name == "" { // which would be the newest run of all
			break
		}
		runs, err := w.Store.Runs(ctx, newest)
		if err != nil {
			return experiments.Run{}, err
		}
		if len(runs) == 1 {
			return runs[0], nil
		}
	}
	run, err := w.Store.Run(ctx, name)
	if problem.Is(err, problem.NotFound) {
		err = problem.From(err).
			WithHint("give a run id, the beginning of one, or the name of an experiment with a finished run; `workbench runs list` shows them")
	}
	return run, err
}

// Evaluation loads a finished run for comparing and reporting. A sweep stands for the best of its runs.
func (w *Workbench) Evaluation(ctx context.Context, name string) (experiments.Evaluation, error) {
	return evaluationFrom(ctx, w, w.Store, name, experiments.LoadEvaluationFrom)
}

// loader reads the evaluation of a run with questions and documents from a library.
type loader func(context.Context, experiments.Store, experiments.Library, string) (experiments.Evaluation, error)

// evaluationFrom is [Workbench.Evaluation] with questions and documents from a library.
func evaluationFrom(ctx context.Context, w *Workbench, library experiments.Library, name string,
	load loader) (experiments.Evaluation, error) {
	run, err := finishedRun(ctx, w, name)
	if err != nil {
		return experiments.Evaluation{}, err
	}
	return load(ctx, w.Store, library, run.ID)
}

// finishedRun finds the run that a name means for comparing and reporting: see [Workbench.Evaluation].
func finishedRun(ctx context.Context, w *Workbench, name string) (experiments.Run, error) {
	run, err := w.FindRun(ctx, name)
	if err != nil {
		return experiments.Run{}, err
	}
	if run.Kind == experiments.KindSweep {
		runs, err := w.SweepRuns(ctx, run.ID)
		if err != nil {
			return experiments.Run{}, err
		}
		if run, err = Winner(runs); err != nil {
			return experiments.Run{}, err
		}
	}
	if run.State != experiments.Finished {
		return experiments.Run{}, problem.New(problem.Conflict, "run_unfinished",
			"run %s is %s; only finished runs can be compared and reported", run.ID, run.State).
			WithHint("workbench runs show %s says why; workbench runs resume %s goes on with it", run.ID, run.ID)
	}
	return run, nil
}

// Winner returns the best finished run: complete ones first (95% of the cells scored), then fewest low scores, then highest
// correctness, trust and evidence coverage, then fewest contexts, then the first. It is the best on these questions; on new ones
// the best of many looks worse.
func Winner(runs []experiments.Run) (experiments.Run, error) {
	var finished []experiments.Run
	for _, r := range runs {
		if r.State == experiments.Finished && r.Totals != nil {
			finished = append(finished, r)
		}
	}
	if len(finished) == 0 {
		return experiments.Run{}, problem.New(problem.Conflict, "no_finished_run", "the sweep has no finished run")
	}
	return slices.MinFunc(finished, func(a, b experiments.Run) int {
		order := cmp.Or(incomplete(a)-incomplete(b), cmp.Compare(a.Totals.LowScoreCount, b.Totals.LowScoreCount))
		for _, metric := range []string{"correctness", "trust", "span_coverage"} {
			order = cmp.Or(order, cmp.Compare(b.Totals.Scores[metric].Mean, a.Totals.Scores[metric].Mean))
		}
		return cmp.Or(order, cmp.Compare(a.Setup.Config.Retrieve.K, b.Setup.Config.Retrieve.K))
	}), nil
}

// incomplete is 1 for a run in which too much failed to compare it with others: what has no score is no low score either.
func incomplete(r experiments.Run) int {
	if r.Totals.Coverage.Share() < 0.95 {
		return 1
	}
	return 0
}

// SweepBaseline returns the run of a sweep that its other runs are measured against: the pinned baseline of the dataset,
// else the run with the experiment's base configuration, else the first.
func SweepBaseline(ctx context.Context, w *Workbench, e experiments.Experiment, runs []experiments.Run) (experiments.Run, error) {
	pinned, err := w.Store.Baseline(ctx, runs[0].Setup.Dataset.Name)
	if err == nil {
		return w.Store.Run(ctx, pinned.RunID)
	}
	if !problem.Is(err, problem.NotFound) {
		return experiments.Run{}, err
	}
	for _, r := range runs {
		if reflect.DeepEqual(r.Setup.Config, e.Definition.Base.Frozen()) {
			return r, nil
		}
	}
	return runs[0], nil
}

// Compare sets two runs side by side. An empty baseline means the pinned one of the candidate's dataset.
// anchors, one or two runs over answers that never change, tell what the judge did from what the system did; see [anchorsOf].
func (w *Workbench) Compare(ctx context.Context, baseline, candidate string, anchors ...string) (compare.Comparison,
	[2]experiments.Evaluation, error) {
	return compared(ctx, w, baseline, candidate, anchors, experiments.LoadEvaluationFrom)
}

// CompareInShort is [Workbench.Compare] for who says what came of it and explains no score: the evaluations lack the keys of stages where
// they are not needed for that, and what stood for them until they were compared.
func CompareInShort(ctx context.Context, w *Workbench, baseline, candidate string, anchors ...string) (compare.Comparison,
	[2]experiments.Evaluation, error) {
	comparison, both, err := compared(ctx, w, baseline, candidate, anchors, experiments.LoadInShort)
	for _, e := range both {
		for i := range e.Results {
			e.Results[i].Prints = nil
		}
	}
	return comparison, both, err
}

func compared(ctx context.Context, w *Workbench, baseline, candidate string, anchors []string, load loader) (compare.Comparison,
	[2]experiments.Evaluation, error) {
	both, err := loadBoth(ctx, w, baseline, candidate, load)
	if err != nil {
		return compare.Comparison{}, both, err
	}
	options := w.Comparing(ctx, both[1].Run.Setup)
	if options.Anchors, err = anchorsOf(ctx, w, anchors); err != nil {
		return compare.Comparison{}, both, err
	}
	comparison, err := compare.CompareWith(both[0], both[1], options)
	return comparison, both, err
}

// loadBoth reads the evaluations of two runs side by side; an empty baseline is the pinned one. Where there is no baseline, that of the
// candidate is there beside the error: a report tells of it alone.
func loadBoth(ctx context.Context, w *Workbench, baseline, candidate string, load loader) (both [2]experiments.Evaluation, err error) {
	var runs [2]experiments.Run
	if runs[1], err = finishedRun(ctx, w, candidate); err != nil {
		return both, err
	}
	shelf := experiments.NewShelf(w.Store)
	var failed [2]error
	read := func(i int) { both[i], failed[i] = load(ctx, w.Store, shelf, runs[i].ID) }
	if runs[0], err = baselineOf(ctx, w, baseline, runs[1]); err != nil {
		read(1)
		return both, cmp.Or(failed[1], err)
	}
	var loading sync.WaitGroup
	for i := range runs {
		loading.Go(func() { read(i) })
	}
	loading.Wait()
	return both, cmp.Or(failed[1], failed[0])
}

// baselineOf finds the baseline of a run by its name, or the pinned one of its dataset.
func baselineOf(ctx context.Context, w *Workbench, name string, candidate experiments.Run) (experiments.Run, error) {
	if name == "" {
		pinned, err := w.Store.Baseline(ctx, candidate.Setup.Dataset.Name)
		if err != nil {
			if problem.Is(err, problem.NotFound) {
				err = problem.From(err).WithHint("give two runs, or set one with `workbench baseline set RUN`")
			}
			return experiments.Run{}, err
		}
		name = pinned.RunID
	}
	return finishedRun(ctx, w, name)
}

// anchorsOf reads how fixed answers were judged at two times: in two runs, or in the first and in the newest votes of one run with
// replicates. Nil without runs.
func anchorsOf(ctx context.Context, w *Workbench, runs []string) (*compare.Anchors, error) {
	if len(runs) == 0 {
		return nil, nil //nolint:nilnil // anchors are optional
	}
	first, err := w.Evaluation(ctx, runs[0])
	if err != nil {
		return nil, err
	}
	if len(runs) == 2 {
		now, err := w.Evaluation(ctx, runs[1])
		return &compare.Anchors{Before: votes(first, 0), Now: votes(now, 0)}, err
	}
	newest := 0
	for _, r := range first.Results {
		newest = max(newest, r.Replicate)
	}
	if len(runs) > 2 || newest == 0 {
		return nil, problem.New(problem.Invalid, "anchors", "anchors are two runs over the same fixed answers, or one run with replicates").
			WithHint("`workbench import-answers` registers fixed answers; `workbench runs replicate RUN -n 1` judges them again")
	}
	return &compare.Anchors{Before: votes(first, 0), Now: votes(first, newest)}, nil
}

// votes are the results of one replicate.
func votes(e experiments.Evaluation, replicate int) []experiments.Result {
	var out []experiments.Result
	for _, r := range e.Results {
		if r.Replicate == replicate {
			out = append(out, r)
		}
	}
	return out
}

// SetBaseline pins a finished run as the baseline of its dataset.
func (w *Workbench) SetBaseline(ctx context.Context, name string) (experiments.Baseline, error) {
	e, err := w.Evaluation(ctx, name)
	if err != nil {
		return experiments.Baseline{}, err
	}
	if err := Pinnable(e.Run); err != nil {
		return experiments.Baseline{}, err
	}
	b := experiments.Baseline{Dataset: e.Run.Setup.Dataset.Name, RunID: e.Run.ID, SetAt: w.Options.Now()}
	return b, w.Store.SetBaseline(ctx, b)
}

// Pinnable refuses a run that answers no questions of its own as a baseline: every comparison with it would fail.
func Pinnable(run experiments.Run) error {
	if run.Kind == experiments.KindEvaluate && run.ParentID == "" {
		return nil
	}
	of := run.ParentID
	if of == "" {
		of = "RUN"
	}
	return problem.New(problem.Invalid, "baseline_kind", "run %s is no evaluation of its own, so nothing can be compared with it", run.ID).
		With("field", "run").With("kind", string(run.Kind)).WithHint("pin the run that it belongs to: workbench baseline set %s", of)
}

// BubbleTable counts questions by correctness (column, 1–5) and trust (row, 1–5): the numbers behind the bubble chart.
// Questions without both scores are counted apart.
func BubbleTable(results []experiments.Result, threshold float64) (counts [5][5]int, unscored int) {
	standing, _ := experiments.Standing(results)
	for _, r := range standing {
		c, okC := r.Value("correctness")
		t, okT := r.Value("trust")
		if !okC || !okT {
			unscored++
			continue
		}
		counts[compare.Square(t, threshold)-1][compare.Square(c, threshold)-1]++
	}
	return counts, unscored
}

// Explain rebuilds what the scores of one question rest on: claims, verdicts, quotes and reasons.
func Explain(ctx context.Context, w *Workbench, scores []metrics.Score) (metrics.Explanation, error) {
	return metrics.Explain(ctx, w.Store, scores)
}
