package analyses

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// DraftRules say what questions are drafted. Zero fields take the usual way.
type DraftRules struct {
	N      int                // questions; default 40
	Judge  string             // provider/model that writes them; default the offline judge
	Seed   uint64             // which passages
	Out    string             // .xlsx or .jsonl; default CORPUS-draft.xlsx
	Budget experiments.Budget // of all calls
}

// Drafted says what drafting wrote.
type Drafted struct {
	RunID     string         `json:"run_id"`
	Path      string         `json:"path"`
	Questions int            `json:"questions"`
	ByCat     map[string]int `json:"by_category"`
	Notes     []string       `json:"notes"`
	Offline   bool           `json:"offline"`
}

// mostDrafts bounds a sheet that a person has to read.
const mostDrafts = 1000

// DraftDataset proposes questions, references and evidence from a corpus, of all four categories, and writes them as a sheet to be
// reviewed. Calls are booked to a run of kind questions.
func DraftDataset(ctx context.Context, w *app.Workbench, corpusRef string, rules DraftRules) (Drafted, error) {
	setup, format, err := drafting(ctx, w, corpusRef, &rules)
	if err != nil {
		return Drafted{}, err
	}
	corpus, err := w.Store.Corpus(ctx, setup.Corpus.String())
	if err != nil {
		return Drafted{}, err
	}
	out := Drafted{Path: rules.Out, ByCat: map[string]int{}, Notes: []string{}, Offline: setup.Offline}
	var drafts []intake.Draft
	run, err := Booked(ctx, w, experiments.Run{Kind: experiments.KindQuestions, Setup: setup, Budget: rules.Budget},
		func(ctx context.Context, stop <-chan struct{}) error {
			var notes []string
			var err error
			drafts, notes, err = questions.DraftQuestions(ctx, corpus, setup.Judge, w.Providers, w.Store, questions.DraftRules{
				N: rules.N, Seed: rules.Seed, InFlight: w.Concurrency(setup), Stop: stop,
			})
			out.Notes = append(out.Notes, notes...)
			return err
		})
	if err != nil {
		return out, err
	}
	out.RunID, out.Questions = run.ID, len(drafts)
	for _, d := range drafts {
		out.ByCat[d.Category]++
	}
	if len(drafts) == 0 {
		return out, problem.New(problem.Invalid, "nothing_drafted", "no question could be drafted from corpus %s", corpusRef).
			WithHint("its documents may be too short; a model writes more than the offline rules: --judge PROVIDER/MODEL")
	}
	return out, writeDrafts(rules.Out, format, drafts)
}

// PlanDraft says what drafting would ask for at least: drafts that do not hold are asked for again, at most twice.
func PlanDraft(ctx context.Context, w *app.Workbench, corpusRef string, rules DraftRules) (app.Plan, error) {
	setup, _, err := drafting(ctx, w, corpusRef, &rules)
	if err != nil {
		return app.Plan{}, err
	}
	corpus, err := w.Store.Corpus(ctx, setup.Corpus.String())
	if err != nil {
		return app.Plan{}, err
	}
	ctx = llm.WithScope(ctx, llm.Scope{Stage: "judge"})
	plan, err := w.Planned(ctx, setup.Experiment, func(t *app.Tally) error {
		_, _, err := questions.DraftQuestions(ctx, corpus, setup.Judge, questionTally{t}, &app.Memory{},
			questions.DraftRules{N: rules.N, Seed: rules.Seed})
		return err
	})
	plan.Questions = rules.N
	return plan, err
}

// drafting freezes what drafts are made with.
func drafting(ctx context.Context, w *app.Workbench, corpusRef string, rules *DraftRules) (experiments.Setup, string, error) {
	var s experiments.Setup
	corpus, err := w.Store.Corpus(ctx, corpusRef)
	if err != nil {
		return s, "", err
	}
	if rules.N == 0 {
		rules.N = 40
	}
	if rules.N < 1 || rules.N > mostDrafts {
		return s, "", problem.New(problem.Invalid, "draft_size", "%d questions cannot be drafted; 1 to %d can", rules.N, mostDrafts)
	}
	if s, err = writing(w, rules.Judge); err != nil {
		return s, "", err
	}
	s.Experiment, s.Corpus = "draft-"+corpus.Name, experiments.Ref{Name: corpus.Name, Version: corpus.Version, Digest: corpus.Digest}
	format, err := sheetFormat(&rules.Out, corpus.Name+"-draft.xlsx")
	return s, format, err
}

// sheetFormat is the format that a sheet's name asks for; a sheet without a name gets the usual one.
func sheetFormat(out *string, usual string) (string, error) {
	if *out == "" {
		*out = usual
	}
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(*out)), ".")
	if format != "xlsx" && format != "jsonl" {
		return "", problem.New(problem.Invalid, "draft_format", "a sheet to be reviewed cannot be written to %s", *out).
			WithHint("name the file .xlsx or .jsonl")
	}
	return format, nil
}

// writeDrafts writes the sheet beside its place first, so that a sheet under review is never half overwritten.
func writeDrafts(path, format string, drafts []intake.Draft) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".draft-*")
	if err != nil {
		return problem.New(problem.Invalid, "draft_path", "cannot write %s", path).Because(err).WithHint("choose another place with --out")
	}
	err = errors.Join(f.Chmod(0o644), intake.WriteDrafts(f, format, drafts)) // people hand it round
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what failed is the news
	}
	return err
}
