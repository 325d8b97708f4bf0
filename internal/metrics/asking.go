package metrics

import (
	"context"
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

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
