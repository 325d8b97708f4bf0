package document

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// WithBody returns the document with another body in one cell; every other byte stays. A missing line end is added. The new body may
// be wrong YAML: what is wrong is listed as by [Read]. A body that would close its own fence is a Problem.
func (d *Document) WithBody(name, body string) (*Document, []*problem.Problem, error) {
	c := d.Cell(name)
	if c == nil {
		return nil, nil, d.NoCell(name)
	}
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += c.newline
	}
	out, wrong := Read(d.Name, slices.Concat(d.source[:c.bodyStart], []byte(body), d.source[c.bodyEnd:]))
	if edited := out.Cell(name); edited == nil || edited.Body != body || len(out.Blocks) != len(d.Blocks) {
		return nil, nil, d.Wrong(c.Line, c, "cell_fence", "the body holds a line that closes its fence").
			WithHint("indent the line of backticks")
	}
	return out, wrong, nil
}

// Insert returns the document with a text before block at; at may be the number of blocks. The text is a cell or prose.
func (d *Document) Insert(at int, text string) (*Document, []*problem.Problem) {
	offset := len(d.source)
	if at >= 0 && at < len(d.Blocks) {
		offset = d.Blocks[at].Start
	}
	return Read(d.Name, slices.Concat(d.source[:offset], []byte(text), d.source[offset:]))
}

// InsertCell returns the document with a new cell before block at, with an empty line around it where there is none. A name that is
// empty or taken becomes a free one; the name is returned.
func (d *Document) InsertCell(at int, cellType, name, body string) (*Document, string, []*problem.Problem, error) {
	if _, known := SchemaOf(cellType); !known {
		p := problem.New(problem.Invalid, "cell_type", "there is no cell type %q%s", cellType, text.Meant(cellType, CellTypes()))
		return nil, "", nil, Among(p, cellType, CellTypes()).With("type", cellType).With("field", "type").
			WithHint("types: %s", strings.Join(CellTypes(), ", "))
	}
	if name != "" && (!nameShape.MatchString(name) || reserved[name]) {
		return nil, "", nil, badName(name)
	}
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == FrontBlock {
		at = max(at, 1)
	}
	at = min(max(at, 0), len(d.Blocks))
	name = d.FreeName(cellType, name)
	newline, before := d.newline(), d.source
	if at < len(d.Blocks) {
		before = d.source[:d.Blocks[at].Start]
	}
	after := d.source[len(before):]
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += newline
	}
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	text := fence + "rag " + cellType + " " + name + newline + body + fence + newline
	if len(before) > 0 {
		text = strings.Repeat(newline, 2-min(2, lineEnds(before))) + text
	}
	if len(after) > 0 && !strings.HasPrefix(strings.TrimLeft(string(after), " \t\r"), "\n") {
		text += newline
	}
	out, wrong := Read(d.Name, slices.Concat(before, []byte(text), after))
	if out.Cell(name) == nil || out.Cell(name).Body != body {
		return nil, "", nil, problem.New(problem.Conflict, "cell_place", "a cell cannot stand there: the text before it is not closed").
			WithHint("close the code fence before it")
	}
	return out, name, wrong, nil
}

// lineEnds counts the line ends that a text ends with.
func lineEnds(s []byte) int {
	trimmed := strings.TrimRight(string(s), "\r\n")
	return strings.Count(string(s[len(trimmed):]), "\n")
}

// FreeName is a name that no cell has: wish when it is free, else wish or the type with a number.
func (d *Document) FreeName(cellType, wish string) string {
	if wish == "" {
		wish = cellType
	}
	name := wish
	for i := 2; d.Cell(name) != nil; i++ {
		name = wish + strconv.Itoa(i)
	}
	return name
}

// RemoveBlock returns the document without a block. The front matter stays.
func (d *Document) RemoveBlock(i int) (*Document, []*problem.Problem, error) {
	if err := d.checkBlock(i); err != nil {
		return nil, nil, err
	}
	b := d.Blocks[i]
	before, after := d.source[:b.Start], d.source[b.End:]
	if lineEnds(before) > 1 { // one empty line stays of the two that stood around it
		after = []byte(strings.TrimLeft(string(after), "\r\n"))
	}
	out, wrong := Read(d.Name, slices.Concat(before, after))
	return out, wrong, nil
}

