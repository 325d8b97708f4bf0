package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// themedMetric is a metric over questions of some themes, whose changes are noise but in those themes that fell.
func themedMetric(seed uint64, fell map[int]float64, themed bool) GateMetric {
	r := rand.New(rand.NewPCG(seed, 1))
	m := GateMetric{ID: "faithfulness", Max: 1, Themed: themed}
	for i := range 90 {
		theme := i % 6
		item := GateItem{ID: fmt.Sprint("q", i), Paired: true, Tags: []string{fmt.Sprint("theme:", theme)}, Before: 0.8}
		if themed {
			item.Cluster = fmt.Sprint(theme)
		}
		item.After = item.Before + 0.3*r.NormFloat64() - fell[theme]
		m.Items = append(m.Items, item)
	}
	return m
}

// TestAThemeThatFellIsFound: where themes stand in for documents, a theme that fell fails as it does where questions stand by themselves,
// which is how two files are read; and noise fails no oftener than is promised.
func TestAThemeThatFellIsFound(t *testing.T) {
	t.Parallel()
	alarms := 0
	const worlds, falls = 60, 8
	rules := DefaultGateRules()
	for seed := range uint64(worlds) {
		arms := GateArms{Baseline: "a", Candidate: fmt.Sprint("b", seed)}
		decide := func(m GateMetric) stats.Decision { return m.slices(arms, rules, 0.05)[0].Decision }
		if m := themedMetric(seed, nil, true); decide(m) == stats.Fail {
			alarms++
		}
		if seed >= falls {
			continue
		}
		both := []stats.Decision{decide(themedMetric(seed, map[int]float64{2: 0.6}, true)),
			decide(themedMetric(seed, map[int]float64{2: 0.6}, false))}
		if !slices.Equal(both, []stats.Decision{stats.Fail, stats.Fail}) {
			t.Fatalf("seed %d: a theme that fell by 0.6 is decided %v", seed, both)
		}
	}
	if alarms > worlds/20 {
		t.Errorf("noise failed in %d of %d", alarms, worlds)
	}
}
