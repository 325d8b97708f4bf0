// Package document reads and edits the text of an evaluation notebook, and knows what its cells may say and publish. It computes
// nothing and asks nobody.
//
// A document (*.rag.md) is prose with fences "rag TYPE NAME" that hold YAML. [Read] takes it apart without losing a byte, so that
// [Document.Bytes] gives back what was read and [Document.WithBody] changes nothing but one cell. What a cell may say is data:
// [Schemas] lists types, fields and what is published, in English and Japanese, for forms, completion and documentation.
//
// Each cell publishes one named value, such as a [RunSet] or [Rows]. A reference is a name (qa), a name with a field (r1.best), or
// ${p.k} for a parameter; prose embeds values as {{ c1.worse.count }}. References form the graph; the order on the page is for readers.
package document

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
	pattern "github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// BlockKind says what a stretch of a document is.
type BlockKind string

// The kinds of blocks.
const (
	FrontBlock BlockKind = "front" // the front matter with its two lines of dashes
	ProseBlock BlockKind = "prose" // Markdown between cells, code fences of other languages included
	CellBlock  BlockKind = "cell"  // a fence "rag TYPE NAME" with its body and closing line
)

// Block is a stretch of a document. The blocks follow each other without gaps and make up the whole document.
type Block struct {
	Kind  BlockKind `json:"kind"`
	Line  int       `json:"line"` // from 1
	Start int       `json:"-"`    // bytes
	End   int       `json:"-"`
	Cell  *Cell     `json:"cell,omitempty"`
}

// Cell is one executable fence.
type Cell struct {
	Type string `json:"type"`
	Name string `json:"name"`
	Line int    `json:"line"` // of the opening fence
	Body string `json:"body"` // the bytes between the fences

	bodyStart, bodyEnd int
	newline            string         // that the opening line ends with
	Values             map[string]any `json:"-"` // with the parameters' defaults put in; nil when the body cannot be read
	Lines              map[string]int `json:"-"` // of the fields, dotted
	Plan               *sqlbox.Plan   `json:"-"` // of a query that can be read
	needs              []string       // cells whose tables the query reads
}

// LineOf is the line of a field in the document, or of what it stands below; of the opening fence where the cell does not say it.
func (c *Cell) LineOf(field string) int { return c.Line + yaml.LineOf(c.Lines, field) }

// Document is a notebook's text, taken apart. It never changes; editing makes another one.
type Document struct {
	Name   string  // of the file, for messages
	Front  Front   // zero when it cannot be read
	Blocks []Block // in order, without gaps
	source []byte
	Shape  []*problem.Problem `json:"-"` // what is wrong whatever the parameters are
}

// Bytes is the text, byte for byte as it was read or edited.
func (d *Document) Bytes() []byte { return bytes.Clone(d.source) }

// Text is the text of a block.
func (d *Document) Text(b Block) string { return string(d.source[b.Start:b.End]) }

// Cells lists the cells in the order of the page.
func (d *Document) Cells() []*Cell {
	var out []*Cell
	for _, b := range d.Blocks {
		if b.Cell != nil {
			out = append(out, b.Cell)
		}
	}
	return out
}

// Cell finds a cell by name; nil when there is none.
func (d *Document) Cell(name string) *Cell {
	for _, b := range d.Blocks {
		if b.Cell != nil && b.Cell.Name == name {
			return b.Cell
		}
	}
	return nil
}

// The bounds of a document: its size, its cells, and how many mistakes are listed.
const (
	MaxBytes    = 4 << 20
	MaxCells    = 500
	MaxMistakes = 200
)

// Parse reads a document and returns the first thing that is wrong with it, with file, line, cell and hint.
func Parse(name string, source []byte) (*Document, error) {
	d, wrong := Read(name, source)
	if len(wrong) > 0 {
		return d, wrong[0]
	}
	return d, nil
}

// Read takes any text apart and lists everything that is wrong with it, top to bottom within each kind of mistake. The document
// is whole in any case, so that an editor can show and mend it.
func Read(name string, source []byte) (*Document, []*problem.Problem) {
	d := &Document{Name: name, source: bytes.Clone(source)}
	if len(source) > MaxBytes {
		d.Blocks = []Block{{Kind: ProseBlock, Line: 1, End: len(source)}}
		return d, []*problem.Problem{d.Wrong(1, nil, "notebook_too_large", "the notebook is larger than %d MiB", MaxBytes>>20).
			With("most", MaxBytes>>20)}
	}
	r := Reader{Document: d}
	r.blocks()
	r.front()
	r.params()
	r.fires()
	d.Shape = slices.Clone(r.Wrong)
	r.Cells(d.ParamValues(nil))
	return d, r.Wrong
}

// Reader collects what is wrong while a document is read.
type Reader struct {
	Document *Document
	Wrong    []*problem.Problem
}

func (r *Reader) add(p *problem.Problem) { r.Wrong = append(r.Wrong, p) }

// Wrong makes a problem of one line of the document.
func (d *Document) Wrong(line int, c *Cell, code, format string, args ...any) *problem.Problem {
	p := problem.New(problem.Invalid, code, format, args...)
	where := d.Name + ":" + strconv.Itoa(line) + ": "
	if c != nil {
		where += "cell " + c.Name + ": "
		p = p.With("cell", c.Name)
	}
	p.Message = where + p.Message
	return p.With("file", d.Name).With("line", line)
}

