package document

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	pattern "github.com/rag-workbench/workbench/internal/text"
)

// Embedded is a value in prose: {{ c1.worse.count }}.
var Embedded = pattern.Lazy(`\{\{\s*([^{}\s]+)\s*\}\}`)

// Reference is one mention of a cell.
type Reference struct {
	Field string // "" in prose
	Text  string // as written
	Cell  string // "" for a literal
	Path  string
	types []string // that the cell may publish; empty for any
	Line  int
}

// Refs lists what a cell refers to, in the order of its schema; literals such as pinned are no references.
func (c *Cell) Refs() []Reference {
	schema, _ := SchemaOf(c.Type)
	var out []Reference
	for _, f := range schema.Fields {
		if f.Type != RefField && f.Type != RefsField {
			continue
		}
		for _, s := range TextsOf(c.Values[f.Name]) {
			if isLiteral(f, s) {
				continue
			}
			cell, path, _ := strings.Cut(s, ".")
			out = append(out, Reference{Field: f.Name, Text: s, Cell: cell, Path: path, types: f.Of, Line: c.lineHolding(f.Name, s)})
		}
	}
	_, held, _ := c.Statement()
	for _, name := range c.needs {
		out = append(out, Reference{Field: held, Text: name, Cell: name, Line: c.LineOf(held)})
	}
	if c.Type == "note" {
		out = append(out, ProseRefs(c.Body, c.Line+1)...)
	}
	return out
}

func isLiteral(f Field, s string) bool {
	return slices.Contains(f.Literal, s) || len(f.Literal) > 0 && strings.HasPrefix(s, "run:") && len(s) > len("run:")
}

// ProseRefs lists the values that a text embeds.
func ProseRefs(s string, line int) []Reference {
	var out []Reference
	for i, l := range strings.Split(s, "\n") {
		for _, m := range Embedded.FindAllStringSubmatch(l, -1) {
			cell, path, _ := strings.Cut(m[1], ".")
			out = append(out, Reference{Text: m[1], Cell: cell, Path: path, Line: line + i})
		}
	}
	return out
}

