package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

const (
	pool     = 48   // questions of a text whose documents are its corpus
	longest  = 1200 // code points of a document
	evidence = 600  // code points of a label: longer ones are passages that hold it somewhere
)

// world is a text with the questions of each fault.
type world struct {
	corpus  *rag.Corpus
	lang    string
	models  models
	indexes *rag.Indexes
	dealt   [][]experiments.Question // by fault
}

// base is the system without faults.
func base() rag.Config {
	c := rag.DefaultConfig()
	c.Chunk = rag.Chunking{By: "chars", Size: 800, Overlap: 200}
	c.Embedding.Model = rag.Model{Provider: "offline", Name: "ngram"}
	c.Retrieve = rag.Retrieve{Mode: "hybrid", K: 3}
	c.Generate.Model, c.Generate.Temperature, c.Generate.Prompt = rag.Model{Provider: reader.Provider, Name: "own"}, 0, ""
	return c
}

// open reads a text and deals its questions to the faults, by digest and by searches alone: nothing is asked of a model.
func open(ctx context.Context, w *app.Workbench, dir string, t text) (*world, error) {
	m, err := validations.CauseMaterial(ctx, w, validations.CauseValidation{Items: dir})
	if err != nil {
		return nil, err
	}
	fit := ordered(m, t.reference)
	fit = fit[:min(pool, len(fit))]
	out := over(w, m.Corpus, fit, t.lang)
	out.dealt = make([][]experiments.Question, len(faults))
	return out, out.deal(ctx, fit)
}

// ordered are the questions that fit, by the digest that settles their order.
func ordered(m validation.CauseMaterial, reference int) []experiments.Question {
	var fit []experiments.Question
	for _, q := range m.Questions {
		if fits(m.Corpus, q.Question, reference) {
			fit = append(fit, q.Question)
		}
	}
	return recorded.Chosen(fit, len(fit), "evidence causes ", func(q experiments.Question) string { return q.ID })
}

// over is a world whose corpus is the documents of some questions.
func over(w *app.Workbench, corpus *rag.Corpus, questions []experiments.Question, lang string) *world {
	kept := of(corpus, func(id string) bool {
		return slices.ContainsFunc(questions, func(q experiments.Question) bool { return q.EvidenceIn(corpus)[0].DocID == id })
	})
	return &world{corpus: kept, lang: lang, models: models{w.Providers}, indexes: rag.NewIndexes(len(faults) + 1)}
}

// fits reports whether a question is short enough, and labelled by short places in one short document.
func fits(corpus *rag.Corpus, q experiments.Question, reference int) bool {
	places := q.EvidenceIn(corpus)
	if !q.Answerable || len(places) == 0 || q.Reference == "" || utf8.RuneCountInString(q.Reference) > reference {
		return false
	}
	return !slices.ContainsFunc(places, func(s rag.Span) bool {
		return s.DocID == "" || s.DocID != places[0].DocID || s.Range().Len() > evidence
	}) && utf8.RuneCountInString(corpus.Index(places[0].DocID).String()) <= longest
}

// of is the part of a corpus whose documents are kept.
func of(corpus *rag.Corpus, keep func(id string) bool) *rag.Corpus {
	kept := slices.DeleteFunc(slices.Clone(corpus.Documents), func(d rag.Document) bool { return !keep(d.ID) })
	return rag.NewCorpus(corpus.Name, kept)
}

