package charts

import (
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/stats"
)

// group is what one mark stands for.
type group struct {
	facet, colour int
	x, y          float64 // place; y of a heat map only
	row           []any   // the first of its rows
	values        []float64
	rows          int
	value         float64
	span          []float64
}

// groups puts rows together that have one place, in the order of the data.
func (m *maker) groups(place func(row []any) (x, y float64, ok bool), of string) []*group {
	type key struct {
		facet, colour int
		x, y          float64
	}
	found := map[key]*group{}
	var out []*group
	for _, row := range m.rows {
		x, y, ok := place(row)
		if !ok {
			continue
		}
		k := key{m.place("facet", row), m.place("colour", row), x, y}
		g := found[k]
		if g == nil {
			g = &group{facet: k.facet, colour: k.colour, x: x, y: y, row: row}
			found[k], out = g, append(out, g)
		}
		g.rows++
		if i, used := m.at[of]; used {
			if v, isNumber := number(row[i]); isNumber {
				g.values = append(g.values, v)
			}
		}
	}
	return out
}

// aggregates are how the values of a group become one.
var aggregates = map[string]func([]float64) float64{
	"mean": stats.Mean, "min": slices.Min[[]float64], "max": slices.Max[[]float64],
	"median": func(v []float64) float64 { return stats.Quantile(v, 0.5) },
	"p90":    func(v []float64) float64 { return stats.Quantile(v, 0.9) },
	"sum": func(v []float64) float64 {
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum
	},
}

var aggregateWords = map[string]Words{
	"mean": {"mean %s", "%sの平均"}, "median": {"median %s", "%sの中央値"}, "sum": {"sum of %s", "%sの合計"}, "min": {"least %s", "%sの最小"},
	"max": {"most %s", "%sの最大"}, "p90": {"90th percentile of %s", "%sの90パーセンタイル"}, "count": {"rows", "件数"},
}

// aggregated computes the value of each group, and says what it is. Without a column rows are counted.
func (m *maker) aggregated(list []*group, name string, ch Channel) (Words, error) {
	how := ch.Aggregate
	several := slices.ContainsFunc(list, func(g *group) bool { return g.rows > 1 })
	switch {
	case ch.Field == "":
		how = "count"
	case how == "" && several:
		how = "mean"
	}
	for _, g := range list {
		switch {
		case how == "count":
			g.value = float64(g.rows)
		case len(g.values) == 0:
			g.value = math.NaN()
		case how == "":
			g.value = g.values[0]
		default:
			g.value = aggregates[how](g.values)
		}
	}
	if err := intervals(list, name, ch.Interval); err != nil {
		return Words{}, err
	}
	if ch.Field == "" || ch.Title != (Words{}) {
		if ch.Title != (Words{}) {
			return ch.Title, nil
		}
		return aggregateWords["count"], nil
	}
	title := m.title(name)
	switch how {
	case "":
		return title, nil
	case "count":
		return aggregateWords["count"], nil
	}
	w := aggregateWords[how]
	return Words{fmt.Sprintf(w.EN, inside(title.In("en"))), fmt.Sprintf(w.JA, title.In("ja"))}, nil
}

// inside is a name as it stands inside of a sentence: Correctness is correctness, BLEU stays BLEU.
func inside(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsLower(second) {
		return string(unicode.ToLower(first)) + s[size:]
	}
	return s
}

// intervals adds 95% intervals of the means.
func intervals(list []*group, name, how string) error {
	all := 0
	for _, g := range list {
		all += len(g.values)
	}
	for _, g := range list {
		if len(g.values) == 0 {
			continue
		}
		switch how {
		case "", "none":
			return nil
		case "wilson":
			sum := 0.0
			for _, v := range g.values {
				if sum += v; v != 0 && v != 1 {
					return wrong("wilson", name, "a Wilson interval is that of a share, and %s has values besides 0 and 1", name).
						WithHint("interval: bootstrap")
				}
			}
			i, err := stats.Wilson(int(sum), len(g.values), 0.95)
			if err != nil {
				return err
			}
			g.span = []float64{i.Low, i.High}
		case "bootstrap":
			clusters := make([]int, len(g.values))
			for k := range clusters {
				clusters[k] = k
			}
			means, err := stats.ClusterBootstrapMeans(g.values, clusters, 1, min(1000, max(200, 20_000_000/all)))
			if err != nil {
				return err
			}
			i := stats.PercentileInterval(means, 0.95)
			g.span = []float64{i.Low, i.High}
		default:
			return choice(name, "the interval of "+name, how, []string{"wilson", "bootstrap", "none"})
		}
	}
	return nil
}

// across is the horizontal place of rows: that of a category, a number or a time.
func (m *maker) across() (place func(row []any) (float64, bool), kind string) {
	i := m.at["x"]
	kind = kindOf(m.s.X, m.rows, i)
	if kind == "category" || kind == "ordinal" || m.s.Mark == Bar {
		c := categoriesOf(m.rows, i)
		m.cat["x"] = c
		return func(row []any) (float64, bool) {
			at, kept := c.index[shown(row[i])]
			return float64(at), kept
		}, "category"
	}
	if kind == "time" {
		return func(row []any) (float64, bool) { return moment(row[i]) }, kind
	}
	return func(row []any) (float64, bool) { return number(row[i]) }, kind
}

