package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// Verification is what recomputing a study from its banked replies found.
type Verification struct {
	Version string          `json:"version"` // of the program that wrote the study
	Sealed  bool            `json:"sealed"`  // its rows have seals; one that was written before there were any has none
	Runs    []RunVerified   `json:"runs"`
	Vectors VectorsVerified `json:"vectors"`
	// of a snapshot: its notebook
	Notebook *NotebookVerified `json:"notebook,omitempty"`
	// runs of which nothing was computed again: they are not finished, or their figures do not stand in cells
	NotComputed []StudyRun       `json:"not_computed,omitempty"`
	Replies     int              `json:"replies"`  // calls in the study, with their replies
	Taken       []string         `json:"taken"`    // follows from no reply: names of tables, "dates" and "costs"
	Findings    []doctor.Finding `json:"findings"` // what must not be so in the stored rows
	Equal       bool             `json:"equal"`    // whatever could be recomputed is equal, and nothing was found
	// every score and vector could be recomputed, and nothing rests on what another version made
	Complete bool `json:"complete"`
	// parts that this version makes otherwise than the one that made them: they were not compared, or rest on what was taken as stored
	OtherVersion int    `json:"other_version"`
	Running      string `json:"running"` // the version of the program that looked
}

// RunVerified is one run, recomputed. Of its cells, Recomputed and NotRecomputed have a score or a reason for none; Errors have neither.
type RunVerified struct {
	ID         string   `json:"run_id"`
	Questions  int      `json:"questions"`
	Verified   int      `json:"verified"` // questions of which everything that has a score was computed again, and is equal
	Cells      int      `json:"cells"`
	Recomputed int      `json:"recomputed"` // cells that were computed again from banked replies, and are equal
	Errors     int      `json:"errors"`     // cells that ended in an error: there is no reply to compute them from
	Measured   int      `json:"measured"`   // cells that were measured, such as latency: they cannot be computed
	Missing    []string `json:"missing"`    // "question QUESTION METRIC": not computed again, because the reply is gone
	Different  []string `json:"different"`  // what differs, in words
	Stages     int      `json:"stages"`     // stage outputs that were computed again and compared
	Reports    int      `json:"reports"`    // report files with equal bytes
	Why        string   `json:"why,omitempty"`

	// what differs and was made by another version of the program or of its offline judge, which says nothing
	OtherVersion []NotCompared `json:"other_version"`
	// of a run of another version of the offline judge: that version
	OfflineVersion string `json:"offline_version,omitempty"`
	// of its scores, those that follow from outputs of that judge, which were taken as they are stored
	Kept int `json:"kept"`

	// questions whose hits were taken as they are stored: an approximate search found them, and its graph is not in the study
	Taken int `json:"retrievals_taken,omitempty"`

	taken map[string]bool // outputs of another version of the offline judge, by their keys
}

// VectorsVerified says how many stored vectors follow from the replies of embedding calls.
type VectorsVerified struct {
	Stored     int      `json:"stored"`
	Recomputed int      `json:"recomputed"`
	Missing    int      `json:"missing"`   // their replies are gone
	Different  []string `json:"different"` // "SPACE/DIGEST"
}

// VerifyStudy computes every answer, score, total and report of a study again, cell by cell, from the raw replies in it and nothing else,
// in a scratch database. It buys nothing: a score without a banked reply is a difference, or, where the reply was pruned, missing.
// Measurements of the original run (latency, tokens, cost) are not computed and not compared.
// What another version of the program made is named where it differs, and is neither a difference nor verified; see [makers].
func VerifyStudy(ctx context.Context, path string, by Verifier) (v Verification, err error) {
	return VerifyStudyCalled(ctx, path, path, by)
}

// VerifyStudyCalled is [VerifyStudy] of a file that people know by another name.
func VerifyStudyCalled(ctx context.Context, path, name string, by Verifier) (v Verification, err error) {
	err = opened(ctx, path, name, func(s *Study, truth *store.Store, file string, opened *Verification) error {
		v = *opened
		v.Running = by.Version
		return v.all(ctx, s, truth, file, by)
	})
	return v, err
}