// deal gives each fault the first questions that the system without faults finds the evidence of, and that the fault can spoil: the
// search with the fault misses it, or the model that overlooks contexts is not shown it. No question is dealt twice.
func (w *world) deal(ctx context.Context, from []experiments.Question) error {
	for i, f := range faults {
		change, expected, ok := validation.WorldFault(f.name, w.lang)
		if !ok {
			return fmt.Errorf("there is no fault %q", f.name)
		}
		for _, q := range slices.Clone(from) {
			if len(w.dealt[i]) == candidates {
				break
			}
			whole, err := w.retrieve(ctx, base(), q)
			if err != nil {
				return err
			}
			good := held(w.corpus, q, whole)
			switch expected {
			case causes.Retriever:
				faulty := base()
				change(&faulty)
				found, err := w.retrieve(ctx, faulty, q)
				if err != nil {
					return err
				}
				good = good && !held(w.corpus, q, found)
			case causes.GenerationModel:
				good = good && !held(w.corpus, q, whole[len(whole)-1:])
			}
			if good {
				w.dealt[i] = append(w.dealt[i], q)
				from = slices.DeleteFunc(from, func(other experiments.Question) bool { return other.ID == q.ID })
			}
		}
	}
	return nil
}

func (w *world) retrieve(ctx context.Context, c rag.Config, q experiments.Question) ([]rag.Hit, error) {
	system, err := rag.Open(ctx, c, w.corpus, w.models, w.indexes, &rag.MemoryStages{})
	if err != nil {
		return nil, err
	}
	defer system.Close()
	found, _, err := system.Retrieve(ctx, q.Text)
	return found.Hits, err
}

// held reports whether every label lies whole in one of the contexts.
func held(corpus *rag.Corpus, q experiments.Question, hits []rag.Hit) bool {
	return !slices.ContainsFunc(q.EvidenceIn(corpus), func(s rag.Span) bool {
		return !slices.ContainsFunc(hits, func(h rag.Hit) bool { return h.Overlap(s) == s.Range().Len() })
	})
}

// fault answers the questions of a fault by the faulty system, and has at most so many of the first low answers diagnosed by both
// methods. Whatever waits for a reply is left out, and all else goes on.
func (w *world) fault(ctx context.Context, f fault, asked []experiments.Question, most int) (row, error) {
	change, expected, _ := validation.WorldFault(f.name, w.lang)
	out, config, corpus, stages := row{fault: f, asked: len(asked)}, base(), w.corpus, &rag.MemoryStages{}
	if change != nil {
		change(&config)
	} else {
		corpus = of(corpus, func(id string) bool {
			return !slices.ContainsFunc(asked, func(q experiments.Question) bool { return q.EvidenceIn(w.corpus)[0].DocID == id })
		})
	}
	e, err := w.answers(ctx, corpus, config, asked, stages)
	if err != nil {
		return out, err
	}
	var chosen []experiments.Question
	for _, q := range asked {
		r, known := e.Result(q.ID)
		if !known { // whether it is low is not known yet: none behind it is chosen
			break
		}
		if r.Low(e.Run.Setup.LowRule()) {
			out.low++
			if len(chosen) < most {
				chosen = append(chosen, q)
			}
		}
	}
	for _, method := range []causes.CauseMethod{causes.Tested, causes.PaperWay} {
		if err := w.diagnose(ctx, e, corpus, stages, method, chosen, func(id string, d causes.Diagnosis) {
			out.count(id, d, expected)
		}); err != nil {
			return out, err
		}
	}
	return out, nil
}

// waits reports whether an error is only that a reply was not recorded yet.
func waits(err error) bool {
	return llm.CauseOf(err) == llm.CauseNotRecorded || problem.CodeOf(err) == llm.CauseNotRecorded
}

