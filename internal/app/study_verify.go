package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store"
)

// Verification is what recomputing a study from its banked replies found.
type Verification struct {
	Version  string          `json:"version"` // of the program that wrote the study
	Runs     []RunVerified   `json:"runs"`
	Findings []store.Finding `json:"findings"` // broken invariants of the stored rows
	Equal    bool            `json:"equal"`    // everything that could be recomputed is equal, and no invariant is broken
}

// RunVerified is one run, recomputed.
type RunVerified struct {
	ID         string   `json:"run_id"`
	Questions  int      `json:"questions"`
	Recomputed int      `json:"recomputed"` // questions answered and scored again from banked replies
	Errors     int      `json:"errors"`     // questions that ended in an error: there is no reply to recompute them from
	Scores     int      `json:"scores"`     // cells that were compared
	Different  []string `json:"different"`  // what differs, in words
	Reports    int      `json:"reports"`    // report files with equal bytes
	Why        string   `json:"why,omitempty"`
}

// VerifyStudy computes every answer, score, total and report of a study again, from the raw replies in it and nothing else, in a
// scratch database. It buys nothing: a request without a banked reply is a difference. Measurements of the original run (latency,
// tokens, cost) are not computed and not compared.
func VerifyStudy(ctx context.Context, path string, now func() time.Time) (v Verification, err error) {
	s, err := openStudy(path)
	if err != nil {
		return v, err
	}
	defer func() { _ = s.zip.Close() }() // it was only read
	dir, err := os.MkdirTemp("", "workbench-verify")
	if err != nil {
		return v, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a left-over scratch folder harms nobody
	truth, err := s.scratch(ctx, dir)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, truth.Close()) }()
	v.Version = s.manifest.Version
	if v.Findings, err = truth.Check(ctx); err != nil {
		return v, err
	}
	v.Equal = len(v.Findings) == 0
	for i, run := range s.manifest.Runs {
		if run.Kind == experiments.KindSweep || run.Kind == experiments.KindValidate || run.State != experiments.Finished {
			continue
		}
		copyDir := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(copyDir, 0o700); err != nil {
			return v, err
		}
		one, err := s.verifyRun(ctx, truth, copyDir, run.ID, now)
		if err != nil {
			return v, err
		}
		v.Equal = v.Equal && len(one.Different) == 0
		v.Runs = append(v.Runs, one)
		_ = os.RemoveAll(copyDir) // removed with the rest at the latest
	}
	return v, nil
}

// verifyRun recomputes one run in a copy of the study.
func (s *study) verifyRun(ctx context.Context, truth *store.Store, dir, id string, now func() time.Time) (out RunVerified, err error) {
	out.ID, out.Different = id, []string{}
	db, err := s.scratch(ctx, dir)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	want, err := truth.Results(ctx, id)
	if err != nil {
		return out, err
	}
	whole := recomputable(want)
	out.Questions, out.Recomputed, out.Errors = len(want), len(whole), len(want)-len(whole)
	run, err := truth.Run(ctx, id)
	if err != nil {
		return out, err
	}
	if err := db.Reopen(ctx, id, whole); err != nil {
		return out, err
	}
	w, err := replaying(ctx, db, run.Setup, now)
	if err != nil {
		return out, err
	}
	if err := w.recount(ctx, run.Setup); err != nil {
		return out, err
	}
	if _, err := w.runner(run.Setup).Work(ctx, id); err != nil {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out.Why = problem.From(err).Message
		out.Different = append(out.Different, "it could not be recomputed: "+out.Why)
		return out, nil
	}
	if err := out.compare(ctx, db, run, want); err != nil {
		return out, err
	}
	return out, s.compareReports(ctx, w, truth, run, &out)
}

// recomputable are the questions whose cells all have a score, or a reason for none.
func recomputable(results []experiments.Result) []string {
	var ids []string
	for _, r := range results {
		bad := slices.ContainsFunc(r.Scores, func(s metrics.Score) bool { return s.State == metrics.Errored || s.State == metrics.Pending })
		if !bad {
			ids = append(ids, r.QuestionID)
		}
	}
	return ids
}

// compare sets the recomputed results beside the stored ones.
func (o *RunVerified) compare(ctx context.Context, db *store.Store, run experiments.Run, want []experiments.Result) error {
	got, err := db.Results(ctx, run.ID)
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		o.Different = append(o.Different, fmt.Sprintf("%d results instead of %d", len(got), len(want)))
		return nil
	}
	for i := range want {
		o.Scores += len(want[i].Scores)
		a, b := computed(want[i], run.Setup.Suite), computed(got[i], run.Setup.Suite)
		if !bytes.Equal(a, b) {
			o.Different = append(o.Different, "question "+want[i].QuestionID)
		}
	}
	if len(measured(run.Setup.Suite)) > 0 {
		return nil // the chain covers what was measured
	}
	again, err := db.Run(ctx, run.ID)
	if err != nil {
		return err
	}
	if again.Chain != run.Chain {
		o.Different = append(o.Different, "the chain")
	}
	if !reflect.DeepEqual(again.Totals, run.Totals) {
		o.Different = append(o.Different, "the totals")
	}
	return nil
}

// measured are the metrics whose values were measured, not computed.
func measured(suite []metrics.Spec) map[string]bool {
	out := map[string]bool{}
	for _, s := range suite {
		if s.Group == "operations" {
			out[s.ID] = true
		}
	}
	return out
}

