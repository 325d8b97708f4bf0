package app

import (
	"context"
	"maps"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// analysts work the runs that look into others.
func (w *Workbench) analysts() map[experiments.Kind]experiments.OpenAnalyst {
	return map[experiments.Kind]experiments.OpenAnalyst{
		experiments.KindDiagnose: func(ctx context.Context, run experiments.Run, stages rag.Stages) (experiments.Analyst, error) {
			return openDiagnosis(ctx, w, run, stages)
		},
		experiments.KindQuestions: func(ctx context.Context, run experiments.Run, stages rag.Stages) (experiments.Analyst, error) {
			return openQuestions(ctx, w, run, stages)
		},
	}
}

// openQuestions readies the question analysis of a run.
func openQuestions(ctx context.Context, w *Workbench, run experiments.Run, stages rag.Stages) (experiments.Analyst, error) {
	source, err := w.QuestionSource(ctx, run, w.Providers, stages)
	if err != nil {
		return nil, err
	}
	return questions.OpenQuestions(run, source)
}

// QuestionSource is what questions are analysed with. Where the dataset has no evidence it is looked for lexically and with every
// offline embedder, which cost nothing; only the judge is bought.
func (w *Workbench) QuestionSource(ctx context.Context, run experiments.Run, providers rag.Providers,
	stages rag.Stages) (questions.QuestionSource, error) {
	source := questions.QuestionSource{Providers: providers, Stages: stages}
	if run.Setup.Corpus.Name == "" {
		return source, nil
	}
	corpus, err := w.Store.Corpus(ctx, run.Setup.Corpus.String())
	if err != nil || run.Setup.Analysis != nil && run.Setup.Analysis.Method == MethodText {
		source.Corpus = corpus
		return source, err
	}
	run.Setup.Config = rag.DefaultConfig()
	options := laboratory.LabOptions{
		Evaluation: experiments.Evaluation{Run: run}, Corpus: corpus, Providers: providers, Indexes: w.Indexes, Stages: stages,
	}
	for _, name := range slices.Sorted(maps.Keys(offline.Embedders())) {
		options.Embedders = append(options.Embedders, rag.Model{Provider: "offline", Name: name})
	}
	lab, err := laboratory.NewLab(ctx, options)
	if err != nil {
		return source, err
	}
	source.Corpus, source.Find, source.Close = corpus, lab.FindEvidence, lab.Close
	return source, nil
}

// openDiagnosis readies the cause analysis of a run.
func openDiagnosis(ctx context.Context, w *Workbench, run experiments.Run, stages rag.Stages) (experiments.Analyst, error) {
	source, err := w.DiagnosisSource(ctx, run, stages)
	if err != nil {
		return nil, err
	}
	return laboratory.OpenDiagnosis(ctx, run, source)
}

// DiagnosisSource loads what a diagnosis works on: the first votes of the diagnosed run, its corpus, and the systems to try.
func (w *Workbench) DiagnosisSource(ctx context.Context, run experiments.Run, stages rag.Stages) (laboratory.DiagnosisSource, error) {
	source := laboratory.DiagnosisSource{Providers: w.Providers, Indexes: w.Indexes, Stages: stages}
	var err error
	if source.Evaluation, err = experiments.LoadEvaluation(ctx, w.Store, run.Setup.Analysis.Of); err != nil {
		return source, err
	}
	source.Evaluation = FirstVotes(source.Evaluation)
	if run.Setup.Corpus.Name != "" {
		source.Corpus, err = w.Store.Corpus(ctx, run.Setup.Corpus.String())
	}
	return source, err
}

// MethodText is the method of an analysis that looks for no evidence.
const MethodText = "text"

// FirstVotes leaves each question once: further votes of a run repeat its questions.
func FirstVotes(e experiments.Evaluation) experiments.Evaluation {
	seen := make(map[string]bool, len(e.Questions))
	for _, q := range e.Questions {
		seen[q.ID] = true
	}
	if len(seen) == len(e.Questions) && len(e.Results) == len(e.Questions) {
		return e // each has one vote: nothing to copy
	}
	clear(seen)
	first := experiments.Evaluation{Run: e.Run}
	for i, q := range e.Questions {
		if !seen[q.ID] {
			seen[q.ID] = true
			first.Questions, first.Results = append(first.Questions, q), append(first.Results, e.Results[i])
		}
	}
	return first
}
