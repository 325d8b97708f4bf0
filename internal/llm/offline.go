package llm

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Handler answers requests of one purpose for the offline provider. It must be a pure function of the request.
type Handler func(req Request) (string, error)

// EmbedFunc embeds one text for the offline provider: a pure function whose vectors all have one length and norm 1.
type EmbedFunc func(s string) []float32

// offline needs no network and no key. It is a product feature: everything the workbench does can be tried with it. It
// stands behind the same prompts as a real model and dispatches on their purpose.
type offline struct {
	handlers  map[string]Handler
	embedders map[string]EmbedFunc
}

// NewOffline returns the offline provider with these handlers, by purpose, and embedders, by model name.
func NewOffline(handlers map[string]Handler, embedders map[string]EmbedFunc) Provider {
	return &offline{handlers: handlers, embedders: embedders}
}

// OfflineVersion is part of every key of the offline provider. It changes whenever a handler or an embedder would reply
// differently, so that what an older program stored is not taken for a reply of this one.
const OfflineVersion = "13"

// Info says that the offline provider is deterministic and free.
func (o *offline) Info() Info {
	return Info{Name: "offline", Kind: "offline", Origin: OfflineVersion, Deterministic: true, Free: true}
}

// Complete answers with the handler of the request's purpose.
func (o *offline) Complete(_ context.Context, req Request) (Reply, error) {
	handle, ok := o.handlers[req.Purpose]
	if !ok {
		return Reply{}, &Error{Cause: CauseUnsupported, Message: fmt.Sprintf("the offline provider cannot do %q", req.Purpose)}
	}
	text, err := handle(req)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: text, Model: req.Model, FinishReason: "stop"}, nil
}

// Embed embeds each text by itself. Its vectors have one length, and what a text is makes no difference to them.
func (o *offline) Embed(_ context.Context, want Embedding, texts []string) ([][]float32, error) {
	embed, ok := o.embedders[want.Model]
	if !ok {
		return nil, UnknownModel("embedding", want.Model, slices.Sorted(maps.Keys(o.embedders)))
	}
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		vectors[i] = embed(t)
		if want.Dimensions > 0 && len(vectors[i]) != want.Dimensions {
			return nil, dimensionsFault(want, len(vectors[i])).err
		}
	}
	return vectors, nil
}

// UnknownModel is the error for an offline model that does not exist; it lists those that do.
func UnknownModel(what, model string, known []string) *Error {
	return &Error{
		Cause:   CauseUnsupported,
		Message: fmt.Sprintf("the offline provider has no %s model %q; it has %s", what, model, strings.Join(known, ", ")),
	}
}
