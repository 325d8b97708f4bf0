package views

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/readers"
	"github.com/rag-workbench/workbench/internal/reports"
)

// The kinds of uploads.
const (
	UploadDataset = "dataset"
	UploadCorpus  = "corpus"
	UploadReviews = "reviews" // a filled-in workbook
	UploadAnswers = "answers" // logged answers to the questions of a dataset
	UploadScores  = "scores"  // two files of scores, which are compared
	UploadResults = "results" // what another tool exported
)

// UploadRequest says what to read of an upload. It is what the reading process gets, and all that it gets.
type UploadRequest struct {
	Kind    string                 `json:"kind"` // one of the constants above
	Path    string                 `json:"path"` // file, or folder of a corpus, relative to the working directory of the process
	Name    string                 `json:"name"` // of the dataset or corpus
	Columns map[string]string      `json:"columns,omitempty"`
	Corpus  string                 `json:"corpus,omitempty"`  // folder with the corpus that quotes are looked up in
	Dataset string                 `json:"dataset,omitempty"` // file with the dataset whose questions were asked
	Other   string                 `json:"other,omitempty"`   // the candidate's file, where Path is the baseline's
	Rules   compare.FileRules      `json:"rules,omitzero"`    // of comparing the two
	Foreign foreign.ForeignOptions `json:"foreign,omitzero"`  // of another tool's results
}

// Upload is what was read. Where something was wrong with it Problem says so.
type Upload struct {
	Questions []experiments.Question  `json:"questions,omitempty"`
	Report    intake.ReadReport       `json:"report"`
	Documents []rag.Document          `json:"documents,omitempty"`
	Reviews   *reports.ReviewFile     `json:"reviews,omitempty"`
	Answers   []rag.LoggedAnswer      `json:"answers,omitempty"`
	Answered  intake.AnswersReport    `json:"answered,omitzero"`
	Compared  *compare.FileComparison `json:"compared,omitempty"`
	Results   *foreign.Foreign        `json:"results,omitempty"`
	Folder    readers.Folder          `json:"folder,omitzero"` // of the documents
	Problem   *problem.Problem        `json:"problem,omitempty"`
	Rows      []intake.RowProblem     `json:"rows,omitempty"` // the first problems of rows
}

// ReadUpload reads a request from in, reads what it names, and writes the [Upload] to out as JSON. It needs no data directory: it
// runs in a process of its own, with limits and without secrets, because files of strangers are made to break parsers.
func ReadUpload(in io.Reader, out io.Writer) error {
	var request UploadRequest
	dec := json.NewDecoder(in)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&request); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	upload, err := request.read()
	if err != nil {
		upload.Problem = problem.From(err)
		rows, _ := upload.Problem.Params["problems"].([]intake.RowProblem)
		upload.Rows = rows
	}
	return json.NewEncoder(out).Encode(upload)
}

func (r UploadRequest) read() (Upload, error) {
	if r.Kind == UploadCorpus {
		corpus, found, err := readers.ReadFolder(r.Path, r.Name, readers.FolderRules{})
		if err != nil {
			return Upload{}, err
		}
		return Upload{Documents: corpus.Documents, Folder: found}, nil
	}
	if r.Kind == UploadReviews {
		file, err := reports.ReadReviews(r.Path)
		return Upload{Reviews: &file}, err
	}
	switch r.Kind {
	case UploadAnswers:
		return r.readAnswers()
	case UploadScores:
		return r.compareScores()
	case UploadResults:
		results, err := foreign.ReadForeign(r.Path, r.Foreign)
		return Upload{Results: results}, err
	}
	var corpus *rag.Corpus
	if r.Corpus != "" {
		var err error
		if corpus, _, err = readers.ReadCorpus(r.Corpus, "corpus"); err != nil {
			return Upload{}, err
		}
	}
	dataset, report, err := intake.ReadDataset(r.Path, r.Name, corpus, intake.ReadOptions{Columns: r.Columns, KeepDrafts: true})
	if err != nil {
		return Upload{Report: report}, err
	}
	return Upload{Questions: dataset.Questions, Report: report}, nil
}

// corpusPart bounds a file of [Views.WriteCorpus], well below what the corpus reader takes.
const corpusPart = readers.MaxCorpusFileBytes / 4

// WriteCorpus writes a stored corpus into a folder, for a process that reads uploads and must not see the database.
func (v *libraryViews) WriteCorpus(ctx context.Context, ref, dir string) error {
	c, err := v.corpusByRef(ctx, ref)
	if err != nil {
		return problem.From(err).With("field", "corpus")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var part *os.File
	written := 0
	for i, d := range c.Documents {
		fields := map[string]any{}
		for name, value := range maps.All(d.Metadata) {
			fields[name] = value
		}
		fields["doc_id"], fields["text"], fields["lang"], fields["title"], fields["source"] = d.ID, d.Text, d.Lang, d.Title, d.Source
		line, err := json.Marshal(fields)
		if err != nil {
			return err
		}
		if part == nil || written+len(line) > corpusPart {
			if part != nil {
				if err := part.Close(); err != nil {
					return err
				}
			}
			if part, err = os.OpenFile(filepath.Join(dir, fmt.Sprintf("%08d.jsonl", i)), os.O_CREATE|os.O_EXCL|os.O_WRONLY,
				0o600); err != nil {
				return err
			}
			written = 0
		}
		written += len(line)
		if _, err := part.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	if part == nil {
		return nil
	}
	return part.Close()
}

// UploadDir is where uploads wait: in the data directory, which is the owner's alone.
func UploadDir(w *app.Workbench) string { return filepath.Join(w.Options.DataDir, "uploads") }

// KeepDataset stores the questions of an upload as the next version of a dataset.
func (v *libraryViews) KeepDataset(ctx context.Context, name string, u Upload) (app.Imported, error) {
	if err := experiments.ValidName("a dataset", name); err != nil {
		return app.Imported{}, problem.From(err).With("field", "name")
	}
	ref, created, err := v.w.Store.PutDataset(ctx, experiments.NewDataset(name, u.Questions), v.w.Options.Now())
	return app.Imported{Ref: ref, Created: created, Items: len(u.Questions), Notes: app.NonNil(u.Report.Notes)}, err
}

// KeepCorpus stores the documents of an upload as the next version of a corpus.
func (v *libraryViews) KeepCorpus(ctx context.Context, name string, u Upload) (app.Imported, error) {
	if err := experiments.ValidName("a corpus", name); err != nil {
		return app.Imported{}, problem.From(err).With("field", "name")
	}
	ref, created, err := v.w.Store.PutCorpus(ctx, rag.NewCorpus(name, u.Documents), v.w.Options.Now())
	return app.Imported{Ref: ref, Created: created, Items: len(u.Documents), Notes: app.NonNil(u.Folder.Notes),
		LeftOut: u.Folder.LeftOut}, err
}
