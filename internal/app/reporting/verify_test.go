package reporting

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
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

// TestThePageGoesByTheLimitsOfTheGate: under whatever limits, before and after checking what is in doubt, the page of a comparison says
// what the gate of the same limits says first: also where a second look at the mean makes it stricter.
func TestThePageGoesByTheLimitsOfTheGate(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 60, 0, 3, 14, 27)
	d.Evaluate(t, "old", "writer-1")
	d.Evaluate(t, "new", "writer-2")
	decided := map[string]bool{}
	for _, verified := range []bool{false, true} {
		if verified {
			if _, err := votes.VerifyComparison(t.Context(), d.World.Workbench, "old", "new", votes.VerifyRules{}, nil); err != nil {
				t.Fatal(err)
			}
		}
		c, both, err := app.CompareInShort(t.Context(), d.World.Workbench, "old", "new")
		if err != nil {
			t.Fatal(err)
		}
		for _, allowance := range []float64{.02, 0, .05, .07, .5} {
			for _, margin := range []*float64{nil, new(0.01), new(.2)} {
				rules, err := GateAsked{Limits: experiments.Limits{Margin: margin, Allowance: &allowance}}.Rules()
				if err != nil {
					t.Fatal(err)
				}
				gate, err := Gate(t.Context(), d.World.Workbench, "old", "new", rules)
				if err != nil {
					t.Fatal(err)
				}
				found, err := Findings(t.Context(), d.World.Workbench, c, both, rules)
				decision, opening := findings.GateDecided(gate.GateResult), findings.GateOpening(gate.GateResult)
				if err != nil || found.Check != decision || opening.EN != gate.Said[0] || opening.JA != gate.SaidJA[0] {
					t.Errorf("verified %t, allowance %g: the page says %q, the gate %q: %v", verified, allowance, found.Check.EN,
						gate.Said[0], err)
				}
				decided[fmt.Sprint(verified, gate.Decision)] = true
			}
		}
	}
	if len(decided) < 4 {
		t.Errorf("the limits decide too little: %v", decided)
	}
}
