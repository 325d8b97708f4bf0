package charts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// The bounds of a chart.
const (
	mostColours = 8
	mostFacets  = 12
	mostPoints  = 5000
	mostRows    = 100_000
)

// maker decides a chart.
type maker struct {
	t    Table
	s    Spec
	p    *Plan
	rows [][]any        // of the table that can be drawn
	at   map[string]int // column of each channel that is used
	cat  map[string]*categories

	exact []float64 // what the marks of the rows are as large as, not rounded; nothing where rows are not
}

// New decides a chart. A mistake of the specification is a Problem: code chart_column, chart_channel, chart_value or chart_empty, with
// the field in its parameters; several joined where several are wrong.
func New(t Table, s Spec) (*Plan, error) {
	m := &maker{t: t, s: s, at: map[string]int{}, cat: map[string]*categories{},
		p: &Plan{Mark: s.Mark, Title: s.Title, Words: t.Words, Marks: []Mark{}, Rows: [][]any{}, Head: []Head{}}}
	if wrong := m.check(); len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	if err := m.usable(); err != nil {
		return nil, err
	}
	m.split("facet", s.Facet, mostFacets)
	if s.Mark != Heat && s.Mark != Flow {
		m.colours()
	}
	var err error
	switch s.Mark {
	case Bar, Line, Area:
		err = m.grouped()
	case Heat:
		err = m.heat()
	case Flow:
		err = m.flow()
	case Box:
		err = m.boxes()
	case Hist:
		err = m.histogram()
	default:
		m.points()
	}
	if err != nil {
		return nil, err
	}
	m.references()
	m.summary()
	if _, named := m.at["label"]; named {
		m.p.Crowded = crowded
	}
	return m.p, nil
}

// crowded is what a drawing says of labels that would stand over others.
var crowded = Words{"Labels left out because they would overlap: {n}. The table has them.", "重なるため省略したラベル：{n}件。表には表示されています。"}

// channels are those that name a column.
func (m *maker) channels() map[string]Channel {
	return map[string]Channel{"x": m.s.X, "y": m.s.Y, "colour": m.s.Colour, "size": m.s.Size, "facet": m.s.Facet, "label": m.s.Label}
}

// needs are the channels without which a mark says nothing.
var needs = map[string][]string{
	Bar: {"x"}, Line: {"x", "y"}, Area: {"x", "y"}, Point: {"x", "y"}, Heat: {"x", "y"}, Box: {"y"}, Hist: {"x"}, Rule: {"y"},
	Label: {"x", "y", "label"}, Flow: {"x", "y"},
}

// wrong is a mistake in a channel, or another field of a chart; kind is what is wrong with its value.
func wrong(kind, field, format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "chart_value", format, args...).With("mistake", kind).With("field", field)
}

// choice is a value that is none of those there are.
func choice(field, said, value string, choices []string) *problem.Problem {
	list := strings.Join(choices, ", ")
	return wrong("choice", field, "%s is %q", said, value).With("value", value).With("among", list).WithHint("one of: %s", list)
}

// Mistakes are all that New would refuse of a specification before it looks at the rows: the mark, channels that are missing, columns that
// are not there.
func Mistakes(t Table, s Spec) error {
	m := &maker{t: t, s: s, at: map[string]int{}}
	return errors.Join(m.check()...)
}