// answers are those of a system that were given and judged.
func (w *world) answers(ctx context.Context, corpus *rag.Corpus, config rag.Config, asked []experiments.Question,
	stages rag.Stages) (experiments.Evaluation, error) {
	judge := metrics.DefaultJudge()
	judge.Model = reader
	e := experiments.Evaluation{Questions: asked, Run: experiments.Run{ID: "run", Kind: experiments.KindEvaluate,
		Setup: experiments.Setup{Config: config, Judge: judge, LowScore: experiments.DefaultLowScore}}}
	var err error
	if e.Run.Setup.Suite, err = metrics.Resolve([]string{"correctness", "trust"}); err != nil {
		return e, err
	}
	suite, err := metrics.NewSuite(e.Run.Setup.Suite, judge, w.models, stages)
	if err != nil {
		return e, err
	}
	system, err := rag.Open(ctx, config, corpus, w.models, w.indexes, stages)
	if err != nil {
		return e, err
	}
	defer system.Close()
	for _, q := range asked {
		scope := llm.WithScope(ctx, llm.Scope{QuestionID: q.ID})
		answer, err := system.Answer(scope, q.Text)
		if waits(err) {
			continue
		}
		if err != nil {
			return e, err
		}
		scores, err := suite.Score(scope, q.Sample(corpus, answer))
		if err != nil && !waits(err) {
			return e, err
		}
		if err == nil && !slices.ContainsFunc(scores, func(s metrics.Score) bool { return s.State != metrics.Scored }) {
			e.Results = append(e.Results, experiments.Result{QuestionID: q.ID, Answer: &answer, Scores: scores})
		}
	}
	return e, nil
}

// diagnose finds the cause of low answers by one method.
func (w *world) diagnose(ctx context.Context, e experiments.Evaluation, corpus *rag.Corpus, stages rag.Stages, method causes.CauseMethod,
	low []experiments.Question, hear func(string, causes.Diagnosis)) error {
	run := experiments.Run{ID: "diagnose", Kind: experiments.KindDiagnose, Setup: e.Run.Setup}
	run.Setup.Analysis = &experiments.AnalysisSetup{Of: e.Run.ID, Version: causes.CauseVersion, Method: string(method), Trials: 4,
		Reference: &reader, Embedders: []rag.Model{{Provider: "offline", Name: "ngram"}, {Provider: "offline", Name: "hash"}}}
	analyst, err := laboratory.OpenDiagnosis(ctx, run, laboratory.DiagnosisSource{Evaluation: e, Corpus: corpus, Providers: w.models,
		Indexes: w.indexes, Stages: stages})
	if err != nil {
		return err
	}
	if closer, ok := analyst.(interface{ Close() }); ok {
		defer closer.Close()
	}
	for _, q := range low {
		found, err := analyst.Finding(llm.WithScope(ctx, llm.Scope{QuestionID: q.ID}), q)
		if waits(err) {
			continue
		}
		if err != nil {
			return err
		}
		if d, ok := found.Body.(causes.Diagnosis); ok {
			hear(q.ID, d)
		}
	}
	return nil
}

// reader is the recorded model: judge and reference model. The generator of the systems is the same model by another name, so that a
// diagnosis may put the reference model in its place, as it may where the generator is the fault.
var reader = rag.Model{Provider: "reader", Name: "llm"}

// models are providers of which the recorded one says the same to the same request for an answer, as a system at temperature 0 does. Its
// model with the name of the fault is shown the last context alone.
type models struct{ rag.Providers }

// Provider implements [rag.Providers].
func (m models) Provider(name string) (llm.Provider, error) {
	p, err := m.Providers.Provider(name)
	if err != nil || name != reader.Provider {
		return p, err
	}
	return writer{p}, nil
}

// overlooks is the model of the fault lost_in_the_middle.
const overlooks = "lost-middle"

type writer struct{ llm.Provider }

// Complete implements [llm.Completer].
func (w writer) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if req.Purpose != prompts.PurposeGenerate {
		return w.Provider.Complete(ctx, req)
	}
	if req.Replicate = 0; req.Model == overlooks {
		var d struct {
			Question string            `json:"question"`
			Contexts []json.RawMessage `json:"contexts"`
		}
		if err := json.Unmarshal(req.Data, &d); err != nil {
			return llm.Reply{}, err
		}
		d.Contexts = d.Contexts[max(0, len(d.Contexts)-1):]
		var err error
		if req.Data, err = json.Marshal(d); err != nil {
			return llm.Reply{}, err
		}
	}
	req.Model = reader.Name
	return w.Provider.Complete(ctx, req)
}
