package readers

import (
	"strings"
	"testing"
)

// par is a paragraph with these properties and texts.
func par(properties string, texts ...string) string {
	var b strings.Builder
	b.WriteString("<w:p>")
	if properties != "" {
		b.WriteString("<w:pPr>" + properties + "</w:pPr>")
	}
	for _, s := range texts {
		b.WriteString(`<w:r><w:t xml:space="preserve">` + s + `</w:t></w:r>`)
	}
	return b.String() + "</w:p>"
}

func TestReadDOCX(t *testing.T) {
	t.Parallel()
	const props = "From the properties"
	cell := func(s string) string { return "<w:tc><w:tcPr/>" + s + "</w:tc>" }
	list := `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>`
	box := `<wps:txbx><w:txbxContent>` + par("", "In the box.") + par("", "Still.") + `</w:txbxContent></wps:txbx>`
	cases := []struct{ name, body, want, title string }{
		{"paragraphs", par("", "One ", "sen", "tence.") + par("") + par("", "Two."), "One sentence.\n\nTwo.", props},
		{"heading by style", par("", "before") + par(`<w:pStyle w:val="1"/>`, "払い戻し") + par("", "x"), "before\n\n払い戻し\n\nx", "払い戻し"},
		{"heading by inherited style", par(`<w:pStyle w:val="Own"/>`, "Own"), "Own", "Own"},
		{"heading taken back by a style", par(`<w:pStyle w:val="Body"/>`, "Body"), "Body", props},
		{"heading by level", par(`<w:outlineLvl w:val="2"/>`, "Level"), "Level", "Level"},
		{"style that is based on itself", par(`<w:pStyle w:val="Loop"/>`, "x"), "x", props},
		{"empty heading", par(`<w:pStyle w:val="1"/>`) + par(`<w:pStyle w:val="1"/>`, "Second"), "Second", "Second"},
		{"heading on two lines", `<w:p><w:pPr><w:pStyle w:val="1"/></w:pPr><w:r><w:t>A</w:t><w:br/><w:t>B</w:t></w:r></w:p>`, "A B", "A B"},
		{"list", par("", "a") + par(list, "one") + par(list, "two") + par("", "b"), "a\n\n- one\n- two\n\nb", props},
		{"list by style", par(`<w:pStyle w:val="Bullet"/>`, "one") +
			par(`<w:pStyle w:val="Bullet"/><w:numPr><w:numId w:val="0"/></w:numPr>`, "no item"), "- one\n\nno item", props},
		{"empty item", par(list) + par("", "b"), "b", props},
		{
			"table", par("", "a") + `<w:tbl><w:tblPr/><w:tr>` + cell(par("", "Size")) + cell(par("", "Price")) + `</w:tr><w:tr>` +
				cell(par("", "S")) + cell(par("", "1,000円")+par(list, "plus tax")) +
				`</w:tr></w:tbl>` + par("", "b"), "a\n\nSize\tPrice\nS\t1,000円 - plus tax\n\nb", props,
		},
		{"layout table", `<w:tbl><w:tr>` + cell(par("", "a")+par("", "b")) + `</w:tr></w:tbl>`, "a\n\nb", props},
		{"table in a table", `<w:tbl><w:tr>` + cell(par("", "a")) +
			cell(`<w:tbl><w:tr>`+cell(par("", "b"))+cell(par("", "c"))+`</w:tr></w:tbl>`+par("")) + `</w:tr></w:tbl>`, "a\tb c", props},
		{"deleted row", `<w:tbl><w:tr><w:trPr><w:del w:id="1"/></w:trPr>` + cell(par("", "a")) + cell(par("", "b")) + `</w:tr><w:tr>` +
			cell(par("", "c")) + cell(par("", "d")) + `</w:tr></w:tbl>`, "c\td", props},
		{"control around a row", `<w:tbl><w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent><w:tr>` + cell(par("", "c")) +
			cell(par("", "d")) + `</w:tr></w:sdtContent></w:sdt></w:tbl>`, "c\td", props},
		{
			"tracked changes",
			`<w:p><w:r><w:t>The fee is </w:t></w:r><w:ins><w:r><w:t>now </w:t></w:r></w:ins><w:del><w:r><w:delText>1,000</w:delText>` +
				`</w:r></w:del><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>` +
				`<w:moveTo><w:r><w:t>2,000</w:t></w:r></w:moveTo></w:p>`, "The fee is now 2,000", props,
		},
		{
			"field",
			`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "http://x.example" </w:instrText></w:r>` +
				`<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>the site</w:t></w:r>` +
				`<w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr="DATE"><w:r><w:t> today</w:t></w:r></w:fldSimple></w:p>`,
			"the site today", props,
		},
		{"link and control",
			`<w:p><w:hyperlink><w:r><w:t>link </w:t></w:r></w:hyperlink><w:sdt><w:sdtContent><w:r><w:t>chosen</w:t></w:r>` +
				`</w:sdtContent></w:sdt></w:p>`, "link chosen", props},
		{"hidden",
			`<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>shown</w:t></w:r></w:p>`, "shown", props},
		{"tabs, breaks, hyphens",
			`<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>` +
				`<w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t></w:r></w:p>`, "a b\nc-de", props},
		{"reading above a word",
			`<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>しゅっぱつ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>出発</w:t></w:r></w:rubyBase>` +
				`</w:ruby></w:r><w:r><w:t>まで</w:t></w:r></w:p>`, "出発まで", props},
		{"notes",
			`<w:p><w:r><w:t>The fee</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t> is high</w:t></w:r><w:r>` +
				`<w:endnoteReference w:id="2"/><w:footnoteReference w:id="2"/></w:r>` +
				`</w:p>` + par("", "b"), "The fee is high\n\nThe note.\n\nThe end note.\n\nb", props},
		{"note in a table", `<w:tbl><w:tr>` + cell(`<w:p><w:r><w:t>a</w:t><w:footnoteReference w:id="2"/></w:r></w:p>`) +
			cell(par("", "b")) + `</w:tr><w:tr>` + cell(par("", "c")) + cell(par("", "d")) + `</w:tr></w:tbl>`,
			"a\tb\nc\td\n\nThe note.", props},
		{"text box once", `<w:p><w:r><w:t>Be</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>` + box +
			`</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>` + box +
			`</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>side</w:t></w:r></w:p>`,
			"Beside\n\nIn the box.\n\nStill.", props},
		{"old text box", `<w:p><w:r><w:pict><v:shape><v:textbox>` + box + `</v:textbox></v:shape></w:pict></w:r></w:p>`,
			"In the box.\n\nStill.", props},
		{"only a fallback", `<w:p><w:r><mc:AlternateContent><mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
			"old", props},
		{"diagram",
			`<w:p><w:r><w:t>a</w:t></w:r><w:r><w:drawing><a:graphic><a:graphicData><dgm:relIds r:dm="r4"/></a:graphicData></a:graphic>` +
				`</w:drawing></w:r></w:p>`, "a\n\nStep one\nStep two", props},
		{"numbers that place things", `<w:p><w:r><w:drawing><w:posOffset>12700</w:posOffset></w:drawing><w:t>a</w:t></w:r></w:p>`, "a",
			props},
		{"formula", `<w:p><m:oMath xmlns:m="math"><m:r><m:t>x=2</m:t></m:r></m:oMath></w:p>`, "x=2", props},
		{"control and bidi characters", par("", "a&#x202e;b&#x9;c&#x85;"), "a\u202eb c\u0085", props},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, notes, err := readOne(t, "a.docx", pack(t, docx(c.body)))
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != c.want || d.Title != c.title || len(notes) != 0 {
				t.Errorf("text %q title %q notes %q, want %q and %q", d.Text, d.Title, notes, c.want, c.title)
			}
		})
	}
}

// A file that says little about itself is still read: no styles, no notes, no properties, other spellings of names.
func TestReadSparseDOCX(t *testing.T) {
	t.Parallel()
	d, _, err := readOne(t, "Guide.DOCX", pack(t, parts{
		`_rels\.rels`:       rels("officeDocument", `word\Document.xml`),
		"word/document.xml": `<document xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><body><p><r><t>Text</t></r></p></body></document>`,
	}))
	if err != nil || d.Text != "Text" || d.Title != "Guide" || d.ID != "Guide.DOCX" {
		t.Errorf("%+v, %v", d, err)
	}
}
