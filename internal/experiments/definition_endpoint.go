package experiments

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// IsOutside reports whether the experiment evaluates a system that does not run here: an endpoint, or a log of answers.
func (d Definition) IsOutside() bool { return d.Endpoint != "" || d.Answers != "" }

// checkOutside refuses what cannot stand beside endpoint: or answers:.
func (f *file) checkOutside() error {
	switch {
	case f.Endpoint == "" && f.Answers == "":
		return nil
	case f.Endpoint != "" && f.Answers != "":
		return fieldProblem("answers", f.Answers, "left out where endpoint: is given; an experiment evaluates one system")
	case f.Base != nil:
		which := "endpoint"
		if f.Answers != "" {
			which = "answers"
		}
		return problem.New(problem.Invalid, "experiment_field",
			"base stands beside %s, but that system runs elsewhere and cannot be configured here", which).
			With("field", "base").
			WithHint("leave base: out; what an endpoint can be told (retrieve.k, generate.prompt) stands under sweep:")
	case f.Answers != "" && len(f.Sweep) > 0:
		return problem.New(problem.Invalid, "experiment_field", "sweep stands beside answers, but logged answers cannot vary").
			With("field", "sweep").WithHint("leave sweep: out, or import one log for each variant")
	case f.Endpoint != "":
		return inNamed("endpoint", ValidName("an endpoint", f.Endpoint))
	}
	name, _, _ := strings.Cut(f.Answers, "@")
	return inNamed("answers", ValidName("a log of answers", name))
}

// inNamed says of a problem which field it is about.
func inNamed(field string, err error) error {
	if err == nil {
		return nil
	}
	return problem.From(err).With("field", field)
}

// CheckAxes refuses axes that the requests of an endpoint do not carry: all their values would give the same answers.
func (d Definition) CheckAxes(e remote.Endpoint) error {
	for _, axis := range d.Sweep {
		if e.Accepts(axis.Name) {
			continue
		}
		return problem.New(problem.Invalid, "experiment_field",
			"sweep.%s: the requests of endpoint %s do not carry it, so every value would give the same answers", axis.Name, e.Name).
			With("field", "sweep."+axis.Name).WithHint("%s", axisHint(axis.Name, e))
	}
	return nil
}

func axisHint(axis string, e remote.Endpoint) string {
	slot := map[string]string{"retrieve.k": "k", "generate.prompt": "system_prompt"}[axis]
	if slot == "" {
		return "an endpoint can be told retrieve.k ({{k}}) and generate.prompt ({{system_prompt}})"
	}
	return fmt.Sprintf("put {{%s}} into the template: workbench endpoint add %s --template … ", slot, e.Name)
}

// noOutside keeps the descriptions of systems elsewhere, which are frozen into a configuration, out of what a file may set.
func noOutside(fields map[string]any) error {
	for _, name := range []string{"endpoint", "log"} {
		if _, given := fields[name]; given {
			return problem.New(problem.Invalid, "experiment_field", "unknown field %q", name).With("field", name).
				WithHint("a system that runs elsewhere is named beside dataset: as endpoint: NAME or answers: NAME, without base:")
		}
	}
	return nil
}
