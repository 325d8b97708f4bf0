package intake

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/text"
)

func faq() *experiments.Dataset {
	d := experiments.NewDataset("faq", []experiments.Question{
		{ID: "q1", Text: "How much is the fee?"}, {ID: "q2", Text: "ペットと一緒に乗れますか"}, {ID: "q3", Text: "Until when?"},
		{ID: "q4", Text: "Twice?"}, {ID: "q5", Text: "Twice?"},
	})
	d.Version = 2
	return d
}

func readLog(t *testing.T, file, body string, columns map[string]string) (*rag.Log, AnswersReport) {
	t.Helper()
	log, report, err := readAnswers([]byte(body), file, "bot", faq(), ReadOptions{Columns: columns})
	if err != nil {
		t.Fatalf("%v %v", err, problem.From(err).Params["problems"])
	}
	return log, report
}

func TestReadAnswersOfOtherTools(t *testing.T) {
	t.Parallel()
	one := func(id, answer string, contexts ...rag.LoggedContext) rag.LoggedAnswer {
		return rag.LoggedAnswer{QuestionID: id, Question: faq().
			Questions[slices.IndexFunc(faq().Questions, func(q experiments.Question) bool { return q.ID == id })].Text, Answer: answer,
			Contexts: contexts}
	}
	text := func(s string) rag.LoggedContext { return rag.LoggedContext{Text: s} }
	withID := func(s, id string) rag.LoggedContext { return rag.LoggedContext{Text: s, DocID: id} }
	for name, test := range map[string]struct {
		file, body string
		want       []rag.LoggedAnswer
	}{
		"ragas": {
			"r.jsonl",
			`{"user_input":"How much is the fee?","response":"500 yen","retrieved_contexts":["a","b"],"retrieved_context_ids":["d1","d2"],"reference":"x"}`,
			[]rag.LoggedAnswer{one("q1", "500 yen", withID("a", "d1"), withID("b", "d2"))},
		},
		"ragas old, csv": {
			"r.csv", "question,answer,contexts,ground_truth\nHow much is the fee?,500 yen,\"['a', \"\"it's b\"\"]\",x\n",
			[]rag.LoggedAnswer{one("q1", "500 yen", text("a"), text("it's b"))},
		},
		"deepeval": {
			"d.json", `[{"input":"How much is the fee?","actual_output":"500 yen","retrieval_context":["a"]}]`,
			[]rag.LoggedAnswer{one("q1", "500 yen", text("a"))},
		},
		"ragchecker": {
			"c.json",
			`{"results":[{"query_id":"q1","query":"How much is the fee?","gt_answer":"x","response":"500 yen","retrieved_context":[{"doc_id":"d1","text":"a"}]}]}`,
			[]rag.LoggedAnswer{one("q1", "500 yen", withID("a", "d1"))},
		},
		"mlflow": {
			"m.jsonl", `{"inputs":{"question":"How much is the fee?"},"outputs":{"answer":"500 yen"}}`,
			[]rag.LoggedAnswer{{QuestionID: "q1", Question: "How much is the fee?", Answer: "500 yen"}},
		},
		"japanese sheet": {
			"j.csv", "質問,回答,検索結果\nペットと一緒に乗れますか,乗れません。,\"一つ目\n二つ目\"\n",
			[]rag.LoggedAnswer{one("q2", "乗れません。", text("一つ目"), text("二つ目"))},
		},
		"order of the dataset": {
			"o.jsonl", `{"id":"q3","answer":"c"}` + "\n" + `{"id":"q1","answer":"a"}`,
			[]rag.LoggedAnswer{{QuestionID: "q1", Question: "How much is the fee?", Answer: "a"},
				{QuestionID: "q3", Question: "Until when?", Answer: "c"}},
		},
		"time and tokens": {
			"t.csv", "id,answer,latency_s,input_tokens,output_tokens\nq1,a,1.25,100,20\nq3,b,,,\n",
			[]rag.LoggedAnswer{
				{QuestionID: "q1", Question: "How much is the fee?", Answer: "a",
					Measured: &rag.Measured{LatencyMS: 1250, PromptTokens: 100, CompletionTokens: 20}},
				{QuestionID: "q3", Question: "Until when?", Answer: "b"},
			},
		},
		"one time in two units": {
			"two.jsonl", `{"id":"q1","answer":"a","latency_ms":2004,"latency_s":2}`,
			[]rag.LoggedAnswer{{QuestionID: "q1", Question: "How much is the fee?", Answer: "a", Measured: &rag.Measured{LatencyMS: 2004}}},
		},
		"empty answer, empty list": {
			"e.jsonl", `{"id":"q1","answer":"","contexts":[]}`,
			[]rag.LoggedAnswer{{QuestionID: "q1", Question: "How much is the fee?", Contexts: []rag.LoggedContext{}}},
		},
		"an id the dataset lacks beside a text it has": {
			"x.jsonl", `{"id":"row-17","question":" how much is  the FEE?","answer":"a"}`,
			[]rag.LoggedAnswer{{QuestionID: "q1", Question: "How much is the fee?", Answer: "a"}},
		},
	} {
		log, _ := readLog(t, test.file, test.body, nil)
		if diff := cmp.Diff(test.want, log.Answers); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if log.Dataset != "faq@2" || log.Name != "bot" || log.Digest == "" {
			t.Errorf("%s: %s over %s, digest %q", name, log.Name, log.Dataset, log.Digest)
		}
	}
}

