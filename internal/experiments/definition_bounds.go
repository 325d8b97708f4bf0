package experiments

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/rag-workbench/workbench/internal/problem"
)

// MaxDefinitionBytes is the largest experiment file that is read. The YAML library takes time with the square of the keys.
const MaxDefinitionBytes = 256 << 10

// maxDefinitionDepth bounds lists within lists before the YAML library sees them, because it takes memory with the square of
// the depth and never gives up. Real files are five deep.
const maxDefinitionDepth = 100

// checkBytes refuses bytes that are not UTF-8, which the YAML library would replace silently, and too deep lists. For those it
// counts the brackets that are open at once, and the list marks at the start of a line. It does not know quotation
// marks: a text with a hundred brackets that are never closed is refused too.
func checkBytes(raw []byte) error {
	if !utf8.Valid(raw) {
		return problem.New(problem.Invalid, "experiment_yaml", "the text is not valid UTF-8").WithHint("save the file as UTF-8")
	}
	number, open := 0, 0
	for line := range bytes.Lines(raw) {
		number++
		marks := 0
		for rest := bytes.TrimLeft(line, " "); len(rest) > 1 && (rest[0] == '-' || rest[0] == '?') && rest[1] == ' '; marks++ {
			rest = bytes.TrimLeft(rest[1:], " ")
		}
		deepest := marks
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
				deepest = max(deepest, open)
			case ']', '}':
				open = max(0, open-1)
			}
		}
		if deepest > maxDefinitionDepth {
			return problem.New(problem.Invalid, "experiment_yaml", "line %d: lists or objects are more than %d deep within each other", number, maxDefinitionDepth).
				With("line", number).WithHint("close the brackets; `workbench experiment add --help` shows an example file with every field")
		}
	}
	return nil
}

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
	if !storable([]any{f.Name, f.Corpus, f.Dataset, f.Suite, f.Metrics, f.Judge, f.Analyses, f.Base, f.Sweep, goals, f.DecideBy, f.Tags, f.Notes}, &left) {
		return problem.New(problem.Invalid, "experiment_yaml", "the file holds the character U+0000, which databases cannot store").
			WithHint("remove the character; in YAML it may be written as \\0 or \\x00")
	}
	if left < 0 {
		return problem.New(problem.Invalid, "experiment_yaml", "the file stands for more than %d values once its references (*name) are written out", maxDefinitionValues).
			WithHint("write the values out instead of referring to references")
	}
	return nil
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
