package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// logged writes a log of the first n questions, each answered with its rule.
func logged(w *apptest.World, t *testing.T, n int) string {
	t.Helper()
	w.Write(t, "log.jsonl", apptest.Lines(n, func(i int) any {
		return map[string]any{"question": apptest.AskedQuestions[i], "answer": apptest.Rules[i],
			"contexts":   []any{map[string]any{"text": apptest.Rules[i]}},
			"latency_ms": 100 + i}
	}))
	return w.Dir + "/log.jsonl"
}

func TestAPartialLogShowsItsCoverage(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	got, err := w.ImportAnswers(t.Context(), logged(w, t, 5), app.AnswersOptions{Name: "bot", Dataset: "asked", Corpus: "rules"})
	if err != nil || len(got.Missing) != len(apptest.AskedQuestions)-5 || got.Missing[0] != "q5" {
		t.Fatalf("%+v, %v", got, err)
	}
	x, _, err := w.Experiment(t.Context(), "bot")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Plan(t.Context(), []app.Job{w.JobOf(t, x)}); err != nil {
		t.Error(err)
	}
	run, err := w.Run(t.Context(), w.JobOf(t, x))
	if err != nil || run.Totals.Errors[llm.CauseNoLoggedAnswer] == 0 || run.Totals.Scores["hit"].N != 5 {
		t.Errorf("%+v, %v", run.Totals, err)
	}
}

func TestImportsOfAnswersMakeVersionsAndKeepTheExperiment(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	options := app.AnswersOptions{Name: "bot", Dataset: "asked", Corpus: "rules", Model: "openai/judge-1"}
	first, err := w.ImportAnswers(t.Context(), logged(w, t, 4), options)
	if err != nil {
		t.Fatal(err)
	}
	options.Model, options.Corpus = "", ""
	same, err := w.ImportAnswers(t.Context(), logged(w, t, 4), options)
	if err != nil || same.Created || same.Ref != first.Ref || same.Revision != 1 {
		t.Errorf("the same file again: %+v, %v", same, err)
	}
	second, err := w.ImportAnswers(t.Context(), logged(w, t, 6), options)
	if err != nil || second.Version != 2 || second.Revision != 1 {
		t.Errorf("another file: %+v, %v", second, err)
	}
	x, err := w.Store.Experiment(t.Context(), "bot")
	if err != nil || x.Definition.Judge.String() != "openai/judge-1" || x.Definition.Corpus != "rules" {
		t.Errorf("the experiment lost its judge or corpus: %+v, %v", x.Definition, err)
	}
}

func TestNothingIsImportedWhenAnythingIsWrong(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Write(t, "bad.jsonl", fmt.Sprintf("{\"question\":%q,\"answer\":\"a\"}\n{\"question\":\"Who?\",\"answer\":\"b\"}\n",
		apptest.AskedQuestions[0]))
	w.Write(t, "base.yaml", "name: base\ncorpus: rules\ndataset: asked\n")
	if _, _, err := w.Experiment(t.Context(), w.Dir+"/base.yaml"); err != nil {
		t.Fatal(err)
	}
	good := logged(w, t, 3)
	for name, test := range map[string]struct {
		file string
		o    app.AnswersOptions
		code string
	}{
		"a wrong row":      {w.Dir + "/bad.jsonl", app.AnswersOptions{Name: "bot", Dataset: "asked"}, "dataset_rows"},
		"unknown dataset":  {good, app.AnswersOptions{Name: "bot", Dataset: "nope"}, "dataset_unknown"},
		"unknown corpus":   {good, app.AnswersOptions{Name: "bot", Dataset: "asked", Corpus: "nope"}, "corpus_unknown"},
		"unknown model":    {good, app.AnswersOptions{Name: "bot", Dataset: "asked", Model: "mystery/x"}, "provider_unknown"},
		"model of no form": {good, app.AnswersOptions{Name: "bot", Dataset: "asked", Model: "x"}, "experiment_field"},
		"a taken name":     {good, app.AnswersOptions{Name: "base", Dataset: "asked"}, "experiment_exists"},
		"no name":          {good, app.AnswersOptions{Name: "../x", Dataset: "asked"}, "name"},
		"no file":          {w.Dir + "/none.jsonl", app.AnswersOptions{Name: "bot", Dataset: "asked"}, ""},
	} {
		if _, err := w.ImportAnswers(t.Context(), test.file, test.o); err == nil || test.code != "" && problem.CodeOf(err) != test.code {
			t.Errorf("%s: %v (%s)", name, err, problem.CodeOf(err))
		}
	}
	if logs, err := w.Store.Logs(t.Context()); err != nil || len(logs) != 0 {
		t.Errorf("%d logs are stored, %v", len(logs), err)
	}
}

func TestALogIsNotReplayedOverOtherQuestions(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	if _, err := w.ImportAnswers(t.Context(), logged(w, t, 3), app.AnswersOptions{Name: "bot", Dataset: "asked"}); err != nil {
		t.Fatal(err)
	}
	w.Write(t, "other.jsonl", `{"question_id":"q0","question":"Something else?"}`+"\n")
	for _, name := range []string{"other", "asked"} { // another dataset, and the next version of the same
		if _, _, err := w.ImportDataset(t.Context(), w.Dir+"/other.jsonl", name, "", nil); err != nil {
			t.Fatal(err)
		}
		w.Write(t, "x.yaml", "name: x\nanswers: bot\ndataset: "+name+"\n")
		x, _, err := w.Experiment(t.Context(), w.Dir+"/x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Job(t.Context(), x, app.Select{}); problem.CodeOf(err) != "log_dataset" || !strings.Contains(problem.From(err).
			Hint, "import-answers") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
