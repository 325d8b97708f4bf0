package laboratory

import (
	"context"
	"errors"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// DiagnosisSource is what a diagnosis works with besides its own setup.
type DiagnosisSource struct {
	Evaluation experiments.Evaluation // the run that is looked into
	Corpus     *rag.Corpus            // nil where there is none at hand
	Providers  rag.Providers
	Indexes    *rag.Indexes
	Stages     rag.Stages
}

// CauseSpec is the one column of a run of kind diagnose: its value is the confidence of the cause.
func CauseSpec() metrics.Spec {
	return metrics.Spec{
		ID: experiments.FindingMetric(experiments.KindDiagnose), Version: causes.CauseVersion, Group: "analysis", Max: 1, NeedsJudge: true,
		TitleEN: "Cause", TitleJA: "原因",
		MeaningEN: "How sure the cause of a low-score answer is.", MeaningJA: "低スコア回答の原因の確度。",
	}
}

// NotLow is why there is nothing to find for an answer that is not low, and NoAnswerYet for a question without an answer.
const (
	NotLow      = "not_low"
	NoAnswerYet = "no_answer"
)

// OpenDiagnosis returns the analyst of a run of kind diagnose. Its findings are a [causes.Diagnosis] for every low-score answer of the run
// that is looked into, by the method of its setup: "tested" (the default), "observed" or "paper". A system of which nothing can be
// replaced is observed although testing was asked for.
func OpenDiagnosis(ctx context.Context, run experiments.Run, s DiagnosisSource) (experiments.Analyst, error) {
	setup := run.Setup.Analysis
	switch {
	case setup == nil:
		return nil, errors.New("run " + run.ID + " has no analysis in its setup")
	case setup.Version != causes.CauseVersion:
		return nil, problem.New(problem.Conflict, "analysis_version",
			"run %s was begun with version %s of the cause analysis; this program has version %s", run.ID, setup.Version, causes.CauseVersion).
			WithHint("go on with the program that began it, or start the analysis again")
	}
	s.Evaluation = withTexts(s.Evaluation, s.Corpus)
	a := &causeAnalyst{source: s, method: causes.CauseMethod(setup.Method)}
	if a.method == "" {
		a.method = causes.Tested
	}
	var err error
	if a.observer, err = NewObserver(run.Setup.Judge, s.Providers, s.Stages); err != nil {
		return nil, err
	}
	if a.method == causes.PaperWay {
		return a, nil
	}
	s.Evaluation.Run.Setup.Judge = run.Setup.Judge
	a.lab, err = NewLab(ctx, LabOptions{
		Evaluation: s.Evaluation, Corpus: s.Corpus, Providers: s.Providers, Indexes: s.Indexes, Stages: s.Stages,
		Reference: setup.Reference, Embedders: setup.Embedders,
	})
	if err != nil {
		return nil, err
	}
	a.rules = a.lab.Rules()
	a.rules.Trials = setup.Trials
	return a, nil
}

// withTexts fills in the texts of contexts that are stored by place only.
func withTexts(e experiments.Evaluation, corpus *rag.Corpus) experiments.Evaluation {
	if corpus == nil {
		return e
	}
	results := make([]experiments.Result, len(e.Results))
	for i, r := range e.Results {
		if r.Answer != nil {
			answer := *r.Answer
			answer.Retrieval = rag.FillTexts(corpus, answer.Retrieval)
			r.Answer = &answer
		}
		results[i] = r
	}
	e.Results = results
	return e
}

// causeAnalyst diagnoses the low-score answers of a run.
type causeAnalyst struct {
	source   DiagnosisSource
	method   causes.CauseMethod
	rules    causes.CauseRules
	lab      *RealLab // nil for the paper's method
	observer *Observer
}

// Close lets go of the indexes.
func (a *causeAnalyst) Close() {
	if a.lab != nil {
		a.lab.Close()
	}
}

// Finding diagnoses one question.
func (a *causeAnalyst) Finding(ctx context.Context, q experiments.Question) (experiments.Finding, error) {
	result, ok := a.source.Evaluation.Result(q.ID)
	if !ok || result.Answer == nil {
		return experiments.Finding{NotApplicable: NoAnswerYet}, nil
	}
	threshold := a.source.Evaluation.Run.Setup.LowScore
	c := causes.LabCase{Question: q, Result: result, Corner: causes.CornerOf(result, threshold)}
	if c.Corner == "" {
		return experiments.Finding{NotApplicable: NotLow}, nil
	}
	known, err := metrics.Explain(ctx, a.source.Stages, result.Scores)
	if err != nil {
		return experiments.Finding{}, err
	}
	d, err := a.diagnose(ctx, c)
	if err != nil {
		return experiments.Finding{}, err
	}
	d.Pattern = causes.PatternOf(known.Grounds(), q, result, threshold)
	return experiments.Finding{Body: d, Confidence: d.Confidence}, nil
}

func (a *causeAnalyst) diagnose(ctx context.Context, c causes.LabCase) (causes.Diagnosis, error) {
	switch {
	case a.method == causes.PaperWay:
		return a.observer.Paper(ctx, c)
	case a.method == causes.Tested && a.lab.Can().Asks():
		return causes.Diagnose(ctx, a.lab, c, a.rules)
	}
	return a.observe(ctx, c)
}

// observe reads the cause from the log. Where the corpus is at hand, places decide first whether the documents and the contexts hold
// what was needed, which a classifier cannot see; that needs no system to ask.
func (a *causeAnalyst) observe(ctx context.Context, c causes.LabCase) (causes.Diagnosis, error) {
	if a.source.Corpus == nil || c.Question.Reference == "" {
		return a.observer.Observe(ctx, c)
	}
	d, err := causes.Diagnose(ctx, corpusOnly{a.lab}, c, a.rules)
	if err != nil {
		return d, err
	}
	d.Method = causes.Observed
	if d.Component != causes.GenerationUnsure && d.Component != causes.Undetermined {
		return d, nil
	}
	seen, err := a.observer.Observe(ctx, c)
	if err != nil {
		return d, err
	}
	d.Calls, d.Votes, d.Steps = d.Calls+seen.Calls, seen.Votes, append(d.Steps, seen.Steps...)
	if seen.Component == causes.ContextNotFound && d.Component == causes.GenerationUnsure { // the places say that it was obtained
		return d, nil
	}
	d.Detail = ""
	d.Settle(seen.Component, seen.Confidence, seen.Rationale)
	return d, nil
}

// corpusOnly is a system of which nothing can be replaced, over a corpus that can be searched.
type corpusOnly struct{ *RealLab }

// Can implements [causes.Lab].
func (corpusOnly) Can() causes.LabPowers { return causes.LabPowers{Corpus: true} }

// FindEvidence looks through the corpus for the evidence of a question, as a diagnosis does. It implements [questions.FindEvidence] for
// the question analysis and drafts.
func (l *RealLab) FindEvidence(ctx context.Context, q experiments.Question) (spans []rag.Span, found bool, err error) {
	return causes.EvidenceOf(ctx, l, l.Rules(), q, l.search != nil)
}

// CauseStandIn is a reply to a prompt of the cause analysis that satisfies it without saying much: what a plan puts in the place of a
// reply that would have to be bought. Evidence is never found, which is what costs most calls to find out. ok is false for other
// purposes.
func CauseStandIn(req llm.Request) (reply string, ok bool) {
	switch req.Purpose {
	case PurposeCauseClaims:
		return `{"claims":["Stand-in claim one.","Stand-in claim two."]}`, true
	case PurposeCauseEvidence:
		return `{"verdicts":[]}`, true
	case PurposeCauseQuestion:
		return `{"reading":"stand-in","clear":true,"reference_answers":true,"missing":""}`, true
	case PurposeCauseObserved, PurposeCausePaper:
		return `{"analysis":"stand-in","recheck":"stand-in","component":"no_fault","rationale_en":"stand-in","rationale_ja":"stand-in"}`,
			true
	}
	return "", false
}

// Ready says before anything is bought what cannot be searched any more: an index of the team's that is gone, or is not what it was
// when the run was planned.
func (l *RealLab) Ready(ctx context.Context) error {
	if l.setup.Config.Index == nil || l.setup.Config.IsOutside() {
		return nil
	}
	return l.setup.Config.Index.Unchanged(ctx, l.options.Providers, l.options.Corpus)
}

// Prospect looks at an answer without a call.
func (l *RealLab) Prospect(ctx context.Context, c causes.LabCase) (causes.Prospect, error) {
	var near func(context.Context, string) ([]causes.Window, error)
	if l.search != nil {
		near = l.search.byWords
	}
	return causes.ProspectOf(ctx, l, l.Rules(), c, near)
}
