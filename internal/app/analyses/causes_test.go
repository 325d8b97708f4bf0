package analyses

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
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
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, shallow)
	if run.Totals.LowScoreCount == 0 {
		t.Fatal("no answer is low")
	}
	plan, err := PlanDiagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{})
	if err != nil || !plan.Free || plan.LowScores != run.Totals.LowScoreCount || plan.Method != causes.Tested || plan.Known != "" {
		t.Fatalf("planned %+v, %v", plan, err)
	}
	if _, err := CauseReport(t.Context(), w.Workbench, run.ID, ""); problem.CodeOf(err) != "causes_unknown" {
		t.Errorf("before: %v", err)
	}
	done, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{})
	if err != nil || done.State != experiments.Finished || done.Kind != experiments.KindDiagnose || done.ParentID != run.ID {
		t.Fatalf("diagnosed %+v, %v", done, err)
	}
	again, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{})
	if err != nil || again.ID != done.ID {
		t.Errorf("the same diagnosis again is run %s, not %s: %v", again.ID, done.ID, err)
	}
	r, err := CauseReport(t.Context(), w.Workbench, "shallow", "")
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
	if err != nil || len(whole.Results) != len(apptest.AskedQuestions) {
		t.Errorf("a diagnosis must add no votes to its run: %d results, %v", len(whole.Results), err)
	}
}

// TestADiagnosisOfAPartHidesNothing: whatever parts of the low answers are diagnosed before and after all of them, what is told is the
// diagnosis of most of them, the newest of equals.
func TestADiagnosisOfAPartHidesNothing(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{0, 1}, {1, 0}, {1, 2, 0, 1}, {1, 2}, {2, 1}, {0, 100}} {
		w := apptest.NewWorld(t, "")
		run := w.Worked(t, shallow)
		most := 0
		for _, limit := range order {
			done, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{Select: app.Select{Limit: limit}})
			if err != nil {
				t.Fatal(err)
			}
			n := run.Totals.LowScoreCount
			if limit > 0 {
				n = min(n, limit)
			}
			if most = max(most, n); len(done.Setup.Questions) != n {
				t.Fatalf("limit %d diagnosed %d of %d", limit, len(done.Setup.Questions), run.Totals.LowScoreCount)
			}
			r, err := CauseReport(t.Context(), w.Workbench, run.ID, "")
			if err != nil || r.Diagnosed != most {
				t.Errorf("%v: after a limit of %d %d answers are told as diagnosed, not %d (%v)", order, limit, r.Diagnosed, most, err)
			}
		}
	}
}

func TestARecommendationIsApplied(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, shallow)
	if _, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{}); err != nil {
		t.Fatal(err)
	}
	e, change, err := RepairExperiment(t.Context(), w.Workbench, run.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	job, err := w.Job(t.Context(), e, app.Select{})
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
		if r, _ := both[1].Result(id); r.Low(both[1].Run.Setup.LowRule()) {
			t.Errorf("%s repairs %s, it says; with it the answer is %q", change.Repair.Words("en"), id, r.Answer.Text)
		}
	}
	told, err := CauseReport(t.Context(), w.Workbench, run.ID, causes.Tested)
	if err != nil {
		t.Fatal(err)
	}
	made := slices.IndexFunc(told.Recommendations, func(r causes.Recommendation) bool { return r.Key() == change.Key() })
	if made < 0 || told.Recommendations[made].Outcome == nil || told.Recommendations[made].Outcome.RunID != after.ID ||
		told.Recommendations[made].Outcome.LowAfter != float64(after.Totals.LowScoreCount) {
		t.Fatalf("a change that was made in run %s is told as %+v", after.ID, told.Recommendations)
	}
	if came := told.Recommendations[made].Came(); !strings.Contains(came.EN, "Made and measured in run "+after.ID) ||
		!strings.Contains(came.JA, "実行 "+after.ID+" で変更済み") || strings.Contains(came.EN, "not tried") {
		t.Errorf("%+v", came)
	}
	if _, err := CompareCauses(t.Context(), w.Workbench, both[0], both[1]); !problem.Is(err, problem.NotFound) {
		t.Errorf("only one of two runs was diagnosed: %v", err)
	}
	if after.Totals.LowScoreCount > 0 {
		if _, err := Diagnose(t.Context(), w.Workbench, after.ID, DiagnoseRules{}); err != nil {
			t.Fatal(err)
		}
		c, err := CompareCauses(t.Context(), w.Workbench, both[0], both[1])
		if err != nil || len(c.Moves) == 0 || len(c.Changes) == 0 {
			t.Errorf("moves %v, changes %v, %v", c.Moves, c.Changes, err)
		}
	}
	for _, nth := range []int{0, 99} {
		if _, _, err := RepairExperiment(t.Context(), w.Workbench, run.ID, nth); problem.CodeOf(err) != "recommendation" {
			t.Errorf("recommendation %d: %v", nth, err)
		}
	}
}

