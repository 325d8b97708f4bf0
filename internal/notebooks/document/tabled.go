package document

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// TableColumn is a column of a table cell.
type TableColumn struct {
	Name   string  `json:"name"` // of the table that is shown; of a pivot, the value that stands above
	Title  Words   `json:"title"`
	Type   string  `json:"type"` // integer, number, text, mixed, or empty
	Digits int     `json:"digits,omitempty"`
	Unit   string  `json:"unit,omitempty"`
	Width  int     `json:"width,omitempty"`  // in characters; 0 decides
	Colour string  `json:"colour,omitempty"` // diverging, sequential or threshold
	At     float64 `json:"at,omitempty"`     // middle of diverging colours, or the threshold
	Low    float64 `json:"low,omitempty"`    // least and most of the values, where colours need them
	High   float64 `json:"high,omitempty"`
}

// Tabled is what a table cell publishes.
type Tabled struct {
	Count   int                     `json:"count" unit:"count" en:"Rows that are shown." ja:"表示する行数。"`
	Total   int                     `json:"total" unit:"count" en:"Rows before the limit." ja:"上限を適用する前の行数。"`
	Columns []TableColumn           `json:"columns"`
	Rows    [][]any                 `json:"rows"`
	Totals  []any                   `json:"totals,omitempty"` // a last row
	Sort    []string                `json:"sort"`             // columns by which the rows stand; a minus in front turns one round
	Filter  string                  `json:"filter,omitempty"`
	Pivot   bool                    `json:"pivot,omitempty"`
	Across  *Across                 `json:"across,omitempty"` // of a pivot: which rows stand behind a value
	Run     string                  `json:"run,omitempty"`    // whose questions they are, where no column says it
	Words   map[string]charts.Words `json:"words,omitempty"`  // what texts are called
	Texts   bool                    `json:"texts"`            // it was made of texts of questions, answers, passages or judges
}

// Across is what a pivot is made of.
type Across struct {
	Of     string   `json:"of"`     // cell
	Rows   []string `json:"rows"`   // columns whose values stand at the left, the first columns of the pivot
	Column string   `json:"column"` // whose values stand above
	Tops   []any    `json:"tops"`   // these values, in the order of the columns
}

func tableFields() []Field {
	pivot := field("pivot", MapField, "Rows across columns: {rows: theme, columns: k, value: correctness, aggregate: mean}.",
		"集計表：{rows: theme, columns: k, value: correctness, aggregate: mean}。")
	pivot.Fields = []Field{
		field("rows", ListField, "Columns whose values stand at the left.", "左に並べる列。").required(),
		field("columns", TextField, "Column whose values stand above.", "上に並べる列。").required(),
		field("value", TextField, "Column that is aggregated; without one rows are counted.", "集計する列。なければ件数。"),
		field("aggregate", TextField, "How.", "集計方法。").oneOf(charts.Aggregates()...).def("mean"),
	}
	return []Field{
		field("of", RefField, "Cell whose table is shown.", "表示する表を持つセル。").
			of(tableValue, runSetValue, causeSetValue, failuresValue, comparisonValue, agreementValue, configSetValue).required(),
		field("columns", ListField,
			"Columns, each a name or {name, title, unit, width, colour: {scale, at}}; default all that have values.",
			"列名、または {name, title, unit, width, colour: {scale, at}} のリスト。既定は値のあるすべての列。"),
		field("sort", ListField, "Columns to sort by; a minus turns one round: [-diff, question].", "並べ替える列。負号で逆順：[-diff, question]。"),
		field("filter", TextField, "SQL condition over the table: verdict = 'worse'.", "表に対する SQL の条件：verdict = 'worse'。"),
		pivot,
		field("total", TextField, "Sums at the end of rows, columns or both.", "行・列の合計。").oneOf("rows", "columns", "both"),
		field("limit", IntegerField, "Most rows.", "行数の上限。").def(float64(UsualRows)),
	}
}

