package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/bench/gauge"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// trial is what happened to one run that was killed.
type trial struct {
	dir       string
	kills     int
	resumed   bool // it ended after its last kill
	lost      int
	doubled   int
	again     int // requests charged more than once
	unequal   []string
	overspent bool
}

func (t trial) fine(o options) bool {
	ended := t.resumed || o.budget
	return ended && t.lost == 0 && t.doubled == 0 && len(t.unequal) == 0 && !t.overspent
}

// place makes the empty place of trial n.
func (w *world) place(ctx context.Context, n int) (place, error) {
	p := place{world: w, data: filepath.Join(w.dir, fmt.Sprintf("data%04d", n))}
	if err := os.MkdirAll(p.data, 0o750); err != nil || w.postgres == "" {
		return p, err
	}
	var err error
	p.url, err = gauge.FreshDatabase(ctx, w.postgres, fmt.Sprintf("crash_%d_%d", os.Getpid(), n))
	return p, err
}

// trial kills one run some times, lets it end, and looks.
func (w *world) trial(ctx context.Context, p *provider, truth outcome, n int, random *rand.Rand) (trial, error) {
	at, err := w.place(ctx, n)
	t := trial{dir: at.data}
	if err != nil {
		return t, err
	}
	p.reset()
	var budget int64
	if w.budget {
		budget = truth.spent.ConfirmedMicros/20 + random.Int64N(truth.spent.ConfirmedMicros)
	}
	if w.workers > 0 {
		err = w.crowd(ctx, at, &t, random)
	} else {
		err = w.alone(ctx, at, &t, random, budget)
	}
	if err != nil {
		return t, err
	}
	got, err := at.outcome(ctx)
	if err != nil {
		return t, err
	}
	t.judge(got, truth, p, budget)
	return t, nil
}

// alone kills one process after another until the run has had its kills, then lets it end.
func (w *world) alone(ctx context.Context, at place, t *trial, random *rand.Rand, budget int64) error {
	for range w.perRun {
		args, err := at.next(ctx, budget)
		if err != nil {
			return err
		}
		if args == nil {
			break
		}
		cmd, out := at.command(ctx, args...)
		if err := cmd.Start(); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		pause(ctx, random, w.whole/time.Duration(w.perRun))
		select {
		case err := <-ended: // too late to kill it
			if !w.over(err) {
				return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
			}
			t.resumed = true
			return nil
		default:
			_ = cmd.Process.Kill() // it may have ended just now
			<-ended                //nolint:errcheck // it was killed
			t.kills++
		}
	}
	args, err := at.next(ctx, budget)
	if err != nil {
		return err
	}
	if args == nil { // the last kill fell between the end of the run and that of the process
		t.resumed = true
		return nil
	}
	cmd, out := at.command(ctx, args...)
	if err := cmd.Run(); !w.over(err) {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	t.resumed = true
	return nil
}

// over reports whether the program ended as it should: done, or stopped at its budget with exit code 5.
func (w *world) over(err error) bool {
	exit := &exec.ExitError{}
	return err == nil || w.budget && errors.As(err, &exit) && exit.ExitCode() == 5
}

// next is the command that starts the run, or goes on with it; nil when it is finished.
func (p place) next(ctx context.Context, budget int64) ([]string, error) {
	id, state, err := p.runID(ctx)
	if err != nil || state == experiments.Finished {
		return nil, err
	}
	if id != "" {
		return []string{"runs", "resume", id}, nil
	}
	args := []string{"run", "crash.yaml"}
	if budget > 0 {
		args = append(args, "--budget", fmt.Sprintf("%.6f", float64(budget)/1e6))
	}
	return args, nil
}

// judge compares what is stored with the truth and with the provider's bill.
func (t *trial) judge(got, truth outcome, p *provider, budget int64) {
	calls, micros, again := p.bill()
	t.again, t.doubled = again, got.doubled
	differ := func(format string, args ...any) { t.unequal = append(t.unequal, fmt.Sprintf(format, args...)) }
	for _, b := range got.broken {
		differ("%s", b)
	}
	if micros < got.spent.ConfirmedMicros || micros > got.spent.ConfirmedMicros+got.spent.PossibleMicros {
		differ("the provider charged %d micros for %d calls; the ledger says %d to %d", micros, calls,
			got.spent.ConfirmedMicros, got.spent.ConfirmedMicros+got.spent.PossibleMicros)
	}
	if budget > 0 {
		t.overspent = micros > budget
		return // it may have stopped anywhere
	}
	if got.run.State != experiments.Finished {
		t.resumed = false
		return
	}
	if have, want := experiments.Chain(unmeasured(got.results)), experiments.Chain(unmeasured(truth.results)); have != want ||
		got.run.SetupDigest != truth.run.SetupDigest {
		differ("the chain over the results is %.12s, that of the run in peace %.12s", have, want)
	}
	t.lost = lost(got.results, truth.results)
}

// unmeasured are results without the times that their calls took.
func unmeasured(results []experiments.Result) []experiments.Result {
	out := slices.Clone(results)
	for i, r := range out {
		if r.Answer != nil {
			answer := *r.Answer
			answer.Measured = nil
			out[i].Answer = &answer
		}
	}
	return out
}

// lost counts the scores of the truth that are missing or other in got.
func lost(got, truth []experiments.Result) int {
	n := 0
	for _, want := range truth {
		i := slices.IndexFunc(got, func(r experiments.Result) bool { return r.QuestionID == want.QuestionID })
		for _, s := range want.Scores {
			if i < 0 {
				n++
				continue
			}
			if have, ok := got[i].Score(s.Metric); !ok || have.State != s.State || have.Value != s.Value {
				n++
			}
		}
	}
	return n
}

// sum adds trials up.
type sum struct {
	trials, kills, resumed, lost, doubled, overspent int
	again                                            []int // by trial with kills
	unequal                                          []string
}

func (s *sum) goesOn(o options) bool {
	if o.budget {
		return s.trials < o.trials
	}
	return s.kills < o.kills
}

func (s *sum) add(t trial) {
	s.trials++
	s.kills += t.kills
	s.lost += t.lost
	s.doubled += t.doubled
	if t.resumed {
		s.resumed++
	}
	if t.kills > 0 {
		s.again = append(s.again, t.again)
	}
	if t.overspent {
		s.overspent++
	}
	for _, u := range t.unequal {
		s.unequal = append(s.unequal, t.dir+": "+u)
	}
}

func (s *sum) fine(o options) bool {
	return s.lost == 0 && s.doubled == 0 && s.overspent == 0 && len(s.unequal) == 0 && (o.budget || s.resumed == s.trials)
}

// line is the result in one line.
func (s *sum) line(o options) string {
	median, most := 0, 0
	if len(s.again) > 0 {
		sorted := slices.Sorted(slices.Values(s.again))
		median, most = sorted[len(sorted)/2], sorted[len(sorted)-1]
	}
	equal := "yes"
	if len(s.unequal) > 0 {
		equal = "NO: " + s.unequal[0]
	}
	line := fmt.Sprintf("trials %d, kills %d, ended %d, lost %d, double %d, re-paid per run median %d max %d, totals equal: %s",
		s.trials, s.kills, s.resumed, s.lost, s.doubled, median, most, equal)
	if o.budget {
		line += fmt.Sprintf(", budgets passed %d of %d", s.overspent, s.trials)
	}
	return line
}
