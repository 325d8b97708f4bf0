package app_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

func TestWithoutCorpusPlacesAreNotApplicable(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	for name, test := range map[string]struct {
		change                func(*remote.Endpoint)
		retrieval, trustState metrics.State
		reason                string
	}{
		"contexts without places": {nil, metrics.NotApplicable, metrics.Scored, rag.NoPlaces},
		"no contexts": {func(e *remote.Endpoint) { e.Contexts, e.ContextID = "", "" }, metrics.NotApplicable,
			metrics.NotApplicable, rag.NoContexts},
	} {
		x := w.Endpoint(t, p, test.change, "")
		run, err := w.Run(t.Context(), w.JobOf(t, x))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e, err := experiments.LoadEvaluation(t.Context(), w.Store, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		hit, _ := e.Results[0].Score("hit")
		trust, _ := e.Results[0].Score("trust")
		if hit.State != test.retrieval || hit.Reason != test.reason || trust.State != test.trustState {
			t.Errorf("%s: hit %+v, trust %+v", name, hit, trust)
		}
		if got := run.Totals.Coverage; got.Scored != got.Applicable {
			t.Errorf("%s: coverage %+v: what is hidden counts as missing", name, got)
		}
	}
}

// TestAnEndpointWithinABudgetOfMoney: what a call costs is unknown until the price file says that it costs nothing.
func TestAnEndpointWithinABudgetOfMoney(t *testing.T) {
	t.Parallel()
	for _, priced := range []bool{false, true} {
		w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
		job := w.JobOf(t, w.Endpoint(t, p, nil, ""))
		job.Budget = experiments.Budget{Micros: 1_000_000}
		if priced {
			w.Providers.Config.Prices = llm.Prices{"prod": {}}
		}
		run, err := w.Run(t.Context(), job)
		if finished := run.State == experiments.Finished; finished != priced || !priced && problem.CodeOf(err) != "price_unknown" {
			t.Errorf("with a price %t: %s, %v", priced, run.State, err)
		}
	}
}

func TestPreflightKeepsARunFromStarting(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	for name, test := range map[string]struct {
		serve  http.HandlerFunc
		change func(*remote.Endpoint)
		code   string
		says   string
	}{
		"down": {nil, func(e *remote.Endpoint) { e.URL = closed.URL }, llm.CauseEndpointUnreachable, "cannot be reached"},
		"other form": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"result":{"text":"SECRET"}}`) }, nil,
			llm.CauseEndpointMapping, "received keys: result.text"},
		"web page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `<html>`) }, nil,
			llm.CauseEndpointEnvelope, "web page"},
		"wrong key": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("Authorization"), http.StatusForbidden)
		}, nil, llm.CauseEndpointAuth, "403"},
		"moved": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.example/x?t=1", http.StatusPermanentRedirect)
		}, nil, llm.CauseEndpointRedirect, "elsewhere.example"},
		"too slow": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, func(e *remote.Endpoint) { e.TimeoutMS = 1000 },
			llm.CauseEndpointTimeout, "1s"},
	} {
		p.Instead(test.serve)
		x := w.Endpoint(t, p, test.change, "")
		_, err := w.Run(t.Context(), w.JobOf(t, x))
		what := problem.From(err)
		if what == nil || what.Code != test.code || !strings.Contains(what.Message, test.says) || what.Hint == "" {
			t.Errorf("%s: %v, want %s saying %q with a hint", name, err, test.code, test.says)
		}
		if err != nil && (strings.Contains(err.Error(), apptest.ProductionKey) || strings.Contains(err.Error(), "SECRET")) {
			t.Errorf("%s: the error repeats a key or a value: %v", name, err)
		}
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil || len(runs) != 0 {
		t.Errorf("%d runs were created: %v", len(runs), err)
	}
	delete(w.Env, "PROD_KEY")
	if _, err := app.TestEndpoint(t.Context(), w.Workbench, "prod", "?"); problem.CodeOf(err) != "endpoint_key" {
		t.Errorf("without the key: %v", err)
	}
}

// TestAReplyOfAnotherFormInTheMiddlePausesTheRun changes the reply's form after three questions.
func TestAReplyOfAnotherFormInTheMiddlePausesTheRun(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	w.Options.Concurrency = 1
	x := w.Endpoint(t, p, nil, "corpus: rules\nsuite: retrieval\n")
	j := w.JobOf(t, x)
	var n atomic.Int64
	plainly := func(rw http.ResponseWriter, i int) {
		_ = json.NewEncoder(rw).Encode(map[string]any{"answer": apptest.Rules[i], "sources": []string{apptest.Rules[i]}})
	}
	p.Instead(func(rw http.ResponseWriter, _ *http.Request) {
		if i := n.Add(1); i <= 3 { // the preflight and two questions
			plainly(rw, int(i))
			return
		}
		_, _ = io.WriteString(rw, `{"result":"A"}`)
	})
	_, err := w.Run(t.Context(), j)
	if problem.From(err).Params["cause"] != llm.CauseEndpointMapping {
		t.Fatalf("%v %v", err, problem.From(err).Params)
	}
	if got := p.Calls.Load(); got != 8 {
		t.Errorf("%d calls; two questions and five replies of another form, after the preflight", got)
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil || len(runs) != 1 || runs[0].State != experiments.Paused || runs[0].Cause != llm.CauseEndpointMapping {
		t.Fatalf("%+v, %v", runs, err)
	}
	p.Instead(nil)
	done, err := w.Resume(t.Context(), runs[0].ID)
	if err != nil || done[0].State != experiments.Finished || done[0].Totals.Errors[llm.CauseEndpointMapping] == 0 {
		t.Errorf("%+v, %v", done, err)
	}
	child, err := w.RetryErrors(t.Context(), runs[0].ID, false, experiments.Budget{})
	if err != nil || child.State != experiments.Finished || len(child.Totals.Errors) != 0 {
		t.Errorf("%+v, %v", child, err)
	}
}

func TestInterruptedCallsWaitForADecision(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	x := w.Endpoint(t, p, func(e *remote.Endpoint) { e.AtMostOnce = true }, "corpus: rules\nsuite: retrieval\n")
	p.Instead(func(rw http.ResponseWriter, _ *http.Request) {
		if c, _, err := http.NewResponseController(rw).Hijack(); err == nil {
			_ = c.Close() // it may have done what it was asked
		}
	})
	run, err := w.Run(t.Context(), w.JobOf(t, x))
	if err != nil || run.Totals.Errors[llm.CauseNeedsDecision] != 5*len(apptest.AskedQuestions) ||
		p.Calls.Load() != int64(len(apptest.AskedQuestions)) {
		t.Fatalf("%+v after %d calls, %v", run.Totals, p.Calls.Load(), err)
	}
	p.Instead(nil)
	if child, err := w.RetryErrors(t.Context(), run.ID, false, experiments.Budget{}); err != nil ||
		p.Calls.Load() != int64(len(apptest.AskedQuestions)) || child.Totals.Errors[llm.CauseNeedsDecision] == 0 {
		t.Fatalf("without leave: %+v after %d calls, %v", child.Totals, p.Calls.Load(), err)
	}
	child, err := w.RetryErrors(t.Context(), run.ID, true, experiments.Budget{})
	if err != nil || p.Calls.Load() != 2*int64(len(apptest.AskedQuestions)) || len(child.Totals.Errors) != 0 {
		t.Fatalf("with leave: %+v after %d calls, %v", child.Totals, p.Calls.Load(), err)
	}
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, run.ID)
	if err != nil || e.Run.Totals.Scores["hit"].N != len(apptest.AskedQuestions) {
		t.Errorf("pooled: %+v, %v", e.Run.Totals, err)
	}
}

func TestSweepOverAnEndpoint(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	x := w.Endpoint(t, p, nil, "suite: [correctness]\nsweep: {retrieve.k: [1, 2]}\n")
	jobs, _, err := w.SweepJobs(t.Context(), x, app.Select{Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	_, runs, err := w.Sweep(t.Context(), x, jobs)
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	if got := p.Ks.Load(); got != 1+3*1+3*2 {
		t.Errorf("the k that were sent add up to %d", got)
	}
	w.Write(t, "bad.yaml", "name: bad\nendpoint: prod\ndataset: asked\nsweep: {chunk.size: [100, 200]}\n")
	if _, _, err := w.Experiment(t.Context(), w.Dir+"/bad.yaml"); problem.CodeOf(err) != "experiment_field" ||
		!strings.Contains(err.Error(), "chunk.size") {
		t.Errorf("an axis the endpoint is not told of: %v", err)
	}
}

func TestTheSetupKeepsTheEndpointAsItWas(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	x := w.Endpoint(t, p, nil, "suite: retrieval\ncorpus: rules\n")
	j := w.JobOf(t, x)
	ctx, cancel := context.WithCancel(t.Context())
	w.OnProgress = func(experiments.Progress) { cancel() }
	w.Options.Concurrency = 1
	if _, err := w.Run(ctx, j); err == nil {
		t.Skip("the run was over before it could be interrupted")
	}
	w.OnProgress = nil
	other := apptest.NewProduction(t)
	w.Endpoint(t, other, nil, "suite: retrieval\ncorpus: rules\n")
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	done, err := w.Resume(t.Context(), runs[0].ID)
	if err != nil || done[0].State != experiments.Finished || other.Calls.Load() != 0 {
		t.Errorf("%+v, %v; the other address was asked %d times", done, err, other.Calls.Load())
	}
}

func TestAskAnEndpoint(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	x := w.Endpoint(t, p, nil, "corpus: rules\n")
	for i := range 2 {
		got, err := w.Ask(t.Context(), x, apptest.AskedQuestions[0])
		if err != nil || got.Answer.Text != apptest.Rules[0] || p.Calls.Load() != int64(i+1) {
			t.Errorf("%+v, %v after %d calls", got.Answer, err, p.Calls.Load())
		}
	}
}

func TestReadEndpointFile(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Write(t, "body.json", "{\"query\": \"{{question}}\"}\n")
	w.Write(t, "e.yaml",
		"name: prod\nurl: https://rag.example/ask\ntemplate: body.json\nanswer: answer\ntimeout: 30s\nat_most_once: true\nheaders: {X-Key: '${K}'}\n")
	got, err := app.ReadEndpoint(w.Dir + "/e.yaml")
	want := remote.Endpoint{
		Name: "prod", URL: "https://rag.example/ask", Template: `{"query": "{{question}}"}`, Answer: "answer",
		TimeoutMS:  (30 * time.Second).Milliseconds(),
		AtMostOnce: true, Headers: map[string]string{"X-Key": "${K}"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for name, body := range map[string]string{
		"endpoint_yaml": "name: prod\nulr: x\n", "endpoint_field": "name: prod\ntimeout: soon\n",
		"endpoint_template": "name: prod\ntemplate: nothing.json\n",
	} {
		w.Write(t, "bad.yaml", body)
		if _, err := app.ReadEndpoint(w.Dir + "/bad.yaml"); problem.CodeOf(err) != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
