package app

import (
	"context"
	"maps"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// analysts work the runs that look into others.
func (w *Workbench) analysts() map[experiments.Kind]experiments.OpenAnalyst {
	return map[experiments.Kind]experiments.OpenAnalyst{
		experiments.KindDiagnose:  w.openDiagnosis,
		experiments.KindQuestions: w.openQuestions,
	}
}

// openQuestions readies the question analysis of a run.
func (w *Workbench) openQuestions(ctx context.Context, run experiments.Run, stages rag.Stages) (experiments.Analyst, error) {
	source, err := w.questionSource(ctx, run, w.providers, stages)
	if err != nil {
		return nil, err
	}
	return questions.OpenQuestions(run, source)
}

// questionSource is what questions are analysed with. Where the dataset has no evidence it is looked for lexically and with every
// offline embedder, which cost nothing; only the judge is bought.
func (w *Workbench) questionSource(ctx context.Context, run experiments.Run, providers rag.Providers, stages rag.Stages) (questions.QuestionSource, error) {
	source := questions.QuestionSource{Providers: providers, Stages: stages}
	if run.Setup.Corpus.Name == "" {
		return source, nil
	}
	corpus, err := w.Store.Corpus(ctx, run.Setup.Corpus.String())
	if err != nil || run.Setup.Analysis != nil && run.Setup.Analysis.Method == methodText {
		source.Corpus = corpus
		return source, err
	}
	run.Setup.Config = rag.DefaultConfig()
	options := causes.LabOptions{
		Evaluation: experiments.Evaluation{Run: run}, Corpus: corpus, Providers: providers, Indexes: w.indexes, Stages: stages,
	}
	for _, name := range slices.Sorted(maps.Keys(rag.OfflineEmbedders())) {
		options.Embedders = append(options.Embedders, rag.Model{Provider: "offline", Name: name})
	}
	lab, err := causes.NewLab(ctx, options)
	if err != nil {
		return source, err
	}
	source.Corpus, source.Find, source.Close = corpus, lab.FindEvidence, lab.Close
	return source, nil
}
