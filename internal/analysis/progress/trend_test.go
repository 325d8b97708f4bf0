package progress

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
)

func TestReduceRun(t *testing.T) {
	t.Parallel()
	e := evaltest.Evaluation(t, "r", evaltest.Table{
		"q1": {"correctness": 5, "trust": 5}, "q2": {"correctness": 2, "trust": 4}, "q3": {"correctness": 4, "trust": 1},
		"q4": {"correctness": 3}, "q5": {},
	})
	for i := range e.Questions {
		e.Questions[i].Evidence[0].Span.DocID = fmt.Sprint("d", i)
	}
	second := e.Results[0] // another vote on q1
	second.Replicate, second.Scores = 1, append([]metrics.Score{}, second.Scores...)
	for i, s := range second.Scores {
		if s.Metric == "correctness" {
			second.Scores[i].Value = 1
		}
	}
	e.Results = append(e.Results, second)
	got := ReduceRun(e, &causes.CauseReport{Method: causes.Tested,
		Diagnoses: []causes.Diagnosis{{QuestionID: "q3", Component: causes.GenerationModel},
			{QuestionID: "q2", Component: causes.Retriever}}})
	if got.Low != 2 || got.Scored != 4 || got.LowShare.Mean != 0.5 || got.Threshold != 2 {
		t.Errorf("%d of %d are low (%v) at %v; want 2 of 4", got.Low, got.Scored, got.LowShare, got.Threshold)
	}
	// Wilson's interval of 2 of 4: 0.150 to 0.850.
	if ci := got.LowShare.CI95; math.Abs(ci[0]-0.1500) > 5e-4 || math.Abs(ci[1]-0.8500) > 5e-4 {
		t.Errorf("the interval of the low scores is %v", *ci)
	}
	// Correctness is 3 (two votes on q1), 2, 4, 3: mean 3, standard error 0.8165/2, t with 3 degrees of freedom 3.182.
	c := got.Metrics["correctness"]
	if c.Mean != 3 || c.N != 4 || math.Abs(c.CI95[0]-(3-3.18245*0.408248)) > 1e-4 || math.Abs(c.CI95[1]-(3+3.18245*0.408248)) > 1e-4 {
		t.Errorf("correctness is %+v, %v", c, *c.CI95)
	}
	if ci := got.Metrics["trust"].CI95; ci[1] != 5 || ci[0] < 1 {
		t.Errorf("the interval of trust leaves its scale: %v", *ci)
	}
	if d := cmp.Diff([]TrendCause{{causes.Retriever, 1}, {causes.GenerationModel, 1}}, got.Causes); d != "" {
		t.Errorf("causes (-want +got):\n%s", d)
	}

	clustered := evaltest.Evaluation(t, "c", evaltest.Table{"q1": {"correctness": 3.2}, "q2": {"correctness": 3.2},
		"q3": {"correctness": 2.8},
		"q4": {"correctness": 2.8}})
	for i := range clustered.Questions {
		clustered.Questions[i].Evidence[0].Span.DocID = fmt.Sprint("d", i/2)
	}
	alone := evaltest.Evaluation(t, "c", evaltest.Table{"q1": {"correctness": 3.2}, "q2": {"correctness": 3.2}, "q3": {"correctness": 2.8},
		"q4": {"correctness": 2.8}}) // all of one document
	if a, b := ReduceRun(clustered, nil).Metrics["correctness"], ReduceRun(alone, nil).
		Metrics["correctness"]; a.CI95 == nil || b.CI95 == nil || *a.CI95 != [2]float64{1, 5} || b.CI95[0] < 2.6 {
		t.Errorf("two documents give %v, one gives %v", *a.CI95, *b.CI95)
	}
	if none := ReduceRun(evaltest.Evaluation(t, "n", evaltest.Table{"q1": {}}), nil); none.LowShare.CI95 != nil || len(none.Metrics) != 0 {
		t.Errorf("a run without scores is %+v", none)
	}
}

