package spreadsheet

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Table is rows and columns for a file that people open in a spreadsheet or read with a program ([Table.Write]).
//
// Cells are string, bool, int, float64, or nil for nothing. Texts are data: in a workbook they are typed as text and keep a quote
// prefix, in CSV a text that a spreadsheet would take for a formula gets an apostrophe in front. JSONL changes nothing and is the
// form without loss.
type Table struct {
	Name    string // of the sheet
	Columns []string
	Rows    func(yield func(row []any) error) error // calls yield for each row and passes on its error
}

// RowsOf walks rows that are there already.
func RowsOf(rows [][]any) func(yield func(row []any) error) error {
	return func(yield func(row []any) error) error {
		for _, row := range rows {
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	}
}

// Formats are the endings of the files that a table can be written as.
func Formats() []string { return []string{"csv", "jsonl", "xlsx"} }

// Write writes the table in a format of [Formats]. It returns a Problem for another format, and otherwise the errors of w and Rows.
func (t Table) Write(w io.Writer, format string) error {
	switch format {
	case "csv":
		return t.writeCSV(w)
	case "jsonl":
		return t.writeJSONL(w)
	case "xlsx":
		return t.writeXLSX(w)
	}
	return problem.New(problem.Invalid, "table_format", "tables are not written as %q", format).With("format", format).
		WithHint("use one of: %s", strings.Join(Formats(), ", "))
}

// writeCSV writes RFC 4180 in UTF-8 with a byte order mark, without which spreadsheets in Japan show garbage.
func (t Table) writeCSV(w io.Writer) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = notFormula(c)
	}
	if err := out.Write(record); err != nil {
		return err
	}
	err := t.Rows(func(row []any) error {
		for i := range record {
			record[i] = csvCell(at(row, i))
		}
		return out.Write(record)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

func at(row []any, i int) any {
	if i < len(row) {
		return row[i]
	}
	return nil
}

func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return notFormula(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// formulaStarts are the characters with which a spreadsheet's formula may begin, wide forms too, and those that it skips before.
const formulaStarts = "=+-@\t\r\n\x00＝＋－＠|%"

// separators are what a spreadsheet may take for the end of a cell in front of the text: then the text itself begins a cell.
const separators = ";,；，"

// notFormula puts an apostrophe before a text that a spreadsheet could take for a formula (OWASP ASVS 1.2.10). Spaces and separators
// in front do not hide one.
func notFormula(s string) string {
	trimmed := strings.TrimLeft(s, separators+" \u3000\u00a0\ufeff")
	if trimmed != "" && strings.ContainsRune(formulaStarts, []rune(trimmed)[0]) {
		return "'" + s
	}
	return s
}

func (t Table) writeJSONL(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	keys := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		body, err := json.Marshal(c)
		if err != nil {
			return err
		}
		keys[i] = string(body)
	}
	return t.Rows(func(row []any) error {
		var line strings.Builder
		for i, key := range keys {
			body, err := json.Marshal(at(row, i))
			if err != nil {
				return err
			}
			line.WriteString(map[bool]string{true: "{", false: ","}[i == 0] + key + ":" + string(body))
		}
		line.WriteString("}")
		return enc.Encode(json.RawMessage(line.String())) // an object keeps the order of the columns
	})
}

// maxCellRunes is what a cell of a workbook holds. Longer texts are cut with a mark.
const maxCellRunes = 32_767

func (t Table) writeXLSX(w io.Writer) error {
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	if err := f.SetSheetName("Sheet1", t.Name); err != nil {
		return err
	}
	text, err := f.NewStyle(&excelize.Style{NumFmt: 49, Alignment: &excelize.Alignment{Vertical: "top"}}) // 49 is the format of text
	if err != nil {
		return err
	}
	f.Styles.CellXfs.Xf[text].QuotePrefix = new(true) // stays a text when somebody edits it
	head, err := f.NewStyle(&excelize.Style{NumFmt: 49, Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	sheet, err := f.NewStreamWriter(t.Name)
	if err != nil {
		return err
	}
	if err := sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	n := 0
	write := func(row []any, style int) error {
		if n++; n > MaxRows {
			return TooManyRows(t.Name, "write the table as csv or jsonl, which hold any number of rows")
		}
		cells := make([]any, len(t.Columns))
		for i := range cells {
			switch v := at(row, i).(type) {
			case string:
				cells[i] = excelize.Cell{StyleID: style, Value: cutCell(v)}
			default:
				cells[i] = v
			}
		}
		return sheet.SetRow("A"+strconv.Itoa(n), cells)
	}
	titles := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = c
	}
	if err := write(titles, head); err != nil {
		return err
	}
	if err := t.Rows(func(row []any) error { return write(row, text) }); err != nil {
		return err
	}
	if err := sheet.Flush(); err != nil {
		return err
	}
	return writeFile(f, nil, w)
}

// cutCell makes a text fit a cell, and drops what XML cannot hold.
func cutCell(s string) string {
	return text.Cut(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s), maxCellRunes)
}
