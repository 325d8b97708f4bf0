package notebooks

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	pattern "github.com/rag-workbench/workbench/internal/text"
)

// embedded is a value in prose: {{ c1.worse.count }}.
var embedded = pattern.Lazy(`\{\{\s*([^{}\s]+)\s*\}\}`)

// reference is one mention of a cell.
type reference struct {
	field string // "" in prose
	text  string // as written
	cell  string // "" for a literal
	path  string
	types []string // that the cell may publish; empty for any
	line  int
}

// refs lists what a cell refers to, in the order of its schema; literals such as pinned are no references.
func (c *Cell) refs() []reference {
	schema, _ := SchemaOf(c.Type)
	var out []reference
	for _, f := range schema.Fields {
		if f.Type != RefField && f.Type != RefsField {
			continue
		}
		for _, s := range texts(c.fields[f.Name]) {
			if isLiteral(f, s) {
				continue
			}
			cell, path, _ := strings.Cut(s, ".")
			out = append(out, reference{field: f.Name, text: s, cell: cell, path: path, types: f.Of, line: c.Line + c.lines[f.Name]})
		}
	}
	_, held, _ := c.statement()
	for _, name := range c.needs {
		out = append(out, reference{field: held, text: name, cell: name, line: c.Line + c.lines[held]})
	}
	if c.Type == "note" {
		out = append(out, proseRefs(c.Body, c.Line+1)...)
	}
	return out
}

func isLiteral(f Field, s string) bool {
	return slices.Contains(f.Literal, s) || len(f.Literal) > 0 && strings.HasPrefix(s, "run:") && len(s) > len("run:")
}

func proseRefs(s string, line int) []reference {
	var out []reference
	for i, l := range strings.Split(s, "\n") {
		for _, m := range embedded.FindAllStringSubmatch(l, -1) {
			cell, path, _ := strings.Cut(m[1], ".")
			out = append(out, reference{text: m[1], cell: cell, path: path, line: line + i})
		}
	}
	return out
}

// usedParams are the parameters that a body names, as cell.name.
func (c *Cell) usedParams() []string {
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
	for _, r := range c.refs() {
		add(r.cell)
	}
	for _, p := range c.usedParams() {
		name, _, _ := strings.Cut(p, ".")
		add(name)
	}
	return out
}

// upstream lists the cells that a cell needs, without parameters, each once.
func (d *Document) upstream(c *Cell) []string {
	var out []string
	for _, r := range c.refs() {
		if up := d.Cell(r.cell); up != nil && up.Type != "params" && !slices.Contains(out, r.cell) {
			out = append(out, r.cell)
		}
	}
	return out
}

// references checks that every reference leads to a cell of a fitting type, and that none leads back to itself.
func (r *reader) references() {
	d := r.document
	names := d.names()
	wrong := map[any]bool{}
	for _, p := range r.wrong {
		wrong[p.Params["cell"]] = true
	}
	check := func(ref reference, c *Cell) {
		if len(r.wrong) > maxMistakes {
			return
		}
		to := d.Cell(ref.cell)
		if to != nil && wrong[to.Name] {
			return // that is said already
		}
		if to == nil {
			p := d.wrong(ref.line, c, "ref_unknown", "%s refers to %q, and there is no cell of this name%s", in(ref), ref.cell,
				nearest(ref.cell, names))
			r.add(among(refers(p, ref.field, ref.cell), ref.cell, names).WithHint("cells: %s", strings.Join(names, ", ")))
			return
		}
		if to.Type == "params" {
			r.param(ref, to, c)
			return
		}
		schema, _ := SchemaOf(to.Type)
		if len(ref.types) > 0 && !slices.Contains(ref.types, schema.Publishes) {
			p := d.wrong(ref.line, c, "ref_type", "%s refers to %s, which is a %s", in(ref), ref.text, to.Type)
			r.add(refers(p, ref.field, ref.text).With("type", to.Type).With("among", strings.Join(cellsOf(ref.types), ", ")).
				WithHint("it takes %s", strings.Join(ref.types, " or ")))
		}
	}
	for _, b := range d.Blocks {
		switch {
		case len(r.wrong) > maxMistakes:
			return
		case b.Cell != nil && !wrong[b.Cell.Name]:
			for _, ref := range b.Cell.refs() {
				check(ref, b.Cell)
			}
		case b.Kind == ProseBlock:
			for _, ref := range proseRefs(d.Text(b), b.Line) {
				check(ref, nil)
			}
		}
	}
	if len(r.wrong) > 0 {
		return
	}
	if _, cycle := d.order(nil); cycle != nil {
		r.add(d.cycle(cycle, cycle[0]))
	}
}

func (d *Document) cycle(names []string, name string) *problem.Problem {
	c := d.Cell(name)
	round := append(slices.Clone(names), names[0])
	return d.wrong(c.Line, c, "ref_cycle", "the cell needs itself: %s", strings.Join(round, " → ")).
		With("round", strings.Join(round, " → ")).
		WithHint("take out one of these references")
}

func (r *reader) param(ref reference, to, c *Cell) {
	var names []string
	for _, p := range to.Params() {
		names = append(names, p.Name)
	}
	if ref.field != "" || !slices.Contains(names, ref.path) {
		p := r.document.wrong(ref.line, c, "param_unknown", "%s refers to %s, which is no parameter%s", in(ref), ref.text,
			nearest(ref.path, names))
		r.add(among(refers(p, ref.field, ref.text), ref.path, names).With("mistake", "cell").With("name", ref.text).
			WithHint("in a cell write ${%s}", ref.text))
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

func in(ref reference) string {
	if ref.field == "" {
		return "the text"
	}
	return ref.field
}

// order sorts the cells so that each stands behind what it needs, and otherwise as on the page. A cycle is returned instead. Cells
// that are without need nothing.
func (d *Document) order(without map[string]bool) (sorted []*Cell, cycle []string) {
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
		for _, name := range d.upstream(c) {
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

// ancestors are a cell and everything it needs.
func (d *Document) ancestors(name string) map[string]bool {
	out := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		c := d.Cell(name)
		if c == nil || out[name] {
			return
		}
		out[name] = true
		for _, up := range d.upstream(c) {
			visit(up)
		}
	}
	visit(name)
	return out
}
