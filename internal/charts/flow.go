package charts

import (
	"fmt"
	"slices"
)

// mostNodes is how many categories a side of a flow has room for.
const mostNodes = 20

// flow counts how often the categories of one column go with those of another, or sums up what goes.
func (m *maker) flow() error {
	m.split("x", m.s.X, mostNodes)
	m.split("y", m.s.Y, mostNodes)
	amount := m.s.Size
	if amount.Field != "" && amount.Aggregate == "" {
		amount.Aggregate = "sum"
	}
	list := m.groups(func(row []any) (float64, float64, bool) {
		return float64(m.place("x", row)), float64(m.place("y", row)), true
	}, "size")
	title, err := m.aggregated(list, "size", amount)
	if err != nil {
		return err
	}
	total := map[int]float64{}
	for _, g := range list {
		if !(g.value >= 0) {
			return wrong("flow", "size", "a flow is drawn of amounts that are 0 or more").
				WithHint("name a column of such amounts, or none to count rows")
		}
		total[g.facet] += g.value
	}
	slices.SortStableFunc(list, func(a, b *group) int {
		return compare(float64(a.facet)*1e6+a.x*1e3+a.y, float64(b.facet)*1e6+b.x*1e3+b.y)
	})
	m.write(list, title, false)
	for i, g := range list {
		k := &m.p.Marks[i]
		k.Y, k.Colour = g.y, int(g.x)%mostColours
		if total[g.facet] > 0 {
			k.Size = rounded(g.value/total[g.facet], 6)
		}
	}
	m.p.X, m.p.Y = m.cat["x"].axis(m.title("x"), m.p.Words), m.cat["y"].axis(m.title("y"), m.p.Words)
	return nil
}

// flowing says in a sentence what goes where.
func (m *maker) flowing(lang string) string {
	column := m.valueColumn()
	most, total, same := 0, 0.0, 0.0
	for i, row := range m.p.Rows {
		n, _ := number(row[column])
		if best, _ := number(m.p.Rows[most][column]); n > best {
			most = i
		}
		total += n
		if row[column-2] == row[column-1] {
			same += n
		}
	}
	h := m.p.Head[column]
	row := m.p.Rows[most]
	from, to := m.p.shown(m.p.Head[column-2], row[column-2], lang), m.p.shown(m.p.Head[column-1], row[column-1], lang)
	x, y := m.title("x").In(lang), m.title("y").In(lang)
	if lang == "ja" {
		out := fmt.Sprintf("%sから%sへの移り変わり：全%s。最多は%s→%s（%s）です。", x, y, h.Shown(total), from, to, h.Shown(row[column]))
		if same > 0 {
			out += fmt.Sprintf("%sは同じままです。", h.Shown(same))
		}
		return out
	}
	out := fmt.Sprintf("From %s to %s: %s in all; most from %s to %s (%s).",
		inside(x), inside(y), h.Shown(total), from, to, h.Shown(row[column]))
	if same > 0 {
		out += fmt.Sprintf(" %s stay as they are.", h.Shown(same))
	}
	return out
}
