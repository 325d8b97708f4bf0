package charts

import (
	"math"
	"strconv"
	"strings"
)

// Measures of drawings below each other. The page has the same in frontend/src/parts/chart/over.ts.
const (
	trackTall = 96.0
	laneTall  = 17.0
	mostLanes = 5
	barsBelow = 10.0 // more room below the name of bars, for what is written over the highest
)

// strands is drawings below each other over the same places.
type strands struct {
	s                 *Scene
	p                 *Plan
	lang              string
	left, width, wide float64 // of all places, and of one
	top, height       float64 // of the drawing in hand
	y0                Axis
}

func (a *strands) x(at float64) float64 { return a.left + (at+0.5)*a.wide }

func (a *strands) y(v float64) float64 { return a.top + (1-along(a.y0, v))*a.height }

// over lays drawings out below what happened, and writes below them when.
func (s *Scene) over(p *Plan, lang string) {
	a := &strands{s: s, p: p, lang: lang, height: trackTall}
	for _, t := range p.Tracks {
		for _, tick := range t.Y.Ticks {
			a.left = max(a.left, Measure(tick.Text.In(lang))*em)
		}
	}
	a.left += 10
	a.width = s.Width - a.left - 12
	a.wide = a.width / max(1, float64(len(p.Places)))
	lanes, first := a.flags()
	y, explained := first, false
	for i, t := range p.Tracks {
		if t.Parts && !explained {
			y, explained = legend(s, p, lang, y)-4, true
		}
		y = a.track(i, t, y)
	}
	a.dates(y)
	s.Height = px(y + line + gap)
	behind := []Shape{}
	for i, place := range p.Places {
		if place.Empty {
			behind = append(behind, Shape{Class: "void", X: px(a.left + float64(i)*a.wide), Y: px(first), W: px(a.wide), H: px(y - first)})
		}
	}
	for i, l := range p.Lines {
		from := min(float64(lanes[i]), mostLanes)*laneTall + 4
		behind = append(behind, Shape{Class: "flag", D: path("M", a.x(*l.X), " ", from, "V", y)})
	}
	s.Shapes = append(behind, s.Shapes...)
}

// flags writes what happened, in lanes so that no text touches another, and returns the lanes and where they end. What has no room is
// a line alone.
func (a *strands) flags() (lanes []int, bottom float64) {
	var taken [][][2]float64
	for _, l := range a.p.Lines {
		x := a.x(*l.X)
		text := Shorten(l.Title.In(a.lang), min(mostEm, (max(x, a.s.Width-x)-gap)/em/wide))
		broad := Measure(text)*em*wide + gap
		from, to, at, anchor := x-4, x+broad, x+4, ""
		if to > a.s.Width {
			from, to, at, anchor = x-broad, x+4, x-4, "end"
		}
		lane := 0
		for lane < len(taken) && meets(taken[lane], from, to) {
			lane++
		}
		if lane == len(taken) {
			taken = append(taken, nil)
		}
		taken[lane] = append(taken[lane], [2]float64{from, to})
		lanes = append(lanes, lane)
		if lane < mostLanes {
			a.s.text("flagname", text, at, float64(lane)*laneTall+13, anchor)
		}
	}
	return lanes, float64(min(mostLanes, len(taken)))*laneTall + 4
}

func meets(spans [][2]float64, from, to float64) bool {
	for _, s := range spans {
		if from < s[1] && to > s[0] {
			return true
		}
	}
	return false
}

// track draws one of the drawings and returns where it ends.
func (a *strands) track(facet int, t Track, y float64) float64 {
	for _, l := range Wrap(t.Title.In(a.lang), (a.s.Width-4)/em) {
		y += line
		a.s.text("name", l, 0, y, "")
	}
	a.top, a.y0 = y+12, t.Y
	if !t.Line {
		a.top += barsBelow
	}
	if nothing := t.Nothing.In(a.lang); nothing != "" {
		for _, l := range Wrap(nothing, (a.s.Width-4)/em) {
			y += line
			a.s.text("tick", l, 0, y, "")
		}
		return y + gap
	}
	for _, tick := range t.Y.Ticks {
		a.s.draw("grid", path("M", a.left, " ", a.y(tick.At), "h", a.width))
		a.s.text("tick", tick.Text.In(a.lang), a.left-6, a.y(tick.At)+4, "end")
	}
	if t.Line {
		a.line(facet)
	} else {
		a.bars(facet)
	}
	return a.top + a.height + gap
}

