package charts

import (
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
)

// levels is how many colours the scale of a heat map has.
const levels = 7

// level is the colour of a value on a scale.
func level(v float64, domain [2]float64) int {
	if domain[1] <= domain[0] {
		return levels / 2
	}
	return min(levels-1, max(0, int(math.Floor((v-domain[0])/(domain[1]-domain[0])*levels))))
}

func (m *maker) heat() error {
	m.split("x", m.s.X, mostCategories)
	m.split("y", m.s.Y, mostCategories)
	place := func(row []any) (float64, float64, bool) {
		return float64(m.place("x", row)), float64(m.place("y", row)), true
	}
	list := m.groups(place, "colour")
	title, err := m.aggregated(list, "colour", m.s.Colour)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b *group) int {
		return compare(float64(a.facet)*1e6+a.y*1e3+a.x, float64(b.facet)*1e6+b.y*1e3+b.x)
	})
	m.write(list, title, false)
	var values []float64
	for _, g := range list {
		if !math.IsNaN(g.value) {
			values = append(values, g.value)
		}
	}
	low, high := span(values)
	if m.s.Colour.Domain != [2]float64{} {
		low, high = m.s.Colour.Domain[0], m.s.Colour.Domain[1]
	}
	diverging := m.s.Colour.Scale == "diverging"
	if diverging {
		high = max(math.Abs(low), math.Abs(high))
		low = -high
	}
	h := m.p.Head[slices.IndexFunc(m.p.Head, func(h Head) bool { return h.Number })]
	h.Number = true
	m.p.Colour = &Legend{Title: title, Diverging: diverging, Domain: [2]float64{low, high},
		Ends: [2]Words{{EN: h.Shown(rounded(low, h.Digits))}, {EN: h.Shown(rounded(high, h.Digits))}}}
	for i, g := range list {
		k := &m.p.Marks[i]
		k.X, k.Y, k.Colour, k.Text = g.x, g.y, level(g.value, m.p.Colour.Domain), h.Shown(rounded(g.value, h.Digits))
		if math.IsNaN(g.value) {
			k.Colour, k.Text = -1, "–"
		}
	}
	m.p.X, m.p.Y = m.cat["x"].axis(m.title("x"), m.p.Words), m.cat["y"].axis(m.title("y"), m.p.Words)
	return nil
}

// boxes shows quarters of the values: from the first to the third a box, the ends at most 1.5 boxes away (Tukey 1977).
func (m *maker) boxes() error {
	place := func([]any) (float64, bool) { return 0, true }
	if _, used := m.at["x"]; used {
		m.s.X.Type = "category"
		place, _ = m.across()
	} else {
		m.cat["x"] = &categories{index: map[string]int{"": 0}, keys: []string{""}, values: []any{""}}
	}
	list := m.groups(func(row []any) (float64, float64, bool) { x, ok := place(row); return x, 0, ok }, "y")
	for _, g := range list {
		g.value = stats.Quantile(g.values, 0.5)
	}
	m.sorted(list)
	list = slices.DeleteFunc(list, func(g *group) bool { to, kept := place(g.row); g.x = to; return !kept })
	slices.SortStableFunc(list, func(a, b *group) int {
		return compare(float64(a.facet)*1e6+a.x*1e3+float64(a.colour), float64(b.facet)*1e6+b.x*1e3+float64(b.colour))
	})
	var all []float64
	for _, g := range list {
		all = append(all, g.values...)
	}
	var used []string
	for _, name := range []string{"facet", "x", "colour"} {
		if _, is := m.at[name]; is {
			used = append(used, name)
			m.p.Head = append(m.p.Head, Head{Title: m.title(name)})
		}
	}
	places := digits(append(all, 0.5)) // quarters fall between
	for _, w := range []Words{{"low end", "下端"}, {"first quarter", "第1四分位"}, {"median", "中央値"}, {"third quarter", "第3四分位"},
		{"high end", "上端"}} {
		m.p.Head = append(m.p.Head, Head{Title: w, Number: true, Digits: places})
	}
	m.p.Head = append(m.p.Head, Head{Title: Words{"beyond the ends", "外れ値"}, Number: true},
		Head{Title: aggregateWords["count"], Number: true})
	for i, g := range list {
		k, beyond := boxOf(g)
		k.Row = i
		var row []any
		for _, name := range used {
			row = append(row, m.said(name, g.row))
		}
		for _, v := range k.Span {
			row = append(row, rounded(v, places))
		}
		m.p.Marks, m.p.Rows = append(m.p.Marks, k), append(m.p.Rows, append(row, float64(beyond), float64(g.rows)))
		m.exact = append(m.exact, g.value)
	}
	m.p.Y = numeric(m.s.Y, m.title("y"), append(all, m.guides(func(r Reference) *float64 { return r.Y })...), false)
	if _, is := m.at["x"]; is {
		m.p.X = m.cat["x"].axis(m.title("x"), m.p.Words)
	} else {
		m.p.X = Axis{Category: true, Domain: [2]float64{-0.5, 0.5}, Ticks: []Tick{}}
	}
	return nil
}

