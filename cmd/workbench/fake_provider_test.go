package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

func TestFakeProviderVerb(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	bill := t.TempDir() + "/bill.jsonl"
	stdout, tell := io.Pipe()
	var stderr strings.Builder
	p := program.Program{Stdin: strings.NewReader(""), Stdout: tell, Stderr: &stderr, Getenv: func(string) string { return "" },
		Now: time.Now}
	ended := make(chan int, 1)
	go func() {
		code := run(ctx, &p, []string{"fake-provider", "--rpm", "2", "--ledger", bill})
		_ = tell.Close()
		ended <- code
	}()
	var where struct {
		BaseURL string `json:"base_url"`
	}
	if err := json.NewDecoder(stdout).Decode(&where); err != nil {
		t.Fatalf("%v; exit code %d: %s", err, <-ended, stderr.String())
	}
	var statuses []int
	for range 3 {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, where.BaseURL+"/chat/completions",
			strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hello"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		statuses = append(statuses, resp.StatusCode)
	}
	if statuses[0] != 200 || statuses[1] != 200 || statuses[2] != 429 {
		t.Errorf("statuses = %v, want two replies and a refusal", statuses)
	}
	lines, err := os.ReadFile(bill)
	if err != nil {
		t.Fatal(err)
	}
	charged := map[string]int{}
	for d := json.NewDecoder(strings.NewReader(string(lines))); d.More(); {
		var e fakeprovider.Entry
		if err := d.Decode(&e); err != nil {
			t.Fatal(err)
		}
		if e.Charged {
			charged[e.Hash]++
		}
	}
	if len(charged) != 1 {
		t.Errorf("bill = %s", lines)
	}
	for hash, times := range charged {
		if times != 2 || len(hash) != 64 {
			t.Errorf("bill = %s", lines)
		}
	}
	cancel()
	if code := <-ended; code != program.ExitDone {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}
