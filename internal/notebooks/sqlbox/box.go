package sqlbox

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// The bounds of a box. What the library keeps itself stands in limits.
const (
	maxSQL     = 20_000    // bytes of a statement
	maxValue   = 1 << 20   // bytes of one value
	maxColumns = 200       // of a table or a result
	maxFill    = 2_000_000 // rows of all tables together
	maxHeld    = 256 << 20 // bytes of all tables together
	maxNamed   = 50        // parameters of a statement
)

// Column is a named column. Type is TEXT, INTEGER, REAL or ANY.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Table is a table that a statement may read.
type Table struct {
	Name    string
	Columns []Column
}

// Box is a private database in memory. It belongs to one goroutine at a time.
type Box struct {
	c      *conn
	tables map[string]Table // by name in lower case, as SQL compares names
	rows   int              // that were filled in
	bytes  int
}

// New makes a box with these tables, all of them empty.
func New(tables ...Table) (*Box, error) {
	c, err := open()
	if err != nil {
		return nil, err
	}
	b := &Box{c: c, tables: map[string]Table{}}
	for _, t := range tables {
		if err := b.Add(t); err != nil {
			b.Close()
			return nil, err
		}
	}
	return b, nil
}

// Add makes one more table. Two tables whose names differ in case only are one too many.
func (b *Box) Add(t Table) error {
	if _, twice := b.tables[lower(t.Name)]; twice {
		return fmt.Errorf("the table %s is there already", t.Name)
	}
	var s strings.Builder
	s.WriteString("CREATE TABLE " + quoted(t.Name) + " (")
	for i, c := range t.Columns {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(quoted(c.Name) + " " + c.Type)
	}
	s.WriteString(") STRICT")
	if err := b.c.exec(s.String()); err != nil {
		return err
	}
	b.tables[lower(t.Name)] = t
	return nil
}

// Bytes is the memory that tables and rows take, by the pages of the database; 0 where it cannot be told.
func (b *Box) Bytes() int64 { return b.pragma("page_count") * b.pragma("page_size") }

// pragma is a number that the library knows about its database.
func (b *Box) pragma(name string) int64 {
	s, _, err := b.c.prepare("PRAGMA " + name)
	if err != nil {
		return 0
	}
	defer s.close()
	if row, err := s.step(); err != nil || !row {
		return 0
	}
	n, _ := s.value(0).(int64)
	return n
}

// Close frees the box. Nothing of it may be used after it.
func (b *Box) Close() { b.c.close() }

// Plan says what a statement would do.
type Plan struct {
	Reads   map[string][]string // tables with the columns that are read of them, sorted; none where only rows are counted
	Columns []string            // of the result
	Params  []string            // that it takes, without the colon
	Ordered bool                // it ends with ORDER BY
}

// Plan prepares a statement. Its error is a [*Mistake].
func (b *Box) Plan(sql string) (Plan, error) {
	p := Plan{Reads: map[string][]string{}}
	s, err := b.prepare(sql, p.Reads)
	if err != nil {
		return Plan{}, err
	}
	defer b.release(s)
	for t, columns := range p.Reads {
		slices.Sort(columns)
		p.Reads[t] = slices.Compact(columns)
	}
	p.Columns, p.Ordered = unique(s.columns()), ordered(sql)
	for _, name := range s.parameters() {
		if !strings.HasPrefix(name, ":") {
			return Plan{}, mistake(sql, Mistake{Code: CodeParam, Name: name, Message: "a parameter is written ${cell.name}"}, -1)
		}
		p.Params = append(p.Params, name[1:])
	}
	if len(p.Params) > maxNamed {
		return Plan{}, mistake(sql, Mistake{Code: CodeSize, Message: fmt.Sprintf("there are more than %d parameters", maxNamed)}, -1)
	}
	return p, nil
}

// Fill puts rows into some columns of a table; the others stay NULL. Values are nil, int, int64, float64, bool or string.
func (b *Box) Fill(table string, columns []string, rows iter.Seq2[[]any, error]) error {
	names, marks := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], marks[i] = quoted(c), "?"
	}
	sql := "INSERT INTO " + quoted(table) + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(marks, ", ") + ")"
	if len(columns) == 0 { // rows are counted
		sql = "INSERT INTO " + quoted(table) + " DEFAULT VALUES"
	}
	if err := b.c.exec("BEGIN"); err != nil {
		return err
	}
	err := b.insert(table, sql, rows)
	if end := b.c.exec("COMMIT"); err == nil {
		err = end
	}
	return err
}