// Statement is the SQL of a cell, with the field that holds it and the characters in front of what people wrote; "" without any.
func (c *Cell) Statement() (sql, field string, before int) {
	switch {
	case c.Type == "query":
		return TextOf(c.Values["sql"]), "sql", 0
	case c.Type == "table" && TextOf(c.Values["filter"]) != "":
		name, _, _ := strings.Cut(TextOf(c.Values["of"]), ".")
		lead := `SELECT * FROM "` + strings.ReplaceAll(name, `"`, `""`) + `" WHERE (`
		return lead + TextOf(c.Values["filter"]) + "\n)", "filter", len(lead)
	}
	return "", "", 0
}

// RowsAllowed is what the limit of rows may be.
var RowsAllowed = Words{fmt.Sprintf("1 to %d", MostRows), fmt.Sprintf("1〜%d", MostRows)}

// WrongField is a mistake in a field of a cell; kind is what is wrong with it.
func WrongField(name, kind, format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "cell_field", format, args...).With("mistake", kind).With("field", name)
}

// Outside is a value beyond its bounds.
func Outside(field string, value any, must Words) *problem.Problem {
	return WrongField(field, "range", "%s is %v; it must be %s", field, value, problem.Both(must.EN, must.JA)).
		With("value", ShownValue(value)).With("must", must).
		WithHint("%s: write %s", field, problem.Both(must.EN, must.JA))
}

// NotOfType is a value of another type than its field has; shape is an example.
func NotOfType(field string, value any, must Words, shape string) *problem.Problem {
	return WrongField(field, "type", "%s is %v; it must be %s", field, ShownValue(value), problem.Both(must.EN, must.JA)).
		With("value", ShownValue(value)).With("must", must).
		With("doc", Words{shape, shape}).WithHint("%s", shape)
}

// Refers adds what refers to what: a field of a cell, or the text.
func Refers(p *problem.Problem, field, to string) *problem.Problem {
	where := Words{field, field + " "}
	if field == "" {
		where = Words{"The text", "本文"}
	}
	return p.With("field", field).With("where", where).With("to", to)
}

// Plain shows columns as they are.
func (out *Tabled) Plain(t sqlbox.Table, rows [][]any, c *Cell) error {
	asked, _ := c.Values["columns"].([]any)
	if s := TextOf(c.Values["columns"]); s != "" {
		asked = []any{s}
	}
	if len(asked) == 0 {
		t, rows = filled(t, rows)
		for _, column := range t.Columns {
			asked = append(asked, column.Name)
		}
	}
	var places []int
	for _, said := range asked {
		m, long := said.(map[string]any)
		if !long {
			m = map[string]any{"name": said}
		}
		name := TextOf(m["name"])
		at := slices.IndexFunc(t.Columns, func(x sqlbox.Column) bool { return x.Name == name })
		if at < 0 {
			return unknownColumn("columns", name, t)
		}
		column := TableColumn{Name: name, Title: ColumnTitle(name), Unit: TextOf(m["unit"]), Width: int(NumberOf(m["width"]))}
		if w := WordsOf(m["title"]); w != (Words{}) {
			column.Title = w
		}
		if colour, is := m["colour"].(map[string]any); is {
			column.Colour, column.At = cmp.Or(TextOf(colour["scale"]), "sequential"), NumberOf(colour["at"])
		} else {
			column.Colour = TextOf(m["colour"])
		}
		if column.Colour != "" && !slices.Contains([]string{"diverging", "sequential", "threshold"}, column.Colour) {
			return Among(WrongField("columns", "choice", "the colour of %s is %q", name, column.Colour).
				With("value", column.Colour), column.Colour,
				[]string{"diverging", "sequential", "threshold"}).WithHint("diverging, sequential or threshold")
		}
		places, out.Columns = append(places, at), append(out.Columns, column)
	}
	out.Rows = [][]any{}
	for _, row := range rows {
		kept := make([]any, len(places))
		for i, k := range places {
			kept[i] = plainDatum(row[k])
		}
		out.Rows = append(out.Rows, kept)
	}
	out.describe()
	if total := TextOf(c.Values["total"]); total == "rows" || total == "both" {
		out.Totals = make([]any, len(out.Columns))
		for i, column := range out.Columns {
			if column.Type == "integer" && column.Name != "k" && !strings.HasSuffix(column.Name, "_size") {
				out.Totals[i] = sumOf(out.Rows, i)
			}
		}
	}
	return nil
}

