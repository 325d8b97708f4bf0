package metrics

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// exampleSample is an answer "a" to "q" with the reference "r".
func exampleSample(contexts ...string) Sample {
	return Sample{QuestionID: "q1", Question: "q", Lang: "en", Reference: "r", Answerable: true, Answer: "a",
		Contexts: contextsOf(contexts...)}
}

// anywhere supports these claims by any passage.
func anywhere(claims ...string) func(claim, passage string) bool {
	return func(claim, _ string) bool { return slices.Contains(claims, claim) }
}

func TestFaithfulnessExamples(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name      string
		claims    []string
		supported []string
		want      float64
		reason    string
	}{
		{"three of five, as in the Paris example", []string{"a1", "a2", "a3", "a4", "a5"}, []string{"a1", "a2", "a4"}, 0.6, "3/5"},
		{"one of two, as in the Einstein example", []string{"a1", "a2"}, []string{"a1"}, 0.5, "1/2"},
		{"two of two, as in the Oppenheimer example", []string{"a1", "a2"}, []string{"a1", "a2"}, 1, "2/2"},
		{"none", []string{"a1", "a2", "a3"}, nil, 0, "0/3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			judge := judgeOf(map[string][]string{"a": c.claims}, anywhere(c.supported...))
			scores := scoresOf(t, judge, exampleSample("c1", "c2"), "faithfulness")
			wantValue(t, scores, "faithfulness", c.want)
			if got := scores["faithfulness"].Reason; got != c.reason {
				t.Errorf("reason %q, want %q", got, c.reason)
			}
			if got := len(scores["faithfulness"].Stages); got != 2 {
				t.Errorf("computed from %d judge replies, want claims and verdicts", got)
			}
		})
	}
}

func TestContextPrecisionExamples(t *testing.T) {
	t.Parallel()
	cases := []struct {
		relevant []int
		want     float64
	}{
		{[]int{1, 0, 1, 0, 1}, (1 + 2.0/3 + 3.0/5) / 3}, // the worked example, 0.756
		{[]int{0, 1}, 0.5},
		{[]int{1}, 1},
		{[]int{0}, 0},
		{[]int{1, 0, 1}, 5.0 / 6},
		{[]int{1, 1, 0, 1}, 11.0 / 12},
		{[]int{0, 0, 1, 1, 1}, (1.0/3 + 2.0/4 + 3.0/5) / 3},
	}
	for _, c := range cases {
		t.Run(fmt.Sprint(c.relevant), func(t *testing.T) {
			t.Parallel()
			var texts []string
			var table [][2]string
			for i, r := range c.relevant {
				texts = append(texts, fmt.Sprint("c", i))
				if r == 1 {
					table = append(table, [2]string{"r1", texts[i]})
				}
			}
			judge := judgeOf(map[string][]string{"r": {"r1", "r2"}}, pairs(table...))
			wantValue(t, scoresOf(t, judge, exampleSample(texts...), "context_precision"), "context_precision", c.want)
		})
	}
}

func TestContextRecallExamples(t *testing.T) {
	t.Parallel()
	claims := map[string][]string{"r": {"r1", "r2", "r3", "r4"}}
	cases := []struct {
		name      string
		claims    map[string][]string
		supported func(claim, passage string) bool
		want      float64
	}{
		{"none of one, as in the Eiffel example", map[string][]string{"r": {"r1"}}, pairs(), 0},
		{"two of four", claims, anywhere("r1", "r2"), 0.5},
		{"each by another context", claims, pairs([2]string{"r1", "c1"}, [2]string{"r2", "c2"}, [2]string{"r3", "c1"}), 0.75},
		{"all", claims, anywhere("r1", "r2", "r3", "r4"), 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			judge := judgeOf(c.claims, c.supported)
			wantValue(t, scoresOf(t, judge, exampleSample("c1", "c2"), "context_recall"), "context_recall", c.want)
		})
	}
}

// TestClaimMatrixVector takes the published matrix for the metrics that we compute from it.
func TestClaimMatrixVector(t *testing.T) {
	t.Parallel()
	vectors := vectorGroup[struct {
		Name  string
		Input struct {
			Reference [][]int `json:"ref_claims_by_chunk"`
			Answer    [][]int `json:"answer_claims_by_chunk"`
		}
		Expected struct {
			Recall       float64 `json:"claim_recall"`
			Precision    float64 `json:"context_precision_ranked"`
			Faithfulness float64 `json:"faithfulness"`
		}
	}](t, "claim_matrix")
	for _, v := range vectors {
		claims := map[string][]string{}
		var table [][2]string
		fill := func(text string, matrix [][]int) {
			for i, row := range matrix {
				claim := fmt.Sprint(text, i)
				claims[text] = append(claims[text], claim)
				for k, ok := range row {
					if ok == 1 {
						table = append(table, [2]string{claim, fmt.Sprint("c", k)})
					}
				}
			}
		}
		fill("r", v.Input.Reference)
		fill("a", v.Input.Answer)
		scores := scoresOf(t, judgeOf(claims, pairs(table...)), exampleSample("c0", "c1", "c2"), "faithfulness", "context_recall",
			"context_precision")
		wantValue(t, scores, "context_recall", v.Expected.Recall)
		wantValue(t, scores, "context_precision", v.Expected.Precision)
		wantValue(t, scores, "faithfulness", v.Expected.Faithfulness)
	}
}

