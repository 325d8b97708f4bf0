package notebooks

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/problem"
)

const mostCombinations = 10_000

// sweep is the set of configurations of a cell: every combination of its axes, lists that move together counted as one, without those
// that are left out.
func (n *Notebook) sweep(v *View, c *Cell) (any, error) {
	out := ConfigSet{Base: v.Cell(text(c.fields["base"])).Value.(Config)}
	out.Base.Repaired = nil
	axes, _ := c.fields["axes"].(map[string]any)
	for _, name := range sortedKeys(axes) { // by name: the order of the axes decides nothing
		list, err := valuesOf("axes."+name, axes[name])
		if err != nil {
			return nil, err
		}
		out.Axes = append(out.Axes, Axis{Name: name, Values: list})
	}
	for i, pair := range mappings(c.fields["pairs"]) {
		leader := ""
		for _, name := range sortedKeys(pair) {
			list, err := valuesOf(fmt.Sprintf("pairs[%d].%s", i, name), pair[name])
			if err != nil {
				return nil, err
			}
			out.Axes = append(out.Axes, Axis{Name: name, Values: list, With: leader})
			if leader == "" {
				leader = name
			}
		}
	}
	out.Except = mappings(c.fields["except"])
	if len(out.Axes) == 0 {
		return nil, wrongField("axes", "missing", "axes and pairs name no parameter").
			With("doc", Words{axesShape, axesShape}).WithHint(axesShape)
	}
	most := 1
	for _, a := range out.Axes {
		if a.With != "" {
			continue
		}
		if most *= len(a.Values); most > mostCombinations {
			return nil, problem.New(problem.Invalid, "sweep_too_large", "the sweep has more than 10,000 combinations").
				WithHint("give its axes fewer values, or leave some out with except")
		}
	}
	for number := range most {
		if !out.leavesOut(number) {
			out.Count++
		}
	}
	return out, nil
}

// axesShape is what the axes of a sweep look like.
const axesShape = "axes: {chunk.size: [400, 800]}"

func valuesOf(field string, said any) ([]any, error) {
	list, ok := said.([]any)
	if !ok || len(list) == 0 {
		return nil, notOfType(field, said, Words{"a list of values", "値のリスト"}, axesShape)
	}
	return list, nil
}

// mappings are the mappings of a list; one mapping stands for a list of one.
func mappings(said any) []map[string]any {
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

// leavesOut reports whether a combination, by its number, has one value of every parameter of a condition.
func (s ConfigSet) leavesOut(number int) bool {
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