func unknownColumn(field, name string, t sqlbox.Table) *problem.Problem {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	p := WrongField(field, "column", "there is no column %q%s", name, text.Meant(name, names)).With("value", name)
	return Among(p, name, names).WithHint("columns: %s", strings.Join(names, ", "))
}

// plainDatum is a value as a table publishes it.
func plainDatum(v any) any {
	switch x := v.(type) {
	case int:
		return int64(x)
	case bool:
		return int64(map[bool]int{true: 1}[x])
	}
	return v
}

func sumOf(rows [][]any, at int) any {
	sum := 0.0
	for _, row := range rows {
		if x, is := figure(row[at]); is {
			sum += x
		}
	}
	return sum
}

func figure(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	}
	return 0, false
}

// describe finds type, digits and range of the columns.
func (out *Tabled) describe() {
	for i := range out.Columns {
		c := &out.Columns[i]
		c.Type = sqlbox.TypeOf(out.Rows, i)
		first := true
		whole, most := true, 0.0
		for _, row := range out.Rows {
			x, is := figure(row[i])
			if !is {
				continue
			}
			if whole, most = whole && x == math.Trunc(x), math.Max(most, math.Abs(x)); first || x < c.Low {
				c.Low = x
			}
			if first || x > c.High {
				c.High = x
			}
			first = false
		}
		if c.Type == "number" && !whole {
			c.Digits = 3
			if most >= 1.5 {
				c.Digits = 2
			}
		}
	}
}

// SortBy puts the rows into an order; what is missing comes last.
func (out *Tabled) SortBy(by []string) error {
	var at []int
	for _, s := range by {
		name := strings.TrimPrefix(s, "-")
		i := slices.IndexFunc(out.Columns, func(c TableColumn) bool { return c.Name == name })
		if i < 0 {
			t := sqlbox.Table{}
			for _, c := range out.Columns {
				t.Columns = append(t.Columns, sqlbox.Column{Name: c.Name})
			}
			return unknownColumn("sort", name, t)
		}
		at, out.Sort = append(at, i), append(out.Sort, s)
	}
	slices.SortStableFunc(out.Rows, func(a, b []any) int {
		for k, i := range at {
			if a[i] == nil || b[i] == nil {
				if (a[i] == nil) != (b[i] == nil) {
					return map[bool]int{true: 1, false: -1}[a[i] == nil]
				}
				continue
			}
			d := compareDatum(a[i], b[i])
			if strings.HasPrefix(by[k], "-") {
				d = -d
			}
			if d != 0 {
				return d
			}
		}
		return 0
	})
	return nil
}

func compareDatum(a, b any) int {
	x, numberA := figure(a)
	y, numberB := figure(b)
	switch {
	case numberA && numberB:
		return cmp.Compare(x, y)
	case numberA != numberB:
		return map[bool]int{true: -1, false: 1}[numberA]
	}
	return text.Natural(TextOf(a), TextOf(b))
}

