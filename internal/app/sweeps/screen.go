package sweeps

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Screening is what retrieval alone says about the configurations of a sweep, before any model answers.
type Screening struct {
	RunID     string               `json:"run_id,omitempty"` // that bought embeddings; "" where they are free or were there
	By        string               `json:"by,omitempty"`     // what the best ways were taken by; "": the front was kept
	Questions int                  `json:"questions"`        // with evidence in the corpus
	Without   int                  `json:"without_evidence"` // that screening cannot use
	Ways      []compare.Screened   `json:"ways"`             // different ways to retrieve, in the order of the axes
	Effects   compare.SweepEffects `json:"effects"`          // on span coverage
}

// Pick says which ways to retrieve go on after screening.
type Pick struct {
	Most int              // at most so many that no other beats in coverage, order and size of the contexts at once
	Best experiments.Best // or, where Top is set, so many with the best scores, by what; they may ask models to rewrite and rerank
}

// ScreenSweep retrieves for every question by every way of retrieving that the jobs have, and keeps those worth paying for.
// No generator and no judge is asked. It returns the jobs that retrieve in a kept way. An embedder that costs money is paid within the
// budget, and so is a model that rewrites or reranks; the runs of the sweep need what is bought anyway. It fails where no question has
// evidence spans, and without Best where retrieval asks a model.
func ScreenSweep(ctx context.Context, w *app.Workbench, jobs []app.Job, pick Pick, budget experiments.Budget) (Screening,
	[]app.Job, error) {
	out := Screening{}
	if err := pick.check(); err != nil {
		return out, nil, err
	}
	ways, err := waysOf(jobs, pick.Best.Top > 0)
	if err != nil {
		return out, nil, err
	}
	ctx, done, err := screenRun(ctx, w, jobs, budget, &out)
	if err != nil {
		return out, nil, err
	}
	evaluations, err := screenWays(ctx, w, asked{w.Providers, w.Indexes}, jobs, ways, &out)
	if err = done(err); err != nil {
		return out, nil, err
	}
	kept, err := pick.from(jobs, ways, evaluations, &out)
	return out, kept, err
}

// from keeps the best of the ways, and returns their jobs.
func (pick Pick) from(jobs []app.Job, ways []compare.Screened, evaluations []experiments.Evaluation, out *Screening) (kept []app.Job,
	err error) {
	if pick.Best.Top > 0 {
		out.By = pick.Best.By
		out.Ways, err = compare.TopScreened(ways, pick.Best.Top, pick.Best.By == experiments.ByNDCG)
	} else {
		out.Ways, err = compare.Screen(ways, pick.Most)
	}
	if err != nil {
		return nil, err
	}
	out.Effects = compare.MainEffectsOf(evaluations, "span_coverage")
	for i, job := range jobs {
		for _, way := range out.Ways {
			if way.Kept && slices.Contains(way.Jobs, i) {
				kept = append(kept, job)
			}
		}
	}
	return kept, nil
}

func (p Pick) check() error {
	if p.Best.Top == 0 && (p.Most < 1 || p.Most > compare.MostScreened) {
		return badScreen(p.Most)
	}
	return nil
}

// waysOf groups the jobs that retrieve alike. models says whether they may ask some.
func waysOf(jobs []app.Job, models bool) ([]compare.Screened, error) {
	at := map[string]int{}
	var ways []compare.Screened
	for i, j := range jobs {
		c := j.Setup.Config
		switch {
		case c.IsOutside():
			return nil, problem.New(problem.Invalid, "screen_outside",
				"screening retrieves by itself; this experiment's system runs elsewhere").
				WithHint("run the sweep without --screen")
		case !models && (c.Rewrite.Asks() || c.Rerank.Asks()):
			return nil, problem.New(problem.Invalid, "screen_model", "screening asks no model, and %s asks one to rewrite or rerank",
				experiments.Describe(j.Params)).
				WithHint("screen with rewrite and rerank none, expand or lexical first, or run the sweep without --screen")
		}
		key := rag.StageKey("way", "1", j.Setup.Corpus, c.Chunk, c.Embedding, c.Rewrite, c.Retrieve, c.Rerank)
		if _, known := at[key]; !known {
			at[key] = len(ways)
			ways = append(ways, compare.Screened{Name: experiments.Describe(retrievalParams(j.Params))})
		}
		ways[at[key]].Jobs = append(ways[at[key]].Jobs, i)
	}
	return ways, nil
}

