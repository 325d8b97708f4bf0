package archive

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports"
	"github.com/rag-workbench/workbench/internal/sealed"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// mostStudyBytes bounds what a study may unpack to.
const mostStudyBytes = 16 << 30

// Manifest says what a study holds, or a file with everything.
type Manifest struct {
	sealed.Head
	Runs []StudyRun     `json:"runs"` // in the order they were created
	Rows map[string]int `json:"rows"` // table → rows
}

// StudyRun is one run of a study.
type StudyRun struct {
	ID    string               `json:"run_id"`
	Kind  experiments.Kind     `json:"kind"`
	State experiments.RunState `json:"state"`
	Chain string               `json:"chain,omitempty"`
}

// Rows is what a database offers for studies; only a whole store has it.
type Rows interface {
	ExportRuns(ctx context.Context, ids []string, open func(table string) (io.Writer, error)) ([]string, error)
	ExportEverything(ctx context.Context, open func(table string) (io.Writer, error)) ([]string, error)
	ImportRuns(ctx context.Context, open func(table string) (io.ReadCloser, error)) error
}

// Export writes runs with everything they rest on into a zip file: corpora, datasets, answers, scores, stage outputs, every
// call with its raw reply, and the reports. No run means all that are over. An existing file is not overwritten.
func Export(ctx context.Context, w *app.Workbench, path, version string, names ...string) (Manifest, error) {
	chosen, err := chosenRuns(ctx, w, names)
	if err != nil {
		return Manifest{}, err
	}
	return export(ctx, w, path, version, sealed.Study, func(open func(string) (io.Writer, error)) ([]string, error) {
		return RowsOf(w).ExportRuns(ctx, chosen, open)
	})
}

// ExportEverything writes all that a person would miss into a zip file of the same form: every corpus, dataset, log, experiment, run
// and judge card, used or not, with baselines, agreements, reviews, endpoints and the ledger. Reading it into an empty database of
// either engine gives equal runs. Schedules, messages, accounts and secrets are not in it. Conflict while a run is running.
func ExportEverything(ctx context.Context, w *app.Workbench, path, version string) (Manifest, error) {
	return export(ctx, w, path, version, sealed.Everything, func(open func(string) (io.Writer, error)) ([]string, error) {
		return RowsOf(w).ExportEverything(ctx, open)
	})
}

func export(
	ctx context.Context, w *app.Workbench, path, version string, kind sealed.Kind,
	write func(open func(table string) (io.Writer, error)) ([]string, error),
) (m Manifest, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user's own file
	if errors.Is(err, fs.ErrExist) {
		return m, problem.New(problem.Conflict, "file_exists", "%s exists already", path).With("path", path).
			WithHint("choose another name or remove it first")
	}
	if err != nil {
		return m, problem.New(problem.Invalid, "file_write", "cannot write %s", path).Because(err)
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			_ = os.Remove(path) // half a study is none
		}
	}()
	m = Manifest{Head: sealed.NewHead(kind, version, w.Options.Now()), Rows: map[string]int{}}
	archive := sealed.NewWriter(f, &m.Head, flate.DefaultCompression)
	ids, err := write(func(table string) (io.Writer, error) {
		out, err := archive.Create("tables/" + table + ".jsonl")
		m.Rows[table] = 0
		return rowCounter{out, m.Rows, table}, err
	})
	if err != nil {
		return m, err
	}
	runs := make([]experiments.Run, len(ids))
	for i, id := range ids {
		if runs[i], err = w.Store.Run(ctx, id); err != nil {
			return m, err
		}
		m.Runs = append(m.Runs, StudyRun{ID: id, Kind: runs[i].Kind, State: runs[i].State, Chain: runs[i].Chain})
	}
	for _, run := range runs {
		if err := exportReports(ctx, w, archive, run, m); err != nil {
			return m, err
		}
	}
	return m, archive.Close(m)
}

// studyRuns is a store that knows no runs but those of a study.
type studyRuns struct {
	experiments.Store
	held map[string]bool
}

// Runs leaves out what is not in the study.
func (s studyRuns) Runs(ctx context.Context, f experiments.RunFilter) ([]experiments.Run, error) {
	runs, err := s.Store.Runs(ctx, f)
	return slices.DeleteFunc(runs, func(r experiments.Run) bool { return !s.held[r.ID] }), err
}

