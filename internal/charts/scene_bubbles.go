package charts

import "math"

// step is the distance between the lines of a hatching, along both axes.
const step = 7.0

// corner marks the places whose bubbles are hatched.
func (a *panel) corner() {
	n := float64(a.p.Corner)
	across, up := float64(len(a.p.X.Ticks)), float64(len(a.p.Y.Ticks))
	w, h := a.width/across, a.height/up
	for i := 1.0; i < across; i++ {
		a.s.draw("grid", path("M", a.left+i*w, " ", a.top, "v", a.height))
	}
	for i := 1.0; i < up; i++ {
		a.s.draw("grid", path("M", a.left, " ", a.top+i*h, "h", a.width))
	}
	if n <= 0 || n >= across || n >= up {
		return
	}
	a.s.rect("zone", a.left, a.top, n*w, a.height)
	a.s.rect("zone", a.left+n*w, a.top+(up-n)*h, a.width-n*w, n*h)
	a.s.draw("guide", path("M", a.left+n*w, " ", a.top, "V", a.top+(up-n)*h, "H", a.left+a.width))
}

// bubble is a circle of a place, hatched where it is marked.
func (a *panel) bubble(i int, m Mark) {
	w, h := a.width/float64(len(a.p.X.Ticks)), a.height/float64(len(a.p.Y.Ticks))
	x, y := a.x(m.X), a.y(m.Y)
	// Rounded as it is written: half circles over a chord that is a little shorter than theirs bulge.
	r := math.Round(10*max(6, math.Sqrt(m.Size)*min(0.48*w, max(0.48*h, 26)))) / 10
	circle := path("M", x-r, " ", y, "a", r, " ", r, " 0 1 0 ", 2*r, " 0a", r, " ", r, " 0 1 0 ", -2*r, " 0Z")
	if m.Colour == 1 {
		a.s.draw("bubble marked", circle)
		a.s.draw("hatch", hatchedCircle(x, y, r))
	} else {
		a.s.draw("bubble", circle)
	}
	if r >= 12 && Measure(m.Text)*em*1.2 < 2*r {
		a.s.text("number", m.Text, x, y+5, "middle")
	} else {
		a.s.text("value", m.Text, x+r+3, y+4, "")
	}
	a.spot(i, x, y)
}

// hatchedCircle are rising lines within a circle.
func hatchedCircle(x, y, r float64) string {
	out := ""
	for o := -math.Floor(r*math.Sqrt2/step) * step; o <= r*math.Sqrt2; o += step {
		away := o / math.Sqrt2
		half := math.Sqrt(max(0, r*r-away*away)) / math.Sqrt2
		if half > 0.5 {
			out += path("M", x+o/2-half, " ", y+o/2+half, "l", 2*half, " ", -2*half)
		}
	}
	return out
}

// fallingBox are falling lines within a rectangle.
func fallingBox(x, y, w, h float64) string {
	out := ""
	for o := step - h; o < w; o += step {
		from, to := max(0, o), min(o+h, w)
		if to > from {
			out += path("M", x+from, " ", y+from-o, "L", x+to, " ", y+to-o)
		}
	}
	return out
}

// hatchedBox are rising lines within a rectangle.
func hatchedBox(x, y, w, h float64) string {
	out := ""
	for o := step; o < w+h; o += step {
		from, to := max(0, o-h), min(o, w)
		if to > from {
			out += path("M", x+from, " ", y+o-from, "L", x+to, " ", y+o-to)
		}
	}
	return out
}
