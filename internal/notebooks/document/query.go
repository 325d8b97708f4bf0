package document

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// Rows is what a query cell publishes: a table.
type Rows struct {
	Count     int              `json:"count" unit:"count" en:"Rows." ja:"行数。"`
	Truncated bool             `json:"truncated" unit:"text" en:"There are more rows than the limit." ja:"上限を超える行がある。"`
	Digest    string           `json:"digest" unit:"text" en:"Digest of columns and rows." ja:"列と行のダイジェスト。"`
	Sorted    bool             `json:"sorted"` // the statement does not say in which order: sorted by all columns
	Texts     bool             `json:"texts"`  // it was made of texts of questions, answers, passages or judges
	Columns   []sqlbox.Column  `json:"columns"`
	Rows      [][]any          `json:"rows"`             // texts, numbers and null
	NoRun     Words            `json:"no_run,omitzero"`  // why there are no rows, where no run is in sight
	Themes    map[string]Words `json:"themes,omitempty"` // what the ids in its column of themes are called
}

// ThemeColumn is the place of the column of themes; -1 where there is none.
func ThemeColumn(columns []sqlbox.Column) int {
	return slices.IndexFunc(columns, func(c sqlbox.Column) bool { return c.Name == "theme" })
}

// The bounds of a query: rows without a limit of its own, the most it may ask for, and bytes.
const (
	UsualRows = 1000
	MostRows  = 100_000
)

