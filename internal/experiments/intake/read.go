package intake

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// The largest question sheets that [ReadDataset] takes.
const (
	MaxDatasetBytes   = 256 << 20 // one file, also unpacked
	MaxDatasetColumns = 1000
)

// ReadOptions change how [ReadDataset] reads a file. The zero value is the usual way.
type ReadOptions struct {
	// Columns says what a column of the file is, where its name does not: column name → field. The fields are those of
	// [Fields], and "metadata" or "ignore". A field named here is not looked for under any other name.
	Columns map[string]string
	// Sheets are the sheets of a workbook to read, as one table where there are several; none leaves the choice to the reader. Of logged
	// answers only the first is read.
	Sheets []string
	// Encoding is that of a text file which is not in UTF-8, as [text.DecodeAs] takes it; "" leaves it to what the bytes say beyond doubt.
	Encoding string
	// KeepDrafts keeps the rows of a drafted sheet about which nobody has decided, with the tag [experiments.DraftTag], so that
	// they can be reviewed
	// where the dataset is shown. Rejected rows are left out in any case.
	KeepDrafts bool
}

// ReadReport tells a person how a file was understood.
type ReadReport struct {
	Format   string      `json:"format"`             // "jsonl", "json", "csv", "tsv" or "xlsx"
	Encoding string      `json:"encoding,omitempty"` // as [text.Decode] names it; "" for xlsx
	Sheet    string      `json:"sheet,omitempty"`    // xlsx only
	Sheets   []SheetUse  `json:"sheets,omitempty"`   // of a workbook, in its order
	Rows     int         `json:"rows"`               // questions
	Columns  []ColumnUse `json:"columns"`            // in the order of the file
	Notes    []text.Said `json:"notes,omitempty"`    // what was assumed, generated or left out
}

// SaysEvidence reports whether the file has a column that says where answers stand, whatever is in it.
func (r ReadReport) SaysEvidence() bool {
	return slices.ContainsFunc(r.Columns, func(u ColumnUse) bool { return u.Field == fieldEvidence || u.Field == fieldEvidenceDoc })
}

// ColumnUse says what became of one column.
type ColumnUse struct {
	Source string `json:"source"` // the column's name in the file
	Field  string `json:"field"`  // a field of [Fields], "tag", "metadata", "ignore" or "conversation" (refused unless empty)

	Why     text.Said `json:"why,omitzero"`      // why it is kept as metadata, or ignored
	Samples []string  `json:"samples,omitempty"` // of a sheet: its first values, shortened
}

// Said is one line for people, for example "ground_truth → right answer" or "comment: kept as metadata".
func (u ColumnUse) Said() text.Said {
	switch u.Field {
	case fieldMetadata:
		if u.Why != (text.Said{}) {
			return text.Say("%s: kept as metadata (%s)", "%s：参考として保存（%s）", u.Source, u.Why)
		}
		return text.Say("%s: kept as metadata", "%s：参考として保存", u.Source)
	case FieldIgnore:
		if u.Why != (text.Said{}) {
			return text.Say("%s: not kept (%s)", "%s：保存しません（%s）", u.Source, u.Why)
		}
		return text.Say("%s: ignored", "%s：読み取りません", u.Source)
	case fieldConversation:
		return text.Say("%s: only checked to be empty", "%s：空であることだけを確認", u.Source)
	}
	return text.Say("%s → %s", "%s → %s", u.Source, FieldName(u.Field))
}

// RowProblem is one thing wrong with one row of a file.
type RowProblem struct {
	Row        int      `json:"row"`                   // line of a text file, row of a sheet, or item of a JSON list; from 1
	Sheet      string   `json:"sheet,omitempty"`       // where several sheets are read as one
	QuestionID string   `json:"question_id,omitempty"` // where the row has one
	Field      string   `json:"field,omitempty"`
	Message    string   `json:"message"`
	Column     bool     `json:"column,omitempty"`     // the row is a column of the sheet: see [turned]
	Candidates []string `json:"candidates,omitempty"` // places an ambiguous quote may mean, as doc_id[start:end]

	unit string // what the file calls a row: "line", "item"; "" where nobody said
}

