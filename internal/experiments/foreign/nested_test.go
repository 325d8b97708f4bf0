package foreign

import (
	"fmt"
	"strings"
	"testing"
)

// readItems are the items of a file as an import reads them: "id|question|answer|right answer|contexts metric=score …".
func readItems(t *testing.T, path string) (items, notes string) {
	t.Helper()
	f := readAnswering(t, path)
	var said []string
	for _, item := range f.Items {
		s := fmt.Sprintf("%s|%s|%s|%s|%d", item.ID, item.Question, *item.Answer, item.Reference, len(item.Contexts))
		for _, score := range item.Scores {
			if score.Value != nil {
				s += fmt.Sprintf(" %s=%g", score.Metric, *score.Value)
			}
		}
		said = append(said, s)
	}
	return strings.Join(said, "; "), strings.Join(f.Notes, "\n")
}

// readScoresOf are the scores of a file as a comparison reads them: "id metric=score …".
func readScoresOf(t *testing.T, path string) string {
	t.Helper()
	table, err := ReadScores(path, ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, item := range table.Items {
		s := item.ID
		for m, scores := range item.Scores {
			for _, score := range scores {
				s += fmt.Sprintf(" %s=%g", table.Metrics[m], score)
			}
		}
		said = append(said, s)
	}
	return strings.Join(said, "; ")
}

// TestNestedFilesAreTables: files whose rows keep questions, answers and scores inside other objects or in several lines are read as the
// table that they are, by an import and by a comparison.
func TestNestedFilesAreTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, body, items, scores, told string }{
		"a log of OpenAI Evals": {"a.jsonl", `{"spec": {"eval_name": "faq.dev.v0", "run_id": "r"}}
{"run_id": "r", "event_id": 0, "sample_id": "faq.dev.10", "type": "sampling", "data": {"prompt": [{"role": "system", "content": "S"}, {"role": "user", "content": "Late?"}], "sampled": ["Yes."]}}
{"run_id": "r", "event_id": 1, "sample_id": "faq.dev.10", "type": "match", "data": {"correct": true, "expected": "Yes", "sampled": "Yes."}}
{"run_id": "r", "event_id": 2, "sample_id": "faq.dev.2", "type": "sampling", "data": {"prompt": "Early?", "sampled": ["Yes."]}}
{"run_id": "r", "event_id": 3, "sample_id": "faq.dev.2", "type": "sampling", "data": {"prompt": "Judge this", "sampled": ["N"]}}
{"run_id": "r", "event_id": 4, "sample_id": "faq.dev.2", "type": "match", "data": {"correct": false, "expected": ["No"]}}
{"run_id": "r", "event_id": 5, "sample_id": "faq.dev.2", "type": "metrics", "data": {"choice": "N", "score": 0.25}}
{"final_report": {"accuracy": 0.5}}
`,
			"faq.dev.2|Early?|Yes.|No|0 table.correct=0 table.score=0.25; faq.dev.10|Late?|Yes.|Yes|0 table.correct=1",
			"faq.dev.2 correct=0 score=0.25; faq.dev.10 correct=1", "OpenAI Evals"},
		"the evals API of OpenAI": {"a.json", `{"object": "list", "data": [{"object": "eval.run.output_item", "id": "o1", "datasource_item_id": 7,
			"datasource_item": {"input": "Late?", "ground_truth": "Yes"}, "status": "pass", "results": [
			{"name": "String check-a2486074-d803-4445-b431-ad2262e85d47", "passed": true, "score": 1.0}, {"name": "Tone", "passed": false}],
			"sample": {"input": [{"role": "user", "content": "Late?"}], "output": [{"role": "assistant", "content": "Yes."}]}}]}`,
			"7|Late?|Yes.|Yes|0 table.string_check=1 table.tone=0", "7 String check=1 Tone=0", "evals API"},
		"Bedrock": {"a.jsonl", `{"conversationTurns": [{"inputRecord": {"prompt": {"content": [{"text": "Late?"}]}, "referenceResponses": [{"content": [{"text": "Yes"}]}]}, "output": {"text": "Yes.", "retrievedPassages": {"retrievalResults": [{"content": {"text": "A"}}, {"content": {"text": "B"}}]}}, "results": [{"metricName": "Builtin.Correctness", "result": 0.5}, {"metricName": "Builtin.Harmfulness", "result": null}]}]}
{"conversationTurns": [{}, {}]}
`, "|Late?|Yes.|Yes|2 table.correctness=0.5", "Late? Correctness=0.5", "several turns left out: 1 row"},
		"a model in Bedrock": {"a.jsonl", `{"automatedEvaluationResult": {"scores": [{"metricName": "Accuracy", "result": 0.5}]}, "inputRecord": {"prompt": "Late?", "referenceResponse": "Yes"}, "modelResponses": [{"response": "Yes."}]}
`, "|Late?|Yes.|Yes|0 table.accuracy=0.5", "Late? Accuracy=0.5", "Bedrock"},
		"Braintrust": {"a.json", `[{"id": "x", "span_id": "s", "input": {"question": "Late?"}, "output": "Yes.", "expected": "Yes", "scores": {"Factuality": 0.5, "Tone": null},
			"metadata": {"model": "m"}, "metrics": {"duration": 1.5}}]`, "x|Late?|Yes.|Yes|0 table.factuality=0.5", "x Factuality=0.5", "an object of their own"},
		"by evaluator": {"a.json", `{"faithfulness": [{"query": "Late?", "response": "Yes.", "contexts": ["A"], "passing": true, "score": 0.5}],
			"relevancy": [{"query": "Late?", "response": "Yes.", "passing": true, "score": null}]}`,
			"|Late?|Yes.||1 table.faithfulness=0.5 table.relevancy=1", "Late? faithfulness=0.5 relevancy=1", "by evaluator"},
		"by id": {"a.json", `{"q10": {"question": "Late?", "answer": "Yes.", "faithfulness": 0.5}, "q9": {"question": "Early?", "answer": "No.", "faithfulness": 1}}`,
			"q9|Early?|No.||0 table.faithfulness=1; q10|Late?|Yes.||0 table.faithfulness=0.5", "q9 faithfulness=1; q10 faithfulness=0.5", "key is its id"},
	} {
		path := broughtFile(t, c.file, c.body, nil)
		items, notes := readItems(t, path)
		if items != c.items || !strings.Contains(notes, c.told) {
			t.Errorf("%s: %s\nwant %s\n%s", name, items, c.items, notes)
		}
		if scores := readScoresOf(t, path); scores != c.scores {
			t.Errorf("%s: %s\nwant %s", name, scores, c.scores)
		}
	}
}

