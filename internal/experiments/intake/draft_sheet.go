package intake

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Draft is a question that was proposed and not yet reviewed.
type Draft struct {
	Question experiments.Question
	Category string // "single_hop_specific", …
	Note     string // for the reviewer
	Known    bool   // the question stands in a dataset already: what a reviewer decides about is its evidence alone
	Settled  bool   // of a known one: there is nothing to decide
}

// The review of a drafted sheet. A sheet with the column review_status holds a review of questions: only rows that say accepted are
// imported. In a sheet with the column evidence_status every question stays, with its evidence where the row says accepted, and where
// there was nothing to decide: it was there before, or none was found and somebody wrote some. Accepted is only what people write.
const (
	reviewColumn     = "review_status"
	evidenceColumn   = "evidence_status"
	reviewNoteColumn = "review_note"
	reviewProposed   = "proposed"

	evidenceKept = "kept" // it was there before
	evidenceNone = "none" // none was found, or there is nothing to look for
)

// reviewAccepted are the spellings of accepted, folded; everything else is not.
var reviewAccepted = []string{"accepted", "accept", "ok", "yes", "採用", "承認", "○", "〇"}

// reviewColumns are the names of the column with the decision, as [ColumnKey] writes them.
var reviewColumns = []string{reviewColumn, "レビュー状況", "採否"}

// accept drops the rows of a reviewed sheet that are not accepted, but for undecided ones where keep says so, before anything in
// them can be wrong, and the columns of the
// review. It leaves other files as they are.
func (t *Table) accept(file string, keep bool) error {
	t.acceptEvidence()
	status := slices.IndexFunc(t.Columns, func(c string) bool { return slices.Contains(reviewColumns, ColumnKey(c)) })
	if status < 0 {
		return nil
	}
	all, drafts := len(t.Rows), 0
	if keep {
		drafts = t.markDrafts(status)
	}
	t.Rows = slices.DeleteFunc(t.Rows, func(r TableRow) bool {
		return !r.draft && !r.accepted(status)
	})
	if len(t.Rows) == 0 && all > 0 {
		return problem.New(problem.Invalid, "draft_unreviewed", "%s holds %s and none of them is accepted", file,
			Plural(all, "drafted question")).
			With("file", file).WithHint("read them, correct them, and write accepted into the column %s of those to take",
			t.Columns[status])
	}
	for i, c := range t.Columns {
		if i == status || ColumnKey(c) == reviewNoteColumn {
			t.reviewed = append(t.reviewed, i)
			for _, r := range t.Rows {
				r.clear(i)
			}
		}
	}
	column, accepted, rows := t.Columns[status], len(t.Rows)-drafts, text.Count(all, "row", "行")
	note := text.Say("column %s: %d of %s accepted, the others left out", "列「%s」：%[3]sのうち%[2]d行を採用し、残りは除きました", column, accepted, rows)
	if drafts > 0 {
		note = text.Say("column %s: %d of %s accepted, %d kept as drafts to be reviewed, the others left out",
			"列「%s」：%[3]sのうち%[2]d行を採用、%[4]d行を確認待ちの下書きとして保存し、残りは除きました", column, accepted, rows, drafts)
	}
	t.Notes = append(t.Notes, note)
	return nil
}

// markDrafts marks the rows about which nobody has decided, and counts them.
func (t *Table) markDrafts(status int) int {
	n := 0
	for i, r := range t.Rows {
		said, _ := r.Cell(status).(string)
		if said = strings.TrimSpace(said); said == "" || said == reviewProposed {
			t.Rows[i].draft = true
			n++
		}
	}
	return n
}

// acceptEvidence empties the evidence of rows where nobody accepted it.
func (t *Table) acceptEvidence() {
	column := func(name string) int {
		return slices.IndexFunc(t.Columns, func(c string) bool { return ColumnKey(c) == name })
	}
	status, evidence, taken, found := column(evidenceColumn), column(fieldEvidence), 0, 0
	if status < 0 || evidence < 0 {
		return
	}
	note := column(reviewNoteColumn)
	if t.reviewed = append(t.reviewed, status); note >= 0 {
		t.reviewed = append(t.reviewed, note)
	}
	for _, r := range t.Rows {
		if said := r.Cell(evidence); said != nil && said != "" {
			found++
			if said, _ := r.Cell(status).(string); r.accepted(status) || slices.Contains([]string{evidenceKept, evidenceNone},
				strings.ToLower(strings.TrimSpace(said))) {
				taken++
			} else {
				r.clear(evidence)
			}
		}
		r.clear(status)
		if note >= 0 {
			r.clear(note)
		}
	}
	t.Notes = append(t.Notes, text.Say("column %s: the evidence of %d of %s taken, the other questions stay without",
		"列「%s」：%[3]sのうち%[2]d行の根拠を採用し、ほかの質問は根拠なしのままです", t.Columns[status], taken, text.Count(found, "row", "行")))
}

