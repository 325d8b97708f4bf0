package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// notebookHistoryRoutes are the routes about what a notebook was.
func (s *Resources) notebookHistoryRoutes(r *requests.Router) {
	requests.Get(r, "/notebooks/{name}/versions", requests.Read, "What a notebook was, the newest first", s.notebooks.listVersions)
	requests.Get(r, "/notebooks/{name}/diff", requests.Read, "How one version of a notebook became another, with its results", s.notebooks.diffVersions)
	requests.Put(r, "/notebooks/{name}/versions/{number}", requests.Edit, "Give a version of a notebook a name", s.notebooks.nameVersion)
	requests.Post(r, "/notebooks/{name}/versions/{number}/restore", requests.Edit, "Make a version the text of its notebook again, as a new one",
		s.notebooks.revertNotebook)
	requests.Get(r, "/notebooks/{name}/removed", requests.Read, "Cells that were taken out of a notebook and can be put back", s.notebooks.listRemoved)
	requests.Post(r, "/notebooks/{name}/removed/{id}/restore", requests.Edit, "Put a removed cell back, with its result",
		s.notebooks.putBackCell)
	requests.Post(r, "/notebooks/{name}/seen", requests.Read, "Say which cell is chosen on an open page", s.notebooks.seeNotebook)
	requests.Stream(r, "/notebooks/{name}/follow", requests.Read, "What happens to a notebook, for an open page: who else has it open, and new texts",
		"text/event-stream", s.notebooks.followNotebook)
}

func (s *notebooksAPI) listVersions(ctx context.Context, in *NotebookPath) (ItemsOf[experiments.NotebookVersion], error) {
	return items(s.books.Versions(ctx, in.Name))
}

type diffVersionsInput struct {
	NotebookPath
	From    int  `query:"from" required:"true" minimum:"0" doc:"number of a version; 0 is the text as it is now"`
	To      int  `query:"to" minimum:"0" doc:"the same; default the text as it is now"`
	Results bool `query:"results" doc:"list the cells whose results differ too"`
}

func (s *notebooksAPI) diffVersions(ctx context.Context, in *diffVersionsInput) (studies.NotebookDiff, error) {
	return s.books.Diff(ctx, in.Name, in.From, in.To, in.Results)
}

// VersionPath names a version of a notebook.
type VersionPath struct {
	NotebookPath
	Number int `path:"number" minimum:"1" doc:"of the version"`
}

type nameVersionInput struct {
	VersionPath
	Body struct {
		Name string `json:"name" maxLength:"200" doc:"at most 80 characters; an empty one takes the name away"`
	}
}

func (s *notebooksAPI) nameVersion(ctx context.Context, in *nameVersionInput) (experiments.NotebookVersion, error) {
	return s.books.NameVersion(ctx, in.Name, in.Number, in.Body.Name)
}

type revertNotebookInput struct {
	VersionPath
	Body struct {
		Digest string `json:"digest,omitempty" maxLength:"100" doc:"of the text that it takes the place of, as it was read or saved last"`
	}
}

func (s *notebooksAPI) revertNotebook(ctx context.Context, in *revertNotebookInput) (studies.NotebookSaved, error) {
	return s.books.Revert(ctx, in.Name, in.Number, in.Body.Digest, requests.VisitorOf(ctx).Name)
}

func (s *notebooksAPI) listRemoved(ctx context.Context, in *NotebookPath) (ItemsOf[experiments.RemovedCell], error) {
	return items(s.books.Removed(ctx, in.Name))
}

type putBackInput struct {
	NotebookPath
	ID   string `path:"id" maxLength:"100" doc:"of the removed cell"`
	Body struct {
		Digest string `json:"digest,omitempty" maxLength:"100" doc:"of the text that it is put into, as it was read or saved last"`
	}
}

func (s *notebooksAPI) putBackCell(ctx context.Context, in *putBackInput) (studies.NotebookCellAdded, error) {
	return s.books.PutBack(ctx, in.Name, in.ID, in.Body.Digest, requests.VisitorOf(ctx).Name)
}
