package compare

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// world draws votes of a 1-5 rubric for two systems, as in the simulations in which the guard was designed: a vote moves one
// level up or down with a question's own rate, which is near 0 for most questions and that of a coin flip for a few.
type world struct {
	r       *stats.SplitMix64
	quality [2][]float64
	rates   []float64
	suite   []metrics.Spec
}

func newWorld(t testing.TB, seed uint64, n, regressions int, flips float64) *world {
	t.Helper()
	suite, err := metrics.Resolve([]string{"correctness"})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{r: stats.NewSplitMix64(seed), suite: suite}
	for range n {
		level, u := 1.0, w.r.Float64()
		for _, share := range []float64{0.08, 0.10, 0.12, 0.25} {
			if u -= share; u >= 0 {
				level++
			}
		}
		w.quality[0] = append(w.quality[0], level)
		w.rates = append(w.rates, w.rate(flips))
	}
	w.quality[1] = slices.Clone(w.quality[0])
	for _, i := range w.r.Permutation(n) {
		if regressions > 0 && w.quality[0][i] >= 4 {
			w.quality[1][i] -= 2
			regressions--
		}
	}
	return w
}

// rate is half a draw from Beta(2f, 1-2f) (Jöhnk 1964).
func (w *world) rate(f float64) float64 {
	for {
		x, y := math.Pow(w.r.Float64(), 1/(2*f)), math.Pow(w.r.Float64(), 1/(1-2*f))
		if x+y <= 1 && x+y > 0 {
			return 0.5 * x / (x + y)
		}
	}
}

func (w *world) vote(arm, question, replicate int) experiments.Result {
	level := w.quality[arm][question]
	switch u := w.r.Float64(); {
	case u < w.rates[question]/2:
		level--
	case u < w.rates[question]:
		level++
	}
	if level < 1 {
		level = 2
	}
	if level > 5 {
		level = 4
	}
	return experiments.Result{QuestionID: id(question), Replicate: replicate, Scores: []metrics.Score{
		{Metric: "correctness", Version: w.suite[0].Version, State: metrics.Scored, Value: level},
	}}
}

func id(question int) string { return fmt.Sprintf("q%04d", question) }

// run is one arm with one vote on each question.
func (w *world) run(arm int) experiments.Evaluation {
	e := experiments.Evaluation{Run: experiments.Run{ID: fmt.Sprint("run", arm), Setup: experiments.Setup{Suite: w.suite, LowScore: 2}}}
	for i := range w.rates {
		e.Questions = append(e.Questions, experiments.Question{ID: id(i), Text: id(i)})
		e.Results = append(e.Results, w.vote(arm, i, 0))
	}
	return e
}

// verify buys what the plan asks for until it is done, and returns how much that was.
func (w *world) verify(t testing.TB, b, c *experiments.Evaluation, o VerifyOptions) VerifyStep {
	t.Helper()
	for range 200 {
		step, err := VerifyPlan(*b, *c, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(step.Votes) == 0 {
			if step.Stop == "" {
				t.Fatalf("no votes and no reason: %+v", step)
			}
			return step
		}
		for _, v := range step.Votes {
			var question int
			if _, err := fmt.Sscanf(v.QuestionID, "q%d", &question); err != nil {
				t.Fatal(err)
			}
			e, arm := b, 0
			if v.Arm == CandidateArm {
				e, arm = c, 1
			}
			e.Results = append(e.Results, w.vote(arm, question, v.Replicate))
		}
		o.Spent += len(step.Votes)
		if o.Budget > 0 && o.Spent > o.Budget {
			t.Fatalf("%d votes were asked for with a budget of %d", o.Spent, o.Budget)
		}
	}
	t.Fatal("the plan never ends")
	return VerifyStep{}
}

// TestVerifyUnchangedSystems is the A/A run: nothing changed, and a judge that moves every tenth verdict is seldom believed.
func TestVerifyUnchangedSystems(t *testing.T) {
	t.Parallel()
	const runs, n = 25, 153
	wrong, naive, spent := 0, 0, 0
	for seed := range uint64(runs) {
		w := newWorld(t, 1000+seed, n, 0, 0.10)
		b, c := w.run(0), w.run(1)
		for i := range b.Results {
			if c.Results[i].Scores[0].Value < b.Results[i].Scores[0].Value {
				naive++
			}
		}
		step := w.verify(t, &b, &c, VerifyOptions{Options: Options{Seed: seed}})
		spent += step.Spent
		got := compared(t, b, c)
		wrong += got.Counts["correctness"].Worse
	}
	t.Logf("A/A, %d questions: %.2f called worse in a run, %.1f lower on the first vote, %.0f votes bought", n, float64(wrong)/runs,
		float64(naive)/runs, float64(spent)/runs)
	if wrong > 2 {
		t.Errorf("%d false alarms in %d runs", wrong, runs)
	}
	if naive < 6*runs {
		t.Errorf("%d lower first votes in %d runs: the world is not noisy", naive, runs)
	}
}

func TestVerifyFindsRegressions(t *testing.T) {
	t.Parallel()
	const runs, n, planted = 15, 200, 10
	found, wrong, spent, mirrored := 0, 0, 0, 0
	for seed := range uint64(runs) {
		w := newWorld(t, 7000+seed, n, planted, 0.10)
		b, c := w.run(0), w.run(1)
		spent += w.verify(t, &b, &c, VerifyOptions{Options: Options{Seed: seed}}).Spent
		there, back := compared(t, b, c), compared(t, c, b)
		for _, q := range there.Questions {
			var i int
			_, _ = fmt.Sscanf(q.QuestionID, "q%d", &i)
			switch {
			case q.Label != Worse:
			case w.quality[1][i] < w.quality[0][i]:
				found++
			default:
				wrong++
			}
			if q.Label == Worse && (q.SettledBy != ByReplicates || q.Detail != Confirmed || min(q.Replicates[0], q.Replicates[1]) < 3 ||
				*q.PRegression < 0.8) {
				t.Errorf("worse on too little: %+v", q)
			}
		}
		mirrored += back.Counts["correctness"].Better
	}
	t.Logf("%d planted in each of %d runs: %d found, %d wrong, %d better the other way round, %.0f votes bought in a run", planted, runs,
		found, wrong, mirrored, float64(spent)/runs)
	if found < 8*planted*runs/10 || wrong > runs*planted/20 {
		t.Errorf("%d of %d found, %d wrong", found, planted*runs, wrong)
	}
	if d := mirrored - found - wrong; d < -found/10 || d > found/10 {
		t.Errorf("swapping the arms turns %d worse into %d better", found+wrong, mirrored)
	}
}

func TestVerifyPlanIsAFunctionOfItsInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3, 80, 5, 0.10)
	b, c := w.run(0), w.run(1)
	o := VerifyOptions{Options: Options{Seed: 9}}
	for range 3 {
		want, err := VerifyPlan(b, c, o)
		if err != nil {
			t.Fatal(err)
		}
		b2, c2 := b, c
		b2.Questions, b2.Results = slices.Clone(b.Questions), slices.Clone(b.Results)
		slices.Reverse(b2.Questions)
		slices.Reverse(b2.Results)
		got, err := VerifyPlan(b2, c2, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(compared(t, b, c), compared(t, b2, c2), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Fatalf("comparison in another order (-want +got):\n%s", diff)
		}
		for _, v := range want.Votes {
			var i int
			_, _ = fmt.Sscanf(v.QuestionID, "q%d", &i)
			if v.Arm == BaselineArm {
				b.Results = append(b.Results, w.vote(0, i, v.Replicate))
			} else {
				c.Results = append(c.Results, w.vote(1, i, v.Replicate))
			}
		}
	}
}

