package fakeprovider

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Minimal writes the smallest JSON text that satisfies a JSON Schema, for the keywords that reply schemas use: type, enum,
// const, default, properties, required, items, prefixItems, minItems, minLength, minimum, exclusiveMinimum, maximum, anyOf,
// oneOf, allOf and local $ref. It is deterministic. A schema that recurses without end is an error; a pattern is ignored.
func Minimal(schema []byte) (string, error) {
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		return "", fmt.Errorf("the schema is not JSON: %w", err)
	}
	v, err := minimal(root, root, 0)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	return string(b), err
}

func minimal(root, node any, depth int) (any, error) {
	if depth > 64 {
		return nil, errors.New("the schema recurses without end")
	}
	s, ok := node.(map[string]any)
	if !ok {
		return map[string]any{}, nil
	}
	if c, ok := s["const"]; ok {
		return c, nil
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return list[0], nil
	}
	if ref, ok := s["$ref"].(string); ok {
		target, err := resolve(root, ref)
		if err != nil {
			return nil, err
		}
		return minimal(root, target, depth+1)
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if list, ok := s[word].([]any); ok && len(list) > 0 {
			return minimal(root, list[0], depth+1)
		}
	}
	if list, ok := s["allOf"].([]any); ok && len(list) > 0 {
		return merged(root, list, depth)
	}
	return ofType(root, s, depth)
}

func ofType(root any, s map[string]any, depth int) (any, error) {
	switch typeOf(s) {
	case "array":
		return array(root, s, depth)
	case "string":
		return strings.Repeat("x", int(number(s, "minLength", 0))), nil
	case "integer":
		return int64(math.Ceil(least(s, 1))), nil
	case "number":
		return least(s, 0.5), nil
	case "boolean":
		return false, nil
	case "null":
		return nil, nil
	}
	return object(root, s, depth)
}

func typeOf(s map[string]any) string {
	switch t := s["type"].(type) {
	case string:
		return t
	case []any:
		if len(t) > 0 {
			name, _ := t[0].(string)
			return name
		}
	}
	if _, ok := s["items"]; ok {
		return "array"
	}
	return "object"
}

func object(root any, s map[string]any, depth int) (any, error) {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, r := range required {
		name, _ := r.(string)
		v, err := minimal(root, properties[name], depth+1)
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

func array(root any, s map[string]any, depth int) (any, error) {
	first, _ := s["prefixItems"].([]any)
	out := make([]any, 0, len(first))
	for i := range int(number(s, "minItems", 0)) {
		item := s["items"]
		if i < len(first) {
			item = first[i]
		}
		v, err := minimal(root, item, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// merged joins the objects of an allOf; of anything else the last one counts.
func merged(root any, list []any, depth int) (any, error) {
	out := map[string]any{}
	var last any = out
	for _, sub := range list {
		v, err := minimal(root, sub, depth+1)
		if err != nil {
			return nil, err
		}
		if m, ok := v.(map[string]any); ok {
			maps.Copy(out, m)
		} else {
			last = v
		}
	}
	return last, nil
}

// least is the smallest number allowed, or 0 when that is allowed.
func least(s map[string]any, step float64) float64 {
	low := number(s, "minimum", math.Inf(-1))
	if x, ok := s["exclusiveMinimum"].(float64); ok {
		low = max(low, x+step)
	}
	high := min(number(s, "maximum", math.Inf(1)), number(s, "exclusiveMaximum", math.Inf(1))-step)
	return min(max(low, 0), high)
}

func number(s map[string]any, name string, otherwise float64) float64 {
	if f, ok := s[name].(float64); ok {
		return f
	}
	return otherwise
}

func resolve(root any, ref string) (any, error) {
	path, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil, fmt.Errorf("the reference %q is not local", ref)
	}
	at := root
	steps := slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" })
	for _, step := range steps {
		m, ok := at.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("the reference %q leads nowhere", ref)
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		if at, ok = m[step]; !ok {
			return nil, fmt.Errorf("the reference %q leads nowhere", ref)
		}
	}
	return at, nil
}
