package api

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// NotebookPath names a notebook.
type NotebookPath struct {
	Name string `path:"name" maxLength:"200" doc:"letters, digits, - and _; never a path"`
}

// NotebookParams give parameters other values.
type NotebookParams struct {
	Param []string `query:"param,explode" maxItems:"50" doc:"cell.name=value; repeatable"`
}

func (s *notebooksAPI) listNotebooks(ctx context.Context, _ *requests.Nothing) (ItemsOf[studies.NotebookRow], error) {
	return items(s.books.List(ctx))
}

func (s *notebooksAPI) listGallery(context.Context, *requests.Nothing) (ItemsOf[studies.GalleryEntry], error) {
	return items(s.books.Gallery())
}

// CellSchemas are the types of cells, and names that no notebook can have.
type CellSchemas struct {
	Items     []studies.NotebookSchema `json:"items"`
	Reserved  []string                 `json:"reserved"`
	Tables    []studies.NotebookTable  `json:"tables" doc:"of every notebook, for queries"`
	Functions []string                 `json:"functions" doc:"that a query may call"`
}

func (s *notebooksAPI) listSchemas(context.Context, *requests.Nothing) (CellSchemas, error) {
	return CellSchemas{studies.NotebookSchemas(), studies.NotebookReserved, studies.NotebookTables(), sqlbox.Functions()}, nil
}

type notebookInput struct {
	NotebookPath
	NotebookParams
}

func (s *notebooksAPI) getNotebook(ctx context.Context, in *notebookInput) (studies.NotebookDetail, error) {
	return s.books.Get(ctx, in.Name, in.Param)
}

type evaluateInput struct {
	Body struct {
		Name   string   `json:"name,omitempty" maxLength:"200" doc:"the notebook whose results count; none for a text of nobody"`
		Text   string   `json:"text" maxLength:"262144"`
		Params []string `json:"params,omitempty" maxItems:"50" doc:"cell.name=value"`
		Prices *bool    `json:"prices,omitempty" doc:"default true"`
	}
}

// evaluateNotebook says how a text stands that is not saved. It writes nothing and buys nothing.
func (s *notebooksAPI) evaluateNotebook(ctx context.Context, in *evaluateInput) (studies.NotebookDetail, error) {
	return s.books.Evaluate(ctx, in.Body.Name, in.Body.Text, in.Body.Params, in.Body.Prices == nil || *in.Body.Prices)
}

type proseInput struct {
	Body struct {
		Markdown string                    `json:"markdown" maxLength:"262144"`
		Values   map[string]document.Words `json:"values,omitempty" doc:"what references show, as the notebook's evaluation said (embeds)"`
	}
}

// renderProse makes HTML of prose that is being written. It evaluates nothing.
func (s *notebooksAPI) renderProse(_ context.Context, in *proseInput) (document.Words, error) {
	return notebooks.ProseOf(in.Body.Markdown, in.Body.Values), nil
}

type readInput struct {
	NotebookPath
	NotebookParams
	Lang string `query:"lang" enum:"en,ja" default:"en"`
}

func (s *notebooksAPI) readNotebook(ctx context.Context, in *readInput) (notebooks.Reading, error) {
	return s.books.Reading(ctx, in.Name, in.Lang, in.Param)
}

// AskedComments says whether what people say about the cells leaves with a notebook.
type AskedComments struct {
	Comments bool `query:"comments" doc:"with what people say about the cells, and who; default false"`
}

type notebookFileInput struct {
	NotebookPath
	NotebookParams
	AskedComments
	Lang string `query:"lang" enum:"en,ja" default:"en"`
}

