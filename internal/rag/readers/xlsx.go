package readers

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// sheetMemory is how large a sheet or the list of texts may be to be held in memory; larger ones go through a temporary
// file.
const sheetMemory = 16 << 20

// readXLSX reads the visible sheets: for each that has any value its name on a line, then its rows with tabs between the
// values as they are shown. Empty rows are left out. Dates without a format of their own are written 2026-11-20, because
// the usual one depends on the country of the reader.
func (r *corpusReader) readXLSX(f sourceFile) (err error) {
	o, err := openOffice(f, workbookKind)
	if err != nil {
		return err
	}
	scan, err := o.scanWorkbook()
	if err != nil {
		return o.problem(err)
	}
	body, hidden, err := sheets(f.Raw, int(r.maxFile))
	if err != nil {
		return o.problem(err)
	}
	for _, name := range hidden {
		r.remark("%s: the sheet %q is hidden and was left out", "%s：シート「%s」は非表示のため除きました", f.ID, name)
	}
	if scan.unsaved > 0 {
		r.remark("%s: %d formulas have no stored value and were read as empty; open and save the file in a spreadsheet program",
			"%s：値の保存されていない数式%d件を空として読み取りました。表計算ソフトで開いて保存し直してください",
			f.ID, scan.unsaved)
	}
	return r.addOffice(f, o, "", body)
}

// sheets writes the visible sheets of a workbook until the text is longer than limit.
func sheets(raw []byte, limit int) (body string, hidden []string, err error) {
	defer func() {
		if p := recover(); p != nil { // the library trusts counts and places that a damaged file states
			err = fmt.Errorf("the reader stopped: %v", p)
		}
	}()
	book, err := excelize.OpenReader(bytes.NewReader(raw), excelize.Options{
		UnzipSizeLimit: MaxOfficeUnpackedBytes, UnzipXMLSizeLimit: sheetMemory, ShortDatePattern: "yyyy-mm-dd",
		LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	all := &page{}
	for _, name := range book.GetSheetList() {
		visible, err := book.GetSheetVisible(name)
		if err != nil {
			return "", nil, err
		}
		if !visible {
			hidden = append(hidden, name)
			continue
		}
		if err := writeSheet(all, book, name, limit); err != nil {
			return "", nil, err
		}
	}
	return all.String(), hidden, nil
}

func writeSheet(all *page, book *excelize.File, name string, limit int) (err error) {
	rows, err := book.Rows(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	named := false
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			return err
		}
		for i, c := range cells {
			cells[i] = oneLine(c)
		}
		if slices.IndexFunc(cells, func(c string) bool { return c != "" }) < 0 {
			continue
		}
		if !named {
			named = true
			all.breakBlock()
			all.verbatim(oneLine(name))
		}
		if all.row(cells); all.b.Len() > limit {
			break // the caller refuses a text of this length
		}
	}
	return rows.Error()
}

// workbookScan is what [officeFile.scanWorkbook] learns about the parts.
type workbookScan struct {
	texts   int // in the list of shared texts
	highest int // number of a shared text that a cell shows, or -1
	unsaved int // formulas without a stored value
}

// scanWorkbook reads every XML part to its end within the bounds. It is needed because the row reader takes damage for the
// end of a sheet, and shows the number of a text that is missing as if it were the text: a broken file would be read in
// part.
func (o *officeFile) scanWorkbook() (workbookScan, error) {
	scan := workbookScan{highest: -1}
	names := make([]string, 0, len(o.parts))
	for name := range o.parts {
		if strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".rels") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if err := o.scanPart(name, &scan); err != nil {
			return scan, err
		}
	}
	if scan.highest >= scan.texts {
		return scan, fmt.Errorf("a cell shows text number %d, but there are only %d texts", scan.highest, scan.texts)
	}
	o.budget = MaxOfficeUnpackedBytes // the reader behind has the same bound
	return scan, nil
}

func (o *officeFile) scanPart(name string, scan *workbookScan) error {
	x, err := o.open(name)
	if err != nil {
		return err
	}
	defer x.Close()
	isTexts, isSheet := name == "xl/sharedstrings.xml", strings.HasPrefix(name, "xl/worksheets/")
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		e, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case isTexts && e.Name.Local == "si":
			scan.texts++
		case isSheet && e.Name.Local == "c":
			if err := scan.cell(x, e); err != nil {
				return err
			}
		}
	}
}

// cell reads the cell that was just opened.
func (s *workbookScan) cell(x *xmlPart, e xml.StartElement) error {
	formula, value := false, ""
	err := x.each(func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "v":
			value, err = x.text()
			return err
		case "f":
			formula = true
		}
		return x.skip()
	})
	if err != nil {
		return err
	}
	if formula && value == "" {
		s.unsaved++
	}
	if attribute(e, "t") == "s" && value != "" {
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 {
			return fmt.Errorf("%s: the cell %s shows text number %.20q", x.name, attribute(e, "r"), value)
		}
		s.highest = max(s.highest, n)
	}
	return nil
}
