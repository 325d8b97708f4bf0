package charts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Grid is things counted by two numbers of steps: what [Bubbles] draws.
type Grid struct {
	Title, Summary Words
	X, Y, Count    Words // what the steps measure, and what is counted
	Marked         Words // what things in the corner are called; none without a corner
	Counts         [][]int
	Corner         int     // steps from the left, and from below, whose things are marked
	Most           int     // the count with the largest bubble: drawings on one scale share it; 0: the largest of these
	Rise           float64 // height of a step in pixels
	Bare           bool    // without numbers at the bubbles: for small ones
}

// Bubbles draws counts[y-1][x-1] as bubbles, their areas the counts. Those in the corner are hatched.
func Bubbles(g Grid) *Plan {
	p := &Plan{Mark: Bubble, Title: g.Title, Summary: g.Summary, Corner: g.Corner, Rise: g.Rise, Marks: []Mark{}, Rows: [][]any{},
		Head: []Head{{Title: g.X, Number: true}, {Title: g.Y, Number: true}, {Title: g.Count, Number: true}}}
	if g.Corner > 0 {
		p.Head = append(p.Head, Head{Title: Words{"shown as", "表示"}})
		p.Words = map[string]Words{g.Marked.In("en"): g.Marked}
	}
	across, up := len(g.Counts[0]), len(g.Counts)
	p.X = Axis{Title: g.X, Category: true, Domain: [2]float64{-0.5, float64(across) - 0.5}, Ticks: []Tick{}}
	p.Y = Axis{Title: g.Y, Category: true, Domain: [2]float64{-0.5, float64(up) - 0.5}, Ticks: []Tick{}}
	for i := range across {
		p.X.Ticks = append(p.X.Ticks, Tick{float64(i), Words{EN: strconv.Itoa(i + 1)}})
	}
	most := g.Most
	for i := range up {
		p.Y.Ticks = append(p.Y.Ticks, Tick{float64(i), Words{EN: strconv.Itoa(up - i)}})
		most = max(most, slices.Max(g.Counts[i]))
	}
	for y := up; y >= 1; y-- {
		for x := 1; x <= across; x++ {
			n := g.Counts[y-1][x-1]
			if n == 0 {
				continue
			}
			k := Mark{X: float64(x - 1), Y: float64(up - y), Size: rounded(float64(n)/float64(most), 6), Row: len(p.Rows),
				Key: fmt.Sprintf("%d %d", x, y)}
			if !g.Bare {
				k.Text = Head{Number: true}.Shown(float64(n))
			}
			row := []any{float64(x), float64(y), float64(n)}
			switch {
			case g.Corner > 0 && (x <= g.Corner || y <= g.Corner):
				k.Colour, row = 1, append(row, g.Marked.In("en"))
			case g.Corner > 0:
				row = append(row, nil)
			}
			p.Marks, p.Rows = append(p.Marks, k), append(p.Rows, row)
		}
	}
	return p
}

// Part is a thing with how many there are, and how many of them are marked.
type Part struct {
	Key           string
	Name          Words
	Count, Marked int
	Apart         bool // it is not like the others: it stands last
	Doubted       int  // of the counted, how many are not sure; its name says so, and nothing else does
}

// Ranking is parts of a whole: what [Ranked] draws.
type Ranking struct {
	Title         Words // of the drawing
	Name, Count   Words // what the parts are, and what is counted
	Marked        Words // what is marked; none where nothing is
	Parts         []Part
	MostByMarking bool  // the parts with most that is marked stand first
	Apart         Words // what it means that a part is drawn apart; said where one is
}

// Ranked draws parts as bars below each other, most first; what is marked is hatched. Parts that stand apart come last, pale.
func Ranked(r Ranking) *Plan {
	marked := r.Marked != (Words{})
	p := &Plan{Mark: Bar, Title: r.Title, List: true, Marks: []Mark{}, Rows: [][]any{},
		Head: []Head{{Title: r.Name}, {Title: r.Count, Number: true}}, Words: map[string]Words{},
		X: Axis{Category: true, Ticks: []Tick{}}, Y: Axis{Domain: [2]float64{0, 1}, Ticks: []Tick{}}}
	if marked {
		p.Head = append(p.Head, Head{Title: r.Marked, Number: true})
	}
	parts := slices.Clone(r.Parts)
	value := func(a Part) int {
		if r.MostByMarking {
			return a.Marked
		}
		return a.Count
	}
	late := map[bool]int{true: 1}
	slices.SortStableFunc(parts, func(a, b Part) int {
		return cmp.Or(late[a.Apart]-late[b.Apart], value(b)-value(a), b.Count-a.Count)
	})
	if slices.ContainsFunc(parts, func(a Part) bool { return a.Apart }) && r.Apart != (Words{}) {
		p.Notes = []Words{r.Apart}
	}
	for i, a := range parts {
		p.X.Ticks = append(p.X.Ticks, Tick{float64(i), a.Name})
		k := Mark{X: float64(i), Y: float64(a.Count), Row: i, Key: a.Key, Apart: a.Apart, Text: p.Head[1].Shown(float64(a.Count))}
		row := []any{a.Key, float64(a.Count)}
		p.Words[a.Key] = a.Name
		if marked {
			k.Part, k.Text = float64(a.Marked), p.Head[1].Shown(float64(a.Marked))+" / "+k.Text
			row = append(row, float64(a.Marked))
		}
		p.Marks, p.Rows = append(p.Marks, k), append(p.Rows, row)
		p.Y.Domain[1] = max(p.Y.Domain[1], float64(a.Count))
	}
	p.X.Domain = [2]float64{-0.5, float64(max(1, len(parts))) - 0.5}
	p.Summary = r.Title
	if len(parts) > 0 {
		most := 0 // one that stands apart stands last, and may be the longest all the same
		for i := range parts {
			if value(parts[i]) > value(parts[most]) {
				most = i
			}
		}
		name, count := parts[most].Name, p.Marks[most].Text
		p.Summary = Words{fmt.Sprintf("%s: most at %s (%s).", r.Title.In("en"), name.In("en"), count),
			fmt.Sprintf("%s：最多は%s（%s）です。", r.Title.In("ja"), name.In("ja"), count)}
	}
	return p
}