func TestVerifySteps(t *testing.T) {
	t.Parallel()
	fresh := func() (b, c experiments.Evaluation) {
		w := newWorld(t, 5, 60, 3, 0.05)
		return w.run(0), w.run(1)
	}
	plan := func(b, c experiments.Evaluation, o VerifyOptions) VerifyStep {
		t.Helper()
		step, err := VerifyPlan(b, c, o)
		if err != nil {
			t.Fatal(err)
		}
		return step
	}
	b, c := fresh()
	step := plan(b, c, VerifyOptions{})
	if len(step.Votes) != 12 || step.Changed != 60 || step.Estimate < 12 || step.Budget != 120 {
		t.Errorf("calibration of 60 questions: %d votes, %+v", len(step.Votes), step)
	}
	for _, v := range step.Votes {
		if v.Arm != BaselineArm || v.Why != ForCalibration || v.Replicate != 1 {
			t.Errorf("calibration vote %+v", v)
		}
	}
	if got := plan(b, c, VerifyOptions{Budget: 5}); len(got.Votes) != 5 || got.Estimate != 5 {
		t.Errorf("5 votes left: %d", len(got.Votes))
	}
	if got := plan(b, c, VerifyOptions{Budget: 5, Spent: 5}); len(got.Votes) != 0 || got.Stop != StopBudget {
		t.Errorf("nothing left: %+v", got)
	}
	c.Questions[7].Critical = true
	got := plan(b, c, VerifyOptions{})
	if n := len(got.Votes); n < 15 || got.Votes[0] != (Vote{BaselineArm, "q0007", 1, ForCritical}) ||
		got.Votes[3] != (Vote{CandidateArm, "q0007", 2, ForCritical}) {
		t.Errorf("critical first: %+v", got.Votes)
	}
	b.Run.Setup.Settled, c.Run.Setup.Settled = true, true
	if got := plan(b, b, VerifyOptions{}); got.Stop != StopItself || len(got.Votes) != 0 {
		t.Errorf("of a run against itself: %+v", got)
	}
	if got := plan(b, c, VerifyOptions{}); got.Stop != StopSettled || len(got.Votes) != 0 {
		t.Errorf("settled: %+v", got)
	}
}

// TestVerifyGivesUp stops asking for a question whose votes fail.
func TestVerifyGivesUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 6, 40, 4, 0.05)
	b, c := w.run(0), w.run(1)
	o := VerifyOptions{Budget: 100_000}
	for round := 0; ; round++ {
		step, err := VerifyPlan(b, c, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(step.Votes) == 0 {
			if step.Stop != StopNoHelp && step.Stop != StopDecided {
				t.Errorf("stopped because %s", step.Stop)
			}
			return
		}
		if round > 40 {
			t.Fatal("still asking")
		}
		o.Spent += len(step.Votes)
		for _, v := range step.Votes {
			e := &b
			if v.Arm == CandidateArm {
				e = &c
			}
			e.Results = append(e.Results, experiments.Result{QuestionID: v.QuestionID, Replicate: v.Replicate,
				Failure: &experiments.Failure{Cause: "timeout"}})
		}
	}
}
