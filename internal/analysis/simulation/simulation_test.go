package simulation

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// within holds a figure against the design; unknown figures are not held.
func within(t *testing.T, what string, got, design Figure, margin float64) {
	t.Helper()
	if design.Known() && !(math.Abs(float64(got-design)) <= margin) {
		t.Errorf("%s: %.3f, designed %.3f within %.3f", what, float64(got), float64(design), margin)
	}
}

// acceptance holds a world against its design: detectors without a model within chance, the guard at least as powerful and
// as careful. more widens the bounds where runs are few.
func acceptance(t *testing.T, table WorldTable, more float64) {
	t.Helper()
	name := table.World.Name()
	for _, r := range table.Rows {
		what := name + ": " + string(r.Detector)
		if r.Detector != GuardDetector {
			within(t, what+": power", r.Measured.Power, r.Design.Power, 0.05*more)
			within(t, what+": alarms", r.Measured.Alarms, r.Design.Alarms, (0.4+0.06*float64(r.Design.Alarms))*more)
			continue
		}
		if r.Measured.Power < r.Design.Power-Figure(0.06*more) {
			t.Errorf("%s: power %.3f, designed %.3f", what, float64(r.Measured.Power), float64(r.Design.Power))
		}
		if share := 1 - r.Measured.Precision; share > Figure(0.10*more) {
			t.Errorf("%s: %.3f of those called worse are not, at most 0.10", what, float64(share))
		}
		if r.Measured.Alarms > Figure(0.20*more) {
			t.Errorf("%s: %.3f called worse where nothing changed", what, float64(r.Measured.Alarms))
		}
		if r.Measured.Extra > 232 || r.Measured.ExtraAlike > 232 { // the budget and what a last round may add
			t.Errorf("%s: %.0f and %.0f further votes; the budget is 200", what, float64(r.Measured.Extra), float64(r.Measured.ExtraAlike))
		}
	}
}

func TestWorldsMeetTheDesign(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	for _, w := range DesignWorlds() {
		if w.Flip != 0.10 || w.Pinned > 0 {
			continue
		}
		t.Run(w.Name(), func(t *testing.T) {
			t.Parallel()
			table, err := Guard(w, 20, 5)
			if err != nil {
				t.Fatal(err)
			}
			acceptance(t, table, 2)
		})
	}
}

func TestSimulationIsReproducible(t *testing.T) {
	t.Parallel()
	w := DesignWorlds()[7]
	one, err := Guard(w, 3, 9)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Guard(w, 3, 9)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Guard(w, 3, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("equal seeds differ: %s", diff)
	}
	if cmp.Equal(one, other) {
		t.Error("another seed plays the same runs")
	}
}

