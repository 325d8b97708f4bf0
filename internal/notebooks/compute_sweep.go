package notebooks

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// sweep is the set of configurations of a cell: every combination of its axes, lists that move together counted as one, without those
// that are left out.
func (n *Notebook) sweep(v *View, c *document.Cell) (any, error) {
	out := document.ConfigSet{Base: v.Cell(document.TextOf(c.Values["base"])).Value.(document.Config)}
	out.Base.Repaired = nil
	axes, _ := c.Values["axes"].(map[string]any)
	for _, name := range document.SortedKeys(axes) { // by name: the order of the axes decides nothing
		list, err := valuesOf("axes."+name, axes[name])
		if err != nil {
			return nil, err
		}
		out.Axes = append(out.Axes, document.Axis{Name: name, Values: list})
	}
	for i, pair := range document.Mappings(c.Values["pairs"]) {
		leader := ""
		for _, name := range document.SortedKeys(pair) {
			list, err := valuesOf(fmt.Sprintf("pairs[%d].%s", i, name), pair[name])
			if err != nil {
				return nil, err
			}
			out.Axes = append(out.Axes, document.Axis{Name: name, Values: list, With: leader})
			if leader == "" {
				leader = name
			}
		}
	}
	out.Except = document.Mappings(c.Values["except"])
	if len(out.Axes) == 0 {
		return nil, document.WrongField("axes", "missing", "axes and pairs name no parameter").
			With("doc", document.Words{EN: axesShape, JA: axesShape}).WithHint(axesShape)
	}
	most := 1
	for _, a := range out.Axes {
		if a.With != "" {
			continue
		}
		if most *= len(a.Values); most > document.MostCombinations {
			return nil, problem.New(problem.Invalid, "sweep_too_large", "the sweep has more than 10,000 combinations").
				WithHint("give its axes fewer values, or leave some out with except")
		}
	}
	for number := range most {
		if !out.LeavesOut(number) {
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
		return nil, document.NotOfType(field, said, document.Words{EN: "a list of values", JA: "値のリスト"}, axesShape)
	}
	return list, nil
}
