package views

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Views answers what people look at again and again, from evaluations and comparisons that it keeps in memory for a while. What is
// kept belongs to one state of the run and of its children, so that an answer is never older than its question. It is safe for
// concurrent use. It is the sum of its parts, one for each thing that is looked at.
type Views struct {
	*core
	runViews
	compareViews
	libraryViews
	machineViews
}

// The parts of views.
type (
	// runViews are runs: lists, answers, sweeps, causes, trends.
	runViews struct{ *core }
	// compareViews are runs beside each other.
	compareViews struct{ *core }
	// libraryViews are what runs are made of, and what is written into it.
	libraryViews struct{ *core }
	// machineViews are what runs rest on: providers, judges, endpoints, the catalogue of names.
	machineViews struct{ *core }
)

// core is the workbench with what was read of it and is kept.
type core struct {
	w *app.Workbench

	evaluations *app.Cache[*loaded]
	comparisons *app.Cache[*compared]
	pasts       *app.Cache[map[string]Past]
	corpora     *app.Cache[*rag.Corpus]
	gates       *app.Cache[reporting.GateView]
	sweeps      *app.Cache[SweepView]
	trends      *app.Cache[progress.TrendRun]
	besides     *app.Cache[*beside]
	groups      *app.Cache[*app.SweepGroup]
	setups      *app.Cache[map[string]any]
}

// The most that Views keeps: enough to look at two runs and the comparison of them and to go on to the next pair.
const (
	keptEvaluations = 4
	keptComparisons = 3
	keptCorpora     = 2
	keptGroups      = 200
	keptSetups      = 500 // what one part of a list has at most
	keptFor         = 10 * time.Minute
	unfinishedFor   = 2 * time.Second // a run that is worked changes all the time
)

// NewViews returns views on a workbench, with nothing in them.
func NewViews(w *app.Workbench) *Views {
	c := &core{
		w: w, evaluations: app.NewCache[*loaded](keptEvaluations), comparisons: app.NewCache[*compared](keptComparisons),
		pasts:   app.NewCache[map[string]Past](pastRuns),
		corpora: app.NewCache[*rag.Corpus](keptCorpora), gates: app.NewCache[reporting.GateView](keptComparisons),
		sweeps: app.NewCache[SweepView](keptComparisons),
		trends: app.NewCache[progress.TrendRun](MostTrendPoints), besides: app.NewCache[*beside](keptComparisons),
		groups: app.NewCache[*app.SweepGroup](keptGroups), setups: app.NewCache[map[string]any](keptSetups),
	}
	return &Views{c, runViews{c}, compareViews{c}, libraryViews{c}, machineViews{c}}
}

func (v *core) runs() *runViews        { return &runViews{v} }
func (v *core) library() *libraryViews { return &libraryViews{v} }

// Forget drops what nobody has looked at for ten minutes, so that an idle process is a small one.
func (v *core) Forget() {
	before := v.w.Options.Now().Add(-keptFor)
	v.evaluations.Forget(before)
	v.comparisons.Forget(before)
	v.pasts.Forget(before)
	v.corpora.Forget(before)
	v.gates.Forget(before)
	v.sweeps.Forget(before)
	v.trends.Forget(before)
	v.besides.Forget(before)
	v.groups.Forget(before)
	v.setups.Forget(before)
}

// corpusOf returns the corpus of a setup; nil where the system under test keeps its documents to itself.
func (v *core) corpusOf(ctx context.Context, s experiments.Setup) (*rag.Corpus, error) {
	if s.Corpus.Name == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	return v.corpus(ctx, s.Corpus)
}

// corpus returns a version of a corpus, which never changes.
func (v *core) corpus(ctx context.Context, ref experiments.Ref) (*rag.Corpus, error) {
	loading := context.WithoutCancel(ctx)
	return v.corpora.Get(ref.String(), v.w.Options.Now(), func() (*rag.Corpus, error) { return v.w.Store.Corpus(loading, ref.String()) })
}

// loaded is an evaluation with what finds its way in it.
type loaded struct {
	experiments.Evaluation
	known runIndex
	first map[string]int    // question id → index of its first vote
	votes map[string]int    // question id → number of votes
	rows  []QuestionRow     // in the order of the dataset, of what stands for each question
	key   string            // of the state that it shows
	tags  map[string]string // question id → everything that free text looks at, in lower case

	standing map[string]experiments.Result // question id → its first answer, with the means of all votes
}

