package api

import (
	"cmp"
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// validationsRoutes are the routes that measure how far the words "cause" and "worse" can be trusted.
func (s *Resources) validationsRoutes(r *requests.Router) {
	requests.Start(r, "/validations/causes", requests.Run, "Put known faults into a system and count which are found", s.validations.validateCauses)
	requests.Start(r, "/validations/verdicts", requests.Run, "Set a judge's worse and better against what readers say", s.validations.validateVerdicts)
	requests.Start(r, "/validations/regressions", requests.Run, "Simulate comparisons, or compare an experiment with itself", s.validations.validateRegressions)
}

type validateCausesInput struct {
	OnceKey
	Body struct {
		Dataset    string    `json:"dataset,omitempty" maxLength:"200" doc:"put the faults into its text; default made-up text"`
		Corpus     string    `json:"corpus,omitempty" maxLength:"200" doc:"of the dataset"`
		Judge      string    `json:"judge,omitempty" maxLength:"200" doc:"with a dataset: a judge as provider/model instead of the scripted one"`
		Items      int       `json:"items,omitempty" minimum:"0" maximum:"100" doc:"with a dataset: answers of each fault at most; default 50"`
		Noise      []float64 `json:"noise,omitempty" maxItems:"10" doc:"shares of the scripted judge's calls that err, from 0 to below 0.5; default 0, 0.05 and 0.1"`
		Lasting    float64   `json:"lasting,omitempty" minimum:"0" maximum:"1" doc:"share of these errors that every vote repeats"`
		Batches    int       `json:"batches,omitempty" minimum:"0" maximum:"100" doc:"made-up corpora for each fault, of 50 answers each; of real text, draws of generator and judge. Default 10, of real text 1"`
		Conditions []string  `json:"conditions,omitempty" maxItems:"50" doc:"only these faults"`
		Seed       *uint64   `json:"seed,omitempty" doc:"of all chance; default 1"`
		Unlabelled bool      `json:"unlabelled,omitempty" doc:"with a judge, or with whole: hide the labelled evidence, so that it has to be found"`
		Whole      bool      `json:"whole,omitempty" doc:"with a dataset: whole faulty systems, scripted models, up to what the recommendation did"`
		Lenient    bool      `json:"lenient,omitempty" doc:"with whole: the judge takes a passage that holds a part of what a claim needs for evidence"`
		Budget     string    `json:"budget,omitempty" maxLength:"40" doc:"with a judge"`
	}
}

func (s *validationsAPI) validateCauses(ctx context.Context, in *validateCausesInput) (Job, error) {
	b := in.Body
	budget, err := budgetOf(b.Budget)
	if err != nil {
		return Job{}, err
	}
	if b.Budget != "" && b.Judge == "" {
		return Job{}, requests.Invalid("usage", "budget", "a budget belongs to a judge that is named; the scripted one buys nothing", "")
	}
	return job(views.ValidateCauses(ctx, s.work, validations.CauseValidation{
		Items: b.Dataset, Corpus: b.Corpus, Judge: b.Judge, N: b.Items, Noise: b.Noise, Lasting: b.Lasting, Batches: b.Batches,
		Seed:       seedOf(b.Seed),
		Conditions: b.Conditions, Unlabelled: b.Unlabelled, Whole: b.Whole, Lenient: b.Lenient, Budget: budget,
	}, in.Key))
}

// seedOf is the seed of a body, by default 1 as on the command line.
func seedOf(seed *uint64) uint64 {
	if seed == nil {
		return 1
	}
	return *seed
}

type validateVerdictsInput struct {
	OnceKey
	Body struct {
		Judge  string `json:"judge,omitempty" maxLength:"200" doc:"provider/model; default the offline judge"`
		Pairs  string `json:"pairs" minLength:"1" doc:"the lines of a file of pairs of answers with the verdicts of readers, as docs/verdicts.md describes it"`
		Source string `json:"source,omitempty" maxLength:"200" doc:"the name of the file"`
		Budget string `json:"budget,omitempty" maxLength:"40"`
		Plan   bool   `json:"plan,omitempty" doc:"only say what it would buy"`
	}
}

// validateVerdicts starts a job whose result is an [validations.VerdictReport].
func (s *validationsAPI) validateVerdicts(ctx context.Context, in *validateVerdictsInput) (Validating, error) {
	b := in.Body
	budget, err := budgetOf(b.Budget)
	if err != nil {
		return Validating{}, err
	}
	pairs, err := validation.ReadPairs([]byte(b.Pairs))
	if err != nil {
		return Validating{}, problem.From(err).With("field", "pairs")
	}
	v := validations.VerdictValidation{Judge: b.Judge, Pairs: pairs, Source: cmp.Or(b.Source, "pairs"), Budget: budget}
	plan, err := validations.PlanVerdicts(ctx, s.workbench, v)
	if plan.Stages == nil {
		plan.Stages = []app.StagePlan{}
	}
	if err != nil || b.Plan {
		return Validating{Plan: plan}, err
	}
	started, err := job(views.ValidateVerdicts(ctx, s.work, v, in.Key))
	return Validating{Plan: plan, Job: &started}, err
}

type validateRegressionsInput struct {
	OnceKey
	Body struct {
		Runs       int      `json:"runs,omitempty" minimum:"1" maximum:"1000" doc:"simulated runs of each world; default 100"`
		Seed       *uint64  `json:"seed,omitempty" doc:"of all chance; default 1"`
		Experiment string   `json:"experiment,omitempty" maxLength:"200" doc:"compare this experiment with itself instead of simulating"`
		Replicates int      `json:"replicates,omitempty" minimum:"0" maximum:"16" doc:"with an experiment: votes for each question; default 6"`
		Limit      int      `json:"limit,omitempty" minimum:"0" doc:"with an experiment: only the first questions"`
		Filter     []string `json:"filter,omitempty" maxItems:"20" doc:"with an experiment: tags that a question must have, all of them"`
		Budget     string   `json:"budget,omitempty" maxLength:"40" doc:"with an experiment"`
		Plan       bool     `json:"plan,omitempty" doc:"with an experiment: only say what it would buy"`
	}
}

// ValidatingRegressions is a plan, and the job where one was started. Simulating buys nothing.
type ValidatingRegressions struct {
	Plan votes.VotePrice `json:"plan"`
	Job  *Job            `json:"job,omitempty"`
}

func (s *validationsAPI) validateRegressions(ctx context.Context, in *validateRegressionsInput) (ValidatingRegressions, error) {
	b := in.Body
	budget, err := budgetOf(b.Budget)
	if err != nil {
		return ValidatingRegressions{}, err
	}
	if b.Experiment == "" {
		if b.Plan || b.Budget != "" || b.Replicates != 0 || b.Limit != 0 || len(b.Filter) > 0 {
			return ValidatingRegressions{}, requests.Invalid("usage", "experiment",
				"replicates, plan, budget, limit and filter belong to an experiment; simulating buys nothing", "name the experiment")
		}
		started, err := job(views.SimulateRegressions(ctx, s.work, cmp.Or(b.Runs, 100), seedOf(b.Seed), in.Key))
		return ValidatingRegressions{Plan: votes.VotePrice{Known: true, Currency: s.workbench.Config.Currency}, Job: &started}, err
	}
	if b.Runs != 0 {
		return ValidatingRegressions{}, requests.Invalid("usage", "runs", "simulated runs do not belong to an experiment",
			"leave out runs or experiment")
	}
	o := views.SelfOrder{
		Experiment: b.Experiment, Select: app.Select{Limit: b.Limit, Filter: b.Filter},
		Rules: validations.SelfRules{Votes: b.Replicates, Seed: seedOf(b.Seed), Budget: budget},
	}
	plan, err := views.PlanSelf(ctx, s.work, o)
	if err != nil || b.Plan {
		return ValidatingRegressions{Plan: plan}, err
	}
	started, err := job(views.CompareSelf(ctx, s.work, o, in.Key))
	return ValidatingRegressions{Plan: plan, Job: &started}, err
}
