package metrics

import (
	"context"
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// task is one question to the judge.
type task struct {
	kind      string // kind of the stage that keeps the reply
	purpose   string
	lang      string // language of the question that is judged
	data      any    // becomes the one fenced JSON object
	criterion string // appended to the instruction: the words of a custom metric
	maxTokens int
	try       int                    // 1, 2, … of asking again for what a reply left out
	check     func(reply any) string // says why a reply is of no use to this task; nil where its form says it all
}

// retryStep keeps the replicates of asking again apart from those of voting again.
const retryStep = 1000

// replyTokens is the room for a judge's reply besides its lists: the reasons, and what models think before they write.
const replyTokens = 1024

// stored is a judge's reply as a stage keeps it: it says by itself what it is a reply to, so that Explain can read it.
type stored[T any] struct {
	Purpose string `json:"purpose"`
	Reply   T      `json:"reply"`
}

// ask sends one prompt to the judge, decodes the reply and checks it, or takes the reply from the stages. A reply that is of
// no use is not kept, so that asking again can bring a better one.
func ask[T judgement](ctx context.Context, s *Suite, t task) (T, string, error) {
	req := s.request(ctx, t)
	key := rag.StageKey(t.kind, replyVersion, llm.KeyOf(s.judge.Info(), req))
	kept, err := rag.Remember(ctx, s.stages, t.kind, key, func(ctx context.Context) (stored[T], error) {
		reply, err := complete[T](ctx, s, t, req)
		return stored[T]{Purpose: t.purpose, Reply: reply}, err
	})
	return kept.Reply, key, err
}

// complete sends the request of a task to the judge, decodes the reply and checks it.
func complete[T judgement](ctx context.Context, s *Suite, t task, req llm.Request) (T, error) {
	var out T
	scope := llm.ScopeOf(ctx)
	scope.Stage = "judge"
	reply, err := s.judge.Complete(llm.WithScope(ctx, scope), req)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(reply.Text), &out); err != nil {
		return out, &llm.Error{Cause: llm.CauseSchema, Message: t.purpose + " reply is not the JSON that was asked for", Err: err}
	}
	fault := out.fault()
	if fault == "" && t.check != nil {
		fault = t.check(out)
	}
	if fault != "" {
		return out, &llm.Error{Cause: llm.CauseSchema, Message: t.purpose + " " + fault}
	}
	return out, nil
}

// request renders a task. Everything in it is part of the key of the reply.
func (s *Suite) request(ctx context.Context, t task) llm.Request {
	scope := llm.ScopeOf(ctx)
	req, err := llm.Request{
		Purpose: t.purpose, Model: s.config.Name, Instruction: s.instruction(t.purpose, t.lang, t.criterion, scope.Replicate),
		Schema: schemas[t.purpose], MaxTokens: t.maxTokens, Replicate: scope.Replicate + retryStep*t.try, Fresh: scope.Rejudge,
	}.WithData(t.data)
	if err != nil {
		panic("judge prompt data is not JSON: " + err.Error()) // strings, numbers and booleans only
	}
	return req
}

// instruction is the task in words: ours, as a replicate words it, or the experiment's; the criterion of a custom metric, and
// the language of reasons.
func (s *Suite) instruction(purpose, lang, criterion string, replicate int) string {
	if lang != "ja" {
		lang = "en" // the other language the workbench has prompts for
	}
	words := comparing[lang]
	if purpose != PurposeCompare {
		words = s.config.instruction(purpose, lang, replicate)
	}
	if purpose == PurposeCorrectness && len(s.config.Examples) > 0 {
		words += exampleWords[lang]
	}
	if criterion != "" {
		words += "\n\n" + criterion + "\n\n"
	}
	if explained[purpose] {
		words += explainIn[s.explainLang(lang)]
	}
	return words
}

func (s *Suite) explainLang(lang string) string {
	switch {
	case s.config.ExplainLang != "":
		return s.config.ExplainLang
	case lang == "ja":
		return "ja"
	}
	return "en"
}

// Reply is what a judge replies; fault says why a decoded reply is of no use, "" when it is not.
type Reply interface{ Fault() string }

// askTries is how often a reply of no use is asked for. Each try is another replicate, because an equal request has an equal reply.
const askTries = 2

// Asking is how replies of one analysis are remembered: what is of use under a kind and version of stage, what is not never.
type Asking struct {
	Provider llm.Provider
	Stages   rag.Stages
	Kind     string
	Version  string
}

// Ask sends the request of a try, or takes its reply from the stages.
func Ask[T Reply](ctx context.Context, a Asking, request func(try int) llm.Request) (T, error) {
	var out T
	var err error
	for try := range askTries {
		req := request(try)
		key := rag.StageKey(a.Kind, a.Version, llm.KeyOf(a.Provider.Info(), req))
		out, err = rag.Remember(ctx, a.Stages, a.Kind, key,
			func(ctx context.Context) (T, error) { return completeAsked[T](ctx, a.Provider, req) })
		if llm.CauseOf(err) != llm.CauseSchema {
			return out, err
		}
	}
	return out, err
}

// completeAsked asks once, as a call of the judge, and decodes the reply.
func completeAsked[T Reply](ctx context.Context, provider llm.Provider, req llm.Request) (T, error) {
	var out T
	scope := llm.ScopeOf(ctx)
	scope.Stage = "judge"
	said, err := provider.Complete(llm.WithScope(ctx, scope), req)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(said.Text), &out); err != nil {
		return out, &llm.Error{Cause: llm.CauseSchema, Message: req.Purpose + " reply is not the JSON that was asked for", Err: err}
	}
	if fault := out.Fault(); fault != "" {
		return out, &llm.Error{Cause: llm.CauseSchema, Message: req.Purpose + " " + fault}
	}
	return out, nil
}
