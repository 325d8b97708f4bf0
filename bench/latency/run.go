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

// world is an experiment in a folder of its own, open.
type world struct {
	*app.Workbench
	experiment experiments.Experiment
	close      func()
}

// open makes a world of so many questions.
func (s setting) open(ctx context.Context, address, suite string, questions int) (*world, error) {
	dir, err := os.MkdirTemp("", "latency")
	if err != nil {
		return nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) }
	w, e, err := s.openIn(ctx, dir, address, suite, questions)
	if err != nil {
		remove()
		return nil, err
	}
	return &world{w, e, func() { _ = w.Close(); remove() }}, nil
}

func (s setting) openIn(ctx context.Context, dir, address, suite string, questions int) (*app.Workbench, experiments.Experiment, error) {
	if err := writeWorld(dir, address, suite, questions, s.inFlight); err != nil {
		return nil, experiments.Experiment{}, err
	}
	w, err := app.Open(ctx, app.Options{
		DataDir: filepath.Join(dir, "data"), ConfigPath: filepath.Join(dir, "workbench.yaml"), Concurrency: 2 * s.inFlight,
		Getenv: func(string) string { return "" }, Now: time.Now,
	})
	if err != nil {
		return nil, experiments.Experiment{}, err
	}
	e, _, err := w.Experiment(ctx, filepath.Join(dir, "experiment.yaml"))
	if err != nil {
		_ = w.Close()
	}
	return w, e, err
}

// run evaluates questions until about so many calls are made: one answer and four judgements for each.
func (s setting) run(ctx context.Context, address string, calls int) (figures, error) {
	w, err := s.open(ctx, address, "[correctness, trust, faithfulness]", calls/5)
	if err != nil {
		return figures{}, err
	}
	defer w.close()
	return w.evaluated(ctx)
}

// evaluated runs the experiment.
func (w *world) evaluated(ctx context.Context) (figures, error) {
	job, err := w.Job(ctx, w.experiment, app.Select{})
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

func writeWorld(dir, address, suite string, questions, inFlight int) error {
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
suite: ` + suite + `
judge: {provider: fake, model: judge, embedding: {provider: fake, model: embedder}}
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
