package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// put records a result under all names that vectors may give it.
func (c *vectorCase) put(value any, err error, names ...string) {
	for _, n := range names {
		if err != nil {
			c.got[n] = err
		} else {
			c.got[n] = value
		}
	}
}

// set is put for results that cannot fail.
func (c *vectorCase) set(value any, names ...string) { c.put(value, nil, names...) }

// has says whether any of the inputs is there, and which.
func (c *vectorCase) has(names ...string) (string, bool) {
	for _, n := range names {
		if v, ok := c.Input[n]; ok && v != nil {
			return n, true
		}
	}
	return "", false
}

func (c *vectorCase) given(name string) bool { _, ok := c.has(name); return ok }

// number is the first of the inputs that is there; NaN when none is.
func (c *vectorCase) number(names ...string) float64 { return c.numberOr(math.NaN(), names...) }

func (c *vectorCase) numberOr(otherwise float64, names ...string) float64 {
	n, ok := c.has(names...)
	if !ok {
		return otherwise
	}
	return toFloat(c.Input[n])
}

func (c *vectorCase) integer(names ...string) int { return int(c.number(names...)) }

func (c *vectorCase) seed() uint64 {
	v, err := strconv.ParseUint(fmt.Sprint(c.Input["seed"]), 10, 64)
	if err != nil {
		panic(fmt.Sprintf("seed: %v", err))
	}
	return v
}

func toFloat(v any) float64 {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			panic(err)
		}
		return f
	case bool:
		return indicator(v)
	case nil:
		return math.NaN()
	}
	panic(fmt.Sprintf("%v is no number", v))
}

// floats is a list, or a single number as a list of one; nil when the input is missing.
func (c *vectorCase) floats(names ...string) []float64 {
	n, ok := c.has(names...)
	if !ok {
		return nil
	}
	return toFloats(c.Input[n])
}

func toFloats(v any) []float64 {
	items, ok := v.([]any)
	if !ok {
		return []float64{toFloat(v)}
	}
	out := make([]float64, len(items))
	for i, x := range items {
		out[i] = toFloat(x)
	}
	return out
}

// ints is a list of integers; labels that are strings are numbered in ascending order.
func (c *vectorCase) ints(names ...string) []int {
	n, ok := c.has(names...)
	if !ok {
		return nil
	}
	return toInts(c.Input[n])
}

func toInts(v any) []int {
	items := v.([]any)
	out := make([]int, len(items))
	var texts []string
	for _, x := range items {
		if s, ok := x.(string); ok {
			texts = append(texts, s)
		}
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	for i, x := range items {
		if s, ok := x.(string); ok {
			out[i], _ = slices.BinarySearch(texts, s)
		} else {
			out[i] = int(toFloat(x))
		}
	}
	return out
}

func (c *vectorCase) bools(names ...string) []bool {
	values := c.floats(names...)
	out := make([]bool, len(values))
	for i, v := range values {
		out[i] = v != 0
	}
	return out
}

func (c *vectorCase) table(names ...string) [][]float64 {
	n, ok := c.has(names...)
	if !ok {
		return nil
	}
	return toTable(c.Input[n])
}

func toTable(v any) [][]float64 {
	out := [][]float64{}
	for _, row := range v.([]any) {
		out = append(out, toFloats(row))
	}
	return out
}

func (c *vectorCase) intTable(names ...string) [][]int {
	n, ok := c.has(names...)
	if !ok {
		return nil
	}
	out := [][]int{}
	for _, row := range c.Input[n].([]any) {
		out = append(out, toInts(row))
	}
	return out
}

// levels yields the expected names that a prefix and two digits make, such as ci95, with the level 0.95.
func (c *vectorCase) levels(prefix, suffix string) map[string]float64 {
	found := map[string]float64{}
	for key := range c.Expected {
		digits, ok := strings.CutPrefix(key, prefix)
		digits, ok2 := strings.CutSuffix(digits, suffix)
		if n, err := strconv.ParseUint(digits, 10, 32); ok && ok2 && err == nil {
			found[key] = float64(n) / math.Pow10(len(digits))
		}
	}
	return found
}