// retrievalParams are the parameters that decide what is retrieved.
func retrievalParams(params []experiments.Param) []experiments.Param {
	var out []experiments.Param
	for _, p := range params {
		stage, _, _ := strings.Cut(p.Name, ".")
		if slices.Contains([]string{"corpus", "chunk", "embedding", "rewrite", "retrieve", "rerank"}, stage) {
			out = append(out, p)
		}
	}
	return out
}

// screenRun opens a run for the bill where some embedder costs money. done closes it and passes its error on.
func screenRun(ctx context.Context, w *app.Workbench, jobs []app.Job, budget experiments.Budget, out *Screening) (context.Context,
	func(error) error, error) {
	none := func(err error) error { return err }
	if free, err := freeToScreen(w, jobs); err != nil || free {
		return ctx, none, err
	}
	runner := w.Runner(jobs[0].Setup)
	run := experiments.Run{Kind: experiments.KindSweep, Setup: jobs[0].Setup, Budget: budget,
		Params: []experiments.Param{{Name: "stage", Value: "screen"}}}
	run, err := runner.Create(ctx, run, nil)
	if err != nil {
		return ctx, none, err
	}
	now := w.Options.Now()
	if run, err = w.Store.ClaimRun(ctx, run.ID, w.Owner, now, now.Add(-experiments.StaleAfter)); err != nil {
		return ctx, none, err
	}
	out.RunID = run.ID
	done := func(err error) error {
		if err != nil {
			return runner.Stop(ctx, run, err)
		}
		_, err = runner.FinishWith(ctx, run, app.SumTotals(nil), experiments.SweepChain(nil))
		return err
	}
	return llm.WithScope(ctx, llm.Scope{RunID: run.ID}), done, nil
}

// freeToScreen reports whether everybody whom retrieval asks costs nothing.
func freeToScreen(w *app.Workbench, jobs []app.Job) (bool, error) {
	for _, j := range jobs {
		c := j.Setup.Config
		if c.IsOutside() {
			continue
		}
		c.Generate = rag.DefaultConfig().Generate
		for _, name := range c.ProviderNames() {
			p, err := w.Providers.Provider(name)
			if err != nil {
				return false, err
			}
			if !p.Info().Free {
				return false, nil
			}
		}
	}
	return true, nil
}

// asked is who is asked for vectors, and where the indexes of them are.
type asked struct {
	providers rag.Providers
	indexes   *rag.Indexes
}

// screenWays scores every way, those that share an index one after the other. The evaluations hold what main effects need.
func screenWays(ctx context.Context, w *app.Workbench, of asked, jobs []app.Job, ways []compare.Screened,
	out *Screening) ([]experiments.Evaluation, error) {
	questions := slices.DeleteFunc(slices.Clone(jobs[0].Questions), func(q experiments.Question) bool { return len(q.Evidence) == 0 })
	out.Questions, out.Without = len(questions), len(jobs[0].Questions)-len(questions)
	if len(questions) == 0 {
		return nil, noEvidence(jobs)
	}
	specs, err := metrics.Resolve([]string{"span_coverage", "ndcg"})
	if err != nil {
		return nil, err
	}
	suite, err := metrics.NewSuite(specs, metrics.DefaultJudge(), of.providers, w.Store)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(ways))
	for i := range order {
		order[i] = i
	}
	index := func(i int) string {
		s := jobs[ways[i].Jobs[0]].Setup
		return rag.StageKey("group", "1", s.Corpus, s.Config.Chunk, s.Config.Retrieve.Mode, s.Config.Embedding)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(index(a), index(b)) })
	evaluations := make([]experiments.Evaluation, len(ways))
	for _, i := range order {
		job := jobs[ways[i].Jobs[0]]
		e := experiments.Evaluation{Run: experiments.Run{Params: retrievalParams(job.Params), Setup: job.Setup}, Questions: questions}
		if e.Results, err = screenWay(ctx, w, of, job.Setup, questions, suite, &ways[i]); err != nil {
			return nil, err
		}
		evaluations[i] = e
	}
	return evaluations, nil
}

