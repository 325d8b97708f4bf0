package sweeps

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

const offlineSweep = `name: wide
base: {chunk: {by: chars, size: 60}, retrieve: {mode: bm25, k: 1}}
sweep: {chunk.size: [30, 60, 200], retrieve.k: [1, 2], generate.model: [extractive, terse]}
`

func TestScreenSweep(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	_, jobs := w.Swept(t, offlineSweep)
	got, kept, err := ScreenSweep(t.Context(), w.Workbench, jobs, Pick{Most: 2}, experiments.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) != 12 || len(got.Ways) != 6 || len(kept) != 4 || got.Questions != len(apptest.AskedQuestions) || got.Without != 0 ||
		got.RunID != "" {
		t.Errorf("%d ways of %d jobs, %d kept: %+v", len(got.Ways), len(jobs), len(kept), got)
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil || len(runs) != 0 {
		t.Errorf("screening left %d runs, %v", len(runs), err)
	}
	// What screening says about a way is what a run of it measures.
	run, err := w.Run(t.Context(), kept[0])
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(got.Ways, func(s compare.Screened) bool { return s.Name == experiments.Describe(retrievalParams(run.Params)) })
	if way := got.Ways[i]; !way.Kept || way.Coverage != run.Totals.Scores["span_coverage"].Mean ||
		way.NDCG != run.Totals.Scores["ndcg"].Mean {
		t.Errorf("%+v, but the run has %+v", got.Ways[i], run.Totals.Scores)
	}
	if len(got.Effects.Levels) != 5 { // three sizes and two depths; the generator has none
		t.Errorf("effects %+v", got.Effects)
	}
}

// Of all ways the best by evidence are answered and judged, whatever their contexts cost, and the base beside them. What is left out says
// how far behind it is.
func TestTheBestAndTheBaseAreAnswered(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e, jobs := w.Swept(t, strings.Replace(offlineSweep, "k: 1}}", "k: 1}, rerank: {mode: llm, provider: offline, model: reranker}}", 1)+
		"generate: {top: 1}\n")
	rules := RulesOf(e, SearchRules{})
	if rules.Best != (experiments.Best{Top: 1, By: experiments.ByEvidence}) || !rules.On() {
		t.Fatalf("rules %+v", rules)
	}
	plan, _, err := PlanSearch(t.Context(), w.Workbench, e, jobs, rules)
	if err != nil || plan.Stages[0].Candidates != 3 {
		t.Fatalf("the plan has %+v, %v", plan.Stages, err)
	}
	got, err := SearchSweep(t.Context(), w.Workbench, e, jobs, rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	best := 0.0
	for _, way := range got.Screen.Ways {
		best = max(best, way.Coverage)
	}
	for _, way := range got.Screen.Ways {
		if way.Kept != (way.Behind == nil) || way.Kept && way.Coverage != best {
			t.Errorf("%+v", way)
		}
		if b := way.Behind; b != nil && (b.Mean < 0 || b.CI95[0] > b.Mean || b.CI95[1] < b.Mean || b.Tied != (b.CI95[0] <= 0)) {
			t.Errorf("%s is behind by %+v", way.Name, b)
		}
	}
	configs := map[string]bool{}
	for _, r := range got.All {
		configs[experiments.Describe(r.Params)] = true
	}
	base := "chunk.size=60 retrieve.k=1 generate.model=extractive"
	if len(configs) != 3 || !configs[base] { // the best way with two writers, and the base
		t.Errorf("answered %v", configs)
	}
}

func TestScreenRefuses(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	_,
		jobs := w.Swept(t,
		"name: model\nbase: {retrieve: {mode: bm25, k: 1}, rewrite: {mode: llm, provider: offline, model: rewriter}}\nsweep: {retrieve.k: [1, 2]}\n")
	if _, _, err := ScreenSweep(t.Context(), w.Workbench, jobs, Pick{Most: 8},
		experiments.Budget{}); problem.CodeOf(err) != "screen_model" {
		t.Errorf("a model that rewrites: %v", err)
	}
	_, jobs = w.Swept(t, offlineSweep)
	if _, _, err := ScreenSweep(t.Context(), w.Workbench, jobs, Pick{Most: 9}, experiments.Budget{}); problem.CodeOf(err) != "screen" {
		t.Errorf("nine ways: %v", err)
	}
	for i := range jobs {
		jobs[i].Questions = slices.Clone(jobs[i].Questions)
		for q := range jobs[i].Questions {
			jobs[i].Questions[q].Evidence = nil
		}
	}
	if _, _, err := ScreenSweep(t.Context(), w.Workbench, jobs, Pick{Most: 8}, experiments.Budget{}); problem.CodeOf(err) != "no_evidence" {
		t.Errorf("no evidence: %v", err)
	}
}

// TestScreenPaysForEmbeddingsInARun of its own, within the budget.
func TestScreenPaysForEmbeddingsInARun(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	_,
		jobs := w.Swept(t,
		"name: bought\nbase: {embedding: {provider: openai, model: embed-1}, retrieve: {mode: dense, k: 1}}\nsweep: {retrieve.k: [1, 2]}\n")
	if plan, kept, err := PlanScreen(t.Context(), w.Workbench, jobs, Pick{Most: 8}); plan != nil || len(kept) != len(jobs) || err != nil {
		t.Errorf("a plan screened with an embedder that has to be paid: %+v, %v", plan, err)
	}
	got, bought, err := ScreenSweep(t.Context(), w.Workbench, jobs, Pick{Most: 8}, experiments.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	spent, err := w.Store.Spent(t.Context(), got.RunID)
	if err != nil || spent.Calls == 0 || spent.Calls != len(w.Provider.Ledger()) || w.Billed("chat/completions") != 0 {
		t.Errorf("run %q has %d of %d calls, %v", got.RunID, spent.Calls, len(w.Provider.Ledger()), err)
	}
	run, err := w.Store.Run(t.Context(), got.RunID)
	if err != nil || run.State != experiments.Finished {
		t.Errorf("run %+v, %v", run.State, err)
	}
	// Every vector is there now: a plan finds what the search found, without a call and without a run.
	plan, kept, err := PlanScreen(t.Context(), w.Workbench, jobs, Pick{Most: 8})
	if err != nil || plan == nil || plan.RunID != "" || len(kept) != len(bought) || len(w.Provider.Ledger()) != spent.Calls {
		t.Fatalf("planned %+v, %v", plan, err)
	}
	for i, way := range plan.Ways {
		if way.Kept != got.Ways[i].Kept || way.Coverage != got.Ways[i].Coverage {
			t.Errorf("planned %+v, found %+v", way, got.Ways[i])
		}
	}
}

// TestAPlanOfASearchCountsWhatGoesOnAtMost, where nobody knows yet which configurations those are: not all of them, and the answers that
// are made are no more.
func TestAPlanOfASearchCountsWhatGoesOnAtMost(t *testing.T) {
	t.Parallel()
	w := apptest.NewPriced(t)
	e, jobs := w.Swept(t, `name: bought
suite: [correctness]
judge: {provider: openai, model: judge-1}
base: {embedding: {provider: openai, model: embed-1}, retrieve: {mode: dense, k: 1}, generate: {provider: openai, model: writer-1}}
sweep: {retrieve.k: [2, 3, 4, 5], chunk.size: [60, 120]}
`)
	rules := RulesOf(e, SearchRules{Best: experiments.Best{Top: 2}})
	plan, all, err := PlanSearch(t.Context(), w.Workbench, e, jobs, rules)
	if err != nil || plan.Screen != nil || plan.Answers != 3*len(apptest.AskedQuestions) || plan.Answers >= plan.Full {
		t.Fatalf("planned %+v, %v", plan, err)
	}
	if plan.Calls >= all.ExpectedBuy || plan.Micros >= all.ExpectedMicros || plan.Micros == 0 {
		t.Errorf("planned %d calls for %d; all take %d for %d", plan.Calls, plan.Micros, all.ExpectedBuy, all.ExpectedMicros)
	}
	got, err := SearchSweep(t.Context(), w.Workbench, e, jobs, rules, nil)
	if err != nil || got.Answers > plan.Answers {
		t.Errorf("%d answers, planned %d, %v", got.Answers, plan.Answers, err)
	}
}

// TestSearchOffline races twelve configurations of a deterministic system. Nothing is measured again.
func TestSearchOffline(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e, jobs := w.Swept(t, offlineSweep)
	got, err := SearchSweep(t.Context(), w.Workbench, e, jobs, SearchRules{Halving: true, Confirm: true, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Stages) != 2 || got.Stages[0].Questions != 3 || len(got.Stages[0].Runs) != 12 || len(got.Stages[1].Runs) != 4 ||
		got.Stages[1].Questions != len(apptest.AskedQuestions) {
		t.Fatalf("stages %+v", got.Stages)
	}
	if got.Answers != 12*3+4*5 || got.Full != 96 {
		t.Errorf("%d answers of %d", got.Answers, got.Full)
	}
	if !slices.Equal(got.Stages[1].Survivors, []string{got.Winner.RunID}) {
		t.Errorf("winner %s, survivors %v", got.Winner.RunID, got.Stages[1].Survivors)
	}
	if !got.Winner.Settled || got.Winner.FreshID != "" || len(got.Winner.Scores) == 0 || got.Winner.Scores[0].Fresh != nil {
		t.Errorf("%+v", got.Winner)
	}
	for _, s := range got.Winner.Scores {
		if s.Shrunk > s.Selection || s.N != len(apptest.AskedQuestions) {
			t.Errorf("%+v", s)
		}
	}
	front := 0
	for _, p := range got.Pareto {
		if p.Standing == compare.OnFront {
			front++
		}
	}
	if len(got.Pareto) != 4 || front == 0 || len(got.Effects) == 0 || len(got.Effects[0].Levels) != 7 {
		t.Errorf("pareto %+v, effects %+v", got.Pareto, got.Effects)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
	// A sweep named in a comparison stands for its best run: that of the last stage.
	best, err := w.Evaluation(t.Context(), got.SweepID)
	if err != nil || best.Run.ID != got.Winner.RunID {
		t.Errorf("the sweep stands for %s, %v", best.Run.ID, err)
	}
}

// nineWriters answer each in their own words, and the judge likes writer-2 alone.
func nineWriters(w *apptest.World) {
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		if len(r.Schema) == 0 {
			return r.Model + " answers: " + string(r.Data()), nil
		}
		if strings.Contains(r.User, "writer-2 answers") {
			return `{"reason":"good","score":5}`, nil
		}
		return `{"reason":"poor","score":2}`, nil
	}})
}

// TestSearchBuysNothingTwice: survivors keep the answers and verdicts of the stages before, and only the winner is measured
// again.
func TestSearchBuysNothingTwice(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	nineWriters(w)
	e, jobs := w.Swept(t, `name: paid
suite: [correctness]
judge: {provider: openai, model: judge-1}
base: {retrieve: {mode: bm25, k: 1}, generate: {provider: openai, model: writer-1}}
sweep: {generate.model: [writer-1, writer-2, writer-3, writer-4, writer-5, writer-6, writer-7, writer-8, writer-9]}
`)
	got, err := SearchSweep(t.Context(), w.Workbench, e, jobs, SearchRules{Halving: true, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if calls := len(w.Provider.Ledger()); calls != 2*got.Answers || got.Answers != 9*3+3*5 {
		t.Errorf("%d calls for %d answers, each with one verdict", calls, got.Answers)
	}
	if got.Winner.Params["generate.model"] != "writer-2" || got.Winner.FreshID != "" {
		t.Errorf("winner %+v", got.Winner)
	}
	before := len(w.Provider.Ledger())
	confirmed, err := SearchSweep(t.Context(), w.Workbench, e, jobs, SearchRules{Halving: true, Confirm: true, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if calls := len(w.Provider.Ledger()) - before; calls != 2*len(apptest.AskedQuestions) {
		t.Errorf("%d calls to measure the winner again, not %d", calls, 2*len(apptest.AskedQuestions))
	}
	if s := confirmed.Winner.Scores[1]; confirmed.Winner.FreshID == "" || s.Metric != "correctness" || s.Fresh == nil || *s.Fresh != 5 ||
		s.FreshN != len(apptest.AskedQuestions) || s.Selection != 5 {
		t.Errorf("%+v", confirmed.Winner)
	}
}

// TestSearchKeepsToItsBudget over all stages together.
func TestSearchKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	nineWriters(w)
	e, jobs := w.Swept(t, `name: paid
suite: [correctness]
judge: {provider: openai, model: judge-1}
base: {retrieve: {mode: bm25, k: 1}, generate: {provider: openai, model: writer-1}}
sweep: {generate.model: [a, b, c, d, e, f, g, h, i]}
`)
	got, err := SearchSweep(t.Context(), w.Workbench, e, jobs, SearchRules{Halving: true, Seed: 1, Budget: experiments.Budget{Calls: 60}},
		nil)
	if problem.CodeOf(err) != "budget_spent" || len(got.Stages) != 1 || got.SweepID == "" {
		t.Errorf("%d stages, %v", len(got.Stages), err)
	}
	if n := len(w.Provider.Ledger()); n > 60 || n <= 54 {
		t.Errorf("%d calls for a budget of 60; the first stage takes 54", n)
	}
}

// TestTheFrontPricesAnswersAsReportsDo: what its judge costs is no price of a configuration, whoever answered and judged it before.
func TestTheFrontPricesAnswersAsReportsDo(t *testing.T) {
	t.Parallel()
	w := apptest.NewPriced(t)
	e, jobs := w.Swept(t, `name: priced
suite: [correctness, faithfulness]
judge: {provider: openai, model: judge-1}
base: {retrieve: {mode: bm25, k: 1}, generate: {provider: openai, model: writer-1}}
sweep: {generate.model: [writer-1, writer-2]}
`)
	for range 2 { // the second time everything is there already
		got, err := SearchSweep(t.Context(), w.Workbench, e, jobs, SearchRules{Confirm: true, Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range got.Pareto {
			lines, err := app.BillLines(t.Context(), w.Workbench, "stage", []string{got.Finished[i].ID})
			if err != nil {
				t.Fatal(err)
			}
			paid := int64(0)
			for _, l := range lines {
				if l.Value == "generate" {
					paid = l.ConfirmedMicros + l.SavedMicros
				}
			}
			if n := len(apptest.AskedQuestions); p.Micros == nil || paid == 0 || int64(*p.Micros*float64(n)+.5) != paid {
				t.Errorf("%v: %v for an answer; %d were paid for %d", got.Finished[i].Params, p.Micros, paid, n)
			}
		}
	}
}