// place is where the row stands, as the headline of a refusal and its list both call it.
func (p RowProblem) place() text.Said {
	unit, counter := cmp.Or(p.unit, "row"), "行目"
	switch {
	case p.Column:
		unit, counter = "column", "列目"
	case p.unit == "item":
		counter = "番目の項目"
	}
	said := text.Said{EN: fmt.Sprintf("%s %d", unit, p.Row), JA: strconv.Itoa(p.Row) + counter}
	if p.Sheet != "" {
		said = text.Say("%s of %s", "「%[2]s」の%[1]s", said, p.Sheet)
	}
	return said
}

// String is "row 3, question q2, evidence: what is wrong (candidates: …)".
func (p RowProblem) String() string {
	s := p.place().EN
	if p.QuestionID != "" {
		s += ", question " + p.QuestionID
	}
	if p.Field != "" {
		s += ", " + p.Field
	}
	s += ": " + p.Message
	if len(p.Candidates) > 0 {
		s += " (candidates: " + strings.Join(p.Candidates, ", ") + ")"
	}
	return s
}

// Spoken implements [problem.Speaking].
func (p RowProblem) Spoken(lang string) any {
	if lang == "ja" {
		p.Message, _ = problem.Japanese(p.Message)
	}
	return p
}

// In is what [RowProblem.String] says, in a language ("en" or "ja").
func (p RowProblem) In(lang string) string {
	if lang != "ja" {
		return p.String()
	}
	s := p.place().JA
	if p.QuestionID != "" {
		s += "、質問 " + p.QuestionID
	}
	if p.Field != "" {
		s += "、" + p.Field
	}
	message, _ := problem.Japanese(p.Message)
	s += "：" + message
	if len(p.Candidates) > 0 {
		s += "（候補：" + strings.Join(p.Candidates, "、") + "）"
	}
	return s
}

// ReadDataset reads a question sheet into a dataset of version 0 called name.
//
// The file is JSONL, JSON (a list, or an object with a list under "questions", "results", "data", "examples", "goldens"
// or "tests"), CSV, TSV or XLSX (the sheet "questions", else the visible one
// that looks most like questions, and with it those under the same column names). Columns are found by the names that common
// tools and Japanese sheets use; [Fields] lists ours. Columns nobody knows are kept as metadata. The report says what
// was done with every column and what was assumed.
//
// Only a question is required. Missing ids become q0001, q0002, … by row. A missing answerable means true; a reference
// that is null, NaN or empty means there is none. Cells with several values may be JSON lists, Python lists or text
// with one value per line; tags may also be separated by ; or a comma. A theme or topic becomes the tag
// "theme:<value>", a category "category:<value>".
//
// Evidence is objects with doc_id, start and end (code points; a text or quote beside them must equal the corpus there)
// or quotes, which are looked up: as they are, then without regard to white space and to the variants that Unicode NFKC
// unites. A quote must stand in exactly one place. Without a corpus, spans are kept unverified and quotes are refused.
//
// Of a sheet with the column review_status, as drafts have it, only the rows that say accepted are read, and undecided ones as drafts
// where [ReadOptions] keeps them.
//
// Everything wrong with the rows is in one Problem, code "dataset_rows": Params["problems"] holds the first
// 20 as []RowProblem and Params["total"] counts all. Nothing is returned half-read; the report then says only which sheets there are and
// what the columns were taken for, so that people can say it otherwise.
func ReadDataset(path, name string, corpus *rag.Corpus, opts ReadOptions) (*experiments.Dataset, ReadReport, error) {
	raw, err := text.ReadFile(path, MaxDatasetBytes)
	if err != nil {
		return nil, ReadReport{}, err
	}
	return readDataset(raw, filepath.Base(path), name, corpus, opts)
}

