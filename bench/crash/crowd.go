package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// worker is one process that works batches.
type worker struct {
	cmd   *exec.Cmd
	out   *bytes.Buffer
	ended chan error
}

func (p place) worker(ctx context.Context) (*worker, error) {
	w := &worker{ended: make(chan error, 1)}
	w.cmd, w.out = p.command(ctx, "worker")
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { w.ended <- w.cmd.Wait() }()
	return w, nil
}

func (w *worker) signal(s syscall.Signal) { _ = w.cmd.Process.Signal(s) } // it may be gone

// crowd lets several workers share one run, and kills, freezes and wakes them while it lasts.
func (w *world) crowd(ctx context.Context, at place, t *trial, random *rand.Rand) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	workers := make([]*worker, w.workers)
	for i := range workers {
		var err error
		if workers[i], err = at.worker(ctx); err != nil {
			return err
		}
	}
	defer func() {
		for _, one := range workers {
			one.signal(syscall.SIGCONT)
			one.signal(syscall.SIGKILL)
			<-one.ended //nolint:errcheck // how a killed process ended says nothing
		}
	}()
	starter, out := at.command(ctx, "run", "crash.yaml")
	if err := starter.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- starter.Wait() }()
	for range w.perRun {
		pause(ctx, random, w.whole)
		i := random.IntN(len(workers))
		switch random.IntN(5) {
		case 0: // frozen, and woken long after others may have taken over its work
			frozen := workers[i]
			frozen.signal(syscall.SIGSTOP)
			time.AfterFunc(time.Duration(1+random.IntN(60))*time.Second, func() { frozen.signal(syscall.SIGCONT) })
		case 1:
			if w.restart != "" {
				if b, err := exec.CommandContext(ctx, "sh", "-c", w.restart).
					CombinedOutput(); err != nil { //nolint:gosec // the tester's own command
					fmt.Fprintf(os.Stderr, "restart: %v\n%s", err, b)
				}
				break
			}
			fallthrough
		default:
			workers[i].signal(syscall.SIGKILL)
			<-workers[i].ended //nolint:errcheck // it was killed
			fresh, err := at.worker(ctx)
			if err != nil {
				return err
			}
			workers[i] = fresh
		}
		t.kills++
	}
	if err := <-ended; err != nil {
		return fmt.Errorf("run: %w\n%s", err, out)
	}
	t.resumed = true
	return nil
}
