package compare

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

func TestWorstFirst(t *testing.T) {
	t.Parallel()
	baseline := evaltest.Evaluation(t, "b", evaltest.Table{
		"q1": {"correctness": 5, "faithfulness": 1}, "q2": {"correctness": 5}, "q3": {"correctness": 4}, "q4": {"correctness": 5},
		"q5": {"correctness": 1, "trust": 5}, "q6": {"correctness": 5, "faithfulness": 0.5},
	})
	candidate := evaltest.Evaluation(t, "c", evaltest.Table{
		"q1": {"correctness": 4, "faithfulness": 0}, "q2": {"correctness": 4}, "q3": {"correctness": 2}, "q4": {"correctness": 3},
		"q5": {"correctness": 4, "trust": 1}, "q6": {"correctness": 5, "faithfulness": 0.4},
	})
	candidate.Questions[1].Critical = true // q2
	type row struct {
		question, metric    string
		label               Label
		critical, becameLow bool
	}
	want := []row{
		{"q2", "correctness", Worse, true, false},   // critical before everything else
		{"q3", "correctness", Worse, false, true},   // good before, low now
		{"q1", "faithfulness", Worse, false, false}, // all of the range
		{"q5", "trust", Worse, false, false},        // all of the range too, but it was low before
		{"q4", "correctness", Worse, false, false},  // half of the range
		{"q1", "correctness", Worse, false, false},  // a quarter
		{"q5", "correctness", Better, false, false},
		{"q6", "faithfulness", NoChange, false, false},
	}
	var got []row
	for _, q := range compared(t, baseline, candidate).Questions {
		got = append(got, row{q.QuestionID, q.Metric, q.Label, q.Critical, q.BecameLow})
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	baseline.Run.Setup.Settled = false
	got = nil
	for _, q := range compared(t, baseline, candidate).Questions {
		got = append(got, row{q.QuestionID, q.Metric, q.Label, q.Critical, q.BecameLow})
	}
	for i := range want[:7] {
		want[i].label = NeedsCheck // one vote settles nothing, in either direction
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("order when not settled (-want +got):\n%s", diff)
	}
}

// random returns two runs over the same n questions with scores on the metrics' own scales, some missing.
func random(t testing.TB, seed uint64, n int) (baseline, candidate experiments.Evaluation) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	rows := func() evaltest.Table {
		out := evaltest.Table{}
		for i := range n {
			row := map[string]float64{}
			for _, s := range metrics.Catalogue() {
				if r.IntN(10) > 0 {
					row[s.ID] = s.Min + (s.Max-s.Min)*float64(r.IntN(5))/4
				}
			}
			out["q"+string(rune('a'+i/26))+string(rune('a'+i%26))] = row
		}
		return out
	}
	b, c := rows(), rows()
	var ids []string
	for id := range b {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	baseline, candidate = evaltest.Evaluation(t, "b", b, ids...), evaltest.Evaluation(t, "c", c, ids...)
	for i := range ids {
		critical := r.IntN(5) == 0
		baseline.Questions[i].Critical, candidate.Questions[i].Critical = critical, critical
	}
	return baseline, candidate
}

func TestMeansAndIntervals(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 4, 60} {
		baseline, candidate := random(t, uint64(n), n)
		got := compared(t, baseline, candidate)
		for id, m := range got.Metrics {
			var before, after []float64
			for i := range baseline.Results {
				b, okB := baseline.Results[i].Value(id)
				a, okA := candidate.Results[i].Value(id)
				if okB && okA {
					before, after = append(before, b), append(after, a)
				}
			}
			if m.N != len(before) || m.Baseline != stats.Mean(before) || m.Candidate != stats.Mean(after) ||
				m.Diff != m.Candidate-m.Baseline {
				t.Errorf("%d questions, %s: %+v over %d pairs", n, id, m, len(before))
			}
			counts := got.Counts[id]
			if sum := counts.Worse + counts.NeedsCheck + counts.NoChange + counts.Better; sum != m.N {
				t.Errorf("%d questions, %s: labels of %d questions, %d were compared", n, id, sum, m.N)
			}
			if len(before) < 3 {
				if m.CI95 != nil {
					t.Errorf("%s has an interval from %d questions", id, len(before))
				}
				continue
			}
			want, err := stats.PairedT(before, after)
			if err != nil {
				t.Fatal(err)
			}
			if m.CI95 == nil || *m.CI95 != [2]float64{want.CILow, want.CIHigh} || math.Abs(want.MeanDiff-m.Diff) > 1e-12 {
				t.Errorf("%s: interval %v around %g, want %+v", id, m.CI95, m.Diff, want)
			}
		}
	}
}

