package experiments

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// worker is everything needed to work the questions of a run.
type worker struct {
	corpus    *rag.Corpus // nil where the system under test keeps its documents to itself
	system    *rag.System
	suite     *metrics.Suite
	questions map[string]Question
	specs     []metrics.Spec
	stages    *rag.StageBatch
	analyst   Analyst // of a run that looks into another one; then there is neither system nor suite
}

func (d *worker) close() {
	if d.analyst != nil {
		d.analyst.Close()
		return
	}
	d.system.Close()
}

func (r *Runner) open(ctx context.Context, run Run) (*worker, error) {
	if run.Setup.Analysis == nil {
		if err := checkVersions(run); err != nil {
			return nil, err
		}
	}
	corpus, err := r.corpus(ctx, run.Setup)
	if err != nil {
		return nil, err
	}
	dataset, err := r.Store.Dataset(ctx, run.Setup.Dataset.String())
	if err != nil {
		return nil, err
	}
	d := &worker{corpus: corpus, questions: map[string]Question{}, specs: run.Setup.Suite, stages: rag.NewStageBatch(r.Store)}
	for _, q := range dataset.Questions {
		d.questions[q.ID] = q
	}
	if run.Setup.Analysis != nil {
		return d, r.openAnalyst(ctx, run, d)
	}
	d.suite, err = metrics.NewSuite(run.Setup.Suite, run.Setup.Judge, r.Providers, d.stages)
	if err != nil {
		return nil, err
	}
	// Indexing may buy embeddings: they are booked to the run too.
	ctx = llm.WithScope(ctx, llm.Scope{RunID: run.ID})
	if d.system, err = rag.Open(ctx, run.Setup.Config, corpus, r.Providers, r.Indexes, d.stages); err != nil {
		return d, err
	}
	d.corpus = d.system.Corpus()
	return d, nil
}

// corpus is the corpus of a setup, out of memory where an index over it is held: the runs of a sweep do not read it again each.
func (r *Runner) corpus(ctx context.Context, setup Setup) (*rag.Corpus, error) {
	if r.Indexes != nil {
		if held := r.Indexes.Corpus(setup.Corpus.Name, setup.Corpus.Version, setup.Corpus.Digest); held != nil {
			return held, nil
		}
	}
	return corpusOf(ctx, r.Store, setup)
}

// corpusOf returns the corpus of a setup, or nil where it names none.
func corpusOf(ctx context.Context, s Library, setup Setup) (*rag.Corpus, error) {
	if setup.Corpus.Name == "" {
		return nil, nil
	}
	return s.Corpus(ctx, setup.Corpus.String())
}

// checkVersions refuses a run whose metrics this program computes in another way than the program that began it: one run
// must not hold scores of two kinds under one name.
func checkVersions(run Run) error {
	for _, frozen := range run.Setup.Suite {
		now, same := frozen.Current()
		if same {
			continue
		}
		has := "has no such metric"
		if now != "" {
			has = "computes version " + now
		}
		return problem.New(problem.Conflict, "metric_version", "run %s was begun with version %s of %s; this program %s",
			run.ID, frozen.Version, frozen.ID, has).
			With("run", run.ID).With("metric", frozen.ID).With("frozen", frozen.Version).With("known", now).
			WithHint("go on with the program that began it, or start a new run: what was bought is in the ledger and is not bought again")
	}
	return nil
}

// question answers and scores one question. It returns an error only where every other question would fail too; what goes
// wrong with this one becomes its named failure. A panic in a metric or reader is such a failure, not the run's end.
func (r *Runner) question(ctx context.Context, d *worker, q Question) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log("panic while working question "+q.ID, "panic", p, "stack", string(debug.Stack()))
			result, err = failed(d.specs, q, Failure{Cause: "internal", Message: fmt.Sprint(p)}), nil
		}
	}()
	scope := llm.ScopeOf(ctx)
	scope.QuestionID = q.ID
	ctx = llm.WithScope(ctx, scope)
	if d.analyst != nil {
		return r.finding(ctx, d, q)
	}
	started := r.Now()
	answer, err := d.system.Answer(ctx, q.Text)
	if err != nil {
		return r.ungenerated(ctx, d, q, answer, err)
	}
	latency := r.Now().Sub(started)
	if m := answer.Measured; m != nil && m.LatencyMS > 0 { // a log knows better how long its system took
		latency = time.Duration(m.LatencyMS) * time.Millisecond
	}
	sample := q.Sample(d.corpus, answer)
	sample.Logged = d.system.LoggedScores(q.ID, scope.Replicate)
	scores, err := d.suite.Score(ctx, sample)
	if err != nil {
		return Result{}, err
	}
	return Result{QuestionID: q.ID, Answer: &answer, Scores: scores, LatencyMS: latency.Milliseconds()}, nil
}

// unanswered decides whether an error is this question's failure or the run's.
func (r *Runner) unanswered(ctx context.Context, d *worker, q Question, err error) (Result, error) {
	var model *llm.Error
	if ctx.Err() != nil || !errors.As(err, &model) || llm.Fatal(err) {
		return Result{}, fmt.Errorf("answer question %s: %w", q.ID, err)
	}
	return failed(d.specs, q, Failure{Cause: model.Cause, Message: model.Message}), nil
}

// ungenerated is [Runner.unanswered] of a question for which something was retrieved: what needs no answer is scored, so that a retry
// has only the answer left to buy.
func (r *Runner) ungenerated(ctx context.Context, d *worker, q Question, found rag.Answer, err error) (Result, error) {
	result, err := r.unanswered(ctx, d, q, err)
	if err != nil || found.RetrievalKey == "" {
		return result, err
	}
	sample := q.Sample(d.corpus, found)
	if result.Scores, err = d.suite.ScoreRetrieval(ctx, sample, result.Failure.Cause); err != nil {
		return Result{}, err
	}
	result.Retrieved = &rag.Retrieved{Retrieval: found.Retrieval, RetrievalKey: found.RetrievalKey}
	return result, nil
}

func failed(specs []metrics.Spec, q Question, f Failure) Result {
	result := Result{QuestionID: q.ID, Failure: &f}
	for _, s := range specs {
		result.Scores = append(result.Scores, metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Errored, Reason: f.Cause})
	}
	return result
}

// Sample is what the metrics see of a question and its answer over this corpus. Without a corpus the evidence is where it was
// labelled.
func (q Question) Sample(corpus *rag.Corpus, a rag.Answer) metrics.Sample {
	s := metrics.Sample{
		QuestionID: q.ID, Question: q.Text, Lang: q.Lang, Reference: q.Reference, Answerable: q.Answerable,
		Answer: a.Text, Contexts: a.Hits, Hidden: a.Hidden,
		References: q.References, ExpectedURLs: q.ExpectedURLs, Truncated: a.FinishReason == "length",
	}
	for _, e := range q.Evidence {
		if e.Quote != "" {
			s.EvidenceTexts = append(s.EvidenceTexts, e.Quote)
		}
	}
	if m := a.Measured; m != nil {
		s.LatencyMS, s.TokensIn, s.TokensOut = m.LatencyMS, m.PromptTokens, m.CompletionTokens
		s.CostMicros, s.CostKnown = m.CostMicros, m.CostKnown
	}
	if corpus != nil {
		s.Evidence = q.EvidenceIn(corpus)
		return s
	}
	for _, e := range q.Evidence {
		s.Evidence = append(s.Evidence, e.Span)
	}
	return s
}
