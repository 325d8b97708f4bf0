package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store"
)

// world is the folder that every trial starts from: documents, questions, an experiment and the configuration.
type world struct {
	options
	dir   string
	whole time.Duration // a run that nobody kills
}

func newWorld(dir, providerURL string, o options) (*world, error) {
	w := &world{options: o, dir: dir}
	var docs, questions bytes.Buffer
	docs.WriteString("# Services\n\n")
	for i := range o.questions {
		fmt.Fprintf(&docs, "Service %d opens at gate %d and costs %d coins.\n\n", i, i%37, i*7%101)
		line, err := json.Marshal(map[string]string{
			"id": fmt.Sprintf("q%04d", i), "question": fmt.Sprintf("What does service %d cost?", i),
			"reference": fmt.Sprintf("%d coins.", i*7%101),
		})
		if err != nil {
			return nil, err
		}
		questions.Write(append(line, '\n'))
	}
	files := map[string]string{
		"docs/services.md": docs.String(),
		"questions.jsonl":  questions.String(),
		"crash.yaml": `name: crash
corpus: ./docs
dataset: ./questions.jsonl
suite: [correctness, trust]
judge: {provider: fake, model: small}
base:
  chunk: {by: chars, size: 200, overlap: 0}
  retrieve: {mode: bm25, k: 2}
  generate: {provider: fake, model: small}
`,
		"workbench.yaml": fmt.Sprintf(`providers:
  fake: {base_url: %s, concurrency: %d}
prices:
  small: {input: %g, output: %g}
`, providerURL, o.concurrency, prices["small"].Input, prices["small"].Output),
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// place is where one trial keeps its database.
type place struct {
	world *world
	data  string // folder
	url   string // of a PostgreSQL database; "" is SQLite in the folder
}

// command is the program with these arguments, in the world's folder.
func (p place) command(ctx context.Context, args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(ctx, p.world.bin, append(args, "--data", p.data)...) //nolint:gosec // the program under test
	cmd.Dir = p.world.dir
	cmd.Env = append(os.Environ(), "WORKBENCH_DATABASE_URL="+p.url, "OPENAI_API_KEY=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

func (p place) open(ctx context.Context) (*store.Store, error) {
	if p.url != "" {
		return store.Open(ctx, p.url)
	}
	return store.Open(ctx, filepath.Join(p.data, "workbench.db"))
}

// runID is the id of the one run there is, and its state; "" before it was created.
func (p place) runID(ctx context.Context) (string, experiments.RunState, error) {
	cmd, out := p.command(ctx, "runs", "list", "--json")
	cmd.Stderr = nil
	if err := cmd.Run(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 2 {
			return "", "", nil // killed before there was a database: reading makes none
		}
		return "", "", fmt.Errorf("runs list: %w\n%s", err, out)
	}
	var runs []struct {
		ID    string               `json:"run_id"`
		State experiments.RunState `json:"state"`
	}
	if err := json.Unmarshal(out.Bytes(), &runs); err != nil {
		return "", "", fmt.Errorf("runs list: %w\n%s", err, out)
	}
	switch len(runs) {
	case 0:
		return "", "", nil
	case 1:
		return runs[0].ID, runs[0].State, nil
	}
	return "", "", fmt.Errorf("there are %d runs; a resumed run must stay the same", len(runs))
}

// uninterrupted works one run in peace and returns its results.
func (w *world) uninterrupted(ctx context.Context, p *provider) (outcome, error) {
	at, err := w.place(ctx, 0)
	if err != nil {
		return outcome{}, err
	}
	p.reset()
	began := time.Now()
	cmd, out := at.command(ctx, "run", "crash.yaml")
	if err := cmd.Run(); err != nil {
		return outcome{}, fmt.Errorf("%w\n%s", err, out)
	}
	w.whole = time.Since(began)
	got, err := at.outcome(ctx)
	if err != nil {
		return got, err
	}
	calls, _, again := p.bill()
	fmt.Fprintf(os.Stderr, "in peace: %d calls in %.1f s, state %s\n", calls, w.whole.Seconds(), got.run.State)
	if again > 0 || got.run.State != experiments.Finished {
		return got, fmt.Errorf("%d calls were paid twice and the run is %s although nobody interrupted it", again, got.run.State)
	}
	return got, nil
}

// outcome is what a database says about its run.
type outcome struct {
	run     experiments.Run
	results []experiments.Result
	spent   experiments.Spending
	doubled int // cells written more than once in one generation
	broken  []string
}

func (p place) outcome(ctx context.Context) (o outcome, err error) {
	s, err := p.open(ctx)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	runs, err := s.Runs(ctx, experiments.RunFilter{})
	if err != nil || len(runs) != 1 {
		return o, errors.Join(err, fmt.Errorf("%d runs", len(runs)))
	}
	o.run = runs[0]
	if o.results, err = s.Results(ctx, o.run.ID); err != nil {
		return o, err
	}
	if o.spent, err = s.Spent(ctx, o.run.ID); err != nil {
		return o, err
	}
	findings, err := s.Check(ctx)
	for _, f := range findings {
		o.broken = append(o.broken, f.Invariant+" "+f.Subject+": "+f.Message)
		if strings.Contains(f.Message, "written") {
			o.doubled++
		}
	}
	return o, err
}
