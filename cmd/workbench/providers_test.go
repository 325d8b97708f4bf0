package main

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestProvidersAreTestedBeforeTheyArePaid finds out by which form a judge gives JSON, keeps it, and sends the run's requests so.
func TestProvidersAreTestedBeforeTheyArePaid(t *testing.T) {
	t.Parallel()
	judge := fakeprovider.Offline()
	refused := 0
	b, server := judgedBench(t, fakeprovider.Options{
		Models: `{"data":[{"id":"judge-1","max_model_len":32768}]}`,
		Answer: func(r fakeprovider.Request) (string, error) {
			if strings.Contains(r.System, "Grade from 1 to 5") {
				return `{"reason":"fits","score":5}`, nil
			}
			if len(r.Schema) == 0 { // the schema stands in the prompt
				r.Schema = schemaIn(r.System)
			}
			return judge(r)
		},
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if strings.Contains(string(r.Body), `"json_schema"`) {
				refused++
				return fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Body: "response_format json_schema is not supported"}
			}
			return fakeprovider.Behaviour{}
		},
	})
	if out := b.must("providers", "test").stdout; !strings.Contains(out, "judge-1") || !strings.Contains(out, "object") ||
		!strings.Contains(out, "32768") {
		t.Errorf("the test says\n%s", out)
	}
	if refused != 1 || len(server.Ledger()) != 2 {
		t.Errorf("%d calls, %d of them refused", len(server.Ledger()), refused)
	}
	if out := b.must("run", "judged", "--plan").stdout; !strings.Contains(out, "What test calls found") || !strings.Contains(out, "32768") {
		t.Errorf("the plan says\n%s", out)
	}
	b.run("run", "judged")
	if refused != 1 {
		t.Errorf("%d requests were sent in a form that the server does not know", refused)
	}
	if out := b.must("providers", "list", "--json").stdout; !strings.Contains(out, `"form": "object"`) ||
		!strings.Contains(out, `"context_tokens": 32768`) || strings.Contains(out, "output_tokens") {
		t.Errorf("kept is\n%s", out)
	}
	out := b.run("providers", "test", "gate", "--model", "embed-1", "--purpose", "embed")
	if out.code != program.ExitDone || !strings.Contains(out.stdout, "64") {
		t.Errorf("exit code %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	if out := b.run("providers", "test", "--model", "x"); out.code != program.ExitUsage {
		t.Errorf("a model without a provider: exit code %d", out.code)
	}
}

// schemaIn is the schema that a prompt spells out.
func schemaIn(system string) []byte {
	_, schema, _ := strings.Cut(system, "satisfies this JSON Schema:\n")
	return []byte(schema)
}
