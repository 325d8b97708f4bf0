package questions

import (
	"context"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// questionVotes is how often a closed choice is asked, each time in another wording and order.
const questionVotes = 3

// tryStep is between the replicates of two tries of one vote: no vote reaches as far.
const tryStep = 1000

// questionJudge asks a model about questions and remembers what it said: an equal request gives an equal reply, in this run and in
// every later one, whatever happens to the dataset around it.
type questionJudge struct {
	provider llm.Provider
	model    string
	stages   rag.Stages
}

// questionTask is one request of the question analysis.
type questionTask struct {
	purpose   string
	lang      string
	data      any
	schema    *replies.Schema
	maxTokens int
	vote      int
}

// openQuestionJudge finds the judge's provider.
func openQuestionJudge(judge metrics.JudgeConfig, providers rag.Providers, stages rag.Stages) (*questionJudge, error) {
	p, err := providers.Provider(judge.Provider)
	if err != nil {
		return nil, err
	}
	return &questionJudge{provider: p, model: judge.Name, stages: stages}, nil
}

// askQuestion sends a task, or takes its reply from the stages.
func askQuestion[T metrics.Reply](ctx context.Context, j *questionJudge, t questionTask) (T, error) {
	return metrics.Ask[T](ctx, metrics.Asking{Provider: j.provider, Stages: j.stages, Kind: "question_reply", Version: QuestionVersion},
		func(try int) llm.Request { return j.request(ctx, t, try) })
}

func (j *questionJudge) request(ctx context.Context, t questionTask, try int) llm.Request {
	req, err := llm.Request{
		Purpose: t.purpose, Model: j.model, Instruction: questionInstruction(t.purpose, t.lang, t.vote),
		Schema: t.schema, MaxTokens: t.maxTokens,
		Replicate: llm.ScopeOf(ctx).Replicate*questionVotes + t.vote + tryStep*try,
	}.WithData(t.data)
	if err != nil {
		panic("question prompt data is not JSON: " + err.Error()) // strings, numbers and booleans only
	}
	return req
}
