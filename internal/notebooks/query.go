package notebooks

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
)

// noRun is said of a query that reads runs where there are none.
var noRun = document.Words{EN: "No run in this notebook yet: add one, or name one with `of: run:ID`.",
	JA: "このノートブックにはまだ実行がありません。実行を追加するか、`of: run:ID` で実行を指定してください。"}

// QueryRun is a run whose rows a query may see.
type QueryRun struct{ ID, Cell, Config string }

// mostBytes bounds the rows of a query.
const mostBytes = 16 << 20

// mostRead is how many rows of a table readers see; the count of the rest is said.
const mostRead = 200

// Question is a statement with what it may see and take.
type Question struct {
	SQL  string
	Of   []string      // run cells or run:ID; none are all runs of the document
	Rows int           // at most; 0 is the usual number
	Time time.Duration // at most
}

// Ask answers a statement over the tables of a notebook that was evaluated. A mistake of the statement is a [*sqlbox.Mistake].
func (n *Notebook) Ask(ctx context.Context, v *View, q Question) (document.Rows, error) {
	leave, err := queries.enter(ctx)
	if err != nil {
		return document.Rows{}, err
	}
	defer leave()
	began := n.Now()
	box, plan, keep, err := n.asking().filledBox(ctx, v, q)
	if err != nil {
		return document.Rows{}, err
	}
	defer keep()
	said := document.Words{}
	if runs, _, err := n.asking().seen(v, q.Of); err == nil && len(runs) == 0 && n.asking().readsRuns(plan) {
		said = noRun
	}
	params := map[string]any{}
	for key, value := range n.ParamValues() {
		if x, ok := value.(float64); ok && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			value = int64(x)
		}
		params[strings.TrimPrefix(document.SQLParam(key, 0), ":")] = value
	}
	most := q.Rows
	if most <= 0 {
		most = document.UsualRows
	}
	got, err := box.Query(q.SQL, params, sqlbox.Bounds{Rows: document.MostRows, Bytes: mostBytes,
		Stop: func() bool { return ctx.Err() != nil || n.Now().Sub(began) > q.Time }})
	if err != nil {
		return document.Rows{}, err
	}
	out := document.Rows{Columns: got.Columns, Rows: got.Rows, Sorted: got.Sorted, Texts: n.asking().quotes(plan), NoRun: said}
	out.Truncated = got.More || len(got.Rows) > most
	out.Rows = out.Rows[:min(most, len(out.Rows))]
	out.Count, out.Digest = len(out.Rows), hashOf([]any{out.Columns, out.Rows, out.Truncated})
	out.Themes, err = n.themes(ctx, v, q.Of, out.Columns)
	return out, err
}

// readsRuns reports whether a statement reads what runs have.
func (n asking) readsRuns(plan sqlbox.Plan) bool {
	return slices.ContainsFunc(document.SortedKeys(plan.Reads), func(t string) bool {
		return !document.OfNoRun[t] && n.Document.Cell(t) == nil
	})
}

// quotes reports whether a statement reads texts of questions, answers, passages or judges, itself or through another query.
func (n asking) quotes(plan sqlbox.Plan) bool {
	for t, columns := range plan.Reads {
		if c := n.Document.Cell(t); c != nil && c.Plan != nil && n.quotes(*c.Plan) {
			return true
		}
		for _, c := range columns {
			if slices.Contains(document.Quoting[t], c) {
				return true
			}
		}
	}
	return false
}

// Tables are the tables that a query over the notebook can read, those of its cells behind those of every notebook.
func (n *Notebook) Tables() []sqlbox.Table {
	out := document.QueryTables()
	for _, c := range n.Document.Cells() {
		if t, ok := c.Table(); ok && n.mistake(c) == nil {
			out = append(out, t)
		}
	}
	return out
}

