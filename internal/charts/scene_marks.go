package charts

import (
	"math"
	"strconv"
)

// marks draws what belongs to the panel.
func (a *panel) marks() {
	draw := map[string]func(i int, m Mark){
		Bar: a.bar, Point: a.point, Heat: a.heat, Box: a.box, Hist: a.class, Rule: a.rule, Label: a.label, Hex: a.hexagon, Bubble: a.bubble,
	}[a.p.Mark]
	if a.p.Mark == Bubble {
		a.corner()
	}
	if joined := a.joined(); joined != "" {
		a.s.draw("line c0", joined)
	}
	if a.p.Mark == Line || a.p.Mark == Area {
		a.series()
		return
	}
	for i, m := range a.p.Marks {
		if m.Facet == a.facet {
			draw(i, m)
		}
	}
}

// joined is the line along the marks of a path.
func (a *panel) joined() (d string) {
	for i, at := range a.p.Path {
		m := a.p.Marks[at]
		d += path(map[bool]string{true: "M", false: "L"}[i == 0], a.x(m.X), " ", a.y(m.Y))
	}
	return d
}

func (a *panel) spot(i int, x, y float64) { a.s.Spots[i] = [2]float64{px(x), px(y)} }

func colour(m Mark) string { return "c" + strconv.Itoa(m.Colour) }

// barOf is the class of a bar.
func barOf(m Mark) string {
	if m.Apart {
		return "bar apart " + colour(m)
	}
	return "bar " + colour(m)
}

// lane is where the bars of a category begin and how thick each is.
func (a *panel) lane(m Mark) (from, thick float64) {
	length := a.width
	if a.flip {
		length = a.height
	}
	n := max(1, float64(len(a.p.X.Ticks)))
	each := length / n
	lanes := max(1, float64(lanesOf(a.p)))
	used := min(each*0.8, lanes*56)
	at := float64(m.Colour)
	if lanes == 1 {
		at = 0
	}
	return (m.X+0.5)*each - used/2 + at*used/lanes, used / lanes
}

// valueText is the value of a mark as it is written beside it.
func (a *panel) valueText(m Mark) string {
	if m.Text != "" {
		return m.Text
	}
	for i, h := range a.p.Head {
		if h.Number {
			if v := a.p.Rows[m.Row][i]; v != nil {
				return h.Shown(v)
			}
			return "–"
		}
	}
	return ""
}

// room is how wide the value above a bar may be.
func (a *panel) room(thick float64) float64 {
	if lanesOf(a.p) <= 1 {
		return a.width/max(1, float64(len(a.p.X.Ticks))) - 2
	}
	return thick + 2
}

func (a *panel) bar(i int, m Mark) {
	from, thick := a.lane(m)
	text := a.valueText(m)
	if a.flip {
		y, x0, x1 := a.top+from, a.x(m.Base), a.x(m.Y)
		a.s.rect(barOf(m), min(x0, x1), y+0.5, math.Abs(x1-x0), thick-1)
		if m.Part > 0 {
			w := a.x(m.Part) - x0
			a.s.rect("part", x0, y+0.5, w, thick-1)
			a.s.draw("hatch", hatchedBox(x0, y+0.5, w, thick-1))
		}
		end := max(x0, x1)
		if len(m.Span) == 2 {
			low, high := a.x(m.Span[0]), a.x(m.Span[1])
			a.s.draw("err", path("M", low, " ", y+thick/2, "H", high, "M", low, " ", y+thick/2-3, "v", 6.0, "M", high, " ",
				y+thick/2-3, "v", 6.0))
			end = max(end, high)
		}
		if thick >= 11 {
			a.s.text("value", text, end+4, y+thick/2+4, "")
		}
		a.spot(i, x1, y+thick/2)
		return
	}
	x, y0, y1 := a.left+from, a.y(m.Base), a.y(m.Y)
	a.s.rect(barOf(m), x+0.5, min(y0, y1), thick-1, math.Abs(y1-y0))
	end := min(y0, y1)
	if len(m.Span) == 2 {
		low, high := a.y(m.Span[0]), a.y(m.Span[1])
		a.s.draw("err", path("M", x+thick/2, " ", low, "V", high, "M", x+thick/2-3, " ", low, "h", 6.0, "M", x+thick/2-3, " ",
			high, "h", 6.0))
		end = min(end, high)
	}
	if Measure(text)*em <= a.room(thick) && end-4 >= a.top-6 {
		a.s.text("value", text, x+thick/2, end-4, "middle")
	}
	a.spot(i, x+thick/2, y1)
}