// check finds the columns, and all that is wrong with the specification: people mend it at once.
func (m *maker) check() (list []error) {
	var names []string
	for _, c := range m.t.Columns {
		names = append(names, c.Name)
	}
	if _, known := needs[m.s.Mark]; !known {
		list = append(list, choice("mark", "mark", m.s.Mark, Marks()))
	}
	all := m.channels()
	for _, name := range []string{"x", "y", "colour", "size", "facet", "label"} {
		ch := all[name]
		if ch.Field == "" {
			if slices.Contains(needs[m.s.Mark], name) {
				list = append(list, problem.New(problem.Invalid, "chart_channel", "a chart of mark %s needs %s", m.s.Mark, name).
					With("field", name).With("mark", m.s.Mark).With("among", strings.Join(names, ", ")).
					WithHint("columns: %s", strings.Join(names, ", ")))
			}
			continue
		}
		i := slices.Index(names, ch.Field)
		if i < 0 {
			list = append(list, problem.New(problem.Invalid, "chart_column", "%s names a column %q that the table does not have", name,
				ch.Field).With("field", name).With("value", ch.Field).With("among", strings.Join(names, ", ")).
				WithHint("columns: %s", strings.Join(names, ", ")))
		}
		if ch.Aggregate != "" && !slices.Contains(Aggregates(), ch.Aggregate) {
			list = append(list, choice(name, "the aggregate of "+name, ch.Aggregate, Aggregates()))
		}
		if ch.Domain != [2]float64{} && !(ch.Domain[0] < ch.Domain[1]) {
			list = append(list, wrong("domain", name, "the domain of %s does not ascend", name).WithHint("domain: [1, 5]"))
		}
		m.at[name] = i
	}
	return list
}

// usable keeps the rows that have the values a mark stands on.
func (m *maker) usable() error {
	var must []int
	for _, name := range []string{"x", "y", "colour", "size"} {
		i, used := m.at[name]
		if !used {
			continue
		}
		needed := name == "y" && m.s.Mark != Heat && m.s.Mark != Flow && m.s.Y.Aggregate != "count" || name == "size" ||
			name == "x" && (m.s.Mark == Hist || m.s.Mark == Point || m.s.Mark == Line || m.s.Mark == Area) ||
			name == "colour" && m.s.Mark == Heat && m.s.Colour.Aggregate != "count"
		if !needed {
			continue
		}
		if name == "y" || name == "size" || name == "colour" || m.s.Mark == Hist {
			for _, row := range m.t.Rows {
				if _, isText := row[i].(string); isText {
					return wrong("number", name, "%s is drawn as a number, and %s has texts", name, m.t.Columns[i].Name).
						With("value", m.t.Columns[i].Name).WithHint("name a column of numbers, or aggregate: count")
				}
			}
		}
		must = append(must, i)
	}
	left := 0
	for _, row := range m.t.Rows[:min(len(m.t.Rows), mostRows)] {
		if slices.ContainsFunc(must, func(i int) bool { return row[i] == nil }) {
			left++
			continue
		}
		m.rows = append(m.rows, row)
	}
	if left > 0 {
		m.note(fmt.Sprintf("%d rows without a value are left out.", left), fmt.Sprintf("値のない%d行は除外しています。", left))
	}
	if len(m.rows) == 0 {
		return problem.New(problem.Invalid, "chart_empty", "there is no row to draw").With("field", "of").
			WithHint("look at the table first: its columns may be empty")
	}
	return nil
}

func (m *maker) note(en, ja string) { m.p.Notes = append(m.p.Notes, Words{en, ja}) }

// title is the words of a channel.
func (m *maker) title(name string) Words {
	ch := m.channels()[name]
	if ch.Title != (Words{}) {
		return ch.Title
	}
	c := m.t.Columns[m.at[name]]
	if c.Title == (Words{}) {
		return Words{EN: c.Name}
	}
	return c.Title
}