// filledBox is a box with the rows that a statement reads: one that was filled before where it holds the same, else a new one. keep
// must be called when the statement was answered.
func (n asking) filledBox(ctx context.Context, v *View, q Question) (box *sqlbox.Box, plan sqlbox.Plan, keep func(), err error) {
	tables := n.Tables()
	made, err := sqlbox.New(tables...)
	if err != nil {
		return nil, plan, nil, err
	}
	defer func() {
		if err != nil {
			made.Close()
		}
	}()
	if plan, err = made.Plan(q.SQL); err != nil {
		return nil, plan, nil, err
	}
	w, err := n.wantedBy(ctx, v, plan, q.Of)
	if err != nil {
		return nil, plan, nil, err
	}
	changes := slices.ContainsFunc(document.Changing, func(t string) bool { return w.base[t] })
	key := hashOf([]any{tables, w.stamp, w.datasets, w.digests})
	if !changes {
		if held := queries.take(key, plan.Reads); held != nil {
			made.Close()
			return held.box, plan, func() { queries.put(*held) }, nil
		}
	}
	if err = n.fill(ctx, made, plan, w); err != nil {
		return nil, plan, nil, err
	}
	if changes {
		return made, plan, made.Close, nil
	}
	return made, plan, func() { queries.put(filledBox{made, key, plan.Reads}) }, nil
}

// wanted is what a statement reads, and what decides the rows behind it.
type wanted struct {
	base     map[string]bool    // tables of every notebook
	cells    map[string][][]any // rows of the cells
	runs     []QueryRun
	datasets []document.Source
	stamp    string            // of the runs
	digests  map[string]string // of the cells' rows
}

func (n asking) wantedBy(ctx context.Context, v *View, plan sqlbox.Plan, of []string) (w wanted, err error) {
	for _, name := range n.Document.NeededBy(plan, of) {
		if v.Cell(name).Value == nil {
			return w, problem.New(problem.Conflict, "cell_no_value", "%s has no result yet", name).With("to", name).
				WithHint("run the notebook first")
		}
	}
	w = wanted{base: map[string]bool{}, cells: map[string][][]any{}, digests: map[string]string{}}
	for _, name := range document.SortedKeys(plan.Reads) {
		if n.Document.Cell(name) == nil {
			w.base[name] = true
			continue
		}
		if w.cells[name], err = n.cellRows(ctx, v.Cell(name).Value); err != nil {
			return w, err
		}
		w.digests[name] = hashOf(w.cells[name])
	}
	if w.runs, w.datasets, err = n.seen(v, of); err != nil {
		return w, err
	}
	byID := slices.ContainsFunc(w.runs, func(r QueryRun) bool { return r.Cell == "" }) // whose questions are to be seen too
	if slices.ContainsFunc(document.SortedKeys(w.base), func(t string) bool { return !document.OfNoRun[t] || byID && t == "questions" }) {
		w.stamp, err = n.Engine.Stamp(ctx, w.runs)
	}
	return w, err
}

// fill puts the rows that a statement reads into the box.
func (n asking) fill(ctx context.Context, box *sqlbox.Box, plan sqlbox.Plan, w wanted) error {
	base, err := n.Engine.Tables(ctx, w.base, w.runs, w.datasets)
	if err != nil {
		return err
	}
	for _, t := range n.Tables() {
		columns, read := plan.Reads[t.Name]
		if !read {
			continue
		}
		rows, own := w.cells[t.Name]
		if !own {
			rows = base[t.Name]
		}
		if err := box.Fill(t.Name, columns, picked(ctx, t, columns, rows)); err != nil {
			return err
		}
	}
	return nil
}

// picked are rows with some of their columns.
func picked(ctx context.Context, t sqlbox.Table, columns []string, rows [][]any) iter.Seq2[[]any, error] {
	at := make([]int, len(columns))
	for i, name := range columns {
		at[i] = slices.IndexFunc(t.Columns, func(c sqlbox.Column) bool { return c.Name == name })
	}
	return func(yield func([]any, error) bool) {
		out := make([]any, len(at))
		for _, row := range rows {
			for i, k := range at {
				out[i] = row[k]
			}
			if !yield(out, ctx.Err()) {
				return
			}
		}
	}
}

