package notebooks

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// WithBody returns the document with another body in one cell; every other byte stays. A missing line end is added. The new body may
// be wrong YAML: what is wrong is listed as by [Read]. A body that would close its own fence is a Problem.
func (d *Document) WithBody(name, body string) (*Document, []*problem.Problem, error) {
	c := d.Cell(name)
	if c == nil {
		return nil, nil, d.noCell(name)
	}
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += c.newline
	}
	out, wrong := Read(d.Name, slices.Concat(d.source[:c.bodyStart], []byte(body), d.source[c.bodyEnd:]))
	if edited := out.Cell(name); edited == nil || edited.Body != body || len(out.Blocks) != len(d.Blocks) {
		return nil, nil, d.wrong(c.Line, c, "cell_fence", "the body holds a line that closes its fence").WithHint("indent the line of backticks")
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

// Remove returns the document without a cell.
func (d *Document) Remove(name string) (*Document, []*problem.Problem, error) {
	i := d.block(name)
	if i < 0 {
		return nil, nil, d.noCell(name)
	}
	b := d.Blocks[i]
	out, wrong := Read(d.Name, slices.Concat(d.source[:b.Start], d.source[b.End:]))
	return out, wrong, nil
}

// Move returns the document with a cell one block further down, or up; at the ends it stays as it is.
func (d *Document) Move(name string, down bool) (*Document, []*problem.Problem, error) {
	i := d.block(name)
	if i < 0 {
		return nil, nil, d.noCell(name)
	}
	if !down {
		i--
	}
	if i < 0 || i+1 >= len(d.Blocks) || d.Blocks[i].Kind == FrontBlock {
		out, wrong := Read(d.Name, d.source)
		return out, wrong, nil
	}
	a, b := d.Blocks[i], d.Blocks[i+1]
	second := d.source[b.Start:b.End]
	var gap []byte
	if len(second) > 0 && second[len(second)-1] != '\n' { // the last line of the file had no end
		gap = []byte("\n")
	}
	out, wrong := Read(d.Name, slices.Concat(d.source[:a.Start], second, gap, d.source[a.Start:a.End], d.source[b.End:]))
	return out, wrong, nil
}

func (d *Document) block(name string) int {
	return slices.IndexFunc(d.Blocks, func(b Block) bool { return b.Cell != nil && b.Cell.Name == name })
}

func (d *Document) noCell(name string) *problem.Problem {
	return problem.New(problem.NotFound, "cell_unknown", "%s has no cell %q%s", d.Name, name, nearest(name, d.names())).With("cell", name)
}

func (d *Document) names() []string {
	var out []string
	for _, c := range d.Cells() {
		out = append(out, c.Name)
	}
	return out
}
