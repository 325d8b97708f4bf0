package experiments

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Fields are the parts of a setup that people chose, as JSON values under dotted names as in an experiment file. A list is one text.
func (s Setup) Fields() map[string]any {
	said := map[string]any{"": s.Config, "corpus": s.Corpus.String(), "dataset": s.Dataset.String(), "judge": s.Judge,
		"low_score": s.LowScore, "experiment": s.Experiment}
	if len(s.Low) > 0 {
		said["low"] = s.Low
	}
	body, err := json.Marshal(said)
	if err != nil {
		panic("setup is not JSON: " + err.Error()) // its digest was made from the same
	}
	var fields any
	if err := json.Unmarshal(body, &fields); err != nil {
		panic("setup is not JSON: " + err.Error())
	}
	out := map[string]any{}
	flatten(out, "", fields)
	return out
}

// Changed returns the dotted names of the fields in which two values of one type differ, sorted. What headers of an endpoint hold is told
// of neither.
func Changed(before, after any) ([]string, error) {
	both := [2]map[string]any{{}, {}}
	for i, v := range []any{before, after} {
		body, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		var fields any
		if err := json.Unmarshal(body, &fields); err != nil {
			return nil, err
		}
		flatten(both[i], "", fields)
	}
	names := maps.Clone(both[0])
	maps.Copy(names, both[1])
	maps.DeleteFunc(names, func(name string, _ any) bool {
		return !Told(name) || reflect.DeepEqual(written(both[0][name]), written(both[1][name]))
	})
	return slices.Sorted(maps.Keys(names)), nil
}

// flatten writes the leaves of a JSON value under dotted names.
func flatten(out map[string]any, name string, v any) {
	fields, ok := v.(map[string]any)
	if !ok {
		if list, isList := v.([]any); isList {
			v = fmt.Sprint(list)
		}
		out[name] = v
		return
	}
	for field, value := range fields {
		path := field
		if name != "" && field != "" {
			path = name + "." + field
		}
		flatten(out, path, value)
	}
}

// parts are the parts of an experiment file in the order in which people write them.
var parts = []string{"experiment", "corpus", "dataset", "index", "endpoint", "log", "chunk", "embedding", "rewrite", "retrieve", "rerank",
	"generate", "post_process", "judge", "low_score", "low"}

// Differing returns the names of the fields whose values are not the same in all setups, in the order of an experiment file. A field
// that says nothing counts as absent. What headers of an endpoint hold is never told: it may be a key.
func Differing(setups []map[string]any) []string {
	names := map[string]bool{}
	for _, fields := range setups {
		for name := range fields {
			names[name] = true
		}
	}
	differ := func(name string) bool {
		return Told(name) && slices.ContainsFunc(setups, func(fields map[string]any) bool {
			return !reflect.DeepEqual(written(fields[name]), written(setups[0][name]))
		})
	}
	place := func(name string) int {
		part, _, _ := strings.Cut(name, ".")
		return slices.Index(parts, part)
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return !differ(name) })
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
}

// Told reports whether the values of a field may be told: headers of an endpoint may hold a key.
func Told(name string) bool { return !strings.HasPrefix(name, "endpoint.headers.") }

// written is a value, or nil where it says nothing.
func written(v any) any {
	if v == "" {
		return nil
	}
	return v
}
