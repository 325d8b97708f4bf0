package metrics

import (
	"context"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// correctness is the 1–5 rubric of answer against reference (framework.md 1).
func (b *evaluation) correctness(ctx context.Context) (Score, error) {
	switch {
	case textual.NoText(b.sample.Reference) && b.sample.Answerable:
		return notApplicable("no_reference"), nil
	case textual.NoText(b.sample.Answer):
		return scored(1, "the answer is empty"), nil
	}
	data := correctnessData{
		Question: b.sample.Question, Answer: b.sample.Answer, Reference: b.sample.Reference, Answerable: b.sample.Answerable,
		Examples: b.config.Examples,
	}
	return b.rubric(ctx, PurposeCorrectness, data)
}

// trust is the 1–5 rubric of answer against retrieved contexts only (framework.md 1).
func (b *evaluation) trust(ctx context.Context) (Score, error) {
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	contexts := shuffled(texts(b.sample.Contexts), b.order(ctx, "trust", len(b.sample.Contexts)))
	data := trustData{Question: b.sample.Question, Answer: b.sample.Answer, Contexts: number(contexts)}
	return b.rubric(ctx, PurposeTrust, data)
}

func (b *evaluation) rubric(ctx context.Context, purpose string, data any) (Score, error) {
	reply, key, err := ask[rubricReply](ctx, b.Suite, task{
		kind: "rubric", purpose: purpose, lang: b.sample.Lang, data: data, maxTokens: replyTokens,
	})
	if err != nil {
		return Score{}, err
	}
	return reduced(formula.Rating(textual.ProfileFixed, formula.RubricRange, reply.Score), reply.Reason, key), nil
}

// closeness is the cosine of answer and reference, or why there is none.
type closeness struct {
	cosine float64
	err    error
}

// similarity is the cosine of the embeddings of answer and reference, clipped to [0, 1].
func (b *evaluation) similarity(context.Context) (Score, error) {
	switch {
	case textual.NoText(b.sample.Reference):
		return notApplicable("no_reference"), nil
	case textual.NoText(b.sample.Answer):
		return notApplicable("no_answer"), nil
	}
	like := b.closeness()
	if like.err != nil {
		return Score{}, like.err
	}
	return reduced(formula.Similarity(textual.ProfileFixed, like.cosine, nil), ""), nil
}

// alike is the cosine of answer and reference.
func (b *evaluation) alike(ctx context.Context) closeness {
	vectors, err := b.embed(ctx, b.sample.Answer, b.sample.Reference)
	if err != nil {
		return closeness{err: err}
	}
	return closeness{cosine: dot(vectors[0], vectors[1])}
}

func (b *evaluation) embed(ctx context.Context, texts ...string) ([][]float32, error) {
	scope := llm.ScopeOf(ctx)
	scope.Stage = "judge"
	return b.embedder.Embed(llm.WithScope(ctx, scope), llm.Embedding{Model: b.config.Embedding.Name}, texts)
}

// dot is the cosine of vectors of length 1, as embedders return them.
func dot(x, y []float32) float64 {
	var sum float64
	for i := range x {
		sum += float64(x[i]) * float64(y[i])
	}
	return sum
}