// accepted reports whether a reviewer's decision says so.
func (r TableRow) accepted(status int) bool {
	s, _ := r.Cell(status).(string)
	return slices.Contains(reviewAccepted, strings.ToLower(strings.TrimSpace(norm.NFKC.String(s))))
}

// clear empties a cell.
func (r TableRow) clear(column int) {
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

// draftColumn is a column of a drafted sheet with its width.
type draftColumn struct {
	name  string
	width float64
}

// draftColumns are the columns that every drafted sheet has, named so that [ReadDataset] knows them.
var draftColumns = []draftColumn{
	{reviewColumn, 14}, {reviewNoteColumn, 24}, {FieldID, 12}, {FieldQuestion, 60}, {FieldReference, 60}, {fieldEvidence, 60},
	{FieldCategory, 20}, {fieldLang, 6},
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
	decision := reviewProposed
	switch {
	case d.Settled && len(evidence) > 0:
		decision = evidenceKept
	case d.Settled:
		decision = evidenceNone
	}
	row := map[string]any{
		d.decided(): decision, reviewNoteColumn: d.Note, FieldID: d.Question.ID, FieldQuestion: d.Question.Text,
		FieldReference: d.Question.Reference,
		fieldEvidence:  strings.TrimSpace(body.String()), FieldCategory: d.Category, fieldLang: d.Question.Lang,
	}
	if len(evidence) == 0 {
		row[fieldEvidence] = ""
	}
	return row, d.further(row)
}

// decided is the column in which a reviewer decides.
func (d Draft) decided() string {
	if d.Known {
		return evidenceColumn
	}
	return reviewColumn
}

// further puts into a row what only questions of a dataset have, each where it is said, so that nothing of it gets lost by a review.
func (d Draft) further(row map[string]any) error {
	q := d.Question
	if len(q.References) > 0 {
		list, err := json.Marshal(q.References)
		if err != nil {
			return err
		}
		row[fieldReferences] = string(list)
	}
	if len(q.ExpectedURLs) > 0 {
		row[fieldURLs] = strings.Join(q.ExpectedURLs, " ")
	}
	if len(q.Tags) > 0 {
		row[FieldTags] = strings.Join(q.Tags, "; ")
	}
	if q.Critical {
		row[FieldCritical] = "true"
	}
	if !q.Answerable {
		row[fieldAnswerable] = "false"
	}
	for name, value := range q.Metadata {
		if _, taken := row[name]; !taken {
			row[name] = value
		}
	}
	return nil
}

// columnsOf are the columns of a sheet with these rows: those of every sheet, then what some rows have besides, by name.
func columnsOf(rows []map[string]any) []draftColumn {
	columns := slices.Clone(draftColumns)
	if len(rows) > 0 {
		if _, questions := rows[0][reviewColumn]; !questions {
			columns[0].name = evidenceColumn
		}
	}
	known := map[string]bool{}
	for _, c := range columns {
		known[c.name] = true
	}
	var more []string
	for _, row := range rows {
		for name := range row {
			if !known[name] {
				known[name] = true
				more = append(more, name)
			}
		}
	}
	slices.Sort(more)
	for _, name := range more {
		columns = append(columns, draftColumn{name, 24})
	}
	return columns
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
			if list := row[fieldEvidence].(string); list != "" {
				row[fieldEvidence] = json.RawMessage(list)
			}
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
	rows := make([]map[string]any, len(drafts))
	for i, d := range drafts {
		var e error
		rows[i], e = d.row()
		b.keep(e)
	}
	columns := columnsOf(rows)
	for i, c := range columns {
		b.set(i+1, 1, c.name)
		name, e := excelize.ColumnNumberToName(i + 1)
		b.keep(e)
		b.keep(f.SetColWidth(sheet, name, name, c.width))
	}
	for i, row := range rows {
		for k, c := range columns {
			if value, ok := row[c.name]; ok {
				b.set(k+1, i+2, value)
			}
		}
	}
	choice := excelize.NewDataValidation(true)
	decisions := []string{reviewProposed, reviewAccepted[0], "rejected"}
	if columns[0].name == evidenceColumn {
		decisions = append(decisions, evidenceKept, evidenceNone)
	}
	choice.Sqref = fmt.Sprintf("A2:A%d", len(drafts)+1)
	b.keep(choice.SetDropList(decisions))
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