// seen are the runs and datasets that a query may see: those of its field of, or of all cells.
func (n asking) seen(v *View, of []string) (runs []QueryRun, datasets []document.Source, err error) {
	add := func(cell, config string, value any) {
		switch x := value.(type) {
		case document.RunSet:
			for _, r := range x.Runs {
				if config == "" || r.Label == config || config == "best" && x.Best.ID == r.ID || config == "first" && x.First.ID == r.ID {
					runs = append(runs, QueryRun{r.ID, cell, r.Label})
				}
			}
		case document.Comparison:
			runs = append(runs, QueryRun{x.Candidate.ID, cell, x.Candidate.Label})
		}
	}
	for _, c := range n.Document.Cells() {
		switch x := v.Cell(c.Name).Value.(type) {
		case document.Source:
			if c.Type == "dataset" {
				datasets = append(datasets, x)
			}
		default:
			if len(of) == 0 && (c.Type == "run" || c.Type == "apply") {
				add(c.Name, "", x)
			}
		}
	}
	for _, ref := range of {
		if id, literal := strings.CutPrefix(ref, "run:"); literal {
			runs = append(runs, QueryRun{ID: id})
			continue
		}
		cell, config, _ := strings.Cut(ref, ".")
		before := len(runs)
		if at := v.Cell(cell); at != nil {
			add(cell, config, at.Value)
		}
		if len(runs) == before {
			p := problem.New(problem.Invalid, "ref_field", "of refers to %s, which is no run", ref)
			return nil, nil, document.Refers(p, "of", ref).With("mistake", "run").WithHint("name a run cell, one of its configurations, or run:ID")
		}
	}
	return runs, datasets, nil
}

// query computes the value of a query cell.
func (n *Notebook) query(ctx context.Context, v *View, c *document.Cell) (document.Rows, error) {
	limit := int(document.NumberOf(c.Values["limit"]))
	if limit < 0 || limit > document.MostRows {
		return document.Rows{}, n.placed(c, document.Outside("limit", limit, document.RowsAllowed))
	}
	return n.asked(ctx, v, c, Question{SQL: document.TextOf(c.Values["sql"]), Of: document.TextsOf(c.Values["of"]), Rows: limit})
}

// asked is Ask for the statement of a cell: its mistakes have their line in the document.
func (n *Notebook) asked(ctx context.Context, v *View, c *document.Cell, q Question) (document.Rows, error) {
	q.Time = 5 * time.Second
	out, err := n.Ask(ctx, v, q)
	if m, ok := errors.AsType[*sqlbox.Mistake](err); ok {
		return out, n.Document.SQLWrong(c, m)
	}
	return out, err
}

func (p *ReadingBlock) rows(x document.Rows, lang string) {
	p.Table = &Table{Head: []string{}}
	for _, c := range x.Columns {
		p.Table.Head = append(p.Table.Head, document.ColumnTitle(c.Name).In(lang))
	}
	shown, theme := x.Shown(), document.ThemeColumn(x.Columns)
	for _, row := range shown[:min(mostRead, len(shown))] {
		if theme >= 0 {
			if name, known := x.Themes[row[theme]]; known {
				row[theme] = name.In(lang)
			}
		}
		for i := range row {
			row[i] = document.Cut(row[i])
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
	left := len(shown) - len(p.Table.Rows)
	switch {
	case x.NoRun != document.Words{} && x.Count == 0:
		p.Text = strings.ReplaceAll(x.NoRun.In(lang), "`", "")
	case left > 0:
		p.Text = say(lang, document.Thousands(left)+" more rows are not shown.", "ほか"+document.Thousands(left)+"行は表示していません。")
	case x.Truncated:
		p.Text = say(lang, "The first "+document.Thousands(x.Count)+" rows.", "先頭の"+document.Thousands(x.Count)+"行です。")
	}
}
