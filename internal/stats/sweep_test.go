package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The design figures: 36 configurations with eta 3 cost 1416 evaluations on 150 questions and 576 on 60.
func TestHalvingSchedule(t *testing.T) {
	t.Parallel()
	for items, want := range map[int]int{150: 1416, 60: 576} {
		plan, err := HalvingSchedule(36, items, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := Evaluations(plan); got != want {
			t.Errorf("%d items: %v costs %d, want %d", items, plan, got, want)
		}
	}
	for candidates := 1; candidates < 40; candidates++ {
		plan, err := HalvingSchedule(candidates, 50, 2)
		if err != nil || plan[0].Candidates != candidates || plan[len(plan)-1].Items != 50 {
			t.Fatalf("%d candidates: %v, %v", candidates, plan, err)
		}
		for i := 1; i < len(plan); i++ {
			if plan[i].Candidates >= plan[i-1].Candidates || plan[i].Items < plan[i-1].Items {
				t.Errorf("%d candidates: %v", candidates, plan)
			}
		}
	}
	if _, err := HalvingSchedule(3, 10, 1); err == nil {
		t.Error("factor 1 was taken")
	}
}

func TestMainEffects(t *testing.T) {
	t.Parallel()
	effect := [][]float64{{-0.1, 0.1}, {0.2, 0, -0.2}}
	var design [][]int
	var scores []float64
	for a := range 2 {
		for b := range 3 {
			design, scores = append(design, []int{a, b}), append(scores, 0.5+effect[0][a]+effect[1][b])
		}
	}
	want := [][]float64{{0.4, 0.6}, {0.7, 0.5, 0.3}}
	for name, keep := range map[string][]int{"all": {0, 1, 2, 3, 4, 5}, "a fraction, unbalanced": {0, 1, 2, 3},
		"with a repeat": {0, 0, 1, 2, 5}} {
		var d [][]int
		var s []float64
		for _, i := range keep {
			d, s = append(d, design[i]), append(s, scores[i])
		}
		got, err := MainEffects(d, s)
		if err != nil {
			t.Fatal(err)
		}
		for f := range want {
			for l := range want[f] {
				near(t, name, got[f][l], want[f][l])
			}
		}
	}
	for name, d := range map[string][][]int{"confounded": {{0, 0}, {1, 1}}, "missing level": {{0}, {2}}, "ragged": {{0, 0}, {1}},
		"negative": {{-1}, {0}}} {
		if got, err := MainEffects(d, []float64{1, 2}); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestParetoAndFriedman(t *testing.T) {
	t.Parallel()
	front, err := ParetoFront([][]float64{{1, 1}, {1, 1}, {0, 1}, {2, 5}}, []float64{1, -1})
	if err != nil || !cmp.Equal(front, []int{0, 1, 3}) {
		t.Errorf("front %v, %v", front, err)
	}
	if _, err := ParetoFront([][]float64{{math.NaN()}}, []float64{1}); err == nil {
		t.Error("NaN was taken")
	}
	flat, err := Friedman([][]float64{{1, 1}, {2, 2}})
	if err != nil || flat.Statistic != 0 || flat.P != 1 {
		t.Errorf("constant rows: %+v, %v", flat, err)
	}
	// Without ties: 12/(nk(k+1)) * sum of squared rank sums - 3n(k+1).
	f, err := Friedman([][]float64{{1, 2, 3}, {1, 3, 2}, {1, 2, 3}, {2, 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "statistic", f.Statistic, 12.0/(4*3*4)*(25+64+121)-3*4*4)
	winner, err := ShrunkWinner([][]float64{{1, 0, 1}, {1, 0, 1}})
	if err != nil || winner.Factor != 0 || winner.Index != 0 || winner.Shrunk != winner.Raw {
		t.Errorf("equal candidates: %+v, %v", winner, err)
	}
	if _, err := ShrunkWinner([][]float64{{1, 2}}); err == nil {
		t.Error("one candidate was taken")
	}
}

func TestAttribution(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(14)
	values := make([]float64, 16)
	for i := range values {
		values[i] = r.Float64()
	}
	shares, err := Shapley(values)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "sum of shares", shares[0]+shares[1]+shares[2]+shares[3], values[15]-values[0])
	// By definition: the mean over all orders.
	want, orders := make([]float64, 4), 0.0
	for code := range 256 {
		order, seen := []int{code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3}, 0
		for _, f := range order {
			seen |= 1 << f
		}
		if seen != 15 {
			continue
		}
		orders++
		set := 0
		for _, f := range order {
			want[f] += values[set|1<<f] - values[set]
			set |= 1 << f
		}
	}
	for f := range want {
		near(t, "share", shares[f], want[f]/orders)
	}
	if _, err := Shapley(make([]float64, 3)); err == nil {
		t.Error("three values were taken")
	}
	// Design figures: 4/4 against 0/4 is .976, 3/4 against 0/4 .895.
	for hits, want := range map[int]float64{4: 0.976, 3: 0.895} {
		p, err := LiftProbability(hits, 4, 0, 4, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "lift", p, want, 5e-4)
	}
	for _, lift := range []float64{-1, -0.3, 0, 0.4, 1} {
		p, err1 := LiftProbability(3, 7, 2, 5, lift)
		q, err2 := LiftProbability(2, 5, 3, 7, -lift)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		near(t, "lift the other way", p, 1-q)
	}
	if p, _ := LiftProbability(3, 7, 3, 7, 0); math.Abs(p-0.5) > 1e-12 {
		t.Errorf("equal sides: %v", p)
	}
}

func TestPartitions(t *testing.T) {
	t.Parallel()
	same, err := ComparePartitions([]int{0, 0, 1, 2}, []int{5, 5, 9, 1})
	if err != nil || same.ARI != 1 || math.Abs(same.NMI-1) > 1e-12 {
		t.Errorf("renamed groups: %+v, %v", same, err)
	}
	for name, g := range map[string][]int{"together": {1, 1, 1}, "apart": {1, 2, 3}, "one": {1}} {
		if r, err := ComparePartitions(g, g); err != nil || r.ARI != 1 || math.Abs(r.NMI-1) > 1e-12 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	a, b := []int{0, 0, 1, 1, 2}, []int{0, 1, 1, 1, 0}
	x, err1 := ComparePartitions(a, b)
	y, err2 := ComparePartitions(b, a)
	if err1 != nil || err2 != nil || x != y {
		t.Errorf("%+v and %+v", x, y)
	}
	if _, err := ComparePartitions(a, nil); err == nil {
		t.Error("other lengths were taken")
	}
	near(t, "Jaccard", Jaccard([]string{"a", "b", "b"}, []string{"b", "c", "b"}), 1.0/3)
	near(t, "Jaccard of nothing", Jaccard[int](nil, nil), 1)
}

func TestSupportShares(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(77)
	flags := func(n int) []bool {
		out := make([]bool, n)
		for i := range out {
			out[i] = r.Float64() < 0.4
		}
		return out
	}
	for range 100 {
		given, wanted, sources := 1+r.Below(5), 1+r.Below(5), 1+r.Below(4)
		m := SupportMatrix{GivenInWanted: flags(given), WantedInGiven: flags(wanted)}
		for range given {
			m.GivenBySource = append(m.GivenBySource, flags(sources))
		}
		for range wanted {
			m.WantedBySource = append(m.WantedBySource, flags(sources))
		}
		s, err := m.Shares()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "supported, unsupported and own knowledge", s.Supported+s.Unsupported+s.OwnKnowledge, 1)
		if s.NoiseUseful+s.NoiseUseless > s.Supported+1e-12 || s.NoiseUseful+s.NoiseUseless > 1-s.Precision+1e-12 {
			t.Errorf("noise beyond what is supported and wrong: %+v", s)
		}
		if math.IsNaN(s.Utilisation) != (s.SourceRecall == 0) {
			t.Errorf("utilisation %v at recall %v", s.Utilisation, s.SourceRecall)
		}
	}
	empty, err := SupportMatrix{}.Shares()
	if err != nil || !math.IsNaN(empty.Supported) || !math.IsNaN(empty.Recall) || !math.IsNaN(empty.UsefulSources) ||
		!math.IsNaN(empty.FactualF1) || !math.IsNaN(empty.F1) {
		t.Errorf("nothing: %+v, %v", empty, err)
	}
	ragged := SupportMatrix{GivenBySource: [][]bool{{true}, {}}, GivenInWanted: []bool{true, true}}
	if _, err := ragged.Shares(); err == nil {
		t.Error("a ragged matrix was taken")
	}
	if _, err := (SupportMatrix{GivenInWanted: []bool{true}}).Shares(); err == nil {
		t.Error("statements without rows were taken")
	}
}
