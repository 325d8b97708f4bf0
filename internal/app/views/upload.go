package views

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/readers"
	"github.com/rag-workbench/workbench/internal/uploads"
)

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
func (v *libraryViews) KeepDataset(ctx context.Context, name string, u uploads.Upload) (app.Imported, error) {
	if err := experiments.ValidName("a dataset", name); err != nil {
		return app.Imported{}, problem.From(err).With("field", "name")
	}
	questions, err := v.w.KeepEvidence(ctx, name, u.Questions, &u.Report)
	if err != nil {
		return app.Imported{}, err
	}
	ref, created, err := v.w.Store.PutDataset(ctx, experiments.NewDataset(name, questions), v.w.Options.Now())
	return app.Imported{Ref: ref, Created: created, Items: len(questions), Notes: app.NonNil(u.Report.Notes)}, err
}

// KeepCorpus stores the documents of an upload as the next version of a corpus.
func (v *libraryViews) KeepCorpus(ctx context.Context, name string, u uploads.Upload) (app.Imported, error) {
	if err := experiments.ValidName("a corpus", name); err != nil {
		return app.Imported{}, problem.From(err).With("field", "name")
	}
	ref, created, err := v.w.Store.PutCorpus(ctx, rag.NewCorpus(name, u.Documents), v.w.Options.Now())
	return app.Imported{Ref: ref, Created: created, Items: len(u.Documents), Notes: app.NonNil(u.Folder.Notes),
		LeftOut: u.Folder.LeftOut}, err
}
