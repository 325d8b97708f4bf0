package views

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

// ValidateJudge measures a judge in the background and stores its card. Items are those of the demo: nothing over HTTP names a file.
func ValidateJudge(b *jobs.Background, v validations.Validation) (jobs.Work, error) {
	v.Items = ""
	return b.Begin("validate_judge", jobs.WorkID("validate_judge", v.Judge), map[string]any{"judge": v.Judge},
		func(ctx context.Context, change func(func(*jobs.Work))) error {
			v.Tell = func(_ string, done, total int) { change(func(w *jobs.Work) { w.Done, w.Total = done, total }) }
			card, err := validations.ValidateJudge(ctx, b.W, v)
			change(func(w *jobs.Work) {
				if card.RunID != "" {
					w.Runs = append(w.Runs, card.RunID)
				}
			})
			return err
		})
}

// ValidateVerdicts sets a judge's verdicts against readers' in the background; the result of the work is a
// [validations.VerdictReport]. Under a key
// that was used before it returns the job of then.
func ValidateVerdicts(ctx context.Context, b *jobs.Background, v validations.VerdictValidation, key string) (jobs.Work, error) {
	request := []any{v.Judge, v.Source, v.Pairs, v.Budget}
	begin := func(context.Context) (jobs.Work, error) {
		return b.Begin("validate_verdicts", requestID("validate_verdicts", request), map[string]any{"judge": v.Judge, "source": v.Source},
			func(ctx context.Context, change func(func(*jobs.Work))) error {
				v.Tell = func(_ string, done, total int) { change(func(w *jobs.Work) { w.Done, w.Total = done, total }) }
				report, err := validations.ValidateVerdicts(ctx, b.W, v)
				if err != nil {
					return err
				}
				change(func(w *jobs.Work) { w.Runs = append(w.Runs, report.RunID) })
				return jobs.KeepResult(change, report)
			})
	}
	return b.WorkOnce(ctx, "validate_verdicts", key, request, begin)
}
