package charts

import (
	"math"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// Plan is a chart that is decided. It is JSON: the page paints it as it is.
type Plan struct {
	Mark    string           `json:"mark"` // of [Marks], hex, bubble or over
	Title   Words            `json:"title,omitzero"`
	Summary Words            `json:"summary"` // one sentence
	X       Axis             `json:"x"`
	Y       Axis             `json:"y"`
	Colour  *Legend          `json:"colour,omitempty"`
	Facets  []Words          `json:"facets,omitempty"`
	Marks   []Mark           `json:"marks"`
	Lines   []GuideLine      `json:"lines,omitempty"`
	Notes   []Words          `json:"notes,omitempty"`  // what is left out
	Crowded Words            `json:"crowded,omitzero"` // said of {n} labels of marks that would stand over others
	Words   map[string]Words `json:"words,omitempty"`  // what texts of the rows are called
	Path    []int            `json:"path,omitempty"`   // of points: marks that a line joins, in this order
	List    bool             `json:"list,omitempty"`   // of bars: each below the other with its words, no axis of numbers
	Corner  int              `json:"corner,omitempty"` // of bubbles: steps from the left and from below that are marked
	Rise    float64          `json:"rise,omitempty"`   // of bubbles: height of a step in pixels
	Tracks  []Track          `json:"tracks,omitempty"` // of drawings over each other's places: each of them
	Places  []Place          `json:"places,omitempty"` // of the same: what stands at each tick, and in each row
	Head    []Head           `json:"head"`             // of the rows
	Rows    [][]any          `json:"rows"`             // behind the marks, rounded as they are shown: texts, numbers and null
}

// Axis is one of the two directions. On an axis of categories the first one stands at 0, the next at 1.
type Axis struct {
	Title    Words      `json:"title"`
	Category bool       `json:"category,omitempty"`
	Log      bool       `json:"log,omitempty"`
	Domain   [2]float64 `json:"domain"`
	Ticks    []Tick     `json:"ticks"`
}

// Tick is a labelled place of an axis.
type Tick struct {
	At   float64 `json:"at"`
	Text Words   `json:"text"`
}

// Legend says what the colours mean: names of series, or levels from low to high.
type Legend struct {
	Title     Words      `json:"title"`
	Names     []Words    `json:"names,omitempty"` // one for each colour, at most 8; none for levels
	Lanes     int        `json:"lanes,omitempty"` // how many bars stand beside each other; 0 where each place has one
	Diverging bool       `json:"diverging,omitempty"`
	Domain    [2]float64 `json:"domain,omitzero"` // of levels
	Ends      [2]Words   `json:"ends,omitzero"`   // of levels, as words
}

// Mark is one thing that is drawn. Its meaning follows the mark of the plan.
type Mark struct {
	Facet  int       `json:"facet,omitempty"`
	X      float64   `json:"x"`
	X2     float64   `json:"x2,omitempty"` // where the class of a histogram ends
	Y      float64   `json:"y"`
	Base   float64   `json:"base,omitempty"` // where a bar or an area begins
	Span   []float64 `json:"span,omitempty"` // interval: low, high; box: low end, quarter, median, three quarters, high end
	Out    []float64 `json:"out,omitempty"`  // of a box: values beyond its ends, at most 20
	Colour int       `json:"colour,omitempty"`
	Size   float64   `json:"size,omitempty"`   // 0 to 1 of the largest area
	Part   float64   `json:"part,omitempty"`   // of a bar: how much of it is hatched
	Apart  bool      `json:"apart,omitempty"`  // of a bar: it is pale within dashes
	Begins bool      `json:"begins,omitempty"` // of a line over places: it is not joined with what is before
	Framed bool      `json:"framed,omitempty"` // the same: others are compared with it
	Text   string    `json:"text,omitempty"`   // at the mark; of a bar, in the place of its value
	Key    string    `json:"key,omitempty"`    // what the page knows it by
	Row    int       `json:"row"`              // of the plan's rows
}

// GuideLine is a reference. One of X and Y is set.
type GuideLine struct {
	X     *float64 `json:"x,omitempty"`
	Y     *float64 `json:"y,omitempty"`
	Title Words    `json:"title,omitzero"`
}

// Head heads a column of a plan's rows.
type Head struct {
	Title  Words `json:"title"`
	Number bool  `json:"number,omitempty"`
	Digits int   `json:"digits,omitempty"` // behind the point
}

// Shown is a value of the plan's rows as people read it.
func (h Head) Shown(v any) string {
	n, isNumber := number(v)
	if !isNumber || !h.Number {
		return shown(v)
	}
	s := stats.Fixed(n, h.Digits)
	whole, rest, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") != "" {
		return "-" + whole
	}
	return whole
}

// shown is a value of the rows as people read it in a language.
func (p *Plan) shown(h Head, v any, lang string) string {
	if s, isText := v.(string); isText {
		if w, called := p.Words[s]; called {
			return w.In(lang)
		}
	}
	return h.Shown(v)
}

// Said is what a mark stands for, in words.
func (p *Plan) Said(m Mark, lang string) string {
	var parts []string
	for i, h := range p.Head {
		if v := p.Rows[m.Row][i]; v != nil {
			parts = append(parts, h.Title.In(lang)+": "+p.shown(h, v, lang))
		}
	}
	return strings.Join(parts, ", ")
}

// digits are the places behind the point that values are shown with.
func digits(values []float64) int {
	whole, most := true, 0.0
	for _, v := range values {
		whole, most = whole && v == math.Trunc(v), math.Max(most, math.Abs(v))
	}
	switch {
	case whole:
		return 0
	case most >= 100:
		return 1
	case most >= 1.5:
		return 2
	}
	return 3
}

// rounded is a number with some places behind the point, as it is shown and written to files.
func rounded(v float64, places int) float64 {
	shift := math.Pow10(places)
	out := math.Floor(v*shift+0.5) / shift
	if math.IsInf(v*shift, 0) || math.IsNaN(out) {
		return v
	}
	return out + 0 // no minus zero
}
