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
	"github.com/rag-workbench/workbench/internal/text"
)

// History is what notebooks were. The server and the command line keep it for the same files in the same way.
type History struct {
	W      *app.Workbench
	Engine notebooks.Engine // that results are compared with
}

// place is the name under which a notebook is kept: its place below the data directory, so that this can be moved, else the whole path.
func (h History) place(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	data, err := filepath.Abs(h.W.Options.DataDir)
	if err != nil {
		return whole
	}
	if below, err := filepath.Rel(data, whole); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return filepath.ToSlash(whole)
}

// lockOf is the lock beside a notebook; nil without one.
func lockOf(path string) ([]byte, error) {
	raw, err := os.ReadFile(notebooks.LockPath(path)) //nolint:gosec // beside a notebook that was read
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}

// keep keeps a text as it was read or written just now, with the lock beside it.
func (h History) keep(ctx context.Context, path string, body []byte, v experiments.NotebookVersion,
) (experiments.NotebookVersion, bool, error) {
	lock, err := lockOf(path)
	if err != nil {
		return v, false, err
	}
	v.Digest = notebookDigest(body)
	if lock != nil {
		v.Lock = notebookDigest(lock)
	}
	if v.ChangedAt.IsZero() {
		v.ChangedAt = h.W.Options.Now()
	}
	v.ChangedAt = v.ChangedAt.UTC().Truncate(time.Microsecond)
	if v.Origin == "" {
		v.Origin = experiments.VersionSaved
	}
	return h.W.Whole.PutVersion(ctx, h.place(path), v, body, lock)
}

// Notice keeps what lies on disk when it is none of the texts that were saved here. Where nothing can be kept, it does nothing.
func (h History) Notice(ctx context.Context, path string) error {
	if h.W.Reading {
		return nil
	}
	body, modified, err := onDisk(path)
	if err == nil {
		_, _, err = h.keep(ctx, path, body, experiments.NotebookVersion{Origin: experiments.VersionDisk, ChangedAt: modified})
	}
	return err
}

// onDisk reads a notebook's file.
func onDisk(path string) ([]byte, time.Time, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > document.MaxBytes {
		err = problem.New(problem.Invalid, "notebook_too_large", "%s is larger than %d MiB", path, document.MaxBytes>>20)
	}
	if err != nil {
		return nil, time.Time{}, unreadableNotebook(path, err)
	}
	body, err := os.ReadFile(path) //nolint:gosec // the user's own file, or one of the folder of notebooks
	if err != nil {
		return nil, time.Time{}, unreadableNotebook(path, err)
	}
	return body, info.ModTime(), nil
}

func unreadableNotebook(path string, err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	return problem.New(problem.NotFound, "notebook_file", "cannot read the notebook %s", path).Because(err).WithHint("check the path")
}

// Begun keeps the text of a notebook that begins to run. What it returns is called when the run is over: it keeps the lock that the run
// left behind.
func (h History) Begun(ctx context.Context, n *notebooks.Notebook, by string, params []string) (ended func(context.Context) error,
	err error) {
	if err := h.Notice(ctx, n.Path); err != nil {
		return nil, err
	}
	body := n.Document.Bytes()
	ran := experiments.NotebookVersion{By: by, Params: params, Ran: true}
	first, made, err := h.keep(ctx, n.Path, body, ran)
	return func(ctx context.Context) error {
		lock, err := lockOf(n.Path)
		if err != nil || lock == nil || notebookDigest(lock) == first.Lock {
			return err
		}
		if made {
			return h.W.Whole.LockVersion(ctx, h.place(n.Path), first.Number, notebookDigest(lock), lock)
		}
		_, _, err = h.keep(ctx, n.Path, body, ran)
		return err
	}, err
}

// Versions lists what a notebook was, the newest first. What another program did to the file is in it.
func (h History) Versions(ctx context.Context, path string) ([]experiments.NotebookVersion, error) {
	if err := h.Notice(ctx, path); err != nil {
		return nil, err
	}
	return h.W.Whole.Versions(ctx, h.place(path))
}

// Name gives a version a name; "" takes it away. Problem: version_name.
func (h History) Name(ctx context.Context, path string, number int, name string) (experiments.NotebookVersion, error) {
	name = strings.TrimSpace(name)
	if utf8.RuneCountInString(name) > experiments.LongestVersion || strings.ContainsAny(name, "\r\n\t") {
		return experiments.NotebookVersion{}, problem.New(problem.Invalid, "version_name", "%q cannot be the name of a version", name).
			With("field", "name").WithHint("a name has at most %d characters in one line", experiments.LongestVersion)
	}
	return h.W.Whole.NameVersion(ctx, h.place(path), number, name)
}

// NotebookSide is one of two texts that are compared.
type NotebookSide struct {
	Number int       `json:"number"` // 0 is the file
	Digest string    `json:"digest"`
	At     time.Time `json:"at"`
	Name   string    `json:"name,omitempty"`
	label  string
	body   []byte
	lock   notebooks.Lock
	params []string
}

