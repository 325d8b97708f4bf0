package reports

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// TestOfficeOpensTheWorkbook converts the workbooks with LibreOffice: what a spreadsheet refuses or repairs, a reader of our
// own library would not notice.
func TestOfficeOpensTheWorkbook(t *testing.T) {
	t.Parallel()
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_OFFICE") == "1" {
			t.Fatal("WORKBENCH_REQUIRE_OFFICE=1, but there is no soffice in PATH")
		}
		t.Skip("no soffice in PATH: the workbook is not opened in LibreOffice")
	}
	dir := t.TempDir()
	args := []string{"-env:UserInstallation=file://" + filepath.ToSlash(filepath.Join(dir, "profile")), "--headless", "--convert-to", "pdf",
		"--outdir", dir}
	reports := map[string]Report{"en": sample("en"), "ja": sample("ja"), "alone": alone("en"), "analysed": analysed(sample(wording.Both))}
	for name, r := range reports {
		path := filepath.Join(dir, name+".xlsx")
		if err := os.WriteFile(path, write(t, r), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if out, err := exec.CommandContext(t.Context(), soffice, args...).CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v\n%s", err, out)
	}
	page := regexp.MustCompile(`/Type\s*/Page\b`)
	for name := range reports {
		pdf, err := os.ReadFile(filepath.Join(dir, name+".pdf"))
		if err != nil {
			t.Errorf("%s was not converted: %v", name, err)
			continue
		}
		// Ten sheets or more, each fitted to the width of the page: a sheet that is not spreads over far more pages.
		if n := len(page.FindAll(pdf, -1)); n < 10 || n > 25 {
			t.Errorf("%s has %d pages", name, n)
		}
	}
	first := onePage(t, filepath.Join(dir, "analysed.pdf"))
	for _, text := range []string{"Retriever", "Forecast: it repairs", "Agreed by Customer service", "People checked 12 answers",
		"Parts were replaced one at a time."} {
		if !strings.Contains(first, text) {
			t.Errorf("the first page does not show %q", text)
		}
	}
	if strings.Contains(first, "概要") {
		t.Error("the first page runs on to the second sheet")
	}
	readPDF(t, filepath.Join(dir, "ja.pdf"), "低スコア回答", "変更前", "髙﨑①㈱")
	readPDF(t, filepath.Join(dir, "en.pdf"), "Low-score answers went from 4 to 2", "not applicable")
}

// onePage is the text of the first page; a sheet that is one page leaves nothing of itself for the second.
func onePage(t *testing.T, path string) string {
	t.Helper()
	pdftotext, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("no pdftotext in PATH: the first page is not read")
	}
	body, err := exec.CommandContext(t.Context(), pdftotext, "-f", "1", "-l", "1", path, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext: %v", err)
	}
	return strings.Join(strings.Fields(string(body)), " ")
}

// readPDF looks for texts in a PDF when pdftotext is there to read it.
func readPDF(t *testing.T, path string, want ...string) {
	t.Helper()
	pdftotext, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Logf("no pdftotext in PATH: the text of %s is not read", filepath.Base(path))
		return
	}
	body, err := exec.CommandContext(t.Context(), pdftotext, path, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext: %v", err)
	}
	body = bytes.ReplaceAll(body, []byte("\n"), []byte(" "))
	for _, text := range want {
		if !strings.Contains(string(body), text) {
			t.Errorf("%s does not show %q", filepath.Base(path), text)
		}
	}
}
