package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestJudgeCards(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		_, err := s.JudgeCard(ctx, "offline/lexical", "")
		wantProblem(t, err, problem.NotFound, "judge_card_unknown")

		card := filled1[validation.JudgeCard]()
		card.Judge, card.PromptVersion, card.MeasuredAt = "offline/lexical", "aaaa", at(1)
		second, other, elsewhere := card, card, card
		second.MeasuredAt, second.Status = at(3), validation.Red
		other.PromptVersion, other.MeasuredAt = "bbbb", at(2)
		elsewhere.Judge, elsewhere.MeasuredAt = "openai/モデル", at(4)
		for _, c := range []validation.JudgeCard{card, second, other, elsewhere} {
			ok(t, s.PutJudgeCard(ctx, c))
		}
		ok(t, s.PutJudgeCard(ctx, second)) // again: it replaces itself

		diff(t, second, must[validation.JudgeCard](t)(s.JudgeCard(ctx, card.Judge, "aaaa")))
		diff(t, other, must[validation.JudgeCard](t)(s.JudgeCard(ctx, card.Judge, "bbbb")))
		diff(t, second, must[validation.JudgeCard](t)(s.JudgeCard(ctx, card.Judge, "")))
		_, err = s.JudgeCard(ctx, card.Judge, "cccc")
		wantProblem(t, err, problem.NotFound, "judge_card_unknown")
		diff(t, []validation.JudgeCard{elsewhere, second, other, card}, must[[]validation.JudgeCard](t)(s.JudgeCards(ctx)))
	})
}
