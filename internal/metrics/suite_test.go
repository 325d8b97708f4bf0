package metrics

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// fullJudge has an answer to everything exampleSample needs, and vectors for the similarity.
func fullJudge() *scripted {
	judge := judgeOf(map[string][]string{"a": {"a1", "a2"}, "r": {"r1"}}, anywhere("a1", "r1"))
	judge.vectors = map[string][]float32{"a": {1, 0}, "r": {0.6, 0.8}, "q": {1, 0}, "one?": {1, 0}, "two?": {0.6, 0.8}, "three?": {0, 1}}
	return judge
}

// halfGiven says what the scripted judge gives: one part in full, one in part, in one sentence.
const halfGiven = "gives 1 of 2 things asked for in full; 0 of 1 sentences beside the point"

func TestStates(t *testing.T) {
	t.Parallel()
	type want struct {
		state  State
		value  float64
		reason string
	}
	na := func(reason string) want { return want{NotApplicable, 0, reason} }
	ok := func(value float64, reason string) want { return want{Scored, value, reason} }
	cases := []struct {
		name   string
		change func(*Sample)
		want   map[string]want
		calls  int
	}{
		{"everything is there", func(*Sample) {}, map[string]want{
			"correctness": ok(4, "fits"), "trust": ok(4, "fits"), "faithfulness": ok(0.5, "1/2"), "context_recall": ok(1, "1/1"),
			"context_precision": ok(1, "2/2"), "answer_similarity": ok(0.6, ""), "hit": na("no_evidence"),
			"hallucination": ok(0.5, "1/2"), "self_knowledge": ok(0, "0/2"), "context_utilization": ok(1, "1/1"),
			"noise_sensitivity": ok(0, "0/2"), "factual_correctness": ok(2.0/3, "1/2, 1/1"),
			"answer_correctness": ok(0.65, "TP 1, FP 1, FN 0, 0.60"),
			"answer_relevancy":   ok(6.0/7, halfGiven),
		}, 6},
		{"no reference", func(s *Sample) { s.Reference = "" }, map[string]want{
			"correctness": na("no_reference"), "trust": ok(4, "fits"), "context_recall": na("no_reference"),
			"context_precision": na("no_reference"), "answer_similarity": na("no_reference"), "hallucination": na("no_reference"),
			"noise_sensitivity": na("no_reference"), "factual_correctness": na("no_reference"), "answer_correctness": na("no_reference"),
			"faithfulness": ok(0.5, "1/2"), "answer_relevancy": ok(6.0/7, halfGiven),
		}, 4},
		{"a reference of white space", func(s *Sample) { s.Reference = " \n　" }, map[string]want{
			"correctness": na("no_reference"), "context_recall": na("no_reference"), "answer_similarity": na("no_reference"),
		}, 4},
		{"unanswerable", func(s *Sample) { s.Answerable, s.Reference = false, "" }, map[string]want{
			"correctness": ok(4, "fits"), "trust": ok(4, "fits"), "context_recall": na("unanswerable"),
			"context_precision": na("unanswerable"),
			"answer_similarity": na("no_reference"), "faithfulness": ok(0.5, "1/2"), "hallucination": ok(0.5, "1/2"),
			"factual_correctness": ok(0, "answers although the documents do not hold the answer"),
			"answer_correctness":  ok(0, "answers although the documents do not hold the answer"), "noise_sensitivity": na("unanswerable"),
		}, 5},
		{"unanswerable, and the answer says so", func(s *Sample) { s.Answerable, s.Reference, s.Answer = false, "", "refusal" },
			map[string]want{
				"factual_correctness": ok(1, "rightly says that the documents do not hold the answer"),
				"answer_correctness":  ok(1, "rightly says that the documents do not hold the answer"), "faithfulness": na("no_claims"),
			}, 4},
		{"empty answer", func(s *Sample) { s.Answer = "" }, map[string]want{
			"correctness": ok(1, "the answer is empty"), "trust": na("no_answer"), "faithfulness": na("no_answer"),
			"answer_similarity": na("no_answer"), "context_recall": ok(1, "1/1"), "context_precision": ok(1, "2/2"),
			"factual_correctness": ok(0, "the answer is empty"), "answer_correctness": ok(0, "the answer is empty"),
			"answer_relevancy": na("no_answer"),
		}, 2},
		{"an answer of white space", func(s *Sample) { s.Answer = "\t \n" }, map[string]want{
			"correctness": ok(1, "the answer is empty"), "trust": na("no_answer"), "faithfulness": na("no_answer"),
		}, 2},
		{"no contexts", func(s *Sample) { s.Contexts = nil }, map[string]want{
			"faithfulness": ok(0, "0/2"), "context_recall": ok(0, "0/0"), "context_precision": ok(0, "0/0"), "trust": ok(4, "fits"),
			"context_utilization": ok(0, "0/0"), "noise_sensitivity": na("no_contexts"),
		}, 6},
		{"refusal: the answer claims nothing", func(s *Sample) { s.Answer = "refusal" }, map[string]want{
			"faithfulness": na("no_claims"), "trust": ok(4, "fits"), "correctness": ok(4, "fits"),
			"factual_correctness": ok(0, "0/0, 1/1"), "noise_sensitivity": na("no_claims"),
		}, 6},
		{"the reference claims nothing", func(s *Sample) { s.Reference = "nothing" }, map[string]want{
			"context_recall": na("no_claims"), "context_precision": na("no_claims"), "context_utilization": na("no_claims"),
			"factual_correctness": na("no_reference_claims"), "answer_correctness": na("no_reference_claims"),
		}, 6},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sample := exampleSample("c1", "c2")
			c.change(&sample)
			judge := fullJudge()
			judge.vectors["refusal"], judge.vectors["nothing"] = []float32{0, 1}, []float32{0, 1}
			scores := scoresOf(t, judge, sample)
			for metric, w := range c.want {
				s := scores[metric]
				if s.State != w.state || s.Reason != w.reason || s.Value < w.value-1e-6 || s.Value > w.value+1e-6 {
					t.Errorf("%s is %s %g %q, want %+v", metric, s.State, s.Value, s.Reason, w)
				}
			}
			if got := judge.count(""); got != c.calls {
				t.Errorf("%d judge calls, want %d", got, c.calls)
			}
		})
	}
}

