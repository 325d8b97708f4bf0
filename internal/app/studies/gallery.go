package studies

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Gallery is a notebook that ships with the program, with the data it is to work on: those of the demo where none are named.
type Gallery struct {
	From            string // one of [notebooks.Gallery]
	Corpus, Dataset string // registered, as NAME or NAME@VERSION; both or none
}

// Read is the text of the notebook. Of the documents it takes the version before the chosen one where a comparison of two is part
// of it. A name
// that is not registered is a NotFound with the field that has it.
func (g Gallery) Read(ctx context.Context, w *app.Workbench) ([]byte, error) {
	if g.Corpus == "" && g.Dataset == "" {
		return inField("from")(notebooks.FromGallery(g.From))
	}
	for field, name := range map[string]string{"corpus": g.Corpus, "dataset": g.Dataset} {
		if name == "" {
			return nil, problem.New(problem.Invalid, "notebook_data", "a notebook on your own data needs a corpus and a dataset").
				With("field", field).
				WithHint("name both, or neither for the data of the demo")
		}
	}
	data := notebooks.GalleryData{Corpus: g.Corpus, Dataset: g.Dataset}
	corpus, err := w.Store.Corpus(ctx, g.Corpus)
	if err != nil {
		return nil, problem.From(err).With("field", "corpus")
	}
	if corpus.Version > 1 {
		before := experiments.Ref{Name: corpus.Name, Version: corpus.Version - 1}.String()
		if _, err := w.Store.Corpus(ctx, before); err == nil {
			data.Before = before
		}
	}
	dataset, err := w.Store.Dataset(ctx, g.Dataset)
	if err != nil {
		return nil, problem.From(err).With("field", "dataset")
	}
	switch _, err := w.Store.Baseline(ctx, dataset.Name); {
	case err == nil:
		data.Pinned = true
	case !problem.Is(err, problem.NotFound):
		return nil, err
	}
	return inField("from")(notebooks.FromGalleryOn(g.From, data))
}

// inField names the field that a text was refused for.
func inField(field string) func([]byte, error) ([]byte, error) {
	return func(text []byte, err error) ([]byte, error) {
		if err != nil {
			err = problem.From(err).With("field", field)
		}
		return text, err
	}
}
