package server

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// TestResultsOfAnotherToolBecomeARun uploads what Ragas exported: dataset, log and experiment are stored, and the run that the server works
// holds the tool's scores beside ours.
func TestResultsOfAnotherToolBecomeARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := serve(t, Options{Workbench: fresh(t), Parser: parseHere, TempDir: dir})
	body, err := os.ReadFile(filepath.Join("..", "experiments", "foreign", "testdata", "foreign", "ragas.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	file := part{"file", "april.jsonl", string(body)}
	got := sent[app.ImportedResults](c, api.ResultsPath, 200, file)
	if got.Tool != "ragas" || got.Experiment != "april" || !got.Created || !got.NewDataset || got.Answers == 0 || len(got.Metrics) == 0 ||
		got.RunID == "" {
		t.Fatalf("imported %+v", got)
	}
	c.finish(got.RunID)
	var answer views.AnswerDetail
	var rows listing.Listed[views.QuestionRow]
	c.get("/runs/"+got.RunID+"/questions", &rows)
	if len(rows.Items) != got.Answers+len(got.Missing) {
		t.Errorf("%d rows for %d answers", len(rows.Items), got.Answers)
	}
	c.get("/runs/"+got.RunID+"/questions/"+rows.Items[0].QuestionID, &answer)
	theirs := 0
	for _, s := range answer.Result.Scores {
		for _, m := range got.Metrics {
			if s.Metric == m.ID {
				theirs++
			}
		}
	}
	if theirs != len(got.Metrics) {
		t.Errorf("%d of %d of the tool's metrics stand beside the answer", theirs, len(got.Metrics))
	}
	var experiments listing.Listed[views.ExperimentRow]
	c.get("/experiments", &experiments)
	var experiment views.ExperimentDetail
	c.get("/experiments/april", &experiment)
	if row := experiments.Items[0]; len(row.Tools) != 1 || row.Tools[0] != "Ragas" || row.Judge != "" || len(experiment.Tools) != 1 {
		t.Errorf("scored by %q, %v; the detail %v", row.Judge, row.Tools, experiment.Tools)
	}
	again := sent[app.ImportedResults](c, api.ResultsPath, 200, file)
	if again.Created || again.NewDataset || again.RunID != got.RunID {
		t.Errorf("again: %+v", again)
	}
	for want, parts := range map[string][]part{
		"upload_field":    {file, {field: "url", content: "x"}},
		"upload_columns":  {file, {field: "lower", content: "x"}},
		"upload_files":    {{field: "name", content: "x"}},
		"name":            {file, {field: "name", content: "../x"}},
		"results_unknown": {{"file", "none.json", "[]"}},
	} {
		if p := sent[requests.Problem](c, api.ResultsPath, 422, parts...); p.Code != want {
			t.Errorf("%s: %+v", want, p)
		}
	}
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}
