package app_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
)

// zipped makes an archive; its parts are written by functions, so that large ones need no memory.
func zipped(parts map[string]func(w io.Writer)) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		w, err := z.Create(name)
		if err != nil {
			panic(err)
		}
		parts[name](w)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func words(s string) func(io.Writer) { return func(w io.Writer) { _, _ = io.WriteString(w, s) } }

// filled writes a piece n times between two texts.
func filled(before, piece string, n int, after string) func(io.Writer) {
	return func(w io.Writer) {
		block := []byte(strings.Repeat(piece, 1000))
		_, _ = io.WriteString(w, before)
		for range n / 1000 {
			_, _ = w.Write(block)
		}
		_, _ = io.WriteString(w, strings.Repeat(piece, n%1000)+after)
	}
}

// noisy writes n bytes of text between two texts. Six of its bytes in a hundred are drawn: it packs to about a tenth, where an archive
// that unpacks to a hundred times its size is refused for that alone.
func noisy(before string, n int, after string) func(io.Writer) {
	return func(w io.Writer) {
		_, _ = io.WriteString(w, before)
		line := []byte(strings.Repeat("plain ", 17))
		x := uint32(1)
		for written := 0; written < n; written += len(line) {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			for i, shift := range []int{0, 8, 13, 18, 22} {
				line[i] = 'a' + byte(x>>shift%26)
			}
			_, _ = w.Write(line)
		}
		_, _ = io.WriteString(w, after)
	}
}

const officeRels = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

func related(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="r%d" Type="%s/%s" Target="%s"/>`, i/2+1, officeRels, pairs[i], pairs[i+1])
	}
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + b.String() + `</Relationships>`
}

// The main parts of the three kinds, in two halves around their content.
const (
	docStart, docEnd = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>`,
		`</w:t></w:r></w:p></w:body></w:document>`
	slideStart, slideEnd = `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:txBody><a:p><a:r><a:t>`, `</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`
	sheetStart, sheetEnd = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`,
		`</sheetData></worksheet>`
)

// officeOf makes a file of a kind (by extension) whose content part is written by content, with further parts.
func officeOf(ext string, content func(io.Writer), more map[string]func(io.Writer)) []byte {
	parts := map[string]func(io.Writer){}
	switch ext {
	case ".docx":
		parts["_rels/.rels"], parts["word/document.xml"] = words(related("officeDocument", "word/document.xml")), content
	case ".pptx":
		parts["_rels/.rels"] = words(related("officeDocument", "ppt/presentation.xml"))
		parts["ppt/presentation.xml"] = words(`<p:presentation xmlns:p="p" xmlns:r="` + officeRels +
			`"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`)
		parts["ppt/_rels/presentation.xml.rels"], parts["ppt/slides/slide1.xml"] = words(related("slide", "slides/slide1.xml")), content
	case ".xlsx":
		parts["[Content_Types].xml"] = words(`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`)
		parts["_rels/.rels"] = words(related("officeDocument", "xl/workbook.xml"))
		parts["xl/workbook.xml"] = words(`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` +
			officeRels + `"><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`)
		parts["xl/_rels/workbook.xml.rels"] = words(related("worksheet", "worksheets/sheet1.xml", "sharedStrings", "sharedStrings.xml"))
		parts["xl/worksheets/sheet1.xml"] = content
	}
	maps.Copy(parts, more)
	return zipped(parts)
}

// restated changes the unpacked size that an archive states for every part.
func restated(raw []byte, size uint32) []byte {
	for i := 0; ; i += 4 {
		at := bytes.Index(raw[i:], []byte("PK\x01\x02"))
		if at < 0 {
			return raw
		}
		i += at
		binary.LittleEndian.PutUint32(raw[i+24:], size)
	}
}

// manyEntries is the directory of an archive with n parts that are all the same empty one.
func manyEntries(n int) []byte {
	var b bytes.Buffer
	b.WriteString("PK\x03\x04" + strings.Repeat("\x00", 27))
	start := b.Len()
	entry := make([]byte, 47)
	copy(entry, "PK\x01\x02")
	entry[28], entry[46] = 1, 'a'
	for range n {
		b.Write(entry)
	}
	end := make([]byte, 22)
	copy(end, "PK\x05\x06")
	binary.LittleEndian.PutUint16(end[8:], uint16(n))
	binary.LittleEndian.PutUint16(end[10:], uint16(n))
	binary.LittleEndian.PutUint32(end[12:], uint32(b.Len()-start))
	binary.LittleEndian.PutUint32(end[16:], uint32(start))
	b.Write(end)
	return b.Bytes()
}

// container is the beginning of an OLE file, of the kind that holds an encrypted document or is in an old format.
func container(encrypted bool) []byte {
	raw := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 4096)...)
	if encrypted {
		var name bytes.Buffer
		for _, c := range "EncryptedPackage" {
			name.Write([]byte{byte(c), 0})
		}
		copy(raw[1024:], name.Bytes())
	}
	return raw
}

