package experiments

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Draft is a question that was proposed and not yet reviewed.
type Draft struct {
	Question Question
	Category string // "single_hop_specific", …
	Note     string // for the reviewer
}

// The review of a drafted sheet. A sheet with the column review_status holds a review: only rows that say accepted are imported.
const (
	reviewColumn     = "review_status"
	reviewNoteColumn = "review_note"
	reviewProposed   = "proposed"
)

// reviewAccepted are the spellings of accepted, folded; everything else is not.
var reviewAccepted = []string{"accepted", "accept", "ok", "yes", "採用", "承認", "○", "〇"}

// reviewColumns are the names of the column with the decision, as [columnKey] writes them.
var reviewColumns = []string{reviewColumn, "レビュー状況", "採否"}

// accept drops the rows of a reviewed sheet that are not accepted, before anything in them can be wrong, and the columns of the
// review. It leaves other files as they are.
func (t *table) accept(file string) error {
	status := slices.IndexFunc(t.columns, func(c string) bool { return slices.Contains(reviewColumns, columnKey(c)) })
	if status < 0 {
		return nil
	}
	all := len(t.rows)
	t.rows = slices.DeleteFunc(t.rows, func(r tableRow) bool {
		s, _ := r.cell(status).(string)
		return !slices.Contains(reviewAccepted, strings.ToLower(strings.TrimSpace(norm.NFKC.String(s))))
	})
	if len(t.rows) == 0 && all > 0 {
		return problem.New(problem.Invalid, "draft_unreviewed", "%s holds %s and none of them is accepted", file, plural(all, "drafted question")).
			With("file", file).WithHint("read them, correct them, and write accepted into the column %s of those to take", t.columns[status])
	}
	for i, c := range t.columns {
		if i == status || columnKey(c) == reviewNoteColumn {
			for _, r := range t.rows {
				r.clear(i)
			}
		}
	}
	t.notes = append(t.notes, fmt.Sprintf("column %s: %d of %s accepted, the others left out", t.columns[status], len(t.rows), plural(all, "row")))
	return nil
}

// clear empties a cell.
func (r tableRow) clear(column int) {
	if r.columns != nil {
		if i, found := slices.BinarySearch(r.columns, column); found {
			r.cells[i] = nil
		}
		return
	}
	if column < len(r.cells) {
		r.cells[column] = nil
	}
}

// draftColumns are the columns of a drafted sheet with their widths, named so that [ReadDataset] knows them.
var draftColumns = []struct {
	name  string
	width float64
}{
	{reviewColumn, 14}, {reviewNoteColumn, 24}, {fieldID, 12}, {fieldQuestion, 60}, {fieldReference, 60}, {fieldEvidence, 60}, {fieldCategory, 20}, {fieldLang, 6},
}

type draftEvidence struct {
	rag.Span
	Quote string `json:"quote"`
}

func (d Draft) row() (map[string]any, error) {
	evidence := make([]draftEvidence, len(d.Question.Evidence))
	for i, e := range d.Question.Evidence {
		evidence[i] = draftEvidence(e)
	}
	var body strings.Builder
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // people read it
	if err := enc.Encode(evidence); err != nil {
		return nil, err
	}
	return map[string]any{
		reviewColumn: reviewProposed, reviewNoteColumn: d.Note, fieldID: d.Question.ID, fieldQuestion: d.Question.Text, fieldReference: d.Question.Reference,
		fieldEvidence: strings.TrimSpace(body.String()), fieldCategory: d.Category, fieldLang: d.Question.Lang,
	}, nil
}

// WriteDrafts writes drafts as a sheet to be reviewed: "xlsx", with a choice of decisions in the first column, or "jsonl".
// [ReadDataset] takes the accepted rows of either.
func WriteDrafts(w io.Writer, format string, drafts []Draft) error {
	switch format {
	case "xlsx":
		return writeDraftBook(w, drafts)
	case "jsonl":
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, d := range drafts {
			row, err := d.row()
			if err != nil {
				return err
			}
			row[fieldEvidence] = json.RawMessage(row[fieldEvidence].(string))
			if err := enc.Encode(row); err != nil {
				return err
			}
		}
		return nil
	}
	return problem.New(problem.Invalid, "draft_format", "drafts are not written as %q", format).WithHint("name the file .xlsx or .jsonl")
}

func writeDraftBook(w io.Writer, drafts []Draft) (err error) {
	f := excelize.NewFile()
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	const sheet = "questions"
	b := &draftBook{file: f, sheet: sheet}
	b.keep(f.SetSheetName("Sheet1", sheet))
	b.style()
	for i, c := range draftColumns {
		b.set(i+1, 1, c.name)
		name, e := excelize.ColumnNumberToName(i + 1)
		b.keep(e)
		b.keep(f.SetColWidth(sheet, name, name, c.width))
	}
	for i, d := range drafts {
		row, e := d.row()
		b.keep(e)
		for k, c := range draftColumns {
			b.set(k+1, i+2, row[c.name])
		}
	}
	choice := excelize.NewDataValidation(true)
	choice.Sqref = fmt.Sprintf("A2:A%d", len(drafts)+1)
	b.keep(choice.SetDropList([]string{reviewProposed, reviewAccepted[0], "rejected"}))
	b.keep(f.AddDataValidation(sheet, choice))
	b.keep(f.SetPanes(sheet, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}))
	if b.err != nil {
		return fmt.Errorf("write drafts: %w", b.err)
	}
	return f.Write(w)
}

// draftBook keeps the first error; everything after it does nothing.
type draftBook struct {
	file       *excelize.File
	sheet      string
	head, body int
	err        error
}

func (b *draftBook) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *draftBook) style() {
	var err error
	b.head, err = b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	b.keep(err)
	b.body, err = b.file.NewStyle(&excelize.Style{Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	b.keep(err)
}

// set writes a text, never a formula: SetCellStr stores what looks like one as text.
func (b *draftBook) set(column, row int, value any) {
	cell, err := excelize.CoordinatesToCellName(column, row)
	b.keep(err)
	b.keep(b.file.SetCellStr(b.sheet, cell, fmt.Sprint(value)))
	style := b.body
	if row == 1 {
		style = b.head
	}
	b.keep(b.file.SetCellStyle(b.sheet, cell, cell, style))
}
