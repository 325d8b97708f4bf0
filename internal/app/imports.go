package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// ResultsOptions say how results of another tool are taken over. Zero fields take the usual way.
type ResultsOptions struct {
	foreign.ForeignOptions
	Name string // of the log and its experiment; "" takes the file's
	// whose questions were asked. Where there is none of the name, or "", one with the same questions is found, else one is made of the
	// file and called so, or Name
	Dataset string
	Corpus  string // where the contexts are looked for
	Model   string // provider/model that judges beside the tool; "" is the offline judge
	Suite   string // our metrics beside the tool's; "" is none, unless a Model is asked for or the file holds no scores: then standard
	// what low means in the tool's scores, such as faithfulness<=0.5; nil is what was said before, [experiments.LowNone] nothing
	Low []string
}

// ImportedResults says what an import of results stored.
type ImportedResults struct {
	Tool       string                  `json:"tool"`
	Log        experiments.Ref         `json:"log"`
	Created    bool                    `json:"created"` // false: the newest version of the log holds the same already
	Dataset    experiments.Ref         `json:"dataset"`
	NewDataset bool                    `json:"new_dataset"` // a version that was not there
	Answers    int                     `json:"answers"`
	Missing    []string                `json:"missing"` // questions of the dataset without an answer
	Metrics    []foreign.ForeignMetric `json:"metrics"`
	Notes      []string                `json:"notes"`
	NotesJA    []string                `json:"notes_ja" doc:"notes, in Japanese where it is known"`
	Unread     []string                `json:"unread,omitempty" doc:"columns of numbers of the file that were not read as scores"`
	Experiment string                  `json:"experiment"`
	Revision   int                     `json:"revision"`
	// what the run calls low in the terms of the file's scores; absent where nobody said it
	Low []experiments.LowLine `json:"low,omitempty"`
	// nobody said which of these scores are low, and no judge of ours says it
	LowUntold bool `json:"low_untold,omitempty"`
	// low-score answers of a run that is finished, of so many that are rated
	LowCount int `json:"low_score_count"`
	Rated    int `json:"low_rated,omitempty"`
	// the run that holds the scores, those of the simple checker where no metrics were read; "" where a model would have to be paid first
	RunID string `json:"run_id,omitempty"`
}

// ImportResults takes over what another tool exported: its questions as a dataset, its answers and contexts as a log, its scores as
// metrics under the tool's name, and an experiment that replays them. The scores of others stay as they are, and are all there is unless
// a suite or a model of ours is asked for. Where nothing has to be bought a run is made at once; else `workbench run` makes it.
// Importing a file again changes nothing, and nothing is stored when anything is wrong.
func (w *Workbench) ImportResults(ctx context.Context, path string, o ResultsOptions) (ImportedResults, error) {
	name := nameOr(o.Name, path)
	if err := experiments.ValidName("imported results", name); err != nil {
		return ImportedResults{}, err
	}
	results, err := foreign.ReadForeign(path, o.ForeignOptions)
	if err != nil {
		return ImportedResults{}, err
	}
	out, err := w.KeepResults(ctx, results, name, o)
	if err != nil {
		return out, err
	}
	if out.RunID, err = w.RunOfResults(ctx, out.Experiment); err == nil && len(out.Low) > 0 && out.RunID != "" {
		err = w.countLow(ctx, &out)
	}
	return out, err
}

// countLow tells how many answers of a finished import are low. A definition by which all of them are, or none, may be a mistake.
func (w *Workbench) countLow(ctx context.Context, out *ImportedResults) error {
	e, err := w.Evaluation(ctx, out.RunID)
	if err != nil || e.Run.Totals == nil || e.Run.Totals.Low == nil {
		return err
	}
	out.LowCount, out.Rated = e.Run.Totals.LowScoreCount, e.Run.Totals.Low.Rated
	switch {
	case out.Rated == 0:
		out.note("no answer has a score by which it could be low")
	case out.LowCount == out.Rated:
		out.note("every answer is low by what --low says: check its score")
	case out.LowCount == 0:
		out.note("no answer is low by what --low says: check its score")
	}
	return nil
}

