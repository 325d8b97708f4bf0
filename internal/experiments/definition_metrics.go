package experiments

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// maxCustomMetrics bounds the custom metrics of an experiment: each is a judge call for every question.
const maxCustomMetrics = 30

// Specs are the metrics of the experiment, as its runs freeze them: those of its suite and its own, marked where the judge is
// asked with other prompts.
func (d Definition) Specs() ([]metrics.Spec, error) {
	specs, err := metrics.ResolveWith(d.Suite, d.Metrics)
	if err != nil {
		return nil, err
	}
	return d.Judge.Versioned(specs), nil
}

// knowsMetric reports whether a goal can be set on a metric.
func (d Definition) knowsMetric(id string) bool {
	if _, known := metrics.Find(id); known {
		return true
	}
	for _, c := range d.Metrics {
		if c.ID == id {
			return true
		}
	}
	return false
}

// metricIDs are the metrics that a goal can be set on.
func (d Definition) metricIDs() []string {
	var ids []string
	for _, s := range metrics.Catalogue() {
		ids = append(ids, s.ID)
	}
	for _, c := range d.Metrics {
		ids = append(ids, c.ID)
	}
	return ids
}

// customMetrics reads the experiment's own metrics: a list of definitions, or of names of YAML files that hold one or several.
func customMetrics(v any, dir string) ([]metrics.Custom, error) {
	var out []metrics.Custom
	items, err := customItems(plain(v), dir, true)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		fields, ok := item.(map[string]any)
		if !ok {
			return nil, fieldProblem(fmt.Sprintf("metrics[%d]", i), item,
				"a definition with id, kind and instruction, or the name of a file with some")
		}
		var c metrics.Custom
		if err := overlay(fields, &c); err != nil {
			return nil, inField(err, fmt.Sprintf("metrics[%d].", i))
		}
		out = append(out, c)
	}
	if len(out) > maxCustomMetrics {
		return nil, fieldProblem("metrics", fmt.Sprintf("%d definitions", len(out)),
			fmt.Sprintf("at most %d definitions", maxCustomMetrics))
	}
	return out, nil
}

// customItems lists the definitions in v and in the files that it names. Files name no further files.
func customItems(v any, dir string, files bool) ([]any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		if list, only := v["metrics"]; only && len(v) == 1 {
			return customItems(list, dir, files)
		}
		return []any{v}, nil
	case string:
		if !files {
			return nil, fieldProblem("metrics", v, "a definition; a file of metrics names no further file")
		}
		raw, err := fileText("metrics", v, dir)
		if err != nil {
			return nil, err
		}
		var held any
		if err := yaml.Read([]byte(raw), &held); err != nil {
			return nil, yaml.WrongIn(v, "experiment_yaml", err)
		}
		if left := maxDefinitionValues; !storable(held, &left) || left < 0 { // before anything copies it: references multiply
			return nil, fieldProblem("metrics", v, "a file without U+0000 and with fewer values")
		}
		return customItems(plain(held), dir, false)
	case []any:
		var out []any
		for _, item := range v {
			found, err := customItems(item, dir, files)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
		return out, nil
	}
	return nil, fieldProblem("metrics", v, "a list of definitions, or the name of a file with some")
}

// judgePrompts puts the texts of the files that judge.prompts names in the place of their names.
func judgePrompts(judge *metrics.JudgeConfig, dir string) error {
	if len(judge.Examples) == 0 {
		judge.Examples = nil
	}
	if err := judge.CheckExamples(); err != nil {
		return err
	}
	if len(judge.Prompts) == 0 {
		judge.Prompts = nil
		return nil
	}
	out := make(map[string]string, len(judge.Prompts))
	for name, s := range judge.Prompts {
		out[name] = s
		if ext := filepath.Ext(s); strings.Contains(s, "\n") || ext != ".md" && ext != ".txt" {
			continue
		}
		held, err := fileText("judge.prompts."+name, s, dir)
		if err != nil {
			return err
		}
		out[name] = held
	}
	judge.Prompts = out
	return judge.CheckPrompts()
}

// fileText reads a file that a field names, beside the experiment file, in any encoding that people have.
func fileText(field, name, dir string) (string, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, name)
	}
	raw, err := text.ReadFile(path, MaxDefinitionBytes)
	var s string
	if err == nil {
		s, _, err = text.Decode(raw)
	}
	if err == nil && strings.ContainsRune(s, 0) {
		return "", fieldProblem(field, "a file with the character U+0000", "a text file")
	}
	if err != nil {
		return "", problem.New(problem.Invalid, "prompt_file", "%s names the file %s, which cannot be read", field, path).
			With("field", field).Because(err).WithHint("files are looked for beside the experiment file")
	}
	return s, nil
}
