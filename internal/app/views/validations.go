package views

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/simulation"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ValidateCauses counts in the background which known faults are found: in made-up text, or in a stored dataset with its corpus. The
// result of the work is a list of [validation.CauseRow], of whole systems of [validation.WorldRow]. Under a key that was used
// before it returns the job of then.
func ValidateCauses(ctx context.Context, b *jobs.Background, v validations.CauseValidation, key string) (jobs.Work, error) {
	v.Named = true
	if err := checkCauses(ctx, b, v); err != nil {
		return jobs.Work{}, err
	}
	request := []any{v.Items, v.Corpus, v.Judge, v.N, v.Noise, v.Lasting, v.Batches, v.Seed, v.Conditions, v.Unlabelled, v.Budget}
	if v.Whole {
		request = append(request, "whole", v.Lenient)
	}
	begin := func(context.Context) (jobs.Work, error) {
		return b.Begin("validate_causes", requestID("validate_causes", request), request,
			func(ctx context.Context, change func(func(*jobs.Work))) error {
				v.Tell = telling(ctx, change)
				if v.Whole {
					rows, err := validations.ValidateSystems(ctx, b.W, v)
					if err != nil {
						return err
					}
					return jobs.KeepResult(change, rows)
				}
				rows, err := causeRows(ctx, b, v)
				if err != nil {
					return err
				}
				return jobs.KeepResult(change, rows)
			})
	}
	return b.WorkOnce(ctx, "validate_causes", key, request, begin)
}

func causeRows(ctx context.Context, b *jobs.Background, v validations.CauseValidation) ([]validation.CauseRow, error) {
	if v.Items != "" {
		return validations.ValidateCauses(ctx, b.W, v)
	}
	h := validation.CauseHarness{Noise: v.Noise, Lasting: v.Lasting, Batches: v.Batches, Seed: v.Seed, Conditions: v.Conditions}
	return h.Run(ctx, v.Tell)
}

// checkCauses refuses before anything is begun what would be refused later.
func checkCauses(ctx context.Context, b *jobs.Background, v validations.CauseValidation) error {
	usage := func(field, format string) error {
		return problem.New(problem.Invalid, "usage", "%s", format).With("field", field)
	}
	faults := validation.CauseConditions()
	if v.Whole {
		faults = validation.WorldConditions()
	}
	for _, name := range v.Conditions {
		if !slices.Contains(faults, name) {
			return problem.New(problem.Invalid, "condition_unknown", "there is no fault %q", name).With("field", "conditions").
				WithHint("faults are %v", faults)
		}
	}
	for _, share := range v.Noise {
		if !(share >= 0 && share < 0.5) {
			return problem.New(problem.Invalid, "harness_noise", "a judge that errs in %g of its calls makes no sense", share).
				With("field", "noise").WithHint("shares from 0 to below 0.5")
		}
	}
	if err := v.CheckWhole(); err != nil {
		return blame(err, map[string]string{"usage": "whole"})
	}
	switch {
	case v.Items == "" && (v.Judge != "" || v.Corpus != ""):
		return usage("dataset", "a judge and a corpus belong to a dataset; made-up text has its own judge and buys nothing")
	case v.Judge == "" && !v.Whole && v.Unlabelled:
		return usage("unlabelled", "labels are hidden from a judge that is named; the scripted one sees none")
	case v.Items == "":
		return nil
	case v.Corpus == "":
		return usage("corpus", "a dataset needs the corpus in which its evidence lies")
	}
	if v.Judge != "" {
		judge, err := app.JudgeConfigOf(v.Judge)
		if err == nil {
			_, err = b.W.Providers.Provider(judge.Provider)
		}
		if err != nil {
			return problem.From(err).With("field", "judge")
		}
	}
	_, err := validations.NamedMaterial(ctx, b.W, v)
	return blame(err, map[string]string{"cause_items": "dataset"})
}

// SimulateRegressions plays comparisons whose truth is known, in the background; the result of the work is an [validation.Simulation].
func SimulateRegressions(ctx context.Context, b *jobs.Background, runs int, seed uint64, key string) (jobs.Work, error) {
	request := []any{runs, seed}
	begin := func(context.Context) (jobs.Work, error) {
		return b.Begin("validate_regressions", requestID("simulate", request), request,
			func(ctx context.Context, change func(func(*jobs.Work))) error {
				s, err := simulation.Run(runs, seed, telling(ctx, change))
				if err != nil {
					return err
				}
				return jobs.KeepResult(change, s)
			})
	}
	return b.WorkOnce(ctx, "validate_regressions", key, request, begin)
}

// SelfOrder is a comparison of a registered experiment with itself.
type SelfOrder struct {
	Experiment string
	Select     app.Select
	Rules      validations.SelfRules
}

// PlanSelf says what comparing an experiment with itself would buy.
func PlanSelf(ctx context.Context, b *jobs.Background, o SelfOrder) (votes.VotePrice, error) {
	e, err := b.W.Store.Experiment(ctx, o.Experiment)
	if err != nil {
		return votes.VotePrice{}, err
	}
	plan, err := validations.PlanSelf(ctx, b.W, e, o.Select, o.Rules)
	return plan, blame(err, map[string]string{"replicates": "replicates"})
}

// CompareSelf compares an experiment with itself in the background; the result of the work is a [validations.SelfTest], also of one
// that was
// broken off. Another call goes on where one stopped.
func CompareSelf(ctx context.Context, b *jobs.Background, o SelfOrder, key string) (jobs.Work, error) {
	e, err := b.W.Store.Experiment(ctx, o.Experiment)
	if err != nil {
		return jobs.Work{}, err
	}
	begin := func(context.Context) (jobs.Work, error) {
		id := requestID("compare_self", []any{e.Name, e.Revision, o.Select, o.Rules.Votes, o.Rules.Seed})
		return b.Begin("validate_regressions", id, o, func(ctx context.Context, change func(func(*jobs.Work))) error {
			test, err := validations.CompareSelf(ctx, b.W, e, o.Select, o.Rules)
			change(func(w *jobs.Work) {
				if test.RunID != "" {
					w.Runs = append([]string{test.RunID}, test.Children...)
				}
			})
			if keepErr := jobs.KeepResult(change, test); err == nil {
				err = keepErr
			}
			return err
		})
	}
	return b.WorkOnce(ctx, "validate_regressions", key, o, begin)
}

// telling puts the steps of a long computation on its work, and ends it with the server.
func telling(ctx context.Context, change func(func(*jobs.Work))) func(done, of int, what string) error {
	return func(done, of int, _ string) error {
		change(func(w *jobs.Work) { w.Done, w.Total = done, of })
		return ctx.Err()
	}
}

// requestID follows from a request, so that asking twice finds the same work.
func requestID(kind string, request any) string {
	body, err := json.Marshal(request)
	if err != nil {
		panic("a request is not JSON: " + err.Error()) // it came as JSON
	}
	return jobs.WorkID(kind, string(body))
}
