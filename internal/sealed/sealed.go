// Package sealed writes and reads the files that leave a workbench: studies, everything, backups, snapshots of notebooks. All are zip
// files of one form: the last file in each, manifest.json, says what the file is and names every other one with its digest. A file that
// was broken off has no manifest, and one that was changed does not fit it. What the other files are is their packages' business.
package sealed

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Format is the version of the form that this program writes. It reads the older ones too: 1 was said by studies, by backups and, in a
// manifest of another name, by notebooks; 2 by everything.
const Format = 3

// Kind is what a sealed file is.
type Kind string

// The kinds of sealed files.
const (
	Study      Kind = "study"      // runs with what they rest on
	Everything Kind = "everything" // all rows that a person would miss
	Backup     Kind = "backup"     // the whole database, and the folders that people fill
	Notebook   Kind = "notebook"   // a notebook with its results, and the study of its runs when it has some
)

// ManifestName is the file that says what a sealed file holds. NotebookName had the same duty for the notebook in a snapshot of format
// 1; manifest.json was then of the study beside it.
const (
	ManifestName = "manifest.json"
	NotebookName = "snapshot.json"
)

// mostManifestBytes bounds what is read of a manifest.
const mostManifestBytes = 64 << 20

// Head is what every manifest begins with. A kind says more beside it.
type Head struct {
	Format    int               `json:"format"`
	Kind      Kind              `json:"kind"`
	Version   string            `json:"version"` // of the program that wrote it
	CreatedAt time.Time         `json:"created_at"`
	Files     map[string]Digest `json:"files"` // name → SHA-256 of the content
}

// NewHead is the beginning of a manifest of this format.
func NewHead(kind Kind, version string, at time.Time) Head {
	return Head{Format: Format, Kind: kind, Version: version, CreatedAt: at.UTC().Truncate(time.Second), Files: map[string]Digest{}}
}

// SameProgram reports whether two versions surely name one program: builds from a working tree share a name and differ.
func SameProgram(a, b string) bool {
	return a == b && a != "" && a != "dev" && a != "development" && !strings.HasSuffix(a, "-dirty")
}

// Digest is the SHA-256 of a file in hexadecimal digits.
type Digest string

// UnmarshalJSON reads a digest, also as it stood in backups of format 1: with the size of the file.
func (d *Digest) UnmarshalJSON(raw []byte) error {
	var old struct {
		SHA256 string `json:"sha256"`
	}
	if len(raw) > 0 && raw[0] == '{' {
		err := json.Unmarshal(raw, &old)
		*d = Digest(old.SHA256)
		return err
	}
	return json.Unmarshal(raw, (*string)(d))
}

// Writer writes a sealed file. Its files are written one after the other.
type Writer struct {
	zip  *zip.Writer
	head *Head
	name string
	sum  hash.Hash

	whole string // digest of the manifest
}

// NewWriter begins a sealed file. Digests go into head, which is part of the manifest that [Writer.Close] gets. level is one of
// compress/flate.
func NewWriter(out io.Writer, head *Head, level int) *Writer {
	z := zip.NewWriter(out)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, level) })
	return &Writer{zip: z, head: head}
}

// Create begins the next file; what is written is part of it until the next one begins.
func (w *Writer) Create(name string) (io.Writer, error) {
	w.end()
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.head.CreatedAt})
	if err != nil {
		return nil, err
	}
	w.name, w.sum = name, sha256.New()
	return io.MultiWriter(out, w.sum), nil
}

func (w *Writer) end() {
	if w.sum != nil {
		w.head.Files[w.name] = Digest(hex.EncodeToString(w.sum.Sum(nil)))
	}
	w.sum = nil
}

// Put writes a whole file.
func (w *Writer) Put(name string, body []byte) error {
	out, err := w.Create(name)
	if err == nil {
		_, err = out.Write(body)
	}
	return err
}

// Copy takes every file of another sealed file over as it is, without its manifest.
func (w *Writer) Copy(from *File) error {
	w.end()
	for _, f := range from.zip.File {
		digest, ok := from.Head.Files[f.Name]
		if !ok {
			continue
		}
		if err := w.zip.Copy(f); err != nil {
			return err
		}
		w.head.Files[f.Name] = digest
	}
	return nil
}

// Close writes the manifest, which holds the head, and ends the file.
func (w *Writer) Close(manifest any) error {
	w.end()
	out, err := w.zip.Create(ManifestName)
	if err != nil {
		return err
	}
	sum := sha256.New()
	enc := json.NewEncoder(io.MultiWriter(out, sum))
	enc.SetIndent("", "  ")
	err = errors.Join(enc.Encode(manifest), w.zip.Close())
	w.whole = hex.EncodeToString(sum.Sum(nil))
	return err
}

// ManifestDigest is the digest of the whole file, once it is closed: see [File.Digest].
func (w *Writer) ManifestDigest() string { return w.whole }

// Digest is the SHA-256 of the manifest, which holds those of all files: one value for the whole file. It can be handed over by another way
// than the file.
func (f *File) Digest() string {
	sum := sha256.Sum256(f.Manifest)
	return hex.EncodeToString(sum[:])
}

