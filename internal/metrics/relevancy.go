package metrics

import (
	"context"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// relevancy asks which questions the answer would answer, three different ones in one call, and measures how alike they are
// to the question that was asked. An answer that evades is not relevant, except where evading is right.
func (b *bench) relevancy(ctx context.Context) (Score, error) {
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	reply, key, err := ask[relevancyReply](ctx, b.Suite, task{
		kind: "relevancy", purpose: PurposeRelevancy, lang: b.sample.Lang, data: relevancyData{Answer: b.sample.Answer},
		maxTokens: replyTokens,
	})
	switch {
	case err != nil:
		return Score{}, err
	case *reply.Noncommittal && !b.sample.Answerable:
		return scored(1, b.say("rightly says that the documents do not hold the answer", "文書に答えがないことを正しく述べている"), key), nil
	case *reply.Noncommittal:
		return scored(0, b.say("evades the question", "質問に答えていない"), key), nil
	}
	vectors, err := b.embed(ctx, append([]string{b.sample.Question}, reply.Questions...)...)
	if err != nil {
		return Score{}, err
	}
	asked := make([]askedBack, len(reply.Questions))
	words := make([]string, len(reply.Questions))
	for i, q := range reply.Questions {
		asked[i] = askedBack{Question: q, CosineToAsked: dot(vectors[0], vectors[i+1])}
		words[i] = fmt.Sprintf("%.2f", max(0, asked[i].CosineToAsked))
	}
	return reduced(reduceAnswerRelevancy(textual.ProfileFixed, asked), strings.Join(words, " "), key), nil
}