// opened opens a study and hands it over with its rows in a scratch database, with the SQLite file that further ones are copied from, and
// with what was found when the rows were read.
func opened(ctx context.Context, path, name string, do func(s *Study, truth *store.Store, file string, v *Verification) error) (err error) {
	s, err := OpenStudyCalled(path, name)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // it was only read
	dir, err := os.MkdirTemp("", "workbench-verify")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a left-over scratch folder harms nobody
	file, found, sealed, err := s.imported(ctx, dir)
	if err != nil {
		return err
	}
	truth, err := scratch(ctx, file, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, truth.Close()) }()
	return do(s, truth, file, &Verification{Version: s.Manifest.Version, Sealed: sealed, Runs: []RunVerified{},
		Findings: append([]doctor.Finding{}, found...)})
}

// all computes everything again that can be.
func (v *Verification) all(ctx context.Context, s *Study, truth *store.Store, file string, by Verifier) error {
	checked, err := truth.Check(ctx)
	if err != nil {
		return err
	}
	v.Findings = append(v.Findings, checked...)
	v.Findings = append(v.Findings, s.unlisted(ctx, truth)...)
	if v.Vectors, err = verifyVectors(ctx, truth); err != nil {
		return err
	}
	if err := v.taken(s); err != nil {
		return err
	}
	v.Equal, v.Complete = len(v.Findings) == 0 && len(v.Vectors.Different) == 0, v.Vectors.Missing == 0
	for i, run := range s.Manifest.Runs {
		if run.Kind == experiments.KindSweep || run.Kind == experiments.KindValidate || run.State != experiments.Finished {
			v.NotComputed = append(v.NotComputed, run)
			continue
		}
		copyDir := filepath.Join(filepath.Dir(file), strconv.Itoa(i))
		if err := os.Mkdir(copyDir, 0o700); err != nil {
			return err
		}
		one, err := s.verifyRun(ctx, truth, file, copyDir, run.ID, by)
		if err != nil {
			return err
		}
		v.Equal = v.Equal && len(one.Different) == 0
		v.Complete = v.Complete && len(one.Missing) == 0
		v.OtherVersion += len(one.OtherVersion) + one.Kept
		v.Runs = append(v.Runs, one)
		_ = os.RemoveAll(copyDir) // removed with the rest at the latest
	}
	v.Complete = v.Complete && len(v.Runs) > 0 && v.OtherVersion == 0
	if err := v.notebook(ctx, s, truth, by.Notebook); err != nil {
		return err
	}
	if alien := s.notLookedAt(); len(alien) > 0 {
		v.Findings, v.Equal = append(v.Findings, alien...), false
	}
	return nil
}

// beside are the tables whose rows people or processes wrote and no reply gives.
var beside = []string{"reviews", "agreements", "taxonomies", "run_notes", "run_tags", "judge_cards", "baselines", "endpoints"}

// taken counts the rows of every table: what the manifest says of them must be so, and what follows from no reply is named.
func (v *Verification) taken(s *Study) error {
	v.Taken = []string{"dates", "costs"}
	for _, name := range slices.Sorted(maps.Keys(s.Head.Files)) {
		table, ok := strings.CutPrefix(strings.TrimSuffix(name, ".jsonl"), "tables/")
		if !ok {
			continue
		}
		var rows rowsCounted
		if err := s.WriteTo(&rows, name); err != nil {
			return err
		}
		if stated, known := s.Manifest.Rows[table]; known && stated != int(rows) {
			v.Findings = append(v.Findings, doctor.Finding{Invariant: "manifest", Subject: "table " + table,
				Message: fmt.Sprintf("the manifest says %d rows, and there are %d", stated, int(rows))})
		}
		if table == "calls" {
			v.Replies = int(rows)
		}
		if rows > 0 && slices.Contains(beside, table) {
			v.Taken = append(v.Taken, table)
		}
	}
	return nil
}

// rowsCounted counts lines.
type rowsCounted int

// Write counts.
func (n *rowsCounted) Write(b []byte) (int, error) {
	*n += rowsCounted(bytes.Count(b, []byte{'\n'}))
	return len(b), nil
}

// notLookedAt finds files of a study that nothing was computed for: a report that does not belong to a run, or a file that no study has.
func (s *Study) notLookedAt() (found []doctor.Finding) {
	for _, name := range slices.Sorted(maps.Keys(s.Head.Files)) {
		if !s.seen[name] {
			found = append(found, doctor.Finding{Invariant: "file", Subject: name,
				Message: "nothing in the study gives this file: no study has it, or its run gives no report"})
		}
	}
	return found
}

