package compare

import (
	"math"
	"strings"
	"testing"
)

// grid is a sweep of two by two over nine questions: every value adds what it adds alone, and the last combination more.
func grid(t *testing.T, rewriting, deeper, together, noise float64) SweepMap {
	t.Helper()
	scores := make([][]float64, 4)
	for run := range scores {
		for q := range 9 {
			wobble := noise * float64((q*7+run*5)%11-5) / 5
			v := 2 + wobble + rewriting*float64(run%2) + deeper*float64(run/2)
			if run == 3 {
				v += together
			}
			scores[run] = append(scores[run], v)
		}
	}
	return MapOf(swept(t, scores), "correctness", false)
}

func TestAHeatMapNamesWhatIntervalsAllow(t *testing.T) {
	t.Parallel()
	clear := grid(t, 0.5, 0.5, 1, 0.05)
	if len(clear.Cells) != 4 || !clear.Cells[3].Best || clear.N != 9 {
		t.Fatalf("%+v", clear)
	}
	for i, c := range clear.Cells {
		if c.Gap.Differs == c.Best {
			t.Errorf("cell %d: %+v", i, c.Gap)
		}
		// By hand: half of what only the pair brings is taken for each value's own, so a cell is off by a quarter.
		want := 0.25
		if i == 1 || i == 2 {
			want = -0.25
		}
		if c.Beyond == nil || !c.Beyond.Differs || math.Abs(c.Beyond.Mean-want) > 0.05 {
			t.Errorf("cell %d beside its values one by one: %+v", i, c.Beyond)
		}
	}
	for _, said := range []string{"Of 4 configurations, 3 can be told from the best by these 9 questions, and 0 cannot (≈).",
		"Together, retrieve.k = 1, rewrite = none are +0.2", "And 1 more."} {
		if !strings.Contains(clear.Words.EN, said) {
			t.Errorf("%q is not in %q", said, clear.Words.EN)
		}
	}
	added := grid(t, 0.5, 0.5, 0, 0.4)
	if strings.Contains(added.Words.EN, "Together") || !strings.Contains(added.Words.EN, "No combination is told apart") ||
		!strings.Contains(added.Words.JA, "区別できる組み合わせはありません") {
		t.Errorf("values that only add up: %s", added.Words)
	}
	level := grid(t, 0, 0, 0, 1)
	for i, c := range level.Cells {
		if c.Gap.Differs || c.Beyond.Differs {
			t.Errorf("noise names cell %d: %+v", i, c)
		}
	}
	if !strings.Contains(level.Words.EN, "0 can be told from the best") {
		t.Errorf("noise is named: %s", level.Words.EN)
	}
}

func TestTheStandingOfAWinner(t *testing.T) {
	t.Parallel()
	clear, level := grid(t, 0.5, 0.5, 1, 0.05), grid(t, 0, 0, 0, 1)
	best := level.Cells[0].RunID
	for _, c := range []struct {
		m      SweepMap
		winner string
		en, ja string
	}{
		{clear, clear.Cells[3].RunID, "Best of 4, told from all others by these 9 questions.", "設定4件の中で最良です。この9問で"},
		{level, best, "Best of 4, not told from 3 others by these 9 questions. Comparing all at once takes a larger difference than comparing " +
			"two runs alone.", "ほかの設定3件と区別できません。全設定を同時に比べるため"},
		{clear, clear.Cells[0].RunID, "", ""}, // intervals tell it from the best
		{SweepMap{}, best, "", ""},
	} {
		if got := c.m.Standing(c.winner); got.EN != c.en || !strings.Contains(got.JA, c.ja) || (got.JA == "") != (c.ja == "") {
			t.Errorf("%s: %+v, want %s", c.winner, got, c.en)
		}
	}
}

func TestAHeatMapWithoutIntervals(t *testing.T) {
	t.Parallel()
	if m := MapOf(swept(t, [][]float64{{1, 2}, {4, 5}}), "correctness", false); len(m.Cells) != 0 || m.Words.EN != "" {
		t.Errorf("two questions: %+v", m)
	}
	m := MapOf(swept(t, [][]float64{{1, 2, 3}, {2, 3, 4}}), "correctness", true)
	if !m.Cells[0].Best || m.Cells[0].Beyond != nil || m.Cells[1].Gap.Mean != 1 {
		t.Errorf("less is better, and one parameter has no combinations: %+v", m)
	}
}
