package readers

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// The largest files that [ReadCorpus] takes. A corpus is held in memory, and its search index needs several times that.
const (
	MaxCorpusFileBytes = 64 << 20 // one file
	MaxCorpusBytes     = 2 << 30  // all files of a corpus together
)

// ReadCorpus reads the documents of a folder, or of one file, into a corpus of version 0 called name. Notes are for
// people: everything that was seen and not taken, and every change that could surprise.
//
// A folder is read with all folders below it, in the order of the slash-separated relative paths. Files and folders
// whose names begin with a dot are passed over; other files of unknown kinds and symbolic links are named in the notes.
// The kinds are
//
//   - .txt: one document, its text as it is;
//   - .md, .markdown: one document, the text a reader of the rendered page sees;
//   - .html, .htm: one document, the text a visitor of the page sees;
//   - .docx: one document, tables with a row per line, list items after a dash, notes after their paragraph;
//   - .pptx: one document, slide after slide with its title first and the speaker's notes last;
//   - .xlsx: one document, for each sheet its name and its rows with tabs between the values that are shown;
//   - .pdf: one document, through the program pdftotext where it is installed;
//   - .jsonl: one document per line, see below.
//
// A document from a file has the slash path as its id and source (for a single file, the file name), and the first
// heading, else the title element or property, else the file name without extension as its title. Lock files of office
// programs (~$name) are passed over. Of office files, hidden text, slides and sheets, comments, headers and footers are
// left out, tracked changes count as accepted, and formulas count with the value that was stored; hidden slides and
// sheets and formulas without a value are noted.
//
// A line of a .jsonl file is an object with a unique id (doc_id, id or _id), text (text, content, body or page_content)
// and, if known, title, lang and source (source or url). Other fields with one value become metadata; lists and objects
// are left out and noted. The text is kept byte for byte, because evidence offsets count in it.
//
// Encodings follow [text.Decode]. All text is in Unicode NFC afterwards; a note names each document from a .jsonl file
// that was not. A language that the source does not name is found by [text.Language].
//
// Nothing usable at all, an empty document, a missing or repeated id, an unreadable, damaged, locked or too large file, a
// PDF of scanned pages and the binary formats .doc, .ppt and .xls are Problems that name the file, the line where there
// is one, and what to do. One such file fails the whole folder, so that no corpus misses it silently.
func ReadCorpus(path, name string) (corpus *rag.Corpus, notes []text.Said, err error) {
	corpus, found, err := ReadFolder(path, name, FolderRules{Strict: true})
	return corpus, found.Notes, err
}

// corpusReader gathers documents. The limits are fields so that tests need no large files.
type corpusReader struct {
	maxFile, maxTotal int64
	total             int64
	docs              []rag.Document
	seen              map[string]string // document id → where it was first found
	skipped           []skippedFile
	remarks           []text.Said
	texts             map[[sha256.Size]byte]string // digest of a text → where it was first found
	twins             []string
	pdf               pdfConverter
	rules             FolderRules
	refused           []LeftOut
}

type skippedFile struct {
	why  text.Said
	file string
}

// readers are the kinds of text files by lower-case extension. Each adds the documents of one file.
var readers = map[string]func(r *corpusReader, f sourceFile) error{
	".txt":      (*corpusReader).readText,
	".md":       (*corpusReader).readMarkdown,
	".markdown": (*corpusReader).readMarkdown,
	".html":     (*corpusReader).readHTML,
	".htm":      (*corpusReader).readHTML,
	".jsonl":    (*corpusReader).readJSONL,
}

// packedReaders are the kinds of files that are no text.
var packedReaders = map[string]func(r *corpusReader, f sourceFile) error{
	".docx": (*corpusReader).readDOCX,
	".pptx": (*corpusReader).readPPTX,
	".xlsx": (*corpusReader).readXLSX,
	".pdf":  (*corpusReader).readPDF,
}

// isKnown reports whether a file of this name is looked into, if only to refuse it by name.
func isKnown(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return readers[ext] != nil || packedReaders[ext] != nil || oldKinds[ext] != ""
}

// sourceFile is a file with its contents: decoded in Text, or as it is in Raw. ID is what documents and messages call it.
type sourceFile struct {
	ID   string
	Text string
	Raw  []byte
	Path string // in the file system
}

// stem is the file name without folders and extension.
func (f sourceFile) stem() string {
	base := path.Base(f.ID)
	return strings.TrimSuffix(base, path.Ext(base))
}

