package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/uploads"
)

// Answers and scores are read by the process with limits as datasets are, from files beside it alone.
func TestAnswersAndScoresAreReadInABoundedProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"dataset.json": `{"name":"faq","version":2,"questions":[{"question_id":"q1","question":"How much?","lang":"en","answerable":true}]}`,
		"log.csv":      "id,answer,contexts\nq1,10 EUR,\"[\"\"It costs 10 EUR.\"\"]\"\n",
		"bad.csv":      "id,answer\nq9,10 EUR\n",
		"old.csv":      "id,score\nq1,0.9\nq2,0.8\n", "new.csv": "id,score\nq1,0.2\nq2,0.8\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reader := elsewhere{command: []string{os.Args[0], "-test.run=^TestAsCommand$"}, env: []string{asCommand + "=parse-upload"},
		wall: parseWall}
	parse := func(request uploads.Request) uploads.Upload {
		t.Helper()
		got, err := reader.parse(t.Context(), dir, request)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := parse(uploads.Request{Kind: uploads.Answers, Path: "log.csv", Name: "log", Dataset: "dataset.json"})
	if got.Problem != nil || len(got.Answers) != 1 || got.Answers[0].Answer != "10 EUR" || len(got.Answers[0].Contexts) != 1 ||
		len(got.Answered.Columns) != 3 {
		t.Errorf("answers: %+v", got)
	}
	got = parse(uploads.Request{Kind: uploads.Answers, Path: "bad.csv", Name: "log", Dataset: "dataset.json"})
	if got.Problem == nil || got.Problem.Code != "dataset_rows" || len(got.Rows) != 1 {
		t.Errorf("an answer to no question: %+v", got.Problem)
	}
	got = parse(uploads.Request{Kind: uploads.Scores, Path: "old.csv", Other: "new.csv"})
	if got.Problem != nil || got.Compared == nil || got.Compared.Matched != 2 || got.Compared.Baseline != "baseline/old.csv" ||
		got.Compared.Metrics[0].CI95 != nil {
		t.Errorf("scores: %+v", got)
	}
	got = parse(uploads.Request{Kind: uploads.Scores, Path: "old.csv", Other: "none.csv"})
	if got.Problem == nil || got.Problem.Code != "file_missing" || got.Problem.Params["field"] != "candidate" {
		t.Errorf("a file that is not there: %+v", got.Problem)
	}
}
