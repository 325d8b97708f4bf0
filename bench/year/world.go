package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/bench/gauge"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// watch is a clock that is set to a moment and goes on from it.
type watch struct {
	mu       sync.Mutex
	at, real time.Time
}

func (c *watch) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at.Add(time.Since(c.real))
}

func (c *watch) set(t time.Time) { c.mu.Lock(); defer c.mu.Unlock(); c.at, c.real = t, time.Now() }

// year is a data folder in which weeks go by.
type year struct {
	options
	dir, database string
	postgres      gauge.Server // whose processor time counts too
	clock         *watch
	*app.Workbench
	scheduler *schedules.Scheduler

	fires []spent // by week, of all schedules
	weeks []weekly
	told  struct{ ran, calls, votes, retries, judges int }
}

// begin is the Friday before the first Monday.
var begin = time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)

// open makes the data folder with its experiments, their baselines and their schedules.
func (o options) open(ctx context.Context, name, database string) (y *year, err error) {
	y = &year{options: o, dir: filepath.Join(o.folder, name), database: database, clock: &watch{}}
	y.clock.set(begin)
	if database != "" {
		if y.postgres, err = gauge.ServerOf(ctx, database); err != nil {
			return nil, err
		}
	}
	if err := y.write(); err != nil {
		return nil, err
	}
	if err := y.reopen(ctx); err != nil {
		return nil, err
	}
	if err := y.prepare(ctx); err != nil {
		return nil, errors.Join(err, y.Close())
	}
	return y, nil
}

// reopen opens the data folder as a new process would, with nothing in memory.
func (y *year) reopen(ctx context.Context) (err error) {
	if y.Workbench != nil {
		if err := y.Close(); err != nil {
			return err
		}
	}
	y.Workbench, err = app.Open(ctx, app.Options{
		DataDir: filepath.Join(y.dir, "data"), DatabaseURL: y.database, ConfigPath: filepath.Join(y.dir, "workbench.yaml"), Concurrency: 32,
		Getenv: func(string) string { return "" }, Now: y.clock.now,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, // pauses between attempts take no time here
	})
	if err != nil {
		return err
	}
	y.scheduler = schedules.NewScheduler(y.Workbench, schedules.SchedulerOptions{Version: "year",
		Log: func(m string, args ...any) { y.note("%s %v", m, args) }})
	y.scheduler.Skew = nil // the clock is not that of the database
	return nil
}

// prepare imports the documents and the questions, runs every experiment once, makes that its baseline, and registers its schedule.
func (y *year) prepare(ctx context.Context) error {
	if _, err := y.ImportCorpus(ctx, filepath.Join(y.dir, "docs"), "services", false); err != nil {
		return err
	}
	for i := range y.experiments {
		name := experimentName(i)
		if _, _, err := y.ImportDataset(ctx, filepath.Join(y.dir, "questions.jsonl"), name, "services", nil); err != nil {
			return err
		}
		e, _, err := y.Experiment(ctx, filepath.Join(y.dir, name+".yaml"))
		if err != nil {
			return err
		}
		job, err := y.Job(ctx, e, app.Select{})
		if err != nil {
			return err
		}
		run, err := y.Run(ctx, job)
		if err != nil {
			return err
		}
		if run.State != experiments.Finished {
			return fmt.Errorf("the baseline of %s is %s: %s", name, run.State, run.Cause)
		}
		if _, err := y.SetBaseline(ctx, run.ID); err != nil {
			return err
		}
		_, err = schedules.PutSchedule(ctx, y.Workbench, schedules.ScheduleOrder{Name: name, Experiment: name,
			Cron: fmt.Sprintf("0 %d * * 1", 4+2*i)}, "")
		if err != nil {
			return err
		}
	}
	return nil
}

func experimentName(i int) string { return fmt.Sprintf("service-%d", i+1) }

// experiment is the file of an experiment.
const experiment = `name: %s
corpus: services
dataset: %s
suite: [correctness, trust, hit, mrr]
judge: {provider: %s, model: %s}
base:
  chunk: {by: chars, size: %d, overlap: 0}
  retrieve: {mode: bm25, k: %d}
  generate: {provider: %s, model: %s}
`

// write writes the files of the data folder.
func (y *year) write() error {
	if err := writeServices(y.dir, y.questions); err != nil {
		return err
	}
	files := map[string]string{"workbench.yaml": fmt.Sprintf("providers: {models: {base_url: %s, concurrency: 32}}\n", y.models)}
	for i := range y.experiments {
		provider, judge, writer := "offline", "lexical", "extractive"
		if i < y.bought {
			provider, judge, writer = "models", "judge", "writer"
		}
		name := experimentName(i)
		files[name+".yaml"] = fmt.Sprintf(experiment, name, name, provider, judge, 200+50*i, 3+i%2, provider, writer)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(y.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeServices writes documents about n services, 100 in each, and a question about each service.
func writeServices(dir string, n int) error {
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o700); err != nil {
		return err
	}
	var docs, questions strings.Builder
	out := json.NewEncoder(&questions)
	for i := range n {
		fee := fmt.Sprintf("The fee for service %d is %d coins.", i, i*7%101)
		fmt.Fprintf(&docs, "Service %d opens at gate %d on weekdays. %s Children under %d pay half. It is closed from hour %d.\n\n", i, i%37,
			fee, 3+i%9, i%24)
		err := out.Encode(map[string]any{
			"question_id": fmt.Sprintf("q%06d", i), "question": fmt.Sprintf("What is the fee for service %d?", i), "reference": fee,
			"tags": []string{fmt.Sprint("theme:gate-", i%20)}, "critical": i%100 == 0,
			"evidence": []map[string]any{{"doc_id": fmt.Sprintf("services-%04d.md", i/100), "quote": fee}},
		})
		if err != nil {
			return err
		}
		if i%100 == 99 || i == n-1 {
			file := filepath.Join(dir, "docs", fmt.Sprintf("services-%04d.md", i/100))
			if err := os.WriteFile(file, []byte(docs.String()), 0o600); err != nil {
				return err
			}
			docs.Reset()
		}
	}
	return os.WriteFile(filepath.Join(dir, "questions.jsonl"), []byte(questions.String()), 0o600)
}
