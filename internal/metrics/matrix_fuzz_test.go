package metrics

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// FuzzVerdictReplies gives the suite any text at all for a reply to verify. It never panics; every score is a value in range or
// a named error; and no value rests on a quote that the passages do not hold.
func FuzzVerdictReplies(f *testing.F) {
	f.Add(`{"verdicts":[{"claim":1,"passage":1,"verdict":"supported","quote":"first passage"}],"neither":[{"claim":2,"passages":[1,2]},{"claim":1,"passages":[2]}]}`)
	f.Add(`{"verdicts":[],"neither":[{"claim":1,"passages":[1,2]},{"claim":2,"passages":[1,2]}]}`)
	f.Add(`{"verdicts":[{"claim":-1,"passage":99999999999,"verdict":"contradicted","quote":"…"}],"neither":null}`)
	f.Add(`{"verdicts":[{"claim":1,"passage":1,"verdict":"supported","quote":"..."}],"neither":[]}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, reply string) {
		judge := judgeOf(map[string][]string{"The answer.": {"a1", "a2"}}, anywhere())
		judge.replies[PurposeVerify] = func(llm.Request) (string, error) { return reply, nil }
		sample := exampleSample("The first passage.", "二つ目の文章です。")
		sample.Answer = "The answer."
		stages := newKept()
		scores, err := suiteOf(t, judge, stages, judgeConfig(""), "faithfulness", "context_utilization_ranked").Score(t.Context(), sample)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range scores {
			if s.State != Scored && s.State != Errored || s.Value < 0 || s.Value > 1 || s.State == Errored && s.Reason == "" {
				t.Errorf("%+v", s)
			}
		}
		e, err := Explain(t.Context(), stages, scores)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range e.Claims {
			for _, v := range c.Verdicts {
				passage := sample.Contexts[v.Context-1].Text
				quote := textual.FoldQuote(v.Quote)
				if v.Verdict != neither && (quote == "" || !strings.ContainsAny(textual.FoldQuote(passage), quote)) {
					t.Errorf("%s by %q, which %q does not hold", v.Verdict, v.Quote, passage)
				}
			}
		}
	})
}
