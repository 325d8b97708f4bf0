package checkup

import (
	"context"
	"errors"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// errNotStored is the error of stored for an output that is not there: what follows from it is not known.
var errNotStored = errors.New("this output is not stored")

// stored gives stored outputs and stores none.
type stored struct{ rag.Stages }

// Stage fails where there is none, so that nobody computes it.
func (s stored) Stage(ctx context.Context, key string) ([]byte, bool, error) {
	body, found, err := s.Stages.Stage(ctx, key)
	if err == nil && !found {
		err = errNotStored
	}
	return body, found, err
}

// PutStage stores nothing.
func (stored) PutStage(context.Context, rag.Stage) error { return nil }

// named are the outputs that one result names, and no others: its scores must follow from those that stand beside them.
type named map[string][]byte

// Stage looks among them.
func (n named) Stage(_ context.Context, key string) ([]byte, bool, error) {
	body, found := n[key]
	return body, found, nil
}

// PutStage stores nothing.
func (named) PutStage(context.Context, rag.Stage) error { return nil }

// Why a provider that is not asked says nothing.
const (
	causeNotStored   = "not_stored"   // a judge's reply is not among the outputs that a result names
	causeNotEmbedded = "not_embedded" // vectors are not computed here
)

// silent are providers that say who they are and are never asked.
type silent struct {
	rag.Providers
	rag.Outside
}

// Provider is one of them.
func (s silent) Provider(name string) (llm.Provider, error) {
	p, err := s.Providers.Provider(name)
	return mute{p}, err
}

type mute struct{ llm.Provider }

// Complete does not ask.
func (mute) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, &llm.Error{Cause: causeNotStored, Message: "nobody is asked here"}
}

// Embed does not ask.
func (mute) Embed(context.Context, llm.Embedding, []string) ([][]float32, error) {
	return nil, &llm.Error{Cause: causeNotEmbedded, Message: "nobody is asked here"}
}
