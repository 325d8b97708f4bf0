package metrics

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestResponseRelevancyExample is the worked example: three questions of which one is the question itself would be 1; 0.95 and
// 0.90 make 0.925.
func TestResponseRelevancyExample(t *testing.T) {
	t.Parallel()
	r := formula.AnswerRelevancy(textual.ProfileFixed,
		[]formula.AskedBack{{Question: "one?", CosineToAsked: 0.95}, {Question: "two?", CosineToAsked: 0.90}})
	wantValue(t, map[string]Score{"response_relevancy": reduced(r, "")}, "response_relevancy", 0.925)
	judge := fullJudge()
	judge.vectors["one?"], judge.vectors["two?"], judge.vectors["three?"] = []float32{0.95, 0.3122499}, []float32{0.9, 0.43588989},
		[]float32{-1, 0}
	s := scoresOf(t, judge, exampleSample("c1"), "response_relevancy")["response_relevancy"]
	if want := (0.95 + 0.9) / 3; s.Value < want-1e-6 || s.Value > want+1e-6 {
		t.Errorf("relevancy is %g, want %g: an opposite question counts 0, not −1", s.Value, want)
	}
}

// TestFromTheMatrixVector takes every metric of the published matrix.
func TestFromTheMatrixVector(t *testing.T) {
	t.Parallel()
	for _, v := range vectorGroup[struct {
		Input struct {
			Reference   [][]int `json:"ref_claims_by_chunk"`
			Answer      [][]int `json:"answer_claims_by_chunk"`
			InReference []int   `json:"answer_claim_in_reference"`
			InTheAnswer []int   `json:"ref_claim_in_answer"`
		}
		Expected map[string]float64
	}](t, "claim_matrix") {
		var claims [2][]string
		var table [][2]string
		fill := func(of int, prefix string, byChunk [][]int, byText []int, text string) {
			for i, row := range byChunk {
				claim := prefix + string(rune('0'+i))
				claims[of] = append(claims[of], claim)
				for k, yes := range row {
					if yes == 1 {
						table = append(table, [2]string{claim, "chunk " + string(rune('0'+k))})
					}
				}
				if byText[i] == 1 {
					table = append(table, [2]string{claim, text})
				}
			}
		}
		fill(0, "a", v.Input.Answer, v.Input.InReference, "The reference.")
		fill(1, "r", v.Input.Reference, v.Input.InTheAnswer, "The answer.")
		sample := exampleSample("chunk 0", "chunk 1", "chunk 2")
		sample.Answer, sample.Reference = "The answer.", "The reference."
		judge := judgeOf(map[string][]string{"The answer.": claims[0], "The reference.": claims[1]}, pairs(table...))
		judge.rules(func(claim,
			passage string) string { // a reference that contradicts whatever it does not say: what RAGChecker counts as wrong
			switch {
			case pairs(table...)(claim, passage):
				return supported
			case passage == sample.Reference:
				return contradicted
			}
			return neither
		})
		for _, suite := range []string{"all", "compact"} {
			scores := scoresOf(t, judge, sample, suite)
			for id, key := range map[string]string{
				"faithfulness": "faithfulness", "hallucination": "hallucination", "self_knowledge": "self_knowledge",
				"context_recall":    "claim_recall",
				"context_precision": "context_precision_ranked", "context_precision_share": "context_precision_share",
				"context_utilization": "context_utilization", "noise_sensitivity": "noise_sensitivity_relevant",
				"noise_sensitivity_irrelevant": "noise_sensitivity_irrelevant", "factual_precision": "precision",
				"factual_recall":      "recall",
				"factual_correctness": "f1",
			} {
				if _, there := scores[id]; there {
					wantValue(t, scores, id, v.Expected[key])
				}
			}
		}
	}
}