// at is what is wrong by itself, as something that is wrong on a line of the document.
func (d *Document) at(line int, err error) *problem.Problem {
	p := problem.From(err)
	p.Message = d.Name + ":" + strconv.Itoa(line) + ": " + p.Message
	return p.With("file", d.Name).With("line", line)
}

var (
	fenceLine = pattern.Lazy("^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$")
	nameShape = pattern.Lazy(`^[\p{L}_][\p{L}\p{N}_-]{0,63}$`)
)

// blocks finds the front matter and the cells.
func (r *Reader) blocks() {
	d := r.Document
	s := scanner{source: d.source}
	prose := Block{Kind: ProseBlock, Line: 1}
	flush := func(to int) {
		if prose.End = to; prose.End > prose.Start {
			d.Blocks = append(d.Blocks, prose)
		}
	}
	if end := s.front(); end > 0 {
		d.Blocks = append(d.Blocks, Block{Kind: FrontBlock, Line: 1, End: end})
		prose.Start, prose.Line = end, s.line
	}
	cells := 0
	for s.more() {
		start, line := s.at, s.line
		text := s.next()
		m := fenceLine.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		words := strings.Fields(m[2])
		isCell := m[1][0] == '`' && len(words) > 0 && words[0] == "rag"
		bodyStart := s.at
		bodyEnd, closed := s.close(m[1])
		if !isCell {
			continue
		}
		if cells++; cells > MaxCells { // what follows is shown as prose
			r.add(d.Wrong(line, nil, "notebook_cells", "the notebook has more than %d cells", MaxCells).
				With("most", MaxCells).WithHint("split it into several notebooks"))
			break
		}
		flush(start)
		c := &Cell{Line: line, Body: string(d.source[bodyStart:bodyEnd]), bodyStart: bodyStart, bodyEnd: bodyEnd, newline: "\n"}
		if strings.HasSuffix(string(d.source[start:bodyStart]), "\r\n") {
			c.newline = "\r\n"
		}
		r.opening(c, words, closed)
		d.Blocks = append(d.Blocks, Block{Kind: CellBlock, Line: line, Start: start, End: s.at, Cell: c})
		prose.Start, prose.Line = s.at, s.line
	}
	flush(len(d.source))
}

// opening reads the words of a cell's first line.
func (r *Reader) opening(c *Cell, words []string, closed bool) {
	d := r.Document
	if len(words) > 1 {
		c.Type = words[1]
	}
	if len(words) > 2 {
		c.Name = words[2]
	}
	_, known := SchemaOf(c.Type)
	switch {
	case len(words) != 3:
		p := d.Wrong(c.Line, nil, "cell_opening", "a cell begins with three words: rag TYPE NAME").WithHint("for example: ```rag run r1")
		if len(words) > 3 {
			p.WithHint("a name has no spaces: ```rag %s %s", c.Type, strings.Join(words[2:], "-"))
		}
		r.add(p)
	case !known:
		p := d.Wrong(c.Line, c, "cell_type", "there is no cell type %q%s", c.Type, pattern.Meant(c.Type, CellTypes()))
		r.add(Among(p, c.Type, CellTypes()).With("type", c.Type).WithHint("types: %s", strings.Join(CellTypes(), ", ")))
	case !nameShape.MatchString(c.Name) || reserved[c.Name]:
		r.add(d.Wrong(c.Line, c, "cell_name", "%q is no name for a cell", c.Name).With("name", c.Name).
			WithHint("use letters, digits, - and _, beginning with a letter"))
	case !closed:
		r.add(d.Wrong(c.Line, c, "cell_open", "the cell is not closed").WithHint("end it with a line of three backticks"))
	}
}

// reserved are words that stand for something else where a cell could be named.
var reserved = map[string]bool{"pinned": true}

// scanner walks the lines of a text.
type scanner struct {
	source []byte
	at     int
	line   int // of the next line, from 1; 0 before the first
}

func (s *scanner) more() bool {
	if s.line == 0 {
		s.line = 1
	}
	return s.at < len(s.source)
}

// next returns the next line without its ending.
func (s *scanner) next() string {
	end := len(s.source)
	if i := bytes.IndexByte(s.source[s.at:], '\n'); i >= 0 {
		end = s.at + i + 1
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(s.source[s.at:end]), "\n"), "\r")
	s.at = end
	s.line++
	return text
}

// close goes behind the line that closes a fence, and returns where the body ends.
func (s *scanner) close(fence string) (bodyEnd int, closed bool) {
	for s.more() {
		start := s.at
		m := fenceLine.FindStringSubmatch(s.next())
		if m != nil && m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.TrimSpace(m[2]) == "" {
			return start, true
		}
	}
	return len(s.source), false
}

// front goes behind the front matter and returns where it ends; 0 without one.
func (s *scanner) front() int {
	if !s.more() || strings.TrimRight(strings.TrimPrefix(s.next(), "\ufeff"), " \t") != "---" {
		s.at, s.line = 0, 1
		return 0
	}
	for s.more() {
		if strings.TrimRight(s.next(), " \t") == "---" {
			return s.at
		}
	}
	s.at, s.line = 0, 1
	return 0
}
