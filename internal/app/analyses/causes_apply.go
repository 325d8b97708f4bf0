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
	e, err := w.Evaluation(ctx, name)
	if err != nil {
		return experiments.Experiment{}, causes.Recommendation{}, err
	}
	report, err := CausesOf(ctx, w, e, causes.Tested)
	if err != nil {
		return experiments.Experiment{}, causes.Recommendation{}, err
	}
	if nth < 1 || nth > len(report.Recommendations) {
		return experiments.Experiment{}, causes.Recommendation{},
			problem.New(problem.Invalid, "recommendation", "there is no recommendation %d for run %s; it has %d", nth, e.Run.ID,
				len(report.Recommendations)).
				WithHint("workbench diagnose %s --show", e.Run.ID)
	}
	change := report.Recommendations[nth-1]
	if !change.Applies {
		return experiments.Experiment{}, change, problem.New(problem.Invalid, "recommendation", "recommendation %d is for people: %s", nth,
			change.Words("en")).
			WithHint("correct the documents, the question or the reference, import them, and run again")
	}
	known, err := w.Store.Experiment(ctx, e.Run.Setup.Experiment)
	if err != nil {
		return known, change, err
	}
	lang := "en"
	if len(e.Questions) > 0 {
		lang = e.Questions[0].Lang
	}
	d := known.Definition
	if d.IsOutside() {
		return known, change, problem.New(problem.Invalid, "repair_outside",
			"%s runs elsewhere: the workbench cannot change it", known.Name).
			WithHint("make this change in the system itself and run it again: %s", change.Words("en"))
	}
	if d.Base, err = causes.ApplyRepairs(e.Run.Setup.Config, change.Changes(), lang); err != nil {
		return known, change, err
	}
	d.Name, d.Corpus, d.Sweep = repairName(known.Name, change.Changes()), corpusRef(e.Run.Setup, known.Definition), nil
	d.Notes = fmt.Sprintf("run %s with the change that its diagnosis recommends: %s", e.Run.ID, change.Words("en"))
	made, err := w.Store.PutExperiment(ctx, d, w.Options.Now())
	return made, change, err
}

// corpusRef is the corpus a run used, which an axis of its sweep may have chosen.
func corpusRef(s experiments.Setup, d experiments.Definition) string {
	if name, _, _ := strings.Cut(d.Corpus, "@"); name == s.Corpus.Name {
		return d.Corpus
	}
	return s.Corpus.Name
}

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
