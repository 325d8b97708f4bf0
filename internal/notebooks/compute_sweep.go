package notebooks

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/problem"
)

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
