package charts

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The page lays plans out too, in frontend/src/parts/chart/scene.ts: what changes here changes there. The cases in testdata hold both
// to the same numbers.

// Scene is a plan laid out for a width, in pixels.
type Scene struct {
	Width  float64      `json:"width"`
	Height float64      `json:"height"`
	Shapes []Shape      `json:"shapes"`
	Spots  [][2]float64 `json:"spots"` // where each mark of the plan is

	taken [][4]float64 // where labels of marks stand: left, top, right, bottom
	left  int          // labels that would stand over others
}

// Shape is one thing that is painted: a path, a rectangle or a text.
type Shape struct {
	Class  string  `json:"class"` // of the style sheet
	D      string  `json:"d,omitempty"`
	X      float64 `json:"x,omitempty"`
	Y      float64 `json:"y,omitempty"`
	W      float64 `json:"w,omitempty"`
	H      float64 `json:"h,omitempty"`
	Text   string  `json:"text,omitempty"`
	Anchor string  `json:"anchor,omitempty"` // of a text: middle or end
}

// Measures of a drawing in pixels.
const (
	em      = 12.0 // of the texts
	line    = 15.0 // from one line of text to the next
	gap     = 8.0
	slot    = 22.0 // of a horizontal bar
	tall    = 240.0
	usual   = 640.0 // width of a drawing in a file
	mostEm  = 24.0  // of a label
	compact = 480.0 // below this width facets stand below each other
)

// panel is the place of one facet.
type panel struct {
	p                        *Plan
	facet                    int
	lang                     string
	flip                     bool
	left, top, width, height float64 // of the plot
	s                        *Scene
}

// Draw lays a plan out in "en" or "ja". Widths are 280 and more.
func Draw(p *Plan, lang string, width float64) Scene {
	s := Scene{Width: width, Spots: make([][2]float64, len(p.Marks))}
	if p.Mark == Over {
		s.over(p, lang)
		return s
	}
	top := legend(&s, p, lang, 0)
	panels := max(1, len(p.Facets))
	columns := 1
	if width >= compact {
		columns = min(panels, 4, max(1, int(width/200)))
	}
	each := math.Floor(width / float64(columns))
	tallest := 0.0
	for i := range panels {
		if i%columns == 0 {
			top += tallest
			tallest = 0
		}
		bottom := drawPanel(&s, p, i, lang, float64(i%columns)*each, top, each-map[bool]float64{true: gap}[columns > 1])
		tallest = max(tallest, bottom-top)
	}
	bottom := top + tallest
	if s.left > 0 {
		for _, l := range Wrap(strings.ReplaceAll(p.Crowded.In(lang), "{n}", strconv.Itoa(s.left)), (width-4)/em) {
			bottom += line
			s.text("tick", l, 0, bottom-4, "")
		}
	}
	s.Height = px(bottom)
	return s
}

// label writes the label of a mark where no other one stands, the first come first; false: there is no room for it.
func (s *Scene) label(class, text string, x, y float64, anchor string) bool {
	from := x
	switch anchor {
	case "middle":
		from -= Measure(text) * em / 2
	case "end":
		from -= Measure(text) * em
	}
	to := from + Measure(text)*em
	for _, t := range s.taken {
		if from < t[2] && t[0] < to && y-10 < t[3] && t[1] < y+3 {
			s.left++
			return false
		}
	}
	s.taken = append(s.taken, [4]float64{from, y - 10, to, y + 3})
	s.text(class, text, x, y, anchor)
	return true
}

// px is a length as it is written.
func px(v float64) float64 { return math.Floor(v*10+0.5)/10 + 0 }

func num(v float64) string { return strconv.FormatFloat(px(v), 'f', -1, 64) }

// path joins letters and lengths.
func path(parts ...any) string {
	var out strings.Builder
	for _, p := range parts {
		switch x := p.(type) {
		case string:
			out.WriteString(x)
		case float64:
			out.WriteString(num(x))
		}
	}
	return out.String()
}