func (m *maker) grouped() error {
	place, kind := m.across()
	at := func(row []any) (float64, float64, bool) { x, ok := place(row); return x, 0, ok }
	list := m.groups(at, "y")
	title, err := m.aggregated(list, "y", m.s.Y)
	if err != nil {
		return err
	}
	if kind == "category" {
		m.sorted(list)
		list = slices.DeleteFunc(list, func(g *group) bool {
			to, kept := place(g.row)
			g.x = to
			return !kept
		})
	}
	slices.SortStableFunc(list, func(a, b *group) int {
		if a.facet != b.facet {
			return a.facet - b.facet
		}
		if m.s.Mark != Bar && a.colour != b.colour {
			return a.colour - b.colour
		}
		if a.x != b.x {
			return compare(a.x, b.x)
		}
		return a.colour - b.colour
	})
	m.write(list, title, m.p.Colour != nil)
	var reach, xs []float64
	stack := map[[2]float64]float64{}
	for i, g := range list {
		k := &m.p.Marks[i]
		if m.s.Mark == Area {
			under := [2]float64{float64(g.facet), g.x}
			k.Base, k.Y = stack[under], stack[under]+k.Y
			stack[under] = k.Y
		}
		xs, reach = append(xs, g.x), append(append(reach, k.Y), k.Span...)
	}
	m.p.Y = numeric(m.s.Y, title, append(reach, m.guides(func(r Reference) *float64 { return r.Y })...), m.s.Mark != Line)
	m.alone()
	if m.s.Mark != Line {
		for i := range m.p.Marks {
			if m.p.Marks[i].Base == 0 {
				m.p.Marks[i].Base = max(0, m.p.Y.Domain[0])
			}
		}
	}
	m.p.X = m.horizontal(kind, xs)
	return nil
}

// alone gives each place one lane where no place has two bars.
func (m *maker) alone() {
	if m.p.Colour == nil {
		return
	}
	seen := map[[2]float64]bool{}
	for _, k := range m.p.Marks {
		at := [2]float64{float64(k.Facet), k.X}
		if seen[at] {
			return
		}
		seen[at] = true
	}
	m.p.Colour.Lanes = 0
}

func (m *maker) horizontal(kind string, xs []float64) Axis {
	switch kind {
	case "category":
		return m.cat["x"].axis(m.title("x"), m.p.Words)
	case "time":
		return temporal(m.title("x"), xs)
	}
	return numeric(m.s.X, m.title("x"), xs, false)
}

// sorted arranges the categories as the specification says, by their largest value where it says y.
func (m *maker) sorted(list []*group) {
	c := m.cat["x"]
	value := make([]float64, len(c.keys))
	for i := range value {
		value[i] = math.Inf(-1)
	}
	for _, g := range list {
		value[int(g.x)] = max(value[int(g.x)], g.value)
	}
	total := len(c.keys)
	left := c.arrange(func(a, b int) int {
		switch m.s.X.Sort {
		case "x":
			return c.byValue(a, b)
		case "-x":
			return -c.byValue(a, b)
		case "y":
			return compare(value[a], value[b])
		case "-y":
			return compare(value[b], value[a])
		}
		return 0
	}, mostCategories)
	if left > 0 {
		m.note(fmt.Sprintf("The first %d of %d are drawn.", total-left, total), fmt.Sprintf("%d件のうち最初の%d件を描いています。", total, total-left))
	}
}

// write makes marks and rows of groups.
func (m *maker) write(list []*group, title Words, coloured bool) {
	names := []string{}
	for _, name := range []string{"facet", "x", "y", "colour"} {
		_, used := m.at[name]
		if used && (name != "y" || m.s.Mark == Heat || m.s.Mark == Flow) && (name != "colour" || coloured) {
			names = append(names, name)
			m.p.Head = append(m.p.Head, Head{Title: m.title(name)})
		}
	}
	var values []float64
	several := false
	for _, g := range list {
		if !math.IsNaN(g.value) {
			values = append(append(values, g.value), g.span...)
		}
		several = several || g.rows > 1 && title != aggregateWords["count"]
	}
	places := m.head(title, append([]float64{}, values...))
	spans := len(list) > 0 && list[0].span != nil
	if spans {
		for _, w := range []Words{{"95% from", "95%下限"}, {"95% to", "95%上限"}} {
			m.p.Head = append(m.p.Head, Head{Title: w, Number: true, Digits: places})
		}
	}
	if several {
		m.p.Head = append(m.p.Head, Head{Title: aggregateWords["count"], Number: true})
	}
	for i, g := range list {
		k := Mark{Facet: g.facet, X: g.x, Y: g.value, Colour: g.colour, Span: g.span, Row: i}
		var row []any
		for _, name := range names {
			row = append(row, m.said(name, g.row))
		}
		row = append(row, rounded(g.value, places))
		if math.IsNaN(g.value) {
			k.Y, row[len(row)-1] = 0, nil
		}
		if spans && len(g.span) == 2 {
			row = append(row, rounded(g.span[0], places), rounded(g.span[1], places))
		} else if spans {
			row = append(row, nil, nil)
		}
		if several {
			row = append(row, float64(g.rows))
		}
		m.p.Marks, m.p.Rows, m.exact = append(m.p.Marks, k), append(m.p.Rows, row), append(m.exact, g.value)
	}
}

// Aggregate makes one value of some, in a way of [Aggregates]; nil of none.
func Aggregate(how string, values []float64) any {
	switch {
	case how == "count":
		return float64(len(values))
	case len(values) == 0 || aggregates[how] == nil:
		return nil
	}
	return aggregates[how](values)
}