// CheckDigest refuses a file that is not the one with this digest, of which a beginning of 16 digits is enough. "" checks nothing. bad says
// why.
func (f *File) CheckDigest(want string, bad Complaint) error {
	const least = 16
	switch want = strings.ToLower(strings.TrimSpace(want)); {
	case want == "":
		return nil
	case len(want) < least:
		return bad("%q is too short for a digest: give at least %d of its digits", want, least)
	case !strings.HasPrefix(f.Digest(), want):
		return bad("it is another file than the one that this digest belongs to: its own digest is %s", f.Digest())
	}
	return nil
}

// Complaint makes the problem that people see when a file is not what it should be: the format says why.
type Complaint func(format string, args ...any) *problem.Problem

// File is an open sealed file.
type File struct {
	Head     Head
	Manifest []byte // as it is stored

	file *os.File
	zip  *zip.Reader
	bad  Complaint
}

// Open opens a sealed file of one of some kinds, whose files together may unpack to so many bytes. It holds what its manifest lists, each
// once, and no byte besides. Their digests are compared when they are read, or by [File.Verify].
func Open(path string, most uint64, bad Complaint, kinds ...Kind) (*File, error) {
	in, err := os.Open(path) //nolint:gosec // the user's own file
	if err != nil {
		return nil, bad("it cannot be opened").Because(err)
	}
	f := &File{file: in, bad: bad}
	if err := f.read(most, kinds); err != nil {
		_ = in.Close() // the first error is the one to tell
		return nil, err
	}
	return f, nil
}

// read reads what the zip file says of itself, and the manifest.
func (f *File) read(most uint64, kinds []Kind) error {
	info, err := f.file.Stat()
	if err == nil {
		f.zip, err = zip.NewReader(f.file, info.Size())
	}
	if err != nil {
		return f.bad("it cannot be opened").Because(err)
	}
	if err := f.look(most, kinds); err != nil {
		return err
	}
	return f.gapless(f.file, info.Size())
}

// look reads the manifest.
func (f *File) look(most uint64, kinds []Kind) error {
	var total uint64
	for _, one := range f.zip.File {
		if total += min(one.UncompressedSize64, most+1); total > most { // so that no sum overflows
			return f.bad("it would unpack to more than %d GiB", most>>30)
		}
	}
	name := ManifestName
	if slices.Contains(kinds, Notebook) && !slices.Contains(kinds, Study) && f.Has(NotebookName) {
		name = NotebookName
	}
	if !f.Has(name) {
		return f.bad("it has no %s: it is no such file, or writing it was broken off", ManifestName)
	}
	raw, err := f.whole(name, mostManifestBytes)
	if err != nil {
		return f.bad("its manifest is damaged").Because(err)
	}
	if name := twice(raw); name != "" {
		return f.bad("its manifest says %q more than once", name)
	}
	var stated struct {
		Head
		Engine string `json:"engine"` // backups have it
	}
	if err := json.Unmarshal(raw, &stated); err != nil {
		return f.bad("its manifest is not readable").Because(err)
	}
	f.Head, f.Manifest = stated.Head, raw
	switch {
	case f.Head.Format < 1 || f.Head.Format > Format:
		return f.bad("its format is %d; this program reads 1 to %d", f.Head.Format, Format)
	case f.Head.Format == Format:
	case name == NotebookName:
		f.Head.Kind = Notebook
	case f.Head.Format == 2:
		f.Head.Kind = Everything
	case stated.Engine != "":
		f.Head.Kind = Backup
	default:
		f.Head.Kind = Study
	}
	if !slices.Contains(kinds, f.Head.Kind) {
		return f.bad("it is of another kind: %s", f.Head.Kind)
	}
	return f.held(name)
}

// Has reports whether there is a file of this name.
func (f *File) Has(name string) bool {
	return slices.ContainsFunc(f.zip.File, func(one *zip.File) bool { return one.Name == name })
}

func (f *File) whole(name string, most int64) ([]byte, error) {
	in, err := f.zip.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(in, most))
}

// Open opens a file that the manifest names, without comparing its digest; an error that is [fs.ErrNotExist] when it names none.
func (f *File) Open(name string) (io.ReadCloser, error) {
	if _, ok := f.Head.Files[name]; !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.zip.Open(name)
}

// WriteTo writes a file that the manifest names, and fails when it is not what was sealed.
func (f *File) WriteTo(out io.Writer, name string) error {
	in, err := f.Open(name)
	if err != nil {
		return f.bad("%s is missing", name).Because(err)
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, sum), in)
	if err := errors.Join(err, in.Close()); err != nil {
		return f.bad("%s is damaged", name).Because(err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != string(f.Head.Files[name]) {
		return f.bad("%s is not what was sealed: its digest differs", name)
	}
	return nil
}

// Read is [File.WriteTo] into memory, of a file of no more than so many bytes.
func (f *File) Read(name string, most uint64) ([]byte, error) {
	for _, one := range f.zip.File {
		if one.Name == name && one.UncompressedSize64 > most {
			return nil, f.bad("%s has more than %d MiB", name, most>>20)
		}
	}
	var out bytes.Buffer
	err := f.WriteTo(&out, name)
	return out.Bytes(), err
}

// Verify compares every file with its digest.
func (f *File) Verify() error {
	for _, name := range slices.Sorted(maps.Keys(f.Head.Files)) {
		if err := f.WriteTo(io.Discard, name); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what a kind says in its manifest beside the head.
func (f *File) Decode(into any) error {
	if err := json.Unmarshal(f.Manifest, into); err != nil {
		return f.bad("its manifest is not readable").Because(err)
	}
	return nil
}

// Close ends reading.
func (f *File) Close() error { return f.file.Close() }
