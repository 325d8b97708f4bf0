package archive

import (
	"context"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/sealed"
	"github.com/rag-workbench/workbench/internal/store"
)

// NotebookVerified is the notebook of a snapshot, computed again from the runs in it. Its text, its dates and what its cells cost follow
// from nothing, and are taken as they are.
type NotebookVerified struct {
	Cells      int      `json:"cells"`
	Recomputed int      `json:"recomputed"`  // cells that give the result again that was sealed
	Pages      int      `json:"pages"`       // pages that follow from the sealed results
	Different  []string `json:"different"`   // what does not
	NotChecked []string `json:"not_checked"` // cells and pages that nothing could be computed for, with the reason
	Files      []string `json:"-"`           // that were looked at
}

// NotebookCheck computes the results and pages of a snapshot's notebook again. The workbench holds the rows of the snapshot as they are,
// and can buy nothing.
type NotebookCheck func(ctx context.Context, w *app.Workbench, s *Study) (NotebookVerified, error)

// notebook checks the notebook of a snapshot.
func (v *Verification) notebook(ctx context.Context, s *Study, truth *store.Store, check NotebookCheck) error {
	var parts []string
	for name := range s.Head.Files {
		if strings.HasPrefix(name, "notebook/") {
			parts = append(parts, name)
		}
	}
	if s.Head.Kind != sealed.Notebook {
		return nil
	}
	out := NotebookVerified{Different: []string{}, NotChecked: []string{"the notebook"}, Files: parts}
	if check != nil {
		w, err := s.world(ctx, truth)
		if err != nil {
			return err
		}
		if out, err = check(ctx, w, s); err != nil {
			return err
		}
	}
	for _, name := range out.Files {
		s.seen[name] = true
	}
	v.Notebook = &out
	v.Equal, v.Complete = v.Equal && len(out.Different) == 0, v.Complete && len(out.NotChecked) == 0
	return nil
}

// world is a workbench that holds the rows of a study and nothing else, on the day that the study was written. It can buy nothing.
func (s *Study) world(ctx context.Context, truth *store.Store) (*app.Workbench, error) {
	var names []string
	for _, run := range s.Manifest.Runs {
		one, err := truth.Run(ctx, run.ID)
		if err != nil {
			return nil, err
		}
		names = append(names, providersOf(one.Setup)...)
	}
	return replaying(ctx, truth, names, func() time.Time { return s.Manifest.CreatedAt })
}

// InStudy gives a workbench that holds the rows of a study as they are stored and nothing else, while do runs. It can buy nothing.
func InStudy(ctx context.Context, path string, do func(w *app.Workbench, s *Study) error) error {
	return opened(ctx, path, path, func(s *Study, truth *store.Store, _ string, _ *Verification) error {
		w, err := s.world(ctx, truth)
		if err != nil {
			return err
		}
		return do(w, s)
	})
}

// providersOf are the names of the providers that a setup names.
func providersOf(setup experiments.Setup) []string {
	return append(setup.Config.ProviderNames(), setup.Judge.Provider, setup.Judge.Embedding.Provider)
}
