package reporting

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
)

func TestAnEndpointIsAnExperiment(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	x := w.Endpoint(t, p, nil, "corpus: rules\n")
	plan, err := w.Plan(t.Context(), []app.Job{w.JobOf(t, x)})
	if err != nil || p.Calls.Load() != 0 {
		t.Fatalf("a plan made %d calls: %v", p.Calls.Load(), err)
	}
	if i := slices.IndexFunc(plan.Stages, func(s app.StagePlan) bool { return s.Stage == "endpoint" }); i < 0 ||
		plan.Stages[i].Buy != len(apptest.AskedQuestions) || plan.Buy != len(apptest.AskedQuestions) {
		t.Errorf("plan %+v", plan)
	}
	run, err := w.Run(t.Context(), w.JobOf(t, x))
	if err != nil {
		t.Fatal(err)
	}
	if n := p.Calls.Load(); n != int64(len(apptest.AskedQuestions))+1 {
		t.Errorf("%d calls for %d questions and the preflight", n, len(apptest.AskedQuestions))
	}
	if got := run.Totals.Scores["span_coverage"]; got.N != len(apptest.AskedQuestions) || got.Mean != 1 {
		t.Errorf("evidence was not found in the located contexts: %+v", run.Totals)
	}
	if got := run.Totals.Coverage; got.Scored != got.Applicable {
		t.Errorf("coverage %+v, errors %v", got, run.Totals.Errors)
	}
	if c := run.Setup.Config; c.Endpoint == nil || c.Endpoint.URL != p.URL || c.Retrieve.K != 3 || c.Chunk.Size != 0 || run.Setup.Settled {
		t.Errorf("setup %+v", run.Setup)
	}
	calls, err := w.Store.Calls(t.Context(), run.ID)
	if err != nil || len(calls) != len(apptest.AskedQuestions) || calls[0].ModelSeen != "7" || calls[0].Stage != "endpoint" {
		t.Errorf("%d calls, %v", len(calls), err)
	}
	again, err := w.Run(t.Context(), w.JobOf(t, x))
	if err != nil || p.Calls.Load() != 2*int64(len(apptest.AskedQuestions)+1) {
		t.Fatalf("the second run asked %d times in all: %v", p.Calls.Load(), err)
	}
	comparison, _, err := w.Compare(t.Context(), run.ID, again.ID)
	if err != nil || len(comparison.Questions) != 0 && comparison.Questions[0].Baseline != comparison.Questions[0].Candidate {
		t.Errorf("%+v, %v", comparison, err)
	}
	if _, err := Report(t.Context(), w.Workbench, run.ID, again.ID, "en", "test", GateAsked{}); err != nil {
		t.Error(err)
	}
	body, err := json.Marshal(run)
	if err != nil || strings.Contains(string(body), apptest.ProductionKey) {
		t.Errorf("the run holds the key: %s", body)
	}
}
