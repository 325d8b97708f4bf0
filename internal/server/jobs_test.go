package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
)

// over asks for a job until it is over, and returns it however it ended. Jobs have no events, and who asks without a pause takes the
// processor that the job needs.
func (c *client) over(id string) api.Job {
	c.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		var j api.Job
		if c.get("/jobs/"+id, &j); j.State != "running" {
			return j
		}
		select {
		case <-tick.C:
		case <-c.t.Context().Done():
			c.t.Fatal("the test ended before the job")
		}
	}
}

func TestASweepLooksForItsWinner(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var plan api.SweepPlan
	c.send("POST", "/sweeps/plan", `{"experiment":"k1"}`, 200, &plan)
	if plan.Search != nil || plan.Runs != 2 {
		t.Errorf("plan of a plain sweep: %+v", plan)
	}
	c.send("POST", "/sweeps/plan", `{"experiment":"k1","screen":1,"halving":true}`, 200, &plan)
	if plan.Search == nil || plan.Search.Screen == nil || plan.Search.Screen.Questions == 0 || plan.Runs != 1 ||
		plan.Search.Answers*2 != plan.Search.Full {
		t.Fatalf("plan of a search: %+v %+v", plan.Plan, plan.Search)
	}
	c.send("POST", "/sweeps/plan", `{"experiment":"k1","top":1,"by":"ndcg"}`, 200, &plan)
	if plan.Search == nil || plan.Search.Screen == nil || plan.Search.Screen.By != "ndcg" {
		t.Fatalf("plan of the best: %+v %+v", plan.Plan, plan.Search)
	}
	var before listing.Listed[app.RunRow]
	if c.get("/runs", &before); before.Total != 0 {
		t.Errorf("planning made %d runs", before.Total)
	}
	var started api.SweepStarted
	c.send("POST", "/sweeps", `{"experiment":"k1","limit":12,"screen":1,"confirm":true}`, 202, &started)
	if started.RunID != "" || started.Job == nil || started.Experiment != "k1" {
		t.Fatalf("started: %+v", started)
	}
	c.done(started.Job.ID)
	j := c.over(started.Job.ID)
	var search sweeps.Search
	c.get("/jobs/"+j.ID+"/result", &search)
	if !j.Result || j.File != "" || len(search.Stages) != 1 || !slices.Equal(j.Runs, []string{search.SweepID}) || search.Answers != 12 ||
		search.Full != 24 {
		t.Errorf("%+v found %+v", j, search)
	}
	if search.Winner == nil || !search.Winner.Settled || search.Winner.FreshID != "" || len(search.Winner.Scores) == 0 {
		t.Errorf("winner %+v", search.Winner)
	}
	var view views.SweepView
	if c.get("/sweeps/"+search.SweepID, &view); view.Winner != search.Winner.RunID {
		t.Errorf("the sweep's page says %s, the search %s", view.Winner, search.Winner.RunID)
	}
	c.refused("GET", "/jobs/"+j.ID+"/file", "", 404)
	for body, field := range map[string]string{
		`{"experiment":"k1","screen":9}`: "screen", `{"experiment":"k1","screen":-1}`: "screen",
		`{"experiment":"k1","confirm":true,"budget":"much"}`: "budget",
		`{"experiment":"k1","halving":"yes"}`:                "halving", `{"experiment":"k1","halving":true,"limit":-1}`: "limit",
	} {
		if p := c.refused("POST", "/sweeps", body, 422); p.Field != field {
			t.Errorf("%s blames %q, want %q", body, p.Field, field)
		}
	}
}

// Questions without evidence and systems elsewhere cannot be screened; that is said before anything is begun.
func TestASearchThatCannotBeScreenedIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	w := small(t)
	bare := experiments.NewDataset("bare", []experiments.Question{{ID: "q", Text: "How much?", Reference: "10 EUR", Lang: "en",
		Answerable: true}})
	if _, _, err := w.Store.PutDataset(t.Context(), bare, testNow); err != nil {
		t.Fatal(err)
	}
	d,
		err := experiments.ParseDefinition([]byte("name: bare\ncorpus: airline-en\ndataset: bare\nsuite: [correctness, trust]\nsweep: {retrieve.k: [1, 2]}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.PutExperiment(t.Context(), d, testNow); err != nil {
		t.Fatal(err)
	}
	c := serve(t, Options{Workbench: w})
	if p := c.refused("POST", "/sweeps", `{"experiment":"bare","screen":2}`, 422); p.Code != "no_evidence" || p.Field != "screen" {
		t.Errorf("%+v", p)
	}
	var j api.ItemsOf[app.RunRow]
	if c.get("/runs", &j); len(j.Items) != 0 {
		t.Errorf("it made %+v", j.Items)
	}
}

func TestTheSameKeyMakesOneSearch(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w})
	c.header = map[string]string{"Idempotency-Key": "monday"}
	const body = `{"experiment":"k1","limit":3,"halving":true}`
	var first, second api.SweepStarted
	c.send("POST", "/sweeps", body, 202, &first)
	c.done(first.Job.ID)
	c.send("POST", "/sweeps", body, 202, &second)
	var sweeps listing.Listed[app.RunRow]
	c.get("/runs?kind=sweep", &sweeps)
	if second.Job.ID != first.Job.ID || second.Job.State != "done" || sweeps.Total != 1 {
		t.Errorf("%+v, then %+v; %d sweeps", first.Job, second.Job, sweeps.Total)
	}
	if p := c.refused("POST", "/sweeps", `{"experiment":"k1","limit":4,"halving":true}`,
		http.StatusConflict); p.Field != "Idempotency-Key" {
		t.Errorf("%+v", p)
	}
	again := serve(t, Options{Workbench: w}) // a server that was started again
	again.header = c.header
	again.send("POST", "/sweeps", body, 202, &second)
	if j := again.over(second.Job.ID); j.ID != first.Job.ID || j.State != "done" {
		t.Errorf("after a restart: %+v", j)
	}
}

func TestJobsWithoutAResultSaySo(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	run := c.finished("k1")
	var j api.Job
	c.send("POST", "/runs/"+run.RunID+"/replicate", `{"n":1}`, 202, &j)
	if j = c.over(j.ID); j.Result || j.State != "done" {
		t.Errorf("%+v", j)
	}
	for _, path := range []string{"/result", "/file"} {
		c.refused("GET", "/jobs/none"+path, "", 404)
		if p := c.refused("GET", "/jobs/"+j.ID+path, "", 404); p.Code != "job_"+path[1:] {
			t.Errorf("%s: %+v", path, p)
		}
	}
}

// resultOf decodes what a job found.
func resultOf[T any](c *client, id string) T {
	c.t.Helper()
	var raw json.RawMessage
	c.get("/jobs/"+id+"/result", &raw)
	var out T
	if err := json.Unmarshal(raw, &out); err != nil {
		c.t.Fatal(fmt.Errorf("%w in %s", err, raw))
	}
	return out
}