func (s *Scene) text(class, text string, x, y float64, anchor string) {
	if text == "" {
		return
	}
	s.Shapes = append(s.Shapes, Shape{Class: class, Text: text, X: px(x), Y: px(y), Anchor: anchor})
}

func (s *Scene) draw(class, d string) { s.Shapes = append(s.Shapes, Shape{Class: class, D: d}) }

func (s *Scene) rect(class string, x, y, w, h float64) {
	s.Shapes = append(s.Shapes, Shape{Class: class, X: px(x), Y: px(y), W: px(max(0, w)), H: px(max(0, h))})
}

// atEnds reports whether series are named at their ends in the place of a legend.
func atEnds(p *Plan, width float64) bool {
	return p.Mark == Line && p.Colour != nil && len(p.Colour.Names) <= 4 && len(p.Facets) == 0 && width >= compact
}

// legend explains the colours from a place downwards, and returns where it ends.
func legend(s *Scene, p *Plan, lang string, top float64) float64 {
	if p.Colour == nil || atEnds(p, s.Width) {
		return top + 4
	}
	x, y := 0.0, top+line
	title := Shorten(p.Colour.Title.In(lang), s.Width/em-1)
	s.text("name", title, x, y, "")
	if x = Measure(title)*em + 2*gap; len(p.Colour.Names) == 0 {
		if x+260 > s.Width {
			x, y = 0, y+line
		}
		s.text("tick", p.Colour.Ends[0].In(lang), x, y, "")
		x += Measure(p.Colour.Ends[0].In(lang))*em + gap
		for i := range levels {
			s.rect(shade(p, i), x, y-10, 20, 12)
			x += 20
		}
		s.text("tick", p.Colour.Ends[1].In(lang), x+gap, y, "")
		return y + 12
	}
	for i, name := range p.Colour.Names {
		text := Shorten(name.In(lang), min(mostEm, s.Width/em-3))
		w := 16 + Measure(text)*em + 2*gap
		if x+w > s.Width && x > 0 {
			x, y = 0, y+line+3
		}
		if p.Mark == Line || p.Mark == Point {
			s.draw("dot c"+strconv.Itoa(i), symbol(i, x+6, y-4, 5))
		} else {
			s.rect("bar c"+strconv.Itoa(i%mostColours), x, y-10, 12, 12)
			if d := textured(i, x, y-10, 12, 12); d != "" && p.Mark == Over {
				s.draw("hatch", d)
			}
		}
		s.text("tick", text, x+16, y, "")
		x += w
	}
	return y + 12
}

// shade is the class of a level of colour.
func shade(p *Plan, level int) string {
	switch {
	case level < 0:
		return "none"
	case p.Colour != nil && p.Colour.Diverging:
		return "d" + strconv.Itoa(level)
	}
	return "l" + strconv.Itoa(level)
}

// symbol is the outline of a mark of a series: colour is not the only sign.
func symbol(series int, x, y, r float64) string {
	switch series % 4 {
	case 1:
		return path("M", x-r*0.9, " ", y-r*0.9, "h", 1.8*r, "v", 1.8*r, "h", -1.8*r, "Z")
	case 2:
		return path("M", x, " ", y-1.1*r, "l", 1.1*r, " ", 2*r, "h", -2.2*r, "Z")
	case 3:
		return path("M", x, " ", y-1.3*r, "l", 1.3*r, " ", 1.3*r, "l", -1.3*r, " ", 1.3*r, "l", -1.3*r, " ", -1.3*r, "Z")
	}
	return path("M", x-r, " ", y, "a", r, " ", r, " 0 1 0 ", 2*r, " 0a", r, " ", r, " 0 1 0 ", -2*r, " 0Z")
}