// note tells something more of an import.
func (r *ImportedResults) note(english string) {
	ja, _ := problem.Japanese(english)
	r.Notes, r.NotesJA = append(r.Notes, english), append(r.NotesJA, ja)
}

// KeepResults stores what was read of a tool's file, with the experiment that replays it. Nothing is stored when anything is wrong.
func (w *Workbench) KeepResults(ctx context.Context, results *foreign.Foreign, name string, o ResultsOptions) (ImportedResults, error) {
	out := ImportedResults{Tool: results.Tool, Metrics: NonNil(results.Metrics), Notes: NonNil(results.Notes),
		Unread: results.Unread}
	dataset, err := datasetOf(ctx, w, results, name, o.Dataset)
	if err != nil {
		return out, err
	}
	if asked, _, _ := strings.Cut(o.Dataset, "@"); asked != "" && dataset.Version > 0 && dataset.Name != asked {
		out.Notes = append(out.Notes, fmt.Sprintf("the questions are those of the dataset %s, so no dataset %s was made", dataset.Ref(), o.Dataset))
	}
	if dataset.Version > 0 {
		out.Notes = append(out.Notes, groupsLeft(results, dataset)...)
	}
	definition, err := replayOf(ctx, w, name, AnswersOptions{Dataset: dataset.Name, Corpus: o.Corpus, Model: o.Model})
	if err != nil {
		return out, err
	}
	suite := o.Suite
	if suite == "" && o.Model == "" && len(results.Metrics) > 0 {
		suite = metrics.GroupOperations // no judge of ours is put beside another tool's scores unasked
	}
	if suite != "" {
		definition.Suite = []string{suite}
		if err := definition.Validate(); err != nil {
			return out, err
		}
	}
	log, _, err := results.Log(name, dataset)
	if err != nil { // before anything is stored
		return out, err
	}
	if out.LowUntold, err = lowOf(&definition, results.Metrics, log, o.Low); err != nil {
		return out, err
	}
	out.Low = definition.Low
	if n := log.MostVotes(); n > 1 && paysFor(definition.Judge) {
		out.Notes = append(out.Notes, fmt.Sprintf("workbench run %s scores the first votes; the others are scored by: "+
			"workbench runs replicate RUN -n %d", name, n-1))
	}
	out.NotesJA = make([]string, len(out.Notes))
	said := results.InJapanese()
	for i, n := range out.Notes {
		if out.NotesJA[i] = said[n]; out.NotesJA[i] == "" {
			out.NotesJA[i], _ = problem.Japanese(n)
		}
	}
	return out, putResults(ctx, w, results, dataset, definition, &out)
}

// lowOf settles what low means in the scores of a file: what is said now, else what an earlier import of the name said. Where a judge of
// ours scores correctness or trust, these say it; untold is where nothing does.
func lowOf(d *experiments.Definition, found []foreign.ForeignMetric, log *rag.Log, said []string) (untold bool, err error) {
	suite, err := d.Specs()
	if err != nil {
		return false, err
	}
	suite = append(suite, metrics.Imported(log.Answers)...)
	judged := slices.ContainsFunc(suite, func(s metrics.Spec) bool { return s.ID == "correctness" || s.ID == "trust" })
	switch {
	case len(said) == 1 && strings.EqualFold(strings.TrimSpace(said[0]), experiments.LowNone):
		d.Low = nil
	case len(said) > 0:
		called := map[string]string{}
		for _, m := range found {
			called[m.ID] = m.Source
		}
		d.Low, err = experiments.ReadLow(said, suite, called)
		return false, err
	case judged:
		d.Low = nil
	}
	return len(d.Low) == 0 && len(found) > 0 && !judged, experiments.CheckLow(d.Low, suite)
}

