package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// batchSize bounds how many questions are worked between two commits, and so what a crash can undo. Bought replies are
// in the ledger before that, so what is undone is only arithmetic.
const batchSize = 20

// StaleAfter is how long a run's owner may be silent before another process may take the run over.
const StaleAfter = 2 * time.Minute

// Runner works runs. It holds no state of a run: what is missing is asked from the store, so resuming a run is starting
// it again.
type Runner struct {
	Store       Store
	Providers   rag.Providers
	Indexes     *rag.Indexes
	Now         func() time.Time
	Owner       string         // names this process
	Concurrency int            // questions worked at the same time
	Progress    func(Progress) // called after every batch; may be nil
	Log         func(message string, args ...any)
}

// Progress says how far a run is.
type Progress struct {
	Run   Run
	Done  int // questions with every cell settled
	Total int
}

// Create stores a run of this setup in state Queued, without working it.
func (r *Runner) Create(ctx context.Context, run Run, questions []Question) (Run, error) {
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = q.ID
	}
	run.SetupDigest = run.Setup.Digest()
	run.State = Queued
	run.CreatedAt = r.Now()
	return r.Store.CreateRun(ctx, run, ids)
}

// Work does what is missing in a run and finishes it. When ctx ends, or a provider refuses every call, the run is paused
// with everything kept, and Work returns why.
func (r *Runner) Work(ctx context.Context, id string) (Run, error) {
	now := r.Now()
	run, err := r.Store.ClaimRun(ctx, id, r.Owner, now, now.Add(-StaleAfter))
	if err != nil {
		return Run{}, err
	}
	ctx = llm.WithScope(ctx, llm.Scope{RunID: run.ID})
	if err := r.work(ctx, run); err != nil {
		return run, r.stop(ctx, run, err)
	}
	return r.finish(ctx, run)
}

func (r *Runner) work(ctx context.Context, run Run) error {
	missing, err := r.Store.Missing(ctx, run.ID)
	if err != nil || len(missing) == 0 {
		return err
	}
	desk, err := r.open(ctx, run)
	if err != nil {
		return err
	}
	defer desk.system.Close()
	total := len(desk.questions)
	if len(run.Setup.Questions) > 0 {
		total = len(run.Setup.Questions)
	}
	for start := 0; start < len(missing); start += batchSize {
		batch := missing[start:min(start+batchSize, len(missing))]
		if err := r.batch(ctx, run, desk, batch); err != nil {
			return err
		}
		if r.Progress != nil {
			r.Progress(Progress{Run: run, Done: total - len(missing) + start + len(batch), Total: total})
		}
		state, err := r.Store.Heartbeat(ctx, run.ID, r.Owner, r.Now())
		if err != nil {
			return err
		}
		if state != Running {
			return &stopped{to: state}
		}
	}
	return nil
}

// stopped says that somebody asked for the run to stop.
type stopped struct{ to RunState }

func (s *stopped) Error() string { return "the run was asked to stop: " + string(s.to) }

// desk is everything needed to work the questions of a run.
type desk struct {
	corpus    *rag.Corpus
	system    *rag.System
	suite     *metrics.Suite
	questions map[string]Question
	specs     []metrics.Spec
	stages    *stageBatch
}

func (r *Runner) open(ctx context.Context, run Run) (*desk, error) {
	corpus, err := r.Store.Corpus(ctx, run.Setup.Corpus.String())
	if err != nil {
		return nil, err
	}
	dataset, err := r.Store.Dataset(ctx, run.Setup.Dataset.String())
	if err != nil {
		return nil, err
	}
	d := &desk{corpus: corpus, questions: map[string]Question{}, specs: run.Setup.Suite, stages: newStageBatch(r.Store)}
	for _, q := range dataset.Questions {
		d.questions[q.ID] = q
	}
	d.suite, err = metrics.NewSuite(run.Setup.Suite, run.Setup.Judge, r.Providers, d.stages)
	if err != nil {
		return nil, err
	}
	d.system, err = rag.Open(ctx, run.Setup.Config, corpus, r.Providers, r.Indexes, d.stages)
	return d, err
}

// batch works some questions at once and commits them together.
func (r *Runner) batch(ctx context.Context, run Run, d *desk, ids []string) error {
	results := make([]Result, len(ids))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Concurrency))
	for i, id := range ids {
		group.Go(func() error {
			var err error
			results[i], err = r.question(groupCtx, d, d.questions[id])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return r.Store.SaveResults(ctx, run.ID, results, d.stages.take(), r.Now())
}

// question answers and scores one question. It returns an error only where every other question would fail too; what goes
// wrong with this one becomes its named failure. A panic in a metric or reader is such a failure, not the run's end.
func (r *Runner) question(ctx context.Context, d *desk, q Question) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log("panic while working question "+q.ID, "panic", p, "stack", string(debug.Stack()))
			result, err = failed(d.specs, q, Failure{Cause: "internal", Message: fmt.Sprint(p)}), nil
		}
	}()
	scope := llm.ScopeOf(ctx)
	scope.QuestionID = q.ID
	ctx = llm.WithScope(ctx, scope)
	started := r.Now()
	answer, err := d.system.Answer(ctx, q.Text)
	if err != nil {
		return r.unanswered(ctx, d, q, err)
	}
	latency := r.Now().Sub(started)
	scores, err := d.suite.Score(ctx, q.Sample(d.corpus, answer))
	if err != nil {
		return Result{}, err
	}
	return Result{QuestionID: q.ID, Answer: &answer, Scores: scores, LatencyMS: latency.Milliseconds()}, nil
}