func (b *Box) insert(table, sql string, rows iter.Seq2[[]any, error]) error {
	s, _, err := b.c.prepare(sql)
	if err != nil {
		return err
	}
	defer s.close()
	for row, err := range rows {
		if err != nil {
			return err
		}
		b.rows++
		for i, v := range row {
			if b.bytes += 8; len(text(v)) > 0 {
				b.bytes += len(text(v))
			}
			if err := s.bind(i+1, v); err != nil {
				return tooMuch(table, fmt.Sprintf("a value of %s is larger than %d MiB", table, maxValue>>20))
			}
		}
		if b.rows > maxFill || b.bytes > maxHeld {
			return tooMuch(table, fmt.Sprintf("%s holds more than %d million rows or %d MiB", table, maxFill/1_000_000, maxHeld>>20))
		}
		if _, err := s.step(); err != nil {
			return err
		}
		s.reset()
	}
	return nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// Bounds are what a statement may take.
type Bounds struct {
	Rows, Bytes int         // of the result; what comes after them is cut off
	Stop        func() bool // asked every few thousand steps; true ends the statement; nil never does
}

// Result is what a statement answers.
type Result struct {
	Columns []Column // Type is that of the values: integer, number, text, mixed, or empty where all are NULL
	Rows    [][]any  // nil, int64, float64 or string
	More    bool     // there were more rows than the bounds allow
	Sorted  bool     // the statement does not say in which order; the program sorted by all columns
}

// Query steps through a statement. Its error is a [*Mistake].
func (b *Box) Query(sql string, params map[string]any, most Bounds) (Result, error) {
	s, err := b.prepare(sql, map[string][]string{})
	if err != nil {
		return Result{}, err
	}
	defer b.release(s)
	for i, name := range s.parameters() {
		v, ok := params[strings.TrimPrefix(name, ":")]
		if !ok {
			return Result{}, mistake(sql, Mistake{Code: CodeParam, Name: name, Message: "the parameter " + name + " has no value"}, -1)
		}
		if err := s.bind(i+1, v); err != nil {
			return Result{}, mistake(sql, Mistake{Code: CodeSize, Name: name, Message: "the parameter " + name + " is too large"}, -1)
		}
	}
	b.c.stop = most.Stop
	defer func() { b.c.stop = nil }()
	out := Result{Sorted: !ordered(sql), Rows: [][]any{}}
	names := unique(s.columns())
	for bytes := 0; ; {
		more, err := s.step()
		if err != nil {
			return Result{}, stepped(sql, err)
		}
		if !more {
			break
		}
		if len(out.Rows) == most.Rows || bytes > most.Bytes {
			out.More = true
			break
		}
		row := make([]any, len(names))
		for i := range row {
			row[i] = plain(s.value(i))
			bytes += 8 + len(text(row[i]))
		}
		out.Rows = append(out.Rows, row)
	}
	if out.Sorted {
		slices.SortStableFunc(out.Rows, compareRows)
	}
	for i, name := range names {
		out.Columns = append(out.Columns, Column{name, TypeOf(out.Rows, i)})
	}
	return out, nil
}

// plain makes of a value what JSON can say: texts are UTF-8, numbers are finite, blobs are texts of their digits.
func plain(v any) any {
	switch x := v.(type) {
	case string:
		return strings.ToValidUTF8(x, "\uFFFD")
	case []byte:
		return hex.EncodeToString(x)
	case float64:
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return fmt.Sprint(x)
		}
	}
	return v
}

// TypeOf is the type of the values of a column: integer, number, text, mixed, or empty where all are NULL.
func TypeOf(rows [][]any, at int) string {
	out := ""
	for _, row := range rows {
		t := ""
		switch row[at].(type) {
		case int64:
			t = "integer"
		case float64:
			t = "number"
		case string:
			t = "text"
		}
		switch {
		case t == "" || t == out:
		case out == "":
			out = t
		case t != "text" && out != "text" && out != "mixed":
			out = "number"
		default:
			return "mixed"
		}
	}
	return out
}

// compareRows sorts as SQL does: NULL, numbers, texts by their bytes; the first column that differs decides.
func compareRows(a, b []any) int {
	for i := range a {
		if d := compareValues(a[i], b[i]); d != 0 {
			return d
		}
	}
	return 0
}

func compareValues(a, b any) int {
	x, numberA := number(a)
	y, numberB := number(b)
	switch {
	case a == nil || b == nil:
		return cmp.Compare(present(a), present(b))
	case numberA && numberB:
		return cmp.Compare(x, y)
	case numberA:
		return -1
	case numberB:
		return 1
	}
	return strings.Compare(text(a), text(b))
}

func present(v any) int {
	if v == nil {
		return 0
	}
	return 1
}

func number(v any) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// unique gives columns of one name numbers: n, n_2.
func unique(names []string) []string {
	seen := map[string]bool{}
	for i, name := range names {
		for n := 2; seen[lower(names[i])]; n++ {
			names[i] = fmt.Sprintf("%s_%d", name, n)
		}
		seen[lower(names[i])] = true
	}
	return names
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// lower is a name as SQL compares it: only the letters of ASCII have two cases.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
