package analyses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// EvidenceRules say how evidence is looked for. Zero fields take the usual way.
type EvidenceRules struct {
	Corpus string             // default the corpus of the dataset's newest run
	Judge  string             // provider/model that decides whether a passage says what a reference claims; default the offline judge
	Out    string             // .xlsx or .jsonl; default DATASET-evidence.xlsx
	Budget experiments.Budget // of all calls
}

// EvidenceFound says what was found for a dataset. Known, Whole, Part, None and Unasked add up to its questions.
type EvidenceFound struct {
	RunID   string `json:"run_id"`
	Dataset string `json:"dataset"`
	Corpus  string `json:"corpus"`
	Path    string `json:"path"`
	Known   int    `json:"known"`   // had evidence before
	Whole   int    `json:"whole"`   // every claim of the reference has a place now
	Part    int    `json:"part"`    // some claims have one
	None    int    `json:"none"`    // no claim has one
	Unasked int    `json:"unasked"` // without a reference, or the right answer is that the documents do not say
	Offline bool   `json:"offline"`
}

// FindEvidence looks through a corpus for the evidence of a dataset's questions that have none, and writes the whole dataset as a
// sheet to be reviewed: what was found is proposed, nothing else changes. Importing the sheet makes the next version of the dataset, with
// the evidence that was accepted. Calls are booked to a run of kind questions.
func FindEvidence(ctx context.Context, w *app.Workbench, datasetRef string, rules EvidenceRules) (EvidenceFound, error) {
	dataset, setup, format, err := seeking(ctx, w, datasetRef, &rules)
	if err != nil {
		return EvidenceFound{}, err
	}
	found := EvidenceFound{Path: rules.Out, Offline: setup.Offline, Dataset: setup.Dataset.String(), Corpus: setup.Corpus.String()}
	var drafts []intake.Draft
	run, err := Booked(ctx, w, experiments.Run{Kind: experiments.KindQuestions, Setup: setup, Budget: rules.Budget},
		func(ctx context.Context, stop <-chan struct{}) error {
			source, err := w.QuestionSource(ctx, experiments.Run{Setup: setup}, w.Providers, w.Store)
			if err != nil {
				return err
			}
			defer source.Close()
			drafts, err = found.seekAll(ctx, source, dataset.Questions, w.Concurrency(setup), stop)
			return err
		})
	found.RunID = run.ID
	if err != nil {
		return found, err
	}
	return found, writeDrafts(rules.Out, format, drafts)
}

// PlanEvidence says what looking for evidence would ask for, if no passage said what is looked for: that costs most.
func PlanEvidence(ctx context.Context, w *app.Workbench, datasetRef string, rules EvidenceRules) (app.Plan, error) {
	dataset, setup, _, err := seeking(ctx, w, datasetRef, &rules)
	if err != nil {
		return app.Plan{}, err
	}
	ctx = llm.WithScope(ctx, llm.Scope{Stage: "judge"})
	var asked EvidenceFound
	plan, err := w.Planned(ctx, setup.Experiment, func(t *app.Tally) error {
		source, err := w.QuestionSource(ctx, experiments.Run{Setup: setup}, questionTally{t}, &rag.MemoryStages{})
		if err != nil {
			return err
		}
		defer source.Close()
		asked = EvidenceFound{}
		_, err = asked.seekAll(ctx, source, dataset.Questions, 1, nil)
		return err
	})
	plan.Questions = asked.Whole + asked.Part + asked.None
	return plan, err
}

// errSeekingStopped ends a search that somebody asked to stop.
var errSeekingStopped = errors.New("the search for evidence was asked to stop")

// seekAll makes the rows of a sheet, in the order of the questions, and counts what came of them. After an error nothing more is begun,
// and what is under way comes to its end: it has been paid for.
func (f *EvidenceFound) seekAll(ctx context.Context, source questions.QuestionSource, questions []experiments.Question, inFlight int,
	stop <-chan struct{}) ([]intake.Draft, error) {
	drafts, counts := make([]intake.Draft, len(questions)), make([]*int, len(questions))
	var group errgroup.Group
	var failed atomic.Bool
	group.SetLimit(max(1, inFlight))
	for i, q := range questions {
		group.Go(func() error {
			select {
			case <-stop:
				return errSeekingStopped
			default:
			}
			if failed.Load() {
				return nil
			}
			var err error
			if drafts[i], counts[i], err = f.seek(ctx, source, q); err != nil {
				failed.Store(true)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, n := range counts {
		*n++
	}
	return drafts, nil
}

// seek looks for the evidence of a question that has none. It returns the row, and the number that counts it.
func (f *EvidenceFound) seek(ctx context.Context, source questions.QuestionSource, q experiments.Question) (intake.Draft, *int, error) {
	d := intake.Draft{Question: q, Known: true, Settled: true}
	switch {
	case len(q.Evidence) > 0:
		return d, &f.Known, nil
	case q.Reference == "" || !q.Answerable:
		return d, &f.Unasked, nil
	}
	spans, whole, err := source.Find(ctx, q)
	if err != nil {
		return d, nil, fmt.Errorf("look for the evidence of question %s: %w", q.ID, err)
	}
	for _, s := range spans {
		e := experiments.Evidence{Span: s, Quote: source.Corpus.Text(s)}
		if !slices.Contains(d.Question.Evidence, e) { // one place may say two claims
			d.Question.Evidence = append(d.Question.Evidence, e)
		}
	}
	switch {
	case len(spans) == 0:
		d.Note = "no evidence found in " + f.Corpus
		return d, &f.None, nil
	case !whole:
		d.Note, d.Settled = "evidence found for a part of the reference", false
		return d, &f.Part, nil
	}
	d.Note, d.Settled = "evidence found", false
	return d, &f.Whole, nil
}

// seeking freezes what evidence is looked for with.
func seeking(ctx context.Context, w *app.Workbench, datasetRef string, rules *EvidenceRules) (*experiments.Dataset, experiments.Setup,
	string, error) {
	dataset, err := w.Store.Dataset(ctx, datasetRef)
	if err != nil {
		return nil, experiments.Setup{}, "", err
	}
	corpus, err := corpusFor(ctx, w, dataset.Name, rules.Corpus)
	if err == nil && corpus.Name == "" {
		err = problem.New(problem.Invalid, "evidence_corpus", "no run says in which corpus the evidence of dataset %s lies", dataset.Name).
			WithHint("name it with --corpus")
	}
	if err != nil {
		return nil, experiments.Setup{}, "", err
	}
	setup, err := writing(w, rules.Judge)
	if err != nil {
		return nil, setup, "", err
	}
	setup.Experiment, setup.Corpus = "evidence-"+dataset.Name, corpus
	setup.Dataset = dataset.Ref()
	setup.Config = rag.DefaultConfig()
	format, err := sheetFormat(&rules.Out, dataset.Name+"-evidence.xlsx")
	return dataset, setup, format, err
}

// writing is the part of a setup that says who proposes what stands in a sheet to be reviewed.
func writing(w *app.Workbench, who string) (experiments.Setup, error) {
	judge := metrics.DefaultJudge()
	if who != "" {
		var err error
		if judge, err = app.JudgeConfigOf(who); err != nil {
			return experiments.Setup{}, err
		}
	}
	provider, err := w.Providers.Provider(judge.Provider)
	if err != nil {
		return experiments.Setup{}, err
	}
	setup := experiments.Setup{
		Suite: []metrics.Spec{questions.QuestionSpec()}, Judge: judge, Offline: judge.Provider == "offline", Settled: provider.Info().
			Deterministic,
	}
	return setup.Versioned(), nil
}
