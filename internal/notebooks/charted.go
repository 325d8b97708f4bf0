package notebooks

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// channel reads a field of a chart: the name of a column, or a mapping.
func channel(v any) (charts.Channel, *problem.Problem) {
	m, ok := v.(map[string]any)
	if !ok {
		return charts.Channel{Field: text(v)}, nil
	}
	out := charts.Channel{Field: text(m["field"]), Type: text(m["type"]), Aggregate: text(m["aggregate"]), Interval: text(m["interval"]),
		Scale: text(m["scale"]), Sort: text(m["sort"]), Title: charts.Words(words(m["title"])), Bin: int(number(m["bin"]))}
	if list, given := m["domain"].([]any); given {
		from, okFrom := at(list, 0).(float64)
		to, okTo := at(list, 1).(float64)
		if len(list) != 2 || !okFrom || !okTo {
			return out, problem.New(problem.Invalid, "chart_value", "the domain is %v; it must be two numbers", shown(m["domain"])).
				With("mistake", "domain").
				WithHint("domain: [1, 5]")
		}
		out.Domain = [2]float64{from, to}
	}
	return out, nil
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// specOf is what a chart cell asks for.
func specOf(c *Cell) (charts.Spec, error) {
	s := charts.Spec{Mark: text(c.fields["mark"])}
	if s.Mark == "" {
		s.Mark = charts.Bar
	}
	for name, to := range map[string]*charts.Channel{"x": &s.X, "y": &s.Y, "colour": &s.Colour, "size": &s.Size, "facet": &s.Facet,
		"label": &s.Label} {
		ch, wrong := channel(c.fields[name])
		if wrong != nil {
			return s, wrong.With("field", name)
		}
		*to = ch
	}
	for _, m := range mappings(c.fields["reference"]) {
		r := charts.Reference{Title: charts.Words(words(m["title"]))}
		for name, to := range map[string]**float64{"x": &r.X, "y": &r.Y} {
			if v, ok := m[name].(float64); ok {
				*to = &v
			}
		}
		if (r.X == nil) == (r.Y == nil) {
			return s, problem.New(problem.Invalid, "chart_value", "a reference needs x or y, and a number").With("field", "reference").
				With("mistake", "reference").
				WithHint("reference: {y: 4, title: Agreed}")
		}
		s.References = append(s.References, r)
	}
	return s, nil
}

// chart computes a chart cell.
func (n *Notebook) chart(ctx context.Context, v *View, c *Cell) (any, error) {
	name, _, _ := strings.Cut(text(c.fields["of"]), ".")
	if !c.drawn() {
		out, err := oldChart(v, c, name)
		if err == nil && out.Kind != "bubble" {
			by := Words{"configuration", "設定"}
			if _, causes := v.Cell(name).Value.(CauseSet); causes {
				by = columnTitle("cause")
			}
			out.Plan, err = planOf(out.Bars, by, titleOf(out.Metric))
		}
		return value(out, err)
	}
	t, rows, err := n.tableOf(ctx, v, name)
	if err != nil {
		return nil, err
	}
	spec, err := specOf(c)
	if err != nil {
		return nil, n.placed(c, err)
	}
	plan, err := charts.New(chartTable(t, rows), spec)
	if err != nil {
		return nil, n.placed(c, err)
	}
	out := Chart{Kind: spec.Mark, Plan: plan}
	if x, is := v.Cell(name).Value.(Rows); is {
		out.Texts = x.Texts
	}
	return out, nil
}

// placed puts a mistake of a chart or table at the line of its field.
func (n *Notebook) placed(c *Cell, err error) error {
	p := problem.From(err)
	name := text(p.Params["field"])
	made := n.Document.wrong(c.Line+c.lines[name], c, p.Code, "%s", p.Message)
	for name, value := range p.Params {
		made = made.With(name, value)
	}
	return made.WithHint("%s", p.Hint)
}

// titleOf is what the bars of an old chart measure.
func titleOf(metric string) Words {
	if metric == "low_scores" {
		return Words{"low scores", "低スコア数"}
	}
	if m, ok := metrics.Find(metric); ok {
		return Words{m.TitleEN, m.TitleJA}
	}
	return Words{EN: metric}
}

// oldChart is a chart by kind and metric: bars with their names, or the counts of the bubble chart.
func oldChart(v *View, c *Cell, name string) (Chart, error) {
	out := Chart{Kind: text(c.fields["kind"]), Metric: text(c.fields["metric"]), Unit: Count}
	if out.Kind == "" {
		out.Kind = "bar"
	}
	if out.Metric == "" {
		out.Metric = "low_scores"
	}
	runBar := func(r Run) {
		if out.Metric == "low_scores" {
			out.Bars = append(out.Bars, Bar{Words{r.Label, r.Label}, float64(r.LowScores)})
		} else if x, ok := r.Scores[out.Metric]; ok {
			out.Unit = Score
			out.Bars = append(out.Bars, Bar{Words{r.Label, r.Label}, x})
		}
	}
	switch x := v.Cell(name).Value.(type) {
	case RunSet:
		for _, r := range x.Runs {
			runBar(r)
		}
	case Comparison:
		runBar(x.Baseline)
		runBar(x.Candidate)
	case CauseSet:
		for _, b := range x.Counts {
			out.Bars = append(out.Bars, Bar{b.Name, float64(b.Count)})
		}
		return out, nil
	case Failures:
		if out.Kind == "bubble" {
			out.Bubbles = x.Bubbles
			return out, nil
		}
		runBar(x.Run)
	}
	if len(out.Bars) == 0 || out.Kind == "bubble" {
		return out, problem.New(problem.Invalid, "chart", "%s has nothing to draw as %s of %s", name, out.Kind, out.Metric).
			With("to", name).With("kind", out.Kind).With("metric", out.Metric).
			WithHint("bubble charts are of failures cells; metrics are metric ids or low_scores")
	}
	return out, nil
}

// planOf draws named values as bars; nil without any.
func planOf(list []Bar, by, title Words) (*charts.Plan, error) {
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // nothing to draw is no mistake
	}
	t := charts.Table{Columns: []charts.Column{{Name: "name", Title: charts.Words{EN: "name", JA: "名前"}},
		{Name: "value", Title: charts.Words(title)}}, Words: map[string]charts.Words{}}
	for _, b := range list {
		if b.Name.EN != b.Name.JA {
			t.Words[b.Name.EN] = charts.Words(b.Name)
		}
		t.Rows = append(t.Rows, []any{b.Name.EN, b.Value})
	}
	return charts.New(t, charts.Spec{Mark: charts.Bar, X: charts.Channel{Field: "name", Type: "category", Title: charts.Words(by)},
		Y: charts.Channel{Field: "value"}})
}
