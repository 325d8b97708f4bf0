//go:build slow

package simulation

import (
	"math"
	"testing"
)

// These are the acceptance figures of the regression guard with as many runs as they were designed with. They take about two
// minutes: go test -tags slow ./internal/analysis/simulation

func TestSlowAcceptance(t *testing.T) {
	t.Parallel()
	for _, w := range DesignWorlds() {
		t.Run(w.Name(), func(t *testing.T) {
			t.Parallel()
			table, err := Guard(w, 150, 2026)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range table.Rows {
				t.Logf("%-14s %.3f", r.Detector, r.Measured)
			}
			acceptance(t, table, 1)
			if w.Flip != 0.10 || w.Even || w.Pinned > 0 || w.Scores == FractionScores {
				return
			}
			guard, _ := table.Row(GuardDetector)
			naive, _ := table.Row(AnyDrop)
			alarms, most, falsely, margin := 14.0, Figure(0.10), Figure(0.07), 0.06
			if w.Scores == RubricScores {
				alarms, most, falsely, margin = 15.1, 0.05, 0.05, 0.05
			}
			within(t, "power", guard.Measured.Power, guard.Design.Power, margin)
			if math.Abs(float64(naive.Measured.Alarms)-alarms) > 1 {
				t.Errorf("any drop calls %.2f worse where nothing changed, designed %.1f within 1", float64(naive.Measured.Alarms), alarms)
			}
			if guard.Measured.Alarms > most {
				t.Errorf("the guard calls %.3f worse where nothing changed, at most %.2f", float64(guard.Measured.Alarms), float64(most))
			}
			if share := 1 - guard.Measured.Precision; share > falsely {
				t.Errorf("%.3f of those called worse are not", float64(share))
			}
		})
	}
}

func TestSlowFlaky(t *testing.T) {
	t.Parallel()
	rows, err := Flaky(150, 2026)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		t.Logf("%+v", r)
		if r.Regenerate && (r.Measured.Alarms > 0.3 || r.Measured.FDR > 0.10 || r.Measured.Power < r.Design.Power-0.05) {
			t.Errorf("answered again: %+v", r)
		}
	}
}

func TestSlowMeans(t *testing.T) {
	t.Parallel()
	clusters, err := Clusters(2000, 2026)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range clusters {
		t.Logf("%+v", r)
		if r.Largest > 0 { // the design has none of these, and ours may only be too careful
			if r.Measured.Robust > 0.08 {
				t.Errorf("clusters of uneven sizes: %+v", r)
			}
			continue
		}
		within(t, "plain t", r.Measured.PairedT, r.Design.PairedT, 0.04)
		within(t, "cluster-robust t", r.Measured.Robust, 0.05, 0.015)
		within(t, "sign flip", r.Measured.SignFlip, 0.05, 0.015)
	}
	gate, err := Gate(2000, 2026)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range gate {
		t.Logf("%+v", r)
		within(t, "PASS", r.Measured.Pass, r.Design.Pass, 0.04)
		within(t, "FAIL", r.Measured.Fail, r.Design.Fail, 0.04)
		if r.Effect == 0 && r.Measured.Fail > 0.01 {
			t.Errorf("n = %d: the gate blocks %.4f of unchanged systems", r.Questions, float64(r.Measured.Fail))
		}
	}
}