// groupsLeft says that a file marks or groups questions in another way than the registered dataset, whose marks count.
func groupsLeft(results *foreign.Foreign, dataset *experiments.Dataset) []string {
	known := map[string]experiments.Question{}
	for _, q := range dataset.Questions {
		known[text.Fold(q.Text)] = q
	}
	differing := 0
	for _, q := range results.Questions() {
		has := known[text.Fold(q.Text)]
		if q.Critical && !has.Critical || slices.ContainsFunc(q.Tags, func(tag string) bool { return !slices.Contains(has.Tags, tag) }) {
			differing++
		}
	}
	if differing == 0 {
		return nil
	}
	return []string{fmt.Sprintf("of %s the file marks as critical, or names a theme or tag, what the dataset %s does not; the dataset counts: "+
		"to take them over, import the questions as its next version: workbench dataset import FILE --name %s",
		intake.Plural(differing, "question"), dataset.Ref(), dataset.Name)}
}

// putResults stores dataset, log and experiment.
func putResults(ctx context.Context, w *Workbench, results *foreign.Foreign, dataset *experiments.Dataset, d experiments.Definition,
	out *ImportedResults) error {
	now := w.Options.Now()
	var err error
	if dataset.Version == 0 {
		if out.Dataset, out.NewDataset, err = w.Store.PutDataset(ctx, dataset, now); err != nil {
			return err
		}
		if dataset, err = w.Store.Dataset(ctx, out.Dataset.String()); err != nil {
			return err
		}
	}
	out.Dataset = experiments.Ref{Name: dataset.Name, Version: dataset.Version, Digest: dataset.Digest}
	log, missing, err := results.Log(d.Name, dataset)
	if err != nil {
		return err
	}
	out.Answers, out.Missing = len(log.Answers), NonNil(missing)
	if out.Log, out.Created, err = w.Store.PutLog(ctx, log, now); err != nil {
		return err
	}
	e, err := w.Store.PutExperiment(ctx, d, now)
	out.Experiment, out.Revision = e.Name, e.Revision
	return err
}

// datasetOf is the dataset whose questions the results answer: the named one, one that holds the same questions, or a new one, which
// has no version yet.
func datasetOf(ctx context.Context, w *Workbench, results *foreign.Foreign, name, wanted string) (*experiments.Dataset, error) {
	if wanted != "" {
		known, err := w.Store.Dataset(ctx, wanted)
		if err == nil || !problem.Is(err, problem.NotFound) {
			return known, err
		}
		if err := experiments.ValidName("a dataset", wanted); err != nil {
			return nil, err
		}
	}
	questions := results.Questions()
	same, err := sameDataset(ctx, w, questions)
	if err != nil || same != nil {
		return same, err
	}
	return experiments.NewDataset(cmp.Or(wanted, name), questions), nil
}

// sameDataset is a registered dataset that holds the same questions: with their ids, or else by their wording. nil where there is none.
func sameDataset(ctx context.Context, w *Workbench, questions []experiments.Question) (*experiments.Dataset, error) {
	listed, err := w.Store.Datasets(ctx)
	if err != nil {
		return nil, err
	}
	slices.Reverse(listed) // of one name the newest version first
	var worded *experiments.Dataset
	seen := map[string]bool{}
	for _, l := range listed {
		newest := !seen[l.Name]
		seen[l.Name] = true
		if l.Items != len(questions) {
			continue
		}
		known, err := w.Store.Dataset(ctx, l.String())
		if err != nil {
			return nil, err
		}
		if asksTheSame(known.Questions, questions) {
			return known, nil
		}
		if worded == nil && newest && foreign.SameWordings(known.Questions, questions) {
			worded = known
		}
	}
	return worded, nil
}

