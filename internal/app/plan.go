package app

import (
	"context"
	"errors"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store"
)

// Plan says what jobs would ask for and what is known already. It is found by going through every question without
// buying anything: a reply that would have to be bought is replaced by a stand-in, and everything that depends on it
// counts as still to buy. That is done twice, with stand-ins as large as replies ever are and as large as they usually are: Buy and
// PriceMicros are upper bounds, and beside them stands what is expected. Attempts that fail and are repeated come on top of both.
type Plan struct {
	Runs           int         `json:"runs"`
	Questions      int         `json:"questions"` // over all runs
	Stages         []StagePlan `json:"stages"`
	Buy            int         `json:"buy"`             // calls, at most
	ExpectedBuy    int         `json:"expected_buy"`    // calls, as things usually go
	PriceMicros    int64       `json:"price_micros"`    // at most
	ExpectedMicros int64       `json:"expected_micros"` // as things usually go, and as the experiment went so far
	// of a sweep: calls and price where all its configurations give a question the same answer, which is judged once
	AlikeBuy    int   `json:"alike_buy,omitempty"`
	AlikeMicros int64 `json:"alike_micros,omitempty"`

	PriceKnown bool   `json:"price_known"` // false: some model has no price, and both prices leave it out
	Currency   string `json:"currency"`

	// What test calls found out before of the models that are to be paid: how they reply, how fast, within which limits.
	Probes []llm.Probe `json:"probes,omitempty"`

	// Of a sweep: how many combinations are written that make sense, of which Runs are different, and how often each layer of the
	// work is done for them.
	Written int         `json:"written,omitempty"`
	Layers  []LayerPlan `json:"layers,omitempty"`

	// of which questions the marked evidence does not stand in the documents; absent where all of it does
	Evidence *findings.Text `json:"evidence,omitempty"`

	Search *findings.Text `json:"search,omitempty"` // that the runs search otherwise than the plan; absent where they do not
}

// LayerPlan is one layer of the work of a sweep, with what is to be bought for it.
type LayerPlan struct {
	rag.Layer
	InAll int        `json:"in_all"`         // over all questions
	Buys  *StagePlan `json:"buys,omitempty"` // the stage that pays for the layer; absent where nothing is bought for it
}

// layerStages are the stages that pay for layers.
var layerStages = map[string]string{"vectors": "embed", "rerank": "rerank", "answer": "generate"}

// layersOf are the layers of several jobs.
func layersOf(jobs []Job, stages []StagePlan) []LayerPlan {
	if len(jobs) < 2 {
		return nil
	}
	configs, corpora := make([]rag.Config, len(jobs)), make([]string, len(jobs))
	for i, j := range jobs {
		configs[i], corpora[i] = j.Setup.Config, j.Setup.Corpus.String()
	}
	var out []LayerPlan
	for _, layer := range rag.LayersOf(configs, corpora) {
		p := LayerPlan{Layer: layer, InAll: layer.Different}
		if layer.PerQuestion {
			p.InAll *= len(jobs[0].Questions)
		}
		for _, s := range stages {
			if s.Stage == layerStages[layer.Name] {
				p.Buys = &s
			}
		}
		out = append(out, p)
	}
	return out
}

// PlanSweep is Plan for the jobs of an experiment's sweep.
func (w *Workbench) PlanSweep(ctx context.Context, e experiments.Experiment, jobs []Job) (Plan, error) {
	plan, err := w.Plan(ctx, jobs)
	if err != nil {
		return plan, err
	}
	different, skipped, err := e.Definition.Expand()
	plan.Written = len(different)
	for _, s := range skipped {
		if s.Same != nil {
			plan.Written++
		}
	}
	return plan, err
}

// StagePlan is one stage of a plan.
type StagePlan struct {
	Stage          string `json:"stage"`  // "embed" counts texts, the others calls
	Free           int    `json:"free"`   // computed here, at no cost
	Known          int    `json:"known"`  // bought before: served from the ledger
	Buy            int    `json:"buy"`    // to be bought at most, each distinct request once
	Tokens         int    `json:"tokens"` // that are sent then, estimated
	PriceMicros    int64  `json:"price_micros"`
	ExpectedBuy    int    `json:"expected_buy"`
	ExpectedTokens int    `json:"expected_tokens"`
	ExpectedMicros int64  `json:"expected_micros"`
	PriceKnown     bool   `json:"price_known"`
}

// plannedStages are the stages in the order of the work.
var plannedStages = []string{StagePreflight, "embed", "rewrite", "rerank", "generate", "endpoint", "judge"}

// Plan goes through the jobs without buying anything.
func (w *Workbench) Plan(ctx context.Context, jobs []Job) (Plan, error) {
	experiment := ""
	if len(jobs) > 0 {
		experiment = jobs[0].Setup.Experiment
	}
	walk := func(t *Tally) error {
		stages, indexes := &Memory{verdicts: w.Whole}, rag.NewIndexes(2).Under(w.Indexes.Budget()) // of one kind of stand-ins
		for _, job := range jobs {
			if err := t.walk(ctx, job, stages, indexes); err != nil {
				return err
			}
		}
		return nil
	}
	plan, err := w.Planned(ctx, experiment, walk)
	if err == nil && len(jobs) > 1 && plan.Buy > 0 {
		plan.AlikeBuy, plan.AlikeMicros, err = w.alike(ctx, experiment, plan, walk)
	}
	plan.Runs = len(jobs)
	configs := make([]rag.Config, len(jobs))
	for i, job := range jobs {
		plan.Questions += len(job.Questions)
		configs[i] = job.Setup.Config
	}
	plan.Search = findings.SearchPlanned(configs)
	plan.Layers = layersOf(jobs, plan.Stages)
	if err == nil {
		plan.Evidence, err = w.EvidenceGone(ctx, jobs)
	}
	return plan, err
}

