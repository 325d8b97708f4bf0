package app

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// shallow retrieves one short chunk with the weak embedder, so that some evidence is not found.
const shallow = `
name: shallow
base:
  chunk: {size: 60}
  embedding: {provider: offline, model: hash}
  retrieve: {mode: dense, k: 1}
`

func TestDiagnoseARun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	run := w.run(t, shallow)
	if run.Totals.LowScoreCount == 0 {
		t.Fatal("no answer is low")
	}
	plan, err := w.PlanDiagnose(t.Context(), run.ID, DiagnoseRules{})
	if err != nil || !plan.Free || plan.LowScores != run.Totals.LowScoreCount || plan.Method != causes.Tested || plan.Known != "" {
		t.Fatalf("planned %+v, %v", plan, err)
	}
	if _, err := w.CauseReport(t.Context(), run.ID, ""); problem.CodeOf(err) != "causes_unknown" {
		t.Errorf("before: %v", err)
	}
	done, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{})
	if err != nil || done.State != experiments.Finished || done.Kind != experiments.KindDiagnose || done.ParentID != run.ID {
		t.Fatalf("diagnosed %+v, %v", done, err)
	}
	again, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{})
	if err != nil || again.ID != done.ID {
		t.Errorf("the same diagnosis again is run %s, not %s: %v", again.ID, done.ID, err)
	}
	r, err := w.CauseReport(t.Context(), "shallow", "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Diagnosed != plan.LowScores || r.Failed != 0 || r.DiagnoseID != done.ID || !r.Offline || r.Summary.EN == "" || r.Summary.JA == "" {
		t.Errorf("report %+v", r)
	}
	i := slices.IndexFunc(r.Counts, func(c causes.CauseCount) bool { return c.Component == causes.Retriever })
	if i < 0 || len(r.Recommendations) == 0 || r.Recommendations[0].Good == 0 {
		t.Fatalf("one short chunk of the weak embedder, and no retriever among %v; changes %+v", r.Counts, r.Recommendations)
	}
	whole, err := experiments.LoadEvaluation(t.Context(), w.Store, run.ID)
	if err != nil || len(whole.Results) != len(asked) {
		t.Errorf("a diagnosis must add no votes to its run: %d results, %v", len(whole.Results), err)
	}
}

func TestARecommendationIsApplied(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	run := w.run(t, shallow)
	if _, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{}); err != nil {
		t.Fatal(err)
	}
	e, change, err := w.RepairExperiment(t.Context(), run.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	job, err := w.Job(t.Context(), e, Select{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	_, both, err := w.Compare(t.Context(), run.ID, after.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range change.Heals {
		if r, _ := both[1].Result(id); r.Low(both[1].Run.Setup.LowScore) {
			t.Errorf("%s repairs %s, it says; with it the answer is %q", change.Repair.Words("en"), id, r.Answer.Text)
		}
	}
	if _, err := w.CompareCauses(t.Context(), both[0], both[1]); !problem.Is(err, problem.NotFound) {
		t.Errorf("only one of two runs was diagnosed: %v", err)
	}
	if after.Totals.LowScoreCount > 0 {
		if _, err := w.Diagnose(t.Context(), after.ID, DiagnoseRules{}); err != nil {
			t.Fatal(err)
		}
		c, err := w.CompareCauses(t.Context(), both[0], both[1])
		if err != nil || len(c.Moves) == 0 || len(c.Changes) == 0 {
			t.Errorf("moves %v, changes %v, %v", c.Moves, c.Changes, err)
		}
	}
	for _, nth := range []int{0, 99} {
		if _, _, err := w.RepairExperiment(t.Context(), run.ID, nth); problem.CodeOf(err) != "recommendation" {
			t.Errorf("recommendation %d: %v", nth, err)
		}
	}
}

// TestABoughtDiagnosisStopsAtItsBudget interrupts a diagnosis by its budget and goes on: what was bought is not bought again, and a
// study of it is recomputed from the banked replies alone.
func TestABoughtDiagnosisStopsAtItsBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.provider = fakeprovider.New(fakeprovider.Options{Key: w.env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(causes.CauseOfflineHandlers())})
	run := w.run(t, strings.NewReplacer("name: bought", "name: costly", "k: 2", "k: 1", "size: 80", "size: 60").Replace(bought))
	if run.Totals.LowScoreCount < 2 {
		t.Fatalf("%d answers are low", run.Totals.LowScoreCount)
	}
	plan, err := w.PlanDiagnose(t.Context(), run.ID, DiagnoseRules{Trials: 2})
	if err != nil || plan.Free || plan.Typical == 0 || plan.Most <= plan.Typical {
		t.Fatalf("planned %+v, %v", plan, err)
	}
	before := w.billed("chat/completions")
	stopped, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{Trials: 2, Budget: experiments.Budget{Calls: 10}})
	if !problem.Is(err, problem.Incomplete) || stopped.State == experiments.Finished {
		t.Fatalf("with a budget of 10 calls: %s, %v", stopped.State, err)
	}
	if n := w.billed("chat/completions") - before; n > 10 {
		t.Errorf("%d calls under a budget of 10", n)
	}
	done, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{Trials: 2, Budget: experiments.Budget{Calls: 5000}})
	if err != nil || done.ID != stopped.ID || done.State != experiments.Finished {
		t.Fatalf("gone on: %s %s, %v", done.ID, done.State, err)
	}
	paid := w.billed("chat/completions")
	if _, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{Trials: 2}); err != nil || w.billed("chat/completions") != paid {
		t.Errorf("a third time it bought %d calls, %v", w.billed("chat/completions")-paid, err)
	}
	path := filepath.Join(w.dir, "study.zip")
	if _, err := w.Export(t.Context(), path, "test", done.ID); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, steadyClock())
	if err != nil || !v.Equal || !slices.ContainsFunc(v.Runs, func(r RunVerified) bool { return r.ID == done.ID && r.Recomputed > 0 }) {
		t.Errorf("recomputed: %+v, %v", v, err)
	}
}

func TestObservedCausesStayApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	run := w.run(t, shallow)
	for _, method := range []causes.CauseMethod{causes.Observed, causes.PaperWay} {
		if _, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{Method: method}); err != nil {
			t.Fatal(err)
		}
		r, err := w.CauseReport(t.Context(), run.ID, method)
		if err != nil || r.Method != method || r.Diagnosed == 0 || len(r.Recommendations) != 0 {
			t.Errorf("%s: %+v, %v", method, r, err)
		}
		for _, d := range r.Diagnoses {
			if d.Method != method || len(d.Repairs) != 0 {
				t.Errorf("%s: %+v", method, d)
			}
		}
	}
	r, err := w.CauseReport(t.Context(), run.ID, "")
	if err != nil || r.Method != causes.Observed {
		t.Errorf("shown by itself: %s, %v", r.Method, err)
	}
}

// TestThePapersMethodStandsBesideTheTestedOne diagnoses a run in both ways: the control arm shows both, answer by answer.
func TestThePapersMethodStandsBesideTheTestedOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	run := w.run(t, shallow)
	if _, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{Method: causes.PaperWay}); err != nil {
		t.Fatal(err)
	}
	if known, err := w.analysesOf(t.Context(), run); err != nil || known.Causes != nil {
		t.Errorf("the control arm passes for the causes of the run: %+v, %v", known.Causes, err)
	}
	alone, err := w.CauseReport(t.Context(), run.ID, causes.PaperWay)
	if err != nil || alone.Beside != nil {
		t.Errorf("without a tested diagnosis: %+v, %v", alone.Beside, err)
	}
	if _, err := w.Diagnose(t.Context(), run.ID, DiagnoseRules{Method: causes.Tested}); err != nil {
		t.Fatal(err)
	}
	paper, err := w.CauseReport(t.Context(), run.ID, causes.PaperWay)
	if err != nil || paper.Beside == nil {
		t.Fatalf("%+v, %v", paper, err)
	}
	tested, err := w.CauseReport(t.Context(), run.ID, causes.Tested)
	if err != nil || tested.Beside != nil || len(tested.Diagnoses) == 0 {
		t.Fatalf("%+v, %v", tested, err)
	}
	agree := 0
	for i, d := range tested.Diagnoses {
		want := causes.BesideCause{QuestionID: d.QuestionID, Control: paper.Diagnoses[i].Component, Tested: d.Component}
		if !slices.Contains(paper.Beside.Rows, want) {
			t.Errorf("%+v is missing in %+v", want, paper.Beside.Rows)
		}
		if want.Control == want.Tested {
			agree++
		}
	}
	if b := paper.Beside; b.Agree != agree || len(b.Rows) != len(tested.Diagnoses) || !b.SameJudge || b.DiagnoseID != tested.DiagnoseID {
		t.Errorf("%+v; %d agree", b, agree)
	}
}

func TestNothingToDiagnose(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	run := w.run(t, shallow)
	for code, rules := range map[string]DiagnoseRules{
		"no_low_scores": {Select: Select{Filter: []string{"theme:none"}}}, "cause_method": {Method: "guess"}, "cause_trials": {Trials: 1},
	} {
		_, err := w.Diagnose(t.Context(), run.ID, rules)
		if problem.CodeOf(err) != code || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestAnalysesOfAnExperiment makes what an experiment asks for, within what its run left of the budget.
func TestAnalysesOfAnExperiment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	run := w.run(t, shallow)
	done, err := w.Analyse(t.Context(), run, []experiments.Run{run}, []string{"causes", "questions"}, experiments.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []experiments.Kind
	for _, r := range done {
		kinds = append(kinds, r.Kind)
	}
	if diff := cmp.Diff([]experiments.Kind{experiments.KindQuestions, experiments.KindDiagnose}, kinds); diff != "" {
		t.Error(diff)
	}
	w.provider = fakeprovider.New(fakeprovider.Options{Key: w.env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(causes.CauseOfflineHandlers())})
	costly := w.run(t, strings.Replace(bought, "k: 2", "k: 1", 1))
	spent, err := w.Store.Spent(t.Context(), costly.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Analyse(t.Context(), costly, []experiments.Run{costly}, []string{"causes"}, experiments.Budget{Calls: spent.Calls})
	if problem.CodeOf(err) != "budget_spent" {
		t.Errorf("a budget that its run used up: %v", err)
	}
}
