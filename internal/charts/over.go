package charts

import (
	"cmp"
	"slices"
)

// Over is the mark of a plan of [Course]: drawings below each other over the same places. A specification cannot ask for it.
const Over = "over"

// Course is how several values went: what [New] cannot draw of one table. Each strand is a drawing of its own, all over the same places.
type Course struct {
	Summary Words
	Places  []Place
	Heads   []Words // of the texts of places, the first of what a place is
	Strands []Strand
	Parts   Words   // what parts of bars are
	Names   []Words // of the parts, from below
}

// Place is one step from left to right.
type Place struct {
	Key   string  `json:"key,omitempty"`   // what the page knows it by
	Empty bool    `json:"empty,omitempty"` // there are no values
	Brief Words   `json:"-"`               // below the drawings, where there is room
	Texts []Words `json:"-"`               // under the heads
	Flag  Words   `json:"-"`               // what happened here, above the drawings
}

// Strand is one of the drawings of a course.
type Strand struct {
	Title   Words      // above it, with what it is measured in
	Name    Words      // heads its values
	Beside  Words      // heads the texts of its values; none where there are none
	Mark    string     // Line, or Bar
	Limits  [2]float64 // between which values are; both 0: anywhere
	Digits  int        // behind the point; 0: as many as the values need
	Values  []Value    // one for each place
	Nothing Words      // said where there is no value
}

// Value is that of a strand at a place.
type Value struct {
	Known  bool
	Y      float64
	Span   []float64
	Parts  []float64 // of a bar, in the order of the names of the course; they make up Y
	Begins bool      // of a line: what was before is not the same measure
	Framed bool      // of a line: what others are compared with
	Text   string    // of a bar; behind " / " is what may be left out
}

// Track is one of the drawings of a plan.
type Track struct {
	Title   Words `json:"title"`
	Y       Axis  `json:"y"`
	Line    bool  `json:"line,omitempty"`
	Parts   bool  `json:"parts,omitempty"`  // bars are made of parts, in colours
	Nothing Words `json:"nothing,omitzero"` // said in its place
}

// Plan decides the drawings. Each place is a row.
func (c Course) Plan() *Plan {
	p := &Plan{Mark: Over, Summary: c.Summary, Places: c.Places, Words: map[string]Words{},
		Marks: []Mark{}, Rows: [][]any{}, Head: []Head{},
		X: Axis{Category: true, Domain: [2]float64{-0.5, float64(max(1, len(c.Places))) - 0.5}, Ticks: []Tick{}},
		Y: Axis{Ticks: []Tick{}}}
	for _, w := range c.Heads {
		p.Head = append(p.Head, Head{Title: w})
	}
	for i, place := range c.Places {
		p.X.Ticks = append(p.X.Ticks, Tick{float64(i), place.Brief})
		if place.Flag != (Words{}) {
			at := float64(i)
			p.Lines = append(p.Lines, GuideLine{X: &at, Title: place.Flag})
		}
		row := []any{}
		for _, w := range place.Texts {
			row = append(row, p.called(w))
		}
		p.Rows = append(p.Rows, row)
	}
	for i, s := range c.Strands {
		p.strand(i, s, c.Names)
	}
	if slices.ContainsFunc(p.Tracks, func(t Track) bool { return t.Parts }) {
		p.Colour = &Legend{Title: c.Parts, Names: c.Names}
	}
	return p
}

// called is a text in two languages as a value of the rows; nil where it is empty.
func (p *Plan) called(w Words) any {
	if w == (Words{}) {
		return nil
	}
	if w.JA != "" {
		p.Words[w.In("en")] = w
	}
	return w.In("en")
}

// strand adds a drawing, and its columns.
func (p *Plan) strand(facet int, s Strand, names []Words) {
	track := Track{Title: s.Title, Line: s.Mark == Line}
	var reach, values []float64
	spans := false
	for at, v := range s.Values {
		if !v.Known {
			continue
		}
		reach, values = append(append(reach, v.Y), v.Span...), append(append(values, v.Y), v.Span...)
		spans = spans || len(v.Span) == 2
		base, k := 0.0, Mark{Facet: facet, X: float64(at), Y: v.Y, Span: v.Span, Text: v.Text, Row: at}
		k.Begins, k.Framed = v.Begins, v.Framed
		if v.Parts == nil {
			if !track.Line {
				k.Part = v.Y
			}
			p.Marks = append(p.Marks, k)
			continue
		}
		track.Parts = true
		for i, n := range v.Parts {
			if n > 0 {
				k.Base, k.Y, k.Colour, k.Text = base, base+n, i, Head{Number: true}.Shown(n)
				p.Marks = append(p.Marks, k)
			}
			base += n
		}
	}
	if len(values) == 0 {
		track.Nothing = s.Nothing
	}
	track.Y = limited(numeric(Channel{}, Words{}, reach, !track.Line), s.Limits)
	p.Tracks = append(p.Tracks, track)
	p.columns(s, names, track.Parts, spans, cmp.Or(s.Digits, digits(values)))
}

// columns adds those of a strand to the rows.
func (p *Plan) columns(s Strand, names []Words, parts, spans bool, places int) {
	add := func(h Head, of func(v Value) any) {
		p.Head = append(p.Head, h)
		for at := range p.Rows {
			var value any
			if at < len(s.Values) && s.Values[at].Known {
				value = of(s.Values[at])
			}
			p.Rows[at] = append(p.Rows[at], value)
		}
	}
	if parts {
		for i, name := range names {
			if slices.ContainsFunc(s.Values, func(v Value) bool { return i < len(v.Parts) && v.Parts[i] > 0 }) {
				add(Head{Title: name, Number: true}, func(v Value) any {
					if i >= len(v.Parts) || v.Parts[i] == 0 {
						return nil
					}
					return v.Parts[i]
				})
			}
		}
		return
	}
	add(Head{Title: s.Name, Number: true, Digits: places}, func(v Value) any { return rounded(v.Y, places) })
	for i, w := range []Words{{"95% from", "95%下限"}, {"95% to", "95%上限"}} {
		if spans {
			add(Head{Title: w, Number: true, Digits: places}, func(v Value) any {
				if len(v.Span) != 2 {
					return nil
				}
				return rounded(v.Span[i], places)
			})
		}
	}
	if s.Beside != (Words{}) {
		add(Head{Title: s.Beside}, func(v Value) any { return v.Text })
	}
}

// limited is an axis that goes no further than values can be.
func limited(a Axis, limits [2]float64) Axis {
	if limits[0] >= limits[1] {
		return a
	}
	low, high := max(a.Domain[0], limits[0]), min(a.Domain[1], limits[1])
	inside := slices.DeleteFunc(slices.Clone(a.Ticks), func(t Tick) bool { return t.At < low || t.At > high })
	if low >= high || len(inside) < 2 {
		return a
	}
	a.Domain, a.Ticks = [2]float64{low, high}, inside
	return a
}