// readDataset reads the contents of the file called file.
func readDataset(raw []byte, file, name string, corpus *rag.Corpus, opts ReadOptions) (*experiments.Dataset, ReadReport, error) {
	faults := &RowFaults{File: file}
	t, err := readTable(raw, file, opts, faults, locateHeader(opts.Columns))
	if err != nil {
		return nil, t.unread(), err
	}
	if err := faults.Problem(); err != nil {
		return nil, t.unread(), err
	}
	if err := t.accept(file, opts.KeepDrafts); err != nil {
		return nil, t.unread(), err
	}
	columns, notes, err := mapColumns(file, t, opts.Columns, corpus)
	report := ReadReport{Format: t.format, Encoding: t.encoding, Sheet: t.sheet, Sheets: t.sheets, Columns: columns.uses(t.Columns)}
	if err != nil {
		return nil, report, err
	}
	b := newQuestionBuilder(t, columns, corpus, faults)
	questions := b.questions()
	b.tellTabsApart(questions)
	b.identify(questions)
	if b.needsCorpus > 0 {
		return nil, report, needsCorpus(file, t.Unit, b.needsCorpus%tabStride)
	}
	if err := faults.Problem(); err != nil {
		return nil, report, err
	}
	if len(questions) == 0 {
		return nil, report, problem.New(problem.Invalid, "dataset_empty", "%s holds no question", file).With("file", file).
			WithHint("write one question per row below the column names")
	}
	report.Rows = len(questions)
	report.Notes = slices.Concat(t.Notes, notes, b.insideNotes(), b.report(), b.doubts(questions))
	return experiments.NewDataset(name, questions), report, nil
}

func needsCorpus(file, unit string, row int) *problem.Problem {
	return problem.New(problem.Invalid, "dataset_needs_corpus",
		"%s quotes its evidence (first in %s %d), and a quote can only be found in a corpus", file, unit, row).
		With("file", file).With("row", row).
		WithHint("import the corpus first, then: workbench dataset import %s --corpus NAME", file)
}

// maxRowProblems is how many problems of one file are listed; the rest is counted.
const maxRowProblems = 20

// RowFaults gathers what is wrong with the rows of one file.
type RowFaults struct {
	File  string
	Unit  string // what a row of this file is called: "line", "row" or "item"
	shown []RowProblem
	total int
	tabs  []string // of several sheets that are read as one: see [tabStride]
	sheet string   // the one that is read of a workbook with others
}

// of makes faults those of the rows of a table.
func (f *RowFaults) of(t *Table) {
	f.Unit = t.Unit
	if t.among && len(t.together) == 0 {
		f.sheet = t.sheet
	}
}

// Faults gathers the faults of the table's rows.
func (t *Table) Faults(file string) *RowFaults {
	f := &RowFaults{File: file}
	f.of(t)
	return f
}

// join adds the faults of one of several sheets.
func (f *RowFaults) join(other *RowFaults) {
	f.total += other.total
	f.shown = append(f.shown, other.shown[:min(len(other.shown), maxRowProblems-len(f.shown))]...)
}

// Add counts a fault of a row, and keeps it to show while there are few.
func (f *RowFaults) Add(p RowProblem) {
	f.total++
	if len(f.shown) < maxRowProblems {
		f.shown = append(f.shown, p)
	}
}

// Problem is the one error for all rows, or nil.
func (f *RowFaults) Problem() error {
	if f.total == 0 {
		return nil
	}
	slices.SortStableFunc(f.shown, func(a, b RowProblem) int { return a.Row - b.Row })
	for i, p := range f.shown {
		f.shown[i].Column, f.shown[i].unit = f.Unit == "column", f.Unit
		if p.Sheet == "" {
			f.shown[i].Sheet = f.sheet
		}
		if p.Row >= tabStride {
			f.shown[i].Sheet, f.shown[i].Row = f.tabs[p.Row/tabStride-1], p.Row%tabStride
		}
	}
	said := f.said(f.shown[0])
	return problem.New(problem.Invalid, "dataset_rows", "%s", problem.Both(said.EN, said.JA)).
		With("file", f.File).With("unit", f.Unit).With("problems", f.shown).With("total", f.total).
		WithHint("correct these rows and import the file again; nothing was imported")
}

// said is the place of the first problem and what is wrong there, and how many more there are.
func (f *RowFaults) said(first RowProblem) text.Said {
	at := first.place()
	en, ja := f.File+" "+at.EN, f.File+" の"+at.JA
	if first.QuestionID != "" {
		en, ja = en+" ("+first.QuestionID+")", ja+"（"+first.QuestionID+"）"
	}
	if first.Field != "" {
		en, ja = en+", "+first.Field, ja+"、"+first.Field
	}
	message, _ := problem.Japanese(first.Message)
	en, ja = en+": "+first.Message, ja+"："+message
	if f.total > 1 {
		en, ja = en+fmt.Sprintf(" (and %s)", Plural(f.total-1, "more problem")), ja+fmt.Sprintf("（ほか%d件）", f.total-1)
	}
	return text.Said{EN: en, JA: ja}
}
