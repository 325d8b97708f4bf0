package experiments

import (
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// Said is one part of a configuration as people type it: "retrieve" and "{mode: bm25, k: 10}". An empty text says nothing.
type Said struct{ Name, Text string }

// WithParts lays parts over a configuration, by the rules of an experiment file, and returns a Problem that names the field where the
// result is impossible.
func WithParts(base rag.Config, parts ...Said) (rag.Config, error) {
	fields := map[string]any{}
	for _, p := range parts {
		if p.Text == "" {
			continue
		}
		var v any
		if err := yaml.ReadStrict([]byte(p.Text), &v); err != nil {
			return base, problem.New(problem.Invalid, "config_part", "%s: %q cannot be read: %v", p.Name, p.Text, err).
				With("field", p.Name).WithHint("write it as in an experiment file, like --chunk '{by: sentences, size: 4}'")
		}
		fields[p.Name] = v
	}
	config, err := configFrom(base, fields, ".")
	if err != nil {
		return base, err
	}
	return config, config.Validate()
}
