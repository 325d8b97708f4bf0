package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// folder is where the program is built, for all tests.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "workbench-crash-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// build makes the real program once.
var build = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(folder, "workbench")
	out, err := exec.Command("go", "build", "-o", bin, "../../cmd/workbench").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
})

func program(t *testing.T) string {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// TestKills is the campaign of `make crash` with few kills.
func TestKills(t *testing.T) {
	t.Parallel()
	ok, err := run(t.Context(), options{bin: program(t), kills: 6, perRun: 2, questions: 120, concurrency: 8, seed: 3})
	if err != nil || !ok {
		t.Errorf("ok %t, %v", ok, err)
	}
}

// TestBudgets gives runs that are killed budgets that they cannot finish with.
func TestBudgets(t *testing.T) {
	t.Parallel()
	ok, err := run(t.Context(), options{bin: program(t), trials: 3, budget: true, perRun: 2, questions: 60, concurrency: 16, seed: 4})
	if err != nil || !ok {
		t.Errorf("ok %t, %v", ok, err)
	}
}

// TestWorkers kills and freezes one of three workers that share a run.
func TestWorkers(t *testing.T) {
	t.Parallel()
	postgres := os.Getenv("WORKBENCH_TEST_POSTGRES")
	if postgres == "" {
		t.Skip("WORKBENCH_TEST_POSTGRES is not set")
	}
	if os.Getenv("WORKBENCH_SLOW_TESTS") == "" {
		t.Skip("slow: a silent worker's batch is taken over after 45 s; WORKBENCH_SLOW_TESTS=1 runs it")
	}
	ok, err := run(t.Context(), options{bin: program(t), kills: 3, perRun: 3, questions: 120, concurrency: 8, seed: 5, workers: 3,
		postgres: postgres})
	if err != nil || !ok {
		t.Errorf("ok %t, %v", ok, err)
	}
}
