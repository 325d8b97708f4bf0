package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

var prices = map[string]llm.Price{"judge": {Input: 2, Output: 8}, "generator": {Input: 2, Output: 8}, "embedder": {Input: 1}}

// evaluate runs the questions against a provider of its own.
func evaluate(ctx context.Context, o fakeprovider.Options, questions int) (outcome, error) {
	fake := fakeprovider.New(o)
	server := httptest.NewServer(fake)
	defer server.Close()
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := writeWorld(dir, server.URL+"/v1", questions); err != nil {
		return outcome{}, err
	}
	w, err := app.Open(ctx, app.Options{
		DataDir: filepath.Join(dir, "data"), ConfigPath: filepath.Join(dir, "workbench.yaml"), Getenv: func(string) string { return "" },
		Now: time.Now,
	})
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = w.Close() }()
	e, _, err := w.Experiment(ctx, filepath.Join(dir, "experiment.yaml"))
	if err != nil {
		return outcome{}, err
	}
	job, err := w.Job(ctx, e, app.Select{})
	if err != nil {
		return outcome{}, err
	}
	start := time.Now()
	out := outcome{}
	if out.run, err = w.Run(ctx, job); err != nil {
		return outcome{}, err
	}
	out.wall, out.bill = time.Since(start), fake.Ledger()
	if out.calls, err = w.Store.Calls(ctx, out.run.ID); err != nil {
		return outcome{}, err
	}
	out.results, err = w.Store.Results(ctx, out.run.ID)
	slices.SortFunc(out.results, func(a, b experiments.Result) int { return strings.Compare(a.QuestionID, b.QuestionID) })
	return out, err
}

func writeWorld(dir, address string, questions int) error {
	var corpus, asked strings.Builder
	line := func(out *strings.Builder, row map[string]any) error {
		body, err := json.Marshal(row)
		out.Write(append(body, '\n'))
		return err
	}
	for i := range questions {
		doc := map[string]any{
			"doc_id": fmt.Sprintf("tariff-%d", i),
			"text": fmt.Sprintf("Tariff %d applies to route %d. The fee is %d yen for each segment. Children pay %d yen.", i, i,
				1000+i, 500+i),
		}
		question := map[string]any{
			"question_id": fmt.Sprintf("q%04d", i), "question": fmt.Sprintf("What is the fee of tariff %d?", i),
			"reference": fmt.Sprintf("The fee of tariff %d is %d yen for each segment.", i, 1000+i),
		}
		if err := line(&corpus, doc); err != nil {
			return err
		}
		if err := line(&asked, question); err != nil {
			return err
		}
	}
	table, err := json.Marshal(prices) // JSON is YAML
	if err != nil {
		return err
	}
	files := map[string]string{
		"corpus.jsonl": corpus.String(), "questions.jsonl": asked.String(), "prices.yaml": string(table),
		"workbench.yaml": fmt.Sprintf("providers: {fake: {base_url: %s, concurrency: 8}}\nprices_file: prices.yaml\n", address),
		"experiment.yaml": `name: faults
corpus: corpus.jsonl
dataset: questions.jsonl
suite: [correctness, trust, faithfulness, context_precision, context_recall, answer_relevancy]
judge: {provider: fake, model: judge}
base:
  embedding: {provider: fake, model: embedder}
  retrieve: {mode: dense, k: 3}
  generate: {provider: fake, model: generator}
`,
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}
