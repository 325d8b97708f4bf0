package compare

import (
	"math"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

func TestIntervalsThatHoldJointly(t *testing.T) {
	t.Parallel()
	random, uneven := stats.NewSplitMix64(7), func(i int) int { return max(0, i/2-6) } // six documents, one of them of most questions
	before, after, diffs, labels := make([]float64, 24), make([]float64, 24), make([]float64, 24), make([]int, 24)
	for i := range before {
		before[i], after[i], labels[i] = random.Float64(), random.Float64()+0.2, uneven(i)
		diffs[i] = after[i] - before[i]
	}
	pairs, err := stats.PairedT(before, after)
	if err != nil {
		t.Fatal(err)
	}
	grouped, err := stats.ClusterRobust(diffs, labels, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	alone := MetricChange{Diff: pairs.MeanDiff, N: 24, Free: 23, CI95: &[2]float64{pairs.CILow, pairs.CIHigh}}
	clustered := MetricChange{Diff: grouped.Mean, N: 24, Clusters: 6, Free: grouped.DF, CI95: &[2]float64{grouped.Low, grouped.High}}
	for _, n := range []int{1, 5, 10} {
		for i := range labels { // a cluster each: the interval of independent questions
			labels[i] = i
		}
		free, err := stats.ClusterRobust(diffs, labels, Jointly(n))
		if err != nil {
			t.Fatal(err)
		}
		for i := range labels {
			labels[i] = uneven(i)
		}
		want, err := stats.ClusterRobust(diffs, labels, Jointly(n))
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			got  *[2]float64
			want stats.ClusterMean
		}{"questions": {alone.Jointly(n), free}, "documents": {clustered.Jointly(n), want}} {
			if math.Abs(c.got[0]-c.want.Low) > 1e-9 || math.Abs(c.got[1]-c.want.High) > 1e-9 {
				t.Errorf("%s, one of %d: %v, want %v to %v", name, n, *c.got, c.want.Low, c.want.High)
			}
		}
	}
	if (MetricChange{N: 2}).Jointly(3) != nil {
		t.Error("an interval where there is none")
	}
}

func TestDisagreement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verdicts []Label
		want     int
	}{
		{nil, 0}, {[]Label{Worse, Worse, Worse}, 0}, {[]Label{Worse, Better}, 2}, {[]Label{NoChange, Better}, 1},
		{[]Label{Worse, "", Better, NoChange}, 4}, {[]Label{"", Better}, 0}, {[]Label{Better, Better, Worse, Worse}, 8},
	} {
		if got := Disagreement(c.verdicts); got != c.want {
			t.Errorf("%v: %d, want %d", c.verdicts, got, c.want)
		}
	}
}

func TestManyComparisonsAreSaid(t *testing.T) {
	t.Parallel()
	said := ManyWords(4, 8, []string{"correctness", "trust"})
	for _, want := range []string{"4 runs were compared", "8 intervals: of the change in correctness and trust of each run.", "up to 40%",
		"each is at 99.4%"} {
		if !strings.Contains(said.EN, want) {
			t.Errorf("%q is not in %q", want, said.EN)
		}
	}
	for of, want := range map[string]string{"trust": "in trust of", "a b c": "in a, b and c of"} {
		if one := ManyWords(2, 2, strings.Fields(of)).EN; !strings.Contains(one, want) {
			t.Errorf("%q is not in %q", want, one)
		}
	}
	if !strings.Contains(said.JA, "各実行の正確性・信頼性の変化を8個の区間") || !strings.Contains(said.JA, "最大40%") || !strings.Contains(said.JA, "99.4%") ||
		!strings.Contains(ManyWords(5, 30, nil).EN, "up to 100%") ||
		!strings.HasPrefix(ManyWords(1, 2, nil).EN, "1 run was compared with") {
		t.Errorf("%+v", said)
	}
}

// TestCountsThatAreNotMadeAlikeAreTold: beside each other stand comparisons that count answers of equal grade by what they state and by the
// grade alone; only where both are there it is said, with each run and how many questions these are.
func TestCountsThatAreNotMadeAlikeAreTold(t *testing.T) {
	t.Parallel()
	run := func(id string, ties, alone, votes int) Comparison {
		c := Comparison{Candidate: experiments.Run{ID: id}, TieBreaks: ties, ByGradeAlone: alone}
		if alone > 0 {
			c.Warnings = []Note{newNote(WarnByGradeAlone, "n", alone, "votes", votes, "who", newNote("lacks.both"), "measures", "m")}
		}
		return c
	}
	for _, c := range []struct {
		all    []Comparison
		en, ja string
	}{
		{[]Comparison{run("a", 23, 0, 0), run("b", 0, 12, 2)},
			"those of a (23 questions) by what they state, those of b (10 questions) by the grade alone",
			"a（23問）では回答の記述で、b（10問）では評価だけ"},
		{[]Comparison{run("a", 1, 0, 0), run("b", 0, 1, 0), run("c", 2, 0, 0)},
			"those of a (1 question), c (2 questions) by what they state, those of b (1 question) by",
			"a（1問）、c（2問）では回答の記述で"},
		{[]Comparison{run("a", 23, 0, 0), run("b", 0, 12, 12)}, "", ""}, // votes decide them all, in any case
		{[]Comparison{run("a", 23, 0, 0), run("b", 5, 0, 0)}, "", ""},
		{[]Comparison{run("a", 0, 4, 0), run("b", 0, 5, 0)}, "", ""},
	} {
		got := CountedUnlike(c.all)
		if (got.EN == "") != (c.en == "") || !strings.Contains(got.EN, c.en) || !strings.Contains(got.JA, c.ja) {
			t.Errorf("%q, %q", got.EN, got.JA)
		}
	}
}
