package readers

import (
	"encoding/xml"
	"strings"
)

// officeWalker writes the text of a part in WordprocessingML or DrawingML onto a page. The two languages share the names
// of what matters here: p is a paragraph, r a run, t its text, tbl a table of tr of tc. Elements it does not know are
// entered, so links, content controls, inserted and moved-to text are kept.
type officeWalker struct {
	page      *page
	spaced    bool                            // paragraphs leave a blank line around them
	styles    map[string]paragraphStyle       // of a document, by id
	notes     map[string]string               // footnotes and endnotes not written yet, by the name of noteKey
	diagram   func(id string) (string, error) // text of the diagram that a relation points to
	shape     func(e xml.StartElement) error  // reads a shape of a slide; nil enters it like any element
	heading   string                          // the first heading
	after     []string                        // text boxes and notes: written after the paragraph or table they stand in
	nested    int                             // pages within pages
	inList    bool                            // the paragraph before was a list item
	cells     []*page                         // of the open table row
	rowIsGone bool                            // the open table row was deleted
}

// paragraphStyle is what a style or a paragraph's own properties say that matters to its text.
type paragraphStyle struct {
	heading int // its level; 0 of other text
	list    bool
}

// unwritten elements hold no text for readers: properties, field codes, deleted and moved-away text, the reading above a
// Japanese word, and pictures of embedded objects.
var unwritten = map[string]bool{
	"pPr": true, "rPr": true, "tblPr": true, "tblGrid": true, "tcPr": true, "sectPr": true, "sdtPr": true, "sdtEndPr": true,
	"instrText": true, "delText": true, "delInstrText": true, "del": true, "moveFrom": true, "rt": true, "bodyPr": true,
	"lstStyle": true, "endParaRPr": true, "nvSpPr": true, "spPr": true, "ffData": true,
}

func (w *officeWalker) children(x *xmlPart) error {
	return x.each(func(e xml.StartElement) error { return w.element(x, e) })
}

// element reads the element that was just opened.
func (w *officeWalker) element(x *xmlPart, e xml.StartElement) error {
	name := e.Name.Local
	switch name {
	case "p":
		return w.paragraph(x)
	case "r":
		return w.run(x)
	case "t":
		if strings.HasSuffix(e.Name.Space, "/diagram") {
			return w.children(x) // a text body, not a text
		}
		s, err := x.text()
		w.page.words(s)
		return err
	case "tab", "ptab":
		w.page.words(" ")
	case "br", "cr":
		w.page.breakLine()
	case "noBreakHyphen":
		w.page.words("-")
	case "tbl":
		return w.table(x)
	case "tr":
		return w.row(x)
	case "trPr":
		return w.rowProperties(x)
	case "tc":
		inner, err := w.inside(x)
		w.cells = append(w.cells, inner)
		return err
	case "txbxContent":
		inner, err := w.inside(x)
		w.later(inner.String())
		return err
	case "AlternateContent":
		return w.alternatives(x)
	case "footnoteReference", "endnoteReference":
		w.note(strings.TrimSuffix(name, "Reference"), attribute(e, "id"))
	case "relIds":
		if err := w.drawDiagram(attribute(e, "dm")); err != nil {
			return err
		}
	case "fld":
		if attribute(e, "type") == "slidenum" {
			return x.skip()
		}
		return w.children(x)
	case "sp":
		if w.shape != nil {
			return w.shape(e)
		}
		return w.children(x)
	default:
		if !unwritten[name] {
			return w.children(x)
		}
	}
	return x.skip()
}

// note keeps the text of a note, once: a note that is referred to a million times must not fill the memory.
func (w *officeWalker) note(kind, id string) {
	key := noteKey(kind, id)
	w.later(w.notes[key])
	delete(w.notes, key)
}

// drawDiagram keeps the text of a diagram.
func (w *officeWalker) drawDiagram(id string) error {
	if w.diagram == nil {
		return nil
	}
	s, err := w.diagram(id)
	w.later(s)
	return err
}

// rowProperties looks whether a tracked change deleted the row.
func (w *officeWalker) rowProperties(x *xmlPart) error {
	return x.each(func(e xml.StartElement) error {
		w.rowIsGone = w.rowIsGone || e.Name.Local == "del"
		return x.skip()
	})
}

