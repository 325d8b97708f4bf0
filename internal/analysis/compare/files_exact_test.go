package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// exactPair are scores of two files on a scale that nobody knows.
type exactPair struct {
	before, after []float64
	lower         bool
}

// gated compares the two as exact, or as one score each, and gates them.
func (p exactPair) gated(t *testing.T, exact bool) (FileComparison, GateResult) {
	t.Helper()
	sides := [2][]scoreRow{}
	for i := range p.before {
		id := fmt.Sprint("q", i)
		sides[0], sides[1] = append(sides[0], row(id, one1(p.before[i]))), append(sides[1], row(id, one1(p.after[i])))
	}
	rules := FileRules{Deterministic: exact, Higher: []string{"points"}}
	if p.lower {
		rules.Lower, rules.Higher = rules.Higher, nil
	}
	c := comparedFiles(t, scores("old.csv", []string{"points"}, sides[0]...), scores("new.csv", []string{"points"}, sides[1]...), rules)
	return c, gated(t, FileGate(c), DefaultGateRules())
}

// baselines are scores of many shapes on a scale of any size and place. size is how far most of them lie apart; 0 where they are alike.
func baselines(r *rand.Rand, n int) (before []float64, size float64) {
	unit, at := []float64{.01, 3, 100, 4000}[r.IntN(4)], []float64{-700, 7, 50_000}[r.IntN(3)]
	shape := r.IntN(4)
	for i := range n {
		share := float64(i) / float64(n-1)
		switch shape {
		case 1:
			share = 0 // all alike
		case 2:
			share = float64(i % 2) // two levels
		}
		before = append(before, at+share*unit)
	}
	if shape == 3 {
		before[n/2] = at + 5000*unit // one far from all others
	}
	if shape == 1 {
		return before, 0
	}
	return before, unit
}

// TestExactFallsCountWhateverTheOthersDid: on scales that nobody knows every answer that fell far is worse, whether all fell alike, half of
// them, or one; what hardly fell is not, beside falls however large. Falling further never makes fewer answers worse, no size or place of a
// scale makes a difference, and files that are equal pass.
func TestExactFallsCountWhateverTheOthersDid(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 71))
		n := 30 + r.IntN(60)
		p := exactPair{lower: r.IntN(2) == 0}
		var size float64
		p.before, size = baselines(r, n)
		p.after = slices.Clone(p.before)
		if c, g := p.gated(t, true); c.VerdictCounts.NoChange != n || g.Decision != stats.Pass {
			t.Fatalf("seed %d: equal files: %+v %s %v", seed, c.VerdictCounts, g.Decision, g.Reasons)
		}
		far, little, many := size*(.1+r.Float64()), size*.01, []int{n, n / 2, n / 3, 1}[r.IntN(4)]
		if size == 0 { // no score lies apart from another: nothing says what is little, and anything counts
			far, little = 1, 0
		}
		if !p.lower {
			far, little = -far, -little
		}
		for i := range n {
			if p.after[i] += little; i < many {
				p.after[i] = p.before[i] + far
			}
		}
		c, g := p.gated(t, true)
		share := checkOf(t, g, "share_worse")
		if c.VerdictCounts.Worse != many || (share.Decision == stats.Fail) != (many > MostWorse(n, .02)) {
			t.Errorf("seed %d: %d of %d fell far on a scale of %g: %+v, %s", seed, many, n, size, c.VerdictCounts, share.Message)
		}
		seen[string(share.Decision)]++
		from := "its points moved by " + LimitWords(c.Metrics[0].Delta) + " or more"
		if said := strings.Join(g.Said, " "); !strings.Contains(said, "taken as exact") || !strings.Contains(said, from) {
			t.Errorf("seed %d: nobody says what confirmed means, which is %q: %v", seed, from, g.Said)
		}
		once, open := p.gated(t, false)
		if d := checkOf(t, open, "share_worse").Decision; share.Decision == stats.Fail && d != stats.Inconclusive {
			t.Errorf("seed %d: exact scores fail, and one score of each says %s", seed, d)
		}
		if once.Exact() != nil || strings.Contains(strings.Join(open.Said, " "), "taken as exact") {
			t.Errorf("seed %d: nobody said that scores are exact: %v", seed, open.Said)
		}
		further := exactPair{before: p.before, after: slices.Clone(p.after), lower: p.lower}
		for i := range n {
			if r.IntN(3) == 0 {
				further.after[i] += far * r.Float64() * 20
			}
		}
		if more, _ := further.gated(t, true); more.VerdictCounts.Worse < many {
			t.Errorf("seed %d: further falls left %d of %d worse", seed, more.VerdictCounts.Worse, many)
		}
	}
	if seen["FAIL"] < 50 || seen["PASS"] < 20 {
		t.Errorf("the files show too little: %v", seen)
	}
}
