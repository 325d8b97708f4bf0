package studies

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Seal writes a snapshot of a notebook beside it, named after the day, with what people say about its cells where comments asks for it.
// One of the same day is a Conflict.
func (s *Notebooks) Seal(ctx context.Context, name string, comments bool) (SealedNotebook, error) {
	n, v, err := s.Evaluated(ctx, name, nil)
	if err == nil && comments {
		err = s.Remarked(ctx, name, n)
	}
	if err != nil {
		return SealedNotebook{}, err
	}
	path := notebooks.SnapshotPath(n.Path, s.w.Options.Now())
	if _, err := n.WriteSnapshot(ctx, v, path, false); err != nil {
		return SealedNotebook{}, s.pathless(err)
	}
	return s.sealed(strings.TrimSuffix(filepath.Base(path), sealedEnding))
}

// SealedNotebook is a snapshot in the folder of notebooks.
type SealedNotebook struct {
	ID        string   `json:"id"`
	Notebook  string   `json:"notebook"`
	CreatedAt string   `json:"created_at"`
	Verdict   string   `json:"verdict"`
	Runs      []string `json:"runs"`
}

func (s *Notebooks) sealed(id string) (SealedNotebook, error) {
	snapshot, _, err := s.unseal(id)
	return SealedNotebook{id, strings.TrimSuffix(snapshot.Notebook, app.NotebookEnding), snapshot.CreatedAt, snapshot.Verdict,
		app.NonNil(snapshot.Runs)}, err
}

// SealedPath is the file of a snapshot.
func (s *Notebooks) SealedPath(id string) (string, error) {
	path := filepath.Join(s.dir, id+sealedEnding)
	if info, err := os.Stat(path); !sealedName.MatchString(id) || err != nil || !info.Mode().IsRegular() {
		return "", problem.New(problem.NotFound, "snapshot_unknown", "there is no snapshot %q", id).With("snapshot", id)
	}
	return path, nil
}

func (s *Notebooks) unseal(id string) (notebooks.Snapshot, map[string][]byte, error) {
	path, err := s.SealedPath(id)
	if err != nil {
		return notebooks.Snapshot{}, nil, err
	}
	snapshot, files, err := notebooks.OpenSnapshot(path)
	if err != nil {
		err = s.pathless(err)
	}
	return snapshot, files, err
}

// Sealed lists the snapshots, by name. One that was changed after it was sealed is left out.
func (s *Notebooks) Sealed() ([]SealedNotebook, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(problem.Unavailable, "notebook_folder", "the folder of notebooks cannot be read").Because(err)
	}
	out := []SealedNotebook{}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), sealedEnding)
		if !ok {
			continue
		}
		if one, err := s.sealed(id); err == nil {
			out = append(out, one)
		}
	}
	return out, nil
}

// OpenSealed returns a snapshot as it was sealed: nothing of it is computed again.
func (s *Notebooks) OpenSealed(id string) (NotebookDetail, error) {
	n, v, at, err := s.Unsealed(id)
	if err != nil {
		return NotebookDetail{}, err
	}
	d := s.detail(n, v)
	d.ReadOnly, d.SealedAt, d.Text = true, at, string(n.Document.Bytes())
	return d, nil
}

// Unsealed is the notebook of a snapshot with its results, and when it was sealed.
func (s *Notebooks) Unsealed(id string) (*notebooks.Notebook, *notebooks.View, string, error) {
	snapshot, files, err := s.unseal(id)
	if err != nil {
		return nil, nil, "", err
	}
	n, v, err := notebooks.Unsealed(snapshot, files)
	return n, v, snapshot.CreatedAt, err
}
