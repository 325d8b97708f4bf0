package studies

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/notify"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Comments are what people say about the cells of one notebook, beside its file. The server and the command line have the same for the
// same file.
type Comments struct {
	w      *app.Workbench
	place  string
	page   string // name in the folder of the server; "" of a file elsewhere
	cells  []string
	people func(cell string) // tells those who have the notebook open; may be nil
}

// Comment is a comment as people read it.
type Comment struct {
	experiments.NotebookComment
	HTML string `json:"html" doc:"of the text"`
	Gone bool   `json:"gone,omitempty" doc:"the cell is not in the notebook now; when it is put back, so is its comment"`
	// of a comment that was written just now
	Mentions []notify.Mention `json:"mentions,omitempty" doc:"the names behind an @ in a comment that was just written, and who is told"`
}

// CommentOn says what a comment is about and what it says.
type CommentOn struct {
	Cell, Run, Question, Text string
	By                        string // name of whoever says it
	Account                   string // id of their account; "" where there is none
}

// CommentsOf are the comments on the notebook in a file.
func CommentsOf(w *app.Workbench, path string) (Comments, error) {
	body, _, err := onDisk(path)
	if err != nil {
		return Comments{}, err
	}
	return commentsOn(w, path, body), nil
}

func commentsOn(w *app.Workbench, path string, text []byte) Comments {
	out := Comments{w: w, place: History{W: w}.place(path)}
	d, _ := document.Read(path, text)
	for _, c := range d.Cells() {
		out.cells = append(out.cells, c.Name)
	}
	return out
}

// Comments are the comments on a notebook of the folder.
func (s *Notebooks) Comments(name string) (Comments, error) {
	f, err := s.file(name)
	if err != nil {
		return Comments{}, err
	}
	out := commentsOn(s.w, f.path, f.text)
	out.page, out.people = name, s.feed(name).commented
	return out, nil
}

func (c Comments) shown(n experiments.NotebookComment) Comment {
	return Comment{NotebookComment: n, HTML: notebooks.CommentHTML(n.Text), Gone: !slices.Contains(c.cells, n.Cell)}
}

// List are the comments, the oldest first.
func (c Comments) List(ctx context.Context) ([]Comment, error) {
	list, err := c.w.Whole.Comments(ctx, c.place)
	out := make([]Comment, len(list))
	for i, n := range list {
		out[i] = c.shown(n)
	}
	return out, err
}

// Remarked puts what people say about a notebook of the folder into it, to be read with it.
func (s *Notebooks) Remarked(ctx context.Context, name string, n *notebooks.Notebook) error {
	c, err := s.Comments(name)
	if err != nil {
		return err
	}
	return c.Into(ctx, n)
}

// Into puts what people say into a notebook, to be read with it.
func (c Comments) Into(ctx context.Context, n *notebooks.Notebook) error {
	list, err := c.w.Whole.Comments(ctx, c.place)
	n.Comments = app.NonNil(list)
	return err
}

// Add says something about a cell of the notebook, or about a row of it.
func (c Comments) Add(ctx context.Context, on CommentOn) (Comment, error) {
	text := strings.TrimSpace(on.Text)
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return Comment{}, problem.New(problem.Invalid, "comment_empty", "the comment says nothing").With("field", "text").
			WithHint("write what you want to say about the cell")
	case n > experiments.LongestComment:
		return Comment{}, problem.New(problem.Invalid, "comment_long", "the comment has %d characters; it may have %d", n,
			experiments.LongestComment).With("field", "text").With("most", experiments.LongestComment).
			WithHint("put long texts into a note of the notebook")
	case !slices.Contains(c.cells, on.Cell):
		return Comment{}, problem.New(problem.NotFound, "cell_unknown", "the notebook has no cell %q", on.Cell).With("cell", on.Cell)
	case (on.Run == "") != (on.Question == ""):
		return Comment{}, problem.New(problem.Invalid, "comment_row", "a row is named by its run and its question").
			With("field", "question").WithHint("send both, or neither")
	}
	said := experiments.NotebookComment{ID: people.NewID()[:16], Cell: on.Cell, Run: on.Run, Question: on.Question, Text: text, By: on.By,
		At: c.w.Options.Now().UTC()}
	mentions, notices, err := notify.Mentions(ctx, c.w, notify.Remark{Place: c.place, Notebook: c.named(), Page: c.page, Said: said,
		Account: on.Account})
	if err != nil {
		return Comment{}, err
	}
	if err := c.w.Whole.PutComment(ctx, c.place, said); err != nil {
		return Comment{}, err
	}
	if err := notify.Tell(ctx, c.w, mentions, notices); err != nil {
		return Comment{}, err
	}
	c.tell(on.Cell)
	out := c.shown(said)
	out.Mentions = mentions
	return out, nil
}

// named is the notebook as people know it.
func (c Comments) named() string {
	return cmp.Or(c.page, strings.TrimSuffix(path.Base(c.place), app.NotebookEnding))
}

// Settle resolves a comment, or opens it again.
func (c Comments) Settle(ctx context.Context, id, by string, resolved bool) (Comment, error) {
	at := c.w.Options.Now().UTC()
	when := &at
	if !resolved {
		when = nil
	}
	n, err := c.w.Whole.SettleComment(ctx, c.place, id, by, when)
	if err != nil {
		return Comment{}, err
	}
	c.tell(n.Cell)
	return c.shown(n), nil
}

// Forget takes a comment away. Only who wrote it may, or an administrator.
func (c Comments) Forget(ctx context.Context, id string, who people.Actor) error {
	list, err := c.w.Whole.Comments(ctx, c.place)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(n experiments.NotebookComment) bool { return n.ID == id })
	if at < 0 {
		return experiments.CommentUnknown(id)
	}
	if list[at].By != who.Name && who.Role != experiments.RoleAdmin {
		return problem.New(problem.Conflict, "comment_author", "the comment was written by %s", list[at].By).With("by", list[at].By).
			WithHint("resolve it, or ask its author or an administrator to remove it")
	}
	if err := c.w.Whole.ForgetComment(ctx, c.place, id); err != nil {
		return err
	}
	c.tell(list[at].Cell)
	return nil
}

func (c Comments) tell(cell string) {
	if c.people != nil {
		c.people(cell)
	}
}

// renamed are the cells of a text that are there under another name only in a later one, by their names before.
func renamed(before, now *document.Document) map[string]string {
	out := map[string]string{}
	taken := map[string]bool{}
	for _, c := range before.Cells() {
		if c.Name == "" || now.Cell(c.Name) != nil {
			continue
		}
		for _, o := range now.Cells() {
			if o.Type == c.Type && o.Body == c.Body && before.Cell(o.Name) == nil && !taken[o.Name] {
				out[c.Name], taken[o.Name] = o.Name, true
				break
			}
		}
	}
	return out
}

// follow takes what was said about renamed cells along.
func (c Comments) follow(ctx context.Context, before, now *document.Document) error {
	for from, to := range renamed(before, now) {
		if err := c.w.Whole.MoveComments(ctx, c.place, from, to); err != nil {
			return err
		}
	}
	return nil
}
