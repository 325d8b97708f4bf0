package reporting

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestGateOfRuns(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 60, 0, 0, 3, 14, 27)
	d.Evaluate(t, "old", "writer-1")
	d.Evaluate(t, "new", "writer-2")
	rules := compare.DefaultGateRules()
	if _, err := Gate(t.Context(), d.World.Workbench, "", "new", rules); problem.CodeOf(err) != "baseline_unknown" {
		t.Errorf("without a baseline: %v", err)
	}
	threshold, err := compare.ParseThreshold("correctness >= 4.5")
	if err != nil {
		t.Fatal(err)
	}
	rules.Thresholds = []compare.Threshold{threshold}
	got, err := Gate(t.Context(), d.World.Workbench, "", "new", rules)
	if err != nil || len(got.Checks) != 1 || got.Decision != "PASS" {
		t.Errorf("a threshold alone: %+v, %v", got, err)
	}
	if _, err := d.SetBaseline(t.Context(), "old"); err != nil {
		t.Fatal(err)
	}
	if got, err = Gate(t.Context(), d.World.Workbench, "", "new", rules); err != nil || got.Decision != "INCONCLUSIVE" ||
		!strings.Contains(strings.Join(got.Reasons, " "), "m000") {
		t.Errorf("a critical question in doubt: %s %q, %v", got.Decision, got.Reasons, err)
	}
	if _, err := votes.VerifyComparison(t.Context(), d.World.Workbench, "old", "new", votes.VerifyRules{}, nil); err != nil {
		t.Fatal(err)
	}
	got, err = Gate(t.Context(), d.World.Workbench, "", "new", rules)
	if err != nil || got.Decision != "FAIL" || !got.Blocks() || len(got.Worse) != 4 || got.Offline {
		t.Errorf("after checking: %s %q, worse %v, %v", got.Decision, got.Reasons, got.Worse, err)
	}
}
