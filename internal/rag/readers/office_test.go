package readers

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// parts are the files of an archive by name.
type parts map[string]string

// pack makes an archive.
func pack(t testing.TB, p parts) []byte { return packAs(t, p, zip.Deflate) }

func packAs(t testing.TB, p parts, method uint16) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(p)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write([]byte(p[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// with returns p with some parts replaced or added.
func (p parts) with(more parts) parts {
	all := maps.Clone(p)
	maps.Copy(all, more)
	return all
}

// The name spaces that office programs write.
const (
	wordSpace  = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" `
	drawSpace  = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" `
	slideSpace = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" `
	relSpace   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// rels writes relationships from alternating kinds and targets; their ids are r1, r2, ….
func rels(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="r%d" Type="%s/%s" Target="%s"/>`, i/2+1, relSpace, pairs[i], pairs[i+1])
	}
	return b.String() + `</Relationships>`
}

// docx is a document with this body.
func docx(body string) parts {
	return parts{
		"[Content_Types].xml": `<Types/>`,
		"_rels/.rels":         rels("officeDocument", "word/document.xml", "metadata/core-properties", "docProps/core.xml"),
		"docProps/core.xml":   `<cp:coreProperties xmlns:cp="x" xmlns:dc="y"><dc:creator>A</dc:creator><dc:title> From the  properties </dc:title></cp:coreProperties>`,
		"word/_rels/document.xml.rels": rels("styles", "styles.xml", "footnotes", "/word/footnotes.xml", "endnotes", "endnotes.xml",
			"diagramData", "diagrams/data1.xml"),
		"word/document.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document ` + wordSpace + drawSpace +
			`><w:body>` + body +
			`<w:sectPr><w:pgSz w:w="1"/></w:sectPr></w:body></w:document>`,
		"word/styles.xml": `<w:styles ` + wordSpace + `>
			<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
			<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="1"/></w:style>
			<w:style w:type="paragraph" w:styleId="Body"><w:name w:val="Body"/><w:basedOn w:val="1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
			<w:style w:type="paragraph" w:styleId="Bullet"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>
			<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
			<w:style w:type="character" w:styleId="Char"><w:name w:val="heading 1 Char"/></w:style></w:styles>`,
		"word/footnotes.xml": `<w:footnotes ` + wordSpace +
			`><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:t>separator</w:t></w:r></w:p></w:footnote><w:footnote w:id="2">` +
			`<w:p><w:r><w:footnoteRef/><w:t xml:space="preserve"> The note.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/endnotes.xml": `<w:endnotes ` + wordSpace +
			`><w:endnote w:id="2"><w:p><w:r><w:t>The end note.</w:t></w:r></w:p></w:endnote></w:endnotes>`,
		"word/diagrams/data1.xml": `<dgm:dataModel ` + drawSpace +
			`><dgm:ptLst><dgm:pt><dgm:t><a:bodyPr/><a:p><a:r><a:t>Step one</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r>` +
			`<a:t>Step two</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`,
	}
}

// readOne reads a file with these contents.
func readOne(t testing.TB, name string, raw []byte) (rag.Document, []string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	corpus, notes, err := ReadCorpus(file, "c")
	if err != nil {
		return rag.Document{}, text.InEnglish(notes), err
	}
	return corpus.Documents[0], text.InEnglish(notes), nil
}

// restate changes the sizes that the directory of an archive states for all its parts.
func restate(raw []byte, size uint32) []byte {
	raw = bytes.Clone(raw)
	for i := 0; ; i += 4 {
		at := bytes.Index(raw[i:], directoryEntry)
		if at < 0 {
			return raw
		}
		i += at
		binary.LittleEndian.PutUint32(raw[i+24:], size)
	}
}

func TestOfficeRefusals(t *testing.T) {
	t.Parallel()
	paragraph := `<w:p><w:r><w:t>Text</w:t></w:r></w:p>`
	good := docx(paragraph)
	many := parts{}
	for i := range MaxOfficeParts + 1 {
		many[strconv.Itoa(i)] = ""
	}
	twice := pack(t, good.with(parts{"WORD/document.xml": "<x/>"}))
	mib := strings.Repeat("\x00", 1<<20)
	cases := []struct {
		name, file string
		raw        []byte
		code, say  string
	}{
		{"text", "a.docx", []byte("no archive"), "corpus_office_kind", "no Word document"},
		{"empty", "a.pptx", nil, "corpus_office_kind", "no PowerPoint presentation"},
		{"other archive", "a.docx", pack(t, parts{"a.txt": "a"}), "corpus_office_kind", "ZIP archive, but no Word document"},
		{"archive without parts", "a.xlsx", pack(t, nil), "corpus_office_kind", "no Excel workbook"},
		{"document named xlsx", "a.xlsx", pack(t, good), "corpus_office_kind", "(Word document), no Excel workbook"},
		{"main part of no kind", "a.docx", pack(t, good.with(parts{"word/document.xml": "<html/>"})), "corpus_office_kind",
			"no Word document"},
		{"locked", "a.docx", append(bytes.Clone(oleHeader), oleEncryption...), "corpus_office_locked", "password"},
		{"old format renamed", "a.docx", oleHeader, "corpus_office_old", "old binary"},
		{"old .doc", "a.doc", oleHeader, "corpus_office_old", "a.doc"},
		{"old .xls", "a.XLS", []byte("anything"), "corpus_office_old", "a.XLS"},
		{"cut off", "a.docx", pack(t, good)[:300], "corpus_office_broken", "cannot be read as a Word document"},
		{"empty main part", "a.docx", pack(t, good.with(parts{"word/document.xml": ""})), "corpus_office_broken", "empty"},
		{"cut off XML", "a.docx",
			pack(t, good.with(parts{"word/document.xml": good["word/document.xml"][:len(good["word/document.xml"])-20]})),
			"corpus_office_broken", "unexpected EOF"},
		{"broken styles", "a.docx", pack(t, good.with(parts{"word/styles.xml": "<a><b></a>"})), "corpus_office_broken", "word/styles.xml"},
		{"part twice", "a.docx", twice, "corpus_office_broken", "twice"},
		{"document type", "a.docx", pack(t, good.with(parts{"word/document.xml": `<!DOCTYPE a [<!ENTITY b "c">]>` +
			good["word/document.xml"]})), "corpus_office_broken", "document type"},
		{"document type in styles", "a.docx", pack(t, good.with(parts{"word/styles.xml": `<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`})),
			"corpus_office_broken", "document type"},
		{"unknown entity", "a.docx", pack(t, docx(`<w:p><w:r><w:t>&b;</w:t></w:r></w:p>`)), "corpus_office_broken", "entity"},
		{"too deep", "a.docx", pack(t, docx(strings.Repeat("<w:x>", MaxOfficeDepth)+strings.Repeat("</w:x>", MaxOfficeDepth))),
			"corpus_office_broken", "within each other"},
		{"too deep where nothing is read", "a.docx",
			pack(t, docx("<w:rPr>"+strings.Repeat("<w:x>", MaxOfficeDepth)+strings.Repeat("</w:x>", MaxOfficeDepth)+"</w:rPr>")),
			"corpus_office_broken", "within each other"},
		{"too many parts", "a.docx", pack(t, good.with(many)), "corpus_office_too_large", "10000 parts"},
		{"unpacks to too much", "a.docx", pack(t, good.with(parts{"a": strings.Repeat(mib, 257)})), "corpus_office_too_large",
			"more than 256 MiB"},
		{"packed too well", "a.docx", pack(t, good.with(parts{"a": strings.Repeat(mib, 33)})), "corpus_office_too_large", "100 times"},
		{"states too much", "a.docx", restate(pack(t, good), 1<<28), "corpus_office_too_large", "more than 256 MiB"},
		{"states too little", "a.docx", restate(pack(t, good), 10), "corpus_office_broken", "not a valid zip"},
		{"no text", "a.docx", pack(t, docx(`<w:p><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>`)), "corpus_empty_document", "no text"},
		{"slide missing", "a.pptx", pack(t, pptx(`<a/>`).
			with(parts{"ppt/_rels/presentation.xml.rels": rels("slide", "../../../etc/passwd")})), "corpus_office_broken", "slide 1"},
		{"NUL in a text", "a.docx", pack(t, docx("<w:p><w:r><w:t>a\x00b</w:t></w:r></w:p>")), "corpus_office_broken", "illegal character"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := readOne(t, c.file, c.raw)
			p := problem.From(err)
			if p == nil || p.Code != c.code || !strings.Contains(p.Message, c.say) || !strings.HasPrefix(p.Message, c.file) ||
				p.Hint == "" || p.Kind != problem.Invalid {
				t.Errorf("got %v (%s), want %s saying %q", err, problem.CodeOf(err), c.code, c.say)
			}
			evaltest.InJapanese(t, err)
		})
	}
}

// The bounds hold for what is unpacked, not only for what an archive states.
func TestOfficeBudget(t *testing.T) {
	t.Parallel()
	raw := pack(t, docx(strings.Repeat(`<w:p><w:r><w:t>Text</w:t></w:r></w:p>`, 1000)))
	o, err := openOffice(sourceFile{ID: "a.docx", Raw: raw}, wordKind)
	if err != nil {
		t.Fatal(err)
	}
	o.budget = 10_000
	if _, err := o.document(); problem.CodeOf(o.problem(err)) != "corpus_office_too_large" {
		t.Errorf("got %v, want the budget to run out", err)
	}
	large := pack(t, docx("").with(parts{"word/document.xml": "<document>" + strings.Repeat(" ", MaxOfficePartBytes) + "</document>",
		"noise": noise(1 << 20)}))
	if _, _, err := readOne(t, "a.docx", large); problem.CodeOf(err) != "corpus_office_too_large" {
		t.Errorf("got %v, want one part to be too large", err)
	}
}

// noise does not pack.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return string(b)
}

// One file that cannot be read fails its folder by name, and so does text beyond the limits.
func TestOfficeInFolders(t *testing.T) {
	t.Parallel()
	good := string(pack(t, docx(`<w:p><w:r><w:t>Sixteen letters.</w:t></w:r></w:p>`)))
	_, _, err := ReadCorpus(folder(t, map[string]string{"a.txt": "a", "b/good.docx": good, "c/bad.docx": good[:len(good)/2]}), "c")
	if p := problem.From(err); p == nil || p.Code != "corpus_office_broken" || !strings.HasPrefix(p.Message, "c/bad.docx ") {
		t.Errorf("got %v, want a problem about c/bad.docx", err)
	}
	corpus, notes, err := ReadCorpus(folder(t, map[string]string{"a.txt": "a", "b/good.docx": good}), "c")
	if err != nil || len(corpus.Documents) != 2 || corpus.Documents[1].ID != "b/good.docx" || corpus.Documents[1].Source != "b/good.docx" ||
		len(notes) != 0 {
		t.Errorf("%+v, %q, %v", corpus, notes, err)
	}
	two := folder(t, map[string]string{"a.docx": good, "b.docx": good})
	r := corpusReader{maxFile: 1 << 20, maxTotal: 31, seen: map[string]string{}}
	if got := problem.CodeOf(r.read(two)); got != "corpus_too_large" {
		t.Errorf("two texts of 16 bytes within 31: %q", got)
	}
	r = corpusReader{maxFile: 15, seen: map[string]string{}}
	if got := problem.CodeOf(r.addText(sourceFile{ID: "a.docx"}, "", "Sixteen letters.")); got != "corpus_text_too_large" {
		t.Errorf("16 bytes within 15: %q", got)
	}
}
