package app

import (
	"context"
	"maps"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/readers"
)

// Start is what Init made of a folder of documents and a question file.
type Start struct {
	Corpus  Imported          `json:"corpus"`
	Dataset Imported          `json:"dataset"`
	Mapping intake.ReadReport `json:"mapping"` // what each column of the question file was taken for
	Files   []string          `json:"files"`   // the experiment files, the baseline first
	Kept    []string          `json:"kept"`    // those of them that existed already and stay as they are
	// Evidence counts questions that say where in the documents their answer stands; without any, nobody knows how much of it search finds.
	Evidence int `json:"evidence"`
}

// InitRules say how [Init] takes documents and questions.
type InitRules struct {
	Name    string            // of corpus, dataset and experiments; "" takes the folder's
	Dir     string            // where the experiment files go
	Columns map[string]string // see [intake.ReadOptions], as Sheets
	Sheets  []string
	Folder  readers.FolderRules
	Lang    string // of the comments in the files: "ja", or else English
	// Confirm is shown how the sheet was understood and returns columns to read otherwise, none to accept; may be nil.
	Confirm func(intake.ReadReport) (map[string]string, error)
}

// ExperimentsDir is where Init writes experiment files and where `workbench run` without a name looks for them.
const ExperimentsDir = "experiments"

// Init imports a folder of documents and a question file under one name and writes two commented experiment files: a baseline, and one
// sensible alternative. Done again it imports what changed as the next versions, and leaves the files that exist as they are.
func Init(ctx context.Context, w *Workbench, docs, questions string, rules InitRules) (Start, error) {
	name := nameOr(rules.Name, docs)
	files := []string{filepath.Join(rules.Dir, "1-baseline.yaml"), filepath.Join(rules.Dir, "2-candidate.yaml")}
	start := Start{Files: files, Kept: []string{}}
	for _, own := range []string{questions, rules.Dir, w.Options.DataDir} { // what is ours is none of the documents
		if whole, err := filepath.Abs(own); err == nil {
			rules.Folder.Except = append(rules.Folder.Except, whole)
		}
	}
	var err error
	if start.Corpus, err = w.ImportFolder(ctx, docs, name, false, rules.Folder); err != nil {
		return start, err
	}
	columns, err := confirmColumns(ctx, w, questions, start.Corpus, rules)
	if err != nil {
		return start, err
	}
	if start.Dataset, start.Mapping, err = w.ImportQuestions(ctx, questions, name, start.Corpus.String(),
		intake.ReadOptions{Columns: columns, Sheets: rules.Sheets}); err != nil {
		return start, err
	}
	d, err := w.Store.Dataset(ctx, start.Dataset.String())
	if err != nil {
		return start, err
	}
	lang := commonLang(d)
	for _, q := range d.Questions {
		if len(q.Evidence) > 0 {
			start.Evidence++
		}
	}
	if err := os.MkdirAll(rules.Dir, 0o755); err != nil {
		return start, problem.New(problem.Invalid, "experiment_file", "cannot create %s", rules.Dir).Because(err)
	}
	words := startWords[rules.Lang == "ja"]
	for i := range startVariants {
		if _, err := os.Stat(files[i]); err == nil {
			start.Kept = append(start.Kept, files[i])
			continue
		}
		body := words.body(i, startNames{name, docs, questions, lang, files[i]})
		if err := os.WriteFile(files[i], []byte(body), 0o644); err != nil {
			return start, problem.New(problem.Invalid, "experiment_file", "cannot write %s", files[i]).Because(err)
		}
	}
	return start, nil
}

// confirmColumns shows how the sheet is understood until nobody wants it otherwise, and returns what to say about its columns.
func confirmColumns(ctx context.Context, w *Workbench, questions string, from Imported, rules InitRules) (map[string]string, error) {
	columns := maps.Clone(rules.Columns)
	for rules.Confirm != nil {
		corpus, err := w.Store.Corpus(ctx, from.String())
		if err != nil {
			return nil, err
		}
		_, report, err := intake.ReadDataset(questions, from.Name, corpus, intake.ReadOptions{Columns: columns, Sheets: rules.Sheets})
		if err != nil {
			return nil, err
		}
		changes, err := rules.Confirm(report)
		if err != nil {
			return nil, err
		}
		if len(changes) == 0 {
			break
		}
		if columns == nil {
			columns = map[string]string{}
		}
		maps.Copy(columns, changes)
	}
	return columns, nil
}

// commonLang is the language of most questions.
func commonLang(d *experiments.Dataset) string {
	ja := 0
	for _, q := range d.Questions {
		if q.Lang == "ja" {
			ja++
		}
	}
	if 2*ja > len(d.Questions) {
		return "ja"
	}
	return "en"
}
