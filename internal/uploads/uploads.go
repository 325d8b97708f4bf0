// Package uploads reads the files that people send to a server: question sheets, corpora, filled-in workbooks, logged answers, scores
// and results of other tools.
//
// A [Request] says what to read, an [Upload] is what was read. [Read] is all that a process of its own does, with limits and without
// secrets, because files of strangers are made to break parsers. So this package stands above the store: it can reach no database.
package uploads

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/readers"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
	"github.com/rag-workbench/workbench/internal/text"
)

// The kinds of uploads.
const (
	Dataset = "dataset"
	Corpus  = "corpus"
	Reviews = "reviews" // a filled-in workbook
	Answers = "answers" // logged answers to the questions of a dataset
	Scores  = "scores"  // two files of scores, which are compared
	Results = "results" // what another tool exported
)

// Request says what to read of an upload. It is what the reading process gets, and all that it gets.
type Request struct {
	Kind    string            `json:"kind"` // one of the constants above
	Path    string            `json:"path"` // file, or folder of a corpus, relative to the working directory of the process
	Name    string            `json:"name"` // of the dataset or corpus
	Columns map[string]string `json:"columns,omitempty"`
	Sheets  []string          `json:"sheets,omitempty"` // of a workbook to read; none leaves the choice to the reader
	// of a dataset or answers in a text file that is not in UTF-8; "" leaves it to what the bytes say beyond doubt
	Encoding string                 `json:"encoding,omitempty"`
	Corpus   string                 `json:"corpus,omitempty"`  // folder with the corpus that quotes are looked up in
	Dataset  string                 `json:"dataset,omitempty"` // file with the dataset whose questions were asked
	Other    string                 `json:"other,omitempty"`   // the candidate's file, where Path is the baseline's
	Rules    compare.FileRules      `json:"rules,omitzero"`    // of comparing the two
	Foreign  foreign.ForeignOptions `json:"foreign,omitzero"`  // of another tool's results
}

// Upload is what was read. Where something was wrong with it Problem says so.
type Upload struct {
	Questions []experiments.Question  `json:"questions,omitempty"`
	Report    intake.ReadReport       `json:"report"`
	Documents []rag.Document          `json:"documents,omitempty"`
	Reviews   *reviewform.File        `json:"reviews,omitempty"`
	Answers   []rag.LoggedAnswer      `json:"answers,omitempty"`
	Answered  intake.AnswersReport    `json:"answered,omitzero"`
	Compared  *compare.FileComparison `json:"compared,omitempty"`
	Results   *foreign.Foreign        `json:"results,omitempty"`
	Folder    readers.Folder          `json:"folder,omitzero"` // of the documents
	Problem   *problem.Problem        `json:"problem,omitempty"`
	Rows      []intake.RowProblem     `json:"rows,omitempty"`     // the first problems of rows
	Japanese  string                  `json:"japanese,omitempty"` // message of Problem; what it was formatted from stays behind
}

// Written is an [Upload] as [Read] wrote it.
func Written(raw []byte) (Upload, error) {
	var upload Upload
	if err := json.Unmarshal(raw, &upload); err != nil {
		return Upload{}, err
	}
	if upload.Problem != nil {
		upload.Problem.Format, upload.Problem.Args = "%s", []any{problem.Both(upload.Problem.Message, upload.Japanese)}
	}
	return upload, nil
}

// Read reads a request from in, reads what it names, and writes the [Upload] to out as JSON. It needs no data directory: it
// runs in a process of its own, with limits and without secrets, because files of strangers are made to break parsers.
func Read(in io.Reader, out io.Writer) error {
	var request Request
	dec := json.NewDecoder(in)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&request); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	upload, err := request.read()
	if err != nil {
		upload.Problem = problem.From(err)
		rows, _ := upload.Problem.Params["problems"].([]intake.RowProblem)
		upload.Rows, upload.Japanese = rows, upload.Problem.In("ja").Message
	}
	upload.onPages()
	return json.NewEncoder(out).Encode(upload)
}

// onPages tells everything that was noted as it is told where sheets are chosen by a field.
func (u *Upload) onPages() {
	said := [][]text.Said{u.Report.Notes, u.Answered.Notes}
	var plain [][]string
	if u.Results != nil {
		said, plain = append(said, u.Results.Sheet), append(plain, u.Results.Notes)
	}
	if u.Compared != nil {
		plain = append(plain, u.Compared.Warnings, u.Compared.WarningsJA, u.Compared.Notes, u.Compared.NotesJA)
	}
	for _, list := range said {
		for i := range list {
			list[i] = list[i].ChosenByField()
		}
	}
	for _, list := range plain {
		for i := range list {
			list[i] = text.ChosenByField(list[i])
		}
	}
}

func (r Request) read() (Upload, error) {
	if r.Kind == Corpus {
		corpus, found, err := readers.ReadFolder(r.Path, r.Name, readers.FolderRules{})
		if err != nil {
			return Upload{}, err
		}
		return Upload{Documents: corpus.Documents, Folder: found}, nil
	}
	if r.Kind == Reviews {
		file, err := reviewform.Read(r.Path)
		return Upload{Reviews: &file}, err
	}
	switch r.Kind {
	case Answers:
		return r.readAnswers()
	case Scores:
		return r.compareScores()
	case Results:
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
	dataset, report, err := intake.ReadDataset(r.Path, r.Name, corpus,
		intake.ReadOptions{Columns: r.Columns, Sheets: r.Sheets, Encoding: r.Encoding, KeepDrafts: true})
	if err != nil {
		return Upload{Report: report}, foreign.AsResults(r.Path, err)
	}
	return Upload{Questions: dataset.Questions, Report: report}, nil
}

// readAnswers reads logged answers to the questions of a dataset that was written beside them.
func (r Request) readAnswers() (Upload, error) {
	raw, err := os.ReadFile(r.Dataset)
	if err != nil {
		return Upload{}, err
	}
	var dataset experiments.Dataset
	if err := json.Unmarshal(raw, &dataset); err != nil {
		return Upload{}, err
	}
	log, report, err := intake.ReadAnswers(r.Path, r.Name, &dataset,
		intake.ReadOptions{Columns: r.Columns, Sheets: r.Sheets, Encoding: r.Encoding})
	if err != nil {
		return Upload{}, err
	}
	return Upload{Answers: log.Answers, Answered: report}, nil
}

// reading is how files of scores are read: as the rules of their comparison say.
func (r Request) reading() foreign.ForeignOptions {
	o := r.Foreign
	o.Lower, o.Higher = r.Rules.Lower, r.Rules.Higher
	return o
}

// compareScores reads two files of scores and compares them.
func (r Request) compareScores() (Upload, error) {
	var tables [2]*foreign.ScoreTable
	for i, path := range []string{r.Path, r.Other} {
		arm := [2]string{"baseline", "candidate"}[i]
		reading := r.reading().Beside(path, [2]string{r.Other, r.Path}[i])
		var err error
		if tables[i], err = foreign.ReadScoresCalled(path, arm+"/"+filepath.Base(path), reading); err != nil {
			return Upload{}, problem.From(err).With("field", arm)
		}
	}
	if err := r.Foreign.CheckMapped(tables[:]...); err != nil {
		return Upload{}, problem.From(err).With("field", "baseline")
	}
	compared, err := compare.CompareScores(tables[0], tables[1], r.Rules)
	return Upload{Compared: &compared}, err
}
