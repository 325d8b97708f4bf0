package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/demo"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// RecordedStory is what the demo found in one language where a large language model wrote and judged the answers, by its recorded
// replies: the founding paper's change on some of the questions, why its answers are low, and one repair.
type RecordedStory struct {
	Lang       string
	Before     experiments.Run
	After      experiments.Run
	Comparison compare.Comparison
	Both       [2]experiments.Evaluation
	Causes     causes.CauseReport // of After
	Change     causes.Recommendation
	Repaired   experiments.Run
	Repair     compare.Comparison // of After with Repaired
	Mended     [2]experiments.Evaluation
}

// The votes that verify what the change, and then the repair, made better and worse are bounded as a user's are.
var (
	votesOfChange = votes.VerifyRules{Votes: 80, Alone: true}
	votesOfRepair = votes.VerifyRules{Votes: 40, Alone: true}
)

// recordedQuestions is how many questions of a language the recorded story asks: the first by digest.
const recordedQuestions = 40

const demoRecorded = `# %[2]s, by recorded replies of a large language model. Other settings ask what was not
# recorded: connect a model (workbench config --help), or record replies (workbench record --help).
name: %[3]s
corpus: airline-%[1]s
dataset: airline-%[1]s-%[5]d
judge: {provider: recorded, model: llm}
suite: [correctness, trust, retrieval]
base:
  %[4]s
  generate: {provider: recorded, model: llm}
`

// recordedFiles are the experiment files of the recorded story.
func recordedFiles(lang string) map[string][]byte {
	before, after, _ := app.DemoStory(lang)
	return map[string][]byte{
		"recorded-first.yaml": fmt.Appendf(nil, demoRecorded, lang, "The configuration before the change", before,
			"chunk: {by: chars, size: 1000, overlap: 0}\n  embedding: {provider: offline, model: hash}\n  retrieve: {mode: dense, k: 3}",
			recordedQuestions),
		"recorded-second.yaml": fmt.Appendf(nil, demoRecorded, lang, "The configuration after the change", after,
			"chunk: {by: chars, size: 800, overlap: 200}\n  embedding: {provider: offline, model: ngram}\n  retrieve: {mode: dense, k: 4}",
			recordedQuestions),
	}
}

// Recorded evaluates the recorded story of one language over what [Demo] has imported. Where replies are missing the error is one of
// [llm.CauseNotRecorded], and the requests wait in the recording.
func Recorded(ctx context.Context, w *app.Workbench, lang, dir string) (s RecordedStory, err error) {
	s.Lang = lang
	if err := chooseQuestions(ctx, w, lang, dir); err != nil {
		return s, err
	}
	for file, content := range recordedFiles(lang) {
		if err := writeDemo(dir, "", file, content); err != nil {
			return s, err
		}
	}
	before, errBefore := recordedRun(ctx, w, filepath.Join(dir, "recorded-first.yaml"))
	after, errAfter := recordedRun(ctx, w, filepath.Join(dir, "recorded-second.yaml"))
	if err := errors.Join(errBefore, errAfter); err != nil {
		return s, err
	}
	s.Before, s.After = before, after
	if _, err := analyses.Diagnose(ctx, w, after.ID, analyses.DiagnoseRules{Method: causes.Tested}); err != nil {
		return s, err
	}
	if s.Causes, err = analyses.CauseReport(ctx, w, after.ID, causes.Tested); err != nil {
		return s, err
	}
	repair, err := analyses.RepairNamed(ctx, w, after.ID, "")
	if err != nil {
		return s, err
	}
	s.Change = repair.Change
	_, _, repair.Definition.Name = app.DemoStory(lang)
	e, err := w.Store.PutExperiment(ctx, repair.Definition, w.Options.Now())
	if err != nil {
		return s, err
	}
	job, err := analyses.RepairJob(ctx, w, e, repair.Before, app.Select{})
	if err != nil {
		return s, err
	}
	if s.Repaired, err = w.Run(ctx, job); err != nil {
		return s, err
	}
	_, errChange := votes.VerifyComparison(ctx, w, before.ID, after.ID, votesOfChange, nil)
	_, errRepair := votes.VerifyComparison(ctx, w, after.ID, s.Repaired.ID, votesOfRepair, nil)
	if err := errors.Join(errChange, errRepair); err != nil {
		return s, err
	}
	if s.Comparison, s.Both, err = w.Compare(ctx, before.ID, after.ID); err != nil {
		return s, err
	}
	s.Repair, s.Mended, err = w.Compare(ctx, after.ID, s.Repaired.ID)
	return s, err
}

// Lay puts the recorded replies of the story into the recording of the data directory.
func Lay(w *app.Workbench) error {
	recording, err := llm.OpenRecording(app.RecordingFolder(w.Options))
	if err != nil {
		return err
	}
	replies, err := demo.Files.Open("recorded/replies.jsonl")
	if err != nil {
		return err
	}
	defer func() { _ = replies.Close() }()
	if err := recording.Lay(replies); err != nil {
		return err
	}
	w.PlayRecording()
	return nil
}

func recordedRun(ctx context.Context, w *app.Workbench, file string) (experiments.Run, error) {
	e, _, err := w.Experiment(ctx, file)
	if err != nil {
		return experiments.Run{}, err
	}
	job, err := w.Job(ctx, e, app.Select{})
	if err != nil {
		return experiments.Run{}, err
	}
	return w.Run(ctx, job)
}

// chooseQuestions makes a dataset of the first questions by digest, in the order of the whole, so that what is agreed on the whole is not
// held against them. They were chosen before anything was asked.
func chooseQuestions(ctx context.Context, w *app.Workbench, lang, dir string) error {
	whole, err := os.ReadFile(filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return problem.New(problem.Invalid, "demo_files", "cannot read the demo's questions below %s", dir).Because(err).
			WithHint("run `workbench demo` again")
	}
	digest := map[string]string{}
	lines := slices.Collect(bytes.Lines(whole))
	for _, line := range lines {
		var q struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return problem.New(problem.Invalid, "demo_files", "a line of the demo's questions below %s is not JSON", dir).Because(err)
		}
		sum := sha256.Sum256([]byte("recorded story " + q.ID))
		digest[string(line)] = string(sum[:])
	}
	byDigest := slices.Sorted(maps.Values(digest))
	last := byDigest[min(recordedQuestions, len(byDigest))-1]
	lines = slices.DeleteFunc(lines, func(line []byte) bool { return digest[string(line)] > last })
	if err := writeDemo(dir, "", "recorded-questions.jsonl", bytes.Join(lines, nil)); err != nil {
		return err
	}
	name := fmt.Sprintf("airline-%s-%d", lang, recordedQuestions)
	_, _, err = w.ImportDataset(ctx, filepath.Join(dir, "recorded-questions.jsonl"), name, "airline-"+lang, nil)
	return err
}
