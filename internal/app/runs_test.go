package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestSameWorkIsByteIdenticalInFreshDirectories(t *testing.T) {
	t.Parallel()
	var results [2][]string
	for i := range results {
		w := apptest.NewWorld(t, "")
		e := w.Registered(t, apptest.Offline)
		jobs, _, err := w.SweepJobs(t.Context(), e, app.Select{})
		if err != nil {
			t.Fatal(err)
		}
		_, runs, err := w.Sweep(t.Context(), e, jobs)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			results[i] = append(results[i], w.EvaluationFile(t, r.ID))
		}
	}
	if diff := cmp.Diff(results[0], results[1]); diff != "" {
		t.Errorf("first and second directory differ:\n%s", diff)
	}
}

func TestSameWorkAgainInOneDirectory(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	first, second := w.Worked(t, apptest.Offline), w.Worked(t, apptest.Offline)
	if first.ID == second.ID {
		t.Fatalf("both runs are %s", first.ID)
	}
	if first.Chain != second.Chain {
		t.Errorf("chains differ: %s, %s", first.Chain, second.Chain)
	}
	if diff := cmp.Diff(first.Totals, second.Totals); diff != "" {
		t.Errorf("totals (-first +second):\n%s", diff)
	}
}

func TestEnginesAgree(t *testing.T) {
	t.Parallel()
	database := apptest.Postgres(t)
	lite, large := apptest.NewWorld(t, ""), apptest.NewWorld(t, database)
	a, b := lite.Worked(t, apptest.Offline), large.Worked(t, apptest.Offline)
	if diff := cmp.Diff(lite.EvaluationFile(t, a.ID), large.EvaluationFile(t, b.ID)); diff != "" {
		t.Errorf("SQLite and PostgreSQL differ:\n%s", diff)
	}
}

func TestInterruptedRunGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	plan, err := w.Plan(t.Context(), []app.Job{w.JobFile(t, apptest.Bought)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: apptest.Respond,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if r.N == plan.ExpectedBuy/2 {
				interrupt()
			}
			return fakeprovider.Behaviour{}
		}})
	w.OpenAgain(t, "")
	_, err = w.Run(ctx, w.JobFile(t, apptest.Bought))
	if p := problem.From(err); p == nil || p.Kind != problem.Incomplete || !strings.Contains(p.Hint, "runs resume") {
		t.Fatalf("interrupted run ends with %v", err)
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil || len(runs) != 1 || runs[0].State != experiments.Paused || runs[0].Cause != "interrupted" {
		t.Fatalf("runs = %+v, %v", runs, err)
	}
	w.OpenAgain(t, "") // another process
	resumed, err := w.Resume(t.Context(), runs[0].ID[:6])
	if err != nil {
		t.Fatal(err)
	}
	paid := len(w.Provider.Ledger())
	again := w.Worked(t, apptest.Bought) // everything is known now
	if again.Chain != resumed[0].Chain || len(w.Provider.Ledger()) != paid {
		t.Errorf("resumed %s, uninterrupted %s; %d calls bought again", resumed[0].Chain, again.Chain, len(w.Provider.Ledger())-paid)
	}
	once := 0
	for _, s := range plan.Stages {
		if s.Stage != "embed" {
			once += s.Buy
		}
	}
	if got := w.Billed("chat/completions"); got > once+2 {
		t.Errorf("%d completions are needed, %d were paid: more than the two in flight were paid twice", once, got)
	}
}

func TestPlanIsWhatIsBought(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	job := w.JobFile(t, apptest.Bought)
	plan, err := w.Plan(t.Context(), []app.Job{job})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(w.Provider.Ledger()); n != 0 {
		t.Fatalf("planning made %d calls", n)
	}
	if plan.PriceKnown {
		t.Error("the price of a model without a price is known")
	}
	run, err := w.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	expected, most := 0, 0
	for _, s := range plan.Stages {
		if s.Stage != "embed" { // counted in texts, bought in batches
			expected, most = expected+s.ExpectedBuy, most+s.Buy
		}
	}
	if got := w.Billed("chat/completions"); got > most || got > expected*11/10 || got < expected*9/10 {
		t.Errorf("planned %d completions and %d at most, bought %d", expected, most, got)
	}
	spent, err := w.Store.Spent(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if spent.Calls != len(w.Provider.Ledger()) || spent.UnknownPrice != spent.Calls {
		t.Errorf("ledger = %+v; the provider billed %d", spent, len(w.Provider.Ledger()))
	}
	if plan, err = w.Plan(t.Context(), []app.Job{job}); err != nil || plan.Buy != 0 {
		t.Errorf("after the run, %d calls are left to buy (%v)", plan.Buy, err)
	}
}

func TestSweepOverKBuysOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, apptest.Bought)
	embeddings, completions := w.Billed("embeddings"), w.Billed("chat/completions")
	w.Worked(t, strings.Replace(apptest.Bought, "k: 2", "k: 3", 1))
	if got := w.Billed("embeddings"); got != embeddings {
		t.Errorf("a larger k bought %d embedding calls", got-embeddings)
	}
	if got := w.Billed("chat/completions"); got == completions {
		t.Error("a larger k changes the contexts, but nothing was generated")
	}
	before := len(w.Provider.Ledger())
	w.Worked(t, strings.Replace(apptest.Bought, "name: bought", "name: renamed", 1))
	if got := len(w.Provider.Ledger()); got != before {
		t.Errorf("the same configuration under another name bought %d calls", got-before)
	}
}

