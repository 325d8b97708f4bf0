package readers

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Bounds on .docx, .pptx and .xlsx files, which are ZIP archives of XML parts: a file that is small while packed must not
// fill the memory. Archives inside archives are never opened, and the names of parts are only compared, never used as
// paths of files.
const (
	MaxOfficeUnpackedBytes = 256 << 20 // all parts together: the sizes they state, and what really comes out
	MaxOfficePartBytes     = 64 << 20  // one part of a document or presentation; sheets are read row by row instead
	MaxOfficeParts         = 10_000    // files in the archive; real ones have some dozens
	MaxOfficeRatio         = 100       // unpacked to packed size, for archives that unpack to more than [FreeOfficeRatioBytes]
	FreeOfficeRatioBytes   = 32 << 20  // harmless at any ratio: repetitive sheets pack very well
	MaxOfficeDepth         = 256       // elements within elements; a table within a table is five deep
)

// officeKind is what a file with a certain extension must hold.
type officeKind struct {
	name string // "Word document"
	a    string // the same with its article
	root string // local name of the first element of the main part
	ext  string
}

var (
	wordKind       = officeKind{"Word document", "a Word document", "document", ".docx"}
	slidesKind     = officeKind{"PowerPoint presentation", "a PowerPoint presentation", "presentation", ".pptx"}
	workbookKind   = officeKind{"Excel workbook", "an Excel workbook", "workbook", ".xlsx"}
	officeKinds    = []officeKind{wordKind, slidesKind, workbookKind}
	errTooLarge    = errors.New("it unpacks to too much")
	errDoctype     = errors.New("it declares a document type, which office programs never write")
	oleHeader      = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	oleEncryption  = []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")
	directoryEntry = []byte("PK\x01\x02")
)

// officeFile is an opened archive. Its unpacking is paid from one budget, however often a part is read.
type officeFile struct {
	id     string
	kind   officeKind
	main   string               // name of the main part
	parts  map[string]*zip.File // by the name that partName gives
	budget int64                // bytes that may still be unpacked
}

// openOffice checks that f is what its extension says and within the bounds. Its errors are Problems.
func openOffice(f sourceFile, kind officeKind) (*officeFile, error) {
	o := &officeFile{id: f.ID, kind: kind, parts: map[string]*zip.File{}, budget: MaxOfficeUnpackedBytes}
	switch {
	case bytes.HasPrefix(f.Raw, oleHeader) && bytes.Contains(f.Raw, oleEncryption):
		return nil, problem.New(problem.Invalid, "corpus_office_locked", "%s is protected with a password", f.ID).With("file", f.ID).
			WithHint("open it, remove the password and save it again; the workbench never asks for passwords of files")
	case bytes.HasPrefix(f.Raw, oleHeader):
		return nil, oldOffice(f.ID, kind.ext)
	case !bytes.HasPrefix(f.Raw, []byte("PK")):
		return nil, o.otherKind(problem.New(problem.Invalid, "corpus_office_kind", "%s is no %s: it only has the extension of one", o.id,
			kind.name))
	case bytes.Count(f.Raw, directoryEntry) > MaxOfficeParts: // before the archive is opened, which makes an object of each
		return nil, o.tooLarge(fmt.Sprintf("has more than %d parts", MaxOfficeParts))
	}
	z, err := zip.NewReader(bytes.NewReader(f.Raw), int64(len(f.Raw)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are never used as paths
		return nil, o.broken(err)
	}
	stated := uint64(0)
	for _, part := range z.File {
		if stated += part.UncompressedSize64; part.UncompressedSize64 > MaxOfficeUnpackedBytes || stated > MaxOfficeUnpackedBytes {
			return nil, o.tooLarge(fmt.Sprintf("unpacks to more than %d MiB", MaxOfficeUnpackedBytes>>20))
		}
		name := partName(part.Name)
		if o.parts[name] != nil {
			return nil, o.broken(fmt.Errorf("the part %q stands in it twice", part.Name))
		}
		o.parts[name] = part
	}
	if stated > FreeOfficeRatioBytes && stated > MaxOfficeRatio*uint64(len(f.Raw)) {
		return nil, o.tooLarge(fmt.Sprintf("unpacks to more than %d times its size", MaxOfficeRatio))
	}
	return o, o.findMain()
}

// findMain finds the main part through the relationships of the archive, and checks that it is one of the right kind.
func (o *officeFile) findMain() error {
	related, err := o.relations("")
	if err != nil {
		return o.problem(err)
	}
	o.main = related.first("/officeDocument")
	if o.parts[o.main] == nil {
		return o.otherZip()
	}
	x, err := o.open(o.main)
	if err != nil {
		return o.problem(err)
	}
	defer x.Close()
	root, err := x.root()
	if err != nil {
		return o.problem(err)
	}
	if root == o.kind.root {
		return nil
	}
	for _, k := range officeKinds {
		if root == k.root {
			return o.otherKind(problem.New(problem.Invalid, "corpus_office_kind", "%s is a file of another kind (%s), no %s", o.id, k.name,
				o.kind.name))
		}
	}
	return o.otherZip()
}

// coreTitle is the title in the document's properties, or "".
func (o *officeFile) coreTitle() (string, error) {
	related, err := o.relations("")
	if err != nil {
		return "", err
	}
	name := related.first("/core-properties")
	if o.parts[name] == nil {
		return "", nil
	}
	x, err := o.open(name)
	if err != nil {
		return "", err
	}
	defer x.Close()
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "title" {
			s, err := x.text()
			return oneLine(s), err
		}
	}
}

