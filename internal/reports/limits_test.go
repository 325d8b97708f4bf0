package reports

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestWhatMissesATargetNeverLooksLikeIt: means and shares close to a target, in the words of a report.
func TestWhatMissesATargetNeverLooksLikeIt(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 113))
		report := analysed(sample("en"))
		p := *report.Agreement
		target, share := .8, seed%2 == 0
		now := target - r.Float64()*.004
		one := progress.TargetProgress{Target: experiments.Target{Goal: experiments.Goal{Metric: correctness, Target: target}},
			Share: share, Now: &now, N: 9, State: progress.TargetMissed}
		if share {
			one.Target.Metric = lowShare
		}
		p.Targets = []progress.TargetProgress{one}
		report.Agreement = &p
		var out bytes.Buffer
		if err := report.WriteMarkdown(&out); err != nil {
			t.Fatal(err)
		}
		_, line, found := strings.Cut(out.String(), "≥ ")
		line, _, _ = strings.Cut(line, "\n")
		if !found || strings.Count(line, strings.Fields(line)[0]) != 1 {
			t.Errorf("seed %d: %v of %v (%s): %q", seed, now, target, fmt.Sprint(share), line)
		}
	}
}