// unlisted finds runs that the manifest and the rows do not agree on: what the manifest leaves out would not be computed again.
func (s *Study) unlisted(ctx context.Context, truth *store.Store) (found []doctor.Finding) {
	runs, err := truth.Runs(ctx, experiments.RunFilter{})
	if err != nil {
		return []doctor.Finding{{Invariant: "manifest", Subject: "the study", Message: "its runs are not readable: " + problem.From(err).
			Message}}
	}
	for _, r := range runs {
		if !slices.Contains(s.Manifest.Runs, StudyRun{ID: r.ID, Kind: r.Kind, State: r.State, Chain: r.Chain}) {
			found = append(found, doctor.Finding{Invariant: "manifest", Subject: "run " + r.ID,
				Message: "the manifest does not list it as it is"})
		}
	}
	if len(found) == 0 && len(runs) != len(s.Manifest.Runs) {
		found = append(found, doctor.Finding{Invariant: "manifest", Subject: "the study",
			Message: fmt.Sprintf("its manifest lists %d runs, and it holds %d", len(s.Manifest.Runs), len(runs))})
	}
	return found
}

// verifyRun recomputes one run in a copy of the study, made in dir from its imported file.
func (s *Study) verifyRun(ctx context.Context, truth *store.Store, file, dir, id string, by Verifier) (out RunVerified, err error) {
	out.ID, out.Different, out.Missing, out.OtherVersion = id, []string{}, []string{}, []NotCompared{}
	db, err := scratch(ctx, file, dir)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	want, err := truth.Results(ctx, id)
	if err != nil {
		out.cannot(err)
		return out, nil
	}
	questions := make([]string, len(want))
	for i, r := range want {
		questions[i] = r.QuestionID
		out.Cells += len(r.Scores)
	}
	out.Questions = len(want)
	run, err := truth.Run(ctx, id)
	if err != nil {
		return out, err
	}
	if err := db.Reopen(ctx, id, questions); err != nil {
		return out, err
	}
	w, err := replaying(ctx, db, providersOf(run.Setup), by.Now)
	if err != nil {
		return out, err
	}
	made := makersOf(s, by, run.Setup)
	if out.OfflineVersion = made.judge; made.judge != "" {
		if err := out.takeStages(ctx, w, truth, run.Setup); err != nil {
			return out, err
		}
	}
	if run.Setup.Config.Retrieve.Approximates() {
		if err := out.takeRetrievals(ctx, w, truth, run.Setup, want); err != nil {
			return out, err
		}
	}
	if err := recount(ctx, w, run.Setup); err != nil {
		out.otherProgram(s, err)
		return out, nil
	}
	if _, err := w.Runner(run.Setup).Work(ctx, id); err != nil {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out.otherProgram(s, err)
		return out, nil
	}
	merged, err := out.compare(ctx, truth, db, run, made, want)
	if err != nil || merged == nil {
		return out, err
	}
	return out, s.compareReports(ctx, w, truth, run, made, merged, &out)
}

// takeRetrievals hands what an approximate search found to what is computed from it. The search itself cannot be repeated: two graphs over
// the same vectors differ in what they miss.
func (o *RunVerified) takeRetrievals(ctx context.Context, w *app.Workbench, truth *store.Store, setup experiments.Setup,
	want []experiments.Result) error {
	dataset, err := w.Store.Dataset(ctx, setup.Dataset.String())
	if err != nil {
		return err
	}
	texts, found := map[string]string{}, map[string]rag.Retrieved{}
	for _, q := range dataset.Questions {
		texts[q.ID] = q.Text
	}
	for _, r := range want {
		var one rag.Retrieved
		switch {
		case r.Answer != nil:
			one.RetrievalKey = r.Answer.RetrievalKey
		case r.Retrieved != nil:
			one.RetrievalKey = r.Retrieved.RetrievalKey
		}
		body, ok, err := truth.Stage(ctx, one.RetrievalKey)
		if err != nil {
			return err
		}
		if ok && json.Unmarshal(body, &one.Retrieval) == nil { // what is not readable differs, and that is told
			found[texts[r.QuestionID]] = one
		}
	}
	o.Taken = len(found)
	w.Indexes.Found = func(question string) (rag.Retrieved, bool) { r, ok := found[question]; return r, ok }
	return nil
}

