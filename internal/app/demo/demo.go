package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/rag-workbench/workbench/demo"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/readers"
)

// DemoStory is what the demo found in one language.
type DemoStory struct {
	Lang       string
	Pages      int
	Questions  int
	Sweep      []experiments.Run // chunk size × overlap × k × embedder
	Winner     experiments.Run
	Standing   experiments.Rationale     // how it is told from the others
	Comparison compare.Comparison        // the founding paper's change: 1000/0/k3/hash → 800/200/k4/ngram
	Both       [2]experiments.Evaluation // its two runs
	Corpora    []experiments.Run         // the candidate over the whole, the smaller and the stale help centre
	Stale      StaleDifference           // how far the stale help centre is from the whole one
	Writers    []experiments.Run         // the candidate with each offline generator
	Causes     causes.CauseReport        // why the candidate's answers are low
	Recorded   RecordedStory             // the same change by a large language model
}

// StaleDifference says how far outdated documents are from the current ones, since as many low scores do not say that they do no harm.
type StaleDifference struct {
	Pages   int // that differ
	Answers int // of the same configuration, whose text differs
}

// The founding paper's change, in parameters of the sweep.
var (
	baseline  = map[string]string{"chunk.size": "1000", "chunk.overlap": "0", "retrieve.k": "3", "embedding.model": "hash"}
	candidate = map[string]string{"chunk.size": "800", "chunk.overlap": "200", "retrieve.k": "4", "embedding.model": "ngram"}
)

const demoExperiment = `# The founding paper's change, and everything between its two ends.
name: airline-%[1]s
corpus: airline-%[1]s
dataset: airline-%[1]s
suite: [correctness, trust, retrieval]   # weekly.yaml has none, so that it scores every standard metric
base:                                  # the configuration before the change
  chunk: {by: chars, size: 1000, overlap: 0}
  embedding: {provider: offline, model: hash}
  retrieve: {mode: dense, k: 3}
  generate: {provider: offline, model: extractive}
sweep:
  chunk.size: [800, 1000]
  chunk.overlap: [0, 200]
  retrieve.k: [3, 4]
  embedding.model: [hash, ngram]
`

const demoAxis = `# The configuration after the change, over %[2]s.
name: airline-%[1]s-%[3]s
corpus: airline-%[1]s
dataset: airline-%[1]s
suite: [correctness, trust, retrieval]   # weekly.yaml has none, so that it scores every standard metric
base:
  chunk: {by: chars, size: 800, overlap: 200}
  embedding: {provider: offline, model: ngram}
  retrieve: {mode: dense, k: 4}
  generate: {provider: offline, model: extractive}
sweep:
  %[4]s
`

// Demo unpacks the demo world of each language below dir and evaluates it, the languages side by side. Doing it again adds runs to the
// same data directory; nothing is lost. The stories come in the order of langs; each is told as soon as it is complete, where told is not
// nil, while another one may still go on. Notebooks have one name whatever their language: they are in the first of langs.
func Demo(ctx context.Context, w *app.Workbench, langs []string, dir string, told func(DemoStory) error) ([]DemoStory, error) {
	stories := make([]DemoStory, len(langs))
	for i, lang := range langs {
		stories[i].Lang = lang
		if err := imported(ctx, w, &stories[i], filepath.Join(dir, lang)); err != nil {
			return nil, err
		}
	}
	if err := Lay(w); err != nil {
		return nil, err
	}
	recorded, ctxRecorded := errgroup.WithContext(ctx)
	recorded.Go(func() error { return demoJudge(ctxRecorded, w) })
	for i := range stories {
		story := &stories[i]
		recorded.Go(func() (err error) {
			story.Recorded, err = Recorded(ctxRecorded, w, story.Lang, filepath.Join(dir, story.Lang))
			return err
		})
	}
	if err := recorded.Wait(); err != nil {
		return nil, err
	}
	offline, ctxOffline := errgroup.WithContext(ctx)
	for i := range stories {
		offline.Go(func() error {
			err := scoredOffline(ctxOffline, w, &stories[i], filepath.Join(dir, stories[i].Lang), i == 0)
			if err != nil || told == nil {
				return err
			}
			return told(stories[i])
		})
	}
	return stories, offline.Wait()
}

