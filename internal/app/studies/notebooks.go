package studies

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Notebooks are the notebooks of a server: documents in one folder, which people name and never give as paths. It is safe for concurrent
// use; other programs may change the files at the same time, which saving notices.
type Notebooks struct {
	w       *app.Workbench
	views   *views.Views
	work    *jobs.Background
	engine  *sentEngine
	dir     string
	version string

	writing sync.Mutex // one change of files at a time
	mu      sync.Mutex
	feeds   map[string]*notebookFeed
}

// NewNotebooks returns the notebooks in dir, which is made when the first one is saved; "" is the folder notebooks of the data directory.
// version is the program's, for reports. Runs are worked by b.
func NewNotebooks(w *app.Workbench, v *views.Views, b *jobs.Background, dir, version string) *Notebooks {
	if dir == "" {
		dir = app.NotebooksDir(w)
	}
	return &Notebooks{w: w, views: v, work: b, engine: newSentEngine(w, v, version), dir: dir, version: version,
		feeds: map[string]*notebookFeed{}}
}

// The endings of files in the folder.
const (
	sealedEnding = ".ragsnap"
	trashFolder  = ".trash"
)

var (
	sealedName = text.Lazy(`^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}\.[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// NotebookReserved are names that no notebook can have: they stand for something else in addresses.
var NotebookReserved = []string{"edit", "evaluate", "gallery", "schemas", "snapshots"}

// maxNotebookName is in bytes, so that the file's name fits every file system.
const maxNotebookName = 180

// path is where the notebook of a name lies.
func (s *Notebooks) path(name string) (string, error) {
	if !app.NotebookName(name) || len(name) > maxNotebookName || slices.Contains(NotebookReserved, name) {
		return "", problem.New(problem.Invalid, "notebook_name", "%q is no name for a notebook", name).With("field", "name").
			With("name", name).
			WithHint("use letters, digits, - and _, at most 64; not %s", strings.Join(NotebookReserved, ", "))
	}
	return filepath.Join(s.dir, name+app.NotebookEnding), nil
}

// notebookFile is the text of a notebook as it lies on disk.
type notebookFile struct {
	name, path, digest string
	text               []byte
	modified           time.Time
}

func notebookDigest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// file reads a notebook.
func (s *Notebooks) file(name string) (notebookFile, error) {
	path, err := s.path(name)
	if err != nil {
		return notebookFile{}, err
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return notebookFile{}, problem.New(problem.NotFound, "notebook_unknown", "there is no notebook %q", name).
			With("name", name).Because(err).
			WithHint("the list of notebooks shows what there is")
	}
	if info.Size() > document.MaxBytes {
		return notebookFile{}, problem.New(problem.Invalid, "notebook_too_large", "the notebook %s is larger than %d MiB", name,
			document.MaxBytes>>20).With("name", name)
	}
	text, err := os.ReadFile(path) //nolint:gosec // a name without separators in the folder of notebooks
	if err != nil {
		return notebookFile{}, problem.New(problem.Unavailable, "notebook_file", "the notebook %s cannot be read", name).
			With("name", name).Because(err)
	}
	return notebookFile{name, path, notebookDigest(text), text, info.ModTime().UTC()}, nil
}

// draft is a notebook of a text with parameters as people write them, cell.name=value. name gives it the lock of that notebook; "" none.
func (s *Notebooks) draft(name string, text []byte, params []string) (*notebooks.Notebook, error) {
	path := filepath.Join(s.dir, "draft"+app.NotebookEnding)
	title := "notebook"
	lock := notebooks.Lock{}
	if name != "" {
		var err error
		if path, err = s.path(name); err != nil {
			return nil, err
		}
		if lock, err = notebooks.ReadLock(notebooks.LockPath(path)); err != nil {
			return nil, s.pathless(err)
		}
		title = name
	}
	n := notebooks.Draft(path, title, text, lock, s.engine, s.w.Options.Now)
	for _, p := range params {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return nil, problem.New(problem.Invalid, "param_shape", "%q gives no parameter a value", p).With("field", "params").
				WithHint("cell.name=value")
		}
		if err := n.Assign(strings.TrimSpace(key), value); err != nil {
			return nil, s.pathless(err)
		}
	}
	return n, nil
}

// pathless takes the folder out of a message: clients know names and no paths.
func (s *Notebooks) pathless(err error) error {
	p := *problem.From(err)
	p.Message = strings.ReplaceAll(p.Message, s.dir+string(filepath.Separator), "")
	p.Hint = strings.ReplaceAll(p.Hint, s.dir+string(filepath.Separator), "")
	return &p
}

// NotebookRow is a notebook in a list.
type NotebookRow struct {
	Name      string         `json:"name"`
	Title     document.Words `json:"title"`
	Cells     int            `json:"cells"`
	Paid      int            `json:"paid"`     // cells that may cost
	Stale     int            `json:"stale"`    // paid cells that wait to be run, as its page counts them; 0 while it has problems
	Problems  int            `json:"problems"` // mistakes in the document
	Verdict   string         `json:"verdict"`  // of its gates; "" without any
	Digest    string         `json:"digest"`
	Modified  time.Time      `json:"modified"`
	LastRun   string         `json:"last_run,omitempty"` // RFC 3339: when the newest of its paid cells was bought
	Running   bool           `json:"running"`
	Schedules int            `json:"schedules"`
}

// List lists the notebooks by name.
func (s *Notebooks) List(ctx context.Context) ([]NotebookRow, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(problem.Unavailable, "notebook_folder", "the folder of notebooks cannot be read").Because(err)
	}
	out := []NotebookRow{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), app.NotebookEnding)
		if _, err := s.path(name); !ok || err != nil {
			continue
		}
		f, err := s.file(name)
		if err != nil {
			continue // it went away, or is no file
		}
		row, err := s.row(ctx, f)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

func (s *Notebooks) row(ctx context.Context, f notebookFile) (NotebookRow, error) {
	row := NotebookRow{Name: f.name, Digest: f.digest, Modified: f.modified}
	n, err := s.draft(f.name, f.text, nil)
	if err != nil {
		row.Problems = 1 // its lock cannot be read
		return row, nil  //nolint:nilerr // opening it says why
	}
	row.Title, row.Problems, row.Schedules, row.Running = n.Document.Front.Title, len(n.Wrong), len(n.Document.Front.Schedules),
		s.running(f.name)
	for _, c := range n.Document.Cells() {
		row.Cells++
		if schema, _ := document.SchemaOf(c.Type); schema.Paid {
			row.Paid++
		}
	}
	for _, e := range n.Lock.Cells {
		row.LastRun = max(row.LastRun, e.At)
	}
	if row.Problems > 0 {
		return row, nil
	}
	v, err := n.Evaluate(ctx, false)
	if err != nil {
		return row, err
	}
	row.Stale, row.Verdict = len(v.Waiting()), v.Verdict()
	return row, nil
}

// NotebookSchema is what a type of cells may say, with a body to begin with.
type NotebookSchema struct {
	document.Schema
	Starter string `json:"starter"`
}

// NotebookTable is a table that a query can read.
type NotebookTable struct {
	Name    string           `json:"name"`
	Columns []NotebookColumn `json:"columns"`
}

// NotebookColumn is a column of a table with its type in SQLite.
type NotebookColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// NotebookTables are the tables of every notebook.
func NotebookTables() []NotebookTable {
	out := []NotebookTable{}
	for _, t := range document.QueryTables() {
		out = append(out, NotebookTable{t.Name, columnsOf(t)})
	}
	return out
}

func columnsOf(t sqlbox.Table) []NotebookColumn {
	out := make([]NotebookColumn, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = NotebookColumn{c.Name, c.Type}
	}
	return out
}

// NotebookSchemas lists the types of cells in the order in which people meet them.
func NotebookSchemas() []NotebookSchema {
	empty, _ := document.Read("", nil)
	out := []NotebookSchema{}
	for _, schema := range document.Schemas() {
		out = append(out, NotebookSchema{schema, document.Starter(schema.Type, empty)})
	}
	return out
}