func boxOf(g *group) (k Mark, beyond int) {
	q := func(p float64) float64 { return stats.Quantile(g.values, p) }
	first, third := q(0.25), q(0.75)
	reach := 1.5 * (third - first)
	low, high := third, first
	k = Mark{Facet: g.facet, X: g.x, Y: g.value, Colour: g.colour}
	for _, v := range slices.Sorted(slices.Values(g.values)) {
		if v >= first-reach && v <= third+reach {
			low, high = min(low, v), max(high, v)
			continue
		}
		if beyond++; len(k.Out) < 20 && !slices.Contains(k.Out, v) {
			k.Out = append(k.Out, v)
		}
	}
	k.Span = []float64{low, first, g.value, third, high}
	return k, beyond
}

// histogram counts values in classes of one width: by default as many as the square root of the values, from 5 to 30.
func (m *maker) histogram() error {
	i := m.at["x"]
	var all []float64
	for _, row := range m.rows {
		v, _ := number(row[i])
		all = append(all, v)
	}
	low, high := span(all)
	if m.s.X.Domain != [2]float64{} {
		low, high = m.s.X.Domain[0], m.s.X.Domain[1]
	}
	classes := m.s.X.Bin
	if classes <= 0 {
		classes = min(30, max(5, int(math.Sqrt(float64(len(all))))))
	}
	if classes > 200 {
		return wrong("bin", "x", "bin is %d; 2 to 200 classes can be told apart", classes).With("value", classes).WithHint("bin: 20")
	}
	step := nice((high - low) / float64(classes))
	if low == high {
		step = 1
	}
	first := math.Floor(low/step+1e-9) * step
	type key struct{ facet, colour, class int }
	count, last := map[key]int{}, 0
	for k, v := range all {
		row := m.rows[k]
		class := min(max(0, int(math.Floor((v-first)/step+1e-9))), 4*classes+1)
		count[key{m.place("facet", row), m.place("colour", row), class}]++
		last = max(last, class)
	}
	names := []string{}
	for _, name := range []string{"facet", "colour"} {
		if _, is := m.at[name]; is {
			names = append(names, name)
			m.p.Head = append(m.p.Head, Head{Title: m.title(name)})
		}
	}
	places := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	x := m.title("x")
	m.p.Head = append(m.p.Head, Head{Words{x.In("en") + " from", x.In("ja") + "（以上）"}, true, places},
		Head{Words{"to below", "未満"}, true, places}, Head{aggregateWords["count"], true, 0})
	var tops, edges []float64
	for facet := range max(1, len(m.p.Facets)) {
		for class := range last + 1 {
			base := 0.0
			for colour := range max(1, m.series()) {
				n := float64(count[key{facet, colour, class}])
				from, to := rounded(first+float64(class)*step, places+2), rounded(first+float64(class+1)*step, places+2)
				k := Mark{Facet: facet, X: from, X2: to, Y: base + n, Base: base, Colour: colour, Row: len(m.p.Rows)}
				var row []any
				for _, name := range names {
					row = append(row, m.cat[name].keys[map[string]int{"facet": facet, "colour": colour}[name]])
				}
				m.p.Marks, m.p.Rows = append(m.p.Marks, k), append(m.p.Rows, append(row, rounded(from, places), rounded(to, places), n))
				base += n
				tops, edges = append(tops, base), append(edges, from, to)
			}
		}
	}
	m.p.Y = numeric(m.s.Y, aggregateWords["count"], tops, true)
	m.p.X = numeric(Channel{Scale: m.s.X.Scale, Domain: [2]float64{slices.Min(edges), slices.Max(edges)}}, x, edges, false)
	return nil
}

// series is how many colours there are; 0 without.
func (m *maker) series() int {
	if m.p.Colour == nil {
		return 0
	}
	return len(m.p.Colour.Names)
}

