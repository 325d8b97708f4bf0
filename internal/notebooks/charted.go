package notebooks

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
)

// channel reads a field of a chart: the name of a column, or a mapping.
func channel(v any) (charts.Channel, *problem.Problem) {
	m, ok := v.(map[string]any)
	if !ok {
		return charts.Channel{Field: document.TextOf(v)}, nil
	}
	out := charts.Channel{Field: document.TextOf(m["field"]), Type: document.TextOf(m["type"]),
		Aggregate: document.TextOf(m["aggregate"]), Interval: document.TextOf(m["interval"]),
		Scale: document.TextOf(m["scale"]), Sort: document.TextOf(m["sort"]),
		Title: charts.Words(document.WordsOf(m["title"])), Bin: int(document.NumberOf(m["bin"]))}
	if list, given := m["domain"].([]any); given {
		from, okFrom := at(list, 0).(float64)
		to, okTo := at(list, 1).(float64)
		if len(list) != 2 || !okFrom || !okTo {
			return out, problem.New(problem.Invalid, "chart_value", "the domain is %v; it must be two numbers",
				document.ShownValue(m["domain"])).
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
func specOf(c *document.Cell) (charts.Spec, error) {
	s := charts.Spec{Mark: document.TextOf(c.Values["mark"])}
	if s.Mark == "" {
		s.Mark = charts.Bar
	}
	for name, to := range map[string]*charts.Channel{"x": &s.X, "y": &s.Y, "colour": &s.Colour, "size": &s.Size, "facet": &s.Facet,
		"label": &s.Label} {
		ch, wrong := channel(c.Values[name])
		if wrong != nil {
			return s, wrong.With("field", name)
		}
		*to = ch
	}
	for _, m := range document.Mappings(c.Values["reference"]) {
		r := charts.Reference{Title: charts.Words(document.WordsOf(m["title"]))}
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
func (n *Notebook) chart(ctx context.Context, v *View, c *document.Cell) (any, error) {
	name, _, _ := strings.Cut(document.TextOf(c.Values["of"]), ".")
	if !c.Drawn() {
		out, err := oldChart(v, c, name)
		if err == nil && out.Kind != "bubble" {
			by := document.Words{EN: "configuration", JA: "設定"}
			if _, causes := v.Cell(name).Value.(document.CauseSet); causes {
				by = document.ColumnTitle("cause")
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
	table := chartTable(t, rows)
	var of []string
	if q := n.Document.Cell(name); q.Type == "query" {
		of = document.TextsOf(q.Values["of"])
	}
	themes, err := n.themes(ctx, v, of, t.Columns)
	if err != nil {
		return nil, err
	}
	table.Words = map[string]charts.Words{}
	for id, w := range themes {
		table.Words[id] = charts.Words(w)
	}
	plan, err := charts.New(table, spec)
	if err != nil {
		return nil, n.allPlaced(c, err)
	}
	out := document.Chart{Kind: spec.Mark, Plan: plan}
	if x, is := v.Cell(name).Value.(document.Rows); is {
		out.Texts = x.Texts
	}
	return out, nil
}

// themes are what the themes in a table of runs are called; nil where it has none. of is as in [Question].
func (n *Notebook) themes(ctx context.Context, v *View, of []string, columns []sqlbox.Column) (map[string]document.Words, error) {
	if document.ThemeColumn(columns) < 0 {
		return nil, nil //nolint:nilnil // nothing is called anything else
	}
	runs, datasets, err := n.asking().seen(v, of)
	if err != nil {
		return nil, err
	}
	return n.Engine.Themes(ctx, runs, datasets)
}

// placed puts a mistake of a chart or table at the line of its field.
func (n *Notebook) placed(c *document.Cell, err error) error {
	p := problem.From(err)
	name := document.TextOf(p.Params["field"])
	near := ""
	if p.Code == "chart_column" {
		near = document.NearestColumn(document.TextOf(p.Params["value"]), strings.Split(document.TextOf(p.Params["among"]), ", "))
	}
	meant := ""
	if near != "" {
		meant = " (did you mean " + strconv.Quote(near) + "?)"
	}
	made := n.Document.Wrong(c.LineOf(name), c, p.Code, "%s%s", p.Message, meant)
	for name, value := range p.Params {
		made = made.With(name, value)
	}
	if near != "" {
		made = made.With("near", near)
	}
	return made.WithHint("%s", p.Hint)
}

// allPlaced is placed for each of several mistakes.
func (n *Notebook) allPlaced(c *document.Cell, err error) error {
	var out []error
	for _, p := range problemsOf(err) {
		out = append(out, n.placed(c, p))
	}
	return errors.Join(out...)
}

// problemsOf are the problems that were joined to an error, or the one that it is.
func problemsOf(err error) []*problem.Problem {
	if several, joined := err.(interface{ Unwrap() []error }); joined { //nolint:errorlint // only what was joined has several
		var out []*problem.Problem
		for _, one := range several.Unwrap() {
			out = append(out, problemsOf(one)...)
		}
		return out
	}
	return []*problem.Problem{problem.From(err)}
}

// alsoWrong is what else is wrong with a cell whose text has a mistake: the columns of a chart, whatever its mark says.
func (n *Notebook) alsoWrong(ctx context.Context, v *View, c *document.Cell) []*problem.Problem {
	of, _, _ := strings.Cut(document.TextOf(c.Values["of"]), ".")
	if up := v.Cell(of); c.Type != "chart" || !c.Drawn() || up == nil || up.Value == nil {
		return nil
	}
	t, _, err := n.tableOf(ctx, v, of)
	if err != nil {
		return nil
	}
	spec, err := specOf(c)
	if err == nil {
		err = charts.Mistakes(chartTable(t, nil), spec)
	}
	if err == nil {
		return nil
	}
	var out []*problem.Problem
	for _, p := range problemsOf(n.allPlaced(c, err)) {
		if p.Params["field"] != "mark" { // the text is checked for that
			out = append(out, p)
		}
	}
	return out
}

// titleOf is what the bars of an old chart measure.
func titleOf(metric string) document.Words {
	if metric == "low_scores" {
		return document.Words{EN: "low scores", JA: "低スコア数"}
	}
	if m, ok := metrics.Find(metric); ok {
		return document.Words{EN: m.TitleEN, JA: m.TitleJA}
	}
	return document.Words{EN: metric}
}

// oldChart is a chart by kind and metric: bars with their names, or the counts of the bubble chart.
func oldChart(v *View, c *document.Cell, name string) (document.Chart, error) {
	out := document.Chart{Kind: document.TextOf(c.Values["kind"]), Metric: document.TextOf(c.Values["metric"]), Unit: document.Count}
	if out.Kind == "" {
		out.Kind = "bar"
	}
	if out.Metric == "" {
		out.Metric = "low_scores"
	}
	runBar := func(r document.Run) {
		if out.Metric == "low_scores" {
			out.Bars = append(out.Bars, document.Bar{Name: document.Words{EN: r.Label, JA: r.Label}, Value: float64(r.LowScores)})
		} else if x, ok := r.Scores[out.Metric]; ok {
			out.Unit = document.Score
			out.Bars = append(out.Bars, document.Bar{Name: document.Words{EN: r.Label, JA: r.Label}, Value: x})
		}
	}
	switch x := v.Cell(name).Value.(type) {
	case document.RunSet:
		for _, r := range x.Runs {
			runBar(r)
		}
	case document.Comparison:
		runBar(x.Baseline)
		runBar(x.Candidate)
	case document.CauseSet:
		for _, b := range x.Counts {
			out.Bars = append(out.Bars, document.Bar{Name: b.Name, Value: float64(b.Count)})
		}
		return out, nil
	case document.Failures:
		if out.Kind == "bubble" && (x.Untold || len(x.By) > 0) {
			return out, problem.New(problem.Invalid, "chart_imported",
				"%s has imported scores: a chart of answers by correctness and trust needs both, and a judge of ours gives them", name).
				With("to", name).WithHint("import the file under another name with a judge: workbench import-results FILE --name NAME --model " +
				"PROVIDER/MODEL")
		}
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
func planOf(list []document.Bar, by, title document.Words) (*charts.Plan, error) {
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