// TestTrialsArePricedAndBooked: what a bought model would have to be asked is said first, is bought only when it is asked for, is booked
// to a run of its own, and is known afterwards.
func TestTrialsArePricedAndBooked(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"],
		Answer: fakeprovider.Offline(laboratory.CauseOfflineHandlers())})
	run := w.Worked(t, strings.NewReplacer("name: bought", "name: costly", "k: 2", "k: 1", "size: 80", "size: 60").Replace(apptest.Bought))
	if _, err := PlanTrials(t.Context(), w.Workbench, run.ID); problem.CodeOf(err) != "causes_unknown" {
		t.Errorf("before a diagnosis: %v", err)
	}
	if _, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{Trials: 2}); err != nil {
		t.Fatal(err)
	}
	before := w.Billed("chat/completions")
	plan, err := PlanTrials(t.Context(), w.Workbench, run.ID)
	if err != nil || plan.Free || plan.Configurations == 0 || plan.Calls == 0 || w.Billed("chat/completions") != before {
		t.Fatalf("planned %+v for %d calls, %v", plan, w.Billed("chat/completions")-before, err)
	}
	if r, err := CauseReport(t.Context(), w.Workbench, run.ID, ""); err != nil || r.Recommendations[0].Outcome != nil {
		t.Errorf("tried without being asked, %v", err)
	}
	done, err := TryRecommendations(t.Context(), w.Workbench, run.ID, experiments.Budget{})
	bought := w.Billed("chat/completions") - before
	if err != nil || done.State != experiments.Finished || bought == 0 || bought > plan.Calls {
		t.Fatalf("%s: %d calls of at most %d, %v", done.State, bought, plan.Calls, err)
	}
	if spent, err := w.Store.Spent(t.Context(), done.ID); err != nil || spent.Calls < bought {
		t.Errorf("%d of %d calls are booked to the trial, %v", spent.Calls, bought, err)
	}
	r, err := CauseReport(t.Context(), w.Workbench, run.ID, "")
	if err != nil || r.DiagnoseID == done.ID || len(r.Curve) == 0 || !r.Curve[0].Tried {
		t.Errorf("afterwards %+v, %v", r.Curve, err)
	}
	if _, err := TryRecommendations(t.Context(), w.Workbench, run.ID, experiments.Budget{}); problem.CodeOf(err) != "nothing_to_try" {
		t.Errorf("again: %v", err)
	}
	if found, err := w.Whole.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("doctor: %v %v", found, err)
	}
}

func TestObservedCausesStayApart(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, shallow)
	for _, method := range []causes.CauseMethod{causes.Observed, causes.PaperWay} {
		if _, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{Method: method}); err != nil {
			t.Fatal(err)
		}
		r, err := CauseReport(t.Context(), w.Workbench, run.ID, method)
		if err != nil || r.Method != method || r.Diagnosed == 0 || len(r.Recommendations) != 0 {
			t.Errorf("%s: %+v, %v", method, r, err)
		}
		for _, d := range r.Diagnoses {
			if d.Method != method || len(d.Repairs) != 0 {
				t.Errorf("%s: %+v", method, d)
			}
		}
	}
	r, err := CauseReport(t.Context(), w.Workbench, run.ID, "")
	if err != nil || r.Method != causes.Observed {
		t.Errorf("shown by itself: %s, %v", r.Method, err)
	}
}