// scoredOffline is the part of the demo that the built-in generator and judge do: the sweep, other documents, other generators, causes,
// questions, notebooks where they are asked for, the agreement and the schedule.
func scoredOffline(ctx context.Context, w *app.Workbench, story *DemoStory, dir string, withNotebooks bool) (err error) {
	if story.Sweep, err = demoSweep(ctx, w, filepath.Join(dir, "experiment.yaml")); err != nil {
		return err
	}
	if story.Winner, err = app.Winner(story.Sweep); err != nil {
		return err
	}
	if story.Standing, err = sweeps.Standing(ctx, w, story.Sweep); err != nil {
		return err
	}
	if story.Corpora, err = demoSweep(ctx, w, filepath.Join(dir, "corpora.yaml")); err != nil {
		return err
	}
	if story.Stale, err = staleDifference(ctx, w, story); err != nil {
		return err
	}
	if story.Writers, err = demoSweep(ctx, w, filepath.Join(dir, "writers.yaml")); err != nil {
		return err
	}
	before, after := findRun(story.Sweep, baseline), findRun(story.Sweep, candidate)
	if _, err := w.SetBaseline(ctx, before.ID); err != nil {
		return err
	}
	if err := demoFire(ctx, w, story.Lang, dir); err != nil {
		return err
	}
	if err := demoAnalyses(ctx, w, before, after, filepath.Join(dir, "themes.yaml")); err != nil {
		return err
	}
	if story.Causes, err = analyses.CauseReport(ctx, w, after.ID, causes.Tested); err != nil {
		return err
	}
	if withNotebooks {
		if err := demoNotebooks(ctx, w, story.Lang); err != nil {
			return err
		}
	}
	// The second evaluation is the first with an agreement, and a trend has two points.
	if err := errors.Join(demoAgree(ctx, w, story.Lang, before.ID), demoFire(ctx, w, story.Lang, dir)); err != nil {
		return err
	}
	story.Comparison, story.Both, err = w.Compare(ctx, before.ID, after.ID)
	return err
}

// staleDifference counts what the outdated help centre changes in the documents and in the answers.
func staleDifference(ctx context.Context, w *app.Workbench, story *DemoStory) (StaleDifference, error) {
	var d StaleDifference
	pages, err := fs.ReadDir(demo.Files, path.Join(story.Lang, "stale"))
	if err != nil {
		return d, err
	}
	d.Pages = len(pages)
	whole, err := w.Evaluation(ctx, story.Corpora[0].ID)
	if err != nil {
		return d, err
	}
	stale, err := w.Evaluation(ctx, story.Corpora[2].ID)
	if err != nil {
		return d, err
	}
	was := map[string]string{}
	for _, r := range whole.Results {
		if r.Answer != nil {
			was[r.QuestionID] = r.Answer.Text
		}
	}
	for _, r := range stale.Results {
		if r.Answer != nil && r.Answer.Text != was[r.QuestionID] {
			d.Answers++
		}
	}
	return d, nil
}

// Import unpacks the demo world of one language below dir and imports its documents and questions.
func Import(ctx context.Context, w *app.Workbench, lang, dir string) error {
	return imported(ctx, w, &DemoStory{Lang: lang}, dir)
}

func imported(ctx context.Context, w *app.Workbench, story *DemoStory, dir string) error {
	if err := unpackDemo(story.Lang, dir); err != nil {
		return err
	}
	name := "airline-" + story.Lang
	for _, corpus := range []struct{ folder, name string }{{"corpus", name}, {"corpus-small", name + "-small"},
		{"corpus-stale", name + "-stale"}} {
		imported, err := w.ImportFolder(ctx, filepath.Join(dir, corpus.folder), corpus.name, false, readers.FolderRules{Plain: true})
		if err != nil {
			return err
		}
		story.Pages = max(story.Pages, imported.Items)
	}
	imported, _, err := w.ImportDataset(ctx, filepath.Join(dir, "questions.jsonl"), name, name, nil)
	story.Questions = imported.Items
	return err
}

// demoTemplates are those that the demo leaves notebooks of.
var demoTemplates = []string{"airline-study", "judge", "sweep", "weekly"}

