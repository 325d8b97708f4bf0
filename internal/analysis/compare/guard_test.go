package compare

import (
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// voted is two unsettled runs of 40 questions with three votes in each arm. All votes are 5, but for those of the named
// questions in the candidate.
func voted(t testing.TB, metric string, candidate map[string][]float64, more ...string) (b, c experiments.Evaluation) {
	t.Helper()
	rows := evaltest.Table{}
	for i := range 40 {
		rows[id(i)] = map[string]float64{metric: 5}
		for _, m := range more {
			rows[id(i)][m] = 1
		}
	}
	var ids []string
	for i := range 40 {
		ids = append(ids, id(i))
	}
	b, c = evaltest.Evaluation(t, "b", rows, ids...), evaltest.Evaluation(t, "c", rows, ids...)
	b.Run.Setup.Settled, c.Run.Setup.Settled = false, false
	for _, e := range []*experiments.Evaluation{&b, &c} {
		for i := range 40 {
			for replicate := 1; replicate < 3; replicate++ {
				r := e.Results[i]
				r.Replicate = replicate
				e.Results = append(e.Results, r)
			}
		}
	}
	for q, votes := range candidate {
		c.Results = slices.DeleteFunc(c.Results, func(r experiments.Result) bool { return r.QuestionID == q })
		for replicate, v := range votes {
			c.Results = append(c.Results, experiments.Result{QuestionID: q, Replicate: replicate, Scores: []metrics.Score{
				{Metric: metric, Version: "1", State: metrics.Scored, Value: v},
			}})
		}
	}
	return b, c
}

func changeOf(t testing.TB, c Comparison, question, metric string) QuestionChange {
	t.Helper()
	i := slices.IndexFunc(c.Questions, func(q QuestionChange) bool { return q.QuestionID == question && q.Metric == metric })
	if i < 0 {
		t.Fatalf("no change of %s on %s", metric, question)
	}
	return c.Questions[i]
}

func TestLabelsFromReplicates(t *testing.T) {
	t.Parallel()
	b, c := voted(t, "correctness", map[string][]float64{"q0003": {1, 1, 2}, "q0004": {3, 5, 5}, "q0005": {1, 5, 2, 5, 1, 5}, "q0006": {2}})
	got := compared(t, b, c)
	worse := changeOf(t, got, "q0003", "correctness")
	if worse.Label != Worse || worse.Detail != Confirmed || worse.SettledBy != ByReplicates || worse.PRegression == nil ||
		*worse.PRegression < 0.9 || worse.Replicates != [2]int{3, 3} || !worse.BecameLow {
		t.Errorf("three low votes: %+v", worse)
	}
	if q := changeOf(t, got, "q0004", "correctness"); q.Label == Worse || q.Label == Better {
		t.Errorf("one lower vote of three: %+v", q)
	}
	if q := changeOf(t, got, "q0005", "correctness"); !q.Flaky {
		t.Errorf("a coin flip is not flaky: %+v", q)
	}
	if q := changeOf(t, got, "q0006", "correctness"); q.Label == Worse || q.Replicates != [2]int{3, 1} {
		t.Errorf("one vote in the candidate: %+v", q)
	}
	f := got.Metrics["correctness"].Guard
	if f == nil || !f.Gate || !f.Decided || f.Q != 0.05 || f.ExpectedFalse > 0.05 || f.ExpectedFalse < 0 || f.ExpectedMiss <= 0 ||
		f.Flaky != 1 || f.Pairs < 100 {
		t.Errorf("figures %+v", f)
	}
	if !got.Method.Guarded {
		t.Errorf("%+v", got.Method)
	}
	back := changeOf(t, compared(t, c, b), "q0003", "correctness")
	if back.Label != Better || back.Detail != Improved || back.SettledBy != ByReplicates {
		t.Errorf("the other way round: %+v", back)
	}
}

// TestTwoGates shares the false discovery rate and counts both.
func TestTwoGates(t *testing.T) {
	t.Parallel()
	b, c := voted(t, "correctness", nil, "trust")
	got := compared(t, b, c)
	for _, id := range []string{"correctness", "trust"} {
		if f := got.Metrics[id].Guard; f == nil || !f.Gate || f.Q != 0.025 {
			t.Errorf("%s: %+v", id, f)
		}
	}
	if _, err := CompareWith(b, c, Options{Gates: []string{"correctness", "trust", "hit"}}); err == nil {
		t.Error("three gates were accepted")
	}
}

// TestExploratoryMetricsConfirmNothing shows the probability of a metric that is no gate, and lets it decide nothing.
func TestExploratoryMetricsConfirmNothing(t *testing.T) {
	t.Parallel()
	b, c := voted(t, "trust", map[string][]float64{"q0003": {1, 1, 1}}, "correctness")
	got, err := CompareWith(b, c, Options{Gates: []string{"correctness"}})
	if err != nil {
		t.Fatal(err)
	}
	q := changeOf(t, got, "q0003", "trust")
	if q.Label != NeedsCheck || q.Detail != Suspected || q.PRegression == nil || *q.PRegression < 0.9 {
		t.Errorf("%+v", q)
	}
	if n := got.Counts["trust"]; n.Worse+n.Better > 0 || got.Metrics["trust"].Guard.Gate {
		t.Errorf("counts %+v", n)
	}
}

// TestTooFewReplicates settles nothing by replicates whose noise cannot be told, and says so.
func TestTooFewReplicates(t *testing.T) {
	t.Parallel()
	b, c := voted(t, "correctness", map[string][]float64{"q0003": {1, 1, 1, 1}})
	first := func(r experiments.Result) bool { return r.Replicate > 0 && r.QuestionID != "q0003" }
	b.Results, c.Results = slices.DeleteFunc(b.Results, first), slices.DeleteFunc(c.Results, first)
	got := compared(t, b, c)
	if q := changeOf(t, got, "q0003", "correctness"); q.Label != NeedsCheck || q.Detail != Unresolved || q.SettledBy != "" {
		t.Errorf("%+v", q)
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Code != "warn.few_replicates" {
		t.Errorf("warnings %v", got.Warnings)
	}
}

func TestIdenticalAnswersAreNoChange(t *testing.T) {
	t.Parallel()
	answer := &rag.Answer{Retrieval: rag.Retrieval{Hits: []rag.Hit{hit("d", 0, 9)}}, Generation: rag.Generation{Text: "yes"}}
	cases := []struct {
		name   string
		change func(a *rag.Answer)
		same   bool
	}{
		{"the same", func(*rag.Answer) {}, true},
		{"white space", func(a *rag.Answer) { a.Text = " yes\n" }, true},
		{"scores of retrieval", func(a *rag.Answer) { a.Hits[0].Score = 3 }, true},
		{"another case", func(a *rag.Answer) { a.Text = "Yes" }, false},
		{"another answer", func(a *rag.Answer) { a.Text = "no" }, false},
		{"another context", func(a *rag.Answer) { a.Hits[0].Text = "other" }, false},
		{"one context more", func(a *rag.Answer) { a.Hits = append(a.Hits, hit("e", 0, 9)) }, false},
		{"contexts not shown", func(a *rag.Answer) { a.Hidden = rag.NoContexts }, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, x := evaltest.One(t, "b", "correctness", 5), evaltest.One(t, "c", "correctness", 1)
			b.Run.Setup.Settled = false
			other := *answer
			other.Hits = slices.Clone(answer.Hits)
			c.change(&other)
			b.Results[0].Answer, x.Results[0].Answer = answer, &other
			q := compared(t, b, x).Questions[0]
			if c.same != (q.Label == NoChange && q.Detail == UnchangedIdentical && q.SettledBy == ByIdentity) {
				t.Errorf("%+v", q)
			}
			if !c.same && q.Label != NeedsCheck {
				t.Errorf("%+v", q)
			}
		})
	}
}

// TestSameGeneration settles a question whose answer was generated from the same input, although it reads differently.
func TestSameGeneration(t *testing.T) {
	t.Parallel()
	b, c := evaltest.One(t, "b", "correctness", 5), evaltest.One(t, "c", "correctness", 1)
	b.Run.Setup.Settled = false
	b.Results[0].Answer = &rag.Answer{Generation: rag.Generation{Text: "a"}, GenerationKey: "k", RetrievalKey: "r"}
	c.Results[0].Answer = &rag.Answer{Generation: rag.Generation{Text: "b"}, GenerationKey: "k", RetrievalKey: "r"}
	if q := compared(t, b, c).Questions[0]; q.Detail != UnchangedIdentical {
		t.Errorf("%+v", q)
	}
}

// An answer with the low-score threshold is a low one: a question whose good votes are among those is not answered well.
func TestVotesAtTheThresholdAreLow(t *testing.T) {
	t.Parallel()
	s := &session{rules: [2]experiments.LowRule{1: experiments.UsualLow(2)}}
	spec := metrics.Spec{Min: 1, Max: 5}
	for votes, want := range map[[4]float64]bool{{2, 2, 1, 1}: false, {3, 3, 1, 1}: true, {3, 3, 3, 3}: false} {
		if got := s.flaky(spec, votes[:]); got != want {
			t.Errorf("votes %v: flaky %t", votes, got)
		}
	}
}

// The chances from which replicates suspect, doubt or settle. What a question's own votes do not settle needs a check where it moved, up or
// down, however unlikely the other questions make it; and nothing is said to be settled by votes that nobody bought.
func TestChancesAreWordsOfReplicates(t *testing.T) {
	t.Parallel()
	spec, _ := metrics.Find("correctness")
	full, single := [2]int{2, 2}, [2]int{3, 1}
	for _, c := range []struct {
		chance  float64
		moved   float64
		votes   [2]int
		label   Label
		detail  Detail
		settled SettledBy
	}{
		{0.5, 0, full, NeedsCheck, Suspected, ""},
		{0.49, 0, full, NeedsCheck, Unresolved, ""},
		{0.2, 0, full, NeedsCheck, Unresolved, ""},
		{0.19, 0, full, NoChange, NoRegression, ByReplicates},
		{0.19, 1, full, NoChange, NoRegression, ByReplicates},
		{0.02, 1, single, NeedsCheck, Unresolved, ""},
		{0.02, 1, [2]int{1, 1}, NeedsCheck, Unresolved, ""},
		{0.02, 0.5, single, NoChange, NoRegression, ""}, // by less than matters
		{0.02, 0, single, NoChange, NoRegression, ""},
	} {
		for _, way := range []float64{-1, 1} {
			q := QuestionChange{Baseline: 3, Candidate: 3 + way*c.moved, Replicates: c.votes}
			chances := stats.GuardPosterior{Regression: c.chance}
			if way > 0 {
				chances = stats.GuardPosterior{Improvement: c.chance}
			}
			q.byReplicates(verdict{GuardVerdict: stats.GuardVerdict{GuardPosterior: chances}}, spec, true)
			if q.Label != c.label || q.Detail != c.detail || q.SettledBy != c.settled {
				t.Errorf("%.2f, moved by %g, votes %v: %s, %s, settled by %q; want %s, %s, %q", c.chance, way*c.moved, c.votes, q.Label,
					q.Detail, q.SettledBy, c.label, c.detail, c.settled)
			}
		}
	}
}