// PivotBy sets the values of one column across.
func (out *Tabled) PivotBy(t sqlbox.Table, rows [][]any, asked map[string]any, total string) error {
	column := func(name string) int {
		return slices.IndexFunc(t.Columns, func(c sqlbox.Column) bool { return c.Name == name })
	}
	var left []int
	for _, name := range TextsOf(asked["rows"]) {
		if column(name) < 0 {
			return unknownColumn("pivot", name, t)
		}
		left = append(left, column(name))
	}
	over, value, how := column(TextOf(asked["columns"])), -1, cmp.Or(TextOf(asked["aggregate"]), "mean")
	if over < 0 {
		return unknownColumn("pivot", TextOf(asked["columns"]), t)
	}
	if name := TextOf(asked["value"]); name != "" {
		if value = column(name); value < 0 {
			return unknownColumn("pivot", name, t)
		}
	} else {
		how = "count"
	}
	out.Pivot = true
	var tops []any
	groups, order := map[string]map[string][]float64{}, [][]any{}
	for _, row := range rows {
		head := make([]any, len(left))
		for i, k := range left {
			head[i] = plainDatum(row[k])
		}
		key, top := fmt.Sprint(head), plainDatum(row[over])
		if groups[key] == nil {
			groups[key], order = map[string][]float64{}, append(order, head)
		}
		if !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
		x, is := 1.0, true
		if how != "count" {
			x, is = figure(plainDatum(row[value]))
		}
		if is {
			groups[key][shownDatum(top)] = append(groups[key][shownDatum(top)], x)
		}
	}
	slices.SortStableFunc(tops, compareDatum)
	out.Across = &Across{Rows: TextsOf(asked["rows"]), Column: TextOf(asked["columns"]), Tops: tops}
	for _, k := range left {
		out.Columns = append(out.Columns, TableColumn{Name: t.Columns[k].Name, Title: ColumnTitle(t.Columns[k].Name)})
	}
	for _, top := range tops {
		s := shownDatum(top)
		over := ColumnTitle(t.Columns[over].Name)
		out.Columns = append(out.Columns, TableColumn{Name: s, Title: Words{over.In("en") + " " + s, over.In("ja") + " " + s}})
	}
	out.lines(how, total, order, groups, tops, len(left))
	return nil
}

// lines are the rows of a pivot, with what stands at their ends.
func (out *Tabled) lines(how, total string, order [][]any, groups map[string]map[string][]float64, tops []any, left int) {
	across := total == "columns" || total == "both"
	if across {
		out.Columns = append(out.Columns, TableColumn{Name: "total", Title: Words{"all", "全体"}})
	}
	all := map[string][]float64{}
	line := func(head []any, of map[string][]float64) []any {
		row := slices.Clone(head)
		var every []float64
		for _, top := range tops {
			list := of[shownDatum(top)]
			row, every = append(row, charts.Aggregate(how, list)), append(every, list...)
		}
		if across {
			row = append(row, charts.Aggregate(how, every))
		}
		return row
	}
	out.Rows = [][]any{}
	for _, head := range order {
		group := groups[fmt.Sprint(head)]
		out.Rows = append(out.Rows, line(head, group))
		for top, list := range group {
			all[top] = append(all[top], list...)
		}
	}
	if total == "rows" || total == "both" {
		out.Totals = line(make([]any, left), all)
	}
	out.describe()
}

// ShownIn is a value of a table cell as people read it.
func (out Tabled) ShownIn(c TableColumn, v any, lang string) string {
	if s, is := v.(string); is {
		if w, called := out.Words[s]; called {
			return w.In(lang)
		}
		return s
	}
	if v == nil {
		return "–"
	}
	s := charts.Head{Number: true, Digits: c.Digits}.Shown(v)
	if c.Colour == "diverging" && !strings.HasPrefix(s, "-") {
		s = "+" + s // colour is not the only sign
	}
	if x, is := figure(v); is && c.Colour == "threshold" {
		s += map[bool]string{true: " ▼", false: ""}[x <= c.At]
	}
	if c.Unit != "" {
		s += " " + c.Unit
	}
	return s
}

// Table is the rows of a table cell for a file, whole and exact.
func (out Tabled) Table(name string) spreadsheet.Table {
	t := spreadsheet.Table{Name: name, Rows: spreadsheet.RowsOf(out.Rows)}
	for _, c := range out.Columns {
		t.Columns = append(t.Columns, c.Name)
	}
	return t
}