// inside writes the children of the open element onto a page of their own.
func (w *officeWalker) inside(x *xmlPart) (*page, error) {
	outer, inList := w.page, w.inList
	w.page, w.inList = &page{}, false
	w.nested++
	err := w.children(x)
	inner := w.page
	w.page, w.inList = outer, inList
	w.nested--
	return inner, err
}

// alternatives reads the first choice, or the fallback where there is none: they say the same for different programs.
func (w *officeWalker) alternatives(x *xmlPart) error {
	chosen := false
	return x.each(func(e xml.StartElement) error {
		if chosen || e.Name.Local != "Choice" && e.Name.Local != "Fallback" {
			return x.skip()
		}
		chosen = true
		return w.children(x)
	})
}

// paragraph writes a heading, a list item or a plain paragraph. Its properties come first if it has any.
func (w *officeWalker) paragraph(x *xmlPart) error {
	var style paragraphStyle
	begun := false
	begin := func() {
		if begun {
			return
		}
		begun = true
		switch {
		case style.heading > 0, w.spaced && !(style.list && w.inList):
			w.page.breakBlock()
		default:
			w.page.breakLine()
		}
		w.inList = style.list && style.heading == 0
		if w.inList {
			w.page.mark("- ")
		}
	}
	outer := w.page
	err := x.each(func(e xml.StartElement) error {
		if e.Name.Local == "pPr" {
			var err error
			style, err = w.properties(x)
			return err
		}
		begin()
		if style.heading > 0 && w.page == outer {
			w.page = &page{}
		}
		return w.element(x, e)
	})
	begin()
	if w.page != outer {
		text := oneLine(w.page.String())
		w.page = outer
		w.page.heading(style.heading)
		w.page.words(text)
		w.page.endHeading()
		w.page.breakBlock()
		if w.heading == "" {
			w.heading = text
		}
	}
	w.page.prefix = "" // of a list item without text
	if err == nil {
		w.flush()
	}
	return err
}

// properties reads the properties of a paragraph: its style, and what it says itself.
func (w *officeWalker) properties(x *xmlPart) (style paragraphStyle, err error) {
	err = x.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "pStyle":
			style = w.styles[attribute(e, "val")]
		case "outlineLvl":
			style.heading = outlineLevel(e)
		case "numPr":
			var err error
			style.list, err = isNumbered(x)
			return err
		}
		return x.skip()
	})
	return style, err
}

// run passes over hidden text.
func (w *officeWalker) run(x *xmlPart) error {
	hidden := false
	return x.each(func(e xml.StartElement) error {
		switch {
		case e.Name.Local == "rPr":
			return x.each(func(e xml.StartElement) error {
				hidden = hidden || (e.Name.Local == "vanish" || e.Name.Local == "webHidden") && isOn(e)
				return x.skip()
			})
		case hidden:
			return x.skip()
		}
		return w.element(x, e)
	})
}

func (w *officeWalker) table(x *xmlPart) error {
	if w.spaced {
		w.page.breakBlock()
	} else {
		w.page.breakLine()
	}
	w.inList = false
	if err := w.children(x); err != nil {
		return err
	}
	w.page.breakBlock()
	w.flush()
	return nil
}

// row writes the cells of a table row on one line. A row with a single cell only places things on the page, so its
// content is written like any block.
func (w *officeWalker) row(x *xmlPart) error {
	cells, gone := w.cells, w.rowIsGone
	w.cells, w.rowIsGone = nil, false
	err := w.children(x)
	switch {
	case w.rowIsGone:
	case len(w.cells) == 1:
		w.page.breakLine()
		w.page.verbatim(w.cells[0].String())
		w.page.breakLine()
	default:
		texts := make([]string, len(w.cells))
		for i, c := range w.cells {
			texts[i] = oneLine(c.String())
		}
		w.page.row(texts)
	}
	w.cells, w.rowIsGone = cells, gone
	return err
}

// later keeps a block until the paragraph or table around it has ended.
func (w *officeWalker) later(s string) {
	if s != "" {
		w.after = append(w.after, s)
	}
}

// flush writes the blocks that were kept, once no paragraph or table is open.
func (w *officeWalker) flush() {
	if w.nested > 0 || len(w.after) == 0 {
		return
	}
	for _, s := range w.after {
		w.page.breakBlock()
		w.page.verbatim(s)
		w.page.breakBlock()
	}
	w.after, w.inList = nil, false
}

func noteKey(kind, id string) string { return kind + " " + id }
