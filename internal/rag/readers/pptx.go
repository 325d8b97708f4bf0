package readers

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// readPPTX reads the slides in the order of the presentation: the title first, then the other shapes in the order of the
// file, tables as in a document, then the speaker's notes. Slides that are hidden are left out and noted; so are slide
// numbers, dates and footers, which say nothing about their slide.
func (r *corpusReader) readPPTX(f sourceFile) error {
	o, err := openOffice(f, slidesKind)
	if err != nil {
		return err
	}
	all := &page{}
	heading := ""
	slides, err := o.slides()
	if err != nil {
		return o.problem(err)
	}
	for i, part := range slides {
		if int64(all.b.Len()) > r.maxFile {
			break // addText refuses a text of this length
		}
		s, err := o.slide(part)
		if err != nil {
			return o.problem(fmt.Errorf("slide %d: %w", i+1, err))
		}
		if s.hidden {
			r.remark("%s: slide %d is hidden and was left out", "%s：スライド%dは非表示のため除きました", f.ID, i+1)
			continue
		}
		if heading == "" {
			heading = s.title
		}
		for _, block := range []string{s.title, s.body, s.notes} {
			if block != "" {
				all.breakBlock()
				all.verbatim(block)
				all.breakBlock()
			}
		}
	}
	return r.addOffice(f, o, heading, all.String())
}

// slides are the parts of the slides in the order of the presentation.
func (o *officeFile) slides() ([]string, error) {
	related, err := o.relations(o.main)
	if err != nil {
		return nil, err
	}
	x, err := o.open(o.main)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	var parts []string
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return parts, nil
		}
		if err != nil {
			return nil, err
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "sldId" {
			target := related.byID(relationID(e))
			if o.parts[target] == nil {
				return nil, fmt.Errorf("slide %d of the presentation is missing", len(parts)+1)
			}
			parts = append(parts, target)
		}
	}
}

// relationID is the id of the relation that e points to. A slide has an id of its own beside it, in no namespace.
func relationID(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

type slide struct {
	title, body, notes string
	hidden             bool
}

func (o *officeFile) slide(part string) (slide, error) {
	var s slide
	related, err := o.relations(part)
	if err != nil {
		return s, err
	}
	title := &page{}
	body := &page{}
	s.hidden, err = o.shapes(part, related, body, func(kind string) *page {
		switch kind {
		case "title", "ctrTitle":
			return title
		case "sldNum", "dt", "ftr", "hdr":
			return nil
		}
		return body
	})
	if err != nil || s.hidden {
		return s, err
	}
	s.title, s.body = oneLine(title.String()), body.String()
	notes := related.first("/notesSlide")
	if notes == "" || o.parts[notes] == nil {
		return s, nil
	}
	spoken := &page{}
	_, err = o.shapes(notes, nil, &page{}, func(kind string) *page {
		if kind == "body" {
			return spoken
		}
		return nil
	})
	s.notes = spoken.String()
	return s, err
}

// shapes writes the shapes of a slide, each as a block on the page that place chooses by the kind of its placeholder ("" for
// none); nil leaves it out. Everything that is no shape (tables, diagrams) goes to rest.
func (o *officeFile) shapes(part string, related relations, rest *page, place func(kind string) *page) (hidden bool, err error) {
	x, err := o.open(part)
	if err != nil {
		return false, err
	}
	defer x.Close()
	w := &officeWalker{page: rest}
	w.diagram = func(id string) (string, error) { return o.diagram(related.byID(id)) }
	w.shape = func(xml.StartElement) error {
		kind, inner, err := w.readShape(x)
		if target := place(kind); target != nil && inner != nil {
			target.breakBlock()
			target.verbatim(inner.String())
			target.breakBlock()
		}
		return err
	}
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			w.flush() // a diagram stands in no paragraph
			return false, nil
		}
		if err != nil {
			return false, err
		}
		e, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "sld" && (attribute(e, "show") == "0" || attribute(e, "show") == "false"):
			return true, nil
		default:
			if err := w.element(x, e); err != nil {
				return false, err
			}
		}
	}
}

// readShape reads a shape: the kind of its placeholder ("" when it is none) and its text, nil when it has none.
func (w *officeWalker) readShape(x *xmlPart) (kind string, inner *page, err error) {
	err = x.each(func(e xml.StartElement) error {
		var err error
		switch e.Name.Local {
		case "nvSpPr":
			kind, err = placeholder(x)
		case "txBody":
			inner, err = w.inside(x)
		default:
			err = x.skip()
		}
		return err
	})
	return kind, inner, err
}

// placeholder finds the kind of a shape in its properties. A placeholder without a kind is one for content.
func placeholder(x *xmlPart) (kind string, err error) {
	err = x.each(func(e xml.StartElement) error {
		if e.Name.Local == "ph" {
			if kind = attribute(e, "type"); kind == "" {
				kind = "obj"
			}
		}
		inner, err := placeholder(x)
		if kind == "" {
			kind = inner
		}
		return err
	})
	return kind, err
}
