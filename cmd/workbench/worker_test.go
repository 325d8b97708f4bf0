package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// asCommand makes the test binary behave as the command itself, so that a test can start, stop and kill real processes.
const asCommand = "WORKBENCH_TEST_AS_COMMAND"

// TestAsCommand is the command when a test starts it; otherwise it does nothing.
func TestAsCommand(*testing.T) {
	args := os.Getenv(asCommand)
	if args == "" {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := program.Program{Version: version, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now}
	code := run(ctx, &p, strings.Fields(args))
	stop()
	os.Exit(code)
}

// crew is a PostgreSQL database with 60 questions, and a provider that takes its time.
type crew struct {
	*bench
	database string
	provider *fakeprovider.Server
}

func newCrew(t *testing.T, latency time.Duration) *crew {
	t.Helper()
	c := &crew{bench: newBench(t), database: pgtest.Empty(t)}
	c.provider = fakeprovider.New(fakeprovider.Options{Latency: latency})
	server := httptest.NewServer(c.provider)
	t.Cleanup(server.Close)
	c.env["OPENAI_BASE_URL"] = server.URL + "/v1"
	c.env["WORKBENCH_DATABASE_URL"] = c.database
	rows := []string{"question_id,question,reference"}
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("q%d,What does ticket class %d cost?,%d00 yen", i, i, i))
	}
	if err := os.WriteFile(c.path("many.csv"), []byte(strings.Join(rows, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	definition := "name: many\ncorpus: faq\ndataset: many\nsuite: [correctness, trust]\nmodel: openai/gpt-4.1-mini\nbase: {retrieve: {mode: bm25, k: 1}}\n"
	if err := os.WriteFile(c.path("many.yaml"), []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	c.must("corpus", "import", "{}/docs", "--name", "faq")
	c.must("dataset", "import", "{}/many.csv", "--name", "many")
	return c
}

// worker is a real process.
type worker struct {
	*exec.Cmd
	stderr *bytes.Buffer
}

func (c *crew) worker() worker { return c.process("worker --concurrency 4") }

// process starts a verb in a process of its own.
func (c *crew) process(verb string) worker {
	c.t.Helper()
	w := worker{exec.CommandContext(c.t.Context(), os.Args[0], "-test.run=^TestAsCommand$"),
		&bytes.Buffer{}} //nolint:gosec // the test binary itself
	w.Env = append(os.Environ(), asCommand+"="+verb+" --data "+filepath.Join(c.dir, "data"),
		"WORKBENCH_DATABASE_URL="+c.database, "OPENAI_BASE_URL="+c.env["OPENAI_BASE_URL"])
	w.Stderr = w.stderr
	if err := w.Start(); err != nil {
		c.t.Fatal(err)
	}
	return w
}

// calls waits until the provider has billed n calls.
func (c *crew) calls(n int) {
	c.t.Helper()
	deadline := time.After(3 * time.Minute)
	for len(c.provider.Ledger()) < n {
		select {
		case <-deadline:
			c.t.Fatalf("%d calls instead of %d", len(c.provider.Ledger()), n)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// runMany runs the experiment in this process while others help.
func (c *crew) runMany() <-chan outcome {
	done := make(chan outcome, 1)
	go func() { done <- c.run("run", "{}/many.yaml", "--json", "--concurrency", "4") }()
	return done
}

func (c *crew) check(o outcome) {
	c.t.Helper()
	if o.code != program.ExitDone {
		c.t.Fatalf("run: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	var run struct {
		Coverage struct{ Scored, Applicable int }
	}
	decode(c.t, o, &run)
	if run.Coverage.Scored != 120 || run.Coverage.Applicable != 120 {
		c.t.Errorf("coverage = %+v", run.Coverage)
	}
}

// owners counts the processes that sent calls.
func (c *crew) owners() (n int) {
	c.t.Helper()
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(c.t.Context(), "SELECT count(DISTINCT owner) FROM calls").Scan(&n); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// TestTwoProcessesBuyEqualWorkOnce starts two experiments of equal content in two processes at the same moment: whoever asks second waits
// for the reply that the first one pays.
func TestTwoProcessesBuyEqualWorkOnce(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 30*time.Millisecond)
	raw, err := os.ReadFile(c.path("many.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.path("twin.yaml"), bytes.Replace(raw, []byte("name: many"), []byte("name: twin"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	both := []worker{c.process("run " + c.path("many.yaml")), c.process("run " + c.path("twin.yaml"))}
	for _, w := range both {
		if err := w.Wait(); err != nil {
			t.Fatalf("a run ended with %v\n%s", err, w.stderr)
		}
	}
	if n := c.owners(); n != 2 {
		t.Errorf("%d processes sent calls; want both", n)
	}
	asked := map[string]int{}
	for _, e := range c.provider.Ledger() {
		asked[e.Hash]++
	}
	twice := 0
	for _, n := range asked {
		twice += n - 1
	}
	t.Logf("%d distinct requests, %d bought twice", len(asked), twice)
	if len(asked) != 180 || twice != 0 {
		t.Errorf("%d distinct requests, %d bought twice; want 180 and 0", len(asked), twice)
	}
}

func TestWorkerHelpsAndStopsGracefully(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 30*time.Millisecond)
	w := c.worker()
	done := c.runMany()
	c.calls(40)
	if err := w.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		t.Errorf("the worker ended with %v\n%s", err, w.stderr)
	}
	c.check(<-done)
	if paid := len(c.provider.Ledger()); paid != 180 {
		t.Errorf("%d calls were paid; 180 are needed", paid)
	}
	if n := c.owners(); n != 2 {
		t.Errorf("the calls were sent by %d processes", n)
	}
}

// TestKilledWorkerIsReplaced takes the minute that a silent worker is waited for.
func TestKilledWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("takes a minute: set WORKBENCH_SLOW_TESTS=1")
	}
	for _, sign := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP} {
		t.Run(sign.String(), func(t *testing.T) {
			t.Parallel()
			c := newCrew(t, 100*time.Millisecond)
			w := c.worker()
			done := c.runMany()
			for deadline := time.Now().Add(time.Minute); c.owners() < 2 && time.Now().Before(deadline); {
				time.Sleep(50 * time.Millisecond)
			}
			if err := w.Process.Signal(sign); err != nil {
				t.Fatal(err)
			}
			struck := time.Now()
			o := <-done
			t.Logf("%v after %v; %d calls were paid, 180 are needed", o.code, time.Since(struck).
				Round(time.Second), len(c.provider.Ledger()))
			_ = w.Process.Kill()
			_ = w.Wait()
			c.check(o)
			if paid := len(c.provider.Ledger()); paid > 180+4 {
				t.Errorf("%d calls were paid; 180 are needed, and the worker had 4 in flight", paid)
			}
		})
	}
}

func TestWorkerOnSQLiteSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	o := newBench(t).run("worker")
	if o.code != program.ExitUsage || !strings.Contains(o.stderr, "PostgreSQL") || !strings.Contains(o.stderr, "WORKBENCH_DATABASE_URL") {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
}