// UsedParams are the parameters that a body names, as cell.name.
func (c *Cell) UsedParams() []string {
	var out []string
	for _, line := range strings.Split(c.Body, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") || c.Type == "params" {
			continue
		}
		for _, m := range paramRef.FindAllStringSubmatch(line, -1) {
			out = append(out, m[1]+"."+m[2])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Refs lists the cells that a cell refers to, parameters included, each once in the order of its fields.
func (d *Document) Refs(c *Cell) []string {
	out := []string{}
	add := func(name string) {
		if d.Cell(name) != nil && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, r := range c.Refs() {
		add(r.Cell)
	}
	for _, p := range c.UsedParams() {
		name, _, _ := strings.Cut(p, ".")
		add(name)
	}
	return out
}

// Upstream lists the cells that a cell needs, without parameters, each once.
func (d *Document) Upstream(c *Cell) []string {
	var out []string
	for _, r := range c.Refs() {
		if up := d.Cell(r.Cell); up != nil && up.Type != "params" && !slices.Contains(out, r.Cell) {
			out = append(out, r.Cell)
		}
	}
	return out
}

// references checks that every reference leads to a cell of a fitting type, and that none leads back to itself.
func (r *Reader) references() {
	d := r.Document
	names := d.Names()
	wrong := map[any]bool{}
	for _, p := range r.Wrong {
		wrong[p.Params["cell"]] = true
	}
	check := func(ref Reference, c *Cell) {
		if len(r.Wrong) > MaxMistakes {
			return
		}
		to := d.Cell(ref.Cell)
		if to != nil && wrong[to.Name] {
			return // that is said already
		}
		if to == nil {
			p := d.Wrong(ref.Line, c, "ref_unknown", "%s refers to %q, and there is no cell of this name%s", in(ref), ref.Cell,
				pattern.Meant(ref.Cell, names))
			r.add(Among(Refers(p, ref.Field, ref.Cell), ref.Cell, names).WithHint("cells: %s", strings.Join(names, ", ")))
			return
		}
		if to.Type == "params" {
			r.param(ref, to, c)
			return
		}
		schema, _ := SchemaOf(to.Type)
		if len(ref.types) > 0 && !slices.Contains(ref.types, schema.Publishes) {
			p := d.Wrong(ref.Line, c, "ref_type", "%s refers to %s, which is a %s", in(ref), ref.Text, to.Type)
			r.add(Refers(p, ref.Field, ref.Text).With("type", to.Type).With("among", strings.Join(cellsOf(ref.types), ", ")).
				WithHint("it takes %s", strings.Join(ref.types, " or ")))
		}
	}
	for _, b := range d.Blocks {
		switch {
		case len(r.Wrong) > MaxMistakes:
			return
		case b.Cell != nil && !wrong[b.Cell.Name]:
			for _, ref := range b.Cell.Refs() {
				check(ref, b.Cell)
			}
		case b.Kind == ProseBlock:
			for _, ref := range ProseRefs(d.Text(b), b.Line) {
				check(ref, nil)
			}
		}
	}
	if len(r.Wrong) > 0 {
		return
	}
	if _, cycle := d.Order(nil); cycle != nil {
		r.add(d.Cycle(cycle, cycle[0]))
	}
}

// Cycle is the mistake of cells that need each other in a circle, told at one of them.
func (d *Document) Cycle(names []string, name string) *problem.Problem {
	c := d.Cell(name)
	round := append(slices.Clone(names), names[0])
	return d.Wrong(c.Line, c, "ref_cycle", "the cell needs itself: %s", strings.Join(round, " → ")).
		With("round", strings.Join(round, " → ")).
		WithHint("take out one of these references")
}

func (r *Reader) param(ref Reference, to, c *Cell) {
	var names []string
	for _, p := range to.Params() {
		names = append(names, p.Name)
	}
	if ref.Field != "" || !slices.Contains(names, ref.Path) {
		p := r.Document.Wrong(ref.Line, c, "param_unknown", "%s refers to %s, which is no parameter%s", in(ref), ref.Text,
			pattern.Meant(ref.Path, names))
		r.add(Among(Refers(p, ref.Field, ref.Text), ref.Path, names).With("mistake", "cell").With("name", ref.Text).
			WithHint("in a cell write ${%s}", ref.Text))
	}
}

// cellsOf are the types of cells that publish one of some types.
func cellsOf(published []string) []string {
	var out []string
	for _, s := range schemas() {
		if slices.Contains(published, s.Publishes) {
			out = append(out, s.Type)
		}
	}
	return out
}

func in(ref Reference) string {
	if ref.Field == "" {
		return "the text"
	}
	return ref.Field
}

// Order sorts the cells so that each stands behind what it needs, and otherwise as on the page. A cycle is returned instead. Cells
// that are without need nothing.
func (d *Document) Order(without map[string]bool) (sorted []*Cell, cycle []string) {
	state := map[string]int{} // 1 begun, 2 done
	var path []string
	var visit func(c *Cell) bool
	visit = func(c *Cell) bool {
		switch state[c.Name] {
		case 2:
			return true
		case 1:
			cycle = slices.Clone(path[slices.Index(path, c.Name):])
			return false
		}
		state[c.Name] = 1
		path = append(path, c.Name)
		for _, name := range d.Upstream(c) {
			if !without[c.Name] && !visit(d.Cell(name)) {
				return false
			}
		}
		path = path[:len(path)-1]
		state[c.Name] = 2
		sorted = append(sorted, c)
		return true
	}
	for _, c := range d.Cells() {
		if !visit(c) {
			return nil, cycle
		}
	}
	return sorted, nil
}

// Ancestors are a cell and everything it needs.
func (d *Document) Ancestors(name string) map[string]bool {
	out := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		c := d.Cell(name)
		if c == nil || out[name] {
			return
		}
		out[name] = true
		for _, up := range d.Upstream(c) {
			visit(up)
		}
	}
	visit(name)
	return out
}
