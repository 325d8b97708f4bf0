// Command tokens says what the prompt tokens of one question are made of: it evaluates the demo's questions over its help centre, in the
// configurations before and after the change that the demo compares, with a fake provider as generator and judge, and takes every
// request that arrives there apart.
//
//	go run ./bench/tokens [-suite standard]
//
// The judge behind the fake is the offline one, so that claims and verdicts are as many as the texts give. Tokens are estimated as a
// plan estimates them. Schemas travel beside the prompt; what a provider bills for them is its own affair, so they stand in a column
// of their own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/bench/helpcentre"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

func main() {
	suite := flag.String("suite", "standard", "suite of metrics")
	flag.Parse()
	for _, lang := range []string{"en", "ja"} {
		if err := measure(context.Background(), lang, *suite); err != nil {
			fmt.Fprintln(os.Stderr, "tokens:", err)
			os.Exit(1)
		}
	}
}

// measure prints the tables of one language.
func measure(ctx context.Context, lang, suite string) (err error) {
	dir, err := os.MkdirTemp("", "tokens-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var seen tally
	server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{Answer: fakeprovider.Offline(), Behave: seen.note}))
	defer server.Close()
	files := helpcentre.Experiments(suite, "{provider: fake, model: judge}", "{provider: fake, model: extractive}")
	files["workbench.yaml"] = fmt.Appendf(nil, "providers: {fake: {base_url: %s/v1, concurrency: 8}}\n", server.URL)
	if err := helpcentre.Write(dir, lang, files); err != nil {
		return err
	}
	w, err := app.Open(ctx, app.Options{DataDir: filepath.Join(dir, "data"), ConfigPath: filepath.Join(dir, "workbench.yaml"),
		Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for _, name := range []string{"before", "after"} {
		questions, err := evaluate(ctx, w, filepath.Join(dir, name+".yaml"))
		if err != nil {
			return err
		}
		fmt.Printf("## %s, %s, suite %s: %d questions\n\n", lang, name, suite, questions)
		seen.print(questions)
	}
	return nil
}

func evaluate(ctx context.Context, w *app.Workbench, file string) (questions int, err error) {
	e, _, err := w.Experiment(ctx, file)
	if err != nil {
		return 0, err
	}
	job, err := w.Job(ctx, e, app.Select{})
	if err != nil {
		return 0, err
	}
	run, err := w.Run(ctx, job)
	if err == nil && run.State != experiments.Finished {
		err = fmt.Errorf("the run is %s: %s", run.State, run.Cause)
	}
	return len(job.Questions), err
}

// tally collects requests until they are printed.
type tally struct {
	mu       sync.Mutex
	requests []fakeprovider.Request
}

func (t *tally) note(r fakeprovider.Request) fakeprovider.Behaviour {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests = append(t.requests, r)
	return fakeprovider.Behaviour{}
}