// series draws lines and areas, one for each colour.
func (a *panel) series() {
	for c := range max(1, seriesOf(a.p)) {
		over, under := "", ""
		var last [2]float64
		count := 0
		for _, m := range a.p.Marks {
			if m.Facet == a.facet && m.Colour == c {
				count++
			}
		}
		for i, m := range a.p.Marks {
			if m.Facet != a.facet || m.Colour != c {
				continue
			}
			x, y := a.x(m.X), a.y(m.Y)
			over += path(map[bool]string{true: "M", false: "L"}[over == ""], x, " ", y)
			under = path("L", x, " ", a.y(m.Base)) + under
			last = [2]float64{x, y}
			a.spot(i, x, y)
		}
		if count == 0 {
			continue
		}
		class := "c" + strconv.Itoa(c)
		if a.p.Mark == Area {
			a.s.draw("area "+class, over+under+"Z")
		}
		a.s.draw("line "+class, over)
		for _, m := range a.p.Marks {
			if m.Facet != a.facet || m.Colour != c {
				continue
			}
			x := a.x(m.X)
			if len(m.Span) == 2 {
				a.s.draw("err", path("M", x, " ", a.y(m.Span[0]), "V", a.y(m.Span[1])))
			}
			if a.p.Mark == Line && count <= 60 {
				a.s.draw("dot "+class, symbol(c, x, a.y(m.Y), 3.5))
			}
		}
		if atEnds(a.p, a.s.Width) {
			a.s.text("value n"+strconv.Itoa(c), Shorten(a.p.Colour.Names[c].In(a.lang), 12), last[0]+gap, last[1]+4, "")
		}
	}
}

func (a *panel) point(i int, m Mark) {
	x, y := a.x(m.X), a.y(m.Y)
	r := 3.5
	if m.Size > 0 {
		r = max(2.5, 14*math.Sqrt(m.Size))
	}
	a.join("dot "+colour(m), symbol(m.Colour, x, y, r), m.Size == 0)
	if m.Text != "" {
		a.beside(m.Text, x, y, r)
	}
	a.spot(i, x, y)
}

// join adds to the path of a class, so that thousands of points are a few shapes.
func (a *panel) join(class, d string, together bool) {
	if together {
		for i := len(a.s.Shapes) - 1; i >= 0 && a.s.Shapes[i].D != "" && len(a.s.Shapes)-i <= mostColours; i-- {
			if a.s.Shapes[i].Class == class {
				a.s.Shapes[i].D += d
				return
			}
		}
	}
	a.s.draw(class, d)
}

// wide is by how much a font may be wider than labels are measured, where they stand at an edge.
const wide = 1.15

// beside names a point, on the side where there is room.
func (a *panel) beside(text string, x, y, r float64) {
	text = Shorten(text, min(mostEm, a.s.Width/em/2))
	if x+r+3+Measure(text)*em*wide > a.s.Width {
		a.s.label("value", text, x-r-3, y+4, "end")
		return
	}
	a.s.label("value", text, x+r+3, y+4, "")
}

func (a *panel) heat(i int, m Mark) {
	w, h := a.width/max(1, float64(len(a.p.X.Ticks))), a.height/max(1, float64(len(a.p.Y.Ticks)))
	x, y := a.x(m.X), a.y(m.Y)
	a.s.rect("tile "+shade(a.p, m.Colour), x-w/2+0.5, y-h/2+0.5, w-1, h-1)
	if Measure(m.Text)*em <= w-2 {
		a.s.text(over(a.p, m.Colour), m.Text, x, y+4, "middle")
	}
	a.spot(i, x, y)
}