// Flipped reports whether categories run down in a drawing of a width: as soon as their labels would be cut below the bars.
func Flipped(p *Plan, width float64) bool {
	if p.Mark != Bar && p.Mark != Box || !p.X.Category || p.List {
		return p.List
	}
	room := (width-50)/em/max(1, float64(len(p.X.Ticks))) - 0.6
	for _, t := range p.X.Ticks {
		for _, lang := range []string{"en", "ja"} {
			lines := Wrap(t.Text.In(lang), room)
			if len(lines) > 1 && (strings.HasPrefix(lines[1], "…") || room < 4 || torn(lines[0], lines[1], t.Text.In(lang))) {
				return true
			}
		}
	}
	return false
}

// torn reports whether a line ends within a word.
func torn(first, second, text string) bool {
	a, _ := utf8.DecodeLastRuneInString(first)
	b, _ := utf8.DecodeRuneInString(second)
	return first+second == text && !breaks(a, b)
}

// drawPanel lays one facet out and returns where it ends.
func drawPanel(s *Scene, p *Plan, facet int, lang string, x, y, width float64) float64 {
	a := &panel{p: p, facet: facet, lang: lang, flip: Flipped(p, width), s: s}
	if len(p.Facets) > 0 {
		s.text("name", Shorten(p.Facets[facet].In(lang), width/em), x, y+line, "")
		y += line + 6
	}
	if p.Mark == Flow {
		return a.flow(x, y, width)
	}
	vertical, horizontal := p.Y, p.X
	if a.flip {
		vertical, horizontal = p.X, p.Y
	}
	down := 0.0 // the size of what stands beside the axis
	labels := make([][]string, len(vertical.Ticks))
	for i, t := range vertical.Ticks {
		labels[i] = []string{t.Text.In(lang)}
		if vertical.Category {
			labels[i] = Wrap(t.Text.In(lang), min(mostEm, math.Floor(width*0.42/em)))
		}
		for _, l := range labels[i] {
			down = max(down, Measure(l)*em)
		}
	}
	right := 12.0
	switch {
	case p.List:
		for _, m := range p.Marks {
			right = max(right, Measure(m.Text)*em+gap)
		}
	case a.flip && p.Mark == Bar:
		right = 52
	case atEnds(p, s.Width):
		for _, n := range p.Colour.Names {
			right = max(right, 2*gap+Measure(Shorten(n.In(lang), 12))*em)
		}
	}
	if title := vertical.Title.In(lang); title != "" {
		s.text("name", Shorten(title, (width-4)/em), x, y+line, "")
		y += line + 6
	}
	a.left, a.top = x+down+10, y+12
	a.width = max(40, width-down-10-right)
	a.height = tall
	if vertical.Category {
		each := slot
		if a.flip && p.Mark == Bar {
			each = max(slot, float64(max(1, lanesOf(p)))*13+8)
		}
		for _, l := range labels {
			if len(l) > 1 {
				each = max(each, 2*line+4)
			}
		}
		if p.Mark == Heat {
			each = max(each, 28)
		}
		each = max(each, p.Rise)
		a.height = each * max(1, float64(len(vertical.Ticks)))
	}
	a.sides(vertical, labels)
	bottom := a.top + a.height
	if !p.List {
		bottom = a.below(horizontal)
	}
	a.guides()
	a.marks()
	return bottom + 4
}

// lanesOf is how many bars stand beside each other.
func lanesOf(p *Plan) int {
	if p.Colour == nil {
		return 0
	}
	return p.Colour.Lanes
}

func seriesOf(p *Plan) int {
	if p.Colour == nil {
		return 0
	}
	return len(p.Colour.Names)
}

// along is the place of a value from 0 to 1 on an axis.
func along(a Axis, v float64) float64 {
	low, high := a.Domain[0], a.Domain[1]
	if a.Log {
		low, high, v = math.Log10(low), math.Log10(high), math.Log10(max(v, a.Domain[0]))
	}
	if high <= low {
		return 0.5
	}
	return min(1, max(0, (v-low)/(high-low)))
}

