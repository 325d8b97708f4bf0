package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/readers"
	"github.com/rag-workbench/workbench/internal/text"
)

// Imported says what an import stored.
type Imported struct {
	experiments.Ref
	Created bool              `json:"created"`            // false: the newest version holds the same already
	Items   int               `json:"items"`              // documents or questions
	Notes   []text.Said       `json:"notes"`              // what was seen and not taken, and what was assumed
	LeftOut []readers.LeftOut `json:"left_out,omitempty"` // files that could not be read
}

// ImportCorpus reads a folder or file as the next version of a corpus. With join, all documents become one, as when a
// whole manual lies in one text file; evidence labelled on the documents is found in it again.
func (w *Workbench) ImportCorpus(ctx context.Context, path, name string, join bool) (Imported, error) {
	return w.ImportFolder(ctx, path, name, join, readers.FolderRules{})
}

// ImportFolder is ImportCorpus under rules.
func (w *Workbench) ImportFolder(ctx context.Context, path, name string, join bool, rules readers.FolderRules) (Imported, error) {
	name = nameOr(name, path)
	if err := experiments.ValidName("a corpus", name); err != nil {
		return Imported{}, err
	}
	corpus, found, err := readers.ReadFolder(path, name, rules)
	if err != nil {
		return Imported{}, err
	}
	if join {
		corpus = rag.JoinCorpus(corpus, name)
	}
	ref, created, err := w.Store.PutCorpus(ctx, corpus, w.Options.Now())
	return Imported{Ref: ref, Created: created, Items: len(corpus.Documents), Notes: NonNil(found.Notes), LeftOut: found.LeftOut}, err
}

// ImportDataset reads a question file as the next version of a dataset. Evidence is checked against the corpus, which may
// be left out when the file has no quotes to find.
func (w *Workbench) ImportDataset(ctx context.Context, path, name, corpusRef string, columns map[string]string) (Imported,
	intake.ReadReport, error) {
	return w.ImportQuestions(ctx, path, name, corpusRef, intake.ReadOptions{Columns: columns})
}

// ImportQuestions is ImportDataset with all that can be said about how the file is read.
func (w *Workbench) ImportQuestions(ctx context.Context, path, name, corpusRef string, reading intake.ReadOptions) (Imported,
	intake.ReadReport, error) {
	name = nameOr(name, path)
	if err := experiments.ValidName("a dataset", name); err != nil {
		return Imported{}, intake.ReadReport{}, err
	}
	var corpus *rag.Corpus
	if corpusRef != "" {
		var err error
		if corpus, err = w.Store.Corpus(ctx, corpusRef); err != nil {
			return Imported{}, intake.ReadReport{}, err
		}
	}
	dataset, report, err := intake.ReadDataset(path, name, corpus, reading)
	if err != nil {
		return Imported{}, report, foreign.AsResults(path, err)
	}
	if dataset.Questions, err = w.KeepEvidence(ctx, name, dataset.Questions, &report); err != nil {
		return Imported{}, report, err
	}
	ref, created, err := w.Store.PutDataset(ctx, experiments.NewDataset(name, dataset.Questions), w.Options.Now())
	return Imported{Ref: ref, Created: created, Items: len(dataset.Questions), Notes: NonNil(report.Notes)}, report, err
}

