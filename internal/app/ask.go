package app

import (
	"context"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Asked is the answer to one question, outside any run.
type Asked struct {
	Question experiments.Question `json:"question"` // the dataset's own when it holds the same words
	Answer   rag.Answer           `json:"answer"`
	Scores   []metrics.Score      `json:"scores"`
	Setup    experiments.Setup    `json:"-"`
	// what it cost; absent where nothing was bought
	Spent *experiments.Spending `json:"spent,omitempty"`
}

// PlanAsk says what answering one question would buy, and buys nothing.
func (w *Workbench) PlanAsk(ctx context.Context, e experiments.Experiment, question string) (Plan, error) {
	job, q, err := w.toAsk(ctx, e, question)
	if err != nil {
		return Plan{}, err
	}
	job.Questions = []experiments.Question{q}
	return w.Plan(ctx, []Job{job})
}

// toAsk is the job of an experiment's base configuration, and the question: the dataset's own where it holds the same words.
func (w *Workbench) toAsk(ctx context.Context, e experiments.Experiment, question string) (Job, experiments.Question, error) {
	if strings.TrimSpace(question) == "" {
		return Job{}, experiments.Question{}, blank().
			WithHint("write it in quotation marks: workbench ask \"QUESTION\" -e EXPERIMENT")
	}
	q := experiments.Question{ID: "asked", Text: question, Lang: text.Language(question), Answerable: true}
	job, err := w.Job(ctx, e, Select{})
	if err != nil {
		return job, q, err
	}
	for _, known := range job.Questions {
		if text.Fold(known.Text) == text.Fold(question) {
			q = known
		}
	}
	return job, q, nil
}

// blank says that a question holds no word: a search or a model would find something for it all the same.
func blank() *problem.Problem {
	return problem.New(problem.Invalid, "question_blank", "the question is blank")
}

// Ask answers one question with an experiment's base configuration and scores the answer. A question that stands in the
// dataset is scored against its reference; another one only against the contexts.
func (w *Workbench) Ask(ctx context.Context, e experiments.Experiment, question string) (Asked, error) {
	job, q, err := w.toAsk(ctx, e, question)
	if err != nil {
		return Asked{}, err
	}
	asked := Asked{Question: q, Setup: job.Setup}
	corpus, err := w.CorpusOf(ctx, job.Setup)
	if err != nil {
		return asked, err
	}
	system, err := rag.Open(ctx, job.Setup.Config, corpus, w.Providers, w.Indexes, w.Store)
	if err != nil {
		return asked, err
	}
	defer system.Close()
	suite, err := metrics.NewSuite(job.Setup.Suite, job.Setup.Judge, w.Providers, w.Store)
	if err != nil {
		return asked, err
	}
	begun := w.Options.Now()
	ctx, trace := llm.WithTrace(llm.WithGuard(ctx, &llm.Guard{}))
	if asked.Answer, err = system.Answer(ctx, asked.Question.Text); err != nil {
		return asked, err
	}
	if asked.Scores, err = suite.Score(ctx, asked.Question.Sample(corpus, asked.Answer)); err != nil {
		return asked, err
	}
	asked.Spent, err = w.spentOn(ctx, trace.Calls(), begun)
	return asked, err
}

// spentOn is what calls cost that belong to no run; those from before begun were there already. nil where there are none.
func (w *Workbench) spentOn(ctx context.Context, ids []string, begun time.Time) (*experiments.Spending, error) {
	var out experiments.Spending
	for _, id := range ids {
		c, err := w.Store.Call(ctx, id)
		if err != nil {
			return nil, err
		}
		switch {
		case c.SentAt.Before(begun):
			out.SavedCalls, out.SavedMicros = out.SavedCalls+1, out.SavedMicros+c.CostMicros
			continue
		case c.CostKind == "estimated":
			out.PossibleCalls, out.PossibleMicros = out.PossibleCalls+1, out.PossibleMicros+c.CostMicros
		case c.CostKind == "unknown":
			out.UnknownPrice++
		default:
			out.ConfirmedMicros += c.CostMicros
		}
		out.Calls++
	}
	if out.Calls == 0 && out.SavedCalls == 0 {
		return nil, nil //nolint:nilnil // nothing was bought
	}
	return &out, nil
}
