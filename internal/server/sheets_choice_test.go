package server

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// tabsOf is a workbook: of each sheet its name, and rows of cells with ¦ between.
func tabsOf(t *testing.T, sheets ...[]string) string {
	t.Helper()
	const office = "http://schemas.openxmlformats.org"
	parts := map[string]string{}
	var list, relations, types strings.Builder
	for i, s := range sheets {
		path := fmt.Sprintf("worksheets/s%d.xml", i)
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="r%d"/>`, s[0], i+1, i)
		fmt.Fprintf(&relations, `<Relationship Id="r%d" Type="%s/officeDocument/2006/relationships/worksheet" Target="%s"/>`, i, office, path)
		fmt.Fprintf(&types, `<Override PartName="/xl/%s" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
			path)
		var rows strings.Builder
		for _, row := range s[1:] {
			rows.WriteString(`<row><c t="inlineStr"><is><t>` + strings.ReplaceAll(row, "¦", `</t></is></c><c t="inlineStr"><is><t>`) +
				`</t></is></c></row>`)
		}
		parts["xl/"+path] = `<worksheet xmlns="` + office + `/spreadsheetml/2006/main"><sheetData>` + rows.String() +
			`</sheetData></worksheet>`
	}
	parts["[Content_Types].xml"] = `<Types xmlns="` + office + `/package/2006/content-types"><Default Extension="rels" ` +
		`ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		types.String() + `</Types>`
	parts["_rels/.rels"] = `<Relationships xmlns="` + office + `/package/2006/relationships"><Relationship Id="r0" Type="` + office +
		`/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	parts["xl/workbook.xml"] = `<workbook xmlns="` + office + `/spreadsheetml/2006/main" xmlns:r="` + office +
		`/officeDocument/2006/relationships"><sheets>` + list.String() + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = `<Relationships xmlns="` + office + `/package/2006/relationships">` +
		relations.String() + `</Relationships>`
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, body := range parts {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSheetsAreChosenInAPreview: the preview says which sheets there are, which are read and why, reads others when they are named, also
// where those that were read before hold no question, and what is stored is what was shown. A preview in the place of another leaves one
// file waiting, however often people choose anew.
func TestSheetsAreChosenInAPreview(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := serve(t, Options{Workbench: small(t), Parser: parseHere, TempDir: dir})
	book := tabsOf(t, []string{"Notes", "written by QA"},
		[]string{"Support", "ID¦Question¦Answer", "1¦Battery?¦Ten hours", "2¦Restart?¦Hold power"},
		[]string{"Orders", "ID¦Question¦Answer", "1¦When do orders ship?¦Two days"})
	token := ""
	look := func(sheets string) (preview api.DatasetPreview) {
		t.Helper()
		status, body := c.upload(requests.UploadPath, part{"file", "q.xlsx", book}, part{field: "sheets", content: sheets},
			part{field: "replaces", content: token})
		if err := json.Unmarshal([]byte(body), &preview); err != nil || status != 200 {
			t.Fatalf("%d %s %v", status, body, err)
		}
		token = preview.Token
		return preview
	}
	said := func(p api.DatasetPreview) string {
		out := fmt.Sprint(p.Total)
		for _, s := range p.Report.Sheets {
			out += fmt.Sprintf("; %s %d %v", s.Name, s.Rows, s.Read)
			if s.Why.EN == "" || s.Why.JA == "" {
				t.Errorf("no reason: %+v", s)
			}
		}
		return out
	}
	for range requests.MaxWaiting {
		if got, want := said(look("")), "3; Notes 1 false; Support 2 true; Orders 1 true"; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if p := look(`["Notes"]`); said(p) != "0; Notes 0 true; Support 2 false; Orders 1 false" || p.Problem == nil {
		t.Errorf("%s %+v", said(p), p.Problem)
	}
	if got, want := said(look(`["Orders"]`)), "1; Notes 1 false; Support 2 false; Orders 1 true"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if p := look(`["Elsewhere"]`); p.Problem == nil || p.Problem.Code != "dataset_sheet_unknown" {
		t.Errorf("%+v", p.Problem)
	}
	status, body := c.upload(requests.UploadPath, part{"file", "q.xlsx", book}, part{field: "sheets", content: "Orders"})
	if status != 422 || !strings.Contains(body, "upload_sheets") {
		t.Errorf("%d %s", status, body)
	}
	look(`["Orders"]`)
	if files := left(t, dir); len(files) != 1 {
		t.Errorf("waiting: %v", files)
	}
	var stored app.Imported
	c.send("POST", "/datasets", fmt.Sprintf(`{"token":%q,"name":"orders","sheets":["Orders"]}`, token), 200, &stored)
	if stored.Items != 1 || len(left(t, dir)) != 0 {
		t.Errorf("stored %+v", stored)
	}
}

// TestNotesOfUploadsNameNoFlag: pages have a field to choose sheets, so that notes of every kind of upload say to choose them and name no
// flag of the command line, in both languages.
func TestNotesOfUploadsNameNoFlag(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book := func(name string, sheets ...[]string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(tabsOf(t, sheets...)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first := []string{"A", "question¦reference", "How long?¦Two weeks.", "Pets?¦No pets."}
	other := []string{"B", "question¦reference", "When?¦At noon.", "Where?¦In the hall."}
	again := append([]string{"C"}, first[1:]...)
	scores := []string{"A", "question¦answer¦score", "How long?¦Two weeks.¦1", "Pets?¦No.¦0.5"}
	fewer := []string{"B", "question¦answer¦score", "When?¦At noon.¦0.2"}
	choose := 0
	for name, r := range map[string]uploads.Request{
		"two sheets": {Kind: uploads.Dataset, Path: book("two.xlsx", first, other)},
		"a copy":     {Kind: uploads.Dataset, Path: book("copy.xlsx", first, other, again)},
		"results":    {Kind: uploads.Results, Path: book("results.xlsx", scores, fewer), Foreign: foreign.ForeignOptions{From: "table"}},
		"scores":     {Kind: uploads.Scores, Path: book("old.xlsx", scores, fewer), Other: book("new.xlsx", scores, fewer)},
		"no sheets":  {Kind: uploads.Dataset, Path: book("no.csv"), Sheets: []string{"none"}},
	} {
		request, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := uploads.Read(bytes.NewReader(request), &out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Contains(out.String(), "--sheet") {
			t.Errorf("%s: %s", name, out.String())
		}
		choose += strings.Count(out.String(), "choose")
	}
	if choose < 4 {
		t.Errorf("only %d notes say to choose a sheet", choose)
	}
}
