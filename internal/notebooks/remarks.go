package notebooks

import (
	"encoding/json"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// remarksName is the file of a snapshot that holds the comments which somebody asked for.
const remarksName = "comments.json"

// ReadingRemark is a comment on a cell, to be read.
type ReadingRemark struct {
	Cell     string    `json:"cell"`
	Run      string    `json:"run,omitempty"` // of the row that it is about
	Question string    `json:"question,omitempty"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Resolved bool      `json:"resolved,omitempty"`
	HTML     string    `json:"html"`
}

// remarks are the comments on the cells of the document, cell by cell, the oldest first. What is said about a cell that is not there
// stays out.
func (n *Notebook) remarks() (out []ReadingRemark) {
	for _, cell := range n.Document.Cells() {
		for _, c := range n.Comments {
			if c.Cell == cell.Name {
				out = append(out, ReadingRemark{Cell: c.Cell, Run: c.Run, Question: c.Question, By: c.By, At: c.At,
					Resolved: c.ResolvedAt != nil, HTML: CommentHTML(c.Text)})
			}
		}
	}
	return out
}

// TakesComments says whether a file of a notebook can hold what people say about its cells: a page and a snapshot can.
func TakesComments(file string) error {
	if strings.HasSuffix(file, ".html") || strings.HasSuffix(file, ".ragsnap") {
		return nil
	}
	return problem.New(problem.Invalid, "comments_format", "%s: comments are written into pages and snapshots", file).
		WithHint("use .html or .ragsnap as the ending, or leave comments out")
}

// sealedRemarks is the file of the comments; nil where nobody asked for them.
func (n *Notebook) sealedRemarks() ([]byte, error) {
	if n.Comments == nil {
		return nil, nil
	}
	return json.MarshalIndent(n.Comments, "", "  ")
}

// unsealRemarks reads the file of the comments.
func unsealRemarks(raw []byte) (out []experiments.NotebookComment, err error) {
	if raw == nil {
		return nil, nil
	}
	return out, json.Unmarshal(raw, &out)
}

// remarksPart are the comments at the end of a page.
type remarksPart struct {
	Title string
	List  []remarkPart
}

type remarkPart struct {
	Cell, About, By, At, State string
	HTML                       template.HTML
}

func remarksPartOf(list []ReadingRemark, lang string) *remarksPart {
	if len(list) == 0 {
		return nil
	}
	out := &remarksPart{Title: say(lang, "Comments ("+strconv.Itoa(len(list))+")", "コメント（"+strconv.Itoa(len(list))+"件）")}
	for _, r := range list {
		p := remarkPart{Cell: r.Cell, By: r.By, At: r.At.UTC().Format("2006-01-02 15:04 UTC"),
			HTML: template.HTML(r.HTML)} //nolint:gosec // goldmark escapes texts, see prose.go
		if r.Question != "" {
			p.About = r.Question + " · " + r.Run
		}
		if r.Resolved {
			p.State = say(lang, "resolved", "解決済み")
		}
		out.List = append(out.List, p)
	}
	return out
}