// vectorGroup reads one group of the statistics vectors of this repository.
func vectorGroup[T any](t *testing.T, group string) []T {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "cases", "stat_vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups map[string]json.RawMessage `json:"groups"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	var cases []T
	if err := json.Unmarshal(file.Groups[group], &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("group %s is empty", group)
	}
	return cases
}

// TestLongListsAreSplit has 23 claims and 17 contexts: 3 × 3 blocks, whose verdicts must land in the right cells.
func TestLongListsAreSplit(t *testing.T) {
	t.Parallel()
	var claims, texts []string
	var table [][2]string
	for i := range 23 {
		claims = append(claims, fmt.Sprint("claim ", i))
	}
	for k := range 17 {
		texts = append(texts, fmt.Sprint("context ", k))
	}
	for _, at := range [][2]int{{0, 16}, {9, 7}, {10, 8}, {19, 0}, {22, 16}} {
		table = append(table, [2]string{claims[at[0]], texts[at[1]]})
	}
	judge := judgeOf(map[string][]string{"r": claims}, pairs(table...))
	scores := scoresOf(t, judge, exampleSample(texts...), "context_recall", "context_precision")
	wantValue(t, scores, "context_recall", 5.0/23)
	relevant := map[int]float64{0: 1, 7: 2, 8: 3, 16: 4} // rank from 0 → relevant ones so far
	precision := 0.0
	for k, hits := range relevant {
		precision += hits / float64(k+1)
	}
	wantValue(t, scores, "context_precision", precision/4)
	if got := judge.count(PurposeVerify); got != 9 {
		t.Errorf("%d verify calls, want 9", got)
	}
	if got := len(scores["context_recall"].Stages); got != 2 {
		t.Errorf("computed from %d stored replies, want the claims and the matrix", got)
	}
	for _, req := range judge.asked {
		if req.Purpose != PurposeVerify {
			continue
		}
		d := decode[verifyData](req)
		if len(d.Claims) > 10 || len(d.Passages) > 8 || d.Claims[0].Number != 1 || d.Passages[0].Number != 1 {
			t.Errorf("a call holds %d claims from %d and %d passages from %d", len(d.Claims), d.Claims[0].Number, len(d.Passages),
				d.Passages[0].Number)
		}
	}
}

func TestUselessRepliesAreErrors(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, purpose, reply, metric string }{
		{"score 0", PurposeCorrectness, `{"reason":"","score":0}`, "correctness"},
		{"score 6", PurposeCorrectness, `{"reason":"","score":6}`, "correctness"},
		{"negative score", PurposeTrust, `{"reason":"","score":-1}`, "trust"},
		{"score of 100", PurposeTrust, `{"reason":"","score":100}`, "trust"},
		{"no score", PurposeTrust, `{"reason":"good"}`, "trust"},
		{"half a point", PurposeTrust, `{"reason":"","score":3.5}`, "trust"},
		{"score in words", PurposeTrust, `{"reason":"","score":"five"}`, "trust"},
		{"no JSON", PurposeCorrectness, `I would give this a 5.`, "correctness"},
		{"nothing", PurposeCorrectness, ``, "correctness"},
		{"claims of another shape", PurposeAnswer, `{"claims":"one"}`, "faithfulness"},
		{"no claims", PurposeClaims, `{}`, "context_recall"},
		{"null claims", PurposeClaims, `{"claims":null}`, "context_recall"},
		{"two questions of three", PurposeRelevancy, `{"noncommittal":false,"questions":["one?","two?"]}`, "response_relevancy"},
		{"one question twice", PurposeRelevancy, `{"noncommittal":false,"questions":["one?","two?","ONE?"]}`, "response_relevancy"},
		{"no part of the question", PurposeParts, `{"parts":[],"off":[]}`, "answer_relevancy"},
		{"a part half given in other words", PurposeParts, `{"parts":[{"part":"what","given":"half"}],"off":[]}`, "answer_relevancy"},
		{"a sentence that is not there", PurposeParts, `{"parts":[{"part":"what","given":"yes"}],"off":[7]}`, "answer_relevancy"},
		{"claims of the answer without its topic", PurposeAnswer, `{"claims":["one"],"refuses":false,"reason":""}`, "faithfulness"},
		{"verdicts of another shape", PurposeVerify, `{"verdicts":[{"claim":"1"}]}`, "faithfulness"},
		{"no verdicts", PurposeVerify, `{}`, "context_precision"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			judge := fullJudge()
			useful := judge.replies[c.purpose]
			judge.replies[c.purpose] = saying(c.reply)
			stages := newKept()
			suite := suiteOf(t, judge, stages, judgeConfig(""), c.metric)
			scores, err := suite.Score(t.Context(), exampleSample("c1"))
			if err != nil {
				t.Fatal(err)
			}
			wantReason(t, byMetric(scores), c.metric, Errored, llm.CauseSchema)
			judge.replies[c.purpose] = useful // asking again must not meet the bad reply in the stages
			scores, err = suite.Score(t.Context(), exampleSample("c1"))
			if err != nil || scores[0].State != Scored {
				t.Errorf("asked again: %+v, %v", scores, err)
			}
		})
	}
}
