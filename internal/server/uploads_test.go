package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// parseHere reads an upload in this process: what the other process does, without its limits.
func parseHere(_ context.Context, dir string, request uploads.Request) (uploads.Upload, error) {
	request.Path = filepath.Join(dir, request.Path)
	for _, path := range []*string{&request.Corpus, &request.Dataset, &request.Other} {
		if *path != "" {
			*path = filepath.Join(dir, *path)
		}
	}
	body, err := json.Marshal(request)
	if err != nil {
		return uploads.Upload{}, err
	}
	var out bytes.Buffer
	if err := uploads.Read(bytes.NewReader(body), &out); err != nil {
		return uploads.Upload{}, err
	}
	var upload uploads.Upload
	return upload, json.Unmarshal(out.Bytes(), &upload)
}

// part is a part of a form: a file when it has a name.
type part struct{ field, file, content string }

// upload sends a form.
func (c *client) upload(path string, parts ...part) (int, string) {
	c.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, p := range parts {
		header := map[string][]string{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q`, p.field)}}
		if p.file != "" {
			header["Content-Disposition"] = []string{fmt.Sprintf(`form-data; name=%q; filename="%s"`, p.field,
				strings.ReplaceAll(p.file, `"`, `\"`))}
		}
		w, err := form.CreatePart(header)
		if err != nil {
			c.t.Fatal(err)
		}
		if _, err := io.WriteString(w, p.content); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		c.t.Fatal(err)
	}
	return c.stream(path, form.FormDataContentType(), &body)
}

func (c *client) stream(path, kind string, body io.Reader) (int, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url+requests.Prefix+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", kind)
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, err.Error() // the server hung up on a body that it would not read
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, string(got)
}

