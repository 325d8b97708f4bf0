package rag

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Filter says which documents are searched: a field and what it must be. A field is lang, title, source, doc_id or one of the
// documents' metadata. A value is a text or a number, a list of which one must fit, or a mapping of eq, ne, gt, gte, lt, lte and in.
// Two values that look like numbers are compared as numbers, all others as texts.
type Filter map[string]any

// documents are the documents that fit. A field that no document has is a Problem, since it would fit none without a word.
func (f Filter) documents(corpus *Corpus) (map[string]bool, error) {
	tests := map[string][]condition{}
	for field, want := range f {
		list, err := conditionsOf(field, want)
		if err != nil {
			return nil, err
		}
		tests[field] = list
		if !slices.ContainsFunc(corpus.Documents, func(d Document) bool { _, has := d.field(field); return has }) {
			return nil, problem.New(problem.Invalid, "filter_field", "retrieve.filter: no document of %s has a field %q", corpus.Name, field).
				With("field", "retrieve.filter").With("name", field).
				WithHint("fields are lang, title, source, doc_id and the documents' metadata: workbench corpus show %s --json", corpus.Name)
		}
	}
	fits := map[string]bool{}
	for _, d := range corpus.Documents {
		if all(tests, func(field string, list []condition) bool {
			value, has := d.field(field)
			return has && !slices.ContainsFunc(list, func(c condition) bool { return !c.holds(value) })
		}) {
			fits[d.ID] = true
		}
	}
	return fits, nil
}

func all[V any](m map[string]V, fits func(string, V) bool) bool {
	for k, v := range m {
		if !fits(k, v) {
			return false
		}
	}
	return true
}

func (d Document) field(name string) (string, bool) {
	value := ""
	switch name {
	case "lang":
		value = d.Lang
	case "title":
		value = d.Title
	case "source":
		value = d.Source
	case "doc_id":
		value = d.ID
	default:
		v, has := d.Metadata[name]
		return v, has
	}
	return value, value != ""
}

// condition is one comparison. Several values: one of them must fit.
type condition struct {
	sign   string
	values []string
}

var signs = []string{"eq", "ne", "gt", "gte", "lt", "lte", "in"}

func conditionsOf(field string, want any) ([]condition, error) {
	mapping, ok := want.(map[string]any)
	if !ok {
		values, err := valuesOf(field, want)
		return []condition{{"in", values}}, err
	}
	var list []condition
	for sign, v := range mapping {
		if !slices.Contains(signs, sign) {
			return nil, invalidField("retrieve.filter."+field, sign, strings.Join(signs, ", "))
		}
		values, err := valuesOf(field, v)
		if err != nil {
			return nil, err
		}
		list = append(list, condition{sign, values})
	}
	return list, nil
}

func valuesOf(field string, v any) ([]string, error) {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	var out []string
	for _, item := range items {
		switch item := item.(type) {
		case string:
			out = append(out, item)
		case float64, int, json.Number, bool:
			out = append(out, fmt.Sprint(item))
		default:
			return nil, invalidField("retrieve.filter."+field, item, "a text, a number, or a list of them")
		}
	}
	return out, nil
}

func (c condition) holds(value string) bool {
	if c.sign == "ne" {
		return !slices.ContainsFunc(c.values, func(want string) bool { return compareValues(value, want) == 0 })
	}
	return slices.ContainsFunc(c.values, func(want string) bool {
		order := compareValues(value, want)
		switch c.sign {
		case "gt":
			return order > 0
		case "gte":
			return order >= 0
		case "lt":
			return order < 0
		case "lte":
			return order <= 0
		default:
			return order == 0
		}
	})
}

func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX != nil || errY != nil:
		return strings.Compare(a, b)
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
