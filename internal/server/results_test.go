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

// TestAnUploadSaysWhatIsLow: what is said in the form counts on the run's page, and what does not fit is refused before anything is stored.
func TestAnUploadSaysWhatIsLow(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t), Parser: parseHere, TempDir: t.TempDir()})
	file := part{"file", "may.csv", "id,question,answer,faithfulness\na,What is one?,One.,0.5\nb,What is two?,Two.,0.9\nc,What is three?,Three.,0.1\n"}
	for want, said := range map[string]string{"upload_low": "faithfulness<=0.5", "low_said": `["faithfulness>=0.5"]`} {
		if p := sent[requests.Problem](c, api.ResultsPath, 422, file, part{field: "low", content: said}); p.Code != want {
			t.Errorf("%s: %+v", want, p)
		}
	}
	plain := sent[app.ImportedResults](c, api.ResultsPath, 200, file)
	c.finish(plain.RunID)
	told := sent[app.ImportedResults](c, api.ResultsPath, 200, file, part{field: "low", content: `["faithfulness<=0,5"]`})
	c.finish(told.RunID)
	if !plain.LowUntold || plain.Low != nil || told.LowUntold || len(told.Low) != 1 {
		t.Errorf("untold %+v, told %+v", plain, told)
	}
	var unsaid, said views.Points
	c.get("/runs/"+plain.RunID+"/points", &unsaid)
	c.get("/runs/"+told.RunID+"/points", &said)
	if !unsaid.Unsaid || unsaid.Rated != 0 || said.Unsaid || said.Rated != 3 || said.Line.EN != "Ragas: faithfulness of 0.5 or less" ||
		said.Line.JA != "Ragas: faithfulnessが0.5以下" || len(said.Low) != 3 || !said.Low[0] || said.Low[1] || !said.Low[2] {
		t.Errorf("unsaid %+v, said %+v", unsaid, said)
	}
	var list listing.Listed[app.RunRow]
	c.get("/runs", &list)
	for _, r := range list.Items {
		if low := r.Totals.Low; r.RunID == told.RunID && (low == nil || low.Rated != 3 || r.Totals.LowScoreCount != 2) ||
			r.RunID == plain.RunID && low != nil {
			t.Errorf("the list shows %+v", r.Totals)
		}
	}
}
