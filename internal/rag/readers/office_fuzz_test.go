package readers

import (
	"archive/zip"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// checkReading holds what is true of every file: a Problem that names it and says what to do, or a sound document.
func checkReading(t *testing.T, read func(r *corpusReader, f sourceFile) error, file string, raw []byte) {
	t.Helper()
	r := &corpusReader{maxFile: 1 << 20, maxTotal: 1 << 20, seen: map[string]string{}}
	if err := read(r, sourceFile{ID: file, Raw: raw}); err != nil {
		p, ok := errors.AsType[*problem.Problem](err)
		if !ok || p.Kind != problem.Invalid || p.Hint == "" || !strings.HasPrefix(p.Message, file) || len(r.docs) != 0 {
			t.Fatalf("error without a way out: %v", err)
		}
		return
	}
	if len(r.docs) != 1 {
		t.Fatalf("%d documents", len(r.docs))
	}
	d := r.docs[0]
	if d.ID != file || d.Title == "" || strings.TrimSpace(d.Text) == "" || !utf8.ValidString(d.Text+d.Title) ||
		strings.ContainsRune(d.Text+d.Title, 0) {
		t.Fatalf("unsound document %q: %.200q", d.Title, d.Text)
	}
}

// fuzzOffice changes a whole file, and one part of it: most changes to a packed file only break its checksums.
func fuzzOffice(f *testing.F, read func(r *corpusReader, f sourceFile) error, file string, base parts, part string, seeds ...string) {
	f.Add(pack(f, base), "")
	f.Add(pack(f, base)[:200], "")
	f.Add([]byte(nil), base[part])
	f.Add([]byte{0}, base["_rels/.rels"])
	for _, s := range seeds {
		f.Add([]byte(nil), s)
	}
	f.Fuzz(func(t *testing.T, raw []byte, content string) {
		switch { // one reading each time, and nothing is compressed: more can be tried
		case content == "":
			checkReading(t, read, file, raw)
		case len(content) > 1<<14:
		case len(raw)%2 == 0:
			checkReading(t, read, file, packAs(t, base.with(parts{part: content}), zip.Store))
		default:
			checkReading(t, read, file, packAs(t, base.with(parts{"_rels/.rels": content}), zip.Store))
		}
	})
}

func FuzzReadDocx(f *testing.F) {
	body := par(`<w:pStyle w:val="1"/>`, "Title") + par(`<w:numPr><w:numId w:val="1"/></w:numPr>`, "item") +
		`<w:tbl><w:tr><w:tc>` + par("", "a") + `</w:tc><w:tc><w:tbl><w:tr><w:tc>` + par("", "b") +
		`</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>` +
		`<w:p><w:r><w:t>x</w:t><w:footnoteReference w:id="2"/><mc:AlternateContent><mc:Choice><w:txbxContent>` + par("", "box") +
		`</w:txbxContent></mc:Choice></mc:AlternateContent></w:r></w:p>`
	fuzzOffice(f, (*corpusReader).readDOCX, "a.docx", docx(body), "word/document.xml", docx("")["word/styles.xml"],
		docx("")["word/diagrams/data1.xml"])
}

func FuzzReadPptx(f *testing.F) {
	base := pptx(shape("", "body")+shape("title",
		"T")+`<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>c</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>`+
		`</p:graphicFrame>`, shape("ctrTitle", "U"))
	fuzzOffice(f, (*corpusReader).readPPTX, "a.pptx", base, "ppt/slides/slide2.xml", base["ppt/presentation.xml"])
}

func FuzzReadXlsxCorpus(f *testing.F) {
	f.Add(workbook(f, func(f *excelize.File) error { return f.SetCellValue("Sheet1", "B2", "a") }), "")
	base := xlsx(`<row r="9"><c r="B9" t="s"><v>1</v></c><c r="A1" t="b"><v>1</v></c><c r="C1"><f>1+1</f></c><c t="inlineStr"><is><t>x</t></is></c></row>`)
	fuzzOffice(f, (*corpusReader).readXLSX, "a.xlsx", base, "xl/worksheets/sheet1.xml", base["xl/sharedStrings.xml"],
		base["xl/workbook.xml"])
}