// over is the class of a text on a shade.
func over(p *Plan, level int) string {
	if level >= levels-2 || level >= 0 && level < 2 && p.Colour.Diverging {
		return "on strong"
	}
	return "on"
}

func (a *panel) box(i int, m Mark) {
	from, thick := a.lane(m)
	thick, from = min(thick, 40), from+(thick-min(thick, 40))/2
	if a.flip {
		y := a.top + from + thick/2
		v := [5]float64{}
		for k := range v {
			v[k] = a.x(m.Span[k])
		}
		a.s.draw("err", path("M", v[0], " ", y, "H", v[1], "M", v[3], " ", y, "H", v[4], "M", v[0], " ", y-4, "v", 8.0, "M", v[4], " ",
			y-4, "v", 8.0))
		a.s.rect("box "+colour(m), v[1], y-thick/2+1, v[3]-v[1], thick-2)
		a.s.draw("middle", path("M", v[2], " ", y-thick/2+1, "v", thick-2))
		for _, o := range m.Out {
			a.s.draw("out", symbol(0, a.x(o), y, 2.5))
		}
		a.spot(i, v[2], y)
		return
	}
	x := a.left + from + thick/2
	v := [5]float64{}
	for k := range v {
		v[k] = a.y(m.Span[k])
	}
	a.s.draw("err", path("M", x, " ", v[0], "V", v[1], "M", x, " ", v[3], "V", v[4], "M", x-4, " ", v[0], "h", 8.0, "M", x-4, " ",
		v[4], "h", 8.0))
	a.s.rect("box "+colour(m), x-thick/2+1, v[3], thick-2, v[1]-v[3])
	a.s.draw("middle", path("M", x-thick/2+1, " ", v[2], "h", thick-2))
	for _, o := range m.Out {
		a.s.draw("out", symbol(0, x, a.y(o), 2.5))
	}
	a.spot(i, x, v[2])
}

// class is one class of a histogram.
func (a *panel) class(i int, m Mark) {
	x0, x1, y0, y1 := a.x(m.X), a.x(m.X2), a.y(m.Base), a.y(m.Y)
	if m.Y > m.Base {
		a.s.rect("bar "+colour(m), x0+0.5, y1, x1-x0-1, y0-y1)
	}
	a.spot(i, (x0+x1)/2, y1)
}

func (a *panel) rule(i int, m Mark) {
	y := a.y(m.Y)
	a.s.draw("line "+colour(m), path("M", a.left, " ", y, "h", a.width))
	if m.Text != "" {
		a.s.text("value", Shorten(m.Text, a.width/em), a.left+a.width, max(y-4, a.top+8), "end")
	}
	a.spot(i, a.left+a.width/2, y)
}

// label writes a text at its place, and a point where there is no room for it.
func (a *panel) label(i int, m Mark) {
	x, y := a.x(m.X), a.y(m.Y)
	text := Shorten(m.Text, min(mostEm, a.s.Width/em/2))
	half := Measure(text) * em * wide / 2
	if !a.s.label("value n"+strconv.Itoa(m.Colour), text, min(max(x, half), a.s.Width-half), y+4, "middle") {
		a.s.draw("dot "+colour(m), symbol(m.Colour, x, y, 2.5))
	}
	a.spot(i, x, y)
}

func (a *panel) hexagon(i int, m Mark) {
	x, y := a.x(m.X), a.y(m.Y)
	w, h := m.Size*a.width/2, m.Size*a.height*0.5
	a.s.draw("tile "+shade(a.p, m.Colour), path("M", x, " ", y-2*h, "L", x+w, " ", y-h, "V", y+h, "L", x, " ", y+2*h, "L", x-w, " ", y+h,
		"V", y-h, "Z"))
	a.spot(i, x, y)
}
