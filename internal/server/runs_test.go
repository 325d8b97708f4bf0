package server

import (
	"bufio"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/demo"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// small is a workbench of the test's own with an experiment that can be run.
func small(t *testing.T) *app.Workbench {
	t.Helper()
	w := fresh(t)
	dir := t.TempDir()
	files, err := fs.Sub(demo.Files, "en")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ImportCorpus(t.Context(), filepath.Join(dir, "corpus"), "airline-en", false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.ImportDataset(t.Context(), filepath.Join(dir, "questions.jsonl"), "airline-en", "airline-en", nil); err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 4} {
		d, err := experiments.ParseDefinition(fmt.Appendf(nil,
			"name: k%d\ncorpus: airline-en\ndataset: airline-en\nsuite: [correctness, trust, hit]\nbase: {retrieve: {k: %d}}\nsweep: {retrieve.k: [1, 2]}\n", k, k), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Store.PutExperiment(t.Context(), d, testNow); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// finish waits until a run is over, by its events.
func (c *client) finish(id string) {
	c.t.Helper()
	events := c.events(id, 0)
	if last := events[len(events)-1]; last.kind != "end" || events[len(events)-2].kind != string(experiments.EventFinished) {
		c.t.Fatalf("run %s: %v", id, events)
	}
}

// queued is a run that nobody works.
func queued() experiments.Run {
	run := experiments.Run{Kind: experiments.KindEvaluate, CreatedAt: testNow, State: experiments.Queued}
	run.Setup.Suite = []metrics.Spec{{ID: "hit", Version: "1"}}
	return run
}

type sentEvent struct{ id, kind, data string }

// events reads an event stream to its end.
func (c *client) events(id string, after int) []sentEvent {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), "GET", c.url+requests.Prefix+"/runs/"+id+"/events", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if after > 0 {
		r.Header.Set("Last-Event-ID", strconv.Itoa(after))
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.Header.Get("Content-Type") != "text/event-stream" {
		c.t.Fatalf("%s %s", response.Status, response.Header)
	}
	var out []sentEvent
	var e sentEvent
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.data = value
		case "":
			if e.kind != "" {
				out = append(out, e)
			}
			e = sentEvent{}
		}
	}
	if err := lines.Err(); err != nil {
		c.t.Fatal(err)
	}
	return out
}

func TestARunFromPlanToComparison(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var plan app.Plan
	c.send("POST", "/runs/plan", `{"experiment":"k1","limit":12}`, 200, &plan)
	if plan.Questions != 12 || plan.Buy != 0 {
		t.Errorf("plan %+v", plan)
	}
	var before, after app.RunRow
	c.send("POST", "/runs", `{"experiment":"k1","limit":12}`, 202, &before)
	c.finish(before.RunID)
	c.send("POST", "/runs", `{"experiment":"k4","limit":12,"budget":"500calls"}`, 202, &after)
	c.finish(after.RunID)
	if after.Budget.Calls != 500 {
		t.Errorf("budget %+v", after.Budget)
	}
	c.send("PUT", "/baselines/airline-en", fmt.Sprintf(`{"run":%q}`, before.RunID), 200, nil)
	var view views.ComparisonView
	c.get("/comparisons?candidate="+after.RunID, &view)
	if view.Baseline.RunID != before.RunID || view.Matched != 12 || !view.Baseline.Baseline || len(view.Sentences.JA) < 3 ||
		len(view.Findings.Sentences) != len(view.Sentences.JA) {
		t.Errorf("comparison of %s: %d matched, %+v", view.Baseline.RunID, view.Matched, view.Sentences)
	}
	if sum := view.Labels.Worse + view.Labels.NeedsCheck + view.Labels.NoChange + view.Labels.Better; sum != 12 {
		t.Errorf("labels %+v", view.Labels)
	}
	var gate reporting.GateView
	c.get("/comparisons/gate?candidate="+after.RunID+"&min="+url.QueryEscape("correctness >= 4.9"), &gate)
	if gate.Decision != "FAIL" || gate.Outcome != "fail" || !gate.Offline || len(gate.SaidJA) != len(gate.Said) ||
		gate.SaidJA[0] == gate.Said[0] || gate.Caution == nil || gate.Caution.JA == gate.Caution.EN {
		t.Errorf("gate %+v", gate)
	}
	var strict views.ComparisonView
	c.get("/comparisons?candidate="+after.RunID+"&min="+url.QueryEscape("correctness >= 4.9"), &strict)
	const limited = "Limit set on the page, or by the request, that asked for it: a mean of correctness of at least 4.9."
	if !strings.HasSuffix(strict.Findings.Check.EN, limited) || !strings.HasSuffix(gate.Said[0], limited) ||
		view.Findings.Check == strict.Findings.Check {
		t.Errorf("by the same limits the gate says %q, the page %q, and by the usual ones %q", gate.Said[0], strict.Findings.Check.EN,
			view.Findings.Check.EN)
	}
	c.refused("GET", "/comparisons?candidate="+after.RunID+"&margin=much", "", 422)
	c.refused("DELETE", "/runs/"+before.RunID, "", http.StatusConflict)
	c.send("DELETE", "/baselines/airline-en", "", 204, nil)
	c.send("DELETE", "/runs/"+before.RunID, "", 204, nil)
	c.refused("GET", "/runs/"+before.RunID, "", 404)
	c.refused("POST", "/runs/"+after.RunID+"/resume", "{}", http.StatusConflict)
	c.refused("POST", "/runs/"+after.RunID+"/cancel", "", http.StatusConflict)
}

func TestEventsAreReplayed(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var run app.RunRow
	c.send("POST", "/runs", `{"experiment":"k1","limit":3}`, 202, &run)
	all := c.events(run.RunID, 0)
	for i, e := range all[:len(all)-1] {
		if e.id != strconv.Itoa(i+1) || !strings.Contains(e.data, `"kind":"`+e.kind+`"`) {
			t.Errorf("event %d is %+v", i, e)
		}
	}
	if all[0].kind != "created" || all[len(all)-2].kind != "finished" {
		t.Errorf("events %v", all)
	}
	if rest := c.events(run.RunID, 2); len(rest) != len(all)-2 || rest[0].id != "3" {
		t.Errorf("after 2: %v", rest)
	}
	if rest := c.events(run.RunID, 1000); len(rest) != 1 || rest[0].kind != "end" {
		t.Errorf("after the end: %v", rest)
	}
}

// A watcher of a run that nobody works hears that it is still connected, and the stream ends when the server does.
func TestHeartbeats(t *testing.T) {
	t.Parallel()
	ticks := make(chan time.Time)
	w := small(t)
	c := serve(t, Options{Workbench: w, Every: func(time.Duration) (<-chan time.Time, func()) { return ticks, func() {} }})
	run, err := w.Store.CreateRun(t.Context(), queued(), []string{"q"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), "GET", c.url+requests.Prefix+"/runs/"+run.ID+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	for range requests.Heartbeat/requests.EventPoll + 1 {
		ticks <- testNow
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if lines.Text() == ": still there" {
			break
		}
	}
	if lines.Text() != ": still there" {
		t.Fatal("no heartbeat")
	}
	close(c.server.stopping)
	for lines.Scan() {
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream broke: %v", err)
	}
}

func TestTheSameKeyMakesOneRun(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	c.header = map[string]string{"Idempotency-Key": "monday"}
	ids := map[string]bool{}
	for range 3 {
		var run app.RunRow
		c.send("POST", "/runs", `{"experiment":"k1","limit":2}`, 202, &run)
		ids[run.RunID] = true
	}
	p := c.refused("POST", "/runs", `{"experiment":"k1","limit":3}`, http.StatusConflict)
	if len(ids) != 1 || p.Code != "idempotency_key_reused" || p.Field != "Idempotency-Key" {
		t.Errorf("%v %+v", ids, p)
	}
	c.refused("POST", "/runs", `{"experiment":"nobody"}`, 409)
	c.header["Idempotency-Key"] = "tuesday"
	c.refused("POST", "/runs", `{"experiment":"nobody"}`, 404)
	var run app.RunRow
	c.send("POST", "/runs", `{"experiment":"k1","limit":2}`, 202, &run) // a request that failed has used no key
	if ids[run.RunID] {
		t.Error("another key gave the same run")
	}
	c.finish(run.RunID)
}

func TestASweepOverHTTP(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var sweep app.RunRow
	c.send("POST", "/sweeps", `{"experiment":"k1","limit":5}`, 202, &sweep)
	c.finish(sweep.RunID)
	var view views.SweepView
	c.get("/sweeps/"+sweep.RunID, &view)
	if len(view.Runs) != 2 || view.Winner == "" || view.Baseline == "" || len(view.Axes) != 1 || len(view.Axes[0].Values) != 2 ||
		view.Runs[0].Bubbles == nil || view.Runs[0].Chart == nil || len(view.Charts.Effects) != len(view.Effects) {
		t.Errorf("sweep %+v", view)
	}
	var inside listing.Listed[app.RunRow]
	c.get("/runs?sweep="+sweep.RunID, &inside)
	if inside.Total != 2 {
		t.Errorf("%d runs", inside.Total)
	}
	c.refused("GET", "/sweeps/"+inside.Items[0].RunID, "", 404)
}

func TestARunIsPausedWithTheServer(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w})
	var run app.RunRow
	c.send("POST", "/runs", `{"experiment":"k4"}`, 202, &run)
	c.server.work.Close() // what Serve does at the end
	got, err := w.Store.Run(t.Context(), run.RunID)
	if err != nil || got.State != experiments.Paused && got.State != experiments.Queued {
		t.Fatalf("%s %v", got.State, err)
	}
	again := serve(t, Options{Workbench: w})
	again.send("POST", "/runs/"+run.RunID+"/resume", "{}", 202, nil)
	again.finish(run.RunID)
}

func TestPauseAndCancel(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w})
	run, err := w.Store.CreateRun(t.Context(), queued(), []string{"q"})
	if err != nil {
		t.Fatal(err)
	}
	var row app.RunRow
	c.send("POST", "/runs/"+run.ID+"/cancel", "", 202, &row)
	if row.State != experiments.Cancelled {
		t.Errorf("state %s", row.State)
	}
	c.refused("POST", "/runs/"+run.ID+"/pause", "", 409)
}
