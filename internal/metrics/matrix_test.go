package metrics

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// forgetful is a judge whose first replies to verify leave out or spoil what spoil says; try counts from 0.
func forgetful(claims map[string][]string, spoil func(try int, r verifyReply) verifyReply) *scripted {
	judge := judgeOf(claims, anywhere())
	tries := 0
	judge.replies[PurposeVerify] = func(req llm.Request) (string, error) {
		reply := verdictsOn(decode[verifyData](req), func(claim, _ string) string {
			if strings.HasSuffix(claim, "1") {
				return supported
			}
			return neither
		})
		reply = spoil(tries, reply)
		tries++
		return encoded(reply), nil
	}
	return judge
}

// TestVerdictsAreMatched spoils single cells of a reply: those, and no others, are asked for again, and what never comes right
// makes the metrics that need it fail by name instead of counting as not supported.
func TestVerdictsAreMatched(t *testing.T) {
	t.Parallel()
	lose := func(n int) func(int, verifyReply) verifyReply { // the first n tries lack the verdict on claim a1
		return func(try int, r verifyReply) verifyReply {
			if try < n {
				r.Verdicts = slices.DeleteFunc(r.Verdicts, func(cell) bool { return true })
			}
			return r
		}
	}
	change := func(n int, f func(*cell)) func(int, verifyReply) verifyReply {
		return func(try int, r verifyReply) verifyReply {
			for i := range r.Verdicts {
				if try < n {
					f(&r.Verdicts[i])
				}
			}
			return r
		}
	}
	cases := []struct {
		name  string
		spoil func(int, verifyReply) verifyReply
		calls int
		state State
		cause string
	}{
		{"nothing", change(0, nil), 1, Scored, "1/2"},
		{"left out once", lose(1), 2, Scored, "1/2"},
		{"left out twice", lose(2), 3, Scored, "1/2"},
		{"left out for good", lose(9), 3, Errored, CauseVerdictMissing},
		{"a quote that is not there, once", change(1, func(c *cell) { c.Quote = "made up words" }), 2, Scored, "1/2"},
		{"a quote that is never there", change(9, func(c *cell) { c.Quote = "made up words" }), 3, Errored, CauseQuoteNotFound},
		{"no quote", change(9, func(c *cell) { c.Quote = "" }), 3, Errored, CauseQuoteNotFound},
		{"a quote of one letter", change(9, func(c *cell) { c.Quote = "t" }), 3, Errored, CauseQuoteNotFound},
		{"a quote in other case and spacing", change(9, func(c *cell) { c.Quote = " “THE  first\n context” " }), 1, Scored, "1/2"},
		{"a quote with an ellipsis", change(9, func(c *cell) { c.Quote = "The … context" }), 1, Scored, "1/2"},
		{"an ellipsis in the wrong order", change(9, func(c *cell) { c.Quote = "context ... The first" }), 3, Errored, CauseQuoteNotFound},
		{"a word we did not offer", change(9, func(c *cell) { c.Verdict = "SUPPORTED" }), 3, Errored, CauseVerdictMissing},
		{"another claim's number", change(9, func(c *cell) { c.Claim = 7 }), 3, Errored, CauseVerdictMissing},
		{"negative numbers", change(9, func(c *cell) { c.Claim, c.Passage = -1, -1 }), 3, Errored, CauseVerdictMissing},
		{"two verdicts on one pair", func(_ int, r verifyReply) verifyReply {
			for _, c := range r.Verdicts {
				r.Verdicts = append(r.Verdicts, cell{c.Claim, c.Passage, contradicted, c.Quote})
			}
			return r
		}, 3, Errored, CauseVerdictMissing},
		{"a verdict, and neither", func(_ int, r verifyReply) verifyReply {
			for _, c := range r.Verdicts {
				r.Neither = append(r.Neither, silence{c.Claim, []int{c.Passage}})
			}
			return r
		}, 3, Errored, CauseVerdictMissing},
		{"twice the same", func(_ int, r verifyReply) verifyReply {
			r.Verdicts = append(r.Verdicts, r.Verdicts...)
			return r
		}, 1, Scored, "1/2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			judge := forgetful(map[string][]string{"a": {"a1", "a2"}}, c.spoil)
			s := scoresOf(t, judge, exampleSample("The first context."), "faithfulness")["faithfulness"]
			if s.State != c.state || s.Reason != c.cause {
				t.Errorf("scored %s %q, want %s %q", s.State, s.Reason, c.state, c.cause)
			}
			if got := judge.count(PurposeVerify); got != c.calls {
				t.Errorf("%d verify calls, want %d", got, c.calls)
			}
			for try, req := range slices.DeleteFunc(slices.Clone(judge.asked),
				func(r llm.Request) bool { return r.Purpose != PurposeVerify }) {
				if d := decode[verifyData](req); try > 0 && (len(d.Claims) != 1 || d.Claims[0].Text != "a1") {
					t.Errorf("try %d asks for %+v, not for the missing cell alone", try, d.Claims)
				}
				if req.Replicate != try*retryStep {
					t.Errorf("try %d is replicate %d: the ledger would answer it with the spoilt reply", try, req.Replicate)
				}
			}
		})
	}
}

