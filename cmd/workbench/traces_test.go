package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
)

// tracePackages are what sends the traces of TestTracesOfARealProgram.
var tracePackages = []string{
	"opentelemetry-sdk==1.45.2", "opentelemetry-exporter-otlp-proto-http==1.45.2", "openinference-instrumentation-langchain==0.1.80",
	"langchain-core==1.7.2",
}

// TestTracesOfARealProgram: a pipeline of LangChain, instrumented by OpenInference, sends through the SDK of OpenTelemetry to this
// program, which is killed when the last request was answered; its questions are there afterwards.
func TestTracesOfARealProgram(t *testing.T) {
	t.Parallel()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("installs OpenTelemetry and LangChain: set WORKBENCH_SLOW_TESTS=1")
	}
	python := pythonOf(t, "traces", tracePackages...)
	b := newBench(t)
	b.write("traces.yaml", "traces: {accept: true}\n")
	itself, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), itself, "--data", b.path("data"), "--config", b.path("traces.yaml"), "serve", "--addr",
		"127.0.0.1:0", "--require-sign-in")
	server.Env = append(os.Environ(), asProgram+"=1", "WORKBENCH_TRACES_TOKEN=only-traces")
	out, err := server.StdoutPipe()
	if err != nil || server.Start() != nil {
		t.Fatal(err)
	}
	url := ""
	for lines := bufio.NewScanner(out); url == "" && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "http") && !strings.Contains(lines.Text(), "setup") {
			url = lines.Text()
		}
	}
	const script = "../../internal/server/testdata/otlp/send.py"
	send := exec.CommandContext(t.Context(), python, script, url, "only-traces") //nolint:gosec // ours
	said, err := send.CombinedOutput()
	if err != nil || strings.Contains(string(said), "Failed to export") {
		t.Fatalf("%v\n%s", err, said)
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait()
	var stdout, stderr strings.Builder
	later := program.Program{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
		Now: func() time.Time { return time.Now().Add(time.Hour) }}
	if code := run(t.Context(), &later, []string{"--data", b.path("data"), "--config", b.path("traces.yaml"), "--json", "traces", "take",
		"live"}); code != 0 {
		t.Fatalf("%d %s", code, stderr.String())
	}
	var got app.ImportedResults
	if err := json.Unmarshal([]byte(stdout.String()), &got); err != nil || got.Answers != 2 || got.RunID == "" {
		t.Errorf("%+v, %v", got, err)
	}
}
