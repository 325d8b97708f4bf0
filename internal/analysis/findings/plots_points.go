package findings

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/charts"
)

// FrontPoint is a configuration of a sweep against what it costs.
type FrontPoint struct {
	Key      string // of its run
	Name     charts.Words
	Cost     float64
	Quality  float64 // share of answers that are no low score
	Standing compare.ParetoStanding
	Baseline bool
}

// Front draws configurations by quality against a cost, which is tokens, price or latency; nil without any. Those that no other beats
// are numbered from the cheapest on, and joined.
func Front(points []FrontPoint, cost string) (*charts.Plan, error) {
	if len(points) == 0 {
		return nil, nil //nolint:nilnil // nothing to draw is no mistake
	}
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b FrontPoint) int {
		if d := standingOrder[a.Standing] - standingOrder[b.Standing]; d != 0 {
			return d
		}
		return cmp.Compare(a.Cost, b.Cost)
	})
	p := pointed{x: say("plot." + cost).Words(), y: say("plot.quality").Words(), by: say("plot.standing").Words(),
		name: say("plot.config").Words()}
	for i, c := range points {
		label := ""
		if c.Standing == compare.OnFront {
			label = strconv.Itoa(i + 1)
			p.joined = append(p.joined, i)
		}
		if c.Baseline {
			label += "■"
			base := say("plot.baseline").Words()
			c.Name = charts.Words{EN: c.Name.In("en") + " (" + base.EN + ")", JA: c.Name.In("ja") + "（" + base.JA + "）"}
		}
		p.add(c.Key, c.Name, c.Cost, 100*c.Quality, "plot."+string(c.Standing), label)
	}
	return p.plan()
}

var standingOrder = map[compare.ParetoStanding]int{compare.OnFront: 0, compare.Tied: 1, compare.Dominated: 2}

// Curve draws what configurations repair against how long they make the contexts; nil below two.
func Curve(points []causes.RepairPoint) (*charts.Plan, error) {
	if len(points) < 2 {
		return nil, nil //nolint:nilnil // nothing to draw is no mistake
	}
	p := pointed{x: say("plot.length").Words(), y: say("plot.repaired").Words(), by: say("plot.standing").Words(),
		name: say("plot.change").Words()}
	for i, c := range points {
		kind := "plot.expected"
		switch {
		case c.Harms:
			kind = "plot.harms"
		case c.Recommended:
			kind = "plot.best"
		case c.Tried:
			kind = "plot.tried"
		}
		if !c.Harms {
			p.joined = append(p.joined, i)
		}
		p.add("", charts.Words{EN: c.Name.EN, JA: c.Name.JA}, c.Cost, c.Repaired, kind, "")
	}
	return p.plan()
}

// pointed is points with names, a kind each.
type pointed struct {
	x, y, by, name charts.Words
	t              charts.Table
	keys           []string
	names          []charts.Words
	joined         []int
}

func (p *pointed) add(key string, name charts.Words, x, y float64, kind, label string) {
	if p.t.Words == nil {
		p.t.Words = map[string]charts.Words{}
	}
	p.t.Words[kind] = say(kind).Words()
	p.keys, p.names = append(p.keys, key), append(p.names, name)
	p.t.Rows = append(p.t.Rows, []any{x, y, kind, label})
}

// plan decides the chart, and puts the names in front of its rows.
func (p *pointed) plan() (*charts.Plan, error) {
	p.t.Columns = []charts.Column{{Name: "x", Title: p.x}, {Name: "y", Title: p.y}, {Name: "by", Title: p.by}, {Name: "label"}}
	number := func(field string) charts.Channel { return charts.Channel{Field: field, Type: "number"} }
	plan, err := charts.New(p.t, charts.Spec{Mark: charts.Point, X: number("x"), Y: number("y"), Colour: charts.Channel{Field: "by"},
		Label: charts.Channel{Field: "label"}})
	if err != nil {
		return nil, err
	}
	plan.Path = p.joined
	plan.Head = append([]charts.Head{{Title: p.name}}, plan.Head[1:]...) // in the place of the label
	for i := range plan.Marks {
		name := p.names[i]
		plan.Marks[i].Key = p.keys[i]
		plan.Rows[i][0] = name.In("en")
		plan.Words[name.In("en")] = name
	}
	return plan, nil
}
