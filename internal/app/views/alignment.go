package views

import (
	"context"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

// QueueView is how far the reviewers of a run are, and what came of it.
type QueueView struct {
	Queue  reviews.Queue          `json:"queue"`
	Errors []JudgeErrorSaid       `json:"errors"` // how often the judge errs
	Pairs  int                    `json:"pairs"`  // answers on which two people decided
	Kappa  *float64               `json:"kappa,omitempty"`
	Alpha  *float64               `json:"alpha,omitempty"`
	Low    *float64               `json:"low,omitempty"`  // 95% interval of kappa, of alpha where there is none
	High   *float64               `json:"high,omitempty"` //
	You    string                 `json:"you"`            // who asks; "" where nobody signs in
	Align  validations.AlignState `json:"align"`
}

// JudgeErrorSaid is how often people contradict the judge, in a sentence.
type JudgeErrorSaid struct {
	Of    string `json:"of"`    // "verdict" or "trust"
	Class string `json:"class"` // "" for all that the judge calls low, or all that it does not
	Low   bool   `json:"low"`   // an error is a false red; otherwise a false green
	N     int    `json:"n"`
	Wrong int    `json:"wrong"`
	Needs int    `json:"needs"` // reviews that are missing to tell; 0: enough
	validations.Said
}

// ReviewQueue says how far the reviewers of a run are, and what their reviews say of the judge. you is who asks, "" for nobody in
// particular.
func (v *libraryViews) ReviewQueue(ctx context.Context, run, you string) (QueueView, error) {
	q, err := reviews.QueueOf(ctx, v.w, run)
	if err != nil {
		return QueueView{}, err
	}
	f, err := reviews.ReviewFigures(ctx, v.w, q.RunID)
	if err != nil {
		return QueueView{}, err
	}
	out := QueueView{Queue: q, Errors: []JudgeErrorSaid{}, You: you}
	for _, e := range f.Errors {
		out.Errors = append(out.Errors, JudgeErrorSaid{Of: e.Of, Class: string(e.Class), Low: e.Low, N: e.N, Wrong: e.Wrong, Needs: e.Needs,
			Said: validations.Said{EN: e.Says("en"), JA: e.Says("ja")}})
	}
	for _, p := range f.People {
		if p.Of != "verdict" {
			continue
		}
		out.Pairs, out.Kappa, out.Alpha = p.N, p.Kappa, p.Alpha
		if p.CI95 != nil {
			out.Low, out.High = &p.CI95.Low, &p.CI95.High
		}
	}
	out.Align, err = validations.AlignmentOf(ctx, v.w, validations.AlignOrder{Run: q.RunID, Seed: 1})
	return out, err
}

// JudgeCardView is a judge card with what is said of the tests of examples on it, the newest first.
type JudgeCardView struct {
	validation.JudgeCard
	Aligned []AlignedSaid `json:"aligned"`
}

// AlignedSaid is one test of examples in sentences.
type AlignedSaid struct {
	RunID      string           `json:"run_id"` // whose answers were reviewed
	MeasuredAt time.Time        `json:"measured_at"`
	Says       validations.Said `json:"says"`
	Rates      validations.Said `json:"rates"`
}

func cardView(c validation.JudgeCard) JudgeCardView {
	out := JudgeCardView{c, []AlignedSaid{}}
	for _, a := range slices.Backward(c.Alignments) {
		out.Aligned = append(out.Aligned, AlignedSaid{RunID: a.RunID, MeasuredAt: a.MeasuredAt,
			Says: validations.Said{EN: a.Says("en"), JA: a.Says("ja")}, Rates: validations.Said{EN: a.Rates("en"), JA: a.Rates("ja")}})
	}
	out.Alignments = nil // their words are told, and whose examples they were on the page of the run
	return out
}

// TestAlignment tests examples for the judge of a run in the background; the result of the work is a
// [validation.Alignment]. Under a key that was used before it returns the job of then.
func TestAlignment(ctx context.Context, b *jobs.Background, o validations.AlignOrder, key string) (jobs.Work, error) {
	request := []any{o.Run, o.Examples, o.Seed, o.Budget}
	begin := func(context.Context) (jobs.Work, error) {
		return b.Begin("align_judge", requestID("align_judge", request), map[string]any{"run": o.Run},
			func(ctx context.Context, change func(func(*jobs.Work))) error {
				o.Tell = func(_ string, done, total int) { change(func(w *jobs.Work) { w.Done, w.Total = done, total }) }
				a, err := validations.TestAlignment(ctx, b.W, o)
				if err != nil {
					return err
				}
				change(func(w *jobs.Work) { w.Runs = append(w.Runs, a.TestRunID) })
				return jobs.KeepResult(change, a)
			})
	}
	return b.WorkOnce(ctx, "align_judge", key, request, begin)
}
