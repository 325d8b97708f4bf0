package studies

import (
	"context"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// NotebookDetail is everything about one notebook, or about a text that is not saved.
type NotebookDetail struct {
	Name      string                    `json:"name"`
	Title     document.Words            `json:"title"`
	Lang      []string                  `json:"lang"` // of reading mode
	Schedules []document.Schedule       `json:"schedules"`
	Digest    string                    `json:"digest,omitempty"` // of the file; absent for a text that is not saved
	Modified  *time.Time                `json:"modified,omitempty"`
	Text      string                    `json:"text,omitempty"` // absent where the text was sent
	ReadOnly  bool                      `json:"read_only"`      // a sealed snapshot
	SealedAt  string                    `json:"sealed_at,omitempty"`
	Blocks    []NotebookBlock           `json:"blocks"` // without gaps: joined, their texts are the document
	Cells     []NotebookCell            `json:"cells"`
	Params    []NotebookParam           `json:"params"`
	Embeds    map[string]document.Words `json:"embeds"` // what each {{ reference }} of prose and notes shows; plain text
	Problems  []NotebookProblem         `json:"problems"`
	Verdict   string                    `json:"verdict"` // of its gates; "" without any
	Offline   bool                      `json:"offline"` // some result was judged by the built-in judge
	Job       *NotebookJob              `json:"job,omitempty"`
}

// NotebookBlock is a stretch of a document.
type NotebookBlock struct {
	Kind document.BlockKind `json:"kind" enum:"front,prose,cell"`
	Line int                `json:"line"` // from 1
	Text string             `json:"text"`
	Cell string             `json:"cell,omitempty"`
	HTML document.Words     `json:"html,omitzero"` // of prose and notes, with the values of cells: what reading mode shows
}

// NotebookCell is one cell with what is known about it.
type NotebookCell struct {
	Name        string                `json:"name"`
	Type        string                `json:"type"`
	Line        int                   `json:"line"` // of the opening fence, from 1
	Lines       int                   `json:"lines"`
	Body        string                `json:"body"`
	Fields      map[string]any        `json:"fields,omitempty"` // as written: ${p.k} is a text; absent when the YAML cannot be read
	Title       document.Words        `json:"title,omitzero"`
	Refs        []string              `json:"refs"`    // cells that it refers to
	UsedBy      []string              `json:"used_by"` // cells that refer to it
	Paid        bool                  `json:"paid"`
	State       notebooks.State       `json:"state" enum:"fresh,stale,blocked,queued,running,partial,error,pinned"`
	Why         []string              `json:"why"` // English
	Reasons     []notebooks.Reason    `json:"reasons"`
	CommandLine bool                  `json:"command_line"` // it names a file: it runs from the command line only
	Price       *notebooks.Price      `json:"price,omitempty"`
	Spend       notebooks.Spend       `json:"spend"`
	Done        int                   `json:"done"` // answers, while it runs
	Total       int                   `json:"total"`
	Runs        []notebooks.BoughtRun `json:"runs"`
	Value       any                   `json:"value,omitempty"` // what it publishes, by the type of the cell
	Plan        *charts.Plan          `json:"plan,omitempty"`  // the same, drawn: low scores, causes
	Error       *NotebookProblem      `json:"error,omitempty"`
	More        []NotebookProblem     `json:"more,omitempty"`    // that is wrong with it besides
	Paths       []string              `json:"paths"`             // what can follow its name in a reference
	Columns     []NotebookColumn      `json:"columns,omitempty"` // of a cell that queries can read as a table
}

// NotebookParam is a parameter with its value.
type NotebookParam struct {
	Cell string `json:"cell"`
	document.Param
	Value any `json:"value"`
}

// NotebookProblem is something that is wrong with a notebook.
type NotebookProblem struct {
	Code   string         `json:"code"`
	Detail string         `json:"detail"`
	Hint   string         `json:"hint,omitempty"`
	Line   int            `json:"line,omitempty"`
	Cell   string         `json:"cell,omitempty"`
	Field  string         `json:"field,omitempty"`
	Params map[string]any `json:"params,omitempty"`

	of *problem.Problem // that it was made of; nil of one that was kept
}

// Spoken implements [problem.Speaking].
func (p NotebookProblem) Spoken(lang string) any {
	said := p.of
	if said == nil {
		said = &problem.Problem{Message: p.Detail, Hint: p.Hint}
	}
	said = said.In(lang)
	p.Detail, p.Hint = said.Message, said.Hint
	return p
}

func notebookProblem(p *problem.Problem) NotebookProblem {
	out := NotebookProblem{Code: p.Code, Detail: p.Message, Hint: p.Hint, Params: p.Params, of: p}
	out.Line, _ = p.Params["line"].(int)
	out.Cell, _ = p.Params["cell"].(string)
	out.Field, _ = p.Params["field"].(string)
	return out
}

// Get returns a notebook as it lies on disk, with prices.
func (s *Notebooks) Get(ctx context.Context, name string, params []string) (NotebookDetail, error) {
	f, err := s.file(name)
	if err != nil {
		return NotebookDetail{}, err
	}
	d, err := s.evaluated(ctx, name, f.text, params, true)
	d.Text, d.Digest, d.Modified = string(f.text), f.digest, &f.modified
	return d, err
}

// Evaluate is Get for a text that is not saved. name gives it the results of that notebook; "" none. Nothing is written or bought.
func (s *Notebooks) Evaluate(ctx context.Context, name, text string, params []string, prices bool) (NotebookDetail, error) {
	return s.evaluated(ctx, name, []byte(text), params, prices)
}

// evaluated computes a view of a text. A job that ended while it was computed has changed what cells rest on, so it is computed anew.
func (s *Notebooks) evaluated(ctx context.Context, name string, text []byte, params []string, prices bool) (NotebookDetail, error) {
	if name == "" {
		return s.evaluatedOnce(ctx, name, text, params, prices)
	}
	running := s.feed(name).running()
	d, err := s.evaluatedOnce(ctx, name, text, params, prices)
	if err == nil {
		s.feed(name).overlay(ctx, &d)
	}
	if err != nil || !running || s.feed(name).running() {
		return d, err
	}
	if d, err = s.evaluatedOnce(ctx, name, text, params, prices); err == nil {
		s.feed(name).overlay(ctx, &d)
	}
	return d, err
}

func (s *Notebooks) evaluatedOnce(ctx context.Context, name string, text []byte, params []string, prices bool) (NotebookDetail, error) {
	n, err := s.draft(name, text, params)
	if err != nil {
		return NotebookDetail{}, err
	}
	v, err := n.Evaluate(ctx, prices)
	if err != nil {
		return NotebookDetail{}, err
	}
	return s.detail(n, v), nil
}

// detail puts together what is known.
func (s *Notebooks) detail(n *notebooks.Notebook, v *notebooks.View) NotebookDetail {
	d := n.Document
	out := NotebookDetail{
		Name: n.Name(), Title: d.Front.Title, Lang: app.NonNil(d.Front.Lang), Schedules: orEmpty(d.Front.Schedules),
		Blocks: []NotebookBlock{}, Cells: []NotebookCell{},
		Params: []NotebookParam{}, Embeds: map[string]document.Words{}, Problems: []NotebookProblem{}, Verdict: v.Verdict(),
		Offline: v.Offline(),
	}
	used, columns := map[string][]string{}, map[string][]NotebookColumn{}
	for _, t := range n.Tables() {
		columns[t.Name] = columnsOf(t)
	}
	for _, c := range d.Cells() {
		for _, name := range d.Refs(c) {
			used[name] = append(used[name], c.Name)
		}
	}
	values := n.ParamValues()
	nth := 0
	for _, b := range d.Blocks {
		block := NotebookBlock{Kind: b.Kind, Line: b.Line, Text: d.Text(b), HTML: n.Prose(v, b)}
		for ref, words := range n.Values(v, b) {
			out.Embeds[ref] = words
		}
		if c := b.Cell; c != nil {
			block.Cell = c.Name
			cell := s.cell(n, c, v.Cells[nth])
			cell.Lines, cell.UsedBy = strings.Count(strings.TrimSuffix(block.Text, "\n"), "\n")+1, app.NonNil(used[c.Name])
			cell.Columns = columns[c.Name]
			out.Cells = append(out.Cells, cell)
			nth++
			if c.Type == "params" {
				for _, p := range c.Params() {
					out.Params = append(out.Params, NotebookParam{c.Name, p, values[c.Name+"."+p.Name]})
				}
			}
		}
		out.Blocks = append(out.Blocks, block)
	}
	for _, p := range append(n.Wrong, n.Unembeddable(v)...) {
		out.Problems = append(out.Problems, notebookProblem(p))
	}
	return out
}

func (s *Notebooks) cell(n *notebooks.Notebook, c *document.Cell, at notebooks.CellView) NotebookCell {
	schema, _ := document.SchemaOf(c.Type)
	out := NotebookCell{
		Name: c.Name, Type: c.Type, Line: c.Line, Body: c.Body, Title: c.Title(), Refs: n.Document.Refs(c), Paid: schema.Paid,
		State: at.State,
		Price: at.Price, Spend: at.Spend, Runs: orEmpty(n.Lock.Cells[c.Name].Runs), Value: at.Value, Paths: document.Paths(at.Value),
	}
	out.Fields, _ = c.Fields()
	if x, is := at.Value.(document.Chart); !is || x.Plan == nil { // it is in the value of a chart that has one
		out.Plan = notebooks.PlanOf(at.Value)
	}
	if p := at.Error; p != nil {
		if p.Code == commandLine {
			value, _ := p.Params["value"].(string)
			at.Add(notebooks.Reason{Code: "command_line", Params: map[string]string{"value": value}})
			out.State, out.CommandLine = notebooks.Blocked, true
		}
		wrong := notebookProblem(p)
		out.Error = &wrong
	}
	for _, p := range at.More {
		out.More = append(out.More, notebookProblem(p))
	}
	out.Why, out.Reasons = app.NonNil(at.Why), orEmpty(at.Reasons)
	return out
}

// Reading is reading mode in "en" or "ja" as data.
func (s *Notebooks) Reading(ctx context.Context, name, lang string, params []string) (notebooks.Reading, error) {
	n, v, err := s.Evaluated(ctx, name, params)
	if err != nil {
		return notebooks.Reading{}, err
	}
	return n.Reading(v, lang), nil
}

// Evaluated is a notebook with the state of its cells, to be written as a page, a workbook or a snapshot. One with mistakes is a Problem.
func (s *Notebooks) Evaluated(ctx context.Context, name string, params []string) (*notebooks.Notebook, *notebooks.View, error) {
	f, err := s.file(name)
	if err != nil {
		return nil, nil, err
	}
	n, err := s.draft(name, f.text, params)
	if err != nil {
		return nil, nil, err
	}
	if len(n.Wrong) > 0 {
		return nil, nil, n.Wrong[0]
	}
	v, err := n.Evaluate(ctx, false)
	return n, v, err
}