// split gives each value of a column a place, and drops the rows of those for which there is none.
func (m *maker) split(name string, ch Channel, most int) {
	i, used := m.at[name]
	if !used {
		return
	}
	c := categoriesOf(m.rows, i)
	order := map[string]func(a, b int) int{"x": c.byValue, "-x": func(a, b int) int { return c.byValue(b, a) }}[ch.Sort]
	if order == nil {
		order = func(int, int) int { return 0 }
	}
	if left := c.arrange(order, most); left > 0 {
		m.rows = slices.DeleteFunc(slices.Clone(m.rows), func(row []any) bool { _, kept := c.index[shown(row[i])]; return !kept })
		m.note(fmt.Sprintf("%s: the first %d of %d are drawn.", m.title(name).In("en"), most, most+left),
			fmt.Sprintf("%s：%d件のうち最初の%d件を描いています。", m.title(name).In("ja"), most+left, most))
	}
	m.cat[name] = c
	if name == "facet" {
		for _, key := range c.keys {
			w := m.named(key)
			m.p.Facets = append(m.p.Facets, Words{EN: m.title("facet").In("en") + ": " + w.In("en"), JA: m.title("facet").
				In("ja") + "：" + w.In("ja")})
		}
	}
}

// others is what stands for the categories that have no colour of their own.
const others = "\x00others"

// colours gives each series one. Where there are too many, the rarest share the last.
func (m *maker) colours() {
	i, used := m.at["colour"]
	if !used {
		return
	}
	c := categoriesOf(m.rows, i)
	across, named := m.at["x"]
	same := named && across == i
	if same && len(c.keys) > mostColours {
		delete(m.at, "colour")
		return
	}
	if len(c.keys) > mostColours {
		count := map[string]int{}
		for _, row := range m.rows {
			count[shown(row[i])]++
		}
		first := slices.Clone(c.keys)
		slices.SortStableFunc(first, func(a, b string) int { return count[b] - count[a] })
		kept := first[:mostColours-1]
		rows := make([][]any, len(m.rows))
		for k, row := range m.rows {
			rows[k] = row
			if !slices.Contains(kept, shown(row[i])) {
				rows[k] = slices.Clone(row)
				rows[k][i] = others
			}
		}
		m.rows = rows
		c = categoriesOf(m.rows, i)
		c.arrange(func(a, b int) int {
			return map[bool]int{true: 1}[c.keys[a] == others] - map[bool]int{true: 1}[c.keys[b] == others]
		}, mostColours)
	}
	m.cat["colour"] = c
	m.p.Colour = &Legend{Title: m.title("colour")}
	if !same {
		m.p.Colour.Lanes = len(c.keys)
	}
	for _, key := range c.keys {
		m.p.Colour.Names = append(m.p.Colour.Names, m.named(key))
	}
}

// named is a category in words.
func (m *maker) named(key string) Words {
	if key == others {
		return Words{"others", "その他"}
	}
	if w, called := m.p.Words[key]; called {
		return w
	}
	return Words{EN: key}
}

// place is the index of a row's value among the categories of a channel; 0 without the channel.
func (m *maker) place(name string, row []any) int {
	if c := m.cat[name]; c != nil {
		return c.index[shown(row[m.at[name]])]
	}
	return 0
}

// said is a row's value of a channel for the plan's rows.
func (m *maker) said(name string, row []any) any {
	v := row[m.at[name]]
	if v == others {
		return "…"
	}
	if b, is := v.(bool); is {
		return shown(b)
	}
	return v
}

// head adds a column to the plan's rows.
func (m *maker) head(title Words, values []float64) int {
	h := Head{Title: title, Number: values != nil}
	if values != nil {
		h.Digits = digits(values)
	}
	m.p.Head = append(m.p.Head, h)
	return h.Digits
}

// guides are where references stand on an axis.
func (m *maker) guides(of func(Reference) *float64) []float64 {
	var out []float64
	for _, r := range m.s.References {
		if v := of(r); v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// references adds the lines that values are held against, and widens the axes to them.
func (m *maker) references() {
	for _, r := range m.s.References {
		if r.X == nil && r.Y == nil {
			continue
		}
		m.p.Lines = append(m.p.Lines, GuideLine(r))
		for v, a := range map[*float64]*Axis{r.X: &m.p.X, r.Y: &m.p.Y} {
			if v != nil && !a.Category {
				a.Domain = [2]float64{min(a.Domain[0], *v), max(a.Domain[1], *v)}
			}
		}
	}
}
