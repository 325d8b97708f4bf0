package readers

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// xmlPart reads the tokens of one part within the bounds. encoding/xml knows no external entities and no entities of the
// document's own; a document type, the only place for them, is refused by name.
type xmlPart struct {
	name   string
	dec    *xml.Decoder
	packed io.Closer
	depth  int
}

// open opens a part for reading. The caller closes it.
func (o *officeFile) open(name string) (*xmlPart, error) {
	f := o.parts[name]
	if f == nil {
		return nil, fmt.Errorf("the part %s is missing", name)
	}
	limit := int64(MaxOfficePartBytes)
	if o.kind == workbookKind {
		limit = MaxOfficeUnpackedBytes
	}
	if f.UncompressedSize64 > uint64(limit) {
		return nil, errTooLarge
	}
	rc, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &xmlPart{name: name, dec: xml.NewDecoder(&budgetReader{rc, &o.budget, limit}), packed: rc}, nil
}

// Close ends the reading.
func (x *xmlPart) Close() error { return x.packed.Close() }

// budgetReader stops when the bytes of the whole file or of this part are used up, whatever sizes the archive states.
type budgetReader struct {
	r     io.Reader
	whole *int64
	part  int64
}

func (b *budgetReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	*b.whole -= int64(n)
	if b.part -= int64(n); b.part < 0 || *b.whole < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// next returns the next token, which is valid until the one after it. At the end of a whole part the error is io.EOF.
func (x *xmlPart) next() (xml.Token, error) {
	token, err := x.dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, fmt.Errorf("%s: %w", x.name, err)
	}
	switch token.(type) {
	case xml.StartElement:
		if x.depth++; x.depth > MaxOfficeDepth {
			return nil, fmt.Errorf("%s: it has more than %d elements within each other", x.name, MaxOfficeDepth)
		}
	case xml.EndElement:
		x.depth--
	case xml.Directive:
		return nil, fmt.Errorf("%s: %w", x.name, errDoctype)
	}
	return token, nil
}

// root is the local name of the first element.
func (x *xmlPart) root() (string, error) {
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return "", errors.New("the main part is empty")
		}
		if err != nil {
			return "", err
		}
		if e, ok := token.(xml.StartElement); ok {
			return e.Name.Local, nil
		}
	}
}

// each calls visit for every element directly inside the one that was just opened, up to its end. visit must read its
// element to the end.
func (x *xmlPart) each(visit func(e xml.StartElement) error) error {
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if err := visit(e); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// skip passes over the element that was just opened.
func (x *xmlPart) skip() error {
	return x.each(func(xml.StartElement) error { return x.skip() })
}

// text is the text directly inside the element that was just opened, up to its end.
func (x *xmlPart) text() (string, error) {
	var b strings.Builder
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return "", io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.CharData:
			b.Write(e)
		case xml.StartElement:
			if err := x.skip(); err != nil {
				return "", err
			}
		case xml.EndElement:
			return b.String(), nil
		}
	}
}

// attribute is the value of an attribute by its local name, or "".
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}

// isOn reads an element that switches a property on by standing there, unless its value says no.
func isOn(e xml.StartElement) bool {
	switch attribute(e, "val") {
	case "0", "false", "off", "none":
		return false
	}
	return true
}
