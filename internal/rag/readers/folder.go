package readers

import (
	"path/filepath"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// FolderRules say how [ReadFolder] takes what it finds.
type FolderRules struct {
	Strict   bool                  // the first file that cannot be read fails the whole folder
	Except   []string              // files and folders that are not read, as absolute paths
	Plain    bool                  // where headings stand is not kept, as in corpora of earlier versions
	Progress func(done, total int) // called after each file; may be nil
}

// LeftOut is a file of a folder that could not be read, and why.
type LeftOut struct {
	File    string         `json:"file"`             // path in the folder
	Code    string         `json:"code"`             // of the problem
	Message string         `json:"message"`          // what is wrong with the file
	Hint    string         `json:"hint,omitempty"`   // what to do about it
	Params  map[string]any `json:"params,omitempty"` // of the problem
}

// Problem is why the file was left out.
func (l LeftOut) Problem() *problem.Problem {
	return &problem.Problem{Kind: problem.Invalid, Code: l.Code, Message: l.Message, Hint: l.Hint, Params: l.Params}
}

// Folder is what [ReadFolder] found besides documents.
type Folder struct {
	Notes   []text.Said
	LeftOut []LeftOut // in the order of their paths
}

// ReadFolder is [ReadCorpus] for folders as people have them: unless the rules are strict, a file that is damaged, locked, empty, scanned
// or too large is left out and listed with its reason. Where no file can be read the first reason is the error.
func ReadFolder(path, name string, rules FolderRules) (*rag.Corpus, Folder, error) {
	r := corpusReader{maxFile: MaxCorpusFileBytes, maxTotal: MaxCorpusBytes, seen: map[string]string{}, pdf: defaultPDF, rules: rules}
	if err := r.read(path); err != nil {
		return nil, Folder{}, err
	}
	return rag.NewCorpus(name, r.docs), Folder{Notes: r.notes(), LeftOut: r.refused}, nil
}

// readFiles reads the files below root. first is the first of the reasons why some of them were left out.
func (r *corpusReader) readFiles(root string, files []string) (first, err error) {
	for i, p := range files {
		before := len(r.docs)
		if err := r.readFile(filepath.Join(root, filepath.FromSlash(p)), norm.NFC.String(p)); err != nil {
			if r.rules.Strict || problem.CodeOf(err) == "corpus_too_large" {
				return nil, err
			}
			for _, d := range r.docs[before:] { // of a file that is read in part nothing is kept
				delete(r.seen, d.ID)
			}
			r.docs = r.docs[:before]
			if first == nil {
				first = err
			}
			r.refuse(p, err)
		}
		if r.rules.Progress != nil {
			r.rules.Progress(i+1, len(files))
		}
	}
	return first, nil
}

// refuse notes a file that could not be read.
func (r *corpusReader) refuse(file string, err error) {
	p := problem.From(err)
	r.refused = append(r.refused, LeftOut{File: file, Code: p.Code, Message: p.Message, Hint: p.Hint, Params: p.Params})
}