func TestComparedWithItself(t *testing.T) {
	t.Parallel()
	run, _ := random(t, 3, 40)
	run = withSuite(run, func(s *metrics.Spec) {
		if s.ID == "hit" {
			s.Delta = 0 // a metric without a practical difference still has equal values
		}
	})
	got := compared(t, run, run)
	if len(got.Questions)+len(got.Added)+len(got.Removed)+len(got.Reworded)+len(got.Excluded) != 0 || got.Matched != 40 ||
		got.LowBefore != got.LowAfter {
		t.Errorf("differences: %+v", got)
	}
	for id, m := range got.Metrics {
		if m.Diff != 0 || *m.CI95 != [2]float64{} || got.Counts[id] != (LabelCounts{NoChange: m.N}) {
			t.Errorf("%s: %+v, %+v", id, m, got.Counts[id])
		}
	}
}

func TestSwappingArms(t *testing.T) {
	t.Parallel()
	mirror := map[Label]Label{Worse: Better, Better: Worse, NoChange: NoChange, NeedsCheck: NeedsCheck}
	for seed := range uint64(4) {
		a, b := random(t, seed, 30)
		if seed == 3 {
			a.Run.Setup.Settled = false
		}
		there, back := compared(t, a, b), compared(t, b, a)
		for id, m := range there.Metrics {
			n := back.Metrics[id]
			if m.Baseline != n.Candidate || m.Candidate != n.Baseline || m.Diff != -n.Diff || m.N != n.N {
				t.Errorf("%s: %+v and back %+v", id, m, n)
			}
			if m.CI95 != nil && (math.Abs(m.CI95[0]+n.CI95[1]) > 1e-12 || math.Abs(m.CI95[1]+n.CI95[0]) > 1e-12) {
				t.Errorf("%s: intervals %v and back %v", id, *m.CI95, *n.CI95)
			}
			c := there.Counts[id]
			if back.Counts[id] != (LabelCounts{Worse: c.Better, Better: c.Worse, NoChange: c.NoChange, NeedsCheck: c.NeedsCheck}) {
				t.Errorf("%s: counts %+v and back %+v", id, c, back.Counts[id])
			}
		}
		if there.LowBefore != back.LowAfter || there.LowAfter != back.LowBefore || len(there.Questions) != len(back.Questions) {
			t.Errorf("low %d → %d and back %d → %d", there.LowBefore, there.LowAfter, back.LowBefore, back.LowAfter)
		}
		changes := map[[2]string]QuestionChange{}
		for _, q := range back.Questions {
			changes[[2]string{q.QuestionID, q.Metric}] = q
		}
		for _, q := range there.Questions {
			r := changes[[2]string{q.QuestionID, q.Metric}]
			if r.Label != mirror[q.Label] || r.Baseline != q.Candidate || r.Candidate != q.Baseline {
				t.Errorf("%+v and back %+v", q, r)
			}
		}
	}
}

func TestOrderOfQuestionsDoesNotMatter(t *testing.T) {
	t.Parallel()
	a, b := random(t, 11, 40)
	want := compared(t, a, b)
	r := rand.New(rand.NewPCG(5, 5))
	for _, e := range []*experiments.Evaluation{&a, &b} {
		questions, results := slices.Clone(e.Questions), slices.Clone(e.Results)
		for i, j := range r.Perm(len(questions)) {
			e.Questions[i], e.Results[i] = questions[j], results[j]
		}
	}
	if diff := cmp.Diff(want, compared(t, a, b), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("permuted (-want +got):\n%s", diff)
	}
}

func TestCompareLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	a, b := random(t, 12, 10)
	before, err := json.Marshal([]experiments.Evaluation{a, b})
	if err != nil {
		t.Fatal(err)
	}
	compared(t, a, b)
	after, err := json.Marshal([]experiments.Evaluation{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("comparing changed a run")
	}
}
