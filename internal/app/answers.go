package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// AnswersOptions say what logged answers belong to.
type AnswersOptions struct {
	Name     string            // of the log and its experiment; "" takes the file's
	Dataset  string            // name, or name@version
	Corpus   string            // where the contexts are looked for; "" leaves metrics of places out
	Model    string            // provider/model that judges; "" leaves the experiment's, at first the offline one
	Columns  map[string]string // column → field, where the name does not say it
	Sheet    string            // of a workbook; "" leaves the choice to the reader
	Encoding string            // of a text file that is not in UTF-8; "" leaves it to what the bytes say beyond doubt
}

// ImportedAnswers says what an import of logged answers stored.
type ImportedAnswers struct {
	experiments.Ref
	Created    bool                 `json:"created"` // false: the newest version of the log holds the same already
	Answers    int                  `json:"answers"`
	Dataset    string               `json:"dataset"` // name@version
	Missing    []string             `json:"missing"` // questions that the file does not answer
	Mapping    intake.AnswersReport `json:"-"`
	Notes      []text.Said          `json:"notes"`
	Experiment string               `json:"experiment"` // the experiment that replays the answers
	Revision   int                  `json:"revision"`
}

// ImportAnswers reads logged answers as the next version of a log and registers the experiment that replays them: it makes no
// call for an answer, only for judging. Nothing is stored when anything is wrong.
func (w *Workbench) ImportAnswers(ctx context.Context, path string, o AnswersOptions) (ImportedAnswers, error) {
	o.Name = nameOr(o.Name, path)
	dataset, definition, err := w.AnswersFor(ctx, o)
	if err != nil {
		return ImportedAnswers{}, err
	}
	log, report, err := intake.ReadAnswers(path, o.Name, dataset,
		intake.ReadOptions{Columns: o.Columns, Sheets: intake.OneSheet(o.Sheet), Encoding: o.Encoding})
	if err != nil {
		return ImportedAnswers{}, err
	}
	return w.KeepAnswers(ctx, log, report, definition)
}

// AnswersFor is the dataset whose questions were asked, and the experiment that will replay the answers.
func (w *Workbench) AnswersFor(ctx context.Context, o AnswersOptions) (*experiments.Dataset, experiments.Definition, error) {
	if err := experiments.ValidName("a log of answers", o.Name); err != nil {
		return nil, experiments.Definition{}, problem.From(err).With("field", "name")
	}
	dataset, err := w.Store.Dataset(ctx, o.Dataset)
	if err != nil {
		return nil, experiments.Definition{}, problem.From(err).With("field", "dataset")
	}
	definition, err := replayOf(ctx, w, o.Name, o)
	return dataset, definition, err
}

// AnswersImport is what storing a log says, before it is stored.
func AnswersImport(log *rag.Log, report intake.AnswersReport) ImportedAnswers {
	return ImportedAnswers{Answers: len(log.Answers), Dataset: log.Dataset, Missing: report.Missing, Mapping: report,
		Notes: NonNil(report.Notes)}
}

// KeepAnswers stores a log as the next version, and the experiment that replays it.
func (w *Workbench) KeepAnswers(ctx context.Context, log *rag.Log, report intake.AnswersReport,
	definition experiments.Definition) (ImportedAnswers, error) {
	out := AnswersImport(log, report)
	now := w.Options.Now()
	var err error
	if out.Ref, out.Created, err = w.Store.PutLog(ctx, log, now); err != nil {
		return out, err
	}
	e, err := w.Store.PutExperiment(ctx, definition, now)
	out.Experiment, out.Revision = e.Name, e.Revision
	return out, err
}

