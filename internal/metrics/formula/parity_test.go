package formula

import (
	"encoding/json"
	"testing"
)

// TestParityBeyondTheSharedCases plays what the specification of Ragas says of metrics and replies that the selection of cases
// does not show.
func TestParityBeyondTheSharedCases(t *testing.T) {
	t.Parallel()
	const (
		row       = `"inputs": {"user_input": "q", "response": "a", "reference": "r", "retrieved_contexts": ["c1"]}`
		statement = `{"statements": ["s1", "s2"]}`
		reasons   = `"statement": "s", "reason": "r"`
	)
	for name, body := range map[string]string{
		"accuracy looks for 0 first": `"metric": "nv_accuracy", "variant": "legacy", ` + row +
			`, "canned_llm_outputs": ["2.0", "4 (scale 0-4)"], "expected": 0.0, "expected_llm_calls": 2`,
		"accuracy takes a 3": `"metric": "nv_accuracy", "variant": "legacy", ` + row +
			`, "canned_llm_outputs": ["3", "3"], "expected": 0.75`,
		"relevance looks for 2 first": `"metric": "nv_context_relevance", "variant": "legacy", ` + row +
			`, "canned_llm_outputs": ["12", "0.5"], "expected": 0.5`,
		"a lost first rating loses the row": `"metric": "nv_accuracy", "variant": "legacy", ` + row +
			`, "canned_llm_outputs": ["x", "x", "x", "x", "x", "4"], "expected": "NaN", "expected_llm_calls": 6`,
		"a lost second rating does not": `"metric": "nv_accuracy", "variant": "legacy", ` + row +
			`, "canned_llm_outputs": ["4", "x", "x", "x", "x", "x"], "expected": 1.0, "expected_llm_calls": 6`,
		"collections take either": `"metric": "nv_accuracy", "variant": "collections", ` + row +
			`, "canned_llm_outputs": [{"rating": 3}, {"rating": 1}, {"rating": 9}, "x", {}, {"rating": "2"}], "expected": 0.5, "expected_llm_calls": 6`,
		"fixed takes either": `"metric": "nv_accuracy", "variant": "legacy", ` + row +
			`, "canned_llm_outputs": ["x", "x", "x", "x", "x", "4 (scale 0-4)"], "expected": "NaN", "expected_if_fixed": 1.0`,
		"fixed rejects what is between": `"metric": "nv_accuracy", "variant": "legacy", ` + row +
			`, "canned_llm_outputs": ["3", "2.0", "0.5", "0"], "expected": 0.375, "expected_if_fixed": 0.25`,
		"a copy is grounded unasked": `"metric": "nv_response_groundedness", "variant": "legacy", "inputs": {"response": "is so", "retrieved_contexts": ["It is so."]},
			"expected": 1.0, "expected_llm_calls": 0`,
		"the question repeated is no context": `"metric": "nv_context_relevance", "variant": "both", "inputs": {"user_input": "Why is it so?", "retrieved_contexts": ["Why is it"]},
			"expected": 0.0, "expected_llm_calls": 0`,
		"blank answer": `"metric": "nv_response_groundedness", "variant": "collections", "inputs": {"response": "", "retrieved_contexts": ["c"]},
			"expected": "ERROR:ValueError", "expected_llm_calls": 0`,
		"verdicts are lax": `"metric": "faithfulness", "variant": "both", ` + row + `, "canned_llm_outputs": [{"statements": ["1", "2", "3", "4"], "more": 1},
			{"statements": [{` + reasons + `, "verdict": "01"}, {` + reasons + `, "verdict": true}, {` + reasons + `, "verdict": 1.0}, {` + reasons + `, "verdict": 0}]}], "expected": 0.75`,
		"one bad verdict spoils all": `"metric": "faithfulness", "variant": "collections", ` + row + `, "canned_llm_outputs": [` + statement + `,
			{"statements": [{` + reasons + `, "verdict": 1}, {` + reasons + `, "verdict": "yes"}]}], "expected": "ERROR:ValidationError", "expected_llm_calls": 2`,
		"a reason is required": `"metric": "context_precision", "variant": "collections", ` + row + `, "canned_llm_outputs": [{"verdict": 1}],
			"expected": "ERROR:ValidationError"`,
		"three mendings at most": `"metric": "faithfulness", "variant": "legacy", ` + row + `, "canned_llm_outputs": ["no", "no", "no", "no", "no"],
			"expected": "ERROR:RagasOutputParserException", "expected_llm_calls": 4`,
		"a mending is mended": `"metric": "context_precision", "variant": "legacy", ` + row + `, "canned_llm_outputs": ["no", "no",
			{"text": "{\"text\": \"{\\\"reason\\\": \\\"x\\\", \\\"verdict\\\": 1}\"}"}], "expected": 1.0, "expected_llm_calls": 3`,
		"fenced text": `"metric": "context_precision", "variant": "both", ` + row + `, "canned_llm_outputs": ["See:\n` + "```json" + `\n{\"reason\": \"x\", \"verdict\": 1}\n` + "```" + `"],
			"expected": 1.0, "expected_llm_calls": 1`,
		"no statements, no second call": `"metric": "faithfulness", "variant": "both", ` + row +
			`, "canned_llm_outputs": [{"statements": []}], "expected": "NaN", "expected_llm_calls": 1`,
		"two empty lists are perfect": `"metric": "answer_correctness", "variant": "both", ` + row + `, "params": {"weights": [1, 0]},
			"canned_llm_outputs": [{"statements": []}, {"statements": []}], "expected": 1.0, "expected_llm_calls": 2`,
		"fewer completions are enough": `"metric": "answer_relevancy", "variant": "legacy", ` + row + `, "canned_llm_outputs": [{"question": "g", "noncommittal": 0}],
			"canned_embeddings": {"q": [1, 0], "g": [0.6, 0.8]}, "expected": 0.6, "expected_llm_calls": 1`,
		"legacy rubrics know no range": `"metric": "rubrics_score", "variant": "both", ` + row +
			`, "canned_llm_outputs": [{"feedback": "f", "score": "7"}], "expected": 7`,
		"fixed rubrics do": `"metric": "rubrics_score", "variant": "both", ` + row +
			`, "canned_llm_outputs": [{"feedback": "f", "score": 7}], "expected": 7, "expected_if_fixed": "ERROR:range"`,
		"a threshold of 0 is none": `"metric": "semantic_similarity", "variant": "both", ` + row +
			`, "params": {"threshold": 0.0}, "canned_embeddings": {"a": [1, 0], "r": [0.6, 0.8]}, "expected": 0.6`,
		"average precision of verdicts": `"metric": "average_precision", "variant": "both", "inputs": {"verdicts": [1, 0, 1]}, "expected": 0.83333333333`,
		"summary without questions": `"metric": "summary_score", "variant": "both", "inputs": {"reference_contexts": ["text"], "response": "t"},
			"canned_llm_outputs": [{"keyphrases": []}, {"questions": []}, {"answers": []}], "expected": "ERROR:ZeroDivisionError", "expected_llm_calls": 3`,
		"summary": `"metric": "summary_score", "variant": "both", "inputs": {"reference_contexts": ["0123", "56789"], "response": "ab"},
			"canned_llm_outputs": [{"keyphrases": ["k"]}, {"questions": ["x", "y"]}, {"answers": ["1", "0"]}], "expected": 0.65`,
		"chrF of no text":         `"metric": "chrf_score", "variant": "both", "inputs": {"reference": null, "response": 12}, "expected": 0.0`,
		"identifiers as numbers":  `"metric": "id_based_context_recall", "variant": "legacy", "inputs": {"retrieved_context_ids": [1, "2"], "reference_context_ids": ["1", 3]}, "expected": 0.5`,
		"curly quotation":         `"metric": "quoted_spans", "variant": "collections", "inputs": {"response": "He said “it is so now”.", "retrieved_contexts": ["IT IS\nso now"]}, "expected": 1.0`,
		"curly quotation, legacy": `"metric": "quoted_spans", "variant": "legacy", "inputs": {"answers": ["He said “it is so now”."], "sources": [["IT IS so now"]]}, "expected": 0.0`,
	} {
		var c sharedCase
		if err := json.Unmarshal([]byte(`{"id": "own", `+body+`}`), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		play := plays[c.Metric]
		if play == nil {
			t.Fatalf("%s: no metric %s", name, c.Metric)
		}
		if wrong := c.run(t, play); len(wrong) > 0 {
			t.Errorf("%s: %v", name, wrong)
		}
	}
}

// TestTheRunnerNoticesWrongValues turns the expectation of a right case: a runner that passes everything would prove nothing.
func TestTheRunnerNoticesWrongValues(t *testing.T) {
	t.Parallel()
	for what, expected := range map[string]string{
		"another value": `0.6000001`, "no number": `"NaN"`, "a failure": `"ERROR:ValueError"`, "nonsense": `"maybe"`, "a list": `[0.6]`,
	} {
		var c sharedCase
		body := `{"id": "own", "metric": "fbeta", "variant": "both", "inputs": {"tp": 3, "fp": 2, "fn": 2}, "expected": ` + expected + `}`
		if err := json.Unmarshal([]byte(body), &c); err != nil {
			t.Fatal(err)
		}
		if wrong := c.run(t, playFBeta); len(wrong) != 2 {
			t.Errorf("%s: the runner says %v", what, wrong)
		}
	}
}
