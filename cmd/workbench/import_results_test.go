package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
)

// foreign is a file that another tool wrote.
func foreign(name string) string {
	return filepath.Join("..", "..", "internal", "experiments", "foreign", "testdata", "foreign", name)
}

// TestImportResults takes two exports over, compares them, reports on them, and moves everything to another place.
func TestImportResults(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	o := b.must("import-results", foreign("ragas.csv"), "--name", "april")
	for _, want := range []string{"imported 4 answers from ragas as log april@1, to dataset april@1 (made of the file)",
		"ragas.factual_correctness_mode_f1", "workbench compare OTHER april"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("does not say %q:\n%s", want, o.stdout)
		}
	}
	if !strings.Contains(o.stderr, "faithfulness: no score in 1 row; missing, not 0") {
		t.Errorf("what is missing is not said: %s", o.stderr)
	}
	raw, err := os.ReadFile(foreign("ragas.csv"))
	if err != nil {
		t.Fatal(err)
	}
	worse := strings.NewReplacer(",1.0,0.93", ",0.2,0.93", "It waits fourteen", "It never waits fourteen").Replace(string(raw))
	if err := os.WriteFile(b.path("may.csv"), []byte(worse), 0o600); err != nil {
		t.Fatal(err)
	}
	b.must("import-results", "{}/may.csv", "--name", "may")
	o = b.must("compare", "april", "may", "--json")
	var compared struct {
		Metrics map[string]struct{ Baseline, Candidate float64 }
	}
	if err := json.Unmarshal([]byte(o.stdout), &compared); err != nil ||
		math.Abs(compared.Metrics["ragas.faithfulness"].Candidate-0.4) > 1e-9 {
		t.Errorf("%v: %s", err, o.stdout)
	}
	b.must("report", "may", "--baseline", "april", "-o", "{}/may.xlsx")
	if o := b.run("import-results", foreign("promptfoo.two.json"), "--name", "bot"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "--variant") {
		t.Errorf("two variants: exit %d, %s", o.code, o.stderr)
	}
	b.must("import-results", foreign("promptfoo.two.json"), "--name", "bot", "--variant", "bot-b")

	if o := b.run("export", "{}/all.zip", "april", "--everything"); o.code != program.ExitUsage {
		t.Errorf("--everything with a run: exit %d", o.code)
	}
	b.must("export", "{}/all.zip", "--everything")
	b.must("verify", "{}/all.zip")
	b.must("import", "{}/all.zip", "--data", b.path("other"))
	there := b.must("import-results", foreign("ragas.csv"), "--name", "april", "--data", b.path("other"), "--json")
	var again app.ImportedResults
	if err := json.Unmarshal([]byte(there.stdout), &again); err != nil || again.Created || again.NewDataset {
		t.Errorf("the other place does not know it: %v %s", err, there.stdout)
	}
}
