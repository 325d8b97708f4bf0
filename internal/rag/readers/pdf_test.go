package readers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// pdf makes a PDF with these pages by hand; a page is the content of its stream.
func pdf(pages ...string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(body string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	b.WriteString("%PDF-1.4\n")
	object(`<< /Type /Catalog /Pages 2 0 R >>`)
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*i)
	}
	object(fmt.Sprintf(`<< /Type /Pages /Count %d /Kids [ %s] >>`, len(pages), kids.String()))
	object(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`)
	for i, p := range pages {
		object(fmt.Sprintf(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> /Contents %d 0 R >>`,
			5+2*i))
		object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(p), p))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.Bytes()
}

// show is the content of a page with lines of text.
func show(lines ...string) string {
	return "BT /F 12 Tf 50 700 Td 14 TL (" + strings.Join(lines, ") Tj T* (") + ") Tj ET"
}

// drawing is the content of a page without text, as scanners make them.
const drawing = "0 0 600 800 re f"

func needPDF(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath(defaultPDF.program); err != nil {
		t.Skipf("PDFs cannot be read here: %v", err)
	}
}

func TestReadPDF(t *testing.T) {
	t.Parallel()
	needPDF(t)
	sentence := "The fee is 2,000 yen."
	cases := []struct {
		name       string
		raw        []byte
		want, code string
		say        string // part of the message, or of the note when there is no code
	}{
		{"pages", pdf(show(sentence, "Second line."), show("Page two.")), "The fee is 2,000 yen.\nSecond line.\n\nPage two.", "", ""},
		{"one page without text", pdf(show(sentence), drawing, show(sentence), show(sentence)), strings.Repeat(sentence+"\n\n", 2) +
			sentence, "", "1 of 4 pages hold no text"},
		{"scanned", pdf(drawing, drawing), "", "corpus_pdf_scanned", "no text on 2 of 2 pages"},
		{"mostly scanned", pdf(show(sentence), drawing, show("7"), drawing), "", "corpus_pdf_scanned", "3 of 4 pages"},
		{"no PDF", []byte("question,answer\n"), "", "corpus_pdf_kind", "not a PDF"},
		{"damaged", []byte("%PDF-1.4\n%%EOF"), "", "corpus_pdf_broken", "cannot be read as a PDF"},
		{"no pages", pdf(), "", "corpus_pdf", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, notes, err := readOne(t, "-opw.pdf", c.raw) // a name that looks like an option
			if c.code != "" {
				evaltest.InJapanese(t, err)
				if p := problem.From(err); p == nil || !strings.HasPrefix(p.Code, c.code) || !strings.Contains(p.Message, c.say) ||
					!strings.HasPrefix(p.Message, "-opw.pdf ") || p.Hint == "" {
					t.Errorf("got %v (%s), want %s saying %q", err, problem.CodeOf(err), c.code, c.say)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != c.want || d.Title != "-opw" || (c.say != "") != (len(notes) == 1) || c.say != "" &&
				!strings.Contains(notes[0], c.say) {
				t.Errorf("text %q, title %q, notes %q", d.Text, d.Title, notes)
			}
		})
	}
}

func TestJudgePages(t *testing.T) {
	t.Parallel()
	text := "A page with enough letters on it. 十分な文字。"
	cases := []struct {
		name  string
		pages []string
		empty int
		code  string
	}{
		{"text", []string{text, text}, 0, ""},
		{"one short page", []string{"Hi"}, 0, ""},
		{"two short pages", []string{"Hi", "7"}, 0, ""},
		{"some empty", []string{text, "", text}, 1, ""},
		{"half empty", []string{text, "", text, " \n"}, 2, ""},
		{"most empty", []string{text, "", "", "3"}, 0, "corpus_pdf_scanned"},
		{"nothing", []string{"", "—"}, 0, "corpus_pdf_scanned"},
		{"replacement characters", []string{strings.Repeat("\ufffd", 3) + text}, 0, "corpus_pdf_garbage"},
		{"private use", []string{strings.Repeat("\ue012\uf034", 5) + text}, 0, "corpus_pdf_garbage"},
		{"control characters", []string{strings.Repeat("\x01\x02", 30)}, 0, "corpus_pdf_garbage"},
		{"a private bullet now and then", []string{"\uf0b7 " + strings.Repeat(text, 3)}, 0, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			empty, err := judgePages("a.pdf", c.pages)
			if problem.CodeOf(err) != c.code || empty != c.empty {
				t.Errorf("%d empty, %v; want %d and %q", empty, err, c.empty, c.code)
			}
		})
	}
}