// demoNotebooks puts notebooks where a server finds them, those that are not there yet, and executes the study: the
// demo did its work already, so that it opens with results.
func demoNotebooks(ctx context.Context, w *app.Workbench, lang string) error {
	dir := app.NotebooksDir(w)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return problem.New(problem.Invalid, "demo_files", "cannot write the demo's notebooks below %s", dir).Because(err).
			WithHint("choose another data directory with --data")
	}
	for _, name := range demoTemplates {
		path := filepath.Join(dir, name+app.NotebookEnding)
		if _, err := os.Lstat(path); err == nil {
			continue // somebody's work by now
		}
		text, err := templates.FromGallery(name)
		if err != nil {
			return err
		}
		text = bytes.Replace(text, []byte("lang: {default: en,"), []byte("lang: {default: "+lang+","), 1)
		if err := notebooks.WriteFile(path, text); err != nil {
			return err
		}
		if name != demoStudy {
			continue
		}
		n, err := notebooks.Open(path, &studies.NotebookEngine{W: w, Dir: app.NoFolder, Sent: true}, w.Options.Now)
		if err == nil {
			_, err = n.Run(ctx, notebooks.Options{}) // nothing that costs is approved
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// demoStudy is the notebook of the founding paper's study.
const demoStudy = "airline-study"

func demoSweep(ctx context.Context, w *app.Workbench, file string) ([]experiments.Run, error) {
	e, _, err := w.Experiment(ctx, file)
	if err != nil {
		return nil, err
	}
	jobs, _, err := w.SweepJobs(ctx, e, app.Select{})
	if err != nil {
		return nil, err
	}
	_, runs, err := w.Sweep(ctx, e, jobs)
	return runs, err
}

// demoAnalyses looks into the two runs that the demo compares: what their questions are about, and why answers are low.
func demoAnalyses(ctx context.Context, w *app.Workbench, before, after experiments.Run, themes string) error {
	rules := analyses.QuestionRules{}
	// A demo that ran before has added labels to these themes, and people may have: what is stored stays.
	stored, err := analyses.Taxonomies(ctx, w, before.Setup.Dataset.Name)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(stored, func(t experiments.Taxonomy) bool { return t.ID == experiments.ThemeTaxonomy }) {
		t, err := experiments.ReadTaxonomy(themes)
		if err != nil {
			return err
		}
		rules.Taxonomies = []experiments.Taxonomy{t}
	}
	if _, err := analyses.AnalyseQuestions(ctx, w, before.ID, rules); err != nil {
		return err
	}
	_, err = analyses.Analyse(ctx, w, before, []experiments.Run{before, after},
		[]string{analyses.CausesAnalysis, analyses.QuestionsAnalysis}, experiments.Budget{})
	return err
}

func findRun(runs []experiments.Run, want map[string]string) experiments.Run {
	for _, r := range runs {
		fits := 0
		for _, p := range r.Params {
			if want[p.Name] == p.Text() {
				fits++
			}
		}
		if fits == len(want) {
			return r
		}
	}
	panic("the demo's sweep lacks one of the configurations it compares") // both stand in this file
}

// unpackDemo writes the help centre, its two other versions, the questions and the experiment files.
func unpackDemo(lang, dir string) error {
	small, err := smallPages(lang)
	if err != nil {
		return err
	}
	err = fs.WalkDir(demo.Files, path.Join(lang, "corpus"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		page, err := fs.ReadFile(demo.Files, name)
		if err != nil {
			return err
		}
		base := path.Base(name)
		stale, err := fs.ReadFile(demo.Files, path.Join(lang, "stale", base))
		if err != nil {
			stale = page
		}
		if err := writeDemo(dir, "corpus-stale", base, stale); err != nil {
			return err
		}
		if small[strings.TrimSuffix(base, ".md")] {
			if err := writeDemo(dir, "corpus-small", base, page); err != nil {
				return err
			}
		}
		return writeDemo(dir, "corpus", base, page)
	})
	if err != nil {
		return err
	}
	questions, err := fs.ReadFile(demo.Files, path.Join(lang, "questions.jsonl"))
	if err != nil {
		return err
	}
	themes, err := demo.Files.ReadFile("themes.yaml")
	if err != nil {
		return err
	}
	name := "airline-" + lang
	for file, content := range map[string][]byte{
		"themes.yaml":     themes,
		"questions.jsonl": questions,
		"experiment.yaml": fmt.Appendf(nil, demoExperiment, lang),
		"weekly.yaml":     fmt.Appendf(nil, demoWeekly, lang, demoWeeklyNote[lang]),
		"corpora.yaml": fmt.Appendf(nil, demoAxis, lang, "three versions of the help centre", "corpora",
			"corpus: ["+name+", "+name+"-small, "+name+"-stale]"),
		"writers.yaml": fmt.Appendf(nil, demoAxis, lang, "the three offline generators", "writers",
			"generate.model: [extractive, terse, closed-book]"),
	} {
		if err := writeDemo(dir, "", file, content); err != nil {
			return err
		}
	}
	return nil
}

func smallPages(lang string) (map[string]bool, error) {
	f, err := demo.Files.Open(path.Join(lang, "small.txt"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	pages := map[string]bool{}
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" && !strings.HasPrefix(line, "#") {
			pages[line] = true
		}
	}
	return pages, scanner.Err()
}

func writeDemo(dir, folder, file string, content []byte) error {
	target := filepath.Join(dir, folder, file)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return problem.New(problem.Invalid, "demo_files", "cannot write the demo's files below %s", dir).Because(err).
			WithHint("choose another data directory with --data")
	}
	if err := os.WriteFile(target, content, 0o644); err != nil {
		return problem.New(problem.Invalid, "demo_files", "cannot write %s", target).Because(err)
	}
	return nil
}
