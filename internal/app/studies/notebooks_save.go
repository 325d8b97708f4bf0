package studies

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// NotebookSaved is a notebook as it was written.
type NotebookSaved struct {
	Name     string    `json:"name"`
	Digest   string    `json:"digest"`
	Modified time.Time `json:"modified"`
}

// emptyNotebook is what a new notebook begins with: it is called what somebody named it.
func emptyNotebook(name string) []byte {
	return []byte("---\nragnb: 1\ntitle: " + strconv.Quote(name) + "\nlang: [en, ja]\n---\n")
}

// NewNotebook says what a new notebook begins with: one of the gallery, a text, or nothing.
type NewNotebook struct {
	Name, Text string
	By         string // name of whoever makes it
	Gallery
}

// Create writes a new notebook.
func (s *Notebooks) Create(ctx context.Context, n NewNotebook) (NotebookSaved, error) {
	path, err := s.path(n.Name)
	if err != nil {
		return NotebookSaved{}, err
	}
	body := []byte(n.Text)
	switch {
	case n.From != "" && n.Text != "":
		return NotebookSaved{}, problem.New(problem.Invalid, "notebook_from", "send either from or text").With("field", "from")
	case n.From != "":
		n.Dir = s.templates()
		if body, err = n.Read(ctx, s.w); err != nil {
			return NotebookSaved{}, err
		}
	case n.Text == "":
		body = emptyNotebook(n.Name)
	}
	name := n.Name
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.free(name, path); err != nil {
		return NotebookSaved{}, err
	}
	return s.write(ctx, notebookFile{name: name, path: path}, body, n.By)
}

// free refuses a name that is taken.
func (s *Notebooks) free(name, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return problem.New(problem.Conflict, "notebook_exists", "there is a notebook %q already", name).With("field", "name").
			With("name", name).WithHint("choose another name")
	}
	return nil
}

// write replaces the text of a notebook, f before it, and keeps both in its history. by is the name of whoever does it.
func (s *Notebooks) write(ctx context.Context, f notebookFile, text []byte, by string) (NotebookSaved, error) {
	name, path := f.name, f.path
	var before *document.Document
	if f.digest != "" {
		before, _ = document.Read(name, f.text)
	}
	if !utf8.Valid(text) || strings.ContainsRune(string(text), 0) {
		return NotebookSaved{}, problem.New(problem.Invalid, "notebook_text", "the text is no UTF-8 text").With("field", "text")
	}
	if len(text) > document.MaxBytes {
		return NotebookSaved{}, problem.New(problem.Invalid, "notebook_too_large", "the notebook is larger than %d MiB",
			document.MaxBytes>>20).With("field", "text")
	}
	now, _ := document.Read(name, text)
	if err := checkSent(now, before); err != nil {
		return NotebookSaved{}, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return NotebookSaved{}, problem.New(problem.Unavailable, "notebook_folder", "the folder of notebooks cannot be made").Because(err).
			WithHint("see serve --notebooks")
	}
	if before != nil {
		if err := s.history().Notice(ctx, path); err != nil {
			return NotebookSaved{}, s.pathless(err)
		}
	}
	if err := notebooks.WriteFile(path, text); err != nil {
		return NotebookSaved{}, s.pathless(err)
	}
	if before != nil {
		said := commentsOn(s.w, path, text)
		if err := errors.Join(s.keepRemoved(ctx, path, before, now, by), said.follow(ctx, before, now)); err != nil {
			return NotebookSaved{}, err
		}
	}
	s.feed(name).savedBy(notebookDigest(text), by)
	if _, _, err := s.history().keep(ctx, path, text, experiments.NotebookVersion{By: by}); err != nil {
		return NotebookSaved{}, err
	}
	f, err := s.file(name)
	return NotebookSaved{name, f.digest, f.modified}, err
}

// Save replaces the text of a notebook as a whole. digest is that of the text which the change began with: when the file is another one
// by now, a Conflict has it. Mistakes in the text do not keep it from being saved.
func (s *Notebooks) Save(ctx context.Context, name, text, digest, by string) (NotebookSaved, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	f, err := s.unchanged(name, digest)
	if err != nil {
		return NotebookSaved{}, err
	}
	if text == string(f.text) {
		return NotebookSaved{name, f.digest, f.modified}, nil
	}
	return s.write(ctx, f, []byte(text), by)
}

// unchanged reads a notebook and refuses one whose digest is another; "" takes any.
func (s *Notebooks) unchanged(name, digest string) (notebookFile, error) {
	f, err := s.file(name)
	if err == nil && digest != "" && digest != f.digest {
		err = problem.New(problem.Conflict, "notebook_changed", "the notebook %s was changed since it was opened", name).With("name", name).
			With("digest", f.digest).With("text", string(f.text)).With("modified", f.modified.Format(time.RFC3339Nano)).
			WithHint("look at both texts, and save again with the new digest")
	}
	return f, err
}

// idle refuses a notebook that is being run.
func (s *Notebooks) idle(name string) error {
	if s.running(name) {
		return problem.New(problem.Conflict, "notebook_running", "the notebook %s is being run", name).With("name", name).
			WithHint("wait until it is done, or stop it")
	}
	return nil
}

