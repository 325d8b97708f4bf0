package document

import (
	"encoding/json"
	"slices"
)

// MostCombinations is how many combinations a sweep may have.
const MostCombinations = 10_000

// Mappings are the mappings of a list; one mapping stands for a list of one.
func Mappings(said any) []map[string]any {
	list, ok := said.([]any)
	if !ok {
		list = []any{said}
	}
	var out []map[string]any
	for _, item := range list {
		if m, ok := item.(map[string]any); ok && len(m) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// combination are the values of the parameters of a combination, by its number.
func (s ConfigSet) combination(number int) map[string]any {
	at := map[string]int{}
	values := map[string]any{}
	for _, a := range s.Axes {
		place, moves := at[a.With]
		if !moves || a.With == "" {
			place = number % len(a.Values)
			number /= len(a.Values)
			at[a.Name] = place
		}
		if place < len(a.Values) { // lists of unequal length are refused when the cell is checked
			values[a.Name] = a.Values[place]
		}
	}
	return values
}

// LeavesOut reports whether a combination, by its number, has one value of every parameter of a condition.
func (s ConfigSet) LeavesOut(number int) bool {
	values := s.combination(number)
	return slices.ContainsFunc(s.Except, func(condition map[string]any) bool {
		for name, wanted := range condition {
			list, ok := wanted.([]any)
			if !ok {
				list = []any{wanted}
			}
			if !slices.ContainsFunc(list, func(w any) bool { return sameValue(w, values[name]) }) {
				return false
			}
		}
		return true
	})
}

func sameValue(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
