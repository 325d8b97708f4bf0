package metrics

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// careful is a judge that can stand behind a wire: five claims for each answer, four for each reference, every verdict with its quote.
func careful(purpose string, data json.RawMessage) (string, error) {
	req := llm.Request{Purpose: purpose, Data: data}
	claims := func(of string, n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("Claim number %d that somebody makes in the text %q.", i+1, of[:min(len(of), 20)])
		}
		return list
	}
	switch purpose {
	case PurposeAnswer:
		yes := true
		return encoded(answerReply{Claims: claims(decode[answerData](req).Answer, 5), OnTopic: &yes,
			Reason: strings.Repeat("reason ", 10)}), nil
	case PurposeClaims:
		return encoded(claimsReply{Claims: claims(decode[claimsData](req).Text, 4), Key: []int{1, 2}}), nil
	case PurposeVerify:
		reply := verdictsOn(decode[verifyData](req), func(claim, passage string) string {
			if (len(claim)+len(passage))%3 == 0 {
				return supported
			}
			return neither
		})
		for i := range reply.Verdicts {
			reply.Verdicts[i].Quote = reply.Verdicts[i].Quote[:min(50, len(reply.Verdicts[i].Quote))]
		}
		return encoded(reply), nil
	case PurposeParts:
		return `{"parts":[{"part":"the fee","given":"yes"},{"part":"the deadline","given":"partly"}],"off":[]}`, nil
	case PurposeRelevancy:
		return `{"noncommittal":false,"questions":["What is it?","Where is it?","When is it?"]}`, nil
	}
	return `{"reason":"` + strings.Repeat("reason ", 10) + `","score":4}`, nil
}

// longSample is a question as they are, with k chunks of some 800 characters.
func longSample(k int) Sample {
	s := Sample{
		QuestionID: "q", Lang: "en", Answerable: true, Question: "Which fee applies to a Flex ticket that is refunded after departure?",
		Answer:    strings.Repeat("The answer says one thing after the other. ", 5),
		Reference: strings.Repeat("The reference says what is right. ", 4),
	}
	for i := range k {
		s.Contexts = append(s.Contexts, rag.Hit{
			Span: rag.Span{DocID: "d", Start: 800 * i, End: 800*i + 800},
			Text: fmt.Sprintf("Passage %d. %s%s", i, strings.Repeat("Some words of the manual that fill a passage. ", 17),
				strings.Repeat("x", i)),
		})
	}
	return s
}

// carefulJudge is careful without a wire.
func carefulJudge() *scripted {
	judge := &scripted{vectors: map[string][]float32{}, replies: map[string]func(llm.Request) (string, error){}}
	for purpose := range instructions {
		judge.replies[purpose] = func(req llm.Request) (string, error) { return careful(purpose, req.Data) }
	}
	for _, s := range []string{longSample(1).Answer, longSample(1).Reference, longSample(1).
		Question, "What is it?", "Where is it?", "When is it?"} {
		judge.vectors[s] = []float32{1}
	}
	return judge
}

// TestLargestQuestionStaysWithinTheBar has ten claims on each side and eight chunks, each of which differs.
func TestLargestQuestionStaysWithinTheBar(t *testing.T) {
	t.Parallel()
	ten := func(of string) []string {
		var out []string
		for i := range 10 {
			out = append(out, fmt.Sprintf("%s %d", of, i))
		}
		return out
	}
	for suite, limit := range map[string]int{"standard": 6, "compact": 6} {
		judge := judgeOf(map[string][]string{"The answer.": ten("a"), "The reference.": ten("r")}, anywhere("a 1", "r 2"))
		sample := exampleSample("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8")
		sample.Answer, sample.Reference = "The answer.", "The reference."
		for _, s := range []string{sample.Answer, sample.Reference, "q", "one?", "two?", "three?"} {
			judge.vectors[s] = []float32{1}
		}
		scores := scoresOf(t, judge, sample, suite)
		wantValue(t, scores, "faithfulness", 0.1)
		wantValue(t, scores, "context_recall", 0.1)
		wantValue(t, scores, "factual_correctness", 0.1)
		if got := judge.count("") - judge.count(PurposeClaims); got > limit {
			t.Errorf("%s takes %d calls, want at most %d", suite, got, limit)
		}
		for _, req := range judge.asked {
			if d := decode[verifyData](req); req.Purpose == PurposeVerify && (len(d.Claims) > 10 || len(d.Passages) > 10) {
				t.Errorf("a call holds %d claims and %d passages", len(d.Claims), len(d.Passages))
			}
		}
	}
}
