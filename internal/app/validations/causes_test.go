package validations

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestValidateCausesOnOwnText puts faults into a registered dataset, and finds them by the scripted and by the offline judge.
func TestValidateCausesOnOwnText(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	v := CauseValidation{Items: "asked", Corpus: "rules", Noise: []float64{0}, Batches: 3,
		Conditions: []string{"ideal", "database_deleted"}, Seed: 1}
	for _, judge := range []string{"", "offline"} {
		v.Judge = judge
		heard := 0
		v.Hear = func(validation.CauseFinding) { heard++ }
		rows, err := ValidateCauses(t.Context(), w.Workbench, v)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 2 || rows[0].Material != "asked" || rows[1].Condition != "database_deleted" || heard != rows[0].N+rows[1].N {
			t.Fatalf("judge %q: heard of %d, %+v", judge, heard, rows)
		}
		if r := rows[1]; r.N < 9 || 10*r.ReallyWrong.Right < 9*r.ReallyWrong.N {
			t.Errorf("judge %q: %d of %d really wrong ones, of %d: %v", judge, r.ReallyWrong.Right, r.ReallyWrong.N, r.N, r.ComponentLevel)
		}
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{Kind: experiments.KindValidate})
	if err != nil || len(runs) != 1 || runs[0].State != experiments.Finished || !runs[0].Setup.Offline {
		t.Errorf("the runs are %+v, %v", runs, err)
	}
	if findings, err := w.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("doctor: %v %v", findings, err)
	}
}

// TestValidateCausesKeepsToItsBudget stops a judge that costs money, and books to a run what it cost.
func TestValidateCausesKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	_, err := ValidateCauses(t.Context(), w.Workbench, CauseValidation{
		Items: "asked", Corpus: "rules", Judge: "openai/judge-1", Conditions: []string{"ideal"}, Budget: experiments.Budget{Calls: 3},
	})
	if problem.CodeOf(err) != "budget_spent" {
		t.Errorf("it ends with %v", err)
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{Kind: experiments.KindValidate})
	if err != nil || len(runs) != 1 || runs[0].State != experiments.Paused {
		t.Fatalf("the runs are %+v, %v", runs, err)
	}
	if spent, err := w.Store.Spent(t.Context(), runs[0].ID); err != nil || spent.Calls != 3 || len(w.Provider.Ledger()) != 3 {
		t.Errorf("%+v, %d calls, %v", spent, len(w.Provider.Ledger()), err)
	}
}

// TestValidateCausesReadsFolders takes stored answers from the columns that the validation of judges reads, and names what is
// missing.
func TestValidateCausesReadsFolders(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Write(t, "towns/corpus.jsonl", apptest.Lines(len(apptest.Rules), func(i int) any {
		return map[string]any{"doc_id": fmt.Sprintf("rule-%d", i), "text": apptest.Rules[i]}
	}))
	w.Write(t, "towns/questions.jsonl", apptest.Lines(len(apptest.AskedQuestions), func(i int) any {
		return map[string]any{
			"question_id": fmt.Sprintf("q%d", i), "question": apptest.AskedQuestions[i], "reference": apptest.RightAnswers[i],
			"answer_ungrounded": "Nobody knows.", "answer_poor": "It depends.",
			"evidence": []map[string]any{{"doc_id": fmt.Sprintf("rule-%d", i), "text": apptest.RightAnswers[i]}},
		}
	}))
	m, err := CauseMaterial(t.Context(), w.Workbench, CauseValidation{Items: filepath.Join(w.Dir, "towns")})
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "towns" || m.Usable() != len(apptest.AskedQuestions) || m.Questions[3].Ungrounded != "Nobody knows." ||
		m.Questions[3].Poor != "It depends." {
		t.Errorf("%s: %d usable, %+v", m.Name, m.Usable(), m.Questions[3])
	}
	w.Write(t, "bare/corpus.jsonl", `{"doc_id":"a","text":"One rule."}`+"\n")
	w.Write(t, "bare/questions.jsonl", `{"question":"Which?","reference":"One."}`+"\n")
	for code, items := range map[string]string{"cause_items": filepath.Join(w.Dir, "bare"), "dataset_unknown": "nothing"} {
		v := CauseValidation{Items: items}
		if code == "dataset_unknown" {
			v.Corpus = "rules"
		}
		if _, err := ValidateCauses(t.Context(), w.Workbench, v); err == nil || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// sharedText is the folder of a shared dataset; the test is skipped where it is not at hand.
func sharedText(t *testing.T, name string) string {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	path := filepath.Join(shared, "data", name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatal(err)
		}
		t.Skipf("no shared data: %v", err)
	}
	return path
}

// TestWholeSystemsWithFaults runs the product on faulty systems over two-hop questions without labels: causes, their certainty, calls
// against the plan, and what the first recommendation did.
func TestWholeSystemsWithFaults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	w := apptest.NewWorld(t, "")
	rows, err := ValidateSystems(t.Context(), w.Workbench, CauseValidation{Items: sharedText(t, "hotpotqa_100"), N: 8, Seed: 1,
		Unlabelled: true, Whole: true, Conditions: []string{"database", "retriever", "prompt", "retriever+prompt"}})
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	t.Log("\n" + validation.CauseWorldTable(rows, "en") + validation.CauseWorldSummary(rows, "en"))
	planned, made := 0.0, 0
	for _, r := range rows {
		if r.Low < 5 || 5*r.Right < 4*r.Low || r.Standing[causes.StandsTested].Right < r.Standing[causes.StandsTested].N {
			t.Errorf("%s: %d of %d right, %v", r.Condition, r.Right, r.Low, r.Standing)
		}
		for _, n := range r.Calls {
			made += n
		}
		planned += r.Planned
		if r.Condition == "database" {
			continue
		}
		if o := r.Outcome; o.Restored() < .6 || float64(o.After) > 1.2*o.Promised+1 || o.Broken > 1 {
			t.Errorf("%s: %+v", r.Condition, *o)
		}
		if r.Calls[len(r.Calls)/2] > 20 {
			t.Errorf("%s takes %v calls", r.Condition, r.Calls)
		}
	}
	if ratio := planned / float64(made); ratio < .75 || ratio > 1.25 {
		t.Errorf("%g calls were planned and %d made", planned, made)
	}
	if _, err := ValidateSystems(t.Context(), w.Workbench, CauseValidation{Items: sharedText(t, "hotpotqa_100"), N: 4,
		Conditions: []string{"sabotage"}}); problem.CodeOf(err) != "condition_unknown" {
		t.Errorf("%v", err)
	}
}

// TestValidateCausesOnWikiEval puts faults into the founding paper's data, where it is at hand.
func TestValidateCausesOnWikiEval(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	path := sharedText(t, "wikieval")
	w := apptest.NewWorld(t, "")
	rows, err := ValidateCauses(t.Context(), w.Workbench, CauseValidation{
		Items: path, Noise: []float64{.05}, Seed: 1,
		Conditions: []string{"database_deleted", "retriever_chunk", "generation_model", "system_prompt"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + validation.CauseTables(rows, "en"))
	for _, r := range rows {
		if r.N < 15 || 5*r.ReallyWrong.Right < 4*r.ReallyWrong.N {
			t.Errorf("%s: %d of %d really wrong ones, of %d: %v", r.Condition, r.ReallyWrong.Right, r.ReallyWrong.N, r.N, r.ComponentLevel)
		}
	}
}
