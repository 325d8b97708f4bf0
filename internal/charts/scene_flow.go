package charts

// Measures of a flow in pixels.
const (
	flowBase = 200.0 // of all that flows
	flowLine = 18.0  // the least room of a node: that of its name
	flowGap  = 4.0
	flowNode = 10.0 // width of a node
)

// flowSide is where the nodes of a side stand: where what flows at each begins, and where its name stands.
type flowSide struct {
	names  []string
	counts []string
	from   []float64
	at     []float64
}

// flowNodes lays out the nodes of a side by their shares.
func (a *panel) flowNodes(axis Axis, top float64, of func(Mark) int) (out flowSide, bottom float64) {
	share, sum := make([]float64, len(axis.Ticks)), make([]float64, len(axis.Ticks))
	column := 0
	for i, h := range a.p.Head {
		if h.Number {
			column = i
			break
		}
	}
	for _, m := range a.p.Marks {
		if m.Facet == a.facet {
			n, _ := number(a.p.Rows[m.Row][column])
			share[of(m)] += m.Size
			sum[of(m)] += n
		}
	}
	y := top
	for i, t := range axis.Ticks {
		room := max(flowLine, share[i]*flowBase)
		out.names, out.counts = append(out.names, t.Text.In(a.lang)), append(out.counts, a.p.Head[column].Shown(sum[i]))
		out.from = append(out.from, y+(room-share[i]*flowBase)/2)
		out.at = append(out.at, y+room/2)
		y += room + flowGap
	}
	return out, y
}

// flow draws ribbons between two columns of nodes, and returns where the panel ends.
func (a *panel) flow(x, y, width float64) float64 {
	half := (width/2 - gap) / em
	a.s.text("name", Shorten(a.p.X.Title.In(a.lang), half), x, y+line, "")
	a.s.text("name", Shorten(a.p.Y.Title.In(a.lang), half), x+width-4, y+line, "end")
	a.top = y + line + 12
	left, low := a.flowNodes(a.p.X, a.top, func(m Mark) int { return int(m.X) })
	right, deep := a.flowNodes(a.p.Y, a.top, func(m Mark) int { return int(m.Y) })
	room := width * 0.32
	rooms := [2]float64{}
	for side, nodes := range [2]flowSide{left, right} {
		for i, name := range nodes.names {
			nodes.names[i] = Shorten(name, room/em-Measure(nodes.counts[i])-1.2) + ": " + nodes.counts[i]
			rooms[side] = max(rooms[side], Measure(nodes.names[i])*em+gap)
		}
	}
	x0, x1 := x+rooms[0], x+width-rooms[1]
	from, to := append([]float64{}, left.from...), append([]float64{}, right.from...)
	for i, m := range a.p.Marks {
		if m.Facet != a.facet {
			continue
		}
		l, r, h := int(m.X), int(m.Y), m.Size*flowBase
		u, v, mid := from[l], to[r], (x0+x1)/2
		from[l], to[r] = u+h, v+h
		a.s.draw("flow "+colour(m), path("M", x0+flowNode, " ", u, "C", mid, " ", u, " ", mid, " ", v, " ", x1-flowNode, " ", v, "v", h,
			"C", mid, " ", v+h, " ", mid, " ", u+h, " ", x0+flowNode, " ", u+h, "Z"))
		a.spot(i, mid, (u+v+h)/2)
	}
	for i, name := range left.names {
		a.s.rect("node", x0, left.from[i], flowNode, from[i]-left.from[i])
		a.s.text("tick", name, x0-6, left.at[i]+4, "end")
	}
	for i, name := range right.names {
		a.s.rect("node", x1-flowNode, right.from[i], flowNode, to[i]-right.from[i])
		a.s.text("tick", name, x1+6, right.at[i]+4, "")
	}
	return max(low, deep) + gap
}
