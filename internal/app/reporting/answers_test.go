package reporting

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// logged writes a log of the first n questions, each answered with its rule.
func logged(w *apptest.World, t *testing.T, n int) string {
	t.Helper()
	w.Write(t, "log.jsonl", apptest.Lines(n, func(i int) any {
		return map[string]any{"question": apptest.AskedQuestions[i], "answer": apptest.Rules[i],
			"contexts": []any{map[string]any{"text": apptest.Rules[i]}}, "latency_ms": 100 + i}
	}))
	return w.Dir + "/log.jsonl"
}

func TestLoggedAnswersAreAnExperiment(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	got, err := w.ImportAnswers(t.Context(), logged(w, t, len(apptest.AskedQuestions)),
		app.AnswersOptions{Name: "bot", Dataset: "asked", Corpus: "rules"})
	if err != nil || got.String() != "bot@1" || !got.Created || got.Answers != len(apptest.AskedQuestions) || len(got.Missing) != 0 ||
		got.Experiment != "bot" {
		t.Fatalf("%+v, %v", got, err)
	}
	x, _, err := w.Experiment(t.Context(), "bot")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := w.Plan(t.Context(), []app.Job{w.JobOf(t, x)})
	if err != nil || plan.Buy != 0 {
		t.Errorf("plan %+v, %v", plan, err)
	}
	run, err := w.Run(t.Context(), w.JobOf(t, x))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := w.Store.Calls(t.Context(), run.ID); err != nil || len(c) != 0 {
		t.Errorf("%d calls, %v", len(c), err)
	}
	if got := run.Totals.Scores["span_coverage"]; got.N != len(apptest.AskedQuestions) || got.Mean != 1 ||
		run.Totals.Coverage.Scored != run.Totals.Coverage.Applicable {
		t.Errorf("%+v", run.Totals)
	}
	if run.Setup.Config.Log.String() != "bot@1" || run.Setup.Config.Log.Digest == "" || !run.Setup.Settled {
		t.Errorf("setup %+v", run.Setup)
	}
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, run.ID)
	if err != nil || e.Results[3].LatencyMS != 103 {
		t.Errorf("latency %d is not the log's, %v", e.Results[3].LatencyMS, err)
	}
	// The system under test of this world, and the log of another one: compared like any two runs.
	w.Write(t, "base.yaml", "name: base\ncorpus: rules\ndataset: asked\n")
	b, _, err := w.Experiment(t.Context(), w.Dir+"/base.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Run(t.Context(), w.JobOf(t, b)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Compare(t.Context(), "base", "bot"); err != nil {
		t.Error(err)
	}
	if _, err := Report(t.Context(), w.Workbench, "base", "bot", "ja", "test", GateAsked{}); err != nil {
		t.Error(err)
	}
}
