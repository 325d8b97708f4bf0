package app

import (
	"context"
	"strings"

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
}

// blank says that a question holds no word: a search or a model would find something for it all the same.
func blank() *problem.Problem {
	return problem.New(problem.Invalid, "question_blank", "the question is blank")
}

// Ask answers one question with an experiment's base configuration and scores the answer. A question that stands in the
// dataset is scored against its reference; another one only against the contexts.
func (w *Workbench) Ask(ctx context.Context, e experiments.Experiment, question string) (Asked, error) {
	if strings.TrimSpace(question) == "" {
		return Asked{}, blank().
			WithHint("write it in quotation marks: workbench ask \"QUESTION\" -e EXPERIMENT")
	}
	job, err := w.Job(ctx, e, Select{})
	if err != nil {
		return Asked{}, err
	}
	asked := Asked{Question: experiments.Question{ID: "asked", Text: question, Lang: text.Language(question), Answerable: true},
		Setup: job.Setup}
	for _, q := range job.Questions {
		if text.Fold(q.Text) == text.Fold(question) {
			asked.Question = q
		}
	}
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
	ctx = llm.WithGuard(ctx, &llm.Guard{})
	if asked.Answer, err = system.Answer(ctx, asked.Question.Text); err != nil {
		return asked, err
	}
	asked.Scores, err = suite.Score(ctx, asked.Question.Sample(corpus, asked.Answer))
	return asked, err
}
