package experiments

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// misfit is the first value that does not fit the type that it is decoded into, or the first name that the type does not have; nil where
// all fits. The decoder says so too, in words of its types.
func misfit(v any, t reflect.Type, path string) *problem.Problem {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	must := kindOf(t)
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		if must == yaml.Mapping {
			return misfitIn(v, t, path)
		}
	case []any:
		if must == yaml.List {
			for i, item := range v {
				if p := misfit(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i)); p != nil {
					return p
				}
			}
			return nil
		}
	}
	if holds(v, must) {
		return nil
	}
	p := fieldProblem(path, v, "")
	p.Args[2] = must.Words()
	p.Message = fmt.Sprintf(p.Format, p.Args...)
	p.With("want", must.In("en"))
	yaml.Advise(p, path, v, must)
	return p
}

func misfitIn(fields map[string]any, t reflect.Type, path string) *problem.Problem {
	known := fieldsOf(t)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		here := strings.TrimPrefix(path+"."+name, ".")
		of, there := known[name]
		switch {
		case t.Kind() == reflect.Map && t.Key().Kind() == reflect.Int && !isWhole(name):
			return problem.New(problem.Invalid, "experiment_field", "the name %q stands below %s, where names are whole numbers", name,
				yaml.FieldWords(path)).With("field", here).WithHint("write the level as a number: {1: …, 5: …}")
		case t.Kind() == reflect.Map:
			of = t.Elem()
		case !there:
			return noField(here, slices.Sorted(maps.Keys(known)))
		}
		if p := misfit(fields[name], of, here); p != nil {
			return p
		}
	}
	return nil
}

func isWhole(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// noField is the problem of a name that there is not; names are those beside it.
func noField(field string, names []string) *problem.Problem {
	name := field[strings.LastIndexByte(field, '.')+1:]
	return problem.New(problem.Invalid, "experiment_field", "there is no field %q%s", yaml.QuotedField(field), text.Meant(name, names)).
		With("field", field).WithHint("fields: %s", strings.Join(names, ", "))
}

// meant adds to a problem with a name the one that could be meant.
func meant(p *problem.Problem, name string, names []string) *problem.Problem {
	if near := text.Nearest(name, names); near != "" {
		return p.WithHint("did you mean %s?", near)
	}
	return p
}

// kindOf is what a type takes; one that reads itself may take anything.
func kindOf(t reflect.Type) yaml.Kind {
	for _, own := range []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()} {
		if reflect.PointerTo(t).Implements(own) {
			return yaml.Anything
		}
	}
	return yaml.KindOf(t)
}

// holds says whether a scalar is of a kind.
func holds(v any, must yaml.Kind) bool {
	if must == yaml.Anything {
		return true
	}
	switch v := v.(type) {
	case string:
		return must == yaml.Text
	case bool:
		return must == yaml.Truth
	case int:
		return must == yaml.Whole || must == yaml.Number
	case float64:
		return must == yaml.Number || must == yaml.Whole && v == float64(int64(v))
	}
	return false
}

// located says at which line of a file a Problem is. What is missing is said to be where it would stand: below its parent, or at the
// beginning.
func located(lines map[string]int, err error) error {
	p, ok := errors.AsType[*problem.Problem](err)
	if !ok || p.Params["file"] != nil { // of another file, which has its line
		return err
	}
	field, _ := p.Params["field"].(string)
	line, known := p.Params["line"].(int)
	if !known {
		line = max(1, yaml.LineOf(lines, field))
	}
	said := *p
	said.Message = fmt.Sprintf("line %d: %s", line, p.Message)
	said.Params = maps.Clone(p.Params)
	if said.Hint == "" {
		said.WithHint("correct the field; `workbench experiment add --help` shows an example file with every field")
	}
	return said.With("line", line)
}
