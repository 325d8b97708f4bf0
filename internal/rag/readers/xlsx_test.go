package readers

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// workbook makes a workbook with the library's writer.
func workbook(t testing.TB, fill func(f *excelize.File) error) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	if err := fill(f); err != nil {
		t.Fatal(err)
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// xlsx is a workbook with one sheet of this XML between its tags, written by hand.
func xlsx(sheet string) parts {
	return parts{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ` +
			`ContentType="application/xml"/></Types>`,
		"_rels/.rels": rels("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` + drawSpace +
			`><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": rels("worksheet", "worksheets/sheet1.xml", "sharedStrings", "sharedStrings.xml"),
		"xl/worksheets/sheet1.xml": `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + sheet +
			`</sheetData></worksheet>`,
		"xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>東京</t><rPh sb="0" ` +
			`eb="2"><t>トウキョウ</t></rPh></si><si><r><t>rich </t></r><r><t>text</t></r></si></sst>`,
	}
}

func TestReadXLSX(t *testing.T) {
	t.Parallel()
	raw := workbook(t, func(f *excelize.File) error {
		if err := f.SetSheetName("Sheet1", "料金表"); err != nil {
			return err
		}
		for _, name := range []string{"Empty", "Hidden", "Second"} {
			if _, err := f.NewSheet(name); err != nil {
				return err
			}
		}
		percent, err := f.NewStyle(&excelize.Style{NumFmt: 9})
		if err != nil {
			return err
		}
		date, err := f.NewStyle(&excelize.Style{NumFmt: 14})
		if err != nil {
			return err
		}
		for _, c := range []struct {
			sheet, cell string
			value       any
			style       int
		}{
			{"料金表", "A1", "品目", 0},
			{"料金表", "B1", "価格", 0},
			{"料金表", "A3", "two\nlines\tand tab", 0},
			{"料金表", "C3", 0.25, percent},
			{"料金表", "B4", 1234.5, 0},
			{"料金表", "A5", time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), date},
			{"料金表", "A6", true, 0},
			{"料金表", "A7", " ", 0},
			{"料金表", "A8", "=cmd|'/c calc'!A1", 0},
			{"Hidden", "A1", "secret", 0},
			{"Second", "B2", "x", 0},
		} {
			if err := f.SetCellValue(c.sheet, c.cell, c.value); err != nil {
				return err
			}
			if err := f.SetCellStyle(c.sheet, c.cell, c.cell, c.style); err != nil {
				return err
			}
		}
		return f.SetSheetVisible("Hidden", false)
	})
	d, notes, err := readOne(t, "prices.xlsx", raw)
	if err != nil {
		t.Fatal(err)
	}
	want := "料金表\n品目\t価格\ntwo lines and tab\t\t25%\n\t1234.5\n2026-11-20\nTRUE\n=cmd|'/c calc'!A1\n\nSecond\n\tx"
	if diff := cmp.Diff(want, d.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if d.Title != "prices" || len(notes) != 1 || notes[0] != `prices.xlsx: the sheet "Hidden" is hidden and was left out` {
		t.Errorf("title %q, notes %q", d.Title, notes)
	}
}

func TestReadXLSXByHand(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, sheet, want, note, code string
	}{
		{"shared texts", `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`, "Data\n東京\trich text", "", ""},
		{"stored value of a formula", `<row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>A1&amp;"x"</f><v>x</v></c></row>`,
			"Data\n2\tx", "", ""},
		{"formula without a value", `<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1"><f>1+1</f></c></row>`, "Data\na",
			"1 formulas have no stored value", ""},
		{"corner cell", `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`, "Data\n" + strings.Repeat("\t", 16383) + "1", "", ""},
		{"missing shared text", `<row r="1"><c r="A1" t="s"><v>2</v></c></row>`, "", "", "corpus_office_broken"},
		{"negative shared text", `<row r="1"><c r="A1" t="s"><v>-1</v></c></row>`, "", "", "corpus_office_broken"},
		{"cut off sheet", `<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2`, "", "", "corpus_office_broken"},
		{"document type", `<!DOCTYPE a><row r="1"><c r="A1"><v>1</v></c></row>`, "", "", "corpus_office_broken"},
		{"no values", `<row r="1"><c r="A1"/></row>`, "", "", "corpus_empty_document"},
		{"too much text from little", strings.Repeat(`<row><c r="XFD1"><v>1</v></c></row>`, 5000), "", "", "corpus_text_too_large"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, notes, err := readOne(t, "a.xlsx", pack(t, xlsx(c.sheet)))
			if problem.CodeOf(err) != c.code {
				t.Fatalf("got %v, want code %q", err, c.code)
			}
			if d.Text != c.want || (len(notes) > 0) != (c.note != "") || c.note != "" && !strings.Contains(notes[0], c.note) {
				t.Errorf("text %.100q, notes %q", d.Text, notes)
			}
		})
	}
}

func TestChartSheet(t *testing.T) {
	t.Parallel()
	raw := workbook(t, func(f *excelize.File) error {
		if err := f.SetCellValue("Sheet1", "A1", 1); err != nil {
			return err
		}
		return f.AddChartSheet("Chart", &excelize.Chart{Type: excelize.Col, Series: []excelize.ChartSeries{{Values: "Sheet1!$A$1:$A$1"}}})
	})
	if d, _, err := readOne(t, "a.xlsx", raw); err != nil || d.Text != "Sheet1\n1" {
		t.Errorf("text %q, %v", d.Text, err)
	}
}