// NotebookDiff is how one text of a notebook becomes another, and its results with it.
type NotebookDiff struct {
	From    NotebookSide           `json:"from"`
	To      NotebookSide           `json:"to"`
	Text    string                 `json:"text"`              // as diff -u writes it; "" for equal texts
	Results []notebooks.CellChange `json:"results,omitempty"` // cells whose results differ
}

// Diff compares version from of a notebook with version to; 0 is what lies in the file now. With results, the cells of both are computed
// over what their locks knew then: nothing is bought.
func (h History) Diff(ctx context.Context, path string, from, to int, results bool) (NotebookDiff, error) {
	a, err := h.side(ctx, path, from)
	if err != nil {
		return NotebookDiff{}, err
	}
	b, err := h.side(ctx, path, to)
	if err != nil {
		return NotebookDiff{}, err
	}
	return h.between(ctx, path, path, a, b, results)
}

// DiffFiles compares two files.
func (h History) DiffFiles(ctx context.Context, before, after string, results bool) (NotebookDiff, error) {
	a, err := h.side(ctx, before, 0)
	if err != nil {
		return NotebookDiff{}, err
	}
	b, err := h.side(ctx, after, 0)
	if err != nil {
		return NotebookDiff{}, err
	}
	return h.between(ctx, before, after, a, b, results)
}

func (h History) side(ctx context.Context, path string, number int) (NotebookSide, error) {
	if number == 0 {
		body, modified, err := onDisk(path)
		if err != nil {
			return NotebookSide{}, err
		}
		lock, err := notebooks.ReadLock(notebooks.LockPath(path))
		return NotebookSide{Digest: notebookDigest(body), At: modified.UTC(), label: filepath.Base(path), body: body, lock: lock}, err
	}
	v, body, raw, err := h.W.Whole.Version(ctx, h.place(path), number)
	if err != nil {
		return NotebookSide{}, err
	}
	side := NotebookSide{Number: v.Number, Digest: v.Digest, At: v.At, Name: v.Name, body: body, params: v.Params,
		label: filepath.Base(path) + "@" + strconv.Itoa(v.Number)}
	if raw != nil {
		side.lock, err = notebooks.ParseLock(filepath.Base(notebooks.LockPath(path)), raw)
	}
	return side, err
}

func (h History) between(ctx context.Context, pathA, pathB string, a, b NotebookSide, results bool) (NotebookDiff, error) {
	out := NotebookDiff{From: a, To: b, Text: text.Unified(a.label, b.label, string(a.body), string(b.body))}
	if !results {
		return out, nil
	}
	before, err := h.evaluated(ctx, pathA, a)
	if err != nil {
		return out, err
	}
	after, err := h.evaluated(ctx, pathB, b)
	if err == nil {
		out.Results = notebooks.Changes(before, after)
	}
	return out, err
}

// evaluated are the cells of a text over what its lock knows.
func (h History) evaluated(ctx context.Context, path string, side NotebookSide) (*notebooks.View, error) {
	n := notebooks.Draft(path, side.label, side.body, side.lock, h.Engine, h.W.Options.Now)
	for _, p := range side.params {
		name, value, _ := strings.Cut(p, "=")
		if err := n.Assign(name, value); err != nil {
			return nil, err
		}
	}
	return n.Evaluate(ctx, false)
}

// Revert writes the text of a version over the file, as a version of its own. What the lock knew of its cells then it knows again, so that
// results come back without being bought.
func (h History) Revert(ctx context.Context, path string, number int, by string) (experiments.NotebookVersion, error) {
	if err := h.Notice(ctx, path); err != nil {
		return experiments.NotebookVersion{}, err
	}
	side, err := h.side(ctx, path, number)
	if err != nil {
		return experiments.NotebookVersion{}, err
	}
	if err := putBack(path, side.lock); err != nil {
		return experiments.NotebookVersion{}, err
	}
	if err := notebooks.WriteFile(path, side.body); err != nil {
		return experiments.NotebookVersion{}, err
	}
	v, _, err := h.keep(ctx, path, side.body, experiments.NotebookVersion{By: by, Origin: experiments.VersionRestored})
	return v, err
}

// putBack writes entries into the lock beside a notebook, over those of the same cells. What they cost in all stays.
func putBack(path string, entries notebooks.Lock) error {
	if len(entries.Cells) == 0 {
		return nil
	}
	lock, err := notebooks.ReadLock(notebooks.LockPath(path))
	if err != nil {
		return err
	}
	for name, e := range entries.Cells {
		if now := lock.Cells[name].Spend; now.Calls > e.Spend.Calls {
			e.Spend = now
		}
		lock.Cells[name] = e
	}
	body, err := lock.Bytes()
	if err != nil {
		return err
	}
	return notebooks.WriteFile(notebooks.LockPath(path), body)
}
