package charts

import "strconv"

// Words is a text in English and Japanese. A text of the data stands in EN alone and is the same in both.
type Words struct {
	EN string `json:"en,omitempty"`
	JA string `json:"ja,omitempty"`
}

// In is the text in "en" or "ja", or in the other language where it is missing.
func (w Words) In(lang string) string {
	if lang == "ja" && w.JA != "" || w.EN == "" {
		return w.JA
	}
	return w.EN
}

// Column is a column of a [Table].
type Column struct {
	Name  string
	Title Words // that people read; the name where it is empty
}

// Table is what is drawn. Values are nil, string, bool, int, int64 or float64.
type Table struct {
	Columns []Column
	Rows    [][]any
	Words   map[string]Words // what texts of the rows are called; others are shown as they are
}

// The marks.
const (
	Bar   = "bar"
	Line  = "line"
	Area  = "area"
	Point = "point"
	Heat  = "heat"
	Box   = "box"
	Hist  = "hist"
	Rule  = "rule"
	Label = "text"
	Flow  = "flow" // from the categories of one column to those of another
	Hex   = "hex"  // of a plan only: points that are too many to be drawn one by one, counted in hexagons
	// of a plan only: counts of [Bubbles]
	Bubble = "bubble"
)

// Marks lists the marks that a specification may ask for.
func Marks() []string { return []string{Bar, Line, Area, Point, Heat, Box, Hist, Rule, Label, Flow} }

// Aggregates lists how the values of a group become one.
func Aggregates() []string { return []string{"mean", "median", "count", "sum", "min", "max", "p90"} }

// Channel says what a column decides.
type Channel struct {
	Field     string
	Type      string     // category, ordinal, number or time; "" follows the values
	Aggregate string     // of [Aggregates]; "" is the value itself, or the mean where a mark stands for several rows
	Interval  string     // wilson (of 0 and 1) or bootstrap, at 95%; "" or none for none
	Scale     string     // log; diverging for the colours of a heat map
	Sort      string     // of categories: x, -x, y or -y; "" is the order of the data
	Title     Words      // "" is that of the column
	Bin       int        // classes of a histogram; 0 decides
	Domain    [2]float64 // both 0: follows the values
}

// Reference is a line that values are held against.
type Reference struct {
	X, Y  *float64
	Title Words
}

// Spec says how a table is drawn.
type Spec struct {
	Mark                             string // of [Marks]
	Title                            Words
	X, Y, Colour, Size, Facet, Label Channel
	References                       []Reference
}

// shown is a value as text.
func shown(v any) string {
	switch x := v.(type) {
	case nil:
		return "–"
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	}
	n, _ := number(v)
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// number is a value as a number.
func number(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	case int:
		return float64(x), true
	case bool:
		if x {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}