// replayOf is the definition of the experiment that replays a log: the registered one, with what the options change, or a new
// one. An experiment of another kind with this name is left alone.
func replayOf(ctx context.Context, w *Workbench, name string, o AnswersOptions) (experiments.Definition, error) {
	d := experiments.Definition{
		Name: name, Answers: name, Suite: []string{"standard"}, Judge: metrics.DefaultJudge(), Base: rag.DefaultConfig(),
		LowScore: experiments.DefaultLowScore,
	}
	known, err := w.Store.Experiment(ctx, name)
	switch {
	case err == nil:
		if log, _, _ := strings.Cut(known.Definition.Answers, "@"); log != name {
			return d, problem.New(problem.Conflict, "experiment_exists",
				"there is an experiment %q already, and it does not replay these answers", name).
				With("name", name).With("field", "name").WithHint("give the log another name: --name NAME")
		}
		d = known.Definition
	case !problem.Is(err, problem.NotFound):
		return d, err
	}
	d.Dataset = o.Dataset
	if o.Corpus != "" {
		if _, err := w.Store.Corpus(ctx, o.Corpus); err != nil {
			return d, problem.From(err).With("field", "corpus")
		}
		d.Corpus = o.Corpus
	}
	if o.Model != "" {
		provider, model, ok := strings.Cut(o.Model, "/")
		if !ok || provider == "" || model == "" {
			return d, problem.New(problem.Invalid, "experiment_field", "--model is %q; it must be provider/model, like openai/gpt-4.1-mini",
				o.Model).With("field", "model")
		}
		if _, err := w.Providers.Provider(provider); err != nil {
			return d, problem.From(err).With("field", "model")
		}
		d.Judge.Model = rag.Model{Provider: provider, Name: model}
	}
	return d, d.Validate()
}

// outsideConfig freezes the system elsewhere that a definition names: the endpoint's whole description, or the version of the
// log. base holds what a sweep sets.
func outsideConfig(ctx context.Context, w *Workbench, d experiments.Definition, base rag.Config,
	dataset *experiments.Dataset) (rag.Config, error) {
	if d.Endpoint != "" {
		e, err := w.Store.Endpoint(ctx, d.Endpoint)
		if err != nil {
			return base, err
		}
		if err := d.CheckAxes(e); err != nil {
			return base, err
		}
		c := base.WithEndpoint(e)
		return c, c.Validate()
	}
	log, err := w.Store.Log(ctx, d.Answers)
	if err != nil {
		return base, err
	}
	return rag.Config{Log: &rag.LogRef{Name: log.Name, Version: log.Version, Digest: log.Digest}}, Fitting(log, dataset)
}

// Fitting refuses a log whose answers are not answers to the questions of this dataset.
func Fitting(log *rag.Log, dataset *experiments.Dataset) error {
	ref := rag.LogRef{Name: log.Name, Version: log.Version}
	refuse := func(format string, args ...any) error {
		return problem.New(problem.Invalid, "log_dataset", "the log %s answers %s; %s", ref, log.Dataset, fmt.Sprintf(format, args...)).
			With("log", ref.String()).With("dataset", dataset.Name).
			WithHint("import the answers for this dataset: workbench import-answers FILE --dataset %s --name %s", dataset.Name, log.Name)
	}
	if name, _, _ := strings.Cut(log.Dataset, "@"); name != dataset.Name {
		return refuse("it cannot be replayed over %s", dataset.Name)
	}
	texts := make(map[string]string, len(dataset.Questions))
	for _, q := range dataset.Questions {
		texts[q.ID] = text.Fold(q.Text)
	}
	answered := false
	for _, a := range log.Answers {
		now, there := texts[a.QuestionID]
		if there && now != text.Fold(a.Question) {
			return refuse("question %s is worded differently in %s@%d", a.QuestionID, dataset.Name, dataset.Version)
		}
		answered = answered || there
	}
	if !answered {
		return refuse("none of its questions is in %s@%d", dataset.Name, dataset.Version)
	}
	return nil
}

// ResolveOutside checks, when an experiment is registered, that the system it names is there.
func (w *Workbench) ResolveOutside(ctx context.Context, d experiments.Definition) error {
	switch {
	case d.Endpoint != "":
		e, err := w.Store.Endpoint(ctx, d.Endpoint)
		if err != nil {
			return err
		}
		return d.CheckAxes(e)
	case d.Answers != "":
		_, err := w.Store.Log(ctx, d.Answers)
		return err
	}
	return nil
}

// CorpusOf returns the corpus of a setup, or nil where it names none.
func (w *Workbench) CorpusOf(ctx context.Context, s experiments.Setup) (*rag.Corpus, error) {
	if s.Corpus.Name == "" {
		return nil, nil
	}
	return w.Store.Corpus(ctx, s.Corpus.String())
}
