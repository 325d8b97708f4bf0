// Command latency measures how close the workbench comes to what a provider with a fixed latency allows, and what a call
// costs in processor time of our own. It prints a Markdown table.
//
//	go run ./bench/latency [-workbench bin/workbench] [-rounds 20] [-run=false] [-ask]
//
// The provider is `workbench fake-provider` in a process of its own, so its processor time is not ours. "layer" calls the
// provider client directly, with a SQLite ledger on disk; "run" is a whole evaluation through the product's own path. The
// ideal is calls × latency ÷ requests in flight.
//
// With -ask it measures instead how long one question takes, asked alone and as one of five in a run: the ideal is the depth of its
// calls, the longest row of calls of which each rests on the one before.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	binary := flag.String("workbench", "bin/workbench", "the binary whose fake-provider verb is used")
	rounds := flag.Int("rounds", 20, "calls for each request in flight")
	whole := flag.Bool("run", true, "measure whole runs too")
	single := flag.Bool("ask", false, "measure single questions instead")
	flag.Parse()
	work := func() error { return measure(context.Background(), *binary, *rounds, *whole) }
	if *single {
		work = func() error { return measureAsking(context.Background(), *binary) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

// setting is one row of the table before it is measured.
type setting struct {
	latency  time.Duration
	inFlight int
}

// figures are what a measurement gave.
type figures struct {
	calls int
	wall  time.Duration
	cpu   time.Duration // user and system time of this process
}

func measure(ctx context.Context, binary string, rounds int, whole bool) error {
	fmt.Println("| what | latency | in flight | callers | calls | wall | ideal | wall ÷ ideal | own CPU per call |\n|---|---|---|---|---|---|---|---|---|")
	for _, s := range []setting{{500 * time.Millisecond, 64}, {50 * time.Millisecond, 8}, {50 * time.Millisecond, 64}} {
		address, stop, err := startFake(ctx, binary, s.latency, "--plain")
		if err != nil {
			return err
		}
		err = s.rows(ctx, address, rounds, whole)
		stop()
		if err != nil {
			return err
		}
	}
	return nil
}

func (s setting) rows(ctx context.Context, address string, rounds int, whole bool) error {
	calls := rounds * s.inFlight
	for _, callers := range []int{s.inFlight, 2 * s.inFlight} {
		for _, ledger := range []bool{false, true} {
			f, err := s.layer(ctx, address, calls, callers, ledger)
			if err != nil {
				return err
			}
			what := "layer, no ledger"
			if ledger {
				what = "layer, SQLite ledger"
			}
			s.print(what, callers, f)
		}
	}
	if !whole {
		return nil
	}
	f, err := s.run(ctx, address, calls)
	if err == nil {
		s.print("run", 2*s.inFlight, f)
	}
	return err
}

func (s setting) print(what string, callers int, f figures) {
	ideal := time.Duration(f.calls) * s.latency / time.Duration(s.inFlight)
	fmt.Printf("| %s | %s | %d | %d | %d | %s | %s | %.3f | %.3f ms |\n", what, s.latency, s.inFlight, callers, f.calls,
		f.wall.Round(time.Millisecond), ideal.Round(time.Millisecond), float64(f.wall)/float64(ideal),
		float64(f.cpu.Microseconds())/1000/float64(f.calls))
}

// startFake starts the provider and returns its base URL.
func startFake(ctx context.Context, binary string, latency time.Duration, flags ...string) (string, func(), error) {
	c := exec.CommandContext(ctx, binary, append([]string{"fake-provider", "--latency", latency.String()}, flags...)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop := func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed, and says so
	}
	var where struct {
		BaseURL string `json:"base_url"`
	}
	if err := json.NewDecoder(out).Decode(&where); err != nil {
		stop()
		return "", nil, fmt.Errorf("the fake provider did not start: %w", err)
	}
	return where.BaseURL, stop, nil
}

// timed runs work and measures it.
func timed(work func() (int, error)) (figures, error) {
	before, start := cpu(), time.Now()
	calls, err := work()
	return figures{calls: calls, wall: time.Since(start), cpu: cpu() - before}, err
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
