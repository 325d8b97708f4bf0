package validations

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/readers"
)

// CauseValidation says how the finding of causes is validated on real text. Zero fields take the default.
type CauseValidation struct {
	Items      string    // folder with corpus.jsonl and questions.jsonl, or the name of a dataset
	Corpus     string    // of a named dataset
	Named      bool      // Items and Corpus are names of what is stored, whatever folders there are
	Judge      string    // provider/model; "" is a scripted judge that knows the truth and errs as Noise says
	N          int       // answers of each fault at most; default 50
	Noise      []float64 // of the scripted judge; default 0, .05, .10
	Lasting    float64   // share of its errors that every vote repeats
	Batches    int       // draws of the scripted generator and judge; default 1
	Seed       uint64
	Conditions []string // default all that the text allows
	Unlabelled bool     // hide the labelled evidence from a real judge, or with Whole, so that it has to be found
	Whole      bool     // whole faulty systems, see [ValidateSystems]
	Lenient    bool     // with Whole: the judge passes evidence that holds a part of a claim
	Budget     experiments.Budget
	Tell       func(done, of int, what string) error
	Hear       func(validation.CauseFinding) // of every diagnosis; may be nil
}

// ValidateCauses puts known faults into real text and counts which causes are found. Searches run in earnest; the generator is
// scripted and writes stored answers, or references; the judge is scripted too, or a configured one. What a judge costs is booked to
// a run of kind validate, under its budget.
func ValidateCauses(ctx context.Context, w *app.Workbench, v CauseValidation) ([]validation.CauseRow, error) {
	material, err := CauseMaterial(ctx, w, v)
	if err != nil {
		return nil, err
	}
	h := validation.CauseHarness{
		Noise: v.Noise, Lasting: v.Lasting, Batches: cmp.Or(v.Batches, 1), Items: v.N, Seed: v.Seed, Conditions: v.Conditions,
		Material:   &material,
		Unlabelled: v.Unlabelled, Hear: v.Hear,
	}
	if v.Judge == "" {
		return h.Run(ctx, v.Tell)
	}
	return judgedCauses(ctx, w, v, h)
}

// CheckWhole refuses what does not go with whole systems.
func (v CauseValidation) CheckWhole() error {
	if v.Whole && (v.Items == "" || v.Judge != "" || v.Budget != (experiments.Budget{})) || v.Lenient && !v.Whole {
		return problem.New(problem.Invalid, "usage",
			"whole systems need items and take neither a judge nor a budget; the lenient judge is theirs").
			WithHint("name a dataset and its corpus, or on the command line a folder: workbench validate causes --items DIR --whole --unlabelled")
	}
	return nil
}

// ValidateSystems puts faults into whole systems over real text and runs the product on them, from the answers to the outcome of what it
// recommends. All models are scripted, so nothing is bought.
func ValidateSystems(ctx context.Context, w *app.Workbench, v CauseValidation) ([]validation.WorldRow, error) {
	if err := v.CheckWhole(); err != nil {
		return nil, err
	}
	m, err := CauseMaterial(ctx, w, v)
	if err != nil {
		return nil, err
	}
	worlds := validation.CauseWorlds{Material: m, Labels: !v.Unlabelled, Lenient: v.Lenient, Items: v.N, Seed: v.Seed,
		Conditions: v.Conditions, Apply: true}
	if len(v.Noise) > 0 {
		worlds.Noise = v.Noise[0]
	}
	return worlds.Run(ctx, v.Tell)
}

// judgedCauses runs a harness with a configured judge.
func judgedCauses(ctx context.Context, w *app.Workbench, v CauseValidation, h validation.CauseHarness) ([]validation.CauseRow, error) {
	judge, err := app.JudgeConfigOf(v.Judge)
	if err != nil {
		return nil, err
	}
	provider, err := w.Providers.Provider(judge.Provider)
	if err != nil {
		return nil, err
	}
	specs, err := metrics.Resolve([]string{"correctness", "trust", "faithfulness", "context_recall", "context_precision"})
	if err != nil {
		return nil, err
	}
	setup := experiments.Setup{
		Experiment: "validate-causes", Judge: judge, Suite: specs, LowScore: experiments.DefaultLowScore,
		Offline: judge.Provider == "offline", Settled: provider.Info().Deterministic,
	}
	setup = setup.Versioned()
	if h.Judge, err = causeJudge(w, setup); err != nil {
		return nil, err
	}
	h.Parallel = w.Concurrency(setup)
	started := w.Options.Now()
	runner := w.Runner(setup)
	run, err := runner.Create(ctx, experiments.Run{Kind: experiments.KindValidate, Setup: setup, Budget: v.Budget}, nil)
	if err != nil {
		return nil, err
	}
	if run, err = w.Store.ClaimRun(ctx, run.ID, w.Owner, started, started.Add(-experiments.StaleAfter)); err != nil {
		return nil, err
	}
	watched, watch := runner.Watch(ctx, run.ID, nil)
	rows, err := h.Run(llm.WithScope(watched, llm.Scope{RunID: run.ID, Stage: "judge"}), func(done, of int, what string) error {
		select {
		case <-watch.Stop():
			return app.ErrStopAsked
		default:
		}
		if v.Tell == nil {
			return nil
		}
		return v.Tell(done, of, what)
	})
	if told := watch.End(); told != nil {
		err = told
	}
	if err != nil {
		if problem.CodeOf(err) != "run_lost" {
			err = runner.Stop(ctx, run, err)
		}
		return nil, problem.From(err).WithHint("run the same command again: what was bought is not bought a second time")
	}
	_, err = runner.FinishWith(context.WithoutCancel(ctx), run, experiments.Total(nil, experiments.LowRule{}), experiments.Chain(nil))
	return rows, err
}