func TestSeries(t *testing.T) {
	t.Parallel()
	run := func(id string, change func(s *experiments.Setup)) *TrendRun {
		e := evaltest.One(t, id, "correctness", 4)
		if change != nil {
			change(&e.Run.Setup)
		}
		r := ReduceRun(e, nil)
		return &r
	}
	base, other := run("base", nil), run("other", nil)
	next := func(s *experiments.Setup) { s.Judge.Provider, s.LowScore, s.Config.Retrieve.K = "another", 3, 9 }
	got := Series([]TrendPoint{
		{State: experiments.FireRan, Run: base},
		{State: experiments.FireRan, Run: run("a", nil), Baseline: "base"},
		{State: experiments.FireMissed},
		{State: experiments.FireRan, Run: run("b", next), Baseline: "base"},
		{State: experiments.FireRan, Run: run("c", next), Baseline: "other"},
		{State: experiments.FireRan, Run: run("d", func(s *experiments.Setup) {
			next(s)
			s.Dataset.Version, s.Corpus.Version, s.Suite = 2, 3, s.Suite[:1]
		}), Baseline: "gone"},
		{State: experiments.FireRan, Run: run("e", func(s *experiments.Setup) { // as of d, over a part of the same dataset
			next(s)
			s.Dataset.Version, s.Corpus.Version, s.Suite, s.Questions = 2, 3, s.Suite[:1], []string{"q1"}
		}), Baseline: "gone"},
	}, []TrendRun{*other, *base, *run("unused", nil)})
	var changes [][]TrendChange
	var isBase, newBase []bool
	for _, p := range got.Points {
		changes, isBase, newBase = append(changes, p.Changes), append(isBase, p.IsBaseline), append(newBase, p.NewBaseline)
	}
	if d := cmp.Diff([][]TrendChange{{}, {}, {}, {ChangedJudge, ChangedThreshold, ChangedSystem}, {},
		{ChangedDataset, ChangedMetrics, ChangedCorpus}, {ChangedQuestions}}, changes); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]bool{true, false, false, false, false, false, false}, isBase); d != "" {
		t.Errorf("baselines (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]bool{false, false, false, false, true, true, false}, newBase); d != "" {
		t.Errorf("new baselines (-want +got):\n%s", d)
	}
	if len(got.Baselines) != 2 || got.Baselines[0].RunID != "base" || got.Baselines[1].RunID != "other" || len(got.Metrics) != 1 {
		t.Errorf("baselines %+v, metrics %v", got.Baselines, got.Metrics)
	}
}

// TestChosenMetrics: those asked for, else correctness and trust, else the first.
func TestChosenMetrics(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ known, asked, want []string }{
		{[]string{"hit", "correctness", "mrr", "trust"}, []string{"mrr", "unknown"}, []string{"mrr"}},
		{[]string{"hit", "correctness", "mrr", "trust"}, nil, []string{"correctness", "trust"}},
		{[]string{"hit", "mrr", "ndcg"}, []string{"x"}, []string{"hit", "mrr"}},
	} {
		got := Trend{Metrics: c.known}
		if got.Choose(c.asked); !cmp.Equal(got.Chosen, c.want) {
			t.Errorf("of %v asked for %v: %v", c.known, c.asked, got.Chosen)
		}
	}
}

// TestASeriesCountsTogetherWhatComparisonsDo: where no question has evidence, questions of one theme are no independent ones, in a trend as
// in a comparison.
func TestASeriesCountsTogetherWhatComparisonsDo(t *testing.T) {
	t.Parallel()
	rows := evaltest.Table{}
	for i := range 12 { // two halves that differ as themes do
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": 2.6 + 0.8*float64(i/6) + 0.1*float64(i%3)}
	}
	width := func(theme func(i int) int) float64 {
		e := evaltest.Evaluation(t, "r", rows)
		for i := range e.Questions {
			e.Questions[i].Evidence, e.Questions[i].Tags = nil, []string{fmt.Sprint("theme:", theme(i))}
		}
		v := ReduceRun(e, nil).Metrics["correctness"]
		if v.CI95 == nil {
			t.Fatalf("no interval: %+v", v)
		}
		return v.CI95[1] - v.CI95[0]
	}
	alone, themes := width(func(i int) int { return i }), width(func(i int) int { return i / 6 })
	if themes <= alone {
		t.Errorf("an interval over 2 themes is %v wide, over 12 questions %v", themes, alone)
	}
}