// cannot says why nothing of a run was recomputed.
func (o *RunVerified) cannot(err error) {
	o.Why = problem.From(err).Message
	o.Different = append(o.Different, "it could not be recomputed: "+o.Why)
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

// compareReports renders the reports of the recomputed run and compares their bytes with those of the study.
func (s *Study) compareReports(ctx context.Context, w *app.Workbench, truth *store.Store, run experiments.Run, made makers,
	merged []experiments.Result, out *RunVerified) error {
	if !reported(run) {
		return nil
	}
	// The times of the run are not results; the report shows those of the original.
	files, err := studyReports(ctx, w, recomputed{w.Whole, truth, run, merged}, run.ID, s.Manifest)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var stored bytes.Buffer
		s.seen[name] = true
		if _, listed := s.Head.Files[name]; !listed {
			out.differs(name, ": it is missing", made.ofReports())
			continue
		}
		if err := s.WriteTo(&stored, name); err != nil {
			return err
		}
		if bytes.Equal(stored.Bytes(), files[name]) {
			out.Reports++
		} else {
			out.differs(name, "", made.ofReports())
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
	merged   []experiments.Result
}

// Results returns what was recomputed of the run, and what was stored of others.
func (o recomputed) Results(ctx context.Context, id string) ([]experiments.Result, error) {
	if id == o.original.ID {
		return slices.Clone(o.merged), nil
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
		run.CreatedAt, run.StartedAt, run.FinishedAt, run.Budget = o.original.CreatedAt, o.original.StartedAt, o.original.FinishedAt,
			o.original.Budget
		totals := experiments.Total(o.merged, run.Setup.LowRule())
		run.Totals, run.Chain = &totals, experiments.ChainLike(o.original.Chain, o.merged)
	}
	return run, err
}

// replaying is a workbench on a scratch store whose providers answer from its ledger alone.
func replaying(ctx context.Context, db *store.Store, providers []string, now func() time.Time) (*app.Workbench, error) {
	secret, err := db.InstallSecret(ctx)
	if err != nil {
		return nil, err
	}
	replay := replayStore{db}
	config := app.Config{Providers: map[string]app.ProviderConfig{}}
	for _, name := range providers {
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
		config.Providers[name] = app.Replayed(origin)
	}
	w := &app.Workbench{
		Store: replay, Config: config, Whole: db, Engine: store.SQLite, Owner: app.OwnerName(), Indexes: rag.NewIndexes(1),
		Options:    app.Options{Now: now, Concurrency: runtime.GOMAXPROCS(0), Getenv: func(string) string { return "replay" }},
		CloseStore: func() error { return nil },
	}
	w.Providers = &app.Providers{
		Config: config, Getenv: w.Options.Getenv, Store: replay, Secret: secret, Owner: w.Owner, Now: now, Open: map[string]llm.Provider{},
	}
	return w, nil
}

// recount reads the judge's verdicts on single claims out of the banked replies again: a run does not ask for those that an
// earlier one had brought.
func recount(ctx context.Context, w *app.Workbench, setup experiments.Setup) error {
	suite, err := metrics.NewSuite(setup.Suite, setup.Judge, w.Providers, w.Whole)
	if err != nil {
		return err
	}
	dataset, err := w.Store.Dataset(ctx, setup.Dataset.String())
	if err != nil {
		return err
	}
	calls, err := w.Whole.CallsFor(ctx, metrics.PurposeVerify)
	if err != nil {
		return err
	}
	for _, c := range calls {
		i := slices.IndexFunc(dataset.Questions, func(q experiments.Question) bool { return q.ID == c.QuestionID })
		if i < 0 || len(c.Request) == 0 { // of no question of this run, or pruned: what rests on it is missing
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

// Begin refuses. It fails what needs the reply, and nothing else.
func (replayStore) Begin(_ context.Context, c llm.Call) error {
	return &llm.Error{
		Cause:   causeNotBanked,
		Message: fmt.Sprintf("the study holds no reply to the %s request of question %s to model %s", c.Purpose, c.QuestionID, c.Model),
	}
}

// causeNotBanked is the cause of what cannot be recomputed because a reply is not in the study.
const causeNotBanked = "not_banked"
