package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// Answers and scores are read by the process with limits as datasets are, from files beside it alone.
func TestAnswersAndScoresAreReadInABoundedProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"dataset.json": `{"name":"faq","version":2,"questions":[{"question_id":"q1","question":"How much?","lang":"en","answerable":true}]}`,
		"log.csv":      "id,answer,contexts\nq1,10 EUR,\"[\"\"It costs 10 EUR.\"\"]\"\n",
		"bad.csv":      "id,answer\nq9,10 EUR\n",
		"none.json":    `{"x": 1}`,
		"old.csv":      "id,score\nq1,0.9\nq2,0.8\n", "new.csv": "id,score\nq1,0.2\nq2,0.8\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reader := hog("nothing wrong")
	parse := func(request uploads.Request) uploads.Upload {
		t.Helper()
		got, err := reader.parse(t.Context(), dir, request)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := parse(uploads.Request{Kind: uploads.Answers, Path: "log.csv", Name: "log", Dataset: "dataset.json"})
	if got.Problem != nil || len(got.Answers) != 1 || got.Answers[0].Answer != "10 EUR" || len(got.Answers[0].Contexts) != 1 ||
		len(got.Answered.Columns) != 3 {
		t.Errorf("answers: %+v", got)
	}
	got = parse(uploads.Request{Kind: uploads.Answers, Path: "bad.csv", Name: "log", Dataset: "dataset.json"})
	if got.Problem == nil || got.Problem.Code != "dataset_rows" || len(got.Rows) != 1 {
		t.Errorf("an answer to no question: %+v", got.Problem)
	}
	got = parse(uploads.Request{Kind: uploads.Results, Path: "none.json"})
	if got.Problem == nil {
		t.Fatalf("results of no tool: %+v", got)
	}
	evaltest.InJapanese(t, got.Problem, "x")
	got = parse(uploads.Request{Kind: uploads.Scores, Path: "old.csv", Other: "new.csv"})
	if got.Problem != nil || got.Compared == nil || got.Compared.Matched != 2 || got.Compared.Baseline != "baseline/old.csv" ||
		got.Compared.Metrics[0].CI95 != nil {
		t.Errorf("scores: %+v", got)
	}
	got = parse(uploads.Request{Kind: uploads.Scores, Path: "old.csv", Other: "none.csv"})
	if got.Problem == nil || got.Problem.Code != "file_missing" || got.Problem.Params["field"] != "candidate" {
		t.Errorf("a file that is not there: %+v", got.Problem)
	}
}

// asHog makes the test binary a reader of uploads that misbehaves.
const asHog = "WORKBENCH_TEST_AS_HOG"

// TestAsHog is that reader; otherwise it does nothing.
func TestAsHog(*testing.T) {
	what := os.Getenv(asHog)
	if what == "" {
		return
	}
	if err := limitSelf(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	switch what {
	case "memory":
		var held [][]byte
		for {
			block := make([]byte, 64<<20)
			for i := range block {
				block[i] = 1
			}
			held = append(held, block)
			runtime.KeepAlive(held)
		}
	case "nothing wrong":
		if err := (ParseUploadCmd{}).Run(&program.Program{Stdin: os.Stdin, Stdout: os.Stdout}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
	case "time":
		<-time.After(time.Hour) // the limit of its wall time ends it; without a timer Go would call it a deadlock
	case "output":
		for {
			fmt.Println(strings.Repeat("x", 1<<20))
		}
	case "environment":
		body, err := json.Marshal(uploads.Upload{Answered: intake.AnswersReport{Missing: os.Environ()}})
		fmt.Println(string(body))
		if err != nil {
			os.Exit(3)
		}
	}
	os.Exit(0)
}

func hog(what string) elsewhere {
	return elsewhere{command: []string{os.Args[0], "-test.run=^TestAsHog$"}, env: []string{asHog + "=" + what}, wall: parseWall}
}

func TestUploadsAreReadInABoundedProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "q.csv"), []byte("question,reference\nHow much?,10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := hog("nothing wrong")
	got, err := reader.parse(t.Context(), dir, uploads.Request{Kind: uploads.Dataset, Path: "q.csv", Name: "q"})
	if err != nil || len(got.Questions) != 1 || got.Questions[0].Reference != "10" {
		t.Fatalf("%+v %v", got, err)
	}
	got, err = reader.parse(t.Context(), dir, uploads.Request{Kind: uploads.Dataset, Path: "none.csv", Name: "q"})
	if err != nil || got.Problem == nil || got.Problem.Code != "file_missing" {
		t.Fatalf("%+v %v", got, err)
	}
	slow := hog("time")
	slow.wall = 2 * time.Second
	if _, err := slow.parse(t.Context(), dir, uploads.Request{}); err == nil || !strings.Contains(err.Error(), "longer") {
		t.Errorf("a reader that never ends: %v", err)
	}
}

// It runs alone: other tests beside it would grow this process, too.
func TestAReaderThatTakesAllMemoryTakesNoneOfOurs(t *testing.T) {
	before := resident(t)
	_, err := hog("memory").parse(t.Context(), t.TempDir(), uploads.Request{})
	if err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("a reader that takes all memory: %v", err)
	}
	if grown := resident(t) - before; grown > 50<<20 {
		t.Errorf("this process grew by %d MiB meanwhile", grown>>20)
	}
}

// The reader of uploads has no secret that a file could make it tell.
func TestTheReaderOfUploadsKnowsNothing(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-canary")
	got, err := hog("environment").parse(t.Context(), t.TempDir(), uploads.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range got.Answered.Missing {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "PATH", "GOMEMLIMIT", "GOMAXPROCS", "PWD", asHog:
		default:
			t.Errorf("the reader has %s", variable)
		}
	}
}

// resident is the memory of this process, 0 where nobody says.
func resident(t *testing.T) int64 {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Log("memory is not looked at: ", err)
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(raw), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
