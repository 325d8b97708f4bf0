package experiments

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

func TestDefinitionOfASystemElsewhere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, field string }{
		"endpoint":                {"name: a\ndataset: d\nendpoint: prod\n", ""},
		"endpoint, corpus, sweep": {"name: a\ndataset: d\ncorpus: c\nendpoint: prod\nsweep: {retrieve.k: [1, 2]}\n", ""},
		"answers":                 {"name: a\ndataset: d\nanswers: bot@2\n", ""},
		"one model":               {"name: a\ndataset: d\nanswers: bot\nmodel: openai/gpt-4.1-mini\n", ""},
		"both":                    {"name: a\ndataset: d\nendpoint: prod\nanswers: bot\n", "answers"},
		"base":                    {"name: a\ndataset: d\nendpoint: prod\nbase: {retrieve: {k: 3}}\n", "base"},
		"base beside answers":     {"name: a\ndataset: d\nanswers: bot\nbase: {retrieve: {k: 3}}\n", "base"},
		"sweep of answers":        {"name: a\ndataset: d\nanswers: bot\nsweep: {retrieve.k: [1, 2]}\n", "sweep"},
		"no dataset":              {"name: a\nendpoint: prod\n", "dataset"},
		"no corpus, no endpoint":  {"name: a\ndataset: d\n", "corpus"},
		"endpoint inside base":    {"name: a\ndataset: d\ncorpus: c\nbase: {endpoint: {url: http://evil.example}}\n", "base.endpoint"},
		"log inside base":         {"name: a\ndataset: d\ncorpus: c\nbase: {log: {name: x}}\n", "base.log"},
		"endpoint's address swept": {"name: a\ndataset: d\nendpoint: prod\nsweep: {endpoint.url: [http://evil.example]}\n",
			"sweep.endpoint"},
		"a name that cannot be one": {"name: a\ndataset: d\nendpoint: ../x\n", ""},
	} {
		d, err := ParseDefinition([]byte(test.body), t.TempDir())
		if name == "a name that cannot be one" {
			if problem.CodeOf(err) != "name" {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if test.field == "" {
			if err != nil || !d.IsOutside() {
				t.Errorf("%s: %+v, %v", name, d, err)
			}
			continue
		}
		if err == nil || problem.From(err).Params["field"] != test.field || problem.From(err).Hint == "" {
			t.Errorf("%s: %v names %v, want %s", name, err, problem.From(err).Params["field"], test.field)
		}
	}
}

func TestAxesThatAnEndpointIsNotToldOf(t *testing.T) {
	t.Parallel()
	e := remote.Endpoint{Name: "prod", URL: "https://rag.example/ask", Method: "POST", Template: `{"q":"{{question}}","k":{{k}}}`,
		Answer: "answer"}
	d := Definition{Sweep: []Axis{{Name: "retrieve.k", Values: []any{1, 2}}}}
	if err := d.CheckAxes(e); err != nil {
		t.Error(err)
	}
	for axis, hint := range map[string]string{"generate.prompt": "{{system_prompt}}", "chunk.size": "retrieve.k"} {
		d.Sweep = []Axis{{Name: axis}}
		if err := d.CheckAxes(e); err == nil || !strings.Contains(problem.From(err).Hint, hint) {
			t.Errorf("%s: %v", axis, err)
		}
	}
}
