package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// sheetOf downloads what a job wrote.
func (c *client) sheetOf(id, name, kind string) string {
	c.t.Helper()
	status, header, body := c.do("GET", requests.Prefix+"/jobs/"+id+"/file", "")
	if status != 200 || header.Get("Content-Disposition") != `attachment; filename="`+name+`"` ||
		header.Get("Content-Type") != requests.FileTypes[kind] || header.Get("Content-Security-Policy") != requests.FilePolicy {
		c.t.Fatalf("file of %s: %d %v", id, status, header)
	}
	return body
}

func TestADraftFromACorpusToADataset(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := small(t)
	c := serve(t, Options{Workbench: w, Parser: parseHere, TempDir: dir})
	const path = "/corpora/airline-en/draft"
	var plan api.Analysing
	c.send("POST", path, `{"n":8,"plan":true}`, 202, &plan)
	if plan.Job != nil || plan.Plan.Buy != 0 || plan.Plan.Questions != 8 {
		t.Errorf("plan: %+v", plan)
	}
	c.header = map[string]string{"Idempotency-Key": "drafts"}
	var started, same api.Analysing
	c.send("POST", path, `{"n":8,"format":"jsonl"}`, 202, &started)
	c.done(started.Job.ID)
	if c.send("POST", path, `{"n":8,"format":"jsonl"}`, 202, &same); same.Job.ID != started.Job.ID || same.Job.State != "done" {
		t.Errorf("the same key: %+v", same.Job)
	}
	c.header = nil
	j := c.over(started.Job.ID)
	d := resultOf[analyses.Drafted](c, j.ID)
	if j.File != "airline-en-draft.jsonl" || d.Path != j.File || d.Questions == 0 || d.Questions > 8 || !d.Offline || len(j.Runs) != 1 ||
		j.Runs[0] != d.RunID {
		t.Errorf("%+v drafted %+v", j, d)
	}
	body := c.sheetOf(j.ID, j.File, "jsonl")
	if lines := strings.Count(body, "\n"); lines != d.Questions {
		t.Errorf("%d lines for %d questions", lines, d.Questions)
	}
	accepted := strings.ReplaceAll(body, `"review_status":"`, `"review_status":"accepted","was":"`)
	preview := sent[api.DatasetPreview](c, requests.UploadPath, 200, part{"file", j.File, accepted},
		part{field: "corpus", content: "airline-en"})
	if preview.Total != d.Questions || preview.Problem != nil || len(preview.Rows[0].Evidence) == 0 {
		t.Errorf("read again: %+v", preview)
	}
	c.send("POST", path, `{"n":4}`, 202, &started)
	c.done(started.Job.ID)
	if book := c.sheetOf(started.Job.ID, "airline-en-draft.xlsx", "xlsx"); !strings.HasPrefix(book, "PK") {
		t.Errorf("the workbook begins with %q", book[:2])
	}
	for body, field := range map[string]string{
		`{"n":1001}`: "n", `{"judge":"nobody/x"}`: "judge", `{"judge":"gpt"}`: "judge", `{"budget":"much"}`: "budget",
		`{"format":"exe"}`: "format", `{"out":"/etc/x"}`: "out",
	} {
		if p := c.refused("POST", path, body, 422); p.Field != field {
			t.Errorf("%s blames %q: %s", body, p.Field, p.Detail)
		}
	}
	c.refused("POST", "/corpora/nowhere/draft", `{}`, 404)
}

func TestEvidenceIsFoundForADataset(t *testing.T) {
	t.Parallel()
	w := small(t)
	dataset, err := w.Store.Dataset(t.Context(), "airline-en")
	if err != nil {
		t.Fatal(err)
	}
	bare := *dataset
	bare.Name = "bare"
	bare.Questions = append(bare.Questions[:0:0], dataset.Questions[:6]...)
	for i := range bare.Questions {
		bare.Questions[i].Evidence = nil
	}
	if _, _, err := w.Store.PutDataset(t.Context(), &bare, testNow); err != nil {
		t.Fatal(err)
	}
	c := serve(t, Options{Workbench: w})
	const path = "/datasets/bare/evidence"
	for body, field := range map[string]string{`{}`: "corpus", `{"corpus":"airline-en","judge":"nobody/x"}`: "judge",
		`{"corpus":"airline-en","path":"/etc"}`: "path"} {
		if p := c.refused("POST", path, body, 422); p.Field != field {
			t.Errorf("%s blames %q: %s", body, p.Field, p.Detail)
		}
	}
	if p := c.refused("POST", path, `{"corpus":"nowhere"}`, 404); p.Field != "corpus" {
		t.Errorf("%+v", p)
	}
	c.refused("POST", "/datasets/nobody/evidence", `{}`, 404)
	var started api.Analysing
	c.send("POST", path, `{"corpus":"airline-en","plan":true}`, 202, &started)
	if started.Job != nil {
		t.Errorf("a plan started %+v", started.Job)
	}
	c.send("POST", path, `{"corpus":"airline-en","format":"jsonl"}`, 202, &started)
	c.done(started.Job.ID)
	f := resultOf[analyses.EvidenceFound](c, started.Job.ID)
	if f.Path != "bare-evidence.jsonl" || f.Dataset != "bare@1" || f.Whole+f.Part == 0 || f.Known+f.Whole+f.Part+f.None+f.Unasked != 6 {
		t.Errorf("found %+v", f)
	}
	var row struct {
		Question string `json:"question"`
	}
	first, _, _ := strings.Cut(c.sheetOf(started.Job.ID, f.Path, "jsonl"), "\n")
	if err := json.Unmarshal([]byte(first), &row); err != nil || row.Question != bare.Questions[0].Text {
		t.Errorf("the sheet begins with %s (%v)", first, err)
	}
}

// What a job wrote outlives its server, and leaves nothing in the folder of temporary files.
func TestFilesOfJobsOutliveTheServer(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w})
	var started api.Analysing
	c.send("POST", "/corpora/airline-en/draft", `{"n":4}`, 202, &started)
	c.done(started.Job.ID)
	name, want, err := c.server.work.WorkFile(t.Context(), started.Job.ID)
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	c.server.work.Close()
	again := serve(t, Options{Workbench: w})
	if book := again.sheetOf(started.Job.ID, name, "xlsx"); book != string(want) {
		t.Errorf("another server gives %d bytes; the first gave %d", len(book), len(want))
	}
}
