package library

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
)

// columns shows what each column was taken for, with its first values.
func (p libraryPrinter) columns(m intake.ReadReport) {
	rows := make([][]string, len(m.Columns))
	for i, c := range m.Columns {
		rows[i] = []string{strconv.Itoa(i + 1), c.Source, p.fieldWord(c.Field), strings.Join(c.Samples, " | "), c.Why.In(string(p.Lang()))}
	}
	p.Table([]string{"", "COLUMN", "READ AS", "FIRST VALUES", "WHY"}, rows)
}

func (p libraryPrinter) fieldWord(field string) string {
	return intake.FieldName(field).In(string(p.Lang()))
}

// mapping is how the columns of a sheet are read while somebody changes it with the arrow keys.
type mapping struct {
	report intake.ReadReport
	fields []string // by column
	at     int      // the chosen column
}

// manyColumns are the fields that any number of columns may be.
var manyColumns = []string{"tag", "metadata", "ignore"}

// choices are the fields in the order in which the arrows go through them.
func choices() []string { return append(intake.Fields(), manyColumns...) }

func newMapping(m intake.ReadReport) *mapping {
	out := &mapping{report: m}
	for _, c := range m.Columns {
		out.fields = append(out.fields, c.Field)
	}
	return out
}

// press takes a key and reports whether that was the last.
func (m *mapping) press(key string) (done bool) {
	switch key {
	case "up":
		m.at = max(0, m.at-1)
	case "down":
		m.at = min(len(m.fields)-1, m.at+1)
	case "left":
		m.turn(-1)
	case "right":
		m.turn(1)
	case "enter":
		return true
	}
	return false
}

// turn gives the chosen column the next field. A column that had this field until now is kept beside.
func (m *mapping) turn(by int) {
	list := choices()
	at := slices.Index(list, m.fields[m.at])
	field := list[(at+by+len(list))%len(list)]
	if other := slices.Index(m.fields, field); other >= 0 && !slices.Contains(manyColumns, field) {
		m.fields[other] = "metadata"
	}
	m.fields[m.at] = field
}

// changes are the columns that are to be read in another way than they were understood; nil for none.
func (m *mapping) changes() map[string]string {
	var out map[string]string
	for i, c := range m.report.Columns {
		if m.fields[i] != c.Field {
			if out == nil {
				out = map[string]string{}
			}
			out[c.Source] = m.fields[i]
		}
	}
	return out
}

// confirmColumns shows how the sheet was understood and lets people change it: up and down choose a column, left and right what it is.
func (p libraryPrinter) confirmColumns(r intake.ReadReport) (map[string]string, error) {
	restore, err := printing.Keys(p.Program)
	if err != nil {
		return nil, err
	}
	defer restore()
	m := newMapping(r)
	in := bufio.NewReader(p.Stdin)
	for drawn := 0; ; {
		drawn = p.drawMapping(m, drawn)
		key, err := printing.ReadKey(in)
		switch {
		case errors.Is(err, io.EOF):
			return m.changes(), nil
		case err != nil:
			return nil, err
		case key == "stop":
			return nil, problem.New(problem.Invalid, "usage", "the columns were not confirmed; nothing was imported").
				WithHint("say what they are with --map COLUMN=FIELD, or take the guess with --yes")
		}
		if m.press(key) {
			return m.changes(), nil
		}
	}
}

// drawMapping shows the columns over the lines that were drawn before, and returns how many lines it drew.
func (p libraryPrinter) drawMapping(m *mapping, drawn int) int {
	var b strings.Builder
	if drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r\x1b[J", drawn)
	}
	for i, c := range m.report.Columns {
		mark, field := "  ", p.fieldWord(m.fields[i])
		if i == m.at {
			mark, field = "> ", "< "+field+" >"
		}
		line := mark + padded(program.OneLine(c.Source, 22), 24) + padded(program.OneLine(field, 24),
			28) + program.OneLine(strings.Join(c.Samples, " | "), 24)
		b.WriteString(line + "\r\n")
	}
	b.WriteString(p.Lang().Format("Enter takes this; up and down choose a column, left and right what it is; q stops.") + "\r\n")
	fmt.Fprint(p.Stdout, b.String())
	return len(m.report.Columns) + 1
}

// padded fills a text up to so many columns of a terminal.
func padded(s string, columns int) string {
	return s + strings.Repeat(" ", max(1, columns-program.ColumnsOf(s)))
}
