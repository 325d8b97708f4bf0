package rag

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/rag-workbench/workbench/internal/llm"
)

// Stage is one stored stage output. Outputs are content-addressed: the key covers the stage's version, the parameters
// this stage uses and the content of its inputs, so equal work is done once whoever asks for it.
type Stage struct {
	Key   string   `json:"key"`
	Kind  string   `json:"kind"`            // "rewrite", "retrieve", "rerank", "generate", "claims", "verify", "rubric"
	Body  []byte   `json:"body"`            // JSON
	Calls []string `json:"calls,omitempty"` // ids of the ledger rows it was computed from; none for offline work
}

// Stages keeps stage outputs.
type Stages interface {
	// Stage returns the body stored under key.
	Stage(ctx context.Context, key string) (body []byte, found bool, err error)
	// PutStage stores an output; one that is already there stays as it is.
	PutStage(ctx context.Context, s Stage) error
}

// StageBodies returns the bodies stored under keys, where stages offer that with one question, else with one for each.
func StageBodies(ctx context.Context, stages Stages, keys []string) (map[string][]byte, error) {
	if together, ok := stages.(interface {
		StageBodies(ctx context.Context, keys []string) (map[string][]byte, error)
	}); ok {
		return together.StageBodies(ctx, keys)
	}
	out := make(map[string][]byte, len(keys))
	for _, key := range keys {
		body, found, err := stages.Stage(ctx, key)
		if err != nil {
			return nil, err
		}
		if found {
			out[key] = body
		}
	}
	return out, nil
}

// PutStages stores outputs that belong together. Where stages are collected before they are stored, they become readable, and are
// stored, all at once.
func PutStages(ctx context.Context, stages Stages, out []Stage) error {
	if together, ok := stages.(interface {
		PutStages(ctx context.Context, out []Stage) error
	}); ok {
		return together.PutStages(ctx, out)
	}
	for _, s := range out {
		if err := stages.PutStage(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// StageKey is the SHA-256 of the kind, its version and the JSON of parts.
func StageKey(kind, version string, parts ...any) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]string{"s1", kind, version})
	for _, p := range parts {
		if err := enc.Encode(p); err != nil { // only a type that JSON cannot express: a programming error
			panic(fmt.Sprintf("stage key of %s: %v", kind, err))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Remember returns the output stored under key, or computes, stores and returns it. What compute buys with the context it is
// given is noted beside the output.
func Remember[T any](ctx context.Context, s Stages, kind, key string, compute func(context.Context) (T, error)) (T, error) {
	var out T
	body, found, err := s.Stage(ctx, key)
	if err != nil {
		return out, err
	}
	if found {
		if err := json.Unmarshal(body, &out); err != nil {
			return out, fmt.Errorf("stored %s %s: %w", kind, key, err)
		}
		return out, nil
	}
	traced, trace := llm.WithTrace(ctx)
	out, err = compute(traced)
	if err != nil {
		return out, err
	}
	body, err = json.Marshal(out)
	if err != nil {
		return out, fmt.Errorf("store %s %s: %w", kind, key, err)
	}
	return out, s.PutStage(ctx, Stage{Key: key, Kind: kind, Body: body, Calls: trace.Calls()})
}