// Baseline says that nothing is pinned: a study has no pin, and its reports must not speak of one.
func (studyRuns) Baseline(_ context.Context, dataset string) (experiments.Baseline, error) {
	return experiments.Baseline{}, problem.New(problem.NotFound, "baseline_unknown", "dataset %q has no baseline", dataset)
}

// chosenRuns are the ids of the named runs, or of all that are over.
func chosenRuns(ctx context.Context, w *app.Workbench, names []string) ([]string, error) {
	var ids []string
	for _, name := range names {
		run, err := w.FindRun(ctx, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, run.ID)
	}
	if len(names) > 0 {
		return ids, nil
	}
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{State: experiments.Finished})
	for _, run := range runs {
		if run.Kind != experiments.KindValidate { // its figures are on the judge's card, not in cells
			ids = append(ids, run.ID)
		}
	}
	if err == nil && len(ids) == 0 {
		err = problem.New(problem.NotFound, "no_finished_run", "there is no finished run to export").
			WithHint("`workbench run EXPERIMENT` makes one")
	}
	return ids, err
}

// RowsOf returns the tables of the whole database.
func RowsOf(w *app.Workbench) Rows { return w.Whole }

// exportReports adds the reports of a run that has some.
func exportReports(ctx context.Context, w *app.Workbench, a *sealed.Writer, run experiments.Run, m Manifest) error {
	if !reported(run) {
		return nil
	}
	files, err := studyReports(ctx, w, w.Store, run.ID, m)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := a.Put(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// reported says whether a run has reports of its own: a child's votes stand in its parent's.
func reported(run experiments.Run) bool {
	return run.Kind == experiments.KindEvaluate && run.State == experiments.Finished && run.ParentID == ""
}

// studyReports renders the reports of a run as the study's files: the same rows, time and version give the same bytes. They say what the
// study says: causes, questions and sweep of its own runs, what was agreed and what people said, and no baseline, which is a pin of
// the place that it was exported from.
func studyReports(ctx context.Context, w *app.Workbench, s experiments.Store, id string, m Manifest) (map[string][]byte, error) {
	held := map[string]bool{}
	for _, r := range m.Runs {
		held[r.ID] = true
	}
	inside := &app.Workbench{
		Store: studyRuns{s, held}, Config: w.Config, Options: w.Options, Providers: w.Providers, Indexes: w.Indexes, Owner: w.Owner,
		Engine: w.Engine, Whole: w.Whole,
	}
	e, err := experiments.LoadEvaluation(ctx, inside.Store, id)
	if err != nil {
		return nil, err
	}
	whole := reports.Report{GeneratedAt: m.CreatedAt, Version: m.Version, Input: findings.Input{Candidate: e, Today: m.CreatedAt},
		Title: e.Run.Setup.Experiment}
	if err := reporting.FillReport(ctx, inside, &whole); err != nil {
		return nil, err
	}
	whole.Card, whole.Spending, whole.Traffic = nil, nil, 0 // what belongs to this installation, not to the study
	out := map[string][]byte{}
	for _, lang := range []string{"en", "ja"} {
		r := whole
		r.Lang = lang
		var book, page bytes.Buffer
		if err := errors.Join(r.WriteXLSX(&book), r.WriteMarkdown(&page)); err != nil {
			return nil, err
		}
		out[fmt.Sprintf("reports/%s.%s.xlsx", id, lang)] = book.Bytes()
		out[fmt.Sprintf("reports/%s.%s.md", id, lang)] = page.Bytes()
	}
	return out, nil
}

// rowCounter counts the lines of a table as they pass by.
type rowCounter struct {
	io.Writer
	rows  map[string]int
	table string
}

// Write counts and writes.
func (c rowCounter) Write(b []byte) (int, error) {
	c.rows[c.table] += bytes.Count(b, []byte{'\n'})
	return c.Writer.Write(b)
}

// Study is an open study.
type Study struct {
	*sealed.File
	Manifest Manifest

	seen map[string]bool // files that somebody looked into: rows that were read, reports that were rendered again
}

// openStudy opens a study and checks every file in it against its digest.
func openStudy(path string) (*Study, error) { return OpenStudyCalled(path, path) }

// OpenStudyCalled is openStudy of a file that people know by another name than its path. A snapshot of a notebook is a study too.
func OpenStudyCalled(path, name string) (*Study, error) {
	bad := func(format string, args ...any) *problem.Problem {
		return problem.New(problem.Invalid, "study_file", "%s: "+format, append([]any{name}, args...)...).With("path", name).
			WithHint("a study is the zip file that `workbench export` writes; export it again")
	}
	f, err := sealed.Open(path, mostStudyBytes, bad, sealed.Study, sealed.Everything, sealed.Notebook)
	if err != nil {
		return nil, err
	}
	s := &Study{File: f, seen: map[string]bool{}}
	if err = f.Decode(&s.Manifest); err == nil {
		err = f.Verify()
	}
	if err == nil && f.Head.Kind == sealed.Notebook && len(s.Manifest.Runs) == 0 {
		err = bad("it is a notebook without runs")
	}
	if err != nil {
		_ = f.Close() // the first error is the one to tell
		return nil, err
	}
	s.Manifest.Head = f.Head // an older one does not say its kind
	return s, nil
}

// StudyDigest is the SHA-256 of a study's manifest, which holds those of all its files: one value for the whole study.
func StudyDigest(path string) (string, error) {
	s, err := openStudy(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }() // it was only read
	return s.Digest(), nil
}

// CheckStudyDigest refuses a study that is not the one with this digest, of which a beginning of 16 digits is enough. "" checks nothing.
func CheckStudyDigest(path, want string) error { return CheckStudyDigestCalled(path, path, want) }

// CheckStudyDigestCalled is [CheckStudyDigest] of a file that people know by another name.
func CheckStudyDigestCalled(path, name, want string) error {
	if strings.TrimSpace(want) == "" {
		return nil
	}
	s, err := OpenStudyCalled(path, name)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // it was only read
	return s.CheckDigest(want, otherDigest("study_digest", name))
}

// otherDigest says that a file is not the one that a digest belongs to.
func otherDigest(code, name string) sealed.Complaint {
	return func(format string, args ...any) *problem.Problem {
		return problem.New(problem.Invalid, code, "%s: "+format, append([]any{name}, args...)...).With("path", name).
			WithHint("somebody wrote it anew, or it was written again: ask for the file that the digest belongs to")
	}
}

// Table opens the rows of a table; nil when the study has none.
func (s *Study) Table(name string) (io.ReadCloser, error) {
	name = "tables/" + name + ".jsonl"
	s.seen[name] = true
	f, err := s.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // the contract of ImportRuns
	}
	return f, err
}

// Import brings the runs of a study into this data directory. What is there already stays; a name or run that is there with other
// content is a Conflict, and nothing is imported then.
func Import(ctx context.Context, w *app.Workbench, path string) (Manifest, error) {
	s, err := openStudy(path)
	if err != nil {
		return Manifest{}, err
	}
	defer func() { _ = s.Close() }() // it was only read
	return s.Manifest, s.dangling(RowsOf(w).ImportRuns(ctx, s.Table))
}

// dangling says of rows that point at rows which are not in the study that somebody changed it: an export has both.
func (s *Study) dangling(err error) error {
	if err == nil || !strings.Contains(strings.ToLower(err.Error()), "foreign key constraint") {
		return err
	}
	return problem.New(problem.Invalid, "study_file", "the study was changed: rows in it belong to a run that is not in it").Because(err).
		WithHint("a study is the zip file that `workbench export` writes; export it again")
}

// imported reads a study as it is into a SQLite file in dir, which is closed again: [scratch] opens copies of it. found are rows that are
// not what was sealed; sealed is false for a study without seals.
func (s *Study) imported(ctx context.Context, dir string) (file string, found []doctor.Finding, sealed bool, err error) {
	file = filepath.Join(dir, "imported.db")
	db, err := store.OpenCopy(ctx, file)
	if err != nil {
		return "", nil, false, err
	}
	if found, sealed, err = db.ImportAsIs(ctx, s.Table); err != nil {
		return "", nil, false, errors.Join(s.dangling(err), db.Close())
	}
	return file, found, sealed, db.Close() // the last one that closes a file brings what was written into it
}

// scratch opens a copy of an imported study in dir. To copy the file takes a small part of the time that to read the study takes.
func scratch(ctx context.Context, imported, dir string) (*store.Store, error) {
	file := filepath.Join(dir, "study.db")
	if err := copyFile(imported, file); err != nil {
		return nil, err
	}
	return store.OpenCopy(ctx, file)
}

// copyFile copies a file that nobody has open to one that is not there.
func copyFile(from, to string) error {
	r, err := os.Open(from) //nolint:gosec // a file of our own
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()                                    // it was only read
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // as above
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}
