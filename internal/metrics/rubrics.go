package metrics

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
)

// correctness is the 1–5 rubric of answer against reference (framework.md 1).
func (b *bench) correctness(ctx context.Context) (Score, error) {
	switch {
	case strings.TrimSpace(b.sample.Reference) == "" && b.sample.Answerable:
		return notApplicable("no_reference"), nil
	case strings.TrimSpace(b.sample.Answer) == "":
		return scored(1, "the answer is empty"), nil
	}
	data := correctnessData{
		Question: b.sample.Question, Answer: b.sample.Answer, Reference: b.sample.Reference, Answerable: b.sample.Answerable,
	}
	return b.rubric(ctx, PurposeCorrectness, data)
}

// trust is the 1–5 rubric of answer against retrieved contexts only (framework.md 1).
func (b *bench) trust(ctx context.Context) (Score, error) {
	if strings.TrimSpace(b.sample.Answer) == "" {
		return notApplicable("no_answer"), nil
	}
	data := trustData{Question: b.sample.Question, Answer: b.sample.Answer, Contexts: number(texts(b.sample.Contexts))}
	return b.rubric(ctx, PurposeTrust, data)
}

func (b *bench) rubric(ctx context.Context, purpose string, data any) (Score, error) {
	reply, key, err := ask[rubricReply](ctx, b.Suite, "rubric", purpose, b.sample.Lang, data, rubricSchema)
	if err != nil {
		return Score{}, err
	}
	return scored(float64(reply.Score), reply.Reason, key), nil
}

// similarity is the cosine of the embeddings of answer and reference, clipped to [0, 1].
func (b *bench) similarity(ctx context.Context) (Score, error) {
	switch {
	case strings.TrimSpace(b.sample.Reference) == "":
		return notApplicable("no_reference"), nil
	case strings.TrimSpace(b.sample.Answer) == "":
		return notApplicable("no_answer"), nil
	}
	scope := llm.ScopeOf(ctx)
	scope.Stage = "judge"
	vectors, err := b.embedder.Embed(llm.WithScope(ctx, scope), b.config.Embedding.Name, []string{b.sample.Answer, b.sample.Reference})
	if err != nil {
		return Score{}, err
	}
	var dot float64
	for i, x := range vectors[0] {
		dot += float64(x) * float64(vectors[1][i])
	}
	return scored(max(0, min(1, dot)), ""), nil
}