func TestAnswersReportNamesWhatIsMissingAndAssumed(t *testing.T) {
	t.Parallel()
	_, report := readLog(t, "a.csv", "id,Antwort,contexts,latency,note\nq1,,,12,x\nq3,NO,\"[\"\"a\"\"]\",3,y\n",
		map[string]string{"Antwort": "answer"})
	if diff := cmp.Diff([]string{"q2", "q4", "q5"}, report.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	notes := strings.Join(text.InEnglish(report.Notes), "\n")
	for _, want := range []string{"an empty answer in 1 row", "no contexts logged in 1 row", "column latency: ignored", "a JSON list"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note says %q:\n%s", want, notes)
		}
	}
}

func TestWrongRowsOfAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file, body string
		row        int
		field      string
		says       string
	}{
		"unknown id": {"a.jsonl", "{\"id\":\"q1\",\"answer\":\"a\"}\n{\"id\":\"zz\",\"answer\":\"a\"}", 2, "question_id",
			`no question "zz"`},
		"unknown text":       {"a.csv", "question,answer\nWho?,a\n", 2, "question", `no question "Who?"`},
		"two rows":           {"a.csv", "id,answer\nq1,a\nq3,b\nq1,c\n", 4, "question_id", "line 2 answers the same question"},
		"id and text differ": {"a.csv", "id,question,answer\nq1,Until when?,a\n", 2, "question", "not worded as question q1"},
		"text of two":        {"a.csv", "question,answer\nTwice?,a\n", 2, "question", "several questions"},
		"no answer":          {"a.jsonl", `{"id":"q1","answer":null}`, 1, "answer", "no answer"},
		"NaN answer":         {"a.csv", "id,answer\nq1,NaN\n", 2, "answer", "no answer"},
		"answer a list":      {"a.jsonl", `{"id":"q1","answer":["a"]}`, 1, "answer", "list"},
		"context no text":    {"a.jsonl", `{"id":"q1","answer":"a","contexts":[{"x":1}]}`, 1, "contexts", "item 1"},
		"ids and contexts": {"a.jsonl", `{"id":"q1","answer":"a","contexts":["x"],"context_ids":["1","2"]}`, 1, "context_ids",
			"2 ids for 1 context"},
		"no list":           {"a.csv", "id,answer,contexts\nq1,a,[not a list]\n", 2, "contexts", "looks like a list"},
		"latency":           {"a.csv", "id,answer,latency_ms\nq1,a,fast\n", 2, "latency_ms", "not a number"},
		"two times":         {"a.jsonl", `{"id":"q1","answer":"a","latency_ms":7,"latency_s":7}`, 1, "latency_s", "7 s beside 7 ms"},
		"a part of a token": {"a.jsonl", `{"id":"q1","answer":"a","prompt_tokens":99.9}`, 1, "prompt_tokens", "99.9 is no whole number"},
		"neither":           {"a.jsonl", `{"id":"","answer":"a"}`, 1, "question_id", "neither"},
	} {
		log, _, err := readAnswers([]byte(test.body), test.file, "bot", faq(), ReadOptions{})
		rows, _ := problem.From(err).Params["problems"].([]RowProblem)
		if log != nil || len(rows) == 0 {
			t.Errorf("%s: %v, %v", name, log, err)
			continue
		}
		if r := rows[0]; r.Row != test.row || r.Field != test.field || !strings.Contains(r.Message, test.says) {
			t.Errorf("%s: %s, want row %d, %s, saying %q", name, r, test.row, test.field, test.says)
		}
	}
	for name, test := range map[string]struct{ body, code string }{
		"no answers":   {"id,text\nq1,a\n", "answers_column_missing"},
		"no questions": {"answer\na\n", "answers_column_missing"},
		"no rows":      {"id,answer\n", "answers_empty"},
	} {
		if _, _, err := readAnswers([]byte(test.body), "a.csv", "bot", faq(), ReadOptions{}); problem.CodeOf(err) != test.code ||
			problem.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, columns := range map[string]map[string]string{
		"answers_field_unknown": {"answer": "reference"}, "answers_column_unknown": {"Antwort": "answer"},
		"answers_column_twice": {"answer": "answer", "id": "answer"},
	} {
		if _, _, err := readAnswers([]byte("id,answer\nq1,a\n"), "a.csv", "bot", faq(),
			ReadOptions{Columns: columns}); problem.CodeOf(err) != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLongContextsAreCut(t *testing.T) {
	t.Parallel()
	log, report := readLog(t, "a.jsonl", `{"id":"q1","answer":"a","contexts":["`+strings.Repeat("x", 20<<10)+`"`+strings.Repeat(`,"y"`,
		300)+`]}`, nil)
	a := log.Answers[0]
	if len(a.Contexts) != remote.MaxContexts || len(a.Contexts[0].Text) != remote.MaxContextBytes ||
		!slices.Contains(a.Notes, remote.NoteContextsCapped) {
		t.Errorf("%d contexts, the first of %d bytes, notes %v", len(a.Contexts), len(a.Contexts[0].Text), a.Notes)
	}
	if !strings.Contains(strings.Join(text.InEnglish(report.Notes), "\n"), "contexts cut in 1 row") {
		t.Errorf("notes %v", report.Notes)
	}
}

func TestReadAnswersFromAWorkbook(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "質問ID", "B1": "回答", "C1": "コンテキスト", "D1": "latency_ms", "A2": "q2", "B2": "乗れません。",
		"C2": "一つ目\n二つ目", "D2": 250} {
		if err := f.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	log, _ := readLog(t, "a.xlsx", raw.String(), nil)
	want := []rag.LoggedAnswer{{
		QuestionID: "q2", Question: "ペットと一緒に乗れますか", Answer: "乗れません。",
		Contexts: []rag.LoggedContext{{Text: "一つ目"}, {Text: "二つ目"}}, Measured: &rag.Measured{LatencyMS: 250},
	}}
	if diff := cmp.Diff(want, log.Answers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAnswersKeepTheirContextsByOtherNames: contexts are read by the names that people give them, and scores that are left out are told.
func TestAnswersKeepTheirContextsByOtherNames(t *testing.T) {
	t.Parallel()
	d := experiments.NewDataset("d", []experiments.Question{{ID: "c1", Text: "Late?"}})
	for _, name := range []string{"retrieved_chunks", "Retrieval Context", "検索された文書", "inputs.context"} {
		body := "case_id,user_query,llm_answer," + name + ",score,note\nc1,Late?,Yes.,\"[\"\"A\"\", \"\"B\"\"]\",0.5,x\n"
		log, report, err := readAnswers([]byte(body), "a.csv", "a", d, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Join(text.InEnglish(report.Notes), "\n")
		if a := log.Answers[0]; len(a.Contexts) != 2 || a.Answer != "Yes." || !strings.Contains(told, "(score): workbench import-results") {
			t.Errorf("%s: %+v\n%s", name, a, told)
		}
	}
}