func TestSimilarity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answer []float32
		want   float64
	}{
		{[]float32{1, 0}, 0.95}, {[]float32{-1, 0}, 0}, {[]float32{0.95, 0.31224990}, 1}, {[]float32{0.31224990, -0.95}, 0},
	} {
		judge := fullJudge()
		judge.vectors = map[string][]float32{"a": c.answer, "r": {0.95, 0.31224990}}
		s := scoresOf(t, judge, exampleSample(), "answer_similarity")["answer_similarity"]
		if s.State != Scored || s.Value < c.want-1e-6 || s.Value > c.want+1e-6 || s.Value > 1 {
			t.Errorf("similarity of %v is %s %g, want %g", c.answer, s.State, s.Value, c.want)
		}
		if judge.count("") != 0 {
			t.Error("similarity asked the judge")
		}
	}
}

func TestJudgeErrorsAreNamed(t *testing.T) {
	t.Parallel()
	var ofClaims []string // metrics of the standard suite that need the claim matrix
	for _, id := range idsOf("standard") {
		if len(declared(id).blocks) > 0 {
			ofClaims = append(ofClaims, id)
		}
	}
	cases := []struct {
		purpose, cause string
		broken         []string
	}{
		{PurposeCorrectness, llm.CauseServer, []string{"correctness"}},
		{PurposeTrust, llm.CauseRefusal, []string{"trust"}},
		{PurposeVerify, llm.CauseTruncated, ofClaims},
		{PurposeAnswer, llm.CauseEmpty, slices.DeleteFunc(slices.Clone(ofClaims),
			func(id string) bool { return strings.HasPrefix(id, "context_") })},
		{PurposeClaims, llm.CauseEmpty, slices.DeleteFunc(slices.Clone(ofClaims), func(id string) bool {
			return slices.Contains([]string{"faithfulness", "hallucination", "self_knowledge"}, id)
		})},
		{PurposeParts, llm.CauseServer, []string{"answer_relevancy"}},
	}
	for _, c := range cases {
		t.Run(c.purpose, func(t *testing.T) {
			t.Parallel()
			judge := fullJudge()
			judge.replies[c.purpose] = failing(c.cause)
			for metric, s := range scoresOf(t, judge, exampleSample("c1")) {
				switch {
				case slices.Contains(c.broken, metric):
					wantReason(t, map[string]Score{metric: s}, metric, Errored, c.cause)
				case s.State == Errored:
					t.Errorf("%s failed too: %+v", metric, s)
				}
			}
			if n := judge.count(c.purpose); n > 4 {
				t.Errorf("a failed reply was asked for %d times; the blocks of the matrix may ask once each", n)
			}
		})
	}
	judge := fullJudge()
	judge.vectors = nil
	wantReason(t, scoresOf(t, judge, exampleSample("c1")), "answer_similarity", Errored, llm.CauseEmbedding)
}