// WithProse returns the document with another text in a block of prose. A text that opens a cell makes one.
func (d *Document) WithProse(i int, text string) (*Document, []*problem.Problem, error) {
	if err := d.checkBlock(i); err != nil {
		return nil, nil, err
	}
	b := d.Blocks[i]
	if b.Kind != ProseBlock {
		return nil, nil, problem.New(problem.Invalid, "block_kind", "block %d is no prose", i).With("field", "block")
	}
	if text != "" && !strings.HasSuffix(text, "\n") && b.End < len(d.source) {
		text += d.newline()
	}
	out, wrong := Read(d.Name, slices.Concat(d.source[:b.Start], []byte(text), d.source[b.End:]))
	return out, wrong, nil
}

// Remove returns the document without a cell.
func (d *Document) Remove(name string) (*Document, []*problem.Problem, error) {
	i := d.Block(name)
	if i < 0 {
		return nil, nil, d.NoCell(name)
	}
	return d.RemoveBlock(i)
}

// Move returns the document with a cell behind the next block, or before the one above; at the ends it stays as it is.
func (d *Document) Move(name string, down bool) (*Document, []*problem.Problem, error) {
	i := d.Block(name)
	if i < 0 {
		return nil, nil, d.NoCell(name)
	}
	out, _, wrong, err := d.MoveBlock(i, down)
	return out, wrong, err
}

// MoveBlock returns the document with a block behind the next one, or before the one above, and its new place. Prose that holds only
// empty lines is no neighbour: it stays between the two.
func (d *Document) MoveBlock(i int, down bool) (*Document, int, []*problem.Problem, error) {
	if err := d.checkBlock(i); err != nil {
		return nil, i, nil, err
	}
	step := map[bool]int{true: 1, false: -1}[down]
	j := i + step
	for j >= 0 && j < len(d.Blocks) && d.blank(j) {
		j += step
	}
	if j < 0 || j >= len(d.Blocks) || d.Blocks[j].Kind == FrontBlock {
		out, wrong := Read(d.Name, d.source)
		return out, i, wrong, nil
	}
	a, b := d.Blocks[min(i, j)], d.Blocks[max(i, j)]
	second := d.source[b.Start:b.End]
	var gap []byte
	if len(second) > 0 && second[len(second)-1] != '\n' { // the last line of the file had no end
		gap = []byte("\n")
	}
	out, wrong := Read(d.Name, slices.Concat(d.source[:a.Start], second, gap, d.source[a.End:b.Start], d.source[a.Start:a.End],
		d.source[b.End:]))
	return out, min(j, len(out.Blocks)-1), wrong, nil
}

func (d *Document) blank(i int) bool {
	return d.Blocks[i].Kind == ProseBlock && strings.TrimSpace(d.Text(d.Blocks[i])) == ""
}

func (d *Document) checkBlock(i int) error {
	if i < 0 || i >= len(d.Blocks) {
		return problem.New(problem.NotFound, "block_unknown", "there is no block %d; the document has %d", i, len(d.Blocks)).
			With("field", "block")
	}
	if d.Blocks[i].Kind == FrontBlock {
		return problem.New(problem.Invalid, "block_front", "the front matter stays where it is").With("field", "block")
	}
	return nil
}

// Block is the index of a cell's block; -1 when there is no such cell.
func (d *Document) Block(name string) int {
	return slices.IndexFunc(d.Blocks, func(b Block) bool { return b.Cell != nil && b.Cell.Name == name })
}

// NoCell says that there is no cell of this name.
func (d *Document) NoCell(name string) *problem.Problem {
	return problem.New(problem.NotFound, "cell_unknown", "%s has no cell %q%s", d.Name, name, text.Meant(name, d.Names())).
		With("cell", name).WithHint("cells: %s", strings.Join(d.Names(), ", "))
}

func badName(name string) *problem.Problem {
	return problem.New(problem.Invalid, "cell_name", "%q is no name for a cell", name).With("field", "name").With("name", name).
		WithHint("use letters, digits, - and _, beginning with a letter")
}

// Names are the names of the cells.
func (d *Document) Names() []string {
	var out []string
	for _, c := range d.Cells() {
		out = append(out, c.Name)
	}
	return out
}
