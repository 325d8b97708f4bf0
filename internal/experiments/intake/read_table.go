package intake

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Table is a file as columns and rows, before anybody asks what they mean.
type Table struct {
	format, encoding, sheet string
	Unit                    string // what a row is called: "line", "row", "item", or "column" of a sheet that was turned
	Columns                 []string
	Rows                    []TableRow
	Notes                   []text.Said
	locate                  func(rows []gridRow) int // finds the header of a sheet of questions; nil: see [namesBelow]
	trifles                 []text.Said              // the notes that warn of nothing
	asides                  []text.Said              // rows that are not read, as "row 7 (\"Fees\")"
	hidden                  map[int]bool             // columns that a sheet hides
	sheets                  []SheetUse               // of a workbook
	among                   bool                     // the workbook has other sheets beside the one that is read
	tabs                    []string                 // of several sheets that are read as one: their names, by [tabStride]
	together                []string                 // those of them whose rows are read
	tabColumn               int                      // the column with these names, where there are several
	offset                  int                      // what is added to the rows of one of them
	misfits                 []TableRow               // of text files: rows with another number of cells than the header
	headerRow               int                      // where the column names stand; 0: nowhere, or in every object
	reviewed                []int                    // columns of a review that was followed: what they said is gone from the rows
	parted                  rune                     // what separates the columns of a text file
	decimal                 func() rune              // see [Table.Decimal]; nil until it is asked
}

// TableRow holds what JSON can express: nil, string, json.Number, bool, []any, map[string]any. Cells of CSV and sheets
// are strings. A row may be shorter than the columns. Rows of objects hold only the cells they have, because a file may
// have a thousand columns and a million rows with one value each.
type TableRow struct {
	Number    int
	cells     []any
	tab       string // the name of its sheet, where several are read as one: it is no cell, but stands in a column of its own
	tabColumn int
	figures   map[int]Figure // numbers that cells show in another way than they are stored
	draft     bool           // nobody has decided about it: see [ReadOptions].KeepDrafts
	columns   []int          // of objects: the column of each cell, ascending after sort; nil: the cells are those of the first columns
}

// Cell is the value in a column, nil when the row has none.
func (r TableRow) Cell(column int) any {
	if r.tab != "" && column == r.tabColumn {
		return r.tab
	}
	if r.columns != nil {
		i, found := slices.BinarySearch(r.columns, column)
		if !found {
			return nil
		}
		return r.cells[i]
	}
	if column < 0 || column >= len(r.cells) {
		return nil
	}
	return r.cells[column]
}

// Put writes a number into a cell that is there.
func (t *Table) Put(row, column int, number json.Number) {
	r := &t.Rows[row]
	delete(r.figures, column)
	if r.columns == nil {
		r.cells[column] = number
	} else if i, found := slices.BinarySearch(r.columns, column); found {
		r.cells[i] = number
	}
}

// sort brings the cells of an object into the order of the columns. Of two cells in one column, as when an object has
// "inputs.x" beside "inputs": {"x": …}, the later one counts.
func (r *TableRow) sort() {
	last := make(map[int]any, len(r.columns))
	for i, column := range r.columns {
		last[column] = r.cells[i]
	}
	r.columns = slices.Sorted(maps.Keys(last))
	r.cells = r.cells[:0]
	for _, column := range r.columns {
		r.cells = append(r.cells, last[column])
	}
}