// firstRound is what is asked of the judge at once, because it rests on no other reply.
var firstRound = []string{
	PurposeAnswer, PurposeClaims, PurposeCorrectness, PurposeTrust, PurposeParts, PurposeRelevancy, PurposeEntities,
}

// TestFatalErrorsStop has every call of a question refused in a way that all others would be too.
func TestFatalErrorsStop(t *testing.T) {
	t.Parallel()
	for _, cause := range []string{llm.CauseAuth, llm.CauseQuota, llm.CauseRedirect, llm.CauseUnsupported} {
		judge := fullJudge()
		for purpose := range judge.replies {
			judge.replies[purpose] = failing(cause)
		}
		scores, err := suiteOf(t, judge, newKept(), judgeConfig("")).Score(t.Context(), exampleSample("c1"))
		if llm.CauseOf(err) != cause || scores != nil {
			t.Errorf("%s gave %v and %v", cause, scores, err)
		}
		for _, req := range judge.requests() {
			if !slices.Contains(firstRound, req.Purpose) {
				t.Errorf("%s: %s is asked although it rests on other replies", cause, req.Purpose)
			}
		}
	}
}

func TestOtherErrorsStop(t *testing.T) {
	t.Parallel()
	broken := newKept()
	broken.err = errors.New("disk full")
	if _, err := suiteOf(t, fullJudge(), broken, judgeConfig("")).Score(t.Context(), exampleSample("c1")); !errors.Is(err, broken.err) {
		t.Errorf("broken stages gave %v", err)
	}
	spent := problem.New(problem.Incomplete, "budget_spent", "the budget is spent")
	judge := fullJudge()
	judge.replies[PurposeTrust] = func(llm.Request) (string, error) { return "", spent }
	if _, err := suiteOf(t, judge, newKept(), judgeConfig("")).
		Score(t.Context(), exampleSample("c1")); problem.CodeOf(err) != "budget_spent" {
		t.Errorf("a spent budget gave %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	judge = fullJudge()
	judge.replies[PurposeTrust] = func(llm.Request) (string, error) {
		cancel()
		return "", &llm.Error{Cause: llm.CauseUnreachable, Message: "cut off", Err: context.Canceled}
	}
	if scores, err := suiteOf(t, judge, newKept(), judgeConfig("")).Score(ctx, exampleSample("c1")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call became %v, %v", scores, err)
	}
	unknown := []Spec{{ID: "horoscope", Version: "1"}}
	s, err := NewSuite(unknown, judgeConfig(""), fullJudge(), newKept())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Score(t.Context(), exampleSample()); err == nil {
		t.Error("a metric without a formula was scored")
	}
}

// noProviders finds nothing but one name.
type noProviders struct{ only string }

func (n noProviders) Provider(name string) (llm.Provider, error) {
	if name == n.only {
		return fullJudge(), nil
	}
	return nil, problem.New(problem.NotFound, "provider_unknown", "no provider %q", name)
}

func TestUnknownProviders(t *testing.T) {
	t.Parallel()
	config := judgeConfig("")
	config.Embedding.Provider = "embedder"
	for _, known := range []string{"scripted", "embedder"} {
		if _, err := NewSuite(Catalogue(), config, noProviders{known}, newKept()); problem.CodeOf(err) != "provider_unknown" {
			t.Errorf("with only %q known: %v", known, err)
		}
	}
}

func TestScoresComeInSuiteOrder(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{nil, {"standard"}, {"retrieval"}, {"ndcg", "trust", "correctness"}, {"mrr"}} {
		suite := suiteOf(t, fullJudge(), newKept(), judgeConfig(""), names...)
		scores, err := suite.Score(t.Context(), exampleSample("c1"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := Resolve(names)
		if err != nil || len(scores) != len(want) {
			t.Fatalf("%v: %d scores for %d metrics, %v", names, len(scores), len(want), err)
		}
		for i, s := range scores {
			if s.Metric != want[i].ID || s.Version != want[i].Version {
				t.Errorf("%v: score %d is %s/%s, want %s/%s", names, i, s.Metric, s.Version, want[i].ID, want[i].Version)
			}
		}
	}
}

// TestRepliesAreShared counts calls: what several metrics, samples or suites need is asked for once.
func TestRepliesAreShared(t *testing.T) {
	t.Parallel()
	judge, stages := fullJudge(), newKept()
	judge.replies[PurposeAnswer] = func(req llm.Request) (string, error) {
		yes := true
		return encoded(answerReply{Claims: []string{"a1 of " + decode[answerData](req).Answer}, OnTopic: &yes}), nil
	}
	judge.replies[PurposeClaims] = saying(`{"claims":["r1"],"key":[]}`)
	sample := exampleSample("c1", "c2")
	sample.Answer, sample.Reference = "The answer.", "The reference." // whole sentences stand for themselves, whatever the question
	judge.vectors[sample.Answer], judge.vectors[sample.Reference] = []float32{1, 0}, []float32{1, 0}
	score := func(what string, sample Sample, want map[string]int, names ...string) []Score {
		t.Helper()
		before := map[string]int{}
		for p := range want {
			before[p] = judge.count(p)
		}
		scores, err := suiteOf(t, judge, stages, judgeConfig(""), names...).Score(t.Context(), sample)
		if err != nil {
			t.Fatal(err)
		}
		for p, n := range want {
			if got := judge.count(p) - before[p]; got != n {
				t.Errorf("%s: %d calls for %q, want %d", what, got, p, n)
			}
		}
		return scores
	}
	score("claims metrics only", sample, map[string]int{"": 3, PurposeAnswer: 1, PurposeClaims: 1, PurposeVerify: 1}, "faithfulness",
		"context_recall", "context_precision")
	first := score("the whole suite adds rubrics, relevancy, and answer and reference against each other", sample,
		map[string]int{"": 4, PurposeVerify: 1})
	again := score("the same once more", sample, map[string]int{"": 0})
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("stored replies give other scores (-first +again):\n%s", diff)
	}
	other := sample
	other.QuestionID, other.Question, other.Answer = "q2", "another question", "Another answer."
	judge.vectors[other.Answer], judge.vectors[other.Question] = []float32{0, 1}, []float32{0, 1}
	score("another answer with a known reference", other,
		map[string]int{PurposeAnswer: 1, PurposeClaims: 0, PurposeTrust: 1, PurposeCorrectness: 1, PurposeParts: 1})
	other.Answer = sample.Answer
	score("another question with a known answer: its claims depend on the question, and it keeps verdicts of its own", other,
		map[string]int{PurposeAnswer: 1, PurposeClaims: 0, PurposeVerify: 1, PurposeParts: 1})
	moved := sample
	moved.Contexts = contextsOf("c3", "c4", "c5", "c6")
	score("other contexts: claims stay known, and what answer and reference say of each other", moved,
		map[string]int{"": 2, PurposeAnswer: 0, PurposeClaims: 0, PurposeVerify: 1, PurposeTrust: 1, PurposeCorrectness: 0})
	if diff := cmp.Diff(map[string]int{"claims": 4, "rubric": 7, "parts": 3}, map[string]int{
		"claims": stages.kinds["claims"], "rubric": stages.kinds["rubric"], "parts": stages.kinds["parts"],
	}); diff != "" {
		t.Errorf("stored replies by kind (-want +got):\n%s", diff)
	}
	for _, s := range first {
		for _, key := range s.Stages {
			if stages.items[key] == nil {
				t.Errorf("%s points to a reply that is not stored", s.Metric)
			}
		}
	}
}

func TestCallsAreBookedToTheJudge(t *testing.T) {
	t.Parallel()
	judge := fullJudge()
	ctx := llm.WithScope(t.Context(), llm.Scope{RunID: "run", QuestionID: "q1", Stage: "generate"})
	if _, err := suiteOf(t, judge, newKept(), judgeConfig("")).Score(ctx, exampleSample("c1")); err != nil {
		t.Fatal(err)
	}
	for _, s := range judge.scope {
		if s != (llm.Scope{RunID: "run", QuestionID: "q1", Stage: "judge"}) {
			t.Errorf("a call was booked to %+v", s)
		}
	}
}

func TestOfflineJudgeKnowsOnlyItsName(t *testing.T) {
	t.Parallel()
	p := llm.NewOffline(OfflineHandlers(), offline.Embedders())
	_, err := p.Complete(t.Context(), llm.Request{Purpose: PurposeTrust, Model: "gpt", Data: []byte(`{}`)})
	if llm.CauseOf(err) != llm.CauseUnsupported {
		t.Errorf("another model gave %v", err)
	}
	if _, err := p.Complete(t.Context(), llm.Request{Purpose: PurposeTrust, Model: offlineJudge,
		Data: []byte(`{"answer":1}`)}); err == nil {
		t.Error("data of another shape was judged")
	}
}
