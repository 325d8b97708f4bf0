package analyses

import (
	"context"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// RepairExperiment registers an experiment that is the one of a diagnosed run with its nth recommended change (1 is the first), and
// returns it, ready to be run and compared with the diagnosed one.
func RepairExperiment(ctx context.Context, w *app.Workbench, name string, nth int) (experiments.Experiment, causes.Recommendation, error) {
	e, recommended, err := recommendationsOf(ctx, w, name)
	if err != nil {
		return experiments.Experiment{}, causes.Recommendation{}, err
	}
	change, err := nthOf(e, recommended, nth)
	if err != nil {
		return experiments.Experiment{}, change, err
	}
	d, err := repaired(ctx, w, e, change.Changes(), change.Words("en"))
	if err != nil {
		return experiments.Experiment{}, change, err
	}
	made, err := w.Store.PutExperiment(ctx, d, w.Options.Now())
	return made, change, err
}

// nthOf is a recommendation by its place in the list, from 1. It refuses those that are for people.
func nthOf(e experiments.Evaluation, recommended []causes.Recommendation, nth int) (causes.Recommendation, error) {
	if nth < 1 || nth > len(recommended) {
		return causes.Recommendation{},
			problem.New(problem.Invalid, "recommendation", "there is no recommendation %d for run %s; it has %d", nth, e.Run.ID,
				len(recommended)).
				WithHint("workbench diagnose %s --show", e.Run.ID)
	}
	change := recommended[nth-1]
	if !change.Applies {
		return change, problem.New(problem.Invalid, "recommendation", "recommendation %d is for people: %s", nth, change.Words("en")).
			WithHint("correct the documents, the question or the reference, import them, and run again")
	}
	return change, nil
}

// Repair is a recommended change of a diagnosed run with the experiment that it makes, which is not registered yet.
type Repair struct {
	Before     experiments.Run
	Change     causes.Recommendation
	Definition experiments.Definition
}

// RepairNamed finds a recommendation of a run's newest tested diagnosis by the name that [RecommendationName] gives it; "" is the first
// that the workbench can apply by itself. It registers and buys nothing.
func RepairNamed(ctx context.Context, w *app.Workbench, run, name string) (Repair, error) {
	e, recommended, err := recommendationsOf(ctx, w, run)
	if err != nil {
		return Repair{}, err
	}
	change, err := namedOf(e, recommended, name)
	if err != nil {
		return Repair{}, err
	}
	d, err := repaired(ctx, w, e, change.Changes(), change.Words("en"))
	return Repair{Before: e.Run, Change: change, Definition: d}, err
}

// namedOf is a recommendation by its name; "" is the first that can be applied.
func namedOf(e experiments.Evaluation, recommended []causes.Recommendation, name string) (causes.Recommendation, error) {
	var names []string
	for _, change := range recommended {
		if !change.Applies {
			continue
		}
		own := RecommendationName(change)
		if name == "" || name == own {
			return change, nil
		}
		names = append(names, own)
	}
	if len(names) == 0 {
		return causes.Recommendation{}, problem.New(problem.Invalid, "recommendation",
			"the diagnosis of run %s recommends nothing that can be applied by itself", e.Run.ID).With("run", e.Run.ID).
			WithHint("workbench diagnose %s --show says what people can do", e.Run.ID)
	}
	return causes.Recommendation{}, problem.New(problem.Invalid, "recommendation",
		"there is no recommendation %q for run %s", name, e.Run.ID).
		With("run", e.Run.ID).WithHint("recommendations: %s", strings.Join(names, ", "))
}

// RepairJob is the run of a repaired experiment. Without a selection it asks what the diagnosed run asked.
func RepairJob(ctx context.Context, w *app.Workbench, e experiments.Experiment, before experiments.Run, s app.Select) (app.Job, error) {
	if s.Limit == 0 && len(s.Filter) == 0 {
		s.Questions = before.Setup.Questions
	}
	return w.Job(ctx, e, s)
}

// recommendationsOf are what the newest tested diagnosis of a run recommends, the best first.
func recommendationsOf(ctx context.Context, w *app.Workbench, name string) (experiments.Evaluation, []causes.Recommendation, error) {
	e, err := w.Evaluation(ctx, name)
	if err != nil {
		return e, nil, err
	}
	report, err := CausesInShort(ctx, w, e, causes.Tested)
	return e, report.Recommendations, err
}

// repaired is the experiment of a diagnosed run with changes, which words say.
func repaired(ctx context.Context, w *app.Workbench, e experiments.Evaluation, changes []causes.Repair,
	words string) (experiments.Definition, error) {
	known, err := w.Store.Experiment(ctx, e.Run.Setup.Experiment)
	if err != nil {
		return known.Definition, err
	}
	d := known.Definition
	if d.IsOutside() {
		return d, problem.New(problem.Invalid, "repair_outside",
			"%s runs elsewhere: the workbench cannot change it", known.Name).
			WithHint("make this change in the system itself and run it again: %s", words)
	}
	if d.Base, err = causes.ApplyRepairs(e.Run.Setup.Config, changes, langOf(e)); err != nil {
		return d, err
	}
	if d.Base.Index != nil { // what the index decides stands where it stood: the run of this experiment asks the index anew
		d.Base.Index, d.Base.Chunk, d.Base.Retrieve.BM25 = nil, known.Definition.Base.Chunk, known.Definition.Base.Retrieve.BM25
	}
	d.Name, d.Corpus, d.Sweep = repairName(known.Name, changes), corpusRef(e.Run.Setup, known.Definition), nil
	d.Notes = fmt.Sprintf("run %s with the change that its diagnosis recommends: %s", e.Run.ID, words)
	return d, nil
}

// corpusRef is the corpus a run used, which an axis of its sweep may have chosen.
func corpusRef(s experiments.Setup, d experiments.Definition) string {
	if name, _, _ := strings.Cut(d.Corpus, "@"); name == s.Corpus.Name {
		return d.Corpus
	}
	return s.Corpus.Name
}

// RecommendationName is what a recommendation is called whatever its place in the list: retrieve-k-5.
func RecommendationName(r causes.Recommendation) string { return repairName("", r.Changes()) }

// repairName names the experiment after what is changed: faq-retrieve-k-5.
func repairName(base string, changes []causes.Repair) string {
	parts := []string{base}
	for _, r := range changes {
		parts = append(parts, r.Param)
		switch r.To.(type) {
		case string, int, float64:
			parts = append(parts, fmt.Sprint(r.To))
		}
	}
	return strings.Trim(strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
			return c
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		}
		return '-'
	}, strings.Join(parts, "-")), "-")
}