// asksTheSame reports whether two lists hold the same questions with the same right answers, in any order.
func asksTheSame(a, b []experiments.Question) bool {
	type asked struct{ id, text, reference string }
	count := map[asked]int{}
	for _, q := range a {
		count[asked{q.ID, q.Text, q.Reference}]++
	}
	for _, q := range b {
		count[asked{q.ID, q.Text, q.Reference}]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// RunOfResults works the experiment's run and returns its id: of an equal one where that is there, "" where a model would have to be
// paid.
func (w *Workbench) RunOfResults(ctx context.Context, name string) (string, error) {
	job, known, err := w.JobOfResults(ctx, name)
	if err != nil || job == nil && known == "" {
		return "", err
	}
	if known != "" {
		run, err := w.Store.Run(ctx, known)
		if err == nil {
			err = w.workVotes(ctx, run) // that were broken off
		}
		return known, err
	}
	run, err := w.Run(ctx, *job)
	return run.ID, err
}

// JobOfResults freezes the experiment's run, or finds the finished one that is equal. Both are zero where a model would have to be paid.
func (w *Workbench) JobOfResults(ctx context.Context, name string) (*Job, string, error) {
	e, err := w.Store.Experiment(ctx, name)
	if err != nil {
		return nil, "", err
	}
	if paysFor(e.Definition.Judge) {
		return nil, "", nil
	}
	job, err := w.Job(ctx, e, Select{})
	if err != nil {
		return nil, "", err
	}
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Experiment: name, Kind: experiments.KindEvaluate, State: experiments.Finished})
	if err != nil {
		return nil, "", err
	}
	for _, r := range runs {
		if r.SetupDigest == job.Setup.Digest() && r.ParentID == "" {
			return nil, r.ID, nil
		}
	}
	return &job, "", nil
}

// ToolsOf are the other tools whose scores are all that runs of an experiment will say of its answers, whatever judge stands in its
// definition: nothing is asked of one. nil where a judge or a metric of ours scores.
func (w *Workbench) ToolsOf(ctx context.Context, d experiments.Definition) ([]string, error) {
	if d.Answers == "" {
		return nil, nil
	}
	suite, err := d.Specs()
	if err != nil || slices.ContainsFunc(suite, func(s metrics.Spec) bool { return s.Group != metrics.GroupOperations }) {
		return nil, err // before the log is read, which may be long
	}
	log, err := w.Store.Log(ctx, d.Answers)
	if err != nil {
		return nil, err
	}
	return metrics.OnlyTools(append(suite, metrics.Imported(log.Answers)...)), nil
}

// replayed is the log that a configuration replays; an empty one for another system.
func replayed(ctx context.Context, w *Workbench, c rag.Config) (*rag.Log, error) {
	if c.Log == nil {
		return &rag.Log{}, nil
	}
	return w.Store.Log(ctx, c.Log.String())
}

// workVotes makes the further votes that the log of a finished run holds, as its replicates: every later view then shows their means, and
// knows the noise. Where a model has to be paid nothing is made: that is for people to ask for.
func (w *Workbench) workVotes(ctx context.Context, run experiments.Run) error {
	if run.Kind != experiments.KindEvaluate || run.ParentID != "" || run.State != experiments.Finished || run.Setup.Config.Log == nil ||
		paysFor(run.Setup.Judge) {
		return nil
	}
	log, err := replayed(ctx, w, run.Setup.Config)
	if err != nil || log.MostVotes() < 2 {
		return err
	}
	children, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: run.ID, Kind: run.Kind})
	if err != nil {
		return err
	}
	made := map[int]bool{0: true}
	for _, c := range children {
		made[c.Setup.Replicate] = true
		if c.State == experiments.Queued || c.State == experiments.Paused {
			if _, err := w.Work(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	asked := map[string]bool{}
	results, err := w.Store.Results(ctx, run.ID)
	if err != nil {
		return err
	}
	for _, r := range results {
		asked[r.QuestionID] = true
	}
	for n := 1; n < log.MostVotes(); n++ {
		questions := slices.DeleteFunc(log.AskedMore(n), func(id string) bool { return !asked[id] })
		if made[n] || len(questions) == 0 {
			continue
		}
		if _, err := w.Replicates(ctx, run.ID, 1, questions...); err != nil {
			return err
		}
	}
	return nil
}

// paysFor reports whether a judge, or its embedding, is no offline one.
func paysFor(judge metrics.JudgeConfig) bool {
	return judge.Provider != "offline" || judge.Embedding.Provider != "offline"
}