func TestSimulationStops(t *testing.T) {
	t.Parallel()
	enough, heard := errors.New("enough"), 0
	_, err := Run(1, 1, func(done, _ int, _ string) error {
		heard++
		if done == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || heard != 3 {
		t.Errorf("%v after %d steps", err, heard)
	}
}

// TestFlakyQuestionsNeedNewAnswers shows why a confirmation answers again.
func TestFlakyQuestionsNeedNewAnswers(t *testing.T) {
	t.Parallel()
	rows, err := Flaky(15, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Regenerate && (r.Measured.Alarms > 0.3 || r.Measured.Power < r.Design.Power-0.1) {
			t.Errorf("answered again: %+v", r)
		}
		if !r.Regenerate && r.Measured.Alarms < 5 {
			t.Errorf("judged again only: %.1f alarms, designed %.1f; the world has no flaky answers", float64(r.Measured.Alarms),
				float64(r.Design.Alarms))
		}
	}
}

func TestMeansMeetTheDesign(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	clusters, err := Clusters(200, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range clusters {
		if r.Largest > 0 { // the design has none of these, and ours may only be too careful
			if r.Measured.Robust > 0.08 {
				t.Errorf("clusters of uneven sizes: %+v", r)
			}
			continue
		}
		within(t, "plain t", r.Measured.PairedT, r.Design.PairedT, 0.10)
		within(t, "cluster-robust t", r.Measured.Robust, 0.05, 0.05)
		within(t, "sign flip", r.Measured.SignFlip, 0.05, 0.05)
	}
	gate, err := Gate(200, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range gate {
		within(t, "PASS", r.Measured.Pass, r.Design.Pass, 0.10)
		within(t, "FAIL", r.Measured.Fail, r.Design.Fail, 0.10)
		if r.Effect == 0 && r.Measured.Fail > 0.02 {
			t.Errorf("n = %d: the gate blocks %.3f of unchanged systems", r.Questions, float64(r.Measured.Fail))
		}
		if sum := r.Measured.Pass + r.Measured.Fail + r.Measured.Inconclusive; math.Abs(float64(sum-1)) > 1e-9 {
			t.Errorf("the decisions sum to %v", sum)
		}
	}
}

// replicated is a run of n questions with so many votes on correctness each, of a judge that errs by one level at the rate.
func replicated(t testing.TB, n, votes int, rate float64) experiments.Evaluation {
	t.Helper()
	rows, ids := evaltest.Table{}, []string{}
	for i := range n {
		ids = append(ids, fmt.Sprintf("q%03d", i))
		rows[ids[i]] = map[string]float64{"correctness": 4, "hit": 1}
	}
	e := evaltest.Evaluation(t, "noisy", rows, ids...)
	e.Run.Setup.Settled = false
	first := e.Results
	e.Results = nil
	r := stats.NewSplitMix64(6)
	for _, result := range first {
		for v := range votes {
			again := result
			again.Replicate, again.Scores = v, slices.Clone(result.Scores)
			for k := range again.Scores {
				if again.Scores[k].Metric == "correctness" && r.Float64() < rate {
					again.Scores[k].Value += r.Sign()
				}
			}
			e.Results = append(e.Results, again)
		}
	}
	return e
}

func TestCompareWithItself(t *testing.T) {
	t.Parallel()
	got, err := CompareWithItself(replicated(t, 60, 6, 0.2), 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Questions != 60 || got.Votes != 6 || got.Splits != 10 || len(got.Metrics) != 2 {
		t.Fatalf("%+v", got)
	}
	m := got.Metrics[0]
	// Two votes of a judge that errs by ±1 with probability 0.2 fall with 0.2·0.8/2·2 + 0.1·0.1 = 0.17; its variance is 0.2.
	if m.Metric != "correctness" || !m.Gate || math.Abs(m.AnyDrop-60*0.17) > 3 || m.AnyDrop != m.Drop || m.NeedsCheck < m.AnyDrop/2 {
		t.Errorf("%+v", m)
	}
	within(t, "noise", m.Noise, Figure(math.Sqrt(0.2)), 0.06)
	within(t, "smallest change of one question", m.SameQuestion, 1.645*m.Noise*math.Sqrt2, 0.01)
	if m.Worse > 0.2 || m.AnyWorse > 0.2 {
		t.Errorf("calls %.2f of 60 worse although nothing changed", m.Worse)
	}
	if !(m.VisibleAll < m.VisibleOne && m.VisibleAll > 0) {
		t.Errorf("visible: %.3f with one vote, %.3f with three", float64(m.VisibleOne), float64(m.VisibleAll))
	}
	if hit := got.Metrics[1]; hit.Metric != "hit" || hit.AnyDrop != 0 || hit.Noise != 0 {
		t.Errorf("a metric without noise: %+v", hit)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
}

func TestCompareWithItselfNeedsReplicates(t *testing.T) {
	t.Parallel()
	if _, err := CompareWithItself(replicated(t, 5, 1, 0), 3, 1); problem.CodeOf(err) != "no_replicates" {
		t.Errorf("%v", err)
	}
}
