package readers

import (
	"fmt"
	"path/filepath"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// FolderRules say how [ReadFolder] takes what it finds.
type FolderRules struct {
	Strict   bool                  // the first file that cannot be read fails the whole folder
	Except   []string              // files and folders that are not read, as absolute paths
	Progress func(done, total int) // called after each file; may be nil
}

// ReadFolder is [ReadCorpus] for folders as people have them: unless the rules are strict, a file that is damaged, locked, empty, scanned
// or too large is left out, and the last notes name each with its reason. Where no file can be read the first reason is the error.
func ReadFolder(path, name string, rules FolderRules) (corpus *rag.Corpus, notes []string, err error) {
	r := corpusReader{maxFile: MaxCorpusFileBytes, maxTotal: MaxCorpusBytes, seen: map[string]string{}, pdf: defaultPDF, rules: rules}
	if err := r.read(path); err != nil {
		return nil, nil, err
	}
	return rag.NewCorpus(name, r.docs), append(r.notes(), r.refused...), nil
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
	why := p.Message
	if p.Hint != "" {
		why += "; " + p.Hint
	}
	r.refused = append(r.refused, fmt.Sprintf("%q was left out: %s", file, why))
}