// screenWay retrieves for every question. What is found is not stored: it costs less to find again than to keep.
func screenWay(ctx context.Context, w *app.Workbench, of asked, setup experiments.Setup,
	questions []experiments.Question, suite *metrics.Suite, way *compare.Screened) ([]experiments.Result, error) {
	corpus, err := w.CorpusOf(ctx, setup)
	if err != nil {
		return nil, err
	}
	setup.Config.Generate = rag.DefaultConfig().Generate // nobody answers: its key need not be there
	system, err := rag.Open(ctx, setup.Config, corpus, of.providers, of.indexes, &rag.MemoryStages{})
	if err != nil {
		return nil, err
	}
	defer system.Close()
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i] = q.Text
	}
	if err := system.Expect(ctx, texts); err != nil {
		return nil, err
	}
	var results []experiments.Result
	tokens := 0
	for _, q := range questions {
		found, _, err := system.Retrieve(ctx, q.Text)
		if err != nil {
			return nil, err
		}
		scores, err := suite.Score(ctx, q.Sample(corpus, rag.Answer{Retrieval: found}))
		if err != nil {
			return nil, err
		}
		results = append(results, experiments.Result{QuestionID: q.ID, Replicate: setup.Replicate, Scores: scores})
		tokens += contextTokens(found.Hits)
	}
	totals := experiments.Total(results, setup.LowRule())
	way.Coverage, way.NDCG, way.N = totals.Scores["span_coverage"].Mean, totals.Scores["ndcg"].Mean, totals.Scores["span_coverage"].N
	way.Tokens = float64(tokens) / float64(len(questions))
	for _, r := range results {
		coverage, _ := r.Score("span_coverage")
		ndcg, _ := r.Score("ndcg")
		way.Scores = append(way.Scores, [2]float64{coverage.Value, ndcg.Value})
	}
	return results, nil
}

func contextTokens(hits []rag.Hit) int {
	n := 0
	for _, h := range hits {
		n += llm.EstimateTokens(h.Text)
	}
	return n
}

// mostKept is how many jobs go on at most, where nobody knows yet which.
func mostKept(jobs []app.Job, pick Pick) (int, error) {
	ways, err := waysOf(jobs, pick.Best.Top > 0)
	if err != nil {
		return 0, err
	}
	slices.SortFunc(ways, func(a, b compare.Screened) int { return len(b.Jobs) - len(a.Jobs) })
	n := 0
	for _, way := range ways[:min(len(ways), max(pick.Most, pick.Best.Top))] {
		n += len(way.Jobs)
	}
	return n, nil
}

// PlanScreen screens where that costs nothing: everybody is free, or what retrieval needs was bought before. Where somebody would have to
// be paid it does nothing and returns all jobs.
func PlanScreen(ctx context.Context, w *app.Workbench, jobs []app.Job, pick Pick) (*Screening, []app.Job, error) {
	free, err := freeToScreen(w, jobs)
	if err != nil {
		return nil, jobs, err
	}
	if free {
		screening, kept, err := ScreenSweep(ctx, w, jobs, pick, experiments.Budget{})
		return &screening, kept, err
	}
	if err := pick.check(); err != nil {
		return nil, jobs, err
	}
	ways, err := waysOf(jobs, pick.Best.Top > 0)
	if err != nil {
		return nil, jobs, err
	}
	var out Screening
	var scored []compare.Screened
	var evaluations []experiments.Evaluation
	plan, err := w.Planned(ctx, jobs[0].Setup.Experiment, func(t *app.Tally) (err error) {
		out, scored = Screening{}, slices.Clone(ways)
		// an index with stand-ins for vectors is nobody else's
		evaluations, err = screenWays(ctx, w, asked{t, rag.NewIndexes(2).Under(w.Indexes.Budget())}, jobs, scored, &out)
		return err
	})
	if _, paid := errors.AsType[*llm.NotBought](err); paid || err == nil && plan.Buy > 0 {
		return nil, jobs, nil
	}
	if err != nil {
		return nil, jobs, err
	}
	kept, err := pick.from(jobs, scored, evaluations, &out)
	return &out, kept, err
}