// program writes a program that stands for pdftotext.
func program(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	file := filepath.Join(t.TempDir(), "pdftotext")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPDFProgramMisbehaves(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, script string
		timeout      time.Duration
		code, say    string
	}{
		{"hangs", "exec sleep 100", 50 * time.Millisecond, "corpus_pdf_slow", "50ms"},
		{"leaves a child", "sleep 100 &\nexec sleep 100", 50 * time.Millisecond, "corpus_pdf_slow", "50ms"},
		{"never stops writing", "exec yes text", time.Minute, "corpus_text_too_large", "1 MiB"},
		{"never stops complaining", "yes broken | head -c 100000 >&2; exit 1", time.Minute, "corpus_pdf_broken",
			"a.pdf cannot be read as a PDF: broken"},
		{"asks for a password", "echo 'Command Line Error: Incorrect password' >&2; exit 1", time.Minute, "corpus_pdf_locked", "password"},
		{"may not copy", "exit 3", time.Minute, "corpus_pdf_locked", "forbids"},
		{"fails without a word", "exit 99", time.Minute, "corpus_pdf_broken", "exit status 99"},
		{"crashes", "kill -SEGV $$", time.Minute, "corpus_pdf_broken", "segmentation"},
		{"writes control characters", "printf 'Syntax \\033[2J Error' >&2; exit 1", time.Minute, "corpus_pdf_broken", "Syntax [2J Error"},
		{"writes no UTF-8", "printf '\\203\\145\\203\\130'", time.Minute, "corpus_pdf_garbage", "rubbish"},
		{"too many pages", "printf 'one\\ftwo\\fthree\\ffour\\f'", time.Minute, "corpus_pdf_pages", "3 pages"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := corpusReader{maxFile: 1 << 20, maxTotal: 1 << 30, seen: map[string]string{},
				pdf: pdfConverter{program: program(t, c.script), timeout: c.timeout, maxPages: 3}}
			err := r.readPDF(sourceFile{ID: "a.pdf", Path: "a.pdf", Raw: []byte("%PDF-1.4")})
			evaltest.InJapanese(t, err)
			if p := problem.From(err); p == nil || p.Code != c.code || !strings.Contains(p.Message, c.say) ||
				!strings.HasPrefix(p.Message, "a.pdf ") || p.Hint == "" || len(p.Message) > 400 {
				t.Errorf("got %v (%s), want %s saying %q", err, problem.CodeOf(err), c.code, c.say)
			}
		})
	}
}

func TestPDFProgramIsMissing(t *testing.T) {
	t.Parallel()
	r := corpusReader{maxFile: 1 << 20, maxTotal: 1 << 30, seen: map[string]string{},
		pdf: pdfConverter{program: "no-such-program-for-pdf", timeout: time.Minute, maxPages: 3}}
	p := problem.From(r.readPDF(sourceFile{ID: "a.pdf", Path: "a.pdf", Raw: []byte("%PDF-1.4")}))
	if p == nil || p.Code != "corpus_pdf_program" {
		t.Fatalf("got %v", p)
	}
	for _, way := range []string{"poppler-utils", "brew install poppler", "choco install poppler"} {
		if !strings.Contains(p.Hint, way) {
			t.Errorf("the hint %q does not say %q", p.Hint, way)
		}
	}
}

// The program gets no secrets. It shows them as its text when it does.
func TestPDFProgramSeesNoSecrets(t *testing.T) {
	t.Setenv("WORKBENCH_TEST_KEY", "sk-secret")
	r := corpusReader{maxFile: 1 << 20, maxTotal: 1 << 30, seen: map[string]string{},
		pdf: pdfConverter{program: program(t, "env"), timeout: time.Minute, maxPages: 3}}
	if err := r.readPDF(sourceFile{ID: "a.pdf", Path: "a.pdf", Raw: []byte("%PDF-1.4")}); err != nil {
		t.Fatal(err)
	}
	if got := r.docs[0].Text; strings.Contains(got, "secret") || !strings.Contains(got, "PATH=") {
		t.Errorf("the environment was %q", got)
	}
}
