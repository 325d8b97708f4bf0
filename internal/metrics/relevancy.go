package metrics

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// partsData is a question beside the sentences of an answer.
type partsData struct {
	Question  string     `json:"question"`
	Sentences []numbered `json:"sentences"`
}

// partsReply says what a question asks for and what of it an answer gives.
type partsReply struct {
	Parts []part `json:"parts"`
	Off   []int  `json:"off"` // numbers of the sentences that serve none of the parts
}

type part struct {
	Part  string `json:"part"`
	Given string `json:"given"` // a key of givenShares
}

// givenShares is what a part counts.
var givenShares = map[string]float64{"yes": 1, "partly": 0.5, "no": 0}

func (r partsReply) fault() string {
	if len(r.Parts) == 0 {
		return "names no part of the question"
	}
	for _, p := range r.Parts {
		if _, known := givenShares[p.Given]; !known {
			return fmt.Sprintf("says %q of a part; yes, partly and no are known", p.Given)
		}
	}
	return ""
}

// relevance asks what of the question the answer gives, and which of its sentences serve none of it. Of an unanswerable question
// the answer that gives nothing and says so is relevant.
func (b *evaluation) relevance(ctx context.Context) (Score, error) {
	sentences := answerSentences(b.sample.Answer)
	if len(sentences) == 0 {
		return notApplicable("no_answer"), nil
	}
	reply, key, err := ask[partsReply](ctx, b.Suite, task{
		kind: "parts", purpose: PurposeParts, lang: b.sample.Lang, maxTokens: replyTokens,
		data: partsData{Question: b.sample.Question, Sentences: number(sentences)},
		check: func(reply any) string {
			for _, n := range reply.(partsReply).Off {
				if n < 1 || n > len(sentences) {
					return fmt.Sprintf("calls sentence %d beside the point; there are %d", n, len(sentences))
				}
			}
			return ""
		},
	})
	if err != nil {
		return Score{}, err
	}
	given, full := make([]float64, len(reply.Parts)), 0
	for i, p := range reply.Parts {
		if given[i] = givenShares[p.Given]; given[i] == 1 {
			full++
		}
	}
	off := len(slices.Compact(slices.Sorted(slices.Values(reply.Off))))
	if !b.sample.Answerable && slices.Max(given) == 0 && off < len(sentences) {
		return scored(1, b.say("rightly says that the documents do not hold the answer", "文書に答えがないことを正しく述べている"), key), nil
	}
	words := fmt.Sprintf(b.say("gives %d of %d things asked for in full; %d of %d sentences beside the point",
		"求められた事柄%[2]d件のうち%[1]d件を十分に示し、%[4]d文のうち%[3]d文が余計"), full, len(given), off, len(sentences))
	return reduced(formula.Parts(given, len(sentences), off), words, key), nil
}

// answerSentences are the sentences of an answer that say something.
func answerSentences(answer string) []string {
	if textual.NoText(answer) {
		return nil
	}
	if cut := textual.CutSentences(answer); len(cut) > 0 {
		return cut
	}
	return []string{strings.TrimSpace(answer)}
}

// relevancy, as Ragas has it, asks which questions the answer would answer, three different ones in one call, and measures how
// alike they are to the question that was asked. An answer that evades is not relevant, except where evading is right.
func (b *evaluation) relevancy(ctx context.Context) (Score, error) {
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
	asked := make([]formula.AskedBack, len(reply.Questions))
	words := make([]string, len(reply.Questions))
	for i, q := range reply.Questions {
		asked[i] = formula.AskedBack{Question: q, CosineToAsked: dot(vectors[0], vectors[i+1])}
		words[i] = fmt.Sprintf("%.2f", max(0, asked[i].CosineToAsked))
	}
	return reduced(formula.AnswerRelevancy(textual.ProfileFixed, asked), strings.Join(words, " "), key), nil
}