// ReadTable reads a file with answers or scores by the extension of its name. What is wrong with single rows goes to faults. Of a workbook
// it reads the sheet called so, or the best where that is "".
func ReadTable(raw []byte, file, sheet string, faults *RowFaults) (*Table, error) {
	t, err := readTable(raw, file, ReadOptions{Sheets: OneSheet(sheet)}, faults, nil)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Decoded is the text of a file in the encoding that people named, "" for what its bytes say, with that encoding.
func Decoded(raw []byte, file, named string) (s, encoding string, err error) {
	s, encoding, err = text.DecodeAs(raw, named)
	if err != nil {
		p := *problem.From(err)
		ja := p.In("ja").Message
		p.Message, p.Format, p.Args = file+": "+p.Message, "%s: %s", []any{file, problem.Both(p.Message, ja)}
		return "", "", p.With("file", file)
	}
	return s, encoding, nil
}

// EncodingSaid says which encoding a file was taken to be in, where that is another than Unicode.
func EncodingSaid(encoding string) (text.Said, bool) {
	return text.Say("the file is read as %s", "文字コードは%sとして読み取りました", encoding), encoding != "" && !strings.HasPrefix(encoding, "UTF-")
}

// OneSheet is the list of the sheet of this name; "" is no choice.
func OneSheet(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// readTable is [ReadTable] of the sheets and in the encoding that people named; locate finds the column names of a sheet of questions.
// Where a workbook cannot be read, the table says which sheets it has.
func readTable(raw []byte, file string, opts ReadOptions, faults *RowFaults, locate func([]gridRow) int) (*Table, error) {
	ext := strings.ToLower(filepath.Ext(file))
	if len(raw) == 0 {
		return nil, problem.New(problem.Invalid, "dataset_empty", "%s is empty", file).With("file", file).
			WithHint("write the column names into the first row and one question per row below")
	}
	t := &Table{format: strings.TrimPrefix(ext, "."), Unit: "line", locate: locate}
	var read func(t *Table, s, file string, faults *RowFaults) error
	switch ext {
	case ".xlsx":
		t.Unit = "row"
		faults.Unit = t.Unit
		err := readXLSX(t, raw, file, opts.Sheets, faults)
		faults.of(t)
		if err == nil {
			t.unquote()
		}
		return t, err
	case ".jsonl":
		read = readJSONL
	case ".json":
		t.Unit = "item"
		read = readJSON
	case ".csv", ".tsv":
		read = readCSV
	default:
		return nil, problem.New(problem.Invalid, "dataset_file_kind", "%s is of a kind that is not read", file).With("file", file).
			WithHint("save the questions as .xlsx, .csv, .tsv, .jsonl or .json")
	}
	if len(opts.Sheets) > 0 {
		return nil, unknownSheet(file, opts.Sheets[0], nil)
	}
	faults.of(t)
	s, encoding, err := Decoded(raw, file, opts.Encoding)
	if err != nil {
		return nil, err
	}
	t.encoding = encoding
	if said, told := EncodingSaid(encoding); told {
		t.usual(said)
	}
	if ext == ".json" && IsLines(s) {
		read, t.Unit, faults.Unit = readJSONL, "line", "line"
	}
	if err := read(t, s, file, faults); err != nil {
		return nil, err
	}
	if t.isSheet() {
		t.unquote()
	}
	return t, nil
}

// readCSV reads comma- or tab-separated text by the letter of RFC 4180: a row that has not as many fields as the header,
// or a quotation mark in the wrong place, is a fault and no guess is made.
func readCSV(t *Table, s, file string, faults *RowFaults) error {
	s, comma := namedSeparator(s)
	r := csv.NewReader(strings.NewReader(s))
	if r.Comma = comma; comma == 0 {
		r.Comma = t.separator(s)
	}
	t.parted = r.Comma
	r.FieldsPerRecord = -1 // rows above the header may be shorter; the others are held against it
	l := &layout{t: t, file: file, faults: faults, locate: t.locate, strict: true}
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			faults.Add(CsvFault(err, 0, 0))
			break // after a misplaced quotation mark the rest of the file means nothing
		}
		line, _ := r.FieldPos(0)
		if err := l.row(gridRow{number: line, cells: record}); err != nil {
			return err
		}
	}
	if err := l.end(); err != nil {
		return err
	}
	if t.Columns == nil && faults.total == 0 {
		return problem.New(problem.Invalid, "dataset_empty", "%s is empty", file).With("file", file).
			WithHint("write the column names into the first row and one question per row below")
	}
	t.noteEmpty(l.blank)
	return nil
}

// CsvFault says in which row CSV is broken and why.
func CsvFault(err error, fields, want int) RowProblem {
	p := RowProblem{Message: err.Error()}
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		p.Row = e.StartLine
		switch {
		case errors.Is(err, csv.ErrFieldCount):
			p.Message = fieldCount(fields, want)
		case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
			p.Message = fmt.Sprintf("a quotation mark stands in the wrong place (line %d, column %d); inside a quoted field write it twice",
				e.Line, e.Column)
		}
	}
	return p
}

func fieldCount(fields, want int) string {
	return fmt.Sprintf("has %d fields, the header has %d; put fields that hold a separator in quotation marks", fields, want)
}

