package reports

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

var tablesTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("tables.html").ParseFS(pageFiles, "page/tables.html"))
})

// TablesPage is a page of sentences and tables that is shared by a link.
type TablesPage struct {
	Lang      string // "en" or "ja"
	Title     string
	Subtitle  string
	Offline   bool // the built-in judge scored something of it, which the page then says
	Sentences []string
	Tables    []PageTable
	Frame     *Frame
}

// PageTable is a table of texts. The first text of a row names it.
type PageTable struct {
	Title string
	Head  []string
	Rows  [][]string
}

// WriteHTML writes the page as one file that needs nothing else: it runs no script and asks for no address. It returns errors of w.
func (p TablesPage) WriteHTML(w io.Writer) error {
	style := pageStyle + tablesStyle
	sum := sha256.Sum256([]byte(style))
	page := struct {
		TablesPage
		Badge, Policy string
		Style         template.CSS
	}{
		TablesPage: p, Style: template.CSS(style), //nolint:gosec // our own file, see the embedding
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'",
	}
	if p.Offline {
		page.Badge = findings.OfflineJudge(p.Lang)
	}
	return tablesTemplate().Execute(w, page)
}

// tablesStyle lets wide tables scroll sideways on a phone, and keeps names of rows plain.
const tablesStyle = ".wide{overflow-x:auto}.wide table{min-width:540px}tbody th{font-weight:600}\n"
