package server

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

func TestOneQuestionIsAsked(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var asked app.Asked
	c.send("POST", "/ask", `{"experiment":"k1","question":"How many bags may I take?"}`, 200, &asked)
	if asked.Answer.Text == "" || len(asked.Scores) == 0 {
		t.Errorf("asked: %+v", asked)
	}
	c.refused("POST", "/ask", `{"experiment":"moon","question":"?"}`, 404)
	var checked api.Checked
	c.get("/doctor", &checked)
	if checked.Items == nil || checked.Notes == nil || len(checked.Items)+len(checked.Notes) != 0 { // empty lists, not null
		t.Errorf("the doctor finds %+v", checked)
	}
}

func TestTaxonomiesAreEdited(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var list api.ItemsOf[experiments.Taxonomy]
	c.get("/datasets/airline-en/taxonomies", &list)
	if len(list.Items) != 0 {
		t.Errorf("before: %+v", list.Items)
	}
	const risk = `{"id":"risk","version":0,"en":"Risk","ja":"リスク","multi":true,"labels":[
		{"id":"money","en":"Money","ja":"お金","include":"What is paid."},{"id":"safety","en":"Safety","ja":"安全","include":"What may hurt."}]}`
	var locked experiments.Taxonomy
	c.send("PUT", "/datasets/airline-en/taxonomies/risk", risk, 200, &locked)
	c.get("/datasets/airline-en/taxonomies", &list)
	if locked.Version != 1 || len(list.Items) != 1 || list.Items[0].ID != "risk" {
		t.Errorf("locked version %d, then %+v", locked.Version, list.Items)
	}
	if p := c.refused("PUT", "/datasets/airline-en/taxonomies/theme", risk, 422); p.Field != "id" {
		t.Errorf("another id in the address: %+v", p)
	}
}

// done waits until a job is done.
func (c *client) done(id string) {
	c.t.Helper()
	if j := c.over(id); j.State != "done" {
		c.t.Fatalf("job %s: %+v", id, j)
	}
}

// TestFromCauseToExperiment diagnoses a run over HTTP, registers what it recommends, and takes the study home.
func TestFromCauseToExperiment(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	run := c.finished("k1")
	c.refused("POST", "/runs/"+run.RunID+"/recommendations/1", "", 404)
	var d api.Diagnosing
	c.send("POST", "/runs/"+run.RunID+"/diagnose", `{}`, 202, &d)
	c.done(d.Job.ID)
	var report causes.CauseReport
	c.get("/runs/"+run.RunID+"/causes", &report)
	if len(report.Recommendations) > 0 && report.Recommendations[0].Applies {
		var made api.Recommended
		c.send("POST", "/runs/"+run.RunID+"/recommendations/1", "", 200, &made)
		if !strings.HasPrefix(made.Experiment.Name, "k1-") {
			t.Errorf("registered %q", made.Experiment.Name)
		}
	}
	status, header, body := c.do("GET", requests.Prefix+"/runs/"+run.RunID+"/study.zip", "")
	if status != 200 || header.Get("Content-Type") != requests.StudyType {
		t.Fatalf("study: %d %s", status, header.Get("Content-Type"))
	}
	if z, err := zip.NewReader(bytes.NewReader([]byte(body)), int64(len(body))); err != nil || len(z.File) < 3 {
		t.Errorf("the study is no study: %v", err)
	}
	var v api.Validating
	c.send("POST", "/judge-cards", `{"items":2,"protocols":["J1"],"plan":true}`, 202, &v)
	if v.Job != nil {
		t.Errorf("a plan started %+v", v.Job)
	}
}
