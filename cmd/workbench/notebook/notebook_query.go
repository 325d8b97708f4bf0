package notebook

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// patience is how long a statement of the command line may take. A cell's time is shorter, because a page waits for it.
const patience = time.Minute

type notebookQueryCmd struct {
	File string   `arg:"" help:"Notebook."`
	SQL  string   `arg:"" name:"sql" help:"One SELECT over the tables that notebook tables lists; - reads it from standard input."`
	Of   []string `help:"Only this run cell, CELL.CONFIG or run:ID. Repeatable; default all runs of the notebook." placeholder:"RUN"`
	Rows int      `help:"Rows at most, up to 100000." default:"1000" placeholder:"N"`
	Out  string   `help:"Write the rows: .csv, .jsonl or .xlsx." short:"o" placeholder:"FILE"`
	program.ParamFlags
}

// Help shows examples.
func (notebookQueryCmd) Help() string {
	return `The statement sees what the notebook's cells have now; nothing is run and nothing bought. It is answered in a sealed database in
memory, after a minute it is stopped.

Examples:
  workbench notebook query study.rag.md "SELECT question, correctness FROM results WHERE low ORDER BY correctness"
  workbench notebook query study.rag.md "SELECT run, avg(value) FROM scores WHERE metric = 'trust' GROUP BY run" --json
  workbench notebook query study.rag.md - -o rows.csv <rows.sql`
}

// Run asks.
func (c notebookQueryCmd) Run(p *program.Program) error {
	if c.Rows < 1 || c.Rows > document.MostRows {
		return problem.New(problem.Invalid, "query_rows", "--rows is %d; it must be 1 to %d", c.Rows, document.MostRows)
	}
	format := strings.TrimPrefix(filepath.Ext(c.Out), ".")
	if c.Out != "" && !slices.Contains(spreadsheet.Formats(), format) {
		return spreadsheet.Table{}.Write(io.Discard, format) // it says which there are
	}
	statement, err := c.statement(p)
	if err != nil {
		return err
	}
	return evaluated(p, c.ParamFlags, c.File, func(n *notebooks.Notebook, v *notebooks.View) error {
		rows, err := n.Ask(p.Context, v, notebooks.Question{SQL: statement, Of: c.Of, Rows: c.Rows, Time: patience})
		if err != nil {
			return document.StatementProblem(err)
		}
		if rows.Count == 0 && rows.NoRun != (document.Words{}) {
			p.Warn("%s", rows.NoRun.In(string(p.Lang())))
		}
		return c.show(p, rows, format)
	})
}

func (c notebookQueryCmd) statement(p *program.Program) (string, error) {
	if c.SQL != "-" {
		return c.SQL, nil
	}
	const most = 1 << 20
	body, err := io.ReadAll(io.LimitReader(p.Stdin, most))
	return string(body), err
}

func (c notebookQueryCmd) show(p *program.Program, rows document.Rows, format string) error {
	switch {
	case c.Out != "":
		err := program.WriteWhole(c.Out, func(w io.Writer) error { return rows.Table("Rows").Write(w, format) })
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(map[string]any{"file": c.Out, "count": rows.Count, "truncated": rows.Truncated})
		}
		p.Say("wrote %s", c.Out)
	case p.Flags.JSON:
		return p.PrintJSON(rows)
	default:
		var head []string
		for _, column := range rows.Columns {
			head = append(head, program.Printable(column.Name))
		}
		p.Table(head, rows.Shown())
	}
	if rows.Truncated {
		p.Note("there are more rows than %d; --rows shows more", rows.Count)
	}
	return nil
}

type notebookTablesCmd struct {
	File string `arg:"" help:"Notebook."`
	program.ParamFlags
}

// Help shows examples.
func (notebookTablesCmd) Help() string {
	return `Examples:
  workbench notebook tables study.rag.md
  workbench notebook tables study.rag.md --json`
}

// tableShown is a table as --json prints it.
type tableShown struct {
	Table   string   `json:"table"`
	Rows    *int64   `json:"rows"`    // null where the cell has no result yet
	Columns []string `json:"columns"` // with their types; a text has none
}

// Run lists the tables.
func (c notebookTablesCmd) Run(p *program.Program) error {
	return evaluated(p, c.ParamFlags, c.File, func(n *notebooks.Notebook, v *notebooks.View) error {
		var list []tableShown
		for _, t := range n.Tables() {
			one := tableShown{Table: t.Name}
			for _, column := range t.Columns {
				one.Columns = append(one.Columns, strings.TrimSuffix(column.Name+" "+column.Type, " TEXT"))
			}
			got, err := n.Ask(p.Context, v, notebooks.Question{SQL: `SELECT count(*) FROM "` + t.Name + `"`, Time: patience})
			if err == nil {
				count, _ := got.Rows[0][0].(int64)
				one.Rows = &count
			} else if !problem.Is(err, problem.Conflict) { // what the cell needs has not been run
				return document.StatementProblem(err)
			}
			list = append(list, one)
		}
		if p.Flags.JSON {
			return p.PrintJSON(list)
		}
		for _, t := range list {
			count := p.Lang().Text("no result yet")
			if t.Rows != nil {
				count = p.Lang().Many(int(*t.Rows), "row")
			}
			p.Say("%s: %s", t.Table, count)
			for _, line := range wrapped(t.Columns, 90) {
				p.Say("    %s", line)
			}
		}
		return nil
	})
}

// wrapped joins words with commas to lines of at most so many columns.
func wrapped(words []string, columns int) []string {
	lines := []string{""}
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if last := &lines[len(lines)-1]; *last == "" {
			*last = word
		} else if len(*last)+1+len(word) <= columns {
			*last += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// evaluated opens a notebook and computes its cells as far as they are free and fresh.
func evaluated(p *program.Program, f program.ParamFlags, file string, use func(n *notebooks.Notebook, v *notebooks.View) error) error {
	return p.Showing(func(w *app.Workbench) error {
		n, err := f.Open(p, w, file)
		if err != nil {
			return err
		}
		v, err := n.Evaluate(p.Context, false)
		if err != nil {
			return err
		}
		return use(n, v)
	})
}
