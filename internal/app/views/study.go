package views

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/sealed"
)

// The bounds of a study that arrives over HTTP. The command line takes larger ones.
const (
	MaxStudyBytes       = 1 << 30  // of the file
	mostUnpackedBytes   = 4 << 30  // of everything in it
	mostStudyManifest   = 64 << 20 // which is read into memory
	longestStudyRunLine = 8 << 20  // a setup with its prompts
)

// ImportUploaded is [archive.Import] of a study that somebody sent: it is smaller, its runs are over, and those that ask a system
// elsewhere ask one that is registered here. A run's setup holds the address of that system and the names of the keys that go there, and
// replicating the run asks it again: what arrives over HTTP must not say where requests go.
func ImportUploaded(ctx context.Context, w *app.Workbench, path, name string) (archive.Manifest, error) {
	if err := boundedStudy(path, name); err != nil {
		return archive.Manifest{}, err
	}
	s, err := archive.OpenStudyCalled(path, name)
	if err != nil {
		return archive.Manifest{}, err
	}
	defer func() { _ = s.Close() }() // it was only read
	if s.Manifest.Kind == sealed.Everything {
		return archive.Manifest{}, problem.New(problem.Invalid, "study_everything",
			"%s holds everything of a data directory, and not only runs with what they rest on", name).
			WithHint("import it on the server: workbench import FILE.zip")
	}
	if err := checkStudyRuns(ctx, w, s); err != nil {
		return archive.Manifest{}, err
	}
	return s.Manifest, archive.RowsOf(w).ImportRuns(ctx, func(table string) (io.ReadCloser, error) {
		if !slices.Contains(tablesOverHTTP, table) {
			return nil, nil //nolint:nilnil // the contract of ImportRuns
		}
		return s.Table(table)
	})
}

// VerifyUploaded computes a study that somebody sent again, in the background; done is called when the file is not needed any more. The
// result of the work is a [Verified].
func VerifyUploaded(b *jobs.Background, path, name, digest string, by archive.Verifier, done func()) (jobs.Work, error) {
	if err := checkVerifiable(path, name, digest); err != nil {
		done()
		return jobs.Work{}, err
	}
	work, err := b.Begin("verify_study", requestID("verify_study", []any{path}), map[string]any{"study": name},
		func(ctx context.Context, change func(func(*jobs.Work))) error {
			defer done()
			by.Now = func() time.Time { return b.W.Options.Now().UTC() }
			v, err := archive.VerifyStudyCalled(ctx, path, name, by)
			if err != nil {
				return err
			}
			return jobs.KeepResult(change, Verified{v, inJapanese(v)})
		})
	if err != nil {
		done()
	}
	return work, err
}

// Verified is what computing a study again found, for people: with its sentences in Japanese too.
type Verified struct {
	archive.Verification
	JA map[string]string `json:"ja"` // English sentence or subject → the same in Japanese
}

// inJapanese holds the Japanese of every sentence in what was found.
func inJapanese(v archive.Verification) map[string]string {
	ja := map[string]string{}
	say := func(list ...string) {
		for _, english := range list {
			ja[english], _ = problem.Japanese(english)
		}
	}
	for _, r := range v.Runs {
		say(r.Different...)
		say(r.Missing...)
		for _, n := range r.OtherVersion {
			say(n.Part, n.Why)
		}
	}
	for _, f := range v.Findings {
		say(f.Message)
		ja[f.Subject] = f.SubjectIn("ja")
	}
	return ja
}

// checkVerifiable refuses what is no study, is too large, or is not the study that a digest belongs to.
func checkVerifiable(path, name, digest string) error {
	if err := boundedStudy(path, name); err != nil {
		return err
	}
	s, err := archive.OpenStudyCalled(path, name)
	if err != nil {
		return err
	}
	_ = s.Close() // it was only read
	return archive.CheckStudyDigestCalled(path, name, digest)
}

// tablesOverHTTP are those that a study has. What else a forged file holds, such as endpoints and baselines, is not read.
var tablesOverHTTP = []string{
	"corpora", "documents", "datasets", "questions", "agreements", "taxonomies", "logs", "logged_answers", "experiments", "revisions",
	"runs", "answers", "cells",
	"reviews", "events", "stages", "calls", "cache", "vectors",
}

func boundedStudy(path, name string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil // opening it as a study says so
	}
	defer func() { _ = z.Close() }()
	var total uint64
	for _, f := range z.File {
		total += min(f.UncompressedSize64, mostUnpackedBytes+1) // so that no sum overflows
		if total > mostUnpackedBytes || f.Name == sealed.ManifestName && f.UncompressedSize64 > mostStudyManifest {
			return problem.New(problem.Invalid, "study_size", "%s would unpack to more than is taken over HTTP", name).
				With("limit_bytes", mostUnpackedBytes).
				WithHint("import it on the server: workbench import STUDY.zip")
		}
	}
	return nil
}

// checkStudyRuns reads the runs of a study before any of them is stored.
func checkStudyRuns(ctx context.Context, w *app.Workbench, s *archive.Study) error {
	r, err := s.Table("runs")
	if err != nil || r == nil {
		return err
	}
	defer func() { _ = r.Close() }()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestStudyRunLine)
	for lines.Scan() {
		var row map[string]json.RawMessage // exact names, as the store reads them
		var id, state, text string
		var setup experiments.Setup
		err := json.Unmarshal(lines.Bytes(), &row)
		for column, into := range map[string]*string{"id": &id, "state": &state, "setup": &text} {
			if err == nil {
				err = json.Unmarshal(row[column], into)
			}
		}
		if err == nil {
			err = json.Unmarshal([]byte(text), &setup)
		}
		if err != nil {
			return problem.New(problem.Invalid, "study_row", "a run of the study cannot be read").With("table", "runs").Because(err).
				WithHint("export the study again")
		}
		if !app.Over(experiments.RunState(state)) {
			return problem.New(problem.Invalid, "study_run_open", "run %s of the study is %s; a study holds runs that are over", id, state).
				With("run", id).WithHint("export the study again")
		}
		if err := registeredHere(ctx, w, id, setup.Config.Endpoint); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return problem.New(problem.Invalid, "study_row", "the runs of the study cannot be read").With("table", "runs").Because(err).
			WithHint("export the study again")
	}
	return nil
}

// registeredHere refuses a system elsewhere that the owner of this machine has not registered with this address and these headers.
func registeredHere(ctx context.Context, w *app.Workbench, run string, e *remote.Endpoint) error {
	if e == nil {
		return nil
	}
	known, err := w.Store.Endpoint(ctx, e.Name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	if err == nil && known.URL == e.URL && maps.Equal(known.Headers, e.Headers) {
		return nil
	}
	return problem.New(problem.Conflict, "study_endpoint", "run %s asked the system %q, which is not registered here with the same address",
		run, e.Name).
		With("run", run).With("endpoint", e.Name).
		WithHint("register it first with `workbench endpoint add`, or import the study on the server: workbench import STUDY.zip")
}
