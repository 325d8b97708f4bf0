package server

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/simulation"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/server/api"
)

func TestCausesAreValidatedOverHTTP(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	const path = "/validations/causes"
	var j api.Job
	c.send("POST", path, `{"batches":1,"noise":[0],"conditions":["database_deleted"]}`, 202, &j)
	c.done(j.ID)
	rows := resultOf[[]validation.CauseRow](c, j.ID)
	if len(rows) != 1 || rows[0].Condition != "database_deleted" || rows[0].Material != "synthetic" || rows[0].N != 50 ||
		rows[0].Right < 25 {
		t.Errorf("made-up text: %+v", rows)
	}
	c.send("POST", path, `{"dataset":"airline-en","corpus":"airline-en","noise":[0],"items":3,"conditions":["database_deleted"]}`, 202, &j)
	c.done(j.ID)
	if rows = resultOf[[]validation.CauseRow](c, j.ID); len(rows) != 1 || rows[0].Material != "airline-en" {
		t.Errorf("stored text: %+v", rows)
	}
	body := `{"dataset":"airline-en","corpus":"airline-en","noise":[0],"items":4,"conditions":["prompt"],"whole":true,"unlabelled":true}`
	c.send("POST", path, body, 202, &j)
	c.done(j.ID)
	if whole := resultOf[[]validation.WorldRow](c, j.ID); len(whole) != 1 || whole[0].Condition != "prompt" || whole[0].Low == 0 ||
		whole[0].Right == 0 || whole[0].Outcome == nil {
		t.Errorf("whole systems: %+v", whole)
	}
	for body, field := range map[string]string{
		`{"whole":true}`: "whole", `{"dataset":"airline-en","corpus":"airline-en","lenient":true}`: "whole",
		`{"dataset":"airline-en","corpus":"airline-en","whole":true,"conditions":["database_deleted"]}`: "conditions",
		`{"batches":101}`: "batches", `{"noise":[0.5]}`: "noise", `{"conditions":["gremlins"]}`: "conditions",
		`{"judge":"offline"}`: "dataset", `{"corpus":"airline-en"}`: "dataset",
		`{"dataset":"airline-en"}`: "corpus", `{"budget":"2"}`: "budget",
		`{"dataset":"airline-en","corpus":"airline-en","judge":"nobody/x"}`: "judge", `{"unlabelled":true}`: "unlabelled",
	} {
		if p := c.refused("POST", path, body, 422); p.Field != field {
			t.Errorf("%s blames %q: %s", body, p.Field, p.Detail)
		}
	}
	// A folder of the server is no dataset, whatever lies in it.
	for body, field := range map[string]string{
		`{"dataset":"/etc","corpus":"airline-en"}`: "dataset", `{"dataset":".","corpus":"airline-en"}`: "dataset",
		`{"dataset":"airline-en","corpus":"../../demo/en/corpus"}`: "corpus",
	} {
		if p := c.refused("POST", path, body, 404); p.Field != field {
			t.Errorf("%s: %+v", body, p)
		}
	}
}

func TestRegressionsAreValidatedOverHTTP(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	const path = "/validations/regressions"
	var started api.ValidatingRegressions
	c.send("POST", path, `{"runs":1,"seed":7}`, 202, &started)
	c.done(started.Job.ID)
	var s struct {
		Seed   uint64 `json:"seed"`
		Worlds []struct {
			Rows []struct {
				Detector simulation.Detector `json:"detector"`
			} `json:"detectors"`
		} `json:"worlds"`
	}
	if c.get("/jobs/"+started.Job.ID+"/result", &s); s.Seed != 7 || len(s.Worlds) == 0 || len(s.Worlds[0].Rows) == 0 {
		t.Errorf("simulated: %+v", s)
	}
	c.send("POST", path, `{"experiment":"k1","limit":5,"plan":true}`, 202, &started)
	if started.Plan.Votes != 0 || started.Plan.Currency == "" {
		t.Errorf("plan: %+v", started.Plan)
	}
	started = api.ValidatingRegressions{}
	c.send("POST", path, `{"experiment":"k1","limit":5}`, 202, &started)
	c.done(started.Job.ID)
	if test := resultOf[validations.SelfTest](c, started.Job.ID); !test.Settled || test.Experiment != "k1" || test.Bought != 0 {
		t.Errorf("itself: %+v", test)
	}
	for body, field := range map[string]string{
		`{"runs":1001}`: "runs", `{"plan":true}`: "experiment", `{"budget":"1"}`: "experiment", `{"experiment":"k1","runs":5}`: "runs",
		`{"experiment":"k1","replicates":1}`:             "replicates",
		`{"experiment":"k1","filter":[""],"budget":"x"}`: "budget",
	} {
		if p := c.refused("POST", path, body, 422); p.Field != field {
			t.Errorf("%s blames %q: %s", body, p.Field, p.Detail)
		}
	}
	c.refused("POST", path, `{"experiment":"nobody"}`, 404)
	c.refused("POST", path, `{"experiment":"../k1.yaml"}`, 404)
}

func TestVerdictsAreValidatedOverHTTP(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	const path = "/validations/verdicts"
	const pair = `{\"id\":\"a\",\"question\":\"What is the fee?\",\"reference\":\"The fee is 20 yen.\",\"before\":\"The fee is 20 yen.\",\"after\":\"Dogs fly in the hold.\",\"reader\":{\"verdict\":\"worse\"}}`
	var v api.Validating
	c.send("POST", path, `{"pairs":"`+pair+`","plan":true}`, 202, &v)
	if v.Job != nil || v.Plan.Buy != 0 || v.Plan.Questions != 1 {
		t.Errorf("plan: %+v", v)
	}
	c.send("POST", path, `{"pairs":"`+pair+`","source":"mine.jsonl"}`, 202, &v)
	c.done(v.Job.ID)
	report := resultOf[validations.VerdictReport](c, v.Job.ID)
	if report.Pairs != 1 || report.Source != "mine.jsonl" || report.Worse.Precision == nil || *report.Worse.Precision != 1 {
		t.Errorf("%+v", report)
	}
	for body, field := range map[string]string{`{"pairs":"{}"}`: "pairs", `{"pairs":"` + pair + `","budget":"x"}`: "budget"} {
		if p := c.refused("POST", path, body, 422); p.Field != field {
			t.Errorf("%s blames %q: %s", body, p.Field, p.Detail)
		}
	}
}
