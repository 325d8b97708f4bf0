package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/store"
)

// A prompt of the size that judges get: five passages of some 800 characters.
var promptData = map[string]any{
	"question": "How much does it cost to refund a Flex ticket?",
	"contexts": strings.Repeat("Flex tickets can be refunded until departure. The fee is 2,000 yen for each segment. ", 48),
}

var promptSchema = &replies.Schema{Name: "rubric", Body: json.RawMessage(
	`{"type":"object","properties":{"reason":{"type":"string"},"score":{"type":"integer","minimum":1,"maximum":5}},"required":["reason","score"],"additionalProperties":false}`)}

// layer completes different requests from so many goroutines.
func (s setting) layer(ctx context.Context, address string, calls, callers int, ledger bool) (figures, error) {
	client, err := outbound.New(outbound.Options{})
	if err != nil {
		return figures{}, err
	}
	config := llm.OpenAIConfig{
		Name: "fake", BaseURL: address, Client: client, Secret: []byte("0123456789abcdef"), Owner: "bench", Now: time.Now,
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Limits: llm.Limits{Concurrency: s.inFlight}, Prices: llm.Prices{"m": {Input: 1, Output: 2}},
	}
	if ledger {
		dir, err := os.MkdirTemp("", "latency")
		if err != nil {
			return figures{}, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		db, err := store.Open(ctx, filepath.Join(dir, "workbench.db"))
		if err != nil {
			return figures{}, err
		}
		defer func() { _ = db.Close() }()
		// as in the product: calls that belong to no run are counted under the mark of a key
		if _, _, err := db.Vouch(ctx, store.Key{Secret: []byte("0123456789abcdef0123456789abcdef")}, true); err != nil {
			return figures{}, err
		}
		config.Ledger = db
	}
	p, err := llm.NewOpenAI(config)
	if err != nil {
		return figures{}, err
	}
	ask := func(n, workers int, instruction string) error {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(workers)
		for i := range n {
			group.Go(func() error {
				req, err := llm.Request{
					Purpose: "judge.trust", Model: "m", Instruction: instruction, Schema: promptSchema, Replicate: i,
				}.WithData(promptData) // as judges write theirs
				if err != nil {
					return err
				}
				_, err = p.Complete(ctx, req)
				return err
			})
		}
		return group.Wait()
	}
	if err := ask(s.inFlight, s.inFlight, "Connect."); err != nil { // connections, prepared statements
		return figures{}, err
	}
	return timed(func() (int, error) { return calls, ask(calls, callers, "Grade the answer.") })
}
