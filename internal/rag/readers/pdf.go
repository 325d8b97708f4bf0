package readers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Bounds on reading a PDF. The program that reads it runs beside the workbench, without a shell and without the
// environment's secrets, because parsers of PDF are attacked often.
const (
	MaxPDFPages = 2000
	PDFTimeout  = 60 * time.Second
)

// pdfConverter is how PDFs become text. Its fields are for tests.
type pdfConverter struct {
	program  string // looked for on the path
	timeout  time.Duration
	maxPages int
}

var defaultPDF = pdfConverter{program: "pdftotext", timeout: PDFTimeout, maxPages: MaxPDFPages}

// readPDF reads the text of a PDF in reading order, with a blank line between pages. A file whose text is rubbish is
// refused rather than indexed; pages without text are noted.
func (r *corpusReader) readPDF(f sourceFile) error {
	if !bytes.Contains(f.Raw[:min(len(f.Raw), 1024)], []byte("%PDF-")) {
		return problem.New(problem.Invalid, "corpus_pdf_kind", "%s is not a PDF: it only has the extension of one", f.ID).
			With("file", f.ID).
			WithHint("give the file the extension of what it holds")
	}
	out, err := r.pdf.convert(f, r.maxFile)
	if err != nil {
		return err
	}
	pages := strings.Split(strings.TrimSuffix(strings.ToValidUTF8(out, "\ufffd"), "\f"), "\f")
	if len(pages) > r.pdf.maxPages {
		return problem.New(problem.Invalid, "corpus_pdf_pages", "%s has more than %d pages, the limit for one PDF", f.ID, r.pdf.maxPages).
			With("file", f.ID).
			WithHint("split the file into smaller ones")
	}
	empty, err := judgePages(f.ID, pages)
	if err != nil {
		return err
	}
	if empty > 0 {
		r.remark("%s: %d of %d pages hold no text; if they are scanned images, run OCR first",
			"%s：%[3]dページ中%[2]dページに文字情報がありません。スキャン画像の場合は、先に文字認識（OCR）をしてください", f.ID, empty, len(pages))
	}
	return r.addText(f, "", joinPages(pages))
}

// joinPages puts a blank line between the pages that have text.
func joinPages(pages []string) string {
	var b strings.Builder
	for _, p := range pages {
		if p = strings.Trim(p, " \t\r\n"); p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(p)
	}
	return b.String()
}

// The garbage test: the share of characters that no text has, and how few letters a page may have.
const (
	maxGarbageShare = 0.05
	fewLetters      = 10 // letters and digits; a page with fewer holds a number or a mark, not text
	manyPages       = 3  // from here on most pages must have text
)

// judgePages refuses text that is rubbish and pages that are images, and counts the pages without any text.
func judgePages(id string, pages []string) (empty int, err error) {
	letters, garbage, visible, thin := 0, 0, 0, 0
	for _, p := range pages {
		onPage := 0
		for _, c := range p {
			switch {
			case unicode.IsSpace(c):
				continue
			case c == unicode.ReplacementChar, unicode.Is(unicode.Co, c), unicode.IsControl(c):
				garbage++
			case unicode.IsLetter(c), unicode.IsDigit(c):
				onPage++
			}
			visible++
		}
		letters += onPage
		if onPage == 0 {
			empty++
		}
		if onPage < fewLetters {
			thin++
		}
	}
	switch {
	case float64(garbage) > maxGarbageShare*float64(visible):
		return 0, problem.New(problem.Invalid, "corpus_pdf_garbage",
			"%s yields rubbish instead of text: %d of %d characters have no meaning", id, garbage, visible).
			With("file", id).
			WithHint("its fonts do not say which characters they show; run OCR on it, or export it again from the program that wrote it")
	case letters == 0, len(pages) >= manyPages && thin*2 > len(pages):
		return 0, problem.New(problem.Invalid, "corpus_pdf_scanned", "%s has no text on %d of %d pages: they seem to be scanned images", id,
			thin, len(pages)).
			With("file", id).WithHint("run OCR on it first (for example: ocrmypdf IN.pdf OUT.pdf), or give its text as .txt")
	}
	return empty, nil
}

