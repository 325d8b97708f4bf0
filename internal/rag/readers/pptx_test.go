package readers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pptx is a presentation with these slides, whose files are numbered against their order.
func pptx(slides ...string) parts {
	var order strings.Builder
	pairs := []string{}
	p := parts{"_rels/.rels": rels("officeDocument", "ppt/presentation.xml")}
	for i, s := range slides {
		file := fmt.Sprintf("slides/slide%d.xml", len(slides)-i)
		fmt.Fprintf(&order, `<p:sldId id="%d" r:id="r%d"/>`, 256+i, i+1)
		pairs = append(pairs, "slide", file)
		p["ppt/"+file] = `<p:sld ` + slideSpace + drawSpace + `><p:cSld><p:spTree>` + s + `</p:spTree></p:cSld></p:sld>`
	}
	p["ppt/presentation.xml"] = `<p:presentation ` + slideSpace + drawSpace +
		`><p:sldMasterIdLst><p:sldMasterId r:id="r99"/></p:sldMasterIdLst><p:sldIdLst>` + order.String() + `</p:sldIdLst></p:presentation>`
	p["ppt/_rels/presentation.xml.rels"] = rels(pairs...)
	return p
}

// shape is a shape with a placeholder of a kind ("-" for none) and a line for each text.
func shape(kind string, lines ...string) string {
	ph := map[string]string{"-": "", "": `<p:ph idx="1"/>`}
	holder, ok := ph[kind]
	if !ok {
		holder = `<p:ph type="` + kind + `"/>`
	}
	return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x" descr="unread"/><p:nvPr>` + holder +
		`</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:pPr lvl="1"/><a:r><a:rPr/><a:t>` +
		strings.Join(lines, `</a:t></a:r></a:p><a:p><a:r><a:t>`) + `</a:t></a:r><a:endParaRPr/></a:p></p:txBody></p:sp>`
}

func TestReadPPTX(t *testing.T) {
	t.Parallel()
	table := `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tblPr/><a:tblGrid/>` +
		`<a:tr><a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>Size</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Price</a:t></a:r></a:p></a:txBody></a:tc></a:tr>` +
		`<a:tr><a:tc><a:txBody><a:p><a:r><a:t>S</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p><a:p><a:r><a:t>2</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
	cases := []struct {
		name        string
		file        parts
		want, title string
	}{
		{"order and titles", pptx(shape("", "late", "later")+shape("title", "払い", "戻し"), shape("ctrTitle", "Second")),
			"払い 戻し\n\nlate\nlater\n\nSecond", "払い 戻し"},
		{"no title", pptx(shape("-", "a box")), "a box", "deck"},
		{"table", pptx(shape("title", "T") + table + shape("-", "after")), "T\n\nSize\tPrice\nS\t1 2\n\nafter", "T"},
		{"group", pptx(`<p:grpSp><p:nvGrpSpPr><p:cNvPr/></p:nvGrpSpPr><p:grpSpPr/>` + shape("-", "in a group") + `</p:grpSp>`),
			"in a group", "deck"},
		{"numbers and footers", pptx(shape("sldNum", "3") + shape("dt", "2026") + shape("ftr", "confidential") + shape("body", "text")),
			"text", "deck"},
		{"line break and field",
			pptx(`<p:sp><p:txBody><a:p><a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b</a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld>` +
				`<a:fld type="datetime1"><a:t> now</a:t></a:fld></a:p></p:txBody></p:sp>`), "a\nb now", "deck"},
		{
			"notes", pptx(shape("title", "T")+shape("", "body"), shape("title", "U")).with(parts{
				"ppt/slides/_rels/slide2.xml.rels": rels("notesSlide", "../notesSlides/notesSlide1.xml"),
				"ppt/notesSlides/notesSlide1.xml": `<p:notes ` + slideSpace + drawSpace + `>` + shape("sldNum", "1") +
					shape("body", "Speak slowly.") + shape("hdr", "header") + `</p:notes>`,
			}), "T\n\nbody\n\nSpeak slowly.\n\nU", "T",
		},
		{
			"diagram",
			pptx(shape("title", "T") +
				`<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="r1"/></a:graphicData></a:graphic></p:graphicFrame>`).
				with(parts{
					"ppt/slides/_rels/slide1.xml.rels": rels("diagramData", "../diagrams/data1.xml"),
					"ppt/diagrams/data1.xml":           docx("")["word/diagrams/data1.xml"],
				}), "T\n\nStep one\nStep two", "T",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, notes, err := readOne(t, "deck.pptx", pack(t, c.file))
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != c.want || d.Title != c.title || len(notes) != 0 {
				t.Errorf("text %q title %q notes %q, want %q and %q", d.Text, d.Title, notes, c.want, c.title)
			}
		})
	}
}

func TestHiddenSlidesAreNoted(t *testing.T) {
	t.Parallel()
	deck := pptx(shape("title", "A"), shape("title", "B"))
	deck["ppt/slides/slide1.xml"] = strings.Replace(deck["ppt/slides/slide1.xml"], "<p:sld ", `<p:sld show="0" `, 1)
	d, notes, err := readOne(t, "deck.pptx", pack(t, deck))
	if err != nil || d.Text != "A" {
		t.Fatalf("text %q, %v", d.Text, err)
	}
	if diff := cmp.Diff([]string{"deck.pptx: slide 2 is hidden and was left out"}, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// A presentation may show a slide a thousand times; its size counts every time.
func TestSlideShownAgainAndAgain(t *testing.T) {
	t.Parallel()
	deck := pptx(shape("title", "A"))
	o, err := openOffice(sourceFile{ID: "deck.pptx", Raw: pack(t, deck)}, slidesKind)
	if err != nil {
		t.Fatal(err)
	}
	before := o.budget
	for range 3 {
		if _, err := o.slide("ppt/slides/slide1.xml"); err != nil {
			t.Fatal(err)
		}
	}
	if spent := before - o.budget; spent != 3*int64(len(deck["ppt/slides/slide1.xml"])) {
		t.Errorf("three readings cost %d bytes", spent)
	}
}