// namedSeparator is what a first line such as "sep=;" says, which spreadsheet programs read and do not show; 0 where there is none. The
// line is left blank, so that lines keep their numbers.
func namedSeparator(s string) (rest string, comma rune) {
	first, rest, _ := strings.Cut(s, "\n")
	m := separatorLine.FindStringSubmatch(strings.TrimSuffix(first, "\r"))
	if m == nil {
		return s, 0
	}
	return "\n" + rest, []rune(m[1])[0]
}

var separatorLine = text.Lazy(`(?i)^"?sep=([,;\t|])"?[,;\t|]*$`)

// separator is the tab for .tsv, and for .csv what parts names of columns that are known; where none does, the comma unless the first line
// has none but semicolons or tabs.
func (t *Table) separator(s string) rune {
	if t.format == "tsv" {
		return '\t'
	}
	found := ','
	if !partsNames(s, ',') {
		first, _, _ := strings.Cut(s, "\n")
		others := []rune{';', '\t'}
		if i := slices.IndexFunc(others, func(other rune) bool { return partsNames(s, other) }); i >= 0 {
			found = others[i]
		} else if i := slices.IndexFunc(others, func(other rune) bool { return strings.ContainsRune(first, other) }); i >= 0 &&
			!strings.Contains(first, ",") {
			found = others[i]
		}
	}
	switch found {
	case ';':
		t.usual(text.Say("the columns are separated by semicolons", "列の区切りはセミコロンです"))
	case '\t':
		t.usual(text.Say("the columns are separated by tabs", "列の区切りはタブです"))
	}
	return found
}

// partsNames reports whether a separator cuts one of the first rows into names of columns, of which one tells questions apart.
func partsNames(s string, comma rune) bool {
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.FieldsPerRecord = comma, -1
	for range lookAhead {
		record, err := r.Read()
		if err != nil {
			return false
		}
		if len(keysIn(record)) > 0 && filled(gridRow{cells: record}) > 1 {
			return true
		}
	}
	return false
}

// header takes the column names of a sheet. Blank ones get a name by their place, and of repeated ones the later get a number.
func (t *Table) header(names []string, file string) error {
	if len(names) > MaxDatasetColumns {
		return problem.New(problem.Invalid, "dataset_too_wide", "%s has %d columns, more than %d", file, len(names), MaxDatasetColumns).
			With("file", file).WithHint("remove the columns that do not belong to the questions")
	}
	for i, name := range names {
		name = strings.Join(strings.Fields(name), " ")
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		called := t.called(name)
		if called != name {
			t.Notes = append(t.Notes, text.Say("two columns are called %q: the later one is called %q here",
				"「%s」という列が2つあるため、後の列を「%s」と呼びます", name, called))
		}
		t.Columns = append(t.Columns, called)
	}
	return nil
}

// called is the name of a further column, with a number where another one has it.
func (t *Table) called(name string) string {
	called := name
	for n := 2; slices.Contains(t.Columns, called); n++ {
		called = fmt.Sprintf("%s (%d)", name, n)
	}
	return called
}

// strings takes a row of text cells, unless it is blank: then it returns 1.
func (t *Table) strings(r gridRow) (blank int) {
	row := TableRow{Number: r.number, cells: make([]any, len(r.cells)), figures: r.figures}
	blank = 1
	for i, c := range r.cells {
		c = strings.Trim(c, "\u200b\u2060\ufeff") // nobody sees them, and web pages leave them behind
		row.cells[i] = c
		if strings.TrimSpace(c) != "" {
			blank = 0
		}
	}
	if blank == 0 {
		t.Rows = append(t.Rows, row)
	}
	return blank
}

func (t *Table) noteEmpty(n int) {
	if n > 0 {
		said := text.Say("%d empty rows passed over", "空の行を%d行飛ばしました", n)
		if n == 1 {
			said.EN = "1 empty row passed over"
		}
		t.usual(said)
	}
}

// usual notes what changes nothing of what the file says.
func (t *Table) usual(note text.Said) {
	t.Notes = append(t.Notes, note)
	t.trifles = append(t.trifles, note)
}

// Warnings are the notes that people should know who look only at what came of the table: what was left out or chosen of the file.
func (t *Table) Warnings() (list []text.Said) {
	for _, n := range t.Notes {
		if !slices.Contains(t.trifles, n) {
			list = append(list, n)
		}
	}
	return list
}
