package studies

import (
	"context"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// CheckSealed computes the results of a snapshot's notebook again from the runs in it, and its pages from these. version is the program's.
// The text of the notebook comes from others: it reads no file, and of names and paths only what was sealed with it.
func CheckSealed(version string) archive.NotebookCheck {
	return func(ctx context.Context, w *app.Workbench, s *archive.Study) (archive.NotebookVerified, error) {
		snapshot, files, err := notebooks.SnapshotOf(s.File)
		if err != nil {
			return archive.NotebookVerified{}, err
		}
		n, was, err := notebooks.Unsealed(snapshot, files)
		if err != nil {
			return archive.NotebookVerified{}, err
		}
		n.Engine = sealedIn(w, n, was, s.Manifest.Version)
		again, err := n.Evaluate(ctx, false)
		if err != nil {
			return archive.NotebookVerified{}, err
		}
		r, err := notebooks.Reseal(snapshot, files, again, s.Manifest.Version, version)
		return archive.NotebookVerified{Cells: r.Cells, Recomputed: r.Recomputed, Pages: r.Pages, Different: r.Different,
			NotChecked: r.NotChecked, Files: notebooks.PartNames(files)}, err
	}
}

// CheckSnapshot computes the results and pages of a snapshot's notebook again; its runs are taken as they are stored, which [Verify] is
// for.
func CheckSnapshot(ctx context.Context, path, version string) (out archive.NotebookVerified, err error) {
	err = archive.InStudy(ctx, path, func(w *app.Workbench, s *archive.Study) (err error) {
		out, err = CheckSealed(version)(ctx, w, s)
		return err
	})
	return out, err
}

// Again implements [notebooks.Replayer].
func (n *NotebookEngine) Again(ctx context.Context, study string, notebook *notebooks.Notebook, was *notebooks.View) (*notebooks.View,
	error) {
	var out *notebooks.View
	err := archive.InStudy(ctx, study, func(w *app.Workbench, s *archive.Study) (err error) {
		one := *notebook
		one.Engine = sealedIn(w, notebook, was, s.Manifest.Version)
		one.Now = func() time.Time { return s.Manifest.CreatedAt }
		out, err = one.Evaluate(ctx, false)
		return err
	})
	return out, err
}

// sealedIn is the engine that computes a notebook from the rows of a study. was are the results that say what its datasets and corpora
// were found as.
func sealedIn(w *app.Workbench, n *notebooks.Notebook, was *notebooks.View, version string) *sealedEngine {
	e := &sealedEngine{NotebookEngine: &NotebookEngine{W: w, Dir: app.NoFolder, StateVersion: version, Sent: true},
		sources: map[string]string{}, pinned: map[string]string{}}
	for _, c := range n.Document.Cells() {
		if at := was.Cell(c.Name); at != nil {
			if source, ok := at.Value.(document.Source); ok {
				e.sources[c.Type+" "+document.TextOf(c.Values["source"])] = source.Ref
			}
			if x, ok := at.Value.(document.Comparison); ok {
				e.pinned[x.Candidate.ID] = x.Baseline.ID
			}
		}
	}
	return e
}

// Verify is [archive.VerifyStudy] of a study or of a snapshot with its notebook.
func Verify(ctx context.Context, path, version string, now func() time.Time) (archive.Verification, error) {
	return archive.VerifyStudy(ctx, path, archive.Verifier{Version: version, Now: now, Notebook: CheckSealed(version)})
}

// sealedEngine computes the cells of a snapshot from what it holds. What a cell names is the version that was sealed, which must be there.
type sealedEngine struct {
	*NotebookEngine
	sources map[string]string // name@version by kind and what a cell names
	pinned  map[string]string // the run that a candidate was compared with
}

// Resolve implements [notebooks.Engine].
func (e *sealedEngine) Resolve(ctx context.Context, w notebooks.Wanted) (document.Source, error) {
	if ref := e.sources[w.Kind+" "+w.Source]; ref != "" && strings.Contains(ref, "@") {
		w.Source = ref
	}
	return e.NotebookEngine.Resolve(ctx, w)
}

// Check implements [notebooks.Engine]: nothing of it is ever started.
func (*sealedEngine) Check(context.Context, notebooks.Work) error { return nil }

// Compare implements [notebooks.Engine]: which run was the pinned baseline when the snapshot was sealed is taken as it is.
func (e *sealedEngine) Compare(ctx context.Context, baseline, candidate string, limits document.Limits) (document.Comparison, error) {
	if baseline == "" {
		baseline = e.pinned[candidate]
	}
	return e.NotebookEngine.Compare(ctx, baseline, candidate, limits)
}
