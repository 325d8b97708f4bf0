package metrics

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// TestOneUnreadCellIsLostAlone has a judge that never gives a verdict on one pair: metrics that the pair decides are errors, all others
// are scored.
func TestOneUnreadCellIsLostAlone(t *testing.T) {
	t.Parallel()
	judge := fullJudge()
	careful := judge.replies[PurposeVerify]
	judge.replies[PurposeVerify] = func(req llm.Request) (string, error) {
		text, err := careful(req)
		reply := decode[verifyReply](llm.Request{Data: []byte(text)})
		d := decode[verifyData](req)
		spoil := func(claim, passage int) bool {
			return claim >= 1 && d.Claims[claim-1].Text == "r1" && d.Passages[passage-1].Text == "c1"
		}
		for i, c := range reply.Verdicts {
			if spoil(c.Claim, c.Passage) {
				reply.Verdicts[i].Verdict = "unknown"
			}
		}
		for i, n := range reply.Neither {
			var kept []int
			for _, passage := range n.Passages {
				if !spoil(n.Claim, passage) {
					kept = append(kept, passage)
				}
			}
			reply.Neither[i].Passages = append([]int{}, kept...)
		}
		return encoded(reply), err
	}
	stages := newKept()
	for range 2 { // the second time from the stages
		scores := byMetric(mustScore(t, suiteOf(t, judge, stages, judgeConfig("")), exampleSample("c1", "c2")))
		scoredAll, lost := 0, []string{}
		for id, s := range scores {
			switch s.State {
			case Scored:
				scoredAll++
			case Errored:
				lost = append(lost, id)
				if s.Reason != CauseVerdictMissing {
					t.Errorf("%s is an error for %q", id, s.Reason)
				}
			}
		}
		for _, id := range []string{"faithfulness", "hallucination", "self_knowledge", "factual_correctness", "answer_correctness",
			"correctness"} {
			if scores[id].State != Scored {
				t.Errorf("%s is %+v", id, scores[id])
			}
		}
		if len(lost) == 0 || len(lost) > 3 {
			t.Errorf("the metrics %s are lost, and %d scored", strings.Join(lost, ", "), scoredAll)
		}
	}
}

func mustScore(t *testing.T, s *Suite, sample Sample) []Score {
	t.Helper()
	scores, err := s.Score(t.Context(), sample)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// TestABadQuoteIsAskedAgainByNumber says what was wrong with a quote, once, and in the language of the question.
func TestABadQuoteIsAskedAgainByNumber(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "Your quote for claim 1 does not occur in passage 1", "ja": "主張1に対する引用は文章1にありません"} {
		judge := forgetful(map[string][]string{"a": {"a1", "a2"}}, func(try int, r verifyReply) verifyReply {
			for i := range r.Verdicts {
				if try == 0 {
					r.Verdicts[i].Quote = "made up words"
				}
			}
			return r
		})
		sample := exampleSample("The first context.")
		sample.Lang = lang
		wantValue(t, scoresOf(t, judge, sample, "faithfulness"), "faithfulness", 0.5)
		tries := 0
		for _, req := range judge.asked {
			if req.Purpose != PurposeVerify {
				continue
			}
			tries++
			if told := strings.Contains(req.Instruction, want); told != (tries == 2) {
				t.Errorf("%s: try %d says %q", lang, tries, req.Instruction)
			}
			if strings.Contains(req.Instruction, "made up") {
				t.Error("words of a reply stand among ours")
			}
		}
		if tries != 2 {
			t.Errorf("%d tries", tries)
		}
	}
}