// line draws values with the bands of their intervals, in pieces.
func (a *strands) line(facet int) {
	joined, frames, dots, band := "", "", "", ""
	upper, lower, ends := "", "", 0
	var last [2]float64 // where the band began, high and low
	x0 := 0.0
	shut := func() {
		switch {
		case ends == 1:
			band += path("M", x0-4, " ", last[0], "h", 8.0, "V", last[1], "h", -8.0, "Z")
		case ends > 1:
			band += upper + lower + "Z"
		}
		upper, lower, ends = "", "", 0
	}
	before := -2.0
	for i, m := range a.p.Marks {
		if m.Facet != facet {
			continue
		}
		x, y := a.x(m.X), a.y(m.Y)
		begins := m.Begins || m.X != before+1
		before = m.X
		if begins || len(m.Span) != 2 {
			shut()
		}
		if len(m.Span) == 2 {
			low, high := a.y(m.Span[0]), a.y(m.Span[1])
			upper += path(map[bool]string{true: "M", false: "L"}[ends == 0], x, " ", high)
			lower = path("L", x, " ", low) + lower
			last, x0 = [2]float64{high, low}, x
			ends++
		}
		joined += path(map[bool]string{true: "M", false: "L"}[begins], x, " ", y)
		if m.Framed {
			frames += path("M", x-7, " ", y-7, "h", 14.0, "v", 14.0, "h", -14.0, "Z")
		}
		dots += symbol(0, x, y, min(3.5, a.wide/2.4))
		a.s.Spots[i] = [2]float64{px(x), px(y)}
	}
	shut()
	for _, d := range [][2]string{{"band c0", band}, {"line c0", joined}, {"frame", frames}, {"dot c0", dots}} {
		if d[1] != "" {
			a.s.draw(d[0], d[1])
		}
	}
}

// bars draws values from zero on, or their parts on each other.
func (a *strands) bars(facet int) {
	thick := min(30, a.wide*0.62)
	if a.wide < 4 {
		thick = a.wide
	}
	errs, half := "", min(3, a.wide*0.35)
	for i, m := range a.p.Marks {
		if m.Facet != facet {
			continue
		}
		x, y0, y1 := a.x(m.X), a.y(m.Base), a.y(m.Y)
		h := max(1, y0-y1)
		a.s.Spots[i] = [2]float64{px(x), px(y1)}
		if a.p.Tracks[facet].Parts {
			a.part(m, x-thick/2, y1, thick, h)
			continue
		}
		a.s.rect("part", x-thick/2, y1, thick, h)
		a.s.draw("hatch", hatchedBox(x-thick/2, y1, thick, h))
		end := y1
		if len(m.Span) == 2 {
			low, high := a.y(m.Span[0]), a.y(m.Span[1])
			errs += path("M", x-half, " ", high, "h", 2*half, "M", x, " ", high, "V", low, "M", x-half, " ", low, "h", 2*half)
			end = high
		}
		text, _, _ := strings.Cut(m.Text, " / ")
		if Measure(m.Text)*em <= a.wide-2 {
			text = m.Text
		}
		if Measure(text)*em <= a.wide-2 {
			a.s.text("value", text, x, max(a.top-2, end-4), "middle")
		}
	}
	if errs != "" {
		a.s.draw("err", errs)
	}
}

// part draws a part of a bar, its number in it where there is room.
func (a *strands) part(m Mark, x, y, w, h float64) {
	a.s.rect("bar c"+strconv.Itoa(m.Colour%mostColours), x, y, w, h)
	if d := textured(m.Colour, x, y, w, h); d != "" {
		a.s.draw("hatch", d)
	}
	if h >= line && Measure(m.Text)*em*1.2 < w {
		a.s.text("number", m.Text, x+w/2, y+h/2+4, "middle")
	}
}

// textured are the lines that tell parts apart besides their colours: none, rising or falling ones. Neighbours differ.
func textured(colour int, x, y, w, h float64) string {
	switch (colour + colour/mostColours) % 3 {
	case 1:
		return hatchedBox(x, y, w, h)
	case 2:
		return fallingBox(x, y, w, h)
	}
	return ""
}

// dates says below the drawings when the places were: the newest always, and those before it for which there is room.
func (a *strands) dates(y float64) {
	edge := math.Inf(1)
	for i := len(a.p.X.Ticks) - 1; i >= 0; i-- {
		text := Shorten(a.p.X.Ticks[i].Text.In(a.lang), a.s.Width/em)
		half := Measure(text)*em/2 + 2
		x := min(max(a.x(float64(i)), half), a.s.Width-half)
		if x+half+gap <= edge {
			a.s.text("tick", text, x, y+line, "middle")
			edge = x - half
		}
	}
}