// TestThePapersMethodStandsBesideTheTestedOne diagnoses a run in both ways: the control arm shows both, answer by answer.
func TestThePapersMethodStandsBesideTheTestedOne(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, shallow)
	if _, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{Method: causes.PaperWay}); err != nil {
		t.Fatal(err)
	}
	if known, err := AnalysesOf(t.Context(), w.Workbench, experiments.Evaluation{Run: run}); err != nil || known.Causes != nil {
		t.Errorf("the control arm passes for the causes of the run: %+v, %v", known.Causes, err)
	}
	alone, err := CauseReport(t.Context(), w.Workbench, run.ID, causes.PaperWay)
	if err != nil || alone.Beside != nil {
		t.Errorf("without a tested diagnosis: %+v, %v", alone.Beside, err)
	}
	if _, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{Method: causes.Tested}); err != nil {
		t.Fatal(err)
	}
	paper, err := CauseReport(t.Context(), w.Workbench, run.ID, causes.PaperWay)
	if err != nil || paper.Beside == nil {
		t.Fatalf("%+v, %v", paper, err)
	}
	tested, err := CauseReport(t.Context(), w.Workbench, run.ID, causes.Tested)
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
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, shallow)
	for code, rules := range map[string]DiagnoseRules{
		"no_low_scores": {Select: app.Select{Filter: []string{"theme:none"}}}, "cause_method": {Method: "guess"},
		"cause_trials": {Trials: 1},
	} {
		_, err := Diagnose(t.Context(), w.Workbench, run.ID, rules)
		if problem.CodeOf(err) != code || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestUntoldLowScoresAreNoGoodNews: of scores of another tool nobody knows which are low, and that none is was said.
func TestUntoldLowScoresAreNoGoodNews(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	file := w.Write(t, "ragas.csv", "user_input,response,reference,faithfulness\nHow long?,A week,A day,0.1\nHow far?,A mile,A mile,0.9\n")
	if _, err := w.ImportResults(t.Context(), file, app.ResultsOptions{Name: "theirs"}); err != nil {
		t.Fatal(err)
	}
	run, err := w.RunOfResults(t.Context(), "theirs")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Diagnose(t.Context(), w.Workbench, run, DiagnoseRules{})
	if problem.CodeOf(err) != "low_untold" || strings.Contains(problem.From(err).Message, "no low-score") || !NothingLow(err) {
		t.Errorf("%v", err)
	}
}

// TestAnalysesOfAnExperiment makes what an experiment asks for, within what its run left of the budget.
func TestAnalysesOfAnExperiment(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, shallow)
	done, err := Analyse(t.Context(), w.Workbench, run, []experiments.Run{run}, []string{"causes", "questions"}, experiments.Budget{})
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
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"],
		Answer: fakeprovider.Offline(laboratory.CauseOfflineHandlers())})
	costly := w.Worked(t, strings.Replace(apptest.Bought, "k: 2", "k: 1", 1))
	spent, err := w.Store.Spent(t.Context(), costly.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Analyse(t.Context(), w.Workbench, costly, []experiments.Run{costly}, []string{"causes"},
		experiments.Budget{Calls: spent.Calls})
	if problem.CodeOf(err) != "budget_spent" {
		t.Errorf("a budget that its run used up: %v", err)
	}
}

// TestTheCallsPlannedAreNearThoseMade, whether the judge votes or always says the same: then no vote is bought twice, and a plan that
// counted them was several times too dear.
func TestTheCallsPlannedAreNearThoseMade(t *testing.T) {
	t.Parallel()
	for _, same := range []bool{false, true} {
		w := apptest.NewPriced(t)
		p := w.Providers.Config.Providers["openai"]
		p.Deterministic = same
		w.Providers.Config.Providers["openai"] = p
		run := w.Worked(t, strings.Replace(apptest.Bought, "size: 80", "size: 40", 1))
		plan, err := PlanDiagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{})
		if err != nil || plan.LowScores < 2 {
			t.Fatalf("planned %+v, %v", plan, err)
		}
		done, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{})
		if err != nil {
			t.Fatal(err)
		}
		spent, err := w.Store.Spent(t.Context(), done.ID)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("same verdicts %v: planned %d for %d, made %d for %d", same, plan.Typical, plan.Micros, spent.Calls, spent.ConfirmedMicros)
		if most := map[bool]float64{false: 2.5, true: 4}[same]; float64(plan.Typical) > most*float64(spent.Calls) || float64(spent.Calls) > 2.5*float64(plan.Typical) {
			t.Errorf("same verdicts %v: planned %d calls, made %d", same, plan.Typical, spent.Calls)
		}
	}
}
