package readers

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// readDOCX reads what a reader of the document sees: paragraphs, tables (a row per line, tabs between its cells), list
// items after a dash, text boxes and notes after the paragraph they belong to. Tracked changes count as accepted. Headers,
// footers, comments, hidden text and field codes are left out.
func (r *corpusReader) readDOCX(f sourceFile) error {
	o, err := openOffice(f, wordKind)
	if err != nil {
		return err
	}
	w, err := o.document()
	if err != nil {
		return o.problem(err)
	}
	return r.addOffice(f, o, w.heading, w.page.String(), w.page.headings()...)
}

// addOffice adds the only document of an office file. Its title is the first heading, else the one in the properties,
// else the name of the file.
func (r *corpusReader) addOffice(f sourceFile, o *officeFile, heading, body string, headings ...[2]int) error {
	title := heading
	if title == "" {
		var err error
		if title, err = o.coreTitle(); err != nil {
			return o.problem(err)
		}
	}
	return r.addText(f, title, body, headings...)
}

func (o *officeFile) document() (*officeWalker, error) {
	related, err := o.relations(o.main)
	if err != nil {
		return nil, err
	}
	w := &officeWalker{page: &page{}, spaced: true, notes: map[string]string{}}
	w.diagram = func(id string) (string, error) { return o.diagram(related.byID(id)) }
	if w.styles, err = o.paragraphStyles(related.first("/styles")); err != nil {
		return nil, err
	}
	for _, kind := range []string{"footnote", "endnote"} {
		if err := o.readNotes(w, related.first("/"+kind+"s"), kind); err != nil {
			return nil, err
		}
	}
	w.heading = ""
	return w, o.walk(o.main, w)
}

// walk writes a whole part.
func (o *officeFile) walk(name string, w *officeWalker) error {
	x, err := o.open(name)
	if err != nil {
		return err
	}
	defer x.Close()
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := w.element(x, e); err != nil {
				return err
			}
		}
	}
}

// readNotes keeps the texts of footnotes or endnotes for the places that refer to them.
func (o *officeFile) readNotes(w *officeWalker, part, kind string) error {
	if part == "" || o.parts[part] == nil {
		return nil
	}
	x, err := o.open(part)
	if err != nil {
		return err
	}
	defer x.Close()
	if _, err := x.root(); err != nil {
		return err
	}
	return x.each(func(e xml.StartElement) error {
		if e.Name.Local != kind {
			return x.skip()
		}
		inner, err := w.inside(x)
		w.notes[noteKey(kind, attribute(e, "id"))] = inner.String()
		return err
	})
}

// diagram is the text of a diagram's parts, one per line.
func (o *officeFile) diagram(part string) (string, error) {
	if part == "" || o.parts[part] == nil {
		return "", nil
	}
	w := &officeWalker{page: &page{}}
	err := o.walk(part, w)
	return w.page.String(), err
}

// style is one style of a document as written.
type style struct {
	paragraphStyle
	basedOn string
	says    struct{ heading, list bool } // it says so itself
}

// paragraphStyles reads which styles are headings and which are list items. Programs in other languages give styles other
// ids, but the names of the built-in ones stay "heading 1" and "Title".
func (o *officeFile) paragraphStyles(part string) (map[string]paragraphStyle, error) {
	if part == "" || o.parts[part] == nil {
		return nil, nil
	}
	x, err := o.open(part)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.root(); err != nil {
		return nil, err
	}
	written := map[string]style{}
	err = x.each(func(e xml.StartElement) error {
		if e.Name.Local != "style" || attribute(e, "type") != "paragraph" {
			return x.skip()
		}
		s, err := readStyle(x)
		written[attribute(e, "styleId")] = s
		return err
	})
	styles := make(map[string]paragraphStyle, len(written))
	for id := range written {
		styles[id] = inherited(written, id)
	}
	return styles, err
}

func readStyle(x *xmlPart) (s style, err error) {
	err = x.each(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "name":
			if s.heading = headingNamed(attribute(e, "val")); s.heading > 0 {
				s.says.heading = true
			}
		case "basedOn":
			s.basedOn = attribute(e, "val")
		case "pPr":
			return x.each(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "outlineLvl":
					s.heading, s.says.heading = outlineLevel(e), true
				case "numPr":
					var err error
					s.list, err = isNumbered(x)
					s.says.list = true
					return err
				}
				return x.skip()
			})
		}
		return x.skip()
	})
	return s, err
}

// inherited follows the styles that a style is based on, for what it does not say itself.
func inherited(written map[string]style, id string) paragraphStyle {
	const longest = 20 // chains are a few styles long, and may be circles in damaged files
	var out paragraphStyle
	var says struct{ heading, list bool }
	for range longest {
		s, ok := written[id]
		if !ok {
			break
		}
		if s.says.heading && !says.heading {
			out.heading, says.heading = s.heading, true
		}
		if s.says.list && !says.list {
			out.list, says.list = s.list, true
		}
		id = s.basedOn
	}
	return out
}

// headingNamed is the level of the built-in style of this name: 1 of the title, 0 of what is no heading.
func headingNamed(name string) int {
	name = strings.ToLower(name)
	number, heading := strings.CutPrefix(name, "heading ")
	switch level, err := strconv.Atoi(number); {
	case heading && err == nil && level >= 1 && level <= 9:
		return level
	case heading, name == "title":
		return 1
	}
	return 0
}

// outlineLevel is the level of the heading that an outline level makes: 1 of "0" to 9 of "8"; "9" is body text, which is 0.
func outlineLevel(e xml.StartElement) int {
	if v := attribute(e, "val"); len(v) == 1 && v[0] >= '0' && v[0] <= '8' {
		return int(v[0]-'0') + 1
	}
	return 0
}

// isNumbered reads the numbering of a paragraph; number 0 takes away what the style gives.
func isNumbered(x *xmlPart) (bool, error) {
	numbered := true
	err := x.each(func(e xml.StartElement) error {
		if e.Name.Local == "numId" {
			numbered = attribute(e, "val") != "0"
		}
		return x.skip()
	})
	return numbered, err
}
