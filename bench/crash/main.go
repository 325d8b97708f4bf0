// Command crash kills the real program at random points, starts it again and compares what is left with the truth.
//
//	go run ./bench/crash -bin bin/workbench -kills 200
//	go run ./bench/crash -bin bin/workbench -kills 20 -workers 3 -postgres postgres://…
//	go run ./bench/crash -bin bin/workbench -trials 40 -budget
//
// A provider in this process answers over real HTTP and keeps the only bill that counts. Each trial is a fresh data folder and
// one run of 500 questions with three calls each (an answer, two judge replies), killed and resumed until it ends. Then:
//
//   - lost: cells of the finished run that differ from those of a run that nobody killed;
//   - double: cells that were written more than once;
//   - re-paid: requests that the provider charged more than once, by kill;
//   - totals: the stored totals, the chain and the bill against recomputation, and the bill against the provider's.
//
// The last line is the result; the exit code is 1 when anything was lost, doubled, unequal or overspent.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

type options struct {
	bin         string
	kills       int
	perRun      int
	trials      int
	questions   int
	concurrency int
	budget      bool
	seed        uint64
	workers     int
	postgres    string
	restart     string
	keep        bool
}

func main() {
	var o options
	flag.StringVar(&o.bin, "bin", "bin/workbench", "the program")
	flag.IntVar(&o.kills, "kills", 200, "kills in all")
	flag.IntVar(&o.perRun, "per-run", 1, "kills of one run")
	flag.IntVar(&o.trials, "trials", 40, "trials with -budget")
	flag.IntVar(&o.questions, "questions", 500, "questions of a run")
	flag.IntVar(&o.concurrency, "concurrency", 8, "calls in flight")
	flag.BoolVar(&o.budget, "budget", false, "give every run a budget it cannot finish with, and see that it is never passed")
	flag.Uint64Var(&o.seed, "seed", 1, "of everything that is random")
	flag.IntVar(&o.workers, "workers", 0, "worker processes; needs -postgres")
	flag.StringVar(&o.postgres, "postgres", "", "URL of a server whose user may create databases")
	flag.StringVar(&o.restart, "restart", "", "shell command that restarts that server the hard way, run now and then")
	flag.BoolVar(&o.keep, "keep", false, "keep the data folders")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ok, err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (bool, error) {
	dir, err := os.MkdirTemp("", "workbench-crash")
	if err != nil {
		return false, err
	}
	if !o.keep {
		defer func() { _ = os.RemoveAll(dir) }() // a left-over folder in the temporary directory harms nobody
	}
	if o.bin, err = filepath.Abs(o.bin); err != nil {
		return false, err
	}
	p := newProvider()
	defer p.close()
	w, err := newWorld(dir, p.url(), o)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(os.Stderr, "seed %d, %d questions, %d calls in flight, in %s\n", o.seed, o.questions, o.concurrency, dir)
	truth, err := w.uninterrupted(ctx, p)
	if err != nil {
		return false, fmt.Errorf("the run that nobody kills: %w", err)
	}
	random := rand.New(rand.NewPCG(o.seed, 0x6372617368))
	var s sum
	for n := 1; s.goesOn(o); n++ {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		t, err := w.trial(ctx, p, truth, n, random)
		if err != nil {
			return false, fmt.Errorf("trial %d (%s): %w", n, t.dir, err)
		}
		s.add(t)
		fmt.Fprintf(os.Stderr, "\r%s", s.line(o))
		if !o.keep && t.fine(o) {
			_ = os.RemoveAll(t.dir)
		}
	}
	fmt.Fprintln(os.Stderr)
	fmt.Println(s.line(o))
	return s.fine(o), nil
}

// pause waits for a part of the time that a whole run takes, so that kills fall anywhere in it.
func pause(ctx context.Context, random *rand.Rand, whole time.Duration) {
	d := time.Duration(random.Int64N(int64(whole) + int64(whole)/10 + 1))
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
