package app

import "context"

// ValidateJudge measures a judge in the background and stores its card. Items are those of the demo: nothing over HTTP names a file.
func (b *Background) ValidateJudge(v Validation) (Work, error) {
	v.Items = ""
	return b.begin("validate_judge", workID("validate_judge", v.Judge), map[string]any{"judge": v.Judge}, func(ctx context.Context, change func(func(*Work))) error {
		v.Tell = func(_ string, done, total int) { change(func(w *Work) { w.Done, w.Total = done, total }) }
		card, err := b.w.ValidateJudge(ctx, v)
		change(func(w *Work) {
			if card.RunID != "" {
				w.Runs = append(w.Runs, card.RunID)
			}
		})
		return err
	})
}

// ValidateVerdicts sets a judge's verdicts against readers' in the background; the result of the work is a [VerdictReport]. Under a key
// that was used before it returns the job of then.
func (b *Background) ValidateVerdicts(ctx context.Context, v VerdictValidation, key string) (Work, error) {
	request := []any{v.Judge, v.Source, v.Pairs, v.Budget}
	begin := func(context.Context) (Work, error) {
		return b.begin("validate_verdicts", requestID("validate_verdicts", request), map[string]any{"judge": v.Judge, "source": v.Source}, func(ctx context.Context, change func(func(*Work))) error {
			v.Tell = func(_ string, done, total int) { change(func(w *Work) { w.Done, w.Total = done, total }) }
			report, err := b.w.ValidateVerdicts(ctx, v)
			if err != nil {
				return err
			}
			change(func(w *Work) { w.Runs = append(w.Runs, report.RunID) })
			return keepResult(change, report)
		})
	}
	return b.workOnce(ctx, "validate_verdicts", key, request, begin)
}