// Planned goes through work with a tally that never buys: once for the most it may take, and once for what it usually takes.
// experiment is whose calls say how long replies are; "" takes those of all.
func (w *Workbench) Planned(ctx context.Context, experiment string, work func(*Tally) error) (Plan, error) {
	plan := Plan{Runs: 1, Stages: []StagePlan{}, PriceKnown: true, Currency: w.Config.Currency}
	known, err := w.Known()
	if err != nil {
		return plan, err
	}
	most := &Tally{workbench: w, known: known, most: true, stages: map[string]*StagePlan{}, seen: map[llm.Key]bool{},
		texts: map[string]bool{}}
	if err := work(most); err != nil {
		return plan, err
	}
	usual := most
	if most.buys() {
		usage, err := w.Whole.Usage(ctx, experiment)
		if err != nil {
			return plan, err
		}
		usual = &Tally{workbench: w, known: known, usage: usage, stages: map[string]*StagePlan{}, seen: map[llm.Key]bool{},
			texts: map[string]bool{}}
		if err := work(usual); err != nil {
			return plan, err
		}
	}
	for _, name := range plannedStages {
		if most.stages[name] == nil && usual.stages[name] == nil {
			continue
		}
		s, expected := most.stage(name), usual.stage(name)
		s.ExpectedBuy, s.ExpectedTokens = min(s.Buy, expected.Buy), min(s.Tokens, expected.Tokens)
		s.ExpectedMicros = min(s.PriceMicros, expected.PriceMicros)
		plan.Stages = append(plan.Stages, *s)
		plan.Buy += s.Buy
		plan.ExpectedBuy += s.ExpectedBuy
		plan.PriceMicros += s.PriceMicros
		plan.ExpectedMicros += s.ExpectedMicros
		plan.PriceKnown = plan.PriceKnown && s.PriceKnown
	}
	return plan, plan.recall(ctx, w.Whole, most)
}

// alike is what several jobs take where they give a question the same answer, whatever they retrieve. Different contexts often do, and
// nobody knows before how often.
func (w *Workbench) alike(ctx context.Context, experiment string, plan Plan, walk func(*Tally) error) (calls int, micros int64, err error) {
	known, err := w.Known()
	if err != nil {
		return 0, 0, err
	}
	usage, err := w.Whole.Usage(ctx, experiment)
	if err != nil {
		return 0, 0, err
	}
	t := &Tally{workbench: w, known: known, usage: usage, alike: true, stages: map[string]*StagePlan{}, seen: map[llm.Key]bool{},
		texts: map[string]bool{}}
	if err := walk(t); err != nil {
		return 0, 0, err
	}
	for _, s := range plan.Stages {
		calls += min(s.ExpectedBuy, t.stage(s.Stage).Buy)
		micros += min(s.ExpectedMicros, t.stage(s.Stage).PriceMicros)
	}
	return calls, micros, nil
}

// recall adds what is known of the models that a tally would pay.
func (p *Plan) recall(ctx context.Context, keeper ProbeKeeper, t *Tally) error {
	if len(t.tests) == 0 {
		return nil
	}
	known, err := keeper.Probes(ctx)
	for _, b := range known {
		if t.tests[tested{b.Provider, b.Origin, aim{b.Model, b.Purpose}}] {
			p.Probes = append(p.Probes, b)
		}
	}
	return err
}

func (t *Tally) walk(ctx context.Context, job Job, stages rag.Stages, indexes *rag.Indexes) error {
	t.answersOf(job)
	corpus, err := t.workbench.CorpusOf(ctx, job.Setup)
	if err != nil {
		return err
	}
	system, err := rag.Open(ctx, job.Setup.Config, corpus, t, indexes, stages)
	if err != nil {
		return err
	}
	defer system.Close()
	suite, err := metrics.NewSuite(job.Setup.Suite, job.Setup.Judge, t, stages)
	if err != nil {
		return err
	}
	// The requests are those of the run: what a fire asks anew, and what a replicate asks again, is not known from before.
	scope := llm.Scope{Replicate: job.Setup.Replicate, Fresh: job.Setup.Fire, Rejudge: job.Setup.Rejudge}
	for _, q := range job.Questions {
		scope.QuestionID = q.ID
		ctx := llm.WithScope(ctx, scope)
		answer, err := system.Answer(ctx, q.Text)
		if _, ofModel := errors.AsType[*llm.Error](err); ofModel && ctx.Err() == nil {
			continue // the run will meet it too: nothing to judge
		}
		if err != nil {
			return err
		}
		if _, err := suite.Score(ctx, q.Sample(corpus, answer)); err != nil {
			return err
		}
	}
	return nil
}

// Memory keeps stage outputs for the time of a plan. The store's are left aside on purpose: what is known is counted
// where it was bought, in the ledger. Only verdicts on single claims can come from requests that are not asked in this way again.
// The zero value is empty and knows no verdicts.
type Memory struct {
	rag.MemoryStages
	verdicts *store.Store // nil knows none
}

// Stage looks in memory.
func (m *Memory) Stage(ctx context.Context, key string) ([]byte, bool, error) {
	body, ok, err := m.MemoryStages.Stage(ctx, key)
	if ok || err != nil || m.verdicts == nil {
		return body, ok, err
	}
	return m.verdicts.StageOf(ctx, metrics.KindVerdict, key)
}
