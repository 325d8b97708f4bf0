package metrics

import (
	"encoding/json"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// FuzzOfflineJudge gives the judge any texts at all: it never panics, replies are JSON in the shape of the schema, marks lie on
// the scale, verdicts name pairs that were asked about, and judging again says the same.
func FuzzOfflineJudge(f *testing.F) {
	for _, c := range append(englishCases[:len(englishCases):len(englishCases)], japaneseCases...) {
		context := ""
		if len(c.contexts) > 0 {
			context = c.contexts[0]
		}
		f.Add(c.question, c.answer, c.reference, context, !c.unanswerable)
	}
	f.Add("", "", "", "", true)
	f.Add("\xff", "a\x00b", "[1] [2]", "。。。", false)
	f.Add("?", "（「『", "No.", "1,,2..3", true)
	handlers := OfflineHandlers()
	f.Fuzz(func(t *testing.T, question, answer, reference, context string, answerable bool) {
		claims := askTwice(t, handlers, PurposeClaims, claimsData{Question: question, Text: answer}, claimsReply{})
		for _, c := range claims.Claims {
			if c == "" {
				t.Error("an empty claim")
			}
		}
		asked := verifyData{Claims: number(append(claims.Claims, reference)), Passages: number([]string{context, answer})}
		verdicts := askTwice(t, handlers, PurposeVerify, asked, verifyReply{})
		for _, v := range verdicts.Verdicts {
			if v.Claim < 1 || v.Claim > len(asked.Claims) || v.Passage < 1 || v.Passage > 2 || v.Verdict != "supported" &&
				v.Verdict != "contradicted" {
				t.Errorf("verdict %+v", v)
			}
		}
		askTwice(t, handlers, PurposeCorrectness, correctnessData{Question: question, Answer: answer, Reference: reference,
			Answerable: answerable}, rubricReply{})
		askTwice(t, handlers, PurposeTrust, trustData{Question: question, Answer: answer, Contexts: number([]string{context, reference})},
			rubricReply{})
	})
}

// askTwice asks a handler twice and returns the reply when it is usable and both are equal.
func askTwice[T judgement](t *testing.T, handlers map[string]llm.Handler, purpose string, data any, out T) T {
	t.Helper()
	body, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	req := llm.Request{Purpose: purpose, Model: offlineJudge, Instruction: instructions[purpose]["ja"] + explainIn["ja"], Data: body}
	first, err := handlers[purpose](req)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := handlers[purpose](req); err != nil || again != first {
		t.Errorf("%s says %s and then %s (%v)", purpose, first, again, err)
	}
	if err := json.Unmarshal([]byte(first), &out); err != nil {
		t.Fatalf("%s replies %q: %v", purpose, first, err)
	}
	if fault := out.fault(); fault != "" {
		t.Errorf("%s %s: %s", purpose, fault, first)
	}
	return out
}
