package experiments

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// MaxDefinitionBytes is the largest experiment file that is read.
const MaxDefinitionBytes = 256 << 10

// maxDefinitionValues bounds the values of an experiment file with every reference (*name) written out: thirty lines can
// refer to each other so that they stand for more values than any memory holds.
const maxDefinitionValues = 100_000

// check refuses a file that stands for too many values, or holds text that databases cannot store.
func (f file) check() error {
	goals := make([]any, len(f.Goals))
	for i, g := range f.Goals {
		goals[i] = fmt.Sprint(g)
	}
	left := maxDefinitionValues
	if !storable([]any{f.Name, f.Corpus, f.Dataset, f.Suite, f.Metrics, f.Judge, f.Analyses, f.Base, f.Sweep, f.pairs(), goals, f.DecideBy,
		f.Tags, f.Notes}, &left) {
		return problem.New(problem.Invalid, "experiment_yaml", "the file holds the character U+0000, which databases cannot store").
			WithHint("remove the character; in YAML it may be written as \\0 or \\x00")
	}
	if left < 0 {
		return problem.New(problem.Invalid, "experiment_yaml",
			"the file stands for more than %d values once its references (*name) are written out", maxDefinitionValues).
			WithHint("write the values out instead of referring to references")
	}
	return nil
}

// pairs are what the file says of a sweep besides its axes.
func (f file) pairs() []any {
	var out []any
	for _, p := range f.Pairs {
		out = append(out, p)
	}
	for _, c := range f.Except {
		out = append(out, c)
	}
	return append(out, f.Generate)
}

// storable reports whether no text has a NUL character, and takes every value off left. It stops when nothing is left.
func storable(v any, left *int) bool {
	if *left--; *left < 0 {
		return true
	}
	switch v := v.(type) {
	case string:
		return !strings.ContainsRune(v, 0)
	case []string:
		return storable(strings.Join(v, " "), left)
	case []any:
		for _, item := range v {
			if !storable(item, left) {
				return false
			}
		}
	case map[string]any:
		for key, item := range v {
			if !storable(key, left) || !storable(item, left) {
				return false
			}
		}
	case yaml.MapSlice:
		for _, item := range v {
			if !storable(item.Key, left) || !storable(item.Value, left) {
				return false
			}
		}
	}
	return true
}