// TestOnlyMetricsOfTheBlockFail: what is missing between reference and answer leaves faithfulness alone.
func TestOnlyMetricsOfTheBlockFail(t *testing.T) {
	t.Parallel()
	judge := fullJudge()
	careful := judge.replies[PurposeVerify]
	judge.replies[PurposeVerify] = func(req llm.Request) (string, error) {
		said, err := careful(req)
		var reply verifyReply
		if err == nil {
			err = json.Unmarshal([]byte(said), &reply)
		}
		silent := 1 + slices.IndexFunc(decode[verifyData](req).Passages, func(p numbered) bool { return p.Text == whole("q", "r") })
		reply.Verdicts = slices.DeleteFunc(reply.Verdicts, func(c cell) bool { return c.Passage == silent })
		for i, n := range reply.Neither {
			reply.Neither[i].Passages = slices.DeleteFunc(n.Passages, func(passage int) bool { return passage == silent })
		}
		return encoded(reply), err
	}
	scores := scoresOf(t, judge, exampleSample("c1"))
	for _, id := range []string{"hallucination", "self_knowledge", "noise_sensitivity", "factual_correctness", "answer_correctness"} {
		wantReason(t, scores, id, Errored, CauseVerdictMissing)
	}
	for _, id := range []string{"faithfulness", "context_recall", "context_precision", "context_utilization", "correctness"} {
		if scores[id].State != Scored {
			t.Errorf("%s is %+v", id, scores[id])
		}
	}
}

// TestChangedKAsksForNewChunksOnly is the sweep over k: cells are kept by the words of claim and passage.
func TestChangedKAsksForNewChunksOnly(t *testing.T) {
	t.Parallel()
	for _, suite := range []string{"standard", "compact"} {
		judge, stages := fullJudge(), newKept()
		sample := exampleSample("c1", "c2", "c3")
		score := func() map[string]Score {
			t.Helper()
			scores, err := suiteOf(t, judge, stages, judgeConfig(""), suite).Score(t.Context(), sample)
			if err != nil {
				t.Fatal(err)
			}
			return byMetric(scores)
		}
		score()
		judge.asked = nil
		sample.Contexts = contextsOf("c3", "c1", "c4", "c2", "c1") // another order, one new, one twice
		scores := score()
		wantValue(t, scores, "faithfulness", 0.5)
		for _, req := range judge.asked {
			if req.Purpose != PurposeVerify {
				continue
			}
			d := decode[verifyData](req)
			if diff := cmp.Diff([]numbered{{Number: 1, Text: "c4"}}, d.Passages); diff != "" {
				t.Errorf("%s: known passages are asked about (-want +got):\n%s", suite, diff)
			}
		}
		if got := judge.count(PurposeVerify); got != 1 {
			t.Errorf("%s: %d verify calls for a new chunk, want one", suite, got)
		}
		judge.asked = nil
		sample.Contexts = contextsOf("c4", "c2")
		score()
		if got := judge.count(PurposeVerify); got != 0 {
			t.Errorf("%s: %d verify calls for chunks that are all known", suite, got)
		}
	}
}

