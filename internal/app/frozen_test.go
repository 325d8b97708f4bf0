package app_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

const prompted = `
name: prompted
suite: [correctness, trust, hit]
base:
  chunk: {size: 80, overlap: 20}
  retrieve: {mode: dense, k: 2}
  generate: {provider: offline, model: extractive, prompt: prompt.md}
`

// judged is bought with the metrics that every reply of the fake provider suits.
const judged = "suite: [correctness, trust, hit]" + apptest.Bought

// TestResumeUsesWhatWasFrozen edits everything a run was made of between its interruption and its resumption.
func TestResumeUsesWhatWasFrozen(t *testing.T) {
	t.Parallel()
	whole := apptest.NewWorld(t, "")
	whole.Write(t, "prompt.md", "Answer in one sentence.")
	want := whole.Worked(t, prompted)

	w := apptest.NewWorld(t, "")
	w.Write(t, "prompt.md", "Answer in one sentence.")
	job := w.JobFile(t, prompted)
	ctx, interrupt := context.WithCancel(t.Context())
	clock, looks := apptest.SteadyClock(), atomic.Int64{}
	first, err := app.Open(t.Context(), app.Options{
		DataDir: filepath.Join(w.Dir, "data"), Getenv: func(string) string { return "" }, Concurrency: 1,
		Now: func() time.Time { // each question looks at the clock twice, each commit up to three times
			if looks.Add(1) == 12 {
				interrupt()
			}
			return clock()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Run(ctx, job); problem.From(err) == nil || problem.From(err).Kind != problem.Incomplete {
		t.Fatalf("the interrupted run returned %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{State: experiments.Paused})
	if err != nil || len(runs) != 1 {
		t.Fatalf("paused runs: %v %v", runs, err)
	}
	missing, err := w.Store.Missing(t.Context(), runs[0].ID)
	if err != nil || len(missing) == 0 || len(missing) == len(apptest.AskedQuestions) {
		t.Fatalf("%d of %d questions are missing (%v): the interruption came at no useful moment", len(missing), len(apptest.AskedQuestions), err)
	}
	for name, edit := range map[string]func(){
		"experiment": func() { w.Registered(t, strings.Replace(prompted, "k: 2", "k: 5", 1)) },
		"prompt":     func() { w.Write(t, "prompt.md", "Answer with a poem.") },
		"documents": func() {
			w.Write(t, "docs/corpus.jsonl", `{"doc_id":"rule-0","text":"Everything has changed."}`+"\n")
			if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.Dir, "docs"), "rules", false); err != nil {
				t.Fatal(err)
			}
		},
		"questions": func() {
			w.Write(t, "questions.jsonl", `{"question_id":"q0","question":"What has changed?","reference":"Everything"}`+"\n")
			if _, _, err := w.ImportDataset(t.Context(), filepath.Join(w.Dir, "questions.jsonl"), "asked", "rules", nil); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Log("edited: " + name)
		edit()
	}
	config := w.Write(t, "workbench.yaml",
		"prices: {writer-1: {input: 1000, output: 1000}}\nproviders: {openai: {base_url: \"http://localhost:1/v1\"}}\n")
	again, err := app.Open(t.Context(), app.Options{
		DataDir: filepath.Join(w.Dir, "data"), ConfigPath: config, Getenv: func(string) string { return "" }, Now: apptest.SteadyClock(),
		Concurrency: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	got, err := again.Resume(t.Context(), runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Totals, got[0].Totals); diff != "" || want.Chain != got[0].Chain {
		t.Errorf("the edits changed the run (-uninterrupted +resumed), or its chain:\n%s", diff)
	}
}

// TestOtherMetricVersionIsRefused resumes a run that a program with another version of a metric began.
func TestOtherMetricVersionIsRefused(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	job := w.JobFile(t, apptest.Offline)
	job.Setup.Suite = append([]metrics.Spec{}, job.Setup.Suite...)
	job.Setup.Suite[0].Version += ".older"
	run, err := w.Runner(job.Setup).Create(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: job.Setup}, job.Questions)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Resume(t.Context(), run.ID)
	p := problem.From(err)
	if p.Code != "metric_version" || p.Kind != problem.Conflict || !strings.Contains(p.Message, job.Setup.Suite[0].Version) ||
		p.Hint == "" {
		t.Errorf("resumed with another version of %s: %v", job.Setup.Suite[0].ID, err)
	}
	if run, err = w.Store.Run(t.Context(), run.ID); err != nil || run.State != experiments.Paused || run.Cause != "metric_version" {
		t.Errorf("the run is %s (%s), %v", run.State, run.Cause, err)
	}
}

// troubled is a provider that fails one answer and one judgement for as long as *on is true.
func troubled(w *apptest.World, t *testing.T, on *bool) {
	t.Helper()
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: apptest.Respond,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			switch {
			case *on && strings.Contains(r.User, "pet cage") && r.Schema == nil:
				return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
			case *on && strings.Contains(r.User, "typhoon") && strings.Contains(string(r.Schema), `"score"`):
				return fakeprovider.Behaviour{Fault: fakeprovider.Malformed}
			}
			return fakeprovider.Behaviour{}
		}})
	w.OpenAgain(t, "")
}

func TestRetryErrorsIsAChildRun(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	trouble := true
	troubled(w, t, &trouble)
	parent := w.Worked(t, judged)
	if len(parent.Totals.Errors) == 0 {
		t.Fatal("the run has no errors to retry")
	}
	results, err := w.Store.Results(t.Context(), parent.ID)
	if err != nil {
		t.Fatal(err)
	}
	var broken []string
	for _, r := range results {
		for _, sc := range r.Scores {
			if sc.State == metrics.Errored && !slices.Contains(broken, r.QuestionID) {
				broken = append(broken, r.QuestionID)
			}
		}
	}
	trouble = false
	before := w.Billed("chat/completions")
	child, err := w.RetryErrors(t.Context(), parent.ID, false, experiments.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if child.ParentID != parent.ID || child.State != experiments.Finished || cmp.Diff(child.Setup.Questions, broken) != "" {
		t.Errorf("child of %s: parent %s, %s, questions %v; errors of the parent %v", parent.ID, child.ParentID, child.State,
			child.Setup.Questions, parent.Totals.Errors)
	}
	paid := w.Billed("chat/completions") - before
	if failed := parent.Totals.Errors["provider_bad_envelope"] +
		3; paid != failed { // an answer with two judgements, and the other judgements
		t.Errorf("%d completions were missing, the child bought %d", failed, paid)
	}
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, parent.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Results) != len(apptest.AskedQuestions) || len(e.Run.Totals.Errors) != 0 || e.Run.Totals.Coverage.Share() != 1 {
		t.Errorf("pooled: %d results, totals %+v", len(e.Results), e.Run.Totals)
	}
	for _, id := range broken {
		if r, _ := e.Result(id); r.Answer == nil || r.Failure != nil || r.Answer.Hits[0].Text == "" {
			t.Errorf("pooled result of %s = %+v", id, r)
		}
	}
	stored, err := w.Store.Run(t.Context(), parent.ID)
	parent.Totals, stored.Totals = nil, nil // these are with what its child scored; its chain says that its own are as they were
	if err != nil || cmp.Diff(parent, stored) != "" {
		t.Errorf("the parent was edited (%v):\n%s", err, cmp.Diff(parent, stored))
	}
	if _, err := w.RetryErrors(t.Context(), parent.ID, false, experiments.Budget{}); problem.CodeOf(err) != "no_errors" {
		t.Errorf("retried again: %v", err)
	}
}

func TestReplicatesAskEverythingAgain(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	parent := w.Worked(t, judged)
	once := w.Billed("chat/completions")
	children, err := w.Replicates(t.Context(), parent.ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Billed("chat/completions"); got != 3*once {
		t.Errorf("one vote took %d completions, three took %d", once, got)
	}
	further, err := w.Replicates(t.Context(), parent.ID, 1, "q2")
	if err != nil || len(further) != 1 || further[0].Setup.Replicate != 3 || cmp.Diff(further[0].Setup.Questions, []string{"q2"}) != "" {
		t.Fatalf("a further replicate of one question = %+v, %v", further, err)
	}
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, parent.ID)
	if err != nil {
		t.Fatal(err)
	}
	count := map[int]int{}
	for i, r := range e.Results {
		count[r.Replicate]++
		if e.Questions[i].ID != r.QuestionID {
			t.Errorf("result %d is of %s, its question is %s", i, r.QuestionID, e.Questions[i].ID)
		}
	}
	if diff := cmp.Diff(map[int]int{0: 8, 1: 8, 2: 8, 3: 1}, count); diff != "" {
		t.Errorf("results by replicate (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(parent.Totals, e.Run.Totals); diff != "" {
		t.Errorf("replicates changed the totals of the first vote:\n%s", diff)
	}
	if _, err := w.Replicates(t.Context(), parent.ID, 1, "nobody"); !problem.Is(err, problem.NotFound) {
		t.Errorf("a question that is not there: %v", err)
	}
	if children[0].Setup.Replicate != 1 || children[1].Setup.Replicate != 2 {
		t.Errorf("replicates %d and %d", children[0].Setup.Replicate, children[1].Setup.Replicate)
	}
}

// TestSweepWithACancelledRun cancels one run of a sweep while another is worked.
func TestSweepWithACancelledRun(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	var cancelled string
	w.OnProgress = func(experiments.Progress) {
		if cancelled != "" {
			return
		}
		runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{State: experiments.Queued, Kind: experiments.KindEvaluate, Limit: 1})
		if err != nil || len(runs) != 1 {
			t.Errorf("queued runs: %v %v", runs, err)
			return
		}
		cancelled = runs[0].ID
		if err := w.Store.RequestState(t.Context(), cancelled, experiments.Cancelled, time.Now()); err != nil {
			t.Error(err)
		}
	}
	e := w.Registered(t, apptest.Offline)
	jobs, _, err := w.SweepJobs(t.Context(), e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	sweep, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil {
		t.Fatal(err)
	}
	questions := 0
	for _, r := range runs {
		if (r.ID == cancelled) != (r.State == experiments.Cancelled) || r.ID != cancelled && r.State != experiments.Finished {
			t.Errorf("run %s is %s", r.ID, r.State)
		}
		if r.Totals != nil {
			questions += r.Totals.Questions
		}
	}
	if sweep, err = w.Store.Run(t.Context(), sweep.ID); err != nil || sweep.State != experiments.Finished {
		t.Fatalf("the sweep is %s, %v", sweep.State, err)
	}
	if sweep.Totals.Questions != questions || questions != (len(jobs)-1)*len(apptest.AskedQuestions) {
		t.Errorf("totals over %d questions; the finished runs have %d", sweep.Totals.Questions, questions)
	}
}

// TestSweepStopsAndGoesOn pauses a sweep, resumes it, and cancels another.
func TestSweepStopsAndGoesOn(t *testing.T) {
	t.Parallel()
	for _, want := range []experiments.RunState{experiments.Paused, experiments.Cancelled} {
		w := apptest.NewWorld(t, "")
		e := w.Registered(t, apptest.Offline)
		jobs, _, err := w.SweepJobs(t.Context(), e, app.Select{})
		if err != nil {
			t.Fatal(err)
		}
		told := false
		w.OnProgress = func(experiments.Progress) {
			if told {
				return
			}
			told = true
			sweeps, err := w.Store.Runs(t.Context(), experiments.RunFilter{Kind: experiments.KindSweep})
			if err != nil || len(sweeps) != 1 {
				t.Errorf("sweeps: %v %v", sweeps, err)
				return
			}
			if err := w.Store.RequestState(t.Context(), sweeps[0].ID, want, time.Now()); err != nil {
				t.Error(err)
			}
		}
		sweep, _, err := w.Sweep(t.Context(), e, jobs)
		if p := problem.From(err); p == nil || p.Kind != problem.Incomplete {
			t.Fatalf("Sweep returned %v", err)
		}
		if sweep, err = w.Store.Run(t.Context(), sweep.ID); err != nil || sweep.State != want {
			t.Fatalf("the sweep is %s, %v; want %s", sweep.State, err, want)
		}
		if want == experiments.Cancelled {
			runs, err := w.SweepRuns(t.Context(), sweep.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				if r.State != experiments.Cancelled && r.State != experiments.Finished {
					t.Errorf("run %s of a cancelled sweep is %s", r.ID, r.State)
				}
			}
			continue
		}
		runs, err := w.Resume(t.Context(), sweep.ID)
		if err != nil || len(runs) != len(jobs) {
			t.Fatalf("resumed: %d runs, %v", len(runs), err)
		}
		for _, r := range runs {
			if r.State != experiments.Finished {
				t.Errorf("run %s is %s", r.ID, r.State)
			}
		}
	}
}

// TestWorkersNeedPostgreSQL checks what people see on SQLite.
func TestWorkersNeedPostgreSQL(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	if p := problem.From(w.ServeQueue(t.Context(), nil)); p == nil || p.Code != "needs_postgresql" || p.Kind != problem.Invalid ||
		p.Hint == "" {
		t.Errorf("ServeQueue on SQLite = %v", p)
	}
}