// Rename gives a notebook another name; its lock and its history go with it.
func (s *Notebooks) Rename(ctx context.Context, name, to string) (NotebookSaved, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	f, err := s.file(name)
	if err != nil {
		return NotebookSaved{}, err
	}
	path, err := s.path(to)
	if err == nil {
		err = s.idle(name)
	}
	if err == nil {
		err = s.free(to, path)
	}
	if err != nil {
		return NotebookSaved{}, err
	}
	if err := s.move(f.path, path); err != nil {
		return NotebookSaved{}, err
	}
	s.forget(name)
	if err := s.w.Whole.MoveNotebook(ctx, s.history().place(f.path), s.history().place(path)); err != nil {
		return NotebookSaved{}, err
	}
	return NotebookSaved{to, f.digest, f.modified}, nil
}

// move takes a notebook and its lock to another place. The lock goes first: a notebook without it is stale and never wrong.
func (s *Notebooks) move(from, to string) error {
	err := os.Rename(notebooks.LockPath(from), notebooks.LockPath(to))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(from, to)
	}
	if err != nil {
		return problem.New(problem.Unavailable, "notebook_file", "the notebook cannot be moved").Because(err)
	}
	return nil
}

// Delete puts a notebook into the trash.
func (s *Notebooks) Delete(name string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	f, err := s.file(name)
	if err == nil {
		err = s.idle(name)
	}
	if err != nil {
		return err
	}
	trash := filepath.Join(s.dir, trashFolder)
	if err := os.MkdirAll(trash, 0o700); err != nil {
		return problem.New(problem.Unavailable, "notebook_folder", "the trash of notebooks cannot be made").Because(err)
	}
	stamp := s.w.Options.Now().UTC().Format("20060102T150405.000000000")
	s.forget(name)
	return s.move(f.path, filepath.Join(trash, name+"."+stamp+app.NotebookEnding))
}

// Restore takes the newest notebook of a name out of the trash.
func (s *Notebooks) Restore(name string) (NotebookSaved, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	path, err := s.path(name)
	if err != nil {
		return NotebookSaved{}, err
	}
	if err := s.free(name, path); err != nil {
		return NotebookSaved{}, err
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, trashFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return NotebookSaved{}, problem.New(problem.Unavailable, "notebook_folder", "the trash of notebooks cannot be read").Because(err)
	}
	newest := ""
	for _, e := range entries { // sorted by name, and so by time
		if rest, ok := strings.CutPrefix(e.Name(), name+"."); ok && strings.HasSuffix(rest, app.NotebookEnding) {
			newest = e.Name()
		}
	}
	if newest == "" {
		return NotebookSaved{}, problem.New(problem.NotFound, "notebook_unknown", "the trash has no notebook %q", name).With("name", name)
	}
	if err := s.move(filepath.Join(s.dir, trashFolder, newest), path); err != nil {
		return NotebookSaved{}, err
	}
	f, err := s.file(name)
	return NotebookSaved{name, f.digest, f.modified}, err
}

// NotebookCellSent is a cell that is put behind another one, or behind the last: from a run, a comparison, a question or a chart.
type NotebookCellSent struct {
	Type   string
	Name   string // wished; "" is named after the type
	Body   string // YAML
	Fields map[string]any
	After  string // cell behind which it stands; "" is the end
	By     string // name of whoever sends it
}

// NotebookCellAdded is a notebook with its new cell.
type NotebookCellAdded struct {
	NotebookSaved
	Cell string `json:"cell"`
	Line int    `json:"line"`
}

// AddCell puts a cell behind another one of a notebook, or behind all.
func (s *Notebooks) AddCell(ctx context.Context, name string, c NotebookCellSent) (NotebookCellAdded, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	f, err := s.file(name)
	if err != nil {
		return NotebookCellAdded{}, err
	}
	d, _ := document.Read(name, f.text)
	at := len(d.Blocks)
	if c.After != "" {
		if at = d.Block(c.After) + 1; at == 0 {
			return NotebookCellAdded{}, problem.New(problem.NotFound, "cell_unknown", "the notebook has no cell %q", c.After).
				With("cell", c.After).With("field", "after")
		}
	}
	out, cell, _, err := d.InsertCell(at, c.Type, c.Name, c.Body)
	if err == nil && len(c.Fields) > 0 {
		out, _, err = out.WithFields(cell, c.Fields)
	}
	if err != nil {
		return NotebookCellAdded{}, err
	}
	saved, err := s.write(ctx, f, out.Bytes(), c.By)
	if err != nil {
		return NotebookCellAdded{}, err
	}
	s.takeOver(ctx, name, cell, out)
	return NotebookCellAdded{saved, cell, out.Cell(cell).Line}, nil
}

// takeOver gives a cell that was sent the result of runs that are there already. Where it cannot, the cell waits with its price, or says
// what is wrong with it.
func (s *Notebooks) takeOver(ctx context.Context, name, cell string, d *document.Document) {
	if schema, _ := document.SchemaOf(d.Cell(cell).Type); !schema.Paid || s.running(name) {
		return
	}
	if n, err := s.draft(name, d.Bytes(), nil); err == nil {
		_, _ = n.TakeOver(ctx, cell)
	}
}
