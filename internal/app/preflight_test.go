package app_test

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// paid is a priced world whose provider is taken for one that stands elsewhere.
func paid(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.NewPriced(t)
	yes := true
	openai := w.Config.Providers["openai"]
	openai.Preflight = &yes
	w.Config.Providers["openai"], w.Providers.Config.Providers["openai"] = openai, openai
	return w
}

// tests counts the test calls of a run.
func tests(t *testing.T, w *apptest.World, run string) int {
	t.Helper()
	calls, err := w.Whole.Calls(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range calls {
		if c.Stage == app.StagePreflight {
			n++
		}
	}
	return n
}

// TestPaidWorkIsTestedFirst runs an experiment at a provider that costs money: each purpose is tested once, in the plan, in the bill and in
// what is known of the models; the same work and work after it are not tested again.
func TestPaidWorkIsTestedFirst(t *testing.T) {
	t.Parallel()
	w := paid(t)
	job := w.JobFile(t, apptest.Bought)
	plan, err := w.Plan(t.Context(), []app.Job{job})
	if err != nil {
		t.Fatal(err)
	}
	if s := plan.Stages[0]; s.Stage != app.StagePreflight || s.ExpectedBuy < 3 || s.Buy != s.ExpectedBuy+2 || s.PriceMicros == 0 {
		t.Errorf("planned are %+v", s)
	}
	run, err := w.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if n := tests(t, w, run.ID); n != plan.Stages[0].ExpectedBuy {
		t.Errorf("%d test calls, %d were expected", n, plan.Stages[0].ExpectedBuy)
	}
	spent, err := w.Store.Spent(t.Context(), run.ID)
	if err != nil || spent.Calls > plan.Buy {
		t.Errorf("%d calls, and %d were planned at most; %v", spent.Calls, plan.Buy, err)
	}
	probes, err := w.Whole.Probes(t.Context())
	purposes := map[string]bool{}
	for _, b := range probes {
		purposes[b.Purpose] = b.OK
	}
	if err != nil || !purposes[llm.ProbeGenerate] || !purposes[llm.ProbeJudge] || !purposes[llm.ProbeEmbed] {
		t.Errorf("known are %+v, %v", probes, err)
	}
	if len(plan.Probes) != 0 {
		t.Errorf("known before anything was tested: %+v", plan.Probes)
	}
	other := w.JobFile(t, strings.Replace(apptest.Bought, "k: 2", "k: 3", 1))
	if again, err := w.Plan(t.Context(), []app.Job{other}); err != nil || again.Buy == 0 || len(again.Probes) == 0 || !again.Probes[0].OK {
		t.Errorf("a plan of %d calls shows %+v of its models, %v", again.Buy, again.Probes, err)
	}
	before := len(w.Provider.Ledger())
	w.OpenAgain(t, "")
	w.Price()
	if _, err := w.Run(t.Context(), w.JobFile(t, apptest.Bought)); err != nil || len(w.Provider.Ledger()) != before {
		t.Errorf("the same work bought %d calls, %v", len(w.Provider.Ledger())-before, err)
	}
}

// TestAFailedTestStopsTheRunFirst has a judge that never gives what it is asked for, and a server that does not know the model: the run
// pauses before an answer is bought, with the server's words and what to do next, and goes on when the model is of use.
func TestAFailedTestStopsTheRunFirst(t *testing.T) {
	t.Parallel()
	broken := true
	for name, c := range map[string]struct {
		fault fakeprovider.Behaviour
		cause string
		says  string
		most  int
	}{
		"no form": {fakeprovider.Behaviour{Fault: fakeprovider.Content, Body: "I would give it a four."}, llm.CauseUseless,
			"does not have the form", 5},
		"unknown": {fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Status: 400, Body: "Invalid model name passed in"},
			llm.CauseRefused, "Invalid model name passed in", 5},
	} {
		w := paid(t)
		w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32,
			Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
				if broken && strings.HasPrefix(r.Model, "judge") {
					return c.fault
				}
				return fakeprovider.Behaviour{}
			}})
		broken = true
		run, err := w.Run(t.Context(), w.JobFile(t, apptest.Bought))
		p := problem.From(err)
		if p == nil || p.Kind != problem.Incomplete || p.Params["cause"] != c.cause || !strings.Contains(p.Error(), c.says) ||
			!strings.Contains(p.Error(), "workbench providers test openai --model judge-1 --purpose judge") {
			t.Errorf("%s: the run ends with %v", name, err)
		}
		if n := len(w.Provider.Ledger()); n > c.most || n != tests(t, w, run.ID) {
			t.Errorf("%s: %d calls were made, %d of them tests", name, n, tests(t, w, run.ID))
		}
		broken = false
		resumed, err := w.Resume(t.Context(), run.ID)
		if err != nil || resumed[0].State != experiments.Finished {
			t.Errorf("%s: resumed as %s, %v", name, resumed[0].State, err)
		}
	}
}