// left lists the files below a folder.
func left(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestADatasetFromPreviewToQuestions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := serve(t, Options{Workbench: small(t), Parser: parseHere, TempDir: dir})
	sheet := "id,Frage,antwort,theme\nq1,How much?,10 EUR,fees\nq2,Why?,Because,fees\n"
	status, body := c.upload(requests.UploadPath, part{field: "columns", content: `{"Frage":"question","antwort":"reference"}`},
		part{"file", `C:\Users\x\sheet.csv`, sheet})
	var preview api.DatasetPreview
	if err := json.Unmarshal([]byte(body), &preview); err != nil || status != 200 {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if preview.Total != 2 || preview.File != "sheet.csv" || preview.Name != "sheet" || preview.Rows[0].Reference != "10 EUR" ||
		preview.Problem != nil || len(preview.Report.Columns) != 4 {
		t.Errorf("preview %+v", preview)
	}
	var stored app.Imported
	c.send("POST", "/datasets", fmt.Sprintf(`{"token":%q,"name":"prices","columns":{"Frage":"question","antwort":"reference"}}`,
		preview.Token), 200, &stored)
	if stored.String() != "prices@1" || !stored.Created || stored.Items != 2 {
		t.Errorf("stored %+v", stored)
	}
	c.refused("POST", "/datasets", fmt.Sprintf(`{"token":%q,"name":"prices"}`, preview.Token), 404)
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	var ref experiments.Ref
	c.send("PATCH", "/datasets/prices@1/questions/q1", `{"reference":"12 EUR","critical":true,"tags":["theme:fees","hard"]}`, 200, &ref)
	var question views.DatasetQuestion
	c.get("/datasets/prices/questions/q1", &question)
	if ref.Version != 2 || question.Reference != "12 EUR" || !question.Critical || len(question.Tags) != 2 || question.Text != "How much?" {
		t.Errorf("%s %+v", ref, question)
	}
	c.get("/datasets/prices@1/questions/q1", &question)
	if question.Reference != "10 EUR" {
		t.Error("the old version changed")
	}
	if p := c.refused("PATCH", "/datasets/prices@1/questions/q1", `{"reference":"13 EUR"}`, 409); p.Code != "dataset_version" {
		t.Errorf("%+v", p)
	}
}

func TestAPreviewShowsWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t), Parser: parseHere, TempDir: t.TempDir()})
	status, body := c.upload(requests.UploadPath, part{"file", "q.jsonl", `{"question":"a","evidence":[{"quote":"not there at all"}]}` + "\n" +
		`{"question":""}`}, part{field: "corpus", content: "airline-en"})
	var preview api.DatasetPreview
	if err := json.Unmarshal([]byte(body), &preview); err != nil || status != 200 {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if preview.Problem == nil || preview.Problem.Code != "dataset_rows" || len(preview.Problems) != 2 || preview.Token == "" {
		t.Errorf("preview %+v", preview)
	}
	c.refused("POST", "/datasets", fmt.Sprintf(`{"token":%q,"name":"x","corpus":"airline-en"}`, preview.Token), 422)
	unclear := "question,Wzorzec,Uwagi\nHow much is a bag?,It is 30 dollars.,Prices of this year\nWhen are refunds paid?,Within 7 days.,Ask the counter first\n"
	status, body = c.upload(requests.UploadPath, part{"file", "q.csv", unclear})
	preview = api.DatasetPreview{}
	if err := json.Unmarshal([]byte(body), &preview); err != nil || status != 200 || preview.Problem == nil ||
		preview.Problem.Code != "dataset_answer_unclear" {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if columns := preview.Report.Columns; len(columns) != 3 || columns[1].Field != "metadata" || len(columns[1].Samples) != 2 {
		t.Errorf("people cannot say which column holds the right answer: %+v", columns)
	}
	quote := `{"question":"a","evidence":[{"quote":"On domestic flights a Lite ticket includes cabin baggage only."}]}`
	status, body = c.upload(requests.UploadPath, part{"file", "q.jsonl", quote}, part{field: "corpus", content: "airline-en"})
	preview = api.DatasetPreview{}
	if err := json.Unmarshal([]byte(body), &preview); err != nil || status != 200 || len(preview.Rows) != 1 ||
		len(preview.Rows[0].Evidence) != 1 || preview.Rows[0].Evidence[0].DocID != "fare-lite.md" {
		t.Fatalf("%d %s %v", status, body, err)
	}
}

// Names of files that lead elsewhere, or are no names.
func TestUploadsStayInTheirFolder(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "uploads")
	c := serve(t, Options{Workbench: small(t), Parser: parseHere, TempDir: dir})
	names := []string{
		"..", ".", ".bashrc", "...", "a/..", "/", `\`, "con\x01.md", "a:b.md", "a|b.md", "a?.md", "*.md", "~$lock.docx", " x.md", "x.md ",
		strings.Repeat("x", 300) + ".md", "\xff.md", "<b>.md",
	}
	for _, name := range names {
		status, body := c.upload(requests.CorpusPath, part{field: "name", content: "c"}, part{"files", name, "text"})
		if status != 422 && status != 400 {
			t.Errorf("%q = %d %s", name, status, body)
		}
	}
	for _, name := range []string{"../../evil.md", "..\\..\\evil.md", "/etc/evil.md", "a/b/evil.md", "....//evil.md", "%2e%2e%2fevil.md"} {
		status, body := c.upload(requests.CorpusPath, part{field: "name", content: "c"}, part{"files", name, "some text"})
		if status != 200 {
			t.Errorf("%q = %d %s", name, status, body)
		}
	}
	if files := left(t, parent); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	var documents listing.Listed[views.DocumentRow]
	c.get("/corpora/c/documents", &documents)
	if documents.Total != 1 || strings.ContainsAny(documents.Items[0].ID, `/\`) {
		t.Errorf("%+v", documents)
	}
}

func TestLimitsOfUploads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := testNow
	c := serve(t, Options{Workbench: small(t), Parser: parseHere, TempDir: dir, Now: func() time.Time { return now }})
	head := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"q.csv\"\r\n\r\n"
	endless := io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, views.MaxUploadBytes+(1<<20)))
	if status, body := c.stream(requests.UploadPath, "multipart/form-data; boundary=b",
		endless); status != http.StatusRequestEntityTooLarge &&
		status != 0 {
		t.Errorf("too large = %d %.200s", status, body)
	}
	var many []part
	for i := range requests.MaxParts + 1 {
		many = append(many, part{"files", fmt.Sprintf("%d.md", i), "x"})
	}
	for name, parts := range map[string][]part{
		"too many parts": many, "a long field": {{field: "name", content: strings.Repeat("x", requests.MaxFieldSize+1)}},
		"no file":        {{field: "name", content: "x"}},
		"two files":      {{"file", "a.csv", "question\na"}, {"file", "b.csv", "question\na"}},
		"one name twice": {{"file", "a.csv", "question\na"}, {"file", "a.csv", "question\na"}},
	} {
		if status, body := c.upload(requests.UploadPath, parts...); status != 413 && status != 422 {
			t.Errorf("%s = %d %s", name, status, body)
		}
	}
	if status, _ := c.stream(requests.UploadPath, "application/json", strings.NewReader("{}")); status != 422 && status != 415 {
		t.Errorf("no form = %d", status)
	}
	if status, _ := c.stream(requests.UploadPath, "multipart/form-data; boundary=b", strings.NewReader(head+"half")); status != 400 {
		t.Errorf("half a form = %d", status)
	}
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	for i := range requests.MaxWaiting + 1 {
		status, body := c.upload(requests.UploadPath, part{"file", "a.csv", "question\na"})
		if full := i == requests.MaxWaiting; full != (status == 409) {
			t.Errorf("upload %d = %d %s", i, status, body)
		}
	}
	c.server.uploads.Forget(now.Add(requests.WaitFor + time.Second))
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind after an hour: %v", files)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Error("the folder is gone")
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestAServerWithoutAParserSaysSo(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t), TempDir: t.TempDir()})
	if status, body := c.upload(requests.UploadPath, part{"file", "a.csv", "question\na"}); status != http.StatusServiceUnavailable {
		t.Errorf("%d %s", status, body)
	}
}
