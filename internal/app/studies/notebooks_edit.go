package studies

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// EditNotebook does one edit of a text, without saving it. It returns the text, the block to select, and what is wrong with the text.
func EditNotebook(text string, e NotebookEdit) (NotebookEdited, error) {
	d, _ := document.Read("notebook", []byte(text))
	at := e.Block
	if e.Cell != "" {
		if at = d.Block(e.Cell); at < 0 && e.Operation != "insert" {
			_, _, err := d.Remove(e.Cell) // says that there is no such cell, and which is near
			return NotebookEdited{}, err
		}
	}
	out, cell, at, err := e.apply(d, at)
	if err != nil {
		return NotebookEdited{}, err
	}
	if cell != "" {
		at = out.Block(cell)
	}
	if at = min(at, len(out.Blocks)-1); cell == "" && at >= 0 && out.Blocks[at].Cell != nil {
		cell = out.Blocks[at].Cell.Name
	}
	edited := NotebookEdited{Text: string(out.Bytes()), Block: at, Cell: cell, Problems: []NotebookProblem{}}
	_, wrong := document.Read("notebook", out.Bytes())
	for _, p := range wrong {
		edited.Problems = append(edited.Problems, notebookProblem(p))
	}
	return edited, nil
}

// NotebookEdit is one edit of a text: insert, body, fields, prose, remove, move, rename or front.
type NotebookEdit struct {
	Operation string
	Block     int    // index
	Cell      string // in the place of Block
	Type      string
	Name      string
	Body      *string
	Prose     *string
	Fields    map[string]any
	Down      bool
}

// NotebookEdited is a text after an edit.
type NotebookEdited struct {
	Text     string            `json:"text"`
	Block    int               `json:"block"` // to be selected; -1 when nothing is left
	Cell     string            `json:"cell,omitempty"`
	Problems []NotebookProblem `json:"problems"`
}

func (e NotebookEdit) apply(d *document.Document, at int) (out *document.Document, cell string, block int, err error) {
	body, prose := "", ""
	if e.Body != nil {
		body = *e.Body
	}
	if e.Prose != nil {
		prose = *e.Prose
	}
	switch e.Operation {
	case "insert":
		if e.Prose != nil {
			out, _ = d.Insert(max(at, min(1, len(d.Blocks))), prose)
			return out, "", at, nil
		}
		if e.Body == nil {
			body = document.Starter(e.Type, d)
		}
		out, cell, _, err = d.InsertCell(at, e.Type, e.Name, body)
		return out, cell, at, err
	case "body":
		out, _, err = d.WithBody(e.Cell, body)
	case "fields":
		out, _, err = d.WithFields(e.Cell, e.Fields)
	case "prose":
		out, _, err = d.WithProse(at, prose)
	case "remove":
		out, _, err = d.RemoveBlock(at)
		return out, "", at, err
	case "move":
		out, at, _, err = d.MoveBlock(at, e.Down)
	case "rename":
		out, _, err = d.Rename(e.Cell, e.Name)
		return out, e.Name, at, err
	case "front":
		out, _, err = d.WithFront(e.Fields)
	default:
		err = problem.New(problem.Invalid, "notebook_operation", "there is no operation %q", e.Operation).With("field", "operation").
			WithHint("operations: %s", strings.Join(NotebookOperations, ", "))
	}
	return out, e.Cell, at, err
}

// NotebookOperations are the edits that [EditNotebook] knows.
var NotebookOperations = slices.Sorted(slices.Values([]string{"insert", "body", "fields", "prose", "remove", "move", "rename", "front"}))
