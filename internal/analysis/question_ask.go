package analysis

import (
	"context"
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// questionVotes is how often a closed choice is asked, each time in another wording and order.
const questionVotes = 3

// The tries of a reply that is of no use. They are other replicates than those of votes, because an equal request has an equal reply.
const (
	questionTries = 2
	tryStep       = 1000
)

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
	schema    *llm.Schema
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

// questionReply is what a model replies; fault says why a decoded reply is of no use, "" when it is not.
type questionReply interface{ fault() string }

// askQuestion sends a task, or takes its reply from the stages. A reply of no use is asked for once more and never kept.
func askQuestion[T questionReply](ctx context.Context, j *questionJudge, t questionTask) (T, error) {
	var out T
	var err error
	for try := range questionTries {
		req := j.request(ctx, t, try)
		key := rag.StageKey("question_reply", QuestionVersion, llm.KeyOf(j.provider.Info(), req))
		out, err = rag.Remember(ctx, j.stages, "question_reply", key, func(ctx context.Context) (T, error) { return completeQuestion[T](ctx, j, req) })
		if llm.CauseOf(err) != llm.CauseSchema {
			return out, err
		}
	}
	return out, err
}

func completeQuestion[T questionReply](ctx context.Context, j *questionJudge, req llm.Request) (T, error) {
	var out T
	scope := llm.ScopeOf(ctx)
	scope.Stage = "judge"
	reply, err := j.provider.Complete(llm.WithScope(ctx, scope), req)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(reply.Text), &out); err != nil {
		return out, &llm.Error{Cause: llm.CauseSchema, Message: req.Purpose + " reply is not the JSON that was asked for", Err: err}
	}
	if fault := out.fault(); fault != "" {
		return out, &llm.Error{Cause: llm.CauseSchema, Message: req.Purpose + " " + fault}
	}
	return out, nil
}

func (j *questionJudge) request(ctx context.Context, t questionTask, try int) llm.Request {
	body, err := json.Marshal(t.data)
	if err != nil {
		panic("question prompt data is not JSON: " + err.Error()) // strings, numbers and booleans only
	}
	return llm.Request{
		Purpose: t.purpose, Model: j.model, Instruction: questionInstruction(t.purpose, t.lang, t.vote), Data: body, Schema: t.schema, MaxTokens: t.maxTokens,
		Replicate: llm.ScopeOf(ctx).Replicate*questionVotes + t.vote + tryStep*try,
	}
}