// TestNoiseIsWhatContradicts: claims of the contexts that the right answer does not mention are not wrong, those against it are, and the
// reason keeps both apart.
func TestNoiseIsWhatContradicts(t *testing.T) {
	t.Parallel()
	sample := exampleSample("chunk 0", "chunk 1")
	sample.Answer, sample.Reference = "The answer.", "The reference."
	judge := judgeOf(map[string][]string{"The answer.": {"right", "more", "wrong", "elsewhere"}, "The reference.": {"key"}}, nil)
	judge.rules(func(claim, passage string) string {
		switch claim + " by " + passage {
		case "key by chunk 0", "right by chunk 0", "right by The reference.", "more by chunk 0", "wrong by chunk 0", "elsewhere by chunk 1":
			return supported
		case "wrong by The reference.", "elsewhere by The reference.":
			return contradicted
		}
		return neither
	})
	scores := scoresOf(t, judge, sample, "all")
	for _, id := range []string{"noise_sensitivity", "noise_sensitivity_irrelevant"} {
		wantValue(t, scores, id, 0.25)
		if got := scores[id].Reason; got != "1/4; not in the right answer: 1" {
			t.Errorf("%s: %q", id, got)
		}
	}
}

// TestStandInsAreUsable scores with nothing but stand-ins, as a plan does: nothing fails and nothing is asked twice.
func TestStandInsAreUsable(t *testing.T) {
	t.Parallel()
	judge := &scripted{vectors: map[string][]float32{}, replies: map[string]func(llm.Request) (string, error){}}
	for purpose := range instructions {
		judge.replies[purpose] = func(req llm.Request) (string, error) {
			reply, ok := StandIn(req, false)
			if !ok {
				t.Errorf("no stand-in for %s", req.Purpose)
			}
			var asked relevancyReply
			if req.Purpose == PurposeRelevancy && json.Unmarshal([]byte(reply), &asked) == nil {
				for _, q := range asked.Questions {
					judge.vectors[q] = []float32{1}
				}
			}
			return reply, nil
		}
	}
	sample := exampleSample("c1", "c2")
	for _, s := range []string{"a", "r", "q"} {
		judge.vectors[s] = []float32{1}
	}
	specs, err := ResolveWith([]string{"all"}, []Custom{politeness(), promises()})
	if err != nil {
		t.Fatal(err)
	}
	suite, err := NewSuite(specs, judgeConfig(""), judge, newKept())
	if err != nil {
		t.Fatal(err)
	}
	scores, err := suite.Score(t.Context(), sample)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if s.State == Errored {
			t.Errorf("%s: %s", s.Metric, s.Reason)
		}
	}
	if got := judge.count(PurposeVerify); got != 1 {
		t.Errorf("%d verify calls", got)
	}
	if _, ok := StandIn(llm.Request{Purpose: "generate"}, false); ok {
		t.Error("a generator got a judge's stand-in")
	}
}

// TestOfflineHandlersKnowEveryPrompt scores every metric with the offline judge, in both languages and both layouts, with a
// custom rubric and a critic.
func TestOfflineHandlersKnowEveryPrompt(t *testing.T) {
	t.Parallel()
	specs, err := ResolveWith([]string{"all"}, []Custom{politeness(), promises()})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []judgedCase{englishCases[0], japaneseCases[0]} {
		lang := "en"
		if c.question == japaneseCases[0].question {
			lang = "ja"
		}
		for _, joint := range []bool{false, true} {
			for i := range specs {
				specs[i].Joint = joint
			}
			suite, err := NewSuite(specs, DefaultJudge(), offlineOnly{}, newKept())
			if err != nil {
				t.Fatal(err)
			}
			scores, err := suite.Score(t.Context(), sampleOf(c, lang))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range scores {
				if s.State == Errored {
					t.Errorf("%s %s: %s", lang, s.Metric, s.Reason)
				}
			}
		}
	}
}