func (r *corpusReader) read(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem.New(problem.NotFound, "corpus_missing", "there is no file or folder %s", root).With("file", root).
			WithHint("check the path; it is relative to the folder the command runs in") // the system's own message says the same once more
	case err != nil:
		return unreadableFolder(root, err)
	case !info.IsDir():
		if !isKnown(filepath.ToSlash(root)) {
			p := problem.New(problem.Invalid, "corpus_file_kind", "%s is of a kind that is not read", root).With("file", root)
			if ext := strings.ToLower(filepath.Ext(root)); ext == ".csv" || ext == ".tsv" {
				return p.WithHint("save the table as .xlsx; questions with right answers are read by: workbench dataset import %s", filepath.Base(root))
			}
			return p.WithHint("give a folder, or a file of one of the kinds %s", kinds())
		}
		return r.readFile(root, filepath.Base(root))
	}
	return r.readFolder(root)
}

func (r *corpusReader) readFolder(root string) error {
	var files []string
	absolute, err := filepath.Abs(root)
	if err != nil {
		return unreadableFolder(root, err)
	}
	err = fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		if slices.Contains(r.rules.Except, filepath.Join(absolute, filepath.FromSlash(p))) && p != "." {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		switch hidden := p != "." && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "~$")); {
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden:
		case err != nil && (r.rules.Strict || p == "."):
			return unreadableFolder(filepath.Join(root, filepath.FromSlash(p)), err)
		case err != nil:
			r.refuse(p, unreadableFolder(p, err))
			return fs.SkipDir
		case d.IsDir():
		case !d.Type().IsRegular():
			r.skip(text.Said{EN: "links and devices, which are not followed", JA: "リンクとデバイスは対象外"}, p)
		case !isKnown(p):
			r.skip(text.Say("%s, a kind that is not read", "%sは読み取れない形式", kindOf(p)), p)
		default:
			files = append(files, p)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(files)
	first, err := r.readFiles(root, files)
	if err != nil {
		return err
	}
	if len(r.docs) == 0 && first != nil {
		return first
	}
	if len(r.docs) == 0 {
		return problem.New(problem.Invalid, "corpus_empty", "the folder %s holds no document that can be read (%d files of other kinds)",
			root, len(r.skipped)).
			With("file", root).With("other_files", len(r.skipped)).WithHint("the kinds that are read are %s", kinds())
	}
	return nil
}

// readFile reads one file that messages and documents call id.
func (r *corpusReader) readFile(file, id string) error {
	if !utf8.ValidString(id) || strings.IndexFunc(id, unicode.IsControl) >= 0 {
		return problem.New(problem.Invalid, "corpus_file_name", "the name of the file %q holds control characters or is not UTF-8", id).
			With("file", strings.ToValidUTF8(id, "\ufffd")).
			WithHint("rename the file; its name becomes the id of the document")
	}
	ext := strings.ToLower(path.Ext(id))
	if newKind := oldKinds[ext]; newKind != "" {
		return oldOffice(id, newKind)
	}
	raw, err := text.ReadFile(file, r.maxFile)
	if err != nil {
		return err
	}
	if read := packedReaders[ext]; read != nil {
		return read(r, sourceFile{ID: id, Raw: raw, Path: file})
	}
	if err := r.count(id, len(raw)); err != nil {
		return err
	}
	s, _, err := text.Decode(raw)
	if err != nil {
		return inFile(id, err)
	}
	return readers[ext](r, sourceFile{ID: id, Text: s})
}

// count adds the bytes of a text to those of the corpus.
func (r *corpusReader) count(id string, bytes int) error {
	if r.total += int64(bytes); r.total > r.maxTotal {
		return problem.New(problem.Invalid, "corpus_too_large",
			"the files up to %s are together larger than %d MiB, the limit for one corpus", id, r.maxTotal>>20).
			With("file", id).With("limit_bytes", r.maxTotal).WithHint("split the folder into several corpora")
	}
	return nil
}

// addText adds the only document of a file that is no text itself. Its text is bounded like a text file.
func (r *corpusReader) addText(f sourceFile, title, body string, headings ...[2]int) error {
	if int64(len(body)) > r.maxFile {
		return problem.New(problem.Invalid, "corpus_text_too_large", "%s holds more than %d MiB of text, the limit for one file", f.ID,
			r.maxFile>>20).
			With("file", f.ID).With("limit_bytes", r.maxFile).WithHint("split the file into smaller ones")
	}
	if err := r.count(f.ID, len(body)); err != nil {
		return err
	}
	if title == "" {
		title = f.stem()
	}
	return r.add(f.ID, rag.Document{ID: f.ID, Title: title, Text: body, Source: f.ID}, headings...)
}

func (r *corpusReader) readText(f sourceFile) error {
	return r.add(f.ID, rag.Document{ID: f.ID, Title: f.stem(), Text: f.Text, Source: f.ID})
}

