package app_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

func TestCompareWithThePinnedBaseline(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	good := w.Worked(t, apptest.Offline)
	bad := w.Worked(t, strings.Replace(apptest.Offline, "name: offline", "name: blind", 1)+"\nlow_score: 2\n")
	if _, _, err := w.Compare(t.Context(), "", "blind"); problem.CodeOf(err) != "baseline_unknown" || problem.From(err).Hint == "" {
		t.Fatalf("without a baseline: %v", err)
	}
	if _, err := w.SetBaseline(t.Context(), "offline"); err != nil {
		t.Fatal(err)
	}
	c, _, err := w.Compare(t.Context(), "", bad.ID)
	if err != nil {
		t.Fatal(err)
	}
	if c.Baseline.ID != good.ID || len(c.Questions) != 0 || c.Matched != len(apptest.AskedQuestions) {
		t.Errorf("comparison = %+v", c)
	}
	if err := w.Store.DeleteRun(t.Context(), good.ID); !problem.Is(err, problem.Conflict) {
		t.Errorf("deleting the baseline: %v", err)
	}
}

func TestAWorseConfigurationShows(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, "name: whole\nbase: {chunk: {size: 1000}, retrieve: {mode: bm25, k: 2}}\n") // no sentence is cut
	w.Worked(t,
		"name: closed\nbase: {chunk: {size: 80}, retrieve: {mode: bm25, k: 2}, generate: {provider: offline, model: closed-book}}\n")
	c, _, err := w.Compare(t.Context(), "whole", "closed")
	if err != nil {
		t.Fatal(err)
	}
	if n := c.Counts["correctness"]; n.Worse < 6 || n.NeedsCheck != 0 {
		t.Errorf("correctness = %+v; both sides are deterministic, so one vote settles it", n)
	}
	if c.LowAfter <= c.LowBefore || c.Questions[0].Label != compare.Worse || !c.Questions[0].Critical {
		t.Errorf("low %d → %d, first %+v", c.LowBefore, c.LowAfter, c.Questions[0])
	}
	back, _, err := w.Compare(t.Context(), "closed", "whole")
	if err != nil || back.Counts["correctness"].Better != c.Counts["correctness"].Worse {
		t.Errorf("the other way round: %+v, %v", back.Counts["correctness"], err)
	}
}

func TestBoughtVotesNeedACheck(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, apptest.Bought)
	w.Worked(t,
		"name: other\njudge: {provider: openai, model: judge-1}\nbase: {chunk: {size: 80}, retrieve: {mode: bm25, k: 1}, post_process: truncate}\n")
	c, _, err := w.Compare(t.Context(), "bought", "other")
	if err != nil {
		t.Fatal(err)
	}
	for metric, n := range c.Counts {
		spec, _ := metrics.Find(metric)
		switch found := spec.Group == "retrieval" && !spec.NeedsJudge; {
		case !found && n.Worse+n.Better > 0:
			t.Errorf("%s = %+v: one vote of a judge that is not deterministic settled it", metric, n)
		case found && n.NeedsCheck > 0:
			t.Errorf("%s = %+v: a search of our own finds the same again", metric, n)
		}
	}
}

func TestOtherJudgesAreNotCompared(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, apptest.Offline)
	w.Worked(t, apptest.Bought)
	c, _, err := w.Compare(t.Context(), "offline", "bought")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Metrics["correctness"]; ok || len(c.Excluded) < 5 {
		t.Errorf("metrics %v, excluded %v", c.Metrics, c.Excluded)
	}
	if _, ok := c.Metrics["hit"]; !ok {
		t.Error("metrics without a judge are comparable")
	}
}

func TestSweepNamesWinnerAndBaseline(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e := w.Registered(t, "name: sweep\nbase: {retrieve: {mode: bm25, k: 1}}\nsweep: {generate.model: [closed-book, extractive]}\n")
	jobs, _, err := w.SweepJobs(t.Context(), e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	sweep, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil {
		t.Fatal(err)
	}
	winner, err := app.Winner(runs)
	if err != nil || winner.Params[0].Value != "extractive" {
		t.Errorf("winner %+v, %v", winner.Params, err)
	}
	baseline, err := app.SweepBaseline(t.Context(), w.Workbench, e, runs)
	if err != nil || baseline.ID != runs[1].ID {
		t.Errorf("the base configuration is run %s, not %s (%v)", runs[1].ID, baseline.ID, err)
	}
	stored, err := w.Store.Run(t.Context(), sweep.ID)
	if err != nil || stored.State != experiments.Finished || stored.Totals.Questions != 2*len(apptest.AskedQuestions) {
		t.Errorf("sweep = %+v, %v", stored, err)
	}
	if again, err := w.Resume(t.Context(), sweep.ID); !problem.Is(err, problem.Conflict) {
		t.Errorf("resuming a finished sweep: %v, %v", again, err)
	}
}

func TestImportingTheSameAgainMakesNoVersion(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	again, err := w.ImportCorpus(t.Context(), w.Dir+"/docs", "rules", false)
	if err != nil || again.Created || again.Version != 1 {
		t.Errorf("again = %+v, %v", again, err)
	}
	w.Write(t, "docs/more.txt", "One more document about meals.")
	more, err := w.ImportCorpus(t.Context(), w.Dir+"/docs", "rules", false)
	if err != nil || !more.Created || more.Version != 2 {
		t.Errorf("more = %+v, %v", more, err)
	}
}

// TestWhatComparisonsAskIsKept: of a finished run the store tells what the judge found in each answer as the stored replies do, and where
// it keeps nothing of it the replies are read.
func TestWhatComparisonsAskIsKept(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, apptest.Offline)
	w.Worked(t, "name: closed\nbase: {chunk: {size: 80}, retrieve: {mode: bm25, k: 2}, generate: {provider: offline, model: closed-book}}\n")
	before, both, err := w.Compare(t.Context(), "offline", "closed")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range both[1].Results {
		said, err := metrics.Explain(t.Context(), w.Store, r.Scores)
		if err != nil {
			t.Fatal(err)
		}
		if r.Grounds == nil || *r.Grounds != said.Grounds() {
			t.Errorf("question %s: %+v is kept, and the replies say %+v", r.QuestionID, r.Grounds, said.Grounds())
		}
	}
	for i := range both {
		for k := range both[i].Results {
			r := &both[i].Results[k]
			if r.Cover == nil || *r.Cover != metrics.CoverOf(both[i].Questions[k].Sample(nil, rag.Answer{}), r.Answer.Text) {
				t.Errorf("question %s: of its answer %+v is kept", r.QuestionID, r.Cover)
			}
			r.Grounds, r.Cover = nil, nil
		}
	}
	after, err := compare.CompareWith(both[0], both[1], w.Comparing(t.Context(), both[1].Run.Setup))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("read out of the replies the comparison is another one (-kept +read):\n%s", diff)
	}
}