// compared is a comparison with its two evaluations.
type compared struct {
	compare.Comparison
	both [2]*loaded
	rows []ChangeRow // by question, worst first

	standing [2][]experiments.Result // what stands for the questions of both sides
}

// evaluation returns a run with its results, from memory where its state is the same. Unfinished runs are shown as far as they
// are.
func (v *core) evaluation(ctx context.Context, run experiments.Run) (*loaded, error) {
	key, err := v.StateOf(ctx, run)
	if err != nil {
		return nil, err
	}
	loading := context.WithoutCancel(ctx) // others may wait for the same
	return v.evaluations.Get(key, v.w.Options.Now(), func() (*loaded, error) {
		e, err := experiments.LoadEvaluation(loading, v.w.Store, run.ID)
		if err != nil {
			return nil, err
		}
		known, err := v.runs().knownOf(loading, e)
		if err != nil {
			return nil, err
		}
		return newLoaded(e, known, key), nil
	})
}

// StateOf names the state of a run: finished runs change only by children that finish, others every moment.
func (v *core) StateOf(ctx context.Context, run experiments.Run) (string, error) {
	if run.State != experiments.Finished {
		now := v.w.Options.Now().Truncate(unfinishedFor)
		return run.ID + " " + string(run.State) + " " + now.Format(time.RFC3339), nil
	}
	analyses, err := v.runs().analysesNames(ctx, run)
	if err != nil {
		return "", err
	}
	family, err := app.Descendants(ctx, v.w, append([]string{run.ID}, analyses...)...)
	if err != nil {
		return "", err
	}
	for _, c := range family {
		if c.State == experiments.Finished {
			analyses = append(analyses, c.RunID)
		}
	}
	slices.Sort(analyses)
	return run.ID + " " + run.Chain + " " + strings.Join(slices.Compact(analyses), " "), nil
}

// find returns the run that a name means; a sweep stands for the best of its runs.
func (v *core) find(ctx context.Context, name string) (experiments.Run, error) {
	run, err := v.w.FindRun(ctx, name)
	if err != nil || run.Kind != experiments.KindSweep {
		return run, err
	}
	runs, err := v.w.SweepRuns(ctx, run.ID)
	if err != nil {
		return run, err
	}
	return app.Winner(runs)
}

// finished is find for runs that must be finished.
func (v *core) finished(ctx context.Context, name string) (experiments.Run, error) {
	run, err := v.find(ctx, name)
	if err == nil && run.State != experiments.Finished {
		err = problem.New(problem.Conflict, "run_unfinished", "run %s is %s; only finished runs can be compared and reported",
			run.ID, run.State).
			With("run_id", run.ID).WithHint("resume it, or wait until it is finished")
	}
	return run, err
}

// Pair finds the two runs of a comparison. An empty baseline means the pinned one of the candidate's dataset.
func (v *core) Pair(ctx context.Context, baseline, candidate string) (before, after experiments.Run, err error) {
	if after, err = v.finished(ctx, candidate); err != nil {
		return before, after, err
	}
	if baseline == "" {
		pinned, err := v.w.Store.Baseline(ctx, after.Setup.Dataset.Name)
		if err != nil {
			if problem.Is(err, problem.NotFound) {
				err = problem.From(err).With("field", "baseline").WithHint("choose a baseline for the dataset, or name two runs")
			}
			return before, after, err
		}
		baseline = pinned.RunID
	}
	before, err = v.finished(ctx, baseline)
	return before, after, err
}

// comparison returns the comparison of two runs, from memory where both have the same state.
func (v *core) comparison(ctx context.Context, baseline, candidate string) (*compared, error) {
	before, after, err := v.Pair(ctx, baseline, candidate)
	if err != nil {
		return nil, err
	}
	var both [2]*loaded
	for i, run := range []experiments.Run{before, after} {
		if both[i], err = v.evaluation(ctx, run); err != nil {
			return nil, err
		}
	}
	return v.comparisons.Get(both[0].key+"\n"+both[1].key, v.w.Options.Now(), func() (*compared, error) {
		c, err := compare.CompareWith(both[0].Evaluation, both[1].Evaluation, v.w.Comparing(context.WithoutCancel(ctx), both[1].Run.Setup))
		if err != nil {
			return nil, err
		}
		return newCompared(c, both), nil
	})
}