// causeJudge judges systems with faults by the judge of a setup, as the runs that gave their answers would be.
func causeJudge(w *app.Workbench, setup experiments.Setup) (*validation.CauseJudge, error) {
	stages := &rag.MemoryStages{}
	suite, err := metrics.NewSuite(setup.Suite, setup.Judge, w.Providers, stages)
	if err != nil {
		return nil, err
	}
	observer, err := laboratory.NewObserver(setup.Judge, w.Providers, stages)
	if err != nil {
		return nil, err
	}
	return &validation.CauseJudge{
		Name: setup.Judge.String(), LowScore: setup.LowScore, Paper: observer.Paper,
		Score: func(ctx context.Context, corpus *rag.Corpus, q experiments.Question, a rag.Answer) ([]metrics.Score, error) {
			return suite.Score(ctx, q.Sample(corpus, a))
		},
		Open: func(ctx context.Context, world validation.CauseWorld) (causes.Lab, func(), error) {
			faulty := setup
			faulty.Config = world.Config
			evaluation := experiments.Evaluation{Run: experiments.Run{Kind: experiments.KindEvaluate, Setup: faulty}}
			for _, a := range world.Answers {
				evaluation.Questions = append(evaluation.Questions, a.Question)
				evaluation.Results = append(evaluation.Results, a.Result)
			}
			lab, err := laboratory.NewLab(ctx, laboratory.LabOptions{
				Evaluation: evaluation, Corpus: world.Corpus, Providers: anyGenerator{w.Providers},
				Indexes: rag.NewIndexes(causeIndexes).Under(w.Indexes.Budget()), Stages: stages,
				Reference: &rag.Model{Provider: "offline", Name: "extractive"}, Embedders: causeEmbedders,
			})
			if err != nil {
				return nil, nil, err
			}
			return lab, lab.Close, nil
		},
	}, nil
}

// causeEmbedders search the windows of the corpus beside the words.
var causeEmbedders = []rag.Model{{Provider: "offline", Name: "ngram"}, {Provider: "offline", Name: "hash"}}

// causeIndexes is how many indexes of one corpus stay in memory while its causes are looked for.
const causeIndexes = 24

// anyGenerator lets the scripted generator's name stand in a configuration; nothing is asked of it.
type anyGenerator struct{ rag.Providers }

// Provider implements [rag.Providers].
func (a anyGenerator) Provider(name string) (llm.Provider, error) {
	if name == validation.ScriptedProvider {
		name = "offline"
	}
	return a.Providers.Provider(name)
}

// CauseMaterial reads the text that faults are put into.
func CauseMaterial(ctx context.Context, w *app.Workbench, v CauseValidation) (validation.CauseMaterial, error) {
	if v.Named {
		return NamedMaterial(ctx, w, v)
	}
	path := sharedPath(w, v.Items)
	m := validation.CauseMaterial{Name: strings.TrimSuffix(filepath.Base(filepath.Clean(path)), filepath.Ext(path))}
	info, err := os.Stat(path)
	var dataset *experiments.Dataset
	switch {
	case err == nil && info.IsDir():
		if m.Corpus, _, err = readers.ReadCorpus(filepath.Join(path, "corpus.jsonl"), m.Name); err != nil {
			return m, problem.From(err).WithHint("%s", causeItemsHint)
		}
		dataset, _, err = intake.ReadDataset(filepath.Join(path, "questions.jsonl"), m.Name, m.Corpus, intake.ReadOptions{})
	case v.Corpus == "":
		return m, problem.New(problem.Invalid, "cause_items", "%s is no folder, and no corpus is named for a dataset of that name",
			v.Items).WithHint("%s", causeItemsHint)
	default:
		if m.Corpus, err = w.ResolveCorpus(ctx, v.Corpus, "."); err != nil {
			return m, err
		}
		dataset, err = w.ResolveDataset(ctx, v.Items, ".", m.Corpus)
	}
	if err != nil {
		return m, err
	}
	err = addQuestions(&m, v, dataset)
	return m, err
}

// NamedMaterial is a stored dataset with a stored corpus.
func NamedMaterial(ctx context.Context, w *app.Workbench, v CauseValidation) (m validation.CauseMaterial, err error) {
	dataset, err := w.Store.Dataset(ctx, v.Items)
	if err != nil {
		return m, problem.From(err).With("field", "dataset")
	}
	m.Name = dataset.Name
	if m.Corpus, err = w.Store.Corpus(ctx, v.Corpus); err != nil {
		return m, problem.From(err).With("field", "corpus")
	}
	err = addQuestions(&m, v, dataset)
	return m, err
}

func addQuestions(m *validation.CauseMaterial, v CauseValidation, dataset *experiments.Dataset) error {
	for _, q := range dataset.Questions {
		m.Questions = append(m.Questions, validation.CauseQuestion{
			Question:   q,
			Ungrounded: cmp.Or(q.Metadata["ungrounded_answer"], q.Metadata["answer_ungrounded"]),
			Poor:       cmp.Or(q.Metadata["poor_answer"], q.Metadata["answer_poor"]),
		})
	}
	if usable := m.Usable(); usable < 2 {
		return problem.New(problem.Invalid, "cause_items", "%s has %d questions with a reference and labelled evidence", v.Items, usable).
			WithHint("%s", causeItemsHint)
	}
	return nil
}

const causeItemsHint = "give a folder with corpus.jsonl (doc_id, text) and questions.jsonl (question, reference, evidence; perhaps answer_ungrounded and answer_poor), " +
	"or a dataset with labelled evidence and --corpus"
