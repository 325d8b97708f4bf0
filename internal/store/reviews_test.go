package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

func TestReviews(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		diff(t, []experiments.Review{}, must[[]experiments.Review](t)(s.Reviews(ctx, "run1")))

		first := filled1[experiments.Review]()
		first.RunID, first.QuestionID, first.Reviewer, first.Revision, first.At = "run1", "q2", "顧客窓口", 1, at(1)
		second, third, elsewhere := first, first, first
		second.Reviewer, second.Comment = "顧客窓口2", "other"
		third.QuestionID = "q1"
		elsewhere.RunID = "run2"
		all := []experiments.Review{first, second, third, elsewhere}
		diff(t, all, must[[]experiments.Review](t)(s.PutReviews(ctx, all)))
		diff(t, []experiments.Review{third, first, second}, must[[]experiments.Review](t)(s.Reviews(ctx, "run1")))

		again := first
		again.At, again.Revision = at(5), 0
		diff(t, []experiments.Review{}, must[[]experiments.Review](t)(s.PutReviews(ctx, []experiments.Review{again})))

		changed := first
		changed.Verdict, changed.At, changed.Revision = experiments.IncorrectAnswer, at(6), 2
		diff(t, []experiments.Review{changed}, must[[]experiments.Review](t)(s.PutReviews(ctx, []experiments.Review{changed, changed})))
		// An old sheet that is imported again does not undo what was said since.
		diff(t, []experiments.Review{}, must[[]experiments.Review](t)(s.PutReviews(ctx, []experiments.Review{again})))

		diff(t, []experiments.Review{third, changed, second}, must[[]experiments.Review](t)(s.Reviews(ctx, "run1")))
		diff(t, []experiments.Review{third, first, changed, second}, must[[]experiments.Review](t)(s.ReviewHistory(ctx, "run1")))
		diff(t, []experiments.Review{elsewhere}, must[[]experiments.Review](t)(s.Reviews(ctx, "run2")))
	})
}

// TestReviewsTogether lets several store the same sheet and different sheets of one reviewer at once.
func TestReviewsTogether(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		const writers = 8
		errs := make(chan error, writers)
		for i := range writers {
			go func() {
				r := experiments.Review{RunID: "run1", QuestionID: "q1", Reviewer: "me", Comment: string(rune('a' + i/2)), At: at(i)}
				_, err := s.PutReviews(ctx, []experiments.Review{r})
				errs <- err
			}()
		}
		for range writers {
			ok(t, <-errs)
		}
		history := must[[]experiments.Review](t)(s.ReviewHistory(ctx, "run1"))
		if len(history) != writers/2 || history[len(history)-1].Revision != writers/2 {
			t.Errorf("%d revisions, the last is %d; want %d", len(history), history[len(history)-1].Revision, writers/2)
		}
	})
}
