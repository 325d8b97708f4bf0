package analysis

import (
	"context"
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// reply is what a judge replies; fault says why a decoded reply is of no use, "" when it is not.
type reply interface{ fault() string }

// askTries is how often a reply of no use is asked for. Each try is another replicate, because an equal request has an equal reply.
const askTries = 2

// asking is how replies of one analysis are remembered: what is of use under a kind and version of stage, what is not never.
type asking struct {
	provider llm.Provider
	stages   rag.Stages
	kind     string
	version  string
}

// ask sends the request of a try, or takes its reply from the stages.
func ask[T reply](ctx context.Context, a asking, request func(try int) llm.Request) (T, error) {
	var out T
	var err error
	for try := range askTries {
		req := request(try)
		key := rag.StageKey(a.kind, a.version, llm.KeyOf(a.provider.Info(), req))
		out, err = rag.Remember(ctx, a.stages, a.kind, key, func(ctx context.Context) (T, error) { return complete[T](ctx, a.provider, req) })
		if llm.CauseOf(err) != llm.CauseSchema {
			return out, err
		}
	}
	return out, err
}

// complete asks once, as a call of the judge, and decodes the reply.
func complete[T reply](ctx context.Context, provider llm.Provider, req llm.Request) (T, error) {
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
	if fault := out.fault(); fault != "" {
		return out, &llm.Error{Cause: llm.CauseSchema, Message: req.Purpose + " " + fault}
	}
	return out, nil
}
