package intake

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// workbook makes an .xlsx file; each sheet is rows of cells.
func workbook(tb testing.TB, sheets ...[][]any) []byte {
	tb.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for n, rows := range sheets {
		name := fmt.Sprintf("Sheet%d", n+1)
		if _, err := f.NewSheet(name); err != nil {
			tb.Fatal(err)
		}
		for i, row := range rows {
			for j, v := range row {
				cell, err := excelize.CoordinatesToCellName(j+1, i+1)
				if err != nil {
					tb.Fatal(err)
				}
				if err := f.SetCellValue(name, cell, v); err != nil {
					tb.Fatal(err)
				}
			}
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestReadXLSX(t *testing.T) {
	t.Parallel()
	raw := workbook(t, [][]any{
		{},
		{"ID", "質問", "正解", "重要", "備考"},
		{1, "返品は何日ですか。", "30日", true, "㈱例"},
		{nil, nil, nil, nil, " "},
		{"b", "12,5%?", 0.125},
	})
	d, report, err := read("q.xlsx", string(raw), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []experiments.Question{
		{ID: "1", Text: "返品は何日ですか。", Lang: "ja", Reference: "30日", Answerable: true, Critical: true,
			Metadata: map[string]string{"備考": "㈱例"}},
		{ID: "b", Text: "12,5%?", Lang: "en", Reference: "0.125", Answerable: true},
	}
	if diff := cmp.Diff(want, d.Questions); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
	if report.Sheet != "Sheet1" || report.Format != "xlsx" || report.Encoding != "" {
		t.Errorf("report %+v", report)
	}
	if diff := cmp.Diff([]string{"1 empty row passed over"}, text.InEnglish(report.Notes)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestReadXLSXChoosesSheet(t *testing.T) {
	t.Parallel()
	two := workbook(t, [][]any{{"question"}, {"first"}}, [][]any{{"question"}, {"second"}})
	d, report, err := read("q.xlsx", string(two), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Questions[0].Text != "first" || !strings.Contains(report.Notes[0].EN,
		`the workbook has 2 sheets; "Sheet1" was read, and not: Sheet2`) {
		t.Errorf("question %q, notes %q", d.Questions[0].Text, report.Notes)
	}
	f, err := excelize.OpenReader(bytes.NewReader(two))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.SetSheetName("Sheet2", "Questions"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	d, report, err = read("q.xlsx", b.String(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Questions[0].Text != "second" || report.Sheet != "Questions" || !strings.Contains(report.Notes[0].EN, "and not: Sheet1") {
		t.Errorf("question %q from %s, notes %q", d.Questions[0].Text, report.Sheet, report.Notes)
	}
}

func TestReadXLSXRowProblems(t *testing.T) {
	t.Parallel()
	_, _, err := read("q.xlsx", string(workbook(t, [][]any{{"question", "reference"}, {"a", "b", "c"}, {"a", "#REF!"}, {"", "x"}})), nil,
		nil)
	got := rowProblems(t, err)
	// Faults of the sheet come before questions are built: the empty question in row 4 is not among them.
	if len(got) != 1 || got[0].Row != 3 || got[0].Field != "reference" {
		t.Errorf("problems %+v", got)
	}
	_, _, err = read("q.xlsx", string(workbook(t, [][]any{{"question", "reference"}, {"a"}, {}, {"", "x"}})), nil, nil)
	if got := rowProblems(t, err); len(got) != 1 || got[0].Row != 4 {
		t.Errorf("problems %+v, want one in row 4", got)
	}
	if _, _, err = read("q.xlsx", string(workbook(t, [][]any{})), nil, nil); problem.CodeOf(err) != "dataset_empty" {
		t.Errorf("empty sheet: %v", err)
	}
}

// repack copies a workbook and replaces one part.
func repack(tb testing.TB, raw []byte, part string, write func(put func([]byte))) []byte {
	tb.Helper()
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range in.File {
		if f.Name != part {
			if err := out.Copy(f); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		w, err := out.Create(part)
		if err != nil {
			tb.Fatal(err)
		}
		write(func(p []byte) {
			if _, err := w.Write(p); err != nil {
				tb.Fatal(err)
			}
		})
	}
	if err := out.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// lyingWorkbook copies a workbook with one part replaced by spaces, whose header states another size than it has.
func lyingWorkbook(tb testing.TB, raw []byte, part string, stated uint64, has int) []byte {
	tb.Helper()
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		tb.Fatal(err)
	}
	var packed, b bytes.Buffer
	deflate, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := deflate.Write(bytes.Repeat([]byte(" "), has)); err != nil {
		tb.Fatal(err)
	}
	if err := deflate.Close(); err != nil {
		tb.Fatal(err)
	}
	out := zip.NewWriter(&b)
	for _, f := range in.File {
		if f.Name != part {
			if err := out.Copy(f); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		w, err := out.CreateRaw(&zip.FileHeader{Name: part, Method: zip.Deflate, CompressedSize64: uint64(packed.Len()),
			UncompressedSize64: stated})
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write(packed.Bytes()); err != nil {
			tb.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestReadXLSXRefusesBombs(t *testing.T) {
	t.Parallel()
	sheet := "xl/worksheets/sheet1.xml"
	base := workbook(t, [][]any{{"question"}, {"a"}})
	huge := lyingWorkbook(t, base, sheet, 300<<20, 10)
	if _, _, err := read("q.xlsx", string(huge), nil, nil); problem.CodeOf(err) != "dataset_workbook_too_large" {
		t.Errorf("a sheet that says it has 300 MiB: %v", err)
	}
	modest := lyingWorkbook(t, base, sheet, 100, 8<<20)
	if _, _, err := read("q.xlsx", string(modest), nil, nil); problem.CodeOf(err) != "dataset_workbook_broken" {
		t.Errorf("a sheet that says it has 100 bytes and has 8 MiB: %v", err)
	}
	corner := repack(t, base, sheet, func(put func([]byte)) {
		put([]byte(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="XFD1" t="inlineStr"><is><t>question</t></is></c></row></sheetData></worksheet>`))
	})
	if _, _, err := read("q.xlsx", string(corner), nil, nil); problem.CodeOf(err) != "dataset_too_wide" {
		t.Errorf("a cell in the last column: %v", err)
	}
}

// A damaged sheet is refused as a whole; the rows before the damage must not come in alone.
func TestReadXLSXRefusesDamage(t *testing.T) {
	t.Parallel()
	base := workbook(t, [][]any{{"question"}, {"a"}})
	const head = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
		`<row r="1"><c r="A1" t="inlineStr"><is><t>question</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>kept</t></is></c></row>`
	const tail = `</sheetData></worksheet>`
	for _, c := range []struct{ name, xml, code string }{
		{"sound", head + tail, ""},
		{"cut off", head + `<row r="3"><c r="A3"`, "dataset_workbook_broken"},
		{"cut off between rows", head, "dataset_workbook_broken"},
		{"crossed tags", head + `<row r="3"><c></row></c>` + tail, "dataset_workbook_broken"},
		{"a text that is not there", head + `<row r="3"><c r="A3" t="s"><v>99</v></c></row>` + tail, "dataset_workbook_broken"},
		{"a text without a number", head + `<row r="3"><c r="A3" t="s"><v>x</v></c></row>` + tail, "dataset_workbook_broken"},
	} {
		raw := repack(t, base, "xl/worksheets/sheet1.xml", func(put func([]byte)) { put([]byte(c.xml)) })
		d, _, err := read("q.xlsx", string(raw), nil, nil)
		if problem.CodeOf(err) != c.code || (d == nil) != (c.code != "") {
			t.Errorf("%s: %v, want code %q", c.name, err, c.code)
		}
	}
	flipped := bytes.Clone(base)
	for i := len(flipped) / 4; i < len(flipped)/2; i += 7 {
		flipped[i] ^= 0x55
	}
	if _, _, err := read("q.xlsx", string(flipped), nil, nil); problem.CodeOf(err) != "dataset_workbook_broken" {
		t.Errorf("flipped bytes: %v", err)
	}
}

func TestParsePython(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]any{
		`[]`:                   []any{},
		`['a', "b"]`:           []any{"a", "b"},
		`["it's", 'say "hi"']`: []any{"it's", `say "hi"`},
		`['a\nb', 'tab\t', 'q\'', '\u3042\xe9', 'c:\dir']`: []any{"a\nb", "tab\t", "q'", "あé", `c:\dir`},
		`['a',]`:   []any{"a"},
		`('a', 1)`: []any{"a", json.Number("1")},
		`[{'doc_id': 'd', 'start': 0, 'end': 2.0}, None, True, False, nan, -1e3]`: []any{
			map[string]any{"doc_id": "d", "start": json.Number("0"), "end": json.Number("2.0")}, nil, true, false, nil, json.Number("-1e3"),
		},
		`[['x'], []]`: []any{[]any{"x"}, []any{}},
	} {
		got, ok := ParsePython(s)
		if !ok {
			t.Errorf("%s was refused", s)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s, diff)
		}
	}
	for _, s := range []string{
		``, `[`, `['a'`, `['a' 'b']`, `['a`, `['a\`, `['\x4']`, `['\ud800']`, `[a]`, `[1 2]`, `{'a'}`, `{a: 1}`, `{'a': }`, `['a'] x`,
		`[0x10]`, `[inf]`, `[,]`,
		strings.Repeat("[", 1000), strings.Repeat("[", 60) + strings.Repeat("]", 60),
	} {
		if v, ok := ParsePython(s); ok {
			t.Errorf("%q was read as %v", s, v)
		}
	}
}

func TestColumnKey(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ground Truth": "ground_truth", " ground-truth ": "ground_truth", "ＩＤ": "id", "__expected": "__expected", "_id": "_id",
		"カテゴリ": "カテゴリ", "ｶﾃｺﾞﾘ": "カテゴリ",
	} {
		if got := ColumnKey(name); got != want {
			t.Errorf("columnKey(%q) = %q, want %q", name, got, want)
		}
	}
}

// Every alias is spelt as ColumnKey writes it and belongs to one field; otherwise it would never be found.
func TestAliasesAreKeys(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, a := range aliases {
		for _, name := range a.names {
			if ColumnKey(name) != name {
				t.Errorf("alias %q is not spelt as a key: %q", name, ColumnKey(name))
			}
			if other, found := seen[name]; found {
				t.Errorf("alias %q belongs to %s and %s", name, other, a.field)
			}
			seen[name] = a.field
		}
	}
}
