package api

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// formInput is a form that is read while it arrives.
type formInput struct {
	writer  http.ResponseWriter
	request *http.Request
}

// Resolve keeps the request.
func (in *formInput) Resolve(ctx huma.Context) []error {
	in.request, in.writer = humachi.Unwrap(ctx)
	return nil
}

// previewRows is how many questions a preview shows.
const previewRows = 20

// DatasetPreview is how an uploaded question sheet was understood.
type DatasetPreview struct {
	Token    string                 `json:"token" doc:"names the upload when it is committed"`
	File     string                 `json:"file"`
	Name     string                 `json:"name" doc:"that the dataset would get"`
	Report   intake.ReadReport      `json:"report"`
	Fields   []string               `json:"fields" doc:"what a column can be mapped to, beside metadata and ignore"`
	Rows     []experiments.Question `json:"rows" doc:"the first 20"`
	Total    int                    `json:"total"`
	Problem  *requests.Problem      `json:"problem,omitempty" doc:"why it cannot be committed as it is"`
	Problems []intake.RowProblem    `json:"problems" doc:"the first 20 rows that are wrong"`
}

func (s *datasetsAPI) previewDataset(ctx context.Context, in *formInput) (DatasetPreview, error) {
	up, err := s.uploads.Receive(in.writer, in.request)
	if err != nil {
		return DatasetPreview{}, err
	}
	preview, err := s.previewOf(ctx, up)
	if err != nil {
		up.Remove()
	}
	return preview, err
}

func (s *datasetsAPI) previewOf(ctx context.Context, up *requests.Upload) (DatasetPreview, error) {
	if len(up.Files) != 1 {
		return DatasetPreview{}, requests.Invalid("upload_files", "file", "a dataset is one file", "send it in the field file")
	}
	p := DatasetPreview{File: up.Files[0], Name: up.Fields["name"], Fields: intake.Fields(), Rows: []experiments.Question{},
		Problems: []intake.RowProblem{}}
	if p.Name == "" {
		p.Name = strings.TrimSuffix(p.File, filepath.Ext(p.File))
	}
	columns, err := up.Columns()
	if err != nil {
		return p, err
	}
	sheets, err := up.Sheets()
	if err != nil {
		return p, err
	}
	request := uploads.Request{Name: p.Name, Columns: columns, Sheets: sheets, Encoding: up.Fields["encoding"]}
	read, err := s.parse(ctx, up, request, up.Fields["corpus"])
	if err != nil {
		return p, err
	}
	s.uploads.Done(up.Fields["replaces"]) // the same file, read otherwise
	if p.Token, err = s.uploads.Wait(up); err != nil {
		return p, err
	}
	p.Report, p.Total = read.Report, len(read.Questions)
	if p.Report.Columns == nil {
		p.Report.Columns = []intake.ColumnUse{}
	}
	p.Rows = append(p.Rows, read.Questions[:min(len(read.Questions), previewRows)]...)
	p.Problems = append(p.Problems, read.Rows...)
	if read.Problem != nil {
		p.Problem = requests.FromProblem(read.Problem)
	}
	return p, nil
}

// parse reads the file of an upload in another process, as the request says.
func (s *datasetsAPI) parse(ctx context.Context, up *requests.Upload, request uploads.Request, corpus string) (uploads.Upload, error) {
	if s.parser == nil {
		return uploads.Upload{}, problem.New(problem.Unavailable, "upload_parser", "this server reads no uploads").
			WithHint("import the file with `workbench dataset import`")
	}
	request.Kind, request.Path = uploads.Dataset, filepath.Join(requests.FilesFolder, up.Files[0])
	if corpus != "" {
		request.Corpus = "corpus-" + requests.FileName(corpus)
		dir := filepath.Join(up.Dir, request.Corpus)
		if _, written := up.Fields["written "+corpus]; !written {
			if err := s.views.WriteCorpus(ctx, corpus, dir); err != nil {
				return uploads.Upload{}, err
			}
			up.Fields["written "+corpus] = "yes"
		}
	}
	return s.parser(ctx, up.Dir, request)
}

type commitInput struct {
	Body struct {
		Token    string            `json:"token" minLength:"1" maxLength:"100"`
		Name     string            `json:"name" minLength:"1" maxLength:"100"`
		Columns  map[string]string `json:"columns,omitempty" doc:"column of the file → field"`
		Sheets   []string          `json:"sheets,omitempty" maxItems:"1000" doc:"of a workbook, read as one; none leaves the choice to the reader"`
		Encoding string            `json:"encoding,omitempty" maxLength:"50" doc:"of a text file that is not in UTF-8; none is what its bytes say beyond doubt"`
		Corpus   string            `json:"corpus,omitempty" maxLength:"200" doc:"that quoted evidence is looked up in"`
	}
}

// commitDataset reads the upload once more, with the columns that were chosen, and stores it.
func (s *datasetsAPI) commitDataset(ctx context.Context, in *commitInput) (app.Imported, error) {
	up, err := s.uploads.Waited(in.Body.Token)
	if err != nil {
		return app.Imported{}, err
	}
	request := uploads.Request{Name: in.Body.Name, Columns: in.Body.Columns, Sheets: in.Body.Sheets, Encoding: in.Body.Encoding}
	read, err := s.parse(ctx, up, request, in.Body.Corpus)
	if err == nil && read.Problem != nil {
		err = read.Problem
	}
	if err != nil {
		return app.Imported{}, err
	}
	imported, err := s.views.KeepDataset(ctx, in.Body.Name, read)
	if err == nil {
		s.uploads.Done(in.Body.Token)
	}
	return imported, err
}

// importCorpus reads a form with files and stores them as the next version of a corpus.
func (s *corporaAPI) importCorpus(ctx context.Context, in *formInput) (app.Imported, error) {
	up, err := s.uploads.Receive(in.writer, in.request)
	if err != nil {
		return app.Imported{}, err
	}
	defer up.Remove()
	switch {
	case len(up.Files) == 0:
		return app.Imported{}, requests.Invalid("upload_files", "files", "the form holds no file", "send the documents in the field files")
	case up.Fields["name"] == "":
		return app.Imported{}, requests.Invalid("upload_name", "name", "a corpus needs a name", "send it in the field name")
	case s.parser == nil:
		return app.Imported{}, problem.New(problem.Unavailable, "upload_parser", "this server reads no uploads").
			WithHint("import the folder with `workbench corpus import`")
	}
	read, err := s.parser(ctx, up.Dir, uploads.Request{Kind: uploads.Corpus, Path: requests.FilesFolder, Name: up.Fields["name"]})
	if err == nil && read.Problem != nil {
		err = read.Problem
	}
	if err != nil {
		return app.Imported{}, err
	}
	return s.views.KeepCorpus(ctx, up.Fields["name"], read)
}