// computed is the JSON of a result without what was measured.
func computed(r experiments.Result, suite []metrics.Spec) []byte {
	skip := measured(suite)
	r.Scores = slices.DeleteFunc(slices.Clone(r.Scores), func(s metrics.Score) bool { return skip[s.Metric] })
	body, err := json.Marshal(r)
	if err != nil {
		panic("result is not JSON: " + err.Error()) // only a NaN could do that, and no metric yields one
	}
	return body
}

// compareReports renders the reports of the recomputed run and compares their bytes with those of the study.
func (s *study) compareReports(ctx context.Context, w *Workbench, truth *store.Store, run experiments.Run, out *RunVerified) error {
	if !reported(run) || len(measured(run.Setup.Suite)) > 0 {
		return nil
	}
	// The times of the run are not results; the report shows those of the original.
	files, err := w.studyReports(ctx, recomputed{w.whole, truth, run}, run.ID, s.manifest)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		stored, err := fs.ReadFile(s.zip, name)
		if err != nil {
			return err
		}
		if bytes.Equal(stored, files[name]) {
			out.Reports++
		} else {
			out.Different = append(out.Different, name)
		}
	}
	return nil
}

// recomputed is a store whose one run was recomputed: that run has its original times and budget, and other runs, such as its
// children, their original results.
type recomputed struct {
	experiments.Store
	truth    experiments.Store
	original experiments.Run
}

// Results returns what was recomputed of the run, and what was stored of others.
func (o recomputed) Results(ctx context.Context, id string) ([]experiments.Result, error) {
	if id == o.original.ID {
		return o.Store.Results(ctx, id)
	}
	return o.truth.Results(ctx, id)
}

// Stage returns an output that was computed again, or one that is not the run's own: of its analyses, whose runs are recomputed by
// themselves.
func (o recomputed) Stage(ctx context.Context, key string) ([]byte, bool, error) {
	body, found, err := o.Store.Stage(ctx, key)
	if err != nil || found {
		return body, found, err
	}
	return o.truth.Stage(ctx, key)
}

// Run returns the run with the original's times.
func (o recomputed) Run(ctx context.Context, id string) (experiments.Run, error) {
	run, err := o.Store.Run(ctx, id)
	if run.ID == o.original.ID {
		run.CreatedAt, run.StartedAt, run.FinishedAt, run.Budget = o.original.CreatedAt, o.original.StartedAt, o.original.FinishedAt, o.original.Budget
	}
	return run, err
}

// replaying is a workbench on a scratch store whose providers answer from its ledger alone.
func replaying(ctx context.Context, db *store.Store, setup experiments.Setup, now func() time.Time) (*Workbench, error) {
	secret, err := db.InstallSecret(ctx)
	if err != nil {
		return nil, err
	}
	replay := replayStore{db}
	config := Config{Providers: map[string]ProviderConfig{}}
	for _, name := range append(setup.Config.ProviderNames(), setup.Judge.Provider, setup.Judge.Embedding.Provider) {
		if name == "offline" || name == "" {
			continue
		}
		origin, err := db.OriginOf(ctx, name)
		if problem.Is(err, problem.NotFound) {
			origin, err = "http://never-called.invalid", nil // named in the setup, and never asked
		}
		if err != nil {
			return nil, err
		}
		config.Providers[name] = ProviderConfig{BaseURL: origin, APIKeyEnv: "replay"}
	}
	w := &Workbench{
		Store: replay, Config: config, whole: db, engine: store.SQLite, owner: ownerName(), indexes: rag.NewIndexes(1),
		options: Options{Now: now, Concurrency: runtime.GOMAXPROCS(0), Getenv: func(string) string { return "replay" }},
		close:   func() error { return nil },
	}
	w.providers = &providers{
		config: config, getenv: w.options.Getenv, store: replay, secret: secret, owner: w.owner, now: now, open: map[string]llm.Provider{},
	}
	return w, nil
}

// recount reads the judge's verdicts on single claims out of the banked replies again: a run does not ask for those that an
// earlier one had brought.
func (w *Workbench) recount(ctx context.Context, setup experiments.Setup) error {
	suite, err := metrics.NewSuite(setup.Suite, setup.Judge, w.providers, w.whole)
	if err != nil {
		return err
	}
	dataset, err := w.Store.Dataset(ctx, setup.Dataset.String())
	if err != nil {
		return err
	}
	calls, err := w.whole.CallsFor(ctx, metrics.PurposeVerify)
	if err != nil {
		return err
	}
	for _, c := range calls {
		i := slices.IndexFunc(dataset.Questions, func(q experiments.Question) bool { return q.ID == c.QuestionID })
		if i < 0 {
			continue
		}
		if err := suite.Recount(ctx, c, dataset.Questions[i].Lang); err != nil {
			return err
		}
	}
	return nil
}

// replayStore refuses to book calls, so that nothing can be sent.
type replayStore struct{ *store.Store }

// Begin refuses.
func (replayStore) Begin(_ context.Context, c llm.Call) error {
	return problem.New(problem.Conflict, "not_banked", "the study holds no reply to the %s request of question %s to model %s", c.Purpose, c.QuestionID, c.Model).
		With("purpose", c.Purpose).With("question", c.QuestionID).With("model", c.Model)
}
