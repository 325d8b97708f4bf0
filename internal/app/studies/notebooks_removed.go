package studies

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// Removed lists the cells that were taken out of a notebook and can be put back, the newest first.
func (s *Notebooks) Removed(ctx context.Context, name string) ([]experiments.RemovedCell, error) {
	path, err := s.path(name)
	if err != nil {
		return nil, err
	}
	list, err := s.w.Whole.Removed(ctx, s.history().place(path), s.w.Options.Now())
	return orEmpty(list), err
}

// PutBack puts a removed cell behind the one that it stood behind, with what the lock knew of it: nothing is bought again. digest is that
// of the text that people see.
func (s *Notebooks) PutBack(ctx context.Context, name, id, digest, by string) (NotebookCellAdded, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	f, err := s.unchanged(name, digest)
	if err == nil {
		err = s.idle(name)
	}
	if err != nil {
		return NotebookCellAdded{}, err
	}
	place, now := s.history().place(f.path), s.w.Options.Now()
	kept, err := s.w.Whole.ForgetRemoved(ctx, place, id, now)
	if err != nil {
		return NotebookCellAdded{}, err
	}
	added, err := s.putBack(ctx, f, kept, by)
	if err != nil { // it can be tried again
		if keptErr := s.w.Whole.PutRemoved(ctx, place, []experiments.RemovedCell{kept}, now); keptErr != nil {
			return added, keptErr
		}
	}
	return added, err
}

func (s *Notebooks) putBack(ctx context.Context, f notebookFile, kept experiments.RemovedCell, by string) (NotebookCellAdded, error) {
	d, _ := document.Read(f.name, f.text)
	at := len(d.Blocks)
	if behind := d.Block(kept.Behind); behind >= 0 {
		at = behind + 1
	}
	was, _ := document.Read("", []byte(kept.Text))
	body := ""
	for _, c := range was.Cells() {
		body = c.Body
	}
	out, cell, _, err := d.InsertCell(at, kept.Type, kept.Cell, body)
	if err != nil {
		return NotebookCellAdded{}, err
	}
	if kept.Entry != "" {
		lock, err := notebooks.ParseLock(f.name, []byte(kept.Entry))
		if err == nil && cell != kept.Cell { // another cell has its name by now
			lock.Cells = map[string]notebooks.Entry{cell: lock.Cells[kept.Cell]}
		}
		if err == nil {
			err = putBack(f.path, lock)
		}
		if err != nil {
			return NotebookCellAdded{}, s.pathless(err)
		}
	}
	saved, err := s.write(ctx, f, out.Bytes(), by)
	if err != nil {
		return NotebookCellAdded{}, err
	}
	return NotebookCellAdded{saved, cell, out.Cell(cell).Line}, nil
}

// keepRemoved keeps the cells that a later text has no more. A cell that is there under another name only was renamed; one that came back
// as it was is kept no longer.
func (s *Notebooks) keepRemoved(ctx context.Context, path string, before, now *document.Document, by string) error {
	place, at := s.history().place(path), s.w.Options.Now().UTC()
	var came []*document.Cell
	for _, c := range now.Cells() {
		if before.Cell(c.Name) == nil {
			came = append(came, c)
		}
	}
	moved := renamed(before, now)
	var gone []experiments.RemovedCell
	var lock notebooks.Lock
	behind := ""
	for _, b := range before.Blocks {
		c := b.Cell
		if c == nil {
			continue
		}
		if _, is := moved[c.Name]; now.Cell(c.Name) == nil && !is && c.Name != "" {
			if lock.Cells == nil {
				var err error
				if lock, err = notebooks.ReadLock(notebooks.LockPath(path)); err != nil {
					return s.pathless(err)
				}
			}
			entry, err := lockEntry(lock, c.Name)
			if err != nil {
				return err
			}
			gone = append(gone, experiments.RemovedCell{ID: people.NewID()[:16], Cell: c.Name, Type: c.Type, Text: before.Text(b),
				Entry: entry, Behind: behind, By: by, At: at, Expires: at.Add(experiments.RemovedLast)})
		}
		behind = c.Name
	}
	if len(came) > 0 {
		if err := s.forgetReturned(ctx, place, now, came); err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return s.w.Whole.PutRemoved(ctx, place, gone, at)
}

// forgetReturned takes cells out of the list that stand in the text again.
func (s *Notebooks) forgetReturned(ctx context.Context, place string, now *document.Document, came []*document.Cell) error {
	list, err := s.w.Whole.Removed(ctx, place, s.w.Options.Now())
	if err != nil {
		return err
	}
	for _, c := range came {
		text := now.Text(now.Blocks[now.Block(c.Name)])
		for _, kept := range list {
			if kept.Cell == c.Name && kept.Text == text {
				if _, err := s.w.Whole.ForgetRemoved(ctx, place, kept.ID, s.w.Options.Now()); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// lockEntry is the entry of a cell as a lock of its own; "" without one.
func lockEntry(lock notebooks.Lock, cell string) (string, error) {
	e, ok := lock.Cells[cell]
	if !ok {
		return "", nil
	}
	body, err := notebooks.Lock{Version: 1, Cells: map[string]notebooks.Entry{cell: e}}.Bytes()
	return string(body), err
}