// hostileDocuments are Office files as documents.
func hostileDocuments() []hostileInput {
	var list []hostileInput
	add := func(name, file, code, says string, raw func() []byte) {
		list = append(list, hostileInput{name: name, file: file, files: big(file, raw), as: "corpus", code: code, says: says})
	}
	content := map[string][2]string{".docx": {docStart, docEnd}, ".pptx": {slideStart, slideEnd},
		".xlsx": {sheetStart + `<row><c t="inlineStr"><is><t>`, `</t></is></c></row>` + sheetEnd}}
	for _, ext := range []string{".docx", ".pptx", ".xlsx"} {
		file, start, end := "a"+ext, content[ext][0], content[ext][1]
		good := func() []byte { return officeOf(ext, words(start+"Text."+end), nil) }
		add("corrupt "+ext, file, "corpus_office_broken", "zip", func() []byte { raw := good(); return raw[:len(raw)/2] })
		add(ext+" with a broken byte", file, "corpus_office_broken", "", func() []byte { raw := good(); raw[60] ^= 0xff; return raw })
		add(ext+" that is text", file, "corpus_office_kind", "only has the extension", func() []byte { return []byte("question,answer\n") })
		add(ext+" that is another archive", file, "corpus_office_kind", "ZIP archive",
			func() []byte { return zipped(map[string]func(io.Writer){"a.txt": words("a")}) })
		add("encrypted "+ext, file, "corpus_office_locked", "password", func() []byte { return container(true) })
		add("old format named "+ext, file, "corpus_office_old", "old binary", func() []byte { return container(false) })
		add(ext+" bomb of 300 MiB", file, "corpus_office_too_large", "256 MiB",
			func() []byte { return officeOf(ext, filled(start, "0", 300<<20, end), nil) })
		add(ext+" bomb of 200 MiB in a part nobody reads", file, "corpus_office_too_large", "100 times", func() []byte {
			return officeOf(ext, words(start+"Text."+end), map[string]func(io.Writer){"media/a.bin": filled("", "\x00", 200<<20, "")})
		})
		add(ext+" that states small sizes", file, "corpus_office_broken", "zip",
			func() []byte { return restated(officeOf(ext, filled(start, "0", 8<<20, end), nil), 100) })
		add(ext+" with a million parts", file, "corpus_office_too_large", "10000 parts", func() []byte { return manyEntries(1_400_000) })
		add(ext+" with an XML bomb", file, "corpus_office_broken", "document type", func() []byte {
			return officeOf(ext, words(`<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>`+start+"&b;"+end), nil)
		})
		add(ext+" with an external entity", file, "corpus_office_broken", "document type", func() []byte {
			return officeOf(ext, words(`<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]>`+start+"&a;"+end), nil)
		})
		add(ext+" with elements 100,000 deep", file, "corpus_office_broken", "within each other", func() []byte {
			return officeOf(ext, words(start+strings.Repeat("<w:x xmlns:w='w'>", 100_000)), nil)
		})
	}
	add("old .doc", "a.doc", "corpus_office_old", "a.doc", func() []byte { return container(false) })
	add("document without text", "a.docx", "corpus_empty_document", "",
		func() []byte { return officeOf(".docx", words(docStart+" "+docEnd), nil) })
	add("part of 66 MiB", "a.docx", "corpus_office_too_large", "one part",
		func() []byte { return officeOf(".docx", noisy(docStart, 66<<20, docEnd), nil) })
	add("sheet whose few rows are 16,384 columns wide", "a.xlsx", "corpus_text_too_large", "64 MiB", func() []byte {
		return officeOf(".xlsx", filled(sheetStart, `<row><c r="XFD1"><v>1</v></c></row>`, 5000, sheetEnd), nil)
	})
	add("presentation that shows a slide 10,000 times", "a.pptx", "corpus_text_too_large", "64 MiB", func() []byte {
		return officeOf(".pptx", noisy(slideStart, 1<<20, slideEnd), map[string]func(io.Writer){
			"ppt/presentation.xml": filled(`<p:presentation xmlns:p="p" xmlns:r="`+officeRels+`">`, `<p:sldId id="256" r:id="r1"/>`, 10_000,
				`</p:presentation>`),
		})
	})
	take := func(name, file, says, holds string, raw func() []byte) {
		list = append(list, hostileInput{name: name, file: file, files: big(file, raw), as: "corpus", items: 1, says: says, holds: holds})
	}
	take("parts named ../../evil and /etc/evil", "a.docx", "", "Text.", func() []byte {
		return officeOf(".docx", words(docStart+"Text."+docEnd),
			map[string]func(io.Writer){"../../evil.txt": words("x"), "/etc/evil.txt": words("x"), `..\evil.txt`: words("x")})
	})
	take("document with 60 MiB of text", "a.docx", "", "", func() []byte { return officeOf(".docx", noisy(docStart, 60<<20, docEnd), nil) })
	take("sheet with 300,000 rows", "a.xlsx", "", "Data\n1\tab", func() []byte {
		return officeOf(".xlsx", filled(sheetStart, `<row><c><v>1</v></c><c t="inlineStr"><is><t>ab</t></is></c></row>`, 300_000, sheetEnd),
			nil)
	})
	take("1.2 million shared texts", "a.xlsx", "", "Data\nab", func() []byte {
		return officeOf(".xlsx", words(sheetStart+`<row><c t="s"><v>7</v></c></row>`+sheetEnd), map[string]func(io.Writer){
			"xl/sharedStrings.xml": filled(`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`, `<si><t>ab</t></si>`,
				1_200_000, `</sst>`),
		})
	})
	take("formulas that would start programs", "a.xlsx", "1 formulas have no stored value", "Data\n=cmd|'/c calc'!A1\t3", func() []byte {
		return officeOf(".xlsx",
			words(sheetStart+`<row><c t="inlineStr"><is><t>=cmd|'/c calc'!A1</t></is></c><c><f>1+2</f><v>3</v></c><c><f>`+
				`WEBSERVICE("http://x.example")</f></c></row>`+sheetEnd), nil)
	})
	bad := officeOf(".docx", words(docStart+"Text."+docEnd), nil)
	list = append(list, hostileInput{name: "one corrupt file among good ones", file: ".", as: "corpus", items: 2,
		says: "z/bad.docx: ", files: func() map[string][]byte {
			return map[string][]byte{"a.txt": []byte("a"), "b.docx": bad, "z/bad.docx": bad[:len(bad)-30]}
		}})
	return list
}

