package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// run evaluates questions until about so many calls are made: one answer and four judgements for each.
func (s setting) run(ctx context.Context, address string, calls int) (figures, error) {
	dir, err := os.MkdirTemp("", "latency")
	if err != nil {
		return figures{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := writeWorld(dir, address, calls/5, s.inFlight); err != nil {
		return figures{}, err
	}
	w, err := app.Open(ctx, app.Options{
		DataDir: filepath.Join(dir, "data"), ConfigPath: filepath.Join(dir, "workbench.yaml"), Concurrency: 2 * s.inFlight,
		Getenv: func(string) string { return "" }, Now: time.Now,
	})
	if err != nil {
		return figures{}, err
	}
	defer func() { _ = w.Close() }()
	e, _, err := w.Experiment(ctx, filepath.Join(dir, "experiment.yaml"))
	if err != nil {
		return figures{}, err
	}
	job, err := w.Job(ctx, e, app.Select{})
	if err != nil {
		return figures{}, err
	}
	return timed(func() (int, error) {
		run, err := w.Run(ctx, job)
		if err != nil {
			return 0, err
		}
		if run.State != experiments.Finished {
			return 0, fmt.Errorf("the run is %s: %s", run.State, run.Cause)
		}
		spent, err := w.Store.Spent(ctx, run.ID)
		return spent.Calls, err
	})
}

func writeWorld(dir, address string, questions, inFlight int) error {
	var corpus, asked strings.Builder
	for i := range questions {
		for out, row := range map[*strings.Builder]any{
			&corpus: map[string]any{"doc_id": fmt.Sprintf("rule-%d", i),
				"text": fmt.Sprintf("Tariff %d applies to route %d. The fee is %d yen for each segment.", i, i, 1000+i)},
			&asked: map[string]any{
				"question_id": fmt.Sprintf("q%d", i), "question": fmt.Sprintf("What is the fee of tariff %d?", i),
				"reference": fmt.Sprintf("%d yen for each segment", 1000+i),
			},
		} {
			body, err := json.Marshal(row)
			if err != nil {
				return err
			}
			out.Write(append(body, '\n'))
		}
	}
	files := map[string]string{
		"corpus.jsonl": corpus.String(), "questions.jsonl": asked.String(),
		"workbench.yaml": fmt.Sprintf("providers: {fake: {base_url: %s, concurrency: %d}}\n", address, inFlight),
		"experiment.yaml": `name: latency
corpus: corpus.jsonl
dataset: questions.jsonl
suite: [correctness, trust, faithfulness]
judge: {provider: fake, model: judge}
base: {retrieve: {mode: bm25, k: 3}, generate: {provider: fake, model: generator}}
`,
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}