func TestInfrastructureIsNeverABadAnswer(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: apptest.Respond,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			switch {
			case strings.Contains(r.User, "pet cage") && r.Schema == nil:
				return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
			case strings.Contains(r.User, "typhoon") && strings.Contains(string(r.Schema), `"score"`):
				return fakeprovider.Behaviour{Fault: fakeprovider.Malformed}
			}
			return fakeprovider.Behaviour{}
		}})
	w.OpenAgain(t, "")
	run := w.Worked(t, apptest.Bought)
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	pet, _ := e.Result("q4")
	if pet.Answer != nil || pet.Failure == nil || pet.Failure.Cause != "provider_server" || pet.Low(experiments.UsualLow(2)) {
		t.Errorf("unanswered question = %+v", pet)
	}
	for _, s := range pet.Scores {
		ofRetrieval := slices.Contains([]string{"context_recall", "context_precision", "hit", "span_coverage", "fully_covered", "mrr",
			"ndcg"}, s.Metric)
		if ofRetrieval && s.State != metrics.Scored || !ofRetrieval && (s.State != metrics.Errored || s.Reason != "provider_server") {
			t.Errorf("score without an answer = %+v", s)
		}
	}
	if pet.Retrieved == nil || len(pet.Retrieved.Hits) != 2 || pet.Retrieved.Hits[0].Text == "" {
		t.Errorf("retrieved without an answer = %+v", pet.Retrieved)
	}
	typhoon, _ := e.Result("q5")
	if s, _ := typhoon.Score("correctness"); s.State != metrics.Errored || typhoon.Answer == nil {
		t.Errorf("score of a broken judge reply = %+v", s)
	}
	if s, _ := typhoon.Score("hit"); s.State != metrics.Scored {
		t.Errorf("a metric without the judge = %+v", s)
	}
	if run.Totals.LowScoreCount != 0 || run.Totals.Coverage.Scored >= run.Totals.Coverage.Applicable ||
		run.Totals.Scores["correctness"].N != len(apptest.AskedQuestions)-2 {
		t.Errorf("totals = %+v", run.Totals)
	}
}

func TestRefusedKeyPausesTheRun(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	job := w.JobFile(t, apptest.Bought)
	right := w.Env["OPENAI_API_KEY"]
	w.Env["OPENAI_API_KEY"] = "wrong-key-0123456789abcdef"
	w.OpenAgain(t, "")
	_, err := w.Run(t.Context(), job)
	if p := problem.From(err); p == nil || p.Kind != problem.Incomplete || p.Params["cause"] != "provider_auth" {
		t.Fatalf("error = %#v", err)
	}
	if strings.Contains(fmt.Sprintf("%+v", err), "wrong-key") {
		t.Error("the error shows the key")
	}
	if n := len(w.Provider.Ledger()); n > 2 {
		t.Errorf("%d calls were made with a key that is refused", n)
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil || runs[0].State != experiments.Paused {
		t.Fatalf("runs = %+v, %v", runs, err)
	}
	w.Env["OPENAI_API_KEY"] = right
	w.OpenAgain(t, "")
	if resumed, err := w.Resume(t.Context(), runs[0].ID); err != nil || resumed[0].State != experiments.Finished {
		t.Errorf("resumed = %+v, %v", resumed, err)
	}
}

func TestRunKeepsTheSetupItStartedWith(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	job := w.JobFile(t, apptest.Offline)
	if _, err := w.Run(ctx, job); err == nil {
		t.Fatal("a cancelled run finished")
	}
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) == 0 {
		if _, err := w.Runner(job.Setup).Create(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: job.Setup},
			job.Questions); err != nil {
			t.Fatal(err)
		}
		if runs, err = w.Store.Runs(t.Context(), experiments.RunFilter{}); err != nil {
			t.Fatal(err)
		}
	}
	w.Registered(t, strings.Replace(apptest.Offline, "k: 2", "k: 1", 1)) // the next revision
	w.Write(t, "questions.jsonl", `{"question_id":"other","question":"Anything?","reference":"No."}`)
	if _, _, err := w.ImportDataset(t.Context(), w.Dir+"/questions.jsonl", "asked", "rules", nil); err != nil {
		t.Fatal(err)
	}
	resumed, err := w.Resume(t.Context(), runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if k := resumed[0].Setup.Config.Retrieve.K; k != 2 || resumed[0].Totals.Questions != len(apptest.AskedQuestions) {
		t.Errorf("k = %d, %d questions", k, resumed[0].Totals.Questions)
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e := w.Registered(t, apptest.Offline)
	for _, tt := range []struct {
		s    app.Select
		want []string
	}{
		{app.Select{}, nil},
		{app.Select{Limit: 3}, []string{"q0", "q1", "q2"}},
		{app.Select{Filter: []string{"theme:people"}, Limit: 2}, []string{"q1", "q3"}},
		{app.Select{Filter: []string{"theme:money", "critical"}}, []string{"q0"}},
	} {
		j, err := w.Job(t.Context(), e, tt.s)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, j.Setup.Questions); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.s, diff)
		}
	}
	if _, err := w.Job(t.Context(), e, app.Select{Filter: []string{"theme:none"}}); problem.CodeOf(err) != "no_questions" {
		t.Errorf("error = %v", err)
	}
}
