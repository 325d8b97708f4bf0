package server

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
)

// keyed sends a request under a key, twice to one server and once to another that knows the first only by the database, and counts
// what that bought. It returns the jobs.
func (s *shop) keyed(path, body string, jobOf func(map[string]any) map[string]any) (bought int, jobs [3]map[string]any, last *client) {
	s.t.Helper()
	w := s.open()
	before := s.bought()
	var c *client
	for i := range jobs {
		if i != 1 {
			c = serve(s.t, Options{Workbench: w})
			c.header = map[string]string{"Idempotency-Key": "monday"}
		}
		var reply map[string]any
		c.send("POST", path, body, 202, &reply)
		jobs[i] = jobOf(reply)
		if i == 0 {
			c.done(fmt.Sprint(jobs[0]["id"]))
			bought = s.bought() - before
		}
	}
	if after := s.bought() - before; after != bought {
		s.t.Errorf("%s: %d calls, then %d", path, bought, after)
	}
	if jobs[0]["id"] != jobs[1]["id"] || jobs[0]["id"] != jobs[2]["id"] || jobs[1]["state"] != "done" {
		s.t.Errorf("%s: %v", path, jobs)
	}
	return bought, jobs, c
}

func inside(reply map[string]any) map[string]any {
	j, _ := reply["job"].(map[string]any)
	return j
}

func TestReplicatesAreBoughtOnce(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	c := serve(t, Options{Workbench: shop.open()})
	run, _ := shop.both(c)
	path := "/runs/" + run + "/replicate"
	bought, jobs, last := shop.keyed(path, `{"n":2}`, func(r map[string]any) map[string]any { return r })
	var children listing.Listed[app.RunRow]
	c.get("/runs?parent="+run+"&sort=created_at", &children)
	runs, _ := jobs[2]["runs"].([]any)
	if bought != 2*2*shopQuestions || children.Total != 2 || len(runs) != 2 || jobs[2]["state"] != "done" || jobs[2]["done"] != 2.0 {
		t.Errorf("%d calls, %d children, after the restart %v", bought, children.Total, jobs[2])
	}
	if p := last.refused("POST", path, `{"n":3}`, http.StatusConflict); p.Code != "idempotency_key_reused" {
		t.Errorf("%+v", p)
	}
	last.header["Idempotency-Key"] = "tuesday"
	var other api.Job
	last.send("POST", path, `{"n":1}`, 202, &other)
	last.done(other.ID)
	if last.get("/jobs/"+other.ID, &other); other.ID == jobs[0]["id"] || len(other.Runs) != 1 {
		t.Fatalf("another key gave %+v", other)
	}
	again := serve(t, Options{Workbench: shop.open()}) // the first job is still told by its own two runs
	again.header = map[string]string{"Idempotency-Key": "monday"}
	var told api.Job
	again.send("POST", path, `{"n":2}`, 202, &told)
	if len(told.Runs) != 2 || slices.Contains(told.Runs, other.Runs[0]) {
		t.Errorf("told %v, the other made %v", told.Runs, other.Runs)
	}
}

// A job that the end of its server broke off is not done, and asking for it again buys nothing.
func TestABrokenJobIsNotDone(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	w := shop.open()
	c := serve(t, Options{Workbench: w})
	run, _ := shop.both(c)
	c.header = map[string]string{"Idempotency-Key": "monday"}
	var j api.Job
	c.send("POST", "/runs/"+run+"/replicate", `{"n":2}`, 202, &j)
	c.done(j.ID)
	// The job as it would be had the process ended before the second child was worked.
	jobs, _ := w.Store.(experiments.JobStore)
	stored, err := jobs.Job(t.Context(), j.ID)
	if err != nil {
		t.Fatal(err)
	}
	stored.State, stored.Done, stored.Owner = experiments.JobRunning, 1, "a host that is gone:1"
	stored.SeenAt = testNow.Add(-time.Hour)
	if err := jobs.PutJob(t.Context(), stored, 10); err != nil {
		t.Fatal(err)
	}
	before := shop.bought()
	again := serve(t, Options{Workbench: shop.open()})
	again.header = c.header
	again.send("POST", "/runs/"+run+"/replicate", `{"n":2}`, 202, &j)
	if j.State != "failed" || j.Problem == nil || j.Problem.Code != "job_interrupted" || j.Done != 1 || j.Total != 2 ||
		shop.bought() != before {
		t.Errorf("%+v, %d calls", j, shop.bought()-before)
	}
}