// TestICCCasesOffline runs the worked cases of the article through the offline judge.
func TestICCCasesOffline(t *testing.T) {
	t.Parallel()
	for _, c := range iccCases {
		sample := Sample{Question: iccQuestion, Lang: "ja", Reference: c.reference, Answerable: true, Answer: c.answer}
		scores, err := offlineSuite(t, newKept(), "", "iccg").Score(t.Context(), sample)
		if err != nil {
			t.Fatal(err)
		}
		got := byMetric(scores)
		t.Logf("%s: inclusion %g (%g), contradiction %g (%g), consistency %g (%g): %s", c.name, got["inclusion"].Value, c.inclusion,
			got["contradiction"].Value, c.contradiction, got["consistency"].Value, c.consistency, got["inclusion"].Reason)
		wantValue(t, got, "consistency", c.consistency)
		if c.name == "inclusion fails" {
			wantValue(t, got, "inclusion", 0)
		}
	}
}

func TestOfflineEntities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"The fee for Saver tickets is 440 yen at Kansai Airport.", []string{"Saver", "440", "Kansai Airport"}},
		{"Bassinets carry up to 10 kg.", []string{"10"}},
		{"ベビーベッドは出発の48時間前までに予約できます。", []string{"ベビーベッド", "48時"}},
		{"", nil},
	} {
		got := offlineEntities(entitiesData{Text: c.text}).Entities
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q names %q, want %q", c.text, got, c.want)
		}
	}
	sample := exampleSample("At KANSAI  airport the fee is 440 yen.", "nothing")
	sample.Reference = "The fee for Saver tickets is 440 yen at Kansai Airport."
	scores, err := offlineSuite(t, newKept(), "", "context_entity_recall").Score(t.Context(), sample)
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, byMetric(scores), "context_entity_recall", 2.0/3)
}

func TestTextMetricsTakeTheBestWording(t *testing.T) {
	t.Parallel()
	sample := exampleSample()
	sample.Answer, sample.Reference, sample.References = "The fee is 440 yen. [1]", "440", []string{"The fee is 440 yen."}
	sample.Contexts = []rag.Hit{{Text: "The fee is 440 yen."}}
	scores := scoresOf(t, fullJudge(), sample, "text")
	for _, id := range []string{"exact_match", "string_presence", "levenshtein_similarity", "token_f1", "rouge_1", "rouge_l",
		"bleu", "chrf"} {
		wantValue(t, scores, id, 1)
	}
	wantReason(t, scores, "quoted_spans", NotApplicable, "no_quotations")
	sample.Answer, sample.Reference, sample.References, sample.Lang = "手数料は440円です。", "手数料は440円です。", nil, "ja"
	for id, s := range scoresOf(t, fullJudge(), sample, "text") {
		if s.State == Scored && s.Value != 1 {
			t.Errorf("%s of identical Japanese texts is %g", id, s.Value)
		}
	}
}

func TestOperationsAndDocuments(t *testing.T) {
	t.Parallel()
	sample := exampleSample("c1", "c2", "c3")
	sample.LatencyMS, sample.TokensIn, sample.TokensOut, sample.CostMicros, sample.CostKnown, sample.Truncated = 1500, 900, 100,
		2500, true, true
	sample.Evidence = []rag.Span{{DocID: "doc-1", Start: 0, End: 1}, {DocID: "doc-9", Start: 0, End: 1}}
	sample.EvidenceTexts = []string{"c2", "something long and different"}
	scores := scoresOf(t, fullJudge(), sample, "operations", "document_precision", "document_recall", "text_precision", "text_recall")
	for id, want := range map[string]float64{
		"latency": 1.5, "tokens": 1000, "cost": 0.0025, "truncated": 1, "document_precision": 1.0 / 3, "document_recall": 0.5,
		"text_precision": 1, "text_recall": 0.5,
	} {
		wantValue(t, scores, id, want)
	}
	empty := exampleSample()
	scores = scoresOf(t, fullJudge(), empty, "operations", "document_precision", "text_recall")
	states := map[string]string{}
	for id, s := range scores {
		states[id] = s.Reason
	}
	want := map[string]string{"latency": "not_measured", "tokens": "not_measured", "cost": "no_price", "truncated": "",
		"document_precision": "no_evidence", "text_recall": "no_evidence"}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