// notebookAs writes a notebook as a page, for Jupyter, as the workbook of its report, or as a sealed snapshot.
func (s *notebooksAPI) notebookAs(format string) func(context.Context, *notebookFileInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *notebookFileInput) (*huma.StreamResponse, error) {
		n, v, err := s.books.Evaluated(ctx, in.Name, in.Param)
		if err == nil && in.Comments {
			if err = notebooks.TakesComments("notebook." + format); err == nil {
				err = s.books.Remarked(ctx, in.Name, n)
			}
		}
		if err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp(s.tempDir, "workbench-notebook-") // so that a mistake is a problem and no half file
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(dir) }() // what is left harms nobody
		path := filepath.Join(dir, "notebook."+format)
		if format == "ragsnap" {
			_, err = n.WriteSnapshot(ctx, v, path, false)
		} else {
			err = written(path, func(w io.Writer) error {
				switch format {
				case "html":
					return n.WriteHTML(v, in.Lang, w)
				case "ipynb":
					return n.WriteIPYNB(ctx, v, in.Lang, w)
				}
				return n.WriteXLSX(ctx, v, in.Lang, w)
			})
		}
		if err != nil {
			return nil, err
		}
		return sentFile(s.log, path, in.Name, format)
	}
}

type cellFileInput struct {
	NotebookPath
	NotebookParams
	Cell string `query:"cell" required:"true" maxLength:"200"`
	Lang string `query:"lang" enum:"en,ja" default:"en" doc:"of headings, in a workbook of a chart"`
}

// cellAs writes the rows of a cell as a file.
func (s *notebooksAPI) cellAs(format string) func(context.Context, *cellFileInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *cellFileInput) (*huma.StreamResponse, error) {
		n, v, err := s.books.Evaluated(ctx, in.Name, in.Param)
		if err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp(s.tempDir, "workbench-rows-") // so that a mistake is a problem and no half file
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(dir) }() // what is left harms nobody
		path := filepath.Join(dir, "rows."+format)
		if err := written(path, func(w io.Writer) error { return n.WriteRows(v, in.Cell, in.Lang, format, w) }); err != nil {
			return nil, err
		}
		return sentFile(s.log, path, in.Name+"-"+in.Cell, format)
	}
}

func written(path string, write func(io.Writer) error) error {
	f, err := os.Create(path) //nolint:gosec // in a folder that was made for it
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		_ = f.Close() // the first error is told
		return err
	}
	return f.Close()
}

// sentFile is a file as a download. It is open already: whoever calls may remove it.
func sentFile(log requests.Journal, path, name, format string) (*huma.StreamResponse, error) {
	f, err := os.Open(path) //nolint:gosec // a file of the folder of notebooks, or of ours
	if err != nil {
		return nil, err
	}
	return log.File(name, format, func(ctx huma.Context) error {
		defer func() { _ = f.Close() }() // it was only read
		_, err := io.Copy(ctx.BodyWriter(), f)
		return err
	}), nil
}

func (s *notebooksAPI) listSealed(context.Context, *requests.Nothing) (ItemsOf[studies.SealedNotebook], error) {
	return items(s.books.Sealed())
}

// SealedPath names a snapshot.
type SealedPath struct {
	ID string `path:"id" maxLength:"200" doc:"NAME.YYYY-MM-DD"`
}

func (s *notebooksAPI) getSealed(_ context.Context, in *SealedPath) (studies.NotebookDetail, error) {
	return s.books.OpenSealed(in.ID)
}

type readSealedInput struct {
	SealedPath
	Lang string `query:"lang" enum:"en,ja" default:"en"`
}

func (s *notebooksAPI) readSealed(_ context.Context, in *readSealedInput) (notebooks.Reading, error) {
	n, v, _, err := s.books.Unsealed(in.ID)
	if err != nil {
		return notebooks.Reading{}, err
	}
	return n.Reading(v, in.Lang), nil
}

func (s *notebooksAPI) exportSealed(_ context.Context, in *SealedPath) (*huma.StreamResponse, error) {
	path, err := s.books.SealedPath(in.ID)
	if err != nil {
		return nil, err
	}
	return sentFile(s.log, path, in.ID, "ragsnap")
}

type sealInput struct {
	NotebookPath
	AskedComments
}

func (s *notebooksAPI) sealNotebook(ctx context.Context, in *sealInput) (studies.SealedNotebook, error) {
	return s.books.Seal(ctx, in.Name, in.Comments)
}