// convert runs the program. Pages end with a form feed.
func (c pdfConverter) convert(f sourceFile, limit int64) (string, error) {
	program, err := exec.LookPath(c.program)
	if err != nil {
		return "", problem.New(problem.Unavailable, "corpus_pdf_program",
			"%s cannot be read: the program %s, which reads PDFs, is not installed", f.ID, c.program).
			With("file", f.ID).With("program", c.program).Because(err).
			WithHint("install poppler (Debian and Ubuntu: apt install poppler-utils; macOS: brew install poppler; Windows: choco install poppler), or take the PDFs out of the folder")
	}
	file, err := filepath.Abs(f.Path) // so that no name is taken for an option
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-enc", "UTF-8", "-eol", "unix", "-l", strconv.Itoa(c.maxPages+1), file, "-")
	cmd.Env = harmlessEnvironment()
	cmd.WaitDelay = time.Second // for programs that leave children with the output open
	complaint := &firstBytes{left: 2 << 10}
	cmd.Stderr = complaint
	out := &cappedOutput{left: limit, full: cancel}
	cmd.Stdout = out
	err = cmd.Run()
	switch {
	case out.left < 0:
		return "", problem.New(problem.Invalid, "corpus_text_too_large", "%s holds more than %d MiB of text, the limit for one file",
			f.ID, limit>>20).
			With("file", f.ID).With("limit_bytes", limit).WithHint("split the file into smaller ones")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", problem.New(problem.Invalid, "corpus_pdf_slow", "%s was not read within %v", f.ID, c.timeout).With("file", f.ID).
			WithHint("the file is damaged or very large; print it to a new PDF, or split it")
	case err != nil:
		return "", c.failed(f, err, complaint.text.String())
	}
	return out.text.String(), nil
}

// cappedOutput keeps what a program writes, and calls full once that is too much.
type cappedOutput struct {
	text strings.Builder
	left int64
	full func()
}

func (o *cappedOutput) Write(p []byte) (int, error) {
	if o.left -= int64(len(p)); o.left < 0 {
		o.full()
		return 0, errTooLarge
	}
	return o.text.Write(p)
}

// failed explains why the program did not read the file, by what it wrote about it.
func (c pdfConverter) failed(f sourceFile, err error, complaint string) error {
	const noCopying = 3 // exit status for files whose owner forbids taking their text
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case strings.Contains(complaint, "Incorrect password"):
		return problem.New(problem.Invalid, "corpus_pdf_locked", "%s is protected with a password", f.ID).With("file", f.ID).
			WithHint("open it, remove the password and save it again; the workbench never asks for passwords of files")
	case ok && exit.ExitCode() == noCopying:
		return problem.New(problem.Invalid, "corpus_pdf_locked", "%s forbids copying its text", f.ID).With("file", f.ID).
			WithHint("ask its author for a version whose text may be copied")
	}
	line, _, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
	if line = strings.Map(printable, line); line == "" {
		line = err.Error()
	}
	return problem.New(problem.Invalid, "corpus_pdf_broken", "%s cannot be read as a PDF: %s", f.ID, line).With("file", f.ID).
		WithHint("open it in a PDF viewer and print it to a new PDF, or take it out of the folder").
		Because(fmt.Errorf("%s: %w", c.program, err))
}

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}

// harmlessEnvironment is what a program needs to find its libraries and no more: no keys, no addresses.
func harmlessEnvironment() []string {
	needed := []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"}
	env := []string{"LC_ALL=C"}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(needed, strings.ToUpper(name)) {
			env = append(env, entry)
		}
	}
	return env
}

// firstBytes keeps the beginning of what is written to it.
type firstBytes struct {
	text strings.Builder
	left int
}

// Write never fails: what does not fit is dropped.
func (f *firstBytes) Write(p []byte) (int, error) {
	keep := min(f.left, len(p))
	f.left -= keep
	_, _ = f.text.Write(p[:keep]) // cannot fail
	return len(p), nil
}