// relation points from a part to another.
type relation struct{ id, kind, target string }

type relations []relation

// first is the target of the first relation whose kind ends so, or "".
func (rs relations) first(kind string) string {
	for _, r := range rs {
		if strings.HasSuffix(r.kind, kind) {
			return r.target
		}
	}
	return ""
}

// byID is the target of a relation, or "".
func (rs relations) byID(id string) string {
	for _, r := range rs {
		if r.id == id {
			return r.target
		}
	}
	return ""
}

// relations are those of a part, "" for the archive, to other parts of it. Links to the outside are left out.
func (o *officeFile) relations(part string) (relations, error) {
	dir, base := path.Split(part)
	name := dir + "_rels/" + base + ".rels"
	if o.parts[name] == nil {
		return nil, nil
	}
	x, err := o.open(name)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	var rs relations
	for {
		token, err := x.next()
		if errors.Is(err, io.EOF) {
			return rs, nil
		}
		if err != nil {
			return nil, err
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" {
			continue
		}
		target := strings.ReplaceAll(attribute(e, "Target"), `\`, "/")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		rs = append(rs, relation{attribute(e, "Id"), attribute(e, "Type"), partName(target)})
	}
}

// partName is the spelling in which names of parts are compared.
func partName(name string) string {
	return strings.TrimLeft(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/")
}

// problem makes a Problem of what went wrong while the file was read.
func (o *officeFile) problem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errTooLarge):
		return o.tooLarge(fmt.Sprintf("unpacks to more than %d MiB, or more than %d MiB in one part", MaxOfficeUnpackedBytes>>20,
			MaxOfficePartBytes>>20))
	}
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	return o.broken(err)
}

func (o *officeFile) broken(err error) error {
	return problem.New(problem.Invalid, "corpus_office_broken", "%s cannot be read as %s: %v", o.id, o.kind.a, err).
		With("file", o.id).
		WithHint("open it in the program that wrote it and save it again as %s, or take it out of the folder", o.kind.ext)
}

func (o *officeFile) tooLarge(what string) error {
	return problem.New(problem.Invalid, "corpus_office_too_large", "%s %s, which no ordinary %s does", o.id, what, o.kind.name).
		With("file", o.id).
		WithHint("check where the file comes from; split it, or save its text as .txt")
}

func (o *officeFile) otherZip() error {
	return o.otherKind(problem.New(problem.Invalid, "corpus_office_kind", "%s is a ZIP archive, but no %s", o.id, o.kind.name))
}

func (o *officeFile) otherKind(p *problem.Problem) error {
	return p.With("file", o.id).WithHint("give the file the extension of what it holds, or save it again as %s", o.kind.ext)
}

// oldOffice refuses a file in the binary format of Office up to 2003.
func oldOffice(id, ext string) error {
	return problem.New(problem.Invalid, "corpus_office_old", "%s is in the old binary Office format, which is not read", id).
		With("file", id).
		WithHint("open it and save it as %s", ext)
}

// oldKinds are the extensions of the binary formats, with what to save them as.
var oldKinds = map[string]string{".doc": wordKind.ext, ".ppt": slidesKind.ext, ".xls": workbookKind.ext}

// oneLine is s with every white space as one space.
func oneLine(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch r {
		case ' ', '\t', '\n', '\r', '\f', '\v':
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}