// add takes a document that was found at where ("file" or "file line 3"), with the lines that begin its headings and their levels.
func (r *corpusReader) add(where string, d rag.Document, headings ...[2]int) error {
	if first, found := r.seen[d.ID]; found {
		return problem.New(problem.Invalid, "corpus_duplicate_id", "%s: the document id %q was already used at %s", where, d.ID, first).
			With("where", where).With("doc_id", d.ID).With("first", first).WithHint("give every document its own id; evidence refers to it")
	}
	r.seen[d.ID] = where
	d.Text, d.Title = norm.NFC.String(d.Text), norm.NFC.String(d.Title)
	if strings.TrimSpace(d.Text) == "" {
		return problem.New(problem.Invalid, "corpus_empty_document", "%s: the document has no text", where).With("where", where).
			WithHint("fill the document or take it out of the corpus")
	}
	if holdsNUL(d) {
		return problem.New(problem.Invalid, "corpus_nul", "%s: the document holds a NUL character", where).With("where", where).
			WithHint("remove the character U+0000; databases cannot store it")
	}
	if d.Lang == "" {
		d.Lang = text.Language(d.Text)
	}
	if !r.rules.Plain {
		d = d.WithHeadings(headings)
	}
	r.noteTwin(where, d.Text)
	r.docs = append(r.docs, d)
	return nil
}

// holdsNUL looks at everything of a document that is stored.
func holdsNUL(d rag.Document) bool {
	for key, value := range d.Metadata {
		if strings.ContainsRune(key, 0) || strings.ContainsRune(value, 0) {
			return true
		}
	}
	return strings.ContainsRune(d.ID, 0) || strings.ContainsRune(d.Title, 0) || strings.ContainsRune(d.Text, 0) ||
		strings.ContainsRune(d.Source, 0)
}

// noteTwin remembers documents with the same text: quotes in them can only be told apart by the document's id.
func (r *corpusReader) noteTwin(where, body string) {
	sum := sha256.Sum256([]byte(body))
	if first, found := r.texts[sum]; found {
		r.twins = append(r.twins, fmt.Sprintf("%s = %s", where, first))
		return
	}
	if r.texts == nil {
		r.texts = map[[sha256.Size]byte]string{}
	}
	r.texts[sum] = where
}

func (r *corpusReader) skip(why text.Said, file string) {
	r.skipped = append(r.skipped, skippedFile{why, file})
}

func (r *corpusReader) remark(en, ja string, args ...any) {
	r.remarks = append(r.remarks, text.Say(en, ja, args...))
}

// notes lists the skipped files by reason, at most notedFiles names each with the number of the rest, and the remarks.
func (r *corpusReader) notes() []text.Said {
	byReason := map[text.Said][]string{}
	var reasons []text.Said
	for _, s := range r.skipped {
		if byReason[s.why] == nil {
			reasons = append(reasons, s.why)
		}
		byReason[s.why] = append(byReason[s.why], s.file)
	}
	slices.SortFunc(reasons, func(a, b text.Said) int { return strings.Compare(a.EN, b.EN) })
	var notes []text.Said
	for _, why := range reasons {
		notes = append(notes, text.Say("not read (%s): %s", "読み取っていないファイル（%s）：%s", why, listSome(byReason[why])))
	}
	if len(r.twins) > 0 {
		notes = append(notes, text.Say("the same text stands in another document already: %s",
			"別の文書と同じ本文：%s", listSome(r.twins)))
	}
	return append(notes, r.remarks...)
}

// notedFiles is how many names one note lists.
const notedFiles = 20

func listSome(names []string) text.Said {
	if len(names) <= notedFiles {
		return text.Said{EN: strings.Join(names, ", "), JA: strings.Join(names, "、")}
	}
	return text.Say("%s and %d more", "%s、ほか%d件", listSome(names[:notedFiles]), len(names)-notedFiles)
}

func kindOf(file string) text.Said {
	if ext := strings.ToLower(path.Ext(file)); ext != "" {
		return text.Said{EN: ext, JA: ext}
	}
	return text.Said{EN: "no extension", JA: "拡張子なし"}
}

func kinds() string {
	list := slices.AppendSeq(slices.Collect(maps.Keys(readers)), maps.Keys(packedReaders))
	slices.Sort(list)
	return strings.Join(list, " ")
}

func unreadableFolder(folder string, err error) *problem.Problem {
	return problem.New(problem.Invalid, "file_unreadable", "%s cannot be read", folder).With("file", folder).
		WithHint("check that you may open the folder and that its disk is connected").Because(err)
}

// inFile puts the name of the file before the message of a Problem about its contents.
func inFile(id string, err error) error {
	p, ok := errors.AsType[*problem.Problem](err)
	if !ok {
		return fmt.Errorf("%s: %w", id, err)
	}
	named := *p
	named.Message = id + ": " + p.Message
	return named.With("file", id)
}
