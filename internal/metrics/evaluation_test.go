package metrics

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/llm"
)

// slow is a judge whose replies take their time.
type slow struct {
	*scripted
	takes func(llm.Request) time.Duration
}

func (s *slow) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	time.Sleep(s.takes(req))
	return s.scripted.Complete(ctx, req)
}

func (s *slow) Embed(ctx context.Context, model llm.Embedding, texts []string) ([][]float32, error) {
	time.Sleep(s.takes(llm.Request{}))
	return s.scripted.Embed(ctx, model, texts)
}

func (s *slow) Provider(string) (llm.Provider, error) { return s, nil }

// TestAQuestionTakesTheDepthOfItsCalls scores one answer by every metric with a judge that takes half a second: what does not rest on
// another reply is asked at the same time, so that two rounds are all, or four where the judge twice leaves out verdicts. Many claims
// and contexts are more calls, not more time.
func TestAQuestionTakesTheDepthOfItsCalls(t *testing.T) {
	t.Parallel()
	const latency = 500 * time.Millisecond
	for name, c := range map[string]struct {
		judge  *scripted
		sample Sample
		rounds int
	}{
		"every metric":             {fullJudge(), exampleSample("c1", "c2"), 2},
		"many claims and contexts": {carefulJudge(), longSample(20), 2},
		"verdicts are left out":    {lazyJudge(), longSample(3), 2 + maxReasks},
	} {
		synctest.Test(t, func(t *testing.T) {
			judge := &slow{c.judge, func(llm.Request) time.Duration { return latency }}
			began := time.Now()
			if _, err := suiteOf(t, judge, newKept(), judgeConfig("")).Score(t.Context(), c.sample); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took != time.Duration(c.rounds)*latency {
				t.Errorf("%s: %d calls of %s took %s, want %d rounds", name, c.judge.count(""), latency, took, c.rounds)
			}
		})
	}
}

// lazyJudge leaves out every verdict until it is asked for the last time.
func lazyJudge() *scripted {
	judge := carefulJudge()
	careful := judge.replies[PurposeVerify]
	judge.replies[PurposeVerify] = func(req llm.Request) (string, error) {
		if req.Replicate/retryStep < maxReasks {
			return encoded(verifyReply{Verdicts: []cell{}, Neither: []silence{}}), nil
		}
		return careful(req)
	}
	return judge
}

// TestRequestsDoNotFollowFromTiming has the same sample judged with replies that come in ever another order: the requests, what is kept
// of them and the scores are the same, also where answer and reference make the same claims, and where they say the same.
func TestRequestsDoNotFollowFromTiming(t *testing.T) {
	t.Parallel()
	same := exampleSample("c1", "c2")
	same.Reference = same.Answer
	for name, c := range map[string]struct {
		claims map[string][]string
		sample Sample
		suite  []string
	}{
		"claims of their own": {map[string][]string{"a": {"a1", "a2"}, "r": {"r1"}}, exampleSample("c1", "c2"), nil},
		"claims in common":    {map[string][]string{"a": {"s1", "a2", "s2"}, "r": {"s2", "r1", "s1"}}, exampleSample("c1", "c2"), nil},
		"the same text":       {map[string][]string{"a": {"a1", "a2"}}, same, nil},
		"one context":         {map[string][]string{"a": {"s1", "a2"}, "r": {"s1"}}, exampleSample("c1"), []string{"compact"}},
		"asked together":      {map[string][]string{"a": {"s1", "a2"}, "r": {"s1"}}, exampleSample("c1", "c2"), []string{"compact"}},
	} {
		type outcome struct {
			Requests []llm.Request
			Stages   map[string]string
			Scores   []Score
		}
		var first outcome
		for seed := range uint64(12) {
			judge := judgeOf(c.claims, anywhere("s1", "r1", "a1"))
			stages := newKept()
			var scores []Score
			synctest.Test(t, func(t *testing.T) {
				late := &slow{judge, func(req llm.Request) time.Duration {
					digest := sha256.Sum256([]byte(fmt.Sprint(seed, req.Purpose, string(req.Data), req.Replicate)))
					return time.Duration(1+int(digest[0])) * time.Millisecond
				}}
				var err error
				if scores, err = suiteOf(t, late, stages, judgeConfig(""), c.suite...).Score(t.Context(), c.sample); err != nil {
					t.Fatal(err)
				}
			})
			got := outcome{judge.requests(), map[string]string{}, scores}
			for key, body := range stages.items {
				got.Stages[key] = string(body)
			}
			if seed == 0 {
				first = got
			}
			if diff := cmp.Diff(first, got, cmpopts.IgnoreUnexported(llm.Request{})); diff != "" {
				t.Fatalf("%s: replies in order %d bring about other work:\n%s", name, seed, diff)
			}
		}
	}
}

// TestCellsInCommonAreAskedForOnce judges an answer that makes claims of the reference: no pair of a claim and a passage goes out twice.
func TestCellsInCommonAreAskedForOnce(t *testing.T) {
	t.Parallel()
	judge := judgeOf(map[string][]string{"a": {"s1", "a2"}, "r": {"s1", "r2"}}, anywhere("s1"))
	mustScore(t, suiteOf(t, judge, newKept(), judgeConfig("")), exampleSample("c1", "c2"))
	asked := map[pair]int{}
	for _, req := range judge.requests() {
		if req.Purpose != PurposeVerify {
			continue
		}
		d := decode[verifyData](req)
		for _, claim := range d.Claims {
			for _, p := range d.Passages {
				if len(claim.Check) == 0 || slices.Contains(claim.Check, p.Number) {
					asked[pair{claim.Text, p.Text}]++
				}
			}
		}
	}
	for p, n := range asked {
		if n != 1 {
			t.Errorf("%q against %q is asked for %d times", p.claim, p.passage, n)
		}
	}
	if len(asked) < 10 {
		t.Errorf("only %d pairs were asked for", len(asked))
	}
}

// TestAPanicBesideOthersIsTheQuestionsOwn has one of several calls panic: the caller meets it, as if nothing else had been under way.
func TestAPanicBesideOthersIsTheQuestionsOwn(t *testing.T) {
	t.Parallel()
	judge := fullJudge()
	judge.replies[PurposeAnswer] = func(llm.Request) (string, error) { panic("a defect in a reader") }
	defer func() {
		if p := recover(); !strings.Contains(fmt.Sprint(p), "a defect in a reader") {
			t.Errorf("recovered %v", p)
		}
	}()
	_, err := suiteOf(t, judge, newKept(), judgeConfig("")).Score(t.Context(), exampleSample("c1"))
	t.Errorf("no panic, %v", err)
}