// points draws each row: points, rules and texts.
func (m *maker) points() {
	var used []string
	for _, name := range []string{"label", "facet", "x", "y", "colour", "size"} {
		if i, is := m.at[name]; is && (name == "label" || !slices.ContainsFunc(used, func(u string) bool { return m.at[u] == i })) {
			used = append(used, name)
		}
	}
	columns := map[string][]float64{}
	place := func([]any) (float64, bool) { return 0, true }
	kind := "number"
	if _, is := m.at["x"]; is {
		place, kind = m.across()
	}
	var xs, ys []float64
	most := 0.0
	for _, row := range m.rows {
		for _, name := range used {
			if v, isNumber := row[m.at[name]].(float64); isNumber {
				columns[name] = append(columns[name], v)
			} else if v, isWhole := number(row[m.at[name]]); isWhole {
				columns[name] = append(columns[name], v)
			}
		}
		if i, is := m.at["size"]; is {
			v, _ := number(row[i])
			most = max(most, v)
		}
	}
	heads := map[string]Head{}
	for _, name := range used {
		h := Head{Title: m.title(name)}
		if kindOf(Channel{}, m.rows, m.at[name]) == "number" {
			h.Number, h.Digits = true, digits(columns[name])
		}
		heads[name] = h
		m.p.Head = append(m.p.Head, h)
	}
	for _, row := range m.rows {
		x, ok := place(row)
		if !ok {
			continue
		}
		y, _ := number(row[m.at["y"]])
		k := Mark{Facet: m.place("facet", row), X: x, Y: y, Colour: m.place("colour", row), Row: len(m.p.Rows)}
		if i, is := m.at["size"]; is && most > 0 {
			v, _ := number(row[i])
			k.Size = rounded(max(0, v)/most, 4)
		}
		if i, is := m.at["label"]; is {
			k.Text = heads["label"].Shown(row[i])
		}
		var cells []any
		for _, name := range used {
			v := m.said(name, row)
			if n, isNumber := number(v); isNumber && heads[name].Number {
				v = rounded(n, heads[name].Digits)
			}
			cells = append(cells, v)
		}
		xs, ys = append(xs, x), append(ys, y)
		m.p.Marks, m.p.Rows = append(m.p.Marks, k), append(m.p.Rows, cells)
	}
	m.p.Y = numeric(m.s.Y, m.title("y"), append(ys, m.guides(func(r Reference) *float64 { return r.Y })...), false)
	if _, is := m.at["x"]; is {
		m.p.X = m.horizontal(kind, xs)
	} else {
		m.p.X = Axis{Domain: [2]float64{-1, 1}, Ticks: []Tick{}}
	}
	for _, a := range []*Axis{&m.p.X, &m.p.Y} { // marks have a size: none stands on the edge
		if edge := (a.Domain[1] - a.Domain[0]) * 0.04; !a.Category && !a.Log {
			a.Domain = [2]float64{rounded(a.Domain[0]-edge, 9), rounded(a.Domain[1]+edge, 9)}
		}
	}
	if m.s.Mark == Point && len(m.p.Marks) > mostPoints {
		m.hexagons()
	}
}

// hexagons counts points that are too many: 30 hexagons across.
func (m *maker) hexagons() {
	const across = 30.0
	x, y := m.p.X.Domain, m.p.Y.Domain
	wide, high := (x[1]-x[0])/across, (y[1]-y[0])/across*1.5
	type key struct{ facet, i, j int }
	count := map[key]int{}
	var order []key
	for _, k := range m.p.Marks {
		j := math.Round((k.Y - y[0]) / high)
		i := math.Round((k.X-x[0])/wide - math.Mod(j, 2)/2)
		at := key{k.Facet, int(i), int(j)}
		if count[at]++; count[at] == 1 {
			order = append(order, at)
		}
	}
	slices.SortFunc(order, func(a, b key) int { return (a.facet-b.facet)*1e6 + (a.j-b.j)*1e3 + a.i - b.i })
	most := 0
	for _, n := range count {
		most = max(most, n)
	}
	total := len(m.p.Marks)
	heads := []Head{{m.p.X.Title, true, digits([]float64{wide})}, {m.p.Y.Title, true, digits([]float64{high})},
		{aggregateWords["count"], true, 0}}
	if len(m.p.Facets) > 0 {
		heads = append([]Head{{Title: m.title("facet")}}, heads...)
	}
	m.p.Mark, m.p.Marks, m.p.Rows, m.p.Head = Hex, []Mark{}, [][]any{}, heads
	m.p.Colour = &Legend{Title: aggregateWords["count"], Domain: [2]float64{0, float64(most)},
		Ends: [2]Words{{EN: "1"}, {EN: fmt.Sprint(most)}}}
	for _, at := range order {
		k := Mark{Facet: at.facet, X: x[0] + (float64(at.i)+math.Mod(float64(at.j), 2)/2)*wide, Y: y[0] + float64(at.j)*high,
			Size:   1 / across,
			Colour: level(float64(count[at]), m.p.Colour.Domain), Row: len(m.p.Rows)}
		row := []any{rounded(k.X, heads[len(heads)-3].Digits), rounded(k.Y, heads[len(heads)-2].Digits), float64(count[at])}
		if len(m.p.Facets) > 0 {
			row = append([]any{m.cat["facet"].keys[at.facet]}, row...)
		}
		m.p.Marks, m.p.Rows = append(m.p.Marks, k), append(m.p.Rows, row)
	}
	m.note(fmt.Sprintf("%s points, counted in hexagons.", Head{Number: true}.Shown(float64(total))),
		fmt.Sprintf("%s点を六角形ごとに数えています。", Head{Number: true}.Shown(float64(total))))
}