// TestSomeKnownCells asks, in one call, for the cells that a new claim lacks and those that a new chunk lacks.
func TestSomeKnownCells(t *testing.T) {
	t.Parallel()
	judge, stages := judgeOf(map[string][]string{"a": {"a1", "a2"}, "b": {"a1", "a3"}}, anywhere("a1")), newKept()
	suite := suiteOf(t, judge, stages, judgeConfig(""), "faithfulness")
	for _, sample := range []Sample{exampleSample("c1", "c2"),
		func() Sample { s := exampleSample("c1", "c2", "c3"); s.Answer = "b"; return s }()} {
		if _, err := suite.Score(t.Context(), sample); err != nil {
			t.Fatal(err)
		}
	}
	last := judge.asked[len(judge.asked)-1]
	want := verifyData{
		Claims:   []numbered{{Number: 1, Text: "a1", Check: []int{3}}, {Number: 2, Text: "a3"}},
		Passages: number([]string{"c1", "c2", "c3"}),
	}
	if diff := cmp.Diff(want, decode[verifyData](last)); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if got := judge.count(PurposeVerify); got != 2 {
		t.Errorf("%d verify calls, want 2", got)
	}
}

// TestVotesAreKeptApart: a child run that votes again must not be served the first run's verdicts.
func TestVotesAreKeptApart(t *testing.T) {
	t.Parallel()
	judge, stages := fullJudge(), newKept()
	suite := suiteOf(t, judge, stages, judgeConfig(""))
	first := 0
	for vote := range 2 {
		ctx := llm.WithScope(t.Context(), llm.Scope{Replicate: vote})
		before := judge.count("")
		if _, err := suite.Score(ctx, exampleSample("c1")); err != nil {
			t.Fatal(err)
		}
		if n := judge.count("") - before; vote == 0 {
			first = n
		} else if n != first {
			t.Errorf("the second vote asks %d times, the first %d", n, first)
		}
	}
}

// TestQuestionsDoNotWaitForEachOther: two questions of a run have the same answer and the same passages. Which of them comes first is
// chance; what each of them asks, and what is kept for it, is not.
func TestQuestionsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	asked := map[string]map[string]int{}
	for _, order := range [][]string{{"q1", "q2"}, {"q2", "q1"}} {
		judge, stages := fullJudge(), newKept()
		suite := suiteOf(t, judge, stages, judgeConfig(""))
		score := func(id string) int {
			t.Helper()
			before := judge.count(PurposeVerify)
			sample := exampleSample("c1", "c2")
			sample.QuestionID = id
			if _, err := suite.Score(t.Context(), sample); err != nil {
				t.Fatal(err)
			}
			return judge.count(PurposeVerify) - before
		}
		of := map[string]int{}
		for _, id := range order {
			of[id] = score(id)
		}
		asked[order[0]] = of
		stages.only(KindVerdict) // what a plan looks for
		for _, id := range []string{"q2", "q1"} {
			if n := score(id); n != 0 {
				t.Errorf("%s first: %d verify calls more for %s, whose verdicts are all kept", order[0], n, id)
			}
		}
	}
	if diff := cmp.Diff(asked["q1"], asked["q2"]); diff != "" || asked["q1"]["q1"] == 0 || asked["q1"]["q2"] == 0 {
		t.Errorf("verify calls by question depend on which comes first (-q1 +q2):\n%s", diff)
	}
}

// TestAGridOfAllQuestionsIsTaken: what was kept before matrices had a question is not bought again.
func TestAGridOfAllQuestionsIsTaken(t *testing.T) {
	t.Parallel()
	judge, stages := fullJudge(), newKept()
	suite := suiteOf(t, judge, stages, judgeConfig(""), "faithfulness")
	ctx, sample := t.Context(), exampleSample("c1", "c2")
	b := &evaluation{Suite: suite, sample: sample}
	key := llm.KeyOf(judge.Info(), b.request(ctx, task{purpose: PurposeVerify, lang: sample.Lang}))
	g := &claimMatrix{block: answerByContexts, claims: []string{"a1", "a2"}, passages: []string{"c1", "c2"}}
	g.stage = rag.StageKey("matrix", matrixVersion, string(key), g.block, g.claims, g.passages)
	g.clear(neither)
	g.at[1][0] = cellVerdict{Verdict: supported, Quote: "c1"}
	if err := b.matrix().keep(ctx, g); err != nil {
		t.Fatal(err)
	}
	scores, err := suite.Score(ctx, sample)
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, byMetric(scores), "faithfulness", 0.5)
	if n := judge.count(PurposeVerify); n != 0 {
		t.Errorf("%d verify calls for a matrix that is kept", n)
	}
}