// unanswered decides whether an error is this question's failure or the run's.
func (r *Runner) unanswered(ctx context.Context, d *desk, q Question, err error) (Result, error) {
	var model *llm.Error
	if ctx.Err() != nil || !errors.As(err, &model) || llm.Fatal(err) {
		return Result{}, fmt.Errorf("answer question %s: %w", q.ID, err)
	}
	return failed(d.specs, q, Failure{Cause: model.Cause, Message: model.Message}), nil
}

func failed(specs []metrics.Spec, q Question, f Failure) Result {
	result := Result{QuestionID: q.ID, Failure: &f}
	for _, s := range specs {
		result.Scores = append(result.Scores, metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Errored, Reason: f.Cause})
	}
	return result
}

// Sample is what the metrics see of a question and its answer over this corpus.
func (q Question) Sample(corpus *rag.Corpus, a rag.Answer) metrics.Sample {
	return metrics.Sample{
		QuestionID: q.ID, Question: q.Text, Lang: q.Lang, Reference: q.Reference, Answerable: q.Answerable,
		Evidence: q.EvidenceIn(corpus), Answer: a.Text, Contexts: a.Hits,
	}
}

// stop puts the run down safely and returns what the caller should show.
func (r *Runner) stop(ctx context.Context, run Run, err error) error {
	to, cause := Paused, llm.CauseOf(err)
	var asked *stopped
	switch {
	case errors.As(err, &asked):
		to, cause = asked.to, "asked"
	case ctx.Err() != nil:
		cause = "interrupted"
	}
	// The run must be put down even though ctx has ended.
	if stopErr := r.Store.StopRun(context.WithoutCancel(ctx), run.ID, r.Owner, to, cause, r.Now()); stopErr != nil {
		return errors.Join(err, stopErr)
	}
	if problem.CodeOf(err) != "internal" {
		return err
	}
	return problem.New(problem.Incomplete, "run_"+string(to), "run %s is %s (%s); everything done so far is stored", run.ID, to, cause).
		With("run_id", run.ID).With("cause", cause).Because(err).WithHint("workbench runs resume %s", run.ID)
}

// finish recomputes the totals from the stored cells and closes the run.
func (r *Runner) finish(ctx context.Context, run Run) (Run, error) {
	results, err := r.Store.Results(ctx, run.ID)
	if err != nil {
		return run, err
	}
	totals := Total(results, run.Setup.LowScore)
	if err := r.Store.FinishRun(ctx, run.ID, r.Owner, totals, Chain(results), r.Now()); err != nil {
		return run, err
	}
	return r.Store.Run(ctx, run.ID)
}

// Chain is the SHA-256 over every result in order: question, answer, scores. Whoever changes a finished run breaks it.
func Chain(results []Result) string {
	link := sha256.Sum256(nil)
	for _, result := range results {
		body, err := json.Marshal(result)
		if err != nil {
			panic("result is not JSON: " + err.Error()) // only a NaN could do that, and no metric yields one
		}
		link = sha256.Sum256(append(link[:], body...))
	}
	return hex.EncodeToString(link[:])
}

func (r *Runner) log(message string, args ...any) {
	if r.Log != nil {
		r.Log(message, args...)
	}
}

// LoadEvaluation returns a run with its questions and results, contexts filled with their texts.
func LoadEvaluation(ctx context.Context, s Store, id string) (Evaluation, error) {
	run, err := s.Run(ctx, id)
	if err != nil {
		return Evaluation{}, err
	}
	corpus, err := s.Corpus(ctx, run.Setup.Corpus.String())
	if err != nil {
		return Evaluation{}, err
	}
	dataset, err := s.Dataset(ctx, run.Setup.Dataset.String())
	if err != nil {
		return Evaluation{}, err
	}
	e := Evaluation{Run: run}
	if e.Results, err = s.Results(ctx, run.ID); err != nil {
		return Evaluation{}, err
	}
	byID := make(map[string]Question, len(dataset.Questions))
	for _, q := range dataset.Questions {
		byID[q.ID] = q
	}
	for i := range e.Results {
		e.Questions = append(e.Questions, byID[e.Results[i].QuestionID])
		if a := e.Results[i].Answer; a != nil {
			a.Retrieval = rag.FillTexts(corpus, a.Retrieval)
		}
	}
	return e, nil
}
