package notebooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// Lock is the file beside a notebook that says what its paid cells rest on. Commit it: a colleague's workbench, or the same one
// tomorrow, finds the runs by it. It holds no results.
type Lock struct {
	Version int              `yaml:"raglock"`
	Cells   map[string]Entry `yaml:"cells"`
}

// Entry is what the lock knows about one cell.
type Entry struct {
	Hash     string            `json:"hash" yaml:"hash"`         // the cell's identity when it was run
	Own      map[string]string `json:"-" yaml:"own"`             // of the cell and everything it needs, without what that publishes
	Params   map[string]any    `json:"params" yaml:"params"`     // parameters that these use
	Sources  map[string]string `json:"sources" yaml:"sources"`   // datasets and corpora of these: name@version
	Engine   string            `json:"engine" yaml:"engine"`     // version of the engine's part
	Partial  string            `json:"partial" yaml:"partial"`   // why it is not done; "" when it is
	Runs     []BoughtRun       `json:"runs" yaml:"runs"`         //
	Versions map[string]string `json:"versions" yaml:"versions"` // resolved
	Spend    Spend             `json:"spend" yaml:"spend"`       // in all
	At       string            `json:"at" yaml:"at"`             // RFC 3339
}

// LockPath is where the lock of a notebook lies: name.rag.lock.yaml beside name.rag.md.
func LockPath(notebook string) string { return strings.TrimSuffix(notebook, ".md") + ".lock.yaml" }

// ReadLock reads a lock; one that does not exist is empty.
func ReadLock(path string) (Lock, error) {
	l := Lock{Version: 1, Cells: map[string]Entry{}}
	raw, err := os.ReadFile(path) //nolint:gosec // the user's own file
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, problem.New(problem.Invalid, "lock_file", "cannot read %s", path).Because(err)
	}
	return ParseLock(path, raw)
}

// ParseLock reads the text of a lock; path is for messages.
func ParseLock(path string, raw []byte) (Lock, error) {
	l := Lock{Version: 1, Cells: map[string]Entry{}}
	if err := yaml.ReadStrict(raw, &l); err != nil {
		return l, yaml.WrongIn(path, "lock_file", err).
			WithHint("take the file back from version control, or remove it: cells are then stale, and what was bought is not bought again")
	}
	if l.Version != 1 {
		return l, problem.New(problem.Invalid, "lock_version", "%s has version %d; this program reads version 1", path, l.Version)
	}
	if l.Cells == nil {
		l.Cells = map[string]Entry{}
	}
	for name, e := range l.Cells {
		if e.Params != nil {
			e.Params, _ = document.PlainOf(e.Params).(map[string]any)
			l.Cells[name] = e
		}
	}
	return l, nil
}

// Bytes is the file's text; equal locks have equal bytes.
func (l Lock) Bytes() ([]byte, error) {
	body, err := yaml.Write(l)
	if err != nil {
		return nil, err
	}
	return append([]byte("# Written by workbench notebook run. Commit it beside the notebook.\n"), body...), nil
}

// write replaces the file as a whole.
func (l Lock) write(path string) error {
	body, err := l.Bytes()
	if err == nil {
		err = WriteFile(path, body)
	}
	return err
}

// WriteFile replaces a file as a whole: a crash leaves the old one.
func WriteFile(path string, body []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return problem.New(problem.Invalid, "file_write", "cannot write in %s", filepath.Dir(path)).Because(err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // after the rename there is nothing to remove
	_, err = f.Write(body)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chmod(f.Name(), 0o644) //nolint:gosec // a document that others read
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return problem.New(problem.Invalid, "file_write", "cannot write %s", path).Because(err)
	}
	return nil
}