func TestVerificationsAreBoughtOnce(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	c := serve(t, Options{Workbench: shop.open()})
	baseline, candidate := shop.both(c)
	bought, jobs, _ := shop.keyed("/comparisons/verify", fmt.Sprintf(`{"baseline":%q,"candidate":%q}`, baseline, candidate), inside)
	if runs, _ := jobs[2]["runs"].([]any); bought == 0 || len(runs) == 0 || jobs[2]["state"] != "done" {
		t.Errorf("%d calls, after the restart %v", bought, jobs[2])
	}
}

func TestAnalysesAreBoughtOnce(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w})
	run := c.finished("k1").RunID
	for _, path := range []string{"/diagnose", "/analyse-questions"} {
		var first, second struct{ Job api.Job }
		c.header = map[string]string{"Idempotency-Key": "monday"}
		c.send("POST", "/runs/"+run+path, `{}`, 202, &first)
		c.done(first.Job.ID)
		c.send("POST", "/runs/"+run+path, `{}`, 202, &second)
		if second.Job.ID != first.Job.ID || second.Job.State != "done" {
			t.Errorf("%s: %+v, then %+v", path, first, second)
		}
		p := c.refused("POST", "/runs/"+run+path, `{"budget":"5"}`, http.StatusConflict)
		if p.Field != "Idempotency-Key" {
			t.Errorf("%s: %+v", path, p)
		}
		made := c.over(first.Job.ID).Runs
		again := serve(t, Options{Workbench: w})
		again.header = c.header
		again.send("POST", "/runs/"+run+path, `{}`, 202, &second)
		if j := again.over(second.Job.ID); j.State != "done" || !slices.Equal(j.Runs, made) {
			t.Errorf("%s after a restart: %+v, first %v", path, j, made)
		}
	}
}

func TestABaselineIsScoredSeveralTimes(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	c := serve(t, Options{Workbench: shop.open()})
	run, _ := shop.both(c)
	before := shop.bought()
	var set api.BaselineSet
	c.send("PUT", "/baselines/asked", fmt.Sprintf(`{"run":%q,"replicates":3,"plan":true}`, run), 200, &set)
	if set.Applied || set.Job != nil || set.Plan == nil || set.Plan.Votes != 2*shopQuestions || set.Plan.Calls != 4*shopQuestions ||
		shop.bought() != before {
		t.Errorf("plan: %+v %+v", set, set.Plan)
	}
	var list api.ItemsOf[experiments.Baseline]
	if c.get("/baselines", &list); len(list.Items) != 0 {
		t.Errorf("a plan set %+v", list.Items)
	}
	c.send("PUT", "/baselines/asked", fmt.Sprintf(`{"run":%q,"replicates":3}`, run), 200, &set)
	if set.Applied || set.Job == nil {
		t.Fatalf("%+v", set)
	}
	c.done(set.Job.ID)
	if c.get("/baselines", &list); len(list.Items) != 1 || list.Items[0].RunID != run || shop.bought()-before != 4*shopQuestions {
		t.Errorf("%+v after %d calls", list.Items, shop.bought()-before)
	}
	set = api.BaselineSet{}
	c.send("PUT", "/baselines/asked", fmt.Sprintf(`{"run":%q,"replicates":3}`, run), 200, &set)
	if !set.Applied || set.Job != nil || set.Plan.Votes != 0 {
		t.Errorf("again: %+v", set)
	}
	for body, field := range map[string]string{
		fmt.Sprintf(`{"run":%q,"plan":true}`, run): "plan", fmt.Sprintf(`{"run":%q,"replicates":9}`, run): "replicates",
		fmt.Sprintf(`{"run":%q,"replicates":-1}`, run): "replicates",
	} {
		if p := c.refused("PUT", "/baselines/asked", body, 422); p.Field != field {
			t.Errorf("%s blames %q", body, p.Field)
		}
	}
	if p := c.refused("PUT", "/baselines/other", fmt.Sprintf(`{"run":%q,"replicates":3}`, run), 422); p.Field != "run" {
		t.Errorf("%+v", p)
	}
}
