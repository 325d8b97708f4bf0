package charts

import (
	"math"
	"slices"
	"strings"
	"time"
)

// mostCategories is how many categories an axis has room for; the rows have them all.
const mostCategories = 60

// categories are the different values of a column, in the order in which they are drawn.
type categories struct {
	keys   []string
	values []any
	index  map[string]int
}

func (c *categories) add(v any) int {
	key := shown(v)
	at, known := c.index[key]
	if !known {
		at = len(c.keys)
		c.index[key], c.keys, c.values = at, append(c.keys, key), append(c.values, v)
	}
	return at
}

// arrange puts the categories into another order, and keeps the first.
func (c *categories) arrange(less func(a, b int) int, most int) (left int) {
	order := make([]int, len(c.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, less)
	keys, values := c.keys, c.values
	c.keys, c.values, c.index = nil, nil, map[string]int{}
	for _, i := range order[:min(most, len(order))] {
		c.add(values[i])
	}
	return len(keys) - len(c.keys)
}

// categoriesOf are those of a column; numbers ascend.
func categoriesOf(rows [][]any, column int) *categories {
	c := &categories{index: map[string]int{}}
	numbers := true
	for _, row := range rows {
		c.add(row[column])
		_, isNumber := number(row[column])
		numbers = numbers && (isNumber || row[column] == nil)
	}
	if numbers {
		c.arrange(c.byValue, len(c.keys))
	}
	return c
}

// byValue orders numbers before texts, and what is missing last.
func (c *categories) byValue(a, b int) int {
	x, isX := number(c.values[a])
	y, isY := number(c.values[b])
	switch {
	case isX && isY:
		return compare(x, y)
	case isX != isY:
		return map[bool]int{true: -1, false: 1}[isX]
	}
	return strings.Compare(c.keys[a], c.keys[b])
}

func compare(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// axis is that of categories. A beginning that all names share moves into the title.
func (c *categories) axis(title Words, words map[string]Words) Axis {
	out := Axis{Title: title, Category: true, Domain: [2]float64{-0.5, float64(len(c.keys)) - 0.5}, Ticks: []Tick{}}
	shared := ""
	if len(words) == 0 {
		shared = prefix(c.keys)
	}
	if shared != "" {
		out.Title = Words{EN: title.In("en") + " · " + shared + "…", JA: title.In("ja") + " · " + shared + "…"}
	}
	for i, key := range c.keys {
		text, called := words[key]
		if !called {
			text = Words{EN: key[len(shared):]}
		}
		out.Ticks = append(out.Ticks, Tick{float64(i), text})
	}
	return out
}

// prefix is what all names begin with, up to a separator; "" where it is short or one name would have nothing left.
func prefix(names []string) string {
	if len(names) < 2 {
		return ""
	}
	shared := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	shared = shared[:strings.LastIndexAny(shared, " =/:")+1]
	if len(shared) < 6 || !strings.Contains(shared, "=") || slices.Contains(names, shared) {
		return ""
	}
	return shared
}

// kindOf is the type of a column where the specification says none.
func kindOf(ch Channel, rows [][]any, column int) string {
	if ch.Type != "" {
		return ch.Type
	}
	numbers, times, some := true, true, false
	for _, row := range rows {
		v := row[column]
		if v == nil {
			continue
		}
		some = true
		_, isNumber := number(v)
		_, isTime := moment(v)
		numbers, times = numbers && isNumber, times && isTime
	}
	switch {
	case some && numbers:
		return "number"
	case some && times:
		return "time"
	}
	return "category"
}

// moment is a text that is a time, in seconds since 1970.
func moment(v any) (float64, bool) {
	s, ok := v.(string)
	if !ok || len(s) < len("2006-01-02") || s[4] != '-' {
		return 0, false
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly, time.DateTime} {
		if at, err := time.Parse(layout, s); err == nil {
			return float64(at.Unix()), true
		}
	}
	return 0, false
}

// numeric is an axis of numbers with round ticks. Without a domain of its own it spans the values, and zero if it must.
func numeric(ch Channel, title Words, values []float64, zero bool) Axis {
	out := Axis{Title: title, Ticks: []Tick{}}
	low, high := span(values)
	fixed := ch.Domain != [2]float64{}
	if fixed {
		low, high = ch.Domain[0], ch.Domain[1]
	}
	if ch.Scale == "log" && low > 0 {
		return logarithmic(out, low, high, fixed)
	}
	if zero && !fixed {
		low, high = math.Min(low, 0), math.Max(high, 0)
	}
	if low == high {
		low, high = low-0.5, high+0.5
		if zero && high > 0 {
			low, high = 0, high+0.5
		}
	}
	step := nice((high - low) / 5)
	if digits(values) == 0 && digits([]float64{low, high}) == 0 {
		step = math.Max(1, step)
	}
	if !fixed {
		low, high = math.Floor(low/step+1e-9)*step, math.Ceil(high/step-1e-9)*step
	}
	places := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	out.Domain = [2]float64{rounded(low, places+6), rounded(high, places+6)}
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-6; i++ {
		at := rounded(i*step, places)
		out.Ticks = append(out.Ticks, Tick{at, Words{EN: Head{Number: true, Digits: places}.Shown(at)}})
	}
	return out
}

// nice is the step of 1, 2 or 5 times a power of ten at or above another.
func nice(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, k := range []float64{1, 2, 5} {
		if step <= k*power*1.0001 {
			return k * power
		}
	}
	return 10 * power
}

func logarithmic(out Axis, low, high float64, fixed bool) Axis {
	out.Log = true
	a, b := math.Floor(math.Log10(low)+1e-9), math.Ceil(math.Log10(high)-1e-9)
	if b <= a {
		b = a + 1
	}
	out.Domain = [2]float64{math.Pow(10, a), math.Pow(10, b)}
	if fixed {
		out.Domain = [2]float64{low, high}
	}
	for i := a; i <= b; i++ {
		if at := math.Pow(10, i); at >= out.Domain[0] && at <= out.Domain[1] {
			out.Ticks = append(out.Ticks, Tick{at, Words{EN: Head{Number: true, Digits: int(max(0, -i))}.Shown(at)}})
		}
	}
	return out
}

// temporal is an axis of time, in seconds; ticks stand at whole days, or hours of less than three days.
func temporal(title Words, values []float64) Axis {
	const day = 24 * 3600
	low, high := span(values)
	step, layout := float64(day), "01-02"
	if high-low < 3*day {
		step, layout = 3600*math.Max(1, math.Ceil((high-low)/3600/6)), "01-02 15:04"
	} else {
		for (high-low)/step > 8 {
			step *= 2
		}
	}
	if time.Unix(int64(low), 0).UTC().Year() != time.Unix(int64(high), 0).UTC().Year() {
		layout = "2006-" + layout
	}
	if low == high {
		low, high = low-step, high+step
	}
	out := Axis{Title: title, Domain: [2]float64{low, high}, Ticks: []Tick{}}
	for at := math.Ceil(low/step) * step; at <= high; at += step {
		out.Ticks = append(out.Ticks, Tick{at, Words{EN: time.Unix(int64(at), 0).UTC().Format(layout)}})
	}
	return out
}

func span(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 1
	}
	return slices.Min(values), slices.Max(values)
}
