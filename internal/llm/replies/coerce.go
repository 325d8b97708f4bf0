package replies

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// coerce turns a value towards the form where only one thing can be meant: a number, a yes or a no written as a text, a word of the
// list in other letters, items too many, empty ones, and in lists that may be partial those that cannot be read. What was done is
// in repairs; whether the value satisfies the form now is for the schema to say.
func (f *Form) coerce(value any) (any, []string) {
	c := &coercion{items: f.items}
	out := c.any(f.shape, value, "")
	slices.Sort(c.repairs)
	return out, slices.Compact(c.repairs)
}

type coercion struct {
	items   map[string]*shape
	repairs []string
}

func (c *coercion) did(repair string) { c.repairs = append(c.repairs, repair) }

func (c *coercion) any(shape map[string]any, value any, name string) any {
	switch v := value.(type) {
	case map[string]any:
		return c.object(shape, v)
	case []any:
		return c.list(shape, v, name)
	case string:
		return c.text(shape, v)
	case json.Number:
		if whole, ok := strings.CutSuffix(v.String(), ".0"); ok && shape["type"] == "integer" {
			c.did(RepairType)
			return json.Number(whole)
		}
	}
	return value
}

func (c *coercion) object(shape, value map[string]any) any {
	properties, _ := shape["properties"].(map[string]any)
	out := maps.Clone(value)
	for name, inner := range value {
		if of, ok := properties[name].(map[string]any); ok {
			out[name] = c.any(of, inner, name)
		}
	}
	return out
}

func (c *coercion) list(shape map[string]any, value []any, name string) any {
	items, _ := shape["items"].(map[string]any)
	if items == nil {
		return value
	}
	out := make([]any, 0, len(value))
	for _, v := range value {
		if empty(v) && (items["type"] != "string" || items["minLength"] != nil) {
			c.did(RepairList)
			continue
		}
		out = append(out, c.any(items, v, ""))
	}
	if most, ok := shape["maxItems"].(float64); ok && len(out) > int(most) {
		c.did(RepairList)
		out = out[:int(most)]
	}
	if schema := c.items[name]; schema != nil {
		return c.readable(schema, out)
	}
	return out
}

// readable drops the items of a list that do not have their form, unless none has.
func (c *coercion) readable(schema *shape, list []any) any {
	kept := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return !schema.fits(v) })
	if len(kept) == 0 || len(kept) == len(list) {
		return list
	}
	c.did(RepairCell)
	return kept
}

// empty says that an item holds nothing at all.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// text reads a text as what the form wants in its place.
func (c *coercion) text(shape map[string]any, s string) any {
	word := strings.TrimSpace(s)
	switch shape["type"] {
	case "integer":
		if n, err := strconv.Atoi(word); err == nil {
			c.did(RepairType)
			return json.Number(strconv.Itoa(n))
		}
	case "number":
		if _, err := strconv.ParseFloat(word, 64); err == nil && json.Valid([]byte(word)) && usableNumber(word) {
			c.did(RepairType)
			return json.Number(word)
		}
	case "boolean":
		if is := strings.ToLower(word); is == "true" || is == "false" {
			c.did(RepairType)
			return is == "true"
		}
	case "string":
		list, _ := shape["enum"].([]any)
		for _, one := range list {
			if known, ok := one.(string); ok && known != s && strings.EqualFold(known, word) {
				c.did(RepairType)
				return known
			}
		}
	}
	return s
}