// TestOtherObjectsAreNoQuestions: means of metrics or of runs, and settings, are not taken for questions.
func TestOtherObjectsAreNoQuestions(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"faithfulness": {"mean": 0.8, "std": 0.1}, "relevancy": {"mean": 0.7, "std": 0.2}}`,
		`{"run 1": {"faithfulness": 0.8}, "run 2": {"faithfulness": 0.7}}`,
		`{"model": {"temperature": 0}, "judge": {"temperature": 1}}`,
	} {
		path := broughtFile(t, "a.json", body, nil)
		if table, err := ReadScores(path, ForeignOptions{}); err == nil {
			t.Errorf("%s is read as %+v", body, table.Items)
		}
		if f, err := ReadForeign(path, ForeignOptions{}); err == nil {
			t.Errorf("%s is read as %+v", body, f.Items)
		}
	}
}

// TestTextsAreKeptBesideScores: a table with ids, questions, answers, contexts, right answers and scores keeps them all at every door, by
// whatever names; what is read and what is passed over is said.
func TestTextsAreKeptBesideScores(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, body, told string }{
		{"a.csv", "id,question,answer,contexts,ground_truth,faithfulness,note\n" +
			`q1,Late?,Yes.,"['A', 'B']",Yes,0.5,x` + "\n" + `q2,Early?,No.,"['C']",No,1,` + "\n",
			"question, answer, contexts, ground_truth (right answer)"},
		{"a.csv", "case_id,user_query,llm_answer,retrieved_chunks,expected_answer,faithfulness,note\n" +
			`q1,Late?,Yes.,"[""A"", ""B""]",Yes,0.5,x` + "\n" + `q2,Early?,No.,"[""C""]",No,1,` + "\n",
			"user_query (question), llm_answer (answer), retrieved_chunks (contexts), expected_answer (right answer)"},
		{"a.csv", "質問ID,質問,AI回答,検索された文書,正解,faithfulness,備考\n" +
			`q1,Late?,Yes.,"[""A"", ""B""]",Yes,0.5,x` + "\n" + `q2,Early?,No.,"[""C""]",No,1,` + "\n",
			"質問 (question), AI回答 (answer), 検索された文書 (contexts), 正解 (right answer)"},
		{"a.jsonl", `{"id": "q1", "query": "Late?", "response": "Yes.", "context": ["A", "B"], "expected": "Yes", "faithfulness": 0.5, "note": "x"}` + "\n" +
			`{"id": "q2", "query": "Early?", "response": "No.", "context": ["C"], "expected": "No", "faithfulness": 1, "note": ""}` + "\n",
			"query (question), response (answer), context (contexts), expected (right answer)"},
	} {
		path := broughtFile(t, c.file, c.body, nil)
		items, notes := readItems(t, path)
		for _, tool := range []string{ToolTable, ToolRagas} {
			items = strings.ReplaceAll(items, " "+tool+".", " ")
		}
		if want := "q1|Late?|Yes.|Yes|2 faithfulness=0.5; q2|Early?|No.|No|1 faithfulness=1"; items != want {
			t.Errorf("%s: imported %s, want %s", c.body, items, want)
		}
		table, err := ReadScores(path, ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Join(table.Notes, "\n")
		for _, said := range []string{notes, told} {
			if !strings.Contains(said, "columns read besides the scores: "+c.told) || !strings.Contains(said, "passed over: ") {
				t.Errorf("%s: told %s", c.body, said)
			}
		}
		first := table.Items[0]
		if !table.ByID || first.ID != "q1" || first.Answer != "Yes.\x00Yes\x00A\x00B" || first.Reference != "yes" ||
			first.Question != "late?" {
			t.Errorf("%s: compared %+v", c.body, first)
		}
	}
}

// TestAnAnswerThatMayBeTheRightOneProvesNothing: where nothing says that a system answered, equal answers in two files do not make a change
// of scores none.
func TestAnAnswerThatMayBeTheRightOneProvesNothing(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]bool{
		"id,question,answer,score": false, "question,answer,score": false, "id,質問,回答,スコア": false, "質問,回答,スコア": false,
		"id,question,response,score": true, "question,llm_answer,score": true, "id,質問,AI回答,スコア": true, "質問,システム回答,スコア": true,
		"id,question,answer,score,expected": true, "question,answer,score,contexts": true, "question,answer,faithfulness": true,
	} {
		row := "Late?,Yes.,0.5,x"
		if strings.HasPrefix(head, "id") {
			row = "q1," + row
		}
		row = strings.Join(strings.Split(row, ",")[:len(strings.Split(head, ","))], ",")
		table, err := ReadScores(broughtFile(t, "a.csv", head+"\n"+row+"\n", nil), ForeignOptions{})
		if err != nil {
			t.Fatal(head, err)
		}
		if got := table.Items[0].Answer != ""; got != want {
			t.Errorf("%s: an answer is one: %t, want %t", head, got, want)
		}
	}
}
