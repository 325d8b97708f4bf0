package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
)

// columns shows what each column was taken for, with its first values.
func (p libraryPrinter) columns(m intake.ReadReport) {
	rows := make([][]string, len(m.Columns))
	for i, c := range m.Columns {
		rows[i] = []string{strconv.Itoa(i + 1), c.Source, p.fieldWord(c.Field), strings.Join(c.Samples, " | "), c.Why.In(string(p.lang()))}
	}
	p.table([]string{"", "COLUMN", "READ AS", "FIRST VALUES", "WHY"}, rows)
}

func (p libraryPrinter) fieldWord(field string) string {
	return intake.FieldName(field).In(string(p.lang()))
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
	restore, err := p.keys()
	if err != nil {
		return nil, err
	}
	defer restore()
	m := newMapping(r)
	in := bufio.NewReader(p.stdin)
	for drawn := 0; ; {
		drawn = p.drawMapping(m, drawn)
		key, err := readKey(in)
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

// keys lets single keys arrive from a terminal, and returns how to undo that.
func (p libraryPrinter) keys() (restore func(), err error) {
	f, ok := p.stdin.(*os.File)
	if !ok || !isTerminal(f) {
		return func() {}, nil
	}
	state, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(int(f.Fd()), state) }, nil
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
		line := mark + padded(oneLine(c.Source, 22), 24) + padded(oneLine(field, 24), 28) + oneLine(strings.Join(c.Samples, " | "), 24)
		b.WriteString(line + "\r\n")
	}
	b.WriteString(p.lang().format("Enter takes this; up and down choose a column, left and right what it is; q stops.") + "\r\n")
	fmt.Fprint(p.stdout, b.String())
	return len(m.report.Columns) + 1
}

// padded fills a text up to so many columns of a terminal.
func padded(s string, columns int) string {
	return s + strings.Repeat(" ", max(1, columns-columnsOf(s)))
}

// readKey reads one key: an arrow, or the letter that stands for it in many programs, Enter, and q or Ctrl-C to stop. Others are "".
func readKey(in *bufio.Reader) (string, error) {
	c, err := in.ReadByte()
	if err != nil {
		return "", err
	}
	switch c {
	case '\r', '\n':
		return "enter", nil
	case 'q', 3: // 3 is Ctrl-C
		return "stop", nil
	case 'k', 'j', 'h', 'l':
		return map[byte]string{'k': "up", 'j': "down", 'h': "left", 'l': "right"}[c], nil
	case 0x1b:
		if next, err := in.ReadByte(); err != nil || next != '[' && next != 'O' {
			return "", err
		}
		c, err = in.ReadByte()
		return map[byte]string{'A': "up", 'B': "down", 'D': "left", 'C': "right"}[c], err
	}
	return "", nil
}