// plans finds what the query cells read. A cell that reads the table of another one is planned after it.
func (r *Reader) plans() {
	d := r.Document
	var open []*Cell
	for _, c := range d.Cells() {
		c.Plan, c.needs = nil, nil
		if sql, _, _ := c.Statement(); sql != "" {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return
	}
	box, err := sqlbox.New(QueryTables()...)
	if err != nil {
		r.add(d.Wrong(open[0].Line, open[0], "sql_refused", "no query can be answered here").With("said", err.Error()).
			With("tables", queryTableNames()).Because(err))
		return
	}
	defer box.Close()
	for _, c := range d.Cells() {
		r.offer(box, c)
	}
	for {
		var left []*Cell
		var wrong []*problem.Problem
		for _, c := range open {
			sql, _, _ := c.Statement()
			plan, err := box.Plan(sql)
			if err != nil {
				left, wrong = append(left, c), append(wrong, d.SQLWrong(c, err))
				continue
			}
			c.Plan, c.needs = &plan, d.NeededBy(plan, TextsOf(c.Values["of"]))
			r.offer(box, c)
		}
		if len(left) == len(open) || len(left) == 0 {
			r.Wrong = append(r.Wrong, wrong...)
			return
		}
		open = left
	}
}

// offer makes the table of a cell.
func (r *Reader) offer(box *sqlbox.Box, c *Cell) {
	t, ok := c.Table()
	if !ok {
		return
	}
	if err := box.Add(t); err != nil {
		r.add(r.Document.Wrong(c.Line, c, "cell_name", "a query could not tell the cell %s from a table or cell of this name", c.Name).
			With("mistake", "table").With("name", c.Name).
			WithHint("give the cell another name"))
	}
}

// NeededBy are the cells that a statement needs.
func (d *Document) NeededBy(plan sqlbox.Plan, of []string) []string {
	var out []string
	for _, name := range SortedKeys(plan.Reads) {
		if d.Cell(name) != nil {
			out = append(out, name)
			continue
		}
		for _, c := range d.Cells() {
			if name == "questions" && c.Type == "dataset" || !OfNoRun[name] && len(of) == 0 && (c.Type == "run" || c.Type == "apply") {
				out = append(out, c.Name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SQLWrong says what is wrong with a statement, with its line in the document.
func (d *Document) SQLWrong(c *Cell, err error) *problem.Problem {
	m, ok := errors.AsType[*sqlbox.Mistake](err)
	if !ok {
		return problem.From(err)
	}
	_, name, before := c.Statement()
	line, column := c.Lines[name], m.Column
	if column > 0 && m.Line <= 1 {
		column = max(1, column-before)
	}
	body := strings.Split(c.Body, "\n")
	at := func(i int) string { return body[min(max(i, 0), len(body)-1)] }
	_, first, _ := strings.Cut(at(line-1), ":")
	switch first = strings.TrimSpace(first); {
	case strings.HasPrefix(first, "|"):
		line += m.Line
		column += len(at(line-1)) - len(strings.TrimLeft(at(line-1), " "))
	case m.Line > 1 || strings.HasPrefix(first, ">"):
		column = 0 // YAML has folded the lines
	default:
		column += utf8.RuneCountInString(at(line-1)) - utf8.RuneCountInString(strings.TrimLeft(first, `"'`))
	}
	if m.Column == 0 {
		column = 0
	}
	p := sqlWords(d.Wrong(c.Line+line, c, m.Code, "%s", sqlSentence(m)).With("field", name), m)
	if column > 0 {
		p = p.With("column", column)
	}
	return p
}

// sqlWords gives a problem what a page needs to say it in its own language; said are the words of the engine.
func sqlWords(p *problem.Problem, m *sqlbox.Mistake) *problem.Problem {
	p = p.With("said", m.Message).With("tables", queryTableNames())
	for name, value := range map[string]string{"name": m.Name, "among": strings.Join(m.Among, ", "), "near": sqlNear(m)} {
		if value != "" {
			p = p.With(name, value)
		}
	}
	return p.WithHint("%s", sqlHint(m))
}

// sqlNear is the name that could be meant; "" for none.
func sqlNear(m *sqlbox.Mistake) string {
	return text.Nearest(m.Name[strings.LastIndexByte(m.Name, '.')+1:], m.Among)
}

// StatementProblem says what is wrong with a statement that stands in no cell; other errors pass through.
func StatementProblem(err error) error {
	m, ok := errors.AsType[*sqlbox.Mistake](err)
	if !ok {
		return err
	}
	p := problem.New(problem.Invalid, m.Code, "%s", sqlSentence(m))
	if m.Column > 0 {
		p = problem.New(problem.Invalid, m.Code, "line %d, column %d: %s", max(m.Line, 1), m.Column, sqlSentence(m)).
			With("line", max(m.Line, 1)).With("column", m.Column)
	}
	return sqlWords(p, m)
}

func sqlSentence(m *sqlbox.Mistake) string {
	return m.Message + text.Meant(m.Name[strings.LastIndexByte(m.Name, '.')+1:], m.Among)
}

func sqlHint(m *sqlbox.Mistake) fmt.Stringer {
	among, tables := strings.Join(m.Among, ", "), queryTableNames()
	switch {
	case m.Code == sqlbox.CodeTable:
		return problem.Both("tables: "+among, "表："+among)
	case m.Code == sqlbox.CodeColumn && len(m.Among) > 0:
		return problem.Both("columns: "+among, "列："+among)
	case m.Code == sqlbox.CodeTime || m.Code == sqlbox.CodeSize:
		return problem.Both("ask for less: name the runs in of:, or filter with WHERE", "of: で実行を指定するか、WHERE で絞り込んで、対象を減らしてください")
	}
	return problem.Both("one SELECT over "+tables+" and the cells that are tables", "SELECT 文を1つだけ書きます。使えるのは "+tables+" と、表であるセルです")
}

func queryTableNames() string {
	names := make([]string, 0, len(QueryTables()))
	for _, t := range QueryTables() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// SQLParam is the name of a parameter in a statement, as long as what it stands for, so that places in the text stay true.
func SQLParam(key string, length int) string {
	name := ":" + strings.NewReplacer(".", "_", "-", "_").Replace(key)
	return name + strings.Repeat(" ", max(0, length-len(name)))
}

// shownDatum is a value of a table as people read it.
func shownDatum(v any) string {
	switch x := v.(type) {
	case nil:
		return "–"
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(math.Round(x*10_000)/10_000, 'f', -1, 64)
	}
	return TextOf(v)
}

// row finds a row by its number, from 1, with its values by column.
func (r Rows) row(number string) (map[string]string, bool) {
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(r.Rows) {
		return nil, false
	}
	out := map[string]string{}
	for k, c := range r.Columns {
		out[c.Name] = shownDatum(r.Rows[i-1][k])
	}
	return out, true
}

// Shown are the rows as people read them.
func (r Rows) Shown() [][]string {
	out := make([][]string, len(r.Rows))
	for i, row := range r.Rows {
		for _, v := range row {
			out[i] = append(out[i], shownDatum(v))
		}
	}
	return out
}

// Table is the rows for a file, whole and exact.
func (r Rows) Table(name string) spreadsheet.Table {
	t := spreadsheet.Table{Name: name, Rows: spreadsheet.RowsOf(r.Rows)}
	for _, c := range r.Columns {
		t.Columns = append(t.Columns, c.Name)
	}
	return t
}