// KeepEvidence gives questions of a file that says nothing of evidence the evidence of the newest version of the dataset, where question
// and right answer are the same: whoever imports a file again does not mean to lose what people have marked since. The report says so.
func (w *Workbench) KeepEvidence(
	ctx context.Context, name string, questions []experiments.Question, report *intake.ReadReport,
) ([]experiments.Question, error) {
	marked := func(q experiments.Question) bool { return len(q.Evidence) > 0 }
	if report.SaysEvidence() || slices.ContainsFunc(questions, marked) {
		return questions, nil
	}
	newest, err := w.Store.Dataset(ctx, name)
	if problem.Is(err, problem.NotFound) {
		return questions, nil
	}
	if err != nil {
		return nil, err
	}
	before := make(map[string]experiments.Question, len(newest.Questions))
	for _, q := range newest.Questions {
		before[q.ID] = q
	}
	kept, all := 0, slices.Clone(questions)
	for i, q := range all {
		if was := before[q.ID]; marked(was) && was.Text == q.Text && was.Reference == q.Reference {
			all[i].Evidence = was.Evidence
			kept++
		}
	}
	if kept > 0 {
		report.Notes = append(report.Notes, text.Say("the evidence of %s is kept from %s, because the file has no column for it",
			"ファイルに根拠の列がないため、%sの根拠を%sから引き継ぎました", text.Count(kept, "question", "問"),
			experiments.Ref{Name: newest.Name, Version: newest.Version}.String()))
	}
	return all, nil
}

// nameOr takes the name, or makes one of the path: the file's stem, or its folder's name for corpus.jsonl and the like.
func nameOr(name, path string) string {
	if name != "" {
		return name
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole // "." and ".." have names too
	}
	base := filepath.Base(path)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	switch stem {
	case "corpus", "questions", "docs", "documents":
		if dir := filepath.Base(filepath.Dir(path)); dir != "." && dir != string(filepath.Separator) {
			return plainName(dir)
		}
	}
	return plainName(stem)
}

// plainName makes a name of a file's: what a name may not hold becomes a hyphen.
func plainName(stem string) string {
	return strings.Trim(nameGaps.ReplaceAllString(norm.NFC.String(stem), "-"), "-._")
}

var nameGaps = text.Lazy(`[^\p{L}\p{N}._-]+`)

// NonNil returns the list, or an empty one for nil, so that JSON shows [].
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// ResolveCorpus returns the corpus that a definition names: a registered one, or a path, which is imported first.
func (w *Workbench) ResolveCorpus(ctx context.Context, ref, dir string) (*rag.Corpus, error) {
	corpus, err := w.Store.Corpus(ctx, ref)
	if err == nil || !problem.Is(err, problem.NotFound) {
		return corpus, err
	}
	path, ok := existing(ref, dir)
	if !ok && strings.Contains(ref, "@") {
		return nil, err // of a name that may be there: which versions are
	}
	if !ok {
		return nil, problem.From(err).WithHint("import it with `workbench corpus import PATH --name %s`, or give a path that exists", ref)
	}
	imported, err := w.ImportCorpus(ctx, path, "", false)
	if err != nil {
		return nil, err
	}
	return w.Store.Corpus(ctx, imported.String())
}

// ResolveDataset is resolveCorpus for the dataset; evidence is checked against the corpus.
func (w *Workbench) ResolveDataset(ctx context.Context, ref, dir string, corpus *rag.Corpus) (*experiments.Dataset, error) {
	dataset, err := w.Store.Dataset(ctx, ref)
	if err == nil || !problem.Is(err, problem.NotFound) {
		return dataset, err
	}
	path, ok := existing(ref, dir)
	if !ok && strings.Contains(ref, "@") {
		return nil, err // of a name that may be there: which versions are
	}
	if !ok {
		return nil, problem.From(err).WithHint("import it with `workbench dataset import FILE --name %s`, or give a path that exists", ref)
	}
	corpusRef := ""
	if corpus.Name != "" {
		corpusRef = experiments.Ref{Name: corpus.Name, Version: corpus.Version}.String()
	}
	imported, _, err := w.ImportDataset(ctx, path, "", corpusRef, nil)
	if err != nil {
		return nil, err
	}
	return w.Store.Dataset(ctx, imported.String())
}

// existing finds a path as given or beside the experiment file.
func existing(path, dir string) (string, bool) {
	for _, p := range []string{path, filepath.Join(dir, path)} {
		if _, err := os.Stat(p); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return p, err == nil
		}
	}
	return "", false
}
