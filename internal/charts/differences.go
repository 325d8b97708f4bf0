package charts

import (
	"math"
	"strings"
)

// Differences are things with how far each of them is from the others.
type Differences struct {
	Summary, Title    Words
	Name, Value, Diff Words    // what the things are, their values, and how far those are away
	Kinds             [2]Words // what is clear of zero, and what is not
	Parts             []Difference
}

// Difference is one of [Differences].
type Difference struct {
	Name        Words
	Value, Diff float64
	Span        []float64 // of the difference; nil where it is not known
}

// differenceDigits are the places behind the point of a difference.
const differenceDigits = 2

// Plan draws differences as bars from zero to both sides, each below the other.
func (d Differences) Plan() *Plan {
	p := &Plan{Mark: Bar, Summary: d.Summary, List: true, Marks: []Mark{}, Rows: [][]any{}, Words: map[string]Words{},
		Head: []Head{{Title: d.Name}}, X: Axis{Category: true, Ticks: []Tick{}}, Y: Axis{Ticks: []Tick{}},
		Colour: &Legend{Title: d.Title, Names: d.Kinds[:]}}
	for _, w := range []Words{d.Value, d.Diff, {"95% from", "95%下限"}, {"95% to", "95%上限"}} {
		p.Head = append(p.Head, Head{Title: w, Number: true, Digits: differenceDigits})
	}
	reach := 0.0
	for i, part := range d.Parts {
		k := Mark{X: float64(i), Y: part.Diff, Span: part.Span, Colour: 1, Row: i}
		row := []any{part.Name.In("en"), rounded(part.Value, differenceDigits), nil, nil, nil}
		p.Words[part.Name.In("en")] = part.Name
		k.Text = p.Head[1].Shown(row[1])
		if len(part.Span) == 2 {
			diff := rounded(part.Diff, differenceDigits)
			row[2], row[3], row[4] = diff, rounded(part.Span[0], differenceDigits), rounded(part.Span[1], differenceDigits)
			k.Text += " (" + signed(p.Head[2].Shown(diff)) + ")"
			if part.Span[0] > 0 || part.Span[1] < 0 {
				k.Colour = 0
			}
		}
		for _, v := range append([]float64{part.Diff}, part.Span...) {
			reach = max(reach, math.Abs(v))
		}
		p.X.Ticks = append(p.X.Ticks, Tick{float64(i), part.Name})
		p.Marks, p.Rows = append(p.Marks, k), append(p.Rows, row)
	}
	p.X.Domain = [2]float64{-0.5, float64(max(1, len(d.Parts))) - 0.5}
	if reach == 0 {
		reach = 1
	}
	p.Y.Domain = [2]float64{-reach, reach}
	zero := 0.0
	p.Lines = []GuideLine{{Y: &zero}}
	return p
}

// signed is a number with its sign; a zero has none.
func signed(s string) string {
	if strings.HasPrefix(s, "-") || strings.Trim(s, "0.") == "" {
		return s
	}
	return "+" + s
}
