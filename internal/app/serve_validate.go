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
