package studies

import (
	"context"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// history is what the notebooks of the folder were.
func (s *Notebooks) history() History { return History{s.w, s.engine} }

// Versions lists what a notebook was, the newest first.
func (s *Notebooks) Versions(ctx context.Context, name string) ([]experiments.NotebookVersion, error) {
	f, err := s.file(name)
	if err != nil {
		return nil, err
	}
	list, err := s.history().Versions(ctx, f.path)
	return orEmpty(list), err
}

// Diff is [History.Diff] of a notebook of the folder.
func (s *Notebooks) Diff(ctx context.Context, name string, from, to int, results bool) (NotebookDiff, error) {
	path, err := s.path(name)
	if err != nil {
		return NotebookDiff{}, err
	}
	d, err := s.history().Diff(ctx, path, from, to, results)
	if err != nil {
		err = s.pathless(err)
	}
	return d, err
}

// NameVersion gives a version of a notebook a name; "" takes it away.
func (s *Notebooks) NameVersion(ctx context.Context, name string, number int, wish string) (experiments.NotebookVersion, error) {
	path, err := s.path(name)
	if err != nil {
		return experiments.NotebookVersion{}, err
	}
	return s.history().Name(ctx, path, number, wish)
}

// Revert makes an earlier version the text of a notebook again. digest is that of the text that it takes the place of.
func (s *Notebooks) Revert(ctx context.Context, name string, number int, digest, by string) (NotebookSaved, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	f, err := s.unchanged(name, digest)
	if err == nil {
		err = s.idle(name)
	}
	if err != nil {
		return NotebookSaved{}, err
	}
	if _, err := s.history().Revert(ctx, f.path, number, by); err != nil {
		return NotebookSaved{}, s.pathless(err)
	}
	f, err = s.file(name)
	return NotebookSaved{name, f.digest, f.modified}, err
}