// minimalPDF has these pages; a page is the content of its stream. Further entries go into the trailer.
func minimalPDF(trailer string, pages ...string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n"+format+"\nendobj\n", append([]any{len(offsets)}, args...)...)
	}
	b.WriteString("%PDF-1.4\n")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*i)
	}
	object(`<< /Type /Catalog /Pages 2 0 R >>`)
	object(`<< /Type /Pages /Count %d /Kids [ %s] >>`, len(pages), kids.String())
	object(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`)
	for i, p := range pages {
		object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> /Contents %d 0 R >>`, 5+2*i)
		object("<< /Length %d >>\nstream\n%s\nendstream", len(p), p)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, trailer, start)
	return b.Bytes()
}

// hostilePDFs are PDFs as documents. Where the program that reads them is missing, that is what each must say.
func hostilePDFs() []hostileInput {
	const shown, drawn = "BT /F 12 Tf 50 700 Td (The fee is 2,000 yen.) Tj ET", "0 0 600 800 re f"
	const lock = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -64 /O <0000000000000000000000000000000000000000000000000000000000000000> /U <0000000000000000000000000000000000000000000000000000000000000000> >>`
	add := func(name, code, says string, raw []byte) hostileInput {
		return hostileInput{name: name, file: "a.pdf", files: one("a.pdf", raw), as: "corpus", code: code, says: says}
	}
	taken := add("PDF with an option as its name", "", "", minimalPDF("", shown))
	taken.file, taken.files, taken.items, taken.holds = "-opw.pdf", one("-opw.pdf", minimalPDF("", shown)), 1, "The fee is 2,000 yen."
	thousands := make([]string, 2001)
	for i := range thousands {
		thousands[i] = shown
	}
	list := []hostileInput{
		taken,
		add("PDF of scanned pages", "corpus_pdf_scanned", "3 of 3 pages", minimalPDF("", drawn, drawn, drawn)),
		add("PDF with a password", "corpus_pdf_locked", "password", minimalPDF(lock, shown)),
		add("PDF with 2,001 pages", "corpus_pdf_pages", "2000 pages", minimalPDF("", thousands...)),
		add("PDF whose pages contain themselves", "corpus_pdf_scanned", "1 pages",
			[]byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 9 /Kids [ 2 0 R 2 0 "+
				"R ] >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF")),
		add("PDF that is cut off", "corpus_pdf_broken", "", minimalPDF("", shown)[:150]),
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		for i := range list {
			list[i].code, list[i].says = "corpus_pdf_program", "not installed"
		}
	}
	return append(list, add("PDF that is text", "corpus_pdf_kind", "not a PDF", []byte("question,answer\n")))
}

// Parts of archives are never written to disk.
func TestHostilePartNames(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	dir := filepath.Join(t.TempDir(), "a", "b")
	in := hostileInput{files: one("a.docx", officeOf(".docx", words(docStart+"Text."+docEnd),
		map[string]func(io.Writer){"../../evil.txt": words("x"), "../evil.txt": words("x")}))}
	in.write(t, dir)
	if _, err := w.ImportCorpus(t.Context(), dir, "c", false); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(dir)), "*", "*"))
	if err != nil || len(found) != 1 {
		t.Errorf("files %q, %v; want the folder b alone", found, err)
	}
}