// x is the horizontal place of a value of the plan's x, and of its y where the panel is flipped.
func (a *panel) x(v float64) float64 {
	if a.flip {
		return a.left + along(a.p.Y, v)*a.width
	}
	return a.left + along(a.p.X, v)*a.width
}

// y is the vertical place: numbers rise, categories run down.
func (a *panel) y(v float64) float64 {
	axis := a.p.Y
	if a.flip {
		axis = a.p.X
	}
	if axis.Category {
		return a.top + along(axis, v)*a.height
	}
	return a.top + (1-along(axis, v))*a.height
}

// sides labels the vertical axis.
func (a *panel) sides(axis Axis, labels [][]string) {
	for i, t := range axis.Ticks {
		y := a.y(t.At)
		if !axis.Category {
			a.s.draw("grid", path("M", a.left, " ", y, "h", a.width))
		}
		for k, l := range labels[i] {
			a.s.text("tick", l, a.left-6, y+4+line*(float64(k)-float64(len(labels[i])-1)/2), "end")
		}
	}
	if axis.Category {
		a.s.draw("axis", path("M", a.left, " ", a.top, "v", a.height))
	}
}

// below labels the horizontal axis and returns where the panel ends. Labels for which there is no room are left out, none is cut.
func (a *panel) below(axis Axis) float64 {
	y := a.top + a.height
	a.s.draw("axis", path("M", a.left, " ", y, "h", a.width))
	room := a.width/em/max(1, float64(len(axis.Ticks))) - 0.6
	widest, lines := 0.0, 1
	labels := make([][]string, len(axis.Ticks))
	for i, t := range axis.Ticks {
		labels[i] = []string{t.Text.In(a.lang)}
		if axis.Category && room >= 3 {
			labels[i] = Wrap(t.Text.In(a.lang), room)
		} else if axis.Category {
			labels[i] = []string{Shorten(t.Text.In(a.lang), 8)}
		}
		lines = max(lines, len(labels[i]))
		for _, l := range labels[i] {
			widest = max(widest, Measure(l)+0.6)
		}
	}
	every := max(1, int(math.Ceil(widest*float64(len(axis.Ticks))/(a.width/em)-0.01)))
	for i, t := range axis.Ticks {
		if i%every != 0 {
			continue
		}
		x := a.x(t.At)
		if !axis.Category {
			a.s.draw("grid", path("M", x, " ", a.top, "v", a.height))
		}
		for k, l := range labels[i] {
			half := Measure(l)*em/2 + 2
			at := min(max(x, half), a.s.Width-half)
			a.s.text("tick", l, at, y+line+float64(k)*line, "middle")
		}
	}
	y += line*float64(lines) + 2
	if title := axis.Title.In(a.lang); title != "" {
		for _, l := range Wrap(title, (a.width+a.left-a.leftEdge())/em) {
			y += line
			a.s.text("name", l, a.left+a.width, y, "end")
		}
	}
	return y + gap
}

// leftEdge is where the panel begins.
func (a *panel) leftEdge() float64 {
	if len(a.p.Facets) == 0 {
		return 0
	}
	return a.left
}

// guides draws the references.
func (a *panel) guides() {
	for _, l := range a.p.Lines {
		title := l.Title.In(a.lang)
		across := l.Y != nil && !a.flip || l.X != nil && a.flip
		at := l.Y
		if at == nil {
			at = l.X
		}
		v := *at
		if across {
			y := a.y(v)
			a.s.draw("guide", path("M", a.left, " ", y, "h", a.width))
			a.s.text("guidename", Shorten(title, a.width/em), a.left+a.width, y-4, "end")
			continue
		}
		x := a.x(v)
		a.s.draw("guide", path("M", x, " ", a.top, "v", a.height))
		text, anchor := Shorten(title, a.width/em), ""
		if x+4+Measure(text)*em > a.s.Width {
			anchor = "end"
			x -= 8
		}
		a.s.text("guidename", text, x+4, a.top+8, anchor)
	}
}
