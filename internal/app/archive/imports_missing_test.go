package archive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/stats"
)

// TestBothRoutesMissTheSameScores: items of Langfuse without a score are missing where the files are imported as where they are held
// against each other as they are, and neither gate passes.
func TestBothRoutesMissTheSameScores(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	const n, scored = 30, 20
	export := func(name, model string, given int) string {
		var rows []string
		for i := range n {
			scores := ""
			if i < given {
				scores = `{"name": "correctness", "value": 0.9}`
			}
			rows = append(rows, fmt.Sprintf(`{"experimentItemId": "e%d", "input": {"question": "How long is way %d?"}, "output": "%s says %d.",
				"expectedOutput": "It is %d.", "scores": [%s]}`, i, i, model, i, i, scores))
		}
		return w.Write(t, name+".json", "["+strings.Join(rows, ",")+"]")
	}
	before, after := export("before", "One", n), export("after", "Two", scored)
	for name, file := range map[string]string{"before": before, "after": after} {
		got, err := w.ImportResults(t.Context(), file, app.ResultsOptions{Name: name})
		if err != nil || len(got.Metrics) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
		if want := map[string]int{"before": 0, "after": n - scored}[name]; got.Metrics[0].Missing != want {
			t.Errorf("%s: %d missing, want %d", name, got.Metrics[0].Missing, want)
		}
	}
	runs, err := reporting.Gate(t.Context(), w.Workbench, "before", "after", compare.DefaultGateRules())
	if err != nil {
		t.Fatal(err)
	}
	var tables [2]*foreign.ScoreTable
	for i, file := range []string{before, after} {
		if tables[i], err = foreign.ReadScores(file, foreign.ForeignOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	compared, err := compare.CompareScores(tables[0], tables[1], compare.FileRules{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := compare.Gate(compare.FileGate(compared), compare.DefaultGateRules())
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]compare.GateResult{"runs": runs.GateResult, "files": files} {
		if r.Decision == stats.Pass || r.Questions != n || r.Scored != scored || r.Outcome() != compare.OutcomeIncomplete {
			t.Errorf("%s: %s, %d of %d: %q", name, r.Decision, r.Scored, r.Questions, r.Reasons)
		}
		lacking := 0
		for _, c := range r.Checks {
			lacking += c.Lacking
		}
		if lacking != n-scored {
			t.Errorf("%s: %d scores are taken as the worst one", name, lacking)
		}
	}
	said := strings.Join(append(runs.Said, runs.SaidJA...), "\n")
	for _, c := range runs.Checks { // the opening names the checks, which say why
		said += "\n" + c.Message + c.MessageJA
	}
	if !strings.Contains(said, "10 missing scores") || !strings.Contains(said, "採点のない10件") {
		t.Errorf("the missing scores are not the reason: %s", said)
	}
}
