package app

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ValidateCauses counts in the background which known faults are found: in made-up text, or in a stored dataset with its corpus. The
// result of the work is a list of [validation.CauseRow]. Under a key that was used before it returns the job of then.
func (b *Background) ValidateCauses(ctx context.Context, v CauseValidation, key string) (Work, error) {
	v.Named = true
	if err := b.checkCauses(ctx, v); err != nil {
		return Work{}, err
	}
	request := []any{v.Items, v.Corpus, v.Judge, v.N, v.Noise, v.Lasting, v.Batches, v.Seed, v.Conditions, v.Unlabelled, v.Budget}
	begin := func(context.Context) (Work, error) {
		return b.begin("validate_causes", requestID("validate_causes", request), request, func(ctx context.Context, change func(func(*Work))) error {
			v.Tell = telling(ctx, change)
			rows, err := b.causeRows(ctx, v)
			if err != nil {
				return err
			}
			return keepResult(change, rows)
		})
	}
	return b.workOnce(ctx, "validate_causes", key, request, begin)
}

func (b *Background) causeRows(ctx context.Context, v CauseValidation) ([]validation.CauseRow, error) {
	if v.Items != "" {
		return b.w.ValidateCauses(ctx, v)
	}
	h := validation.CauseHarness{Noise: v.Noise, Lasting: v.Lasting, Batches: v.Batches, Seed: v.Seed, Conditions: v.Conditions}
	return h.Run(ctx, v.Tell)
}

// checkCauses refuses before anything is begun what would be refused later.
func (b *Background) checkCauses(ctx context.Context, v CauseValidation) error {
	usage := func(field, format string) error {
		return problem.New(problem.Invalid, "usage", "%s", format).With("field", field)
	}
	for _, name := range v.Conditions {
		if !slices.Contains(validation.CauseConditions(), name) {
			return problem.New(problem.Invalid, "condition_unknown", "there is no fault %q", name).With("field", "conditions").WithHint("faults are %v", validation.CauseConditions())
		}
	}
	for _, share := range v.Noise {
		if !(share >= 0 && share < 0.5) {
			return problem.New(problem.Invalid, "harness_noise", "a judge that errs in %g of its calls makes no sense", share).With("field", "noise").WithHint("shares from 0 to below 0.5")
		}
	}
	switch {
	case v.Items == "" && (v.Judge != "" || v.Corpus != ""):
		return usage("dataset", "a judge and a corpus belong to a dataset; made-up text has its own judge and buys nothing")
	case v.Judge == "" && v.Unlabelled:
		return usage("unlabelled", "labels are hidden from a judge that is named; the scripted one sees none")
	case v.Items == "":
		return nil
	case v.Corpus == "":
		return usage("corpus", "a dataset needs the corpus in which its evidence lies")
	}
	if v.Judge != "" {
		judge, err := JudgeConfigOf(v.Judge)
		if err == nil {
			_, err = b.w.providers.Provider(judge.Provider)
		}
		if err != nil {
			return problem.From(err).With("field", "judge")
		}
	}
	_, err := b.w.namedMaterial(ctx, v)
	return blame(err, map[string]string{"cause_items": "dataset"})
}

// SimulateRegressions plays comparisons whose truth is known, in the background; the result of the work is an [validation.Simulation].
func (b *Background) SimulateRegressions(ctx context.Context, runs int, seed uint64, key string) (Work, error) {
	request := []any{runs, seed}
	begin := func(context.Context) (Work, error) {
		return b.begin("validate_regressions", requestID("simulate", request), request, func(ctx context.Context, change func(func(*Work))) error {
			s, err := validation.Simulate(runs, seed, telling(ctx, change))
			if err != nil {
				return err
			}
			return keepResult(change, s)
		})
	}
	return b.workOnce(ctx, "validate_regressions", key, request, begin)
}

// SelfOrder is a comparison of a registered experiment with itself.
type SelfOrder struct {
	Experiment string
	Select     Select
	Rules      SelfRules
}

// PlanSelf says what comparing an experiment with itself would buy.
func (b *Background) PlanSelf(ctx context.Context, o SelfOrder) (VotePrice, error) {
	e, err := b.w.Store.Experiment(ctx, o.Experiment)
	if err != nil {
		return VotePrice{}, err
	}
	plan, err := b.w.PlanSelf(ctx, e, o.Select, o.Rules)
	return plan, blame(err, map[string]string{"replicates": "replicates"})
}

// CompareSelf compares an experiment with itself in the background; the result of the work is a [SelfTest], also of one that was
// broken off. Another call goes on where one stopped.
func (b *Background) CompareSelf(ctx context.Context, o SelfOrder, key string) (Work, error) {
	e, err := b.w.Store.Experiment(ctx, o.Experiment)
	if err != nil {
		return Work{}, err
	}
	begin := func(context.Context) (Work, error) {
		id := requestID("compare_self", []any{e.Name, e.Revision, o.Select, o.Rules.Votes, o.Rules.Seed})
		return b.begin("validate_regressions", id, o, func(ctx context.Context, change func(func(*Work))) error {
			test, err := b.w.CompareSelf(ctx, e, o.Select, o.Rules)
			change(func(w *Work) {
				if test.RunID != "" {
					w.Runs = append([]string{test.RunID}, test.Children...)
				}
			})
			if keepErr := keepResult(change, test); err == nil {
				err = keepErr
			}
			return err
		})
	}
	return b.workOnce(ctx, "validate_regressions", key, o, begin)
}

// telling puts the steps of a long computation on its work, and ends it with the server.
func telling(ctx context.Context, change func(func(*Work))) func(done, of int, what string) error {
	return func(done, of int, _ string) error {
		change(func(w *Work) { w.Done, w.Total = done, of })
		return ctx.Err()
	}
}

// requestID follows from a request, so that asking twice finds the same work.
func requestID(kind string, request any) string {
	body, err := json.Marshal(request)
	if err != nil {
		panic("a request is not JSON: " + err.Error()) // it came as JSON
	}
	return workID(kind, string(body))
}
