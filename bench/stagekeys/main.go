// Command stagekeys counts what a sweep of 24 configurations (chunk size × overlap × k × embedder) buys when stage outputs are
// shared, against 24 runs that each begin with nothing.
//
//	go run ./bench/stagekeys [-questions 40]
//
// A provider in this process answers with the offline models' words over real HTTP and counts every request.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

const experiment = `name: sweep
corpus: ./docs
dataset: ./questions.jsonl
suite: standard
judge: {provider: openai, model: judge}
base:
  chunk: {by: chars, size: 300, overlap: 0}
  embedding: {provider: openai, model: embed-a}
  retrieve: {mode: dense, k: 2}
  generate: {provider: openai, model: writer}
sweep:
  chunk.size: [300, 600]
  chunk.overlap: [0, 100]
  retrieve.k: [2, 3, 4]
  embedding.model: [embed-a, embed-b]
`

func main() {
	questions := flag.Int("questions", 40, "questions asked of each configuration")
	flag.Parse()
	if err := run(context.Background(), *questions); err != nil {
		fmt.Fprintln(os.Stderr, "stagekeys:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, questions int) error {
	dir, err := os.MkdirTemp("", "workbench-stagekeys")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a left-over folder in the temporary directory harms nobody
	if err := write(dir, questions); err != nil {
		return err
	}
	fake := fakeprovider.New(fakeprovider.Options{Answer: fakeprovider.Offline()})
	server := httptest.NewServer(fake)
	defer server.Close()
	counted := func() (chat, embed int) {
		for _, e := range fake.Ledger() {
			if strings.HasSuffix(e.Path, "embeddings") {
				embed++
			} else {
				chat++
			}
		}
		return chat, embed
	}
	n, err := sweep(ctx, filepath.Join(dir, "shared"), dir, server.URL, -1)
	if err != nil {
		return err
	}
	chat, embed := counted()
	for i := range n {
		if _, err := sweep(ctx, filepath.Join(dir, fmt.Sprintf("alone%d", i)), dir, server.URL, i); err != nil {
			return err
		}
	}
	allChat, allEmbed := counted()
	fmt.Printf("| %d configurations × %d questions | chat calls | embedding calls |\n|---|---|---|\n", n, questions)
	fmt.Printf("| with stage keys | %d | %d |\n", chat, embed)
	fmt.Printf("| each alone | %d | %d |\n", allChat-chat, allEmbed-embed)
	fmt.Printf("| share bought | %.3f | %.3f |\n", float64(chat)/float64(allChat-chat), float64(embed)/float64(allEmbed-embed))
	return nil
}

// sweep works all combinations in a data folder, or only the one of an index, and returns how many there are.
func sweep(ctx context.Context, data, dir, url string, only int) (n int, err error) {
	env := map[string]string{"OPENAI_BASE_URL": url + "/v1", "OPENAI_API_KEY": "none-is-needed"}
	w, err := app.Open(ctx, app.Options{DataDir: data, Getenv: func(name string) string { return env[name] }, Now: time.Now})
	if err != nil {
		return 0, err
	}
	defer func() {
		if closeErr := w.Close(); err == nil {
			err = closeErr
		}
	}()
	e, _, err := w.Experiment(ctx, filepath.Join(dir, "sweep.yaml"))
	if err != nil {
		return 0, err
	}
	jobs, _, err := w.SweepJobs(ctx, e, app.Select{})
	if err != nil {
		return 0, err
	}
	if only >= 0 {
		_, err = w.Run(ctx, jobs[only])
	} else {
		_, _, err = w.Sweep(ctx, e, jobs)
	}
	return len(jobs), err
}

// write makes documents of some paragraphs each and questions about them.
func write(dir string, questions int) error {
	var lines strings.Builder
	for i := range questions {
		line, err := json.Marshal(map[string]string{
			"id": fmt.Sprintf("q%03d", i), "question": fmt.Sprintf("What does service %d cost and where does it start?", i),
			"reference": fmt.Sprintf("Service %d costs %d coins and starts at gate %d.", i, 10+i*7%90, i%37),
		})
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
	}
	var doc strings.Builder
	for i := range questions {
		fmt.Fprintf(&doc, "Service %d costs %d coins and starts at gate %d. It runs on day %d of the week. Bags of up to %d kg are free. "+
			"Changes are possible until %d hours before the start.\n\n", i, 10+i*7%90, i%37, i%7+1, 5+i%20, 1+i%48)
	}
	for name, content := range map[string]string{"docs/services.md": doc.String(), "questions.jsonl": lines.String(),
		"sweep.yaml": experiment} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}
