package app_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestAnchorsTellTheJudgeFromTheSystem lets the judge become stricter by a level between two votes on the same answers.
func TestAnchorsTellTheJudgeFromTheSystem(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	score := 4
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"],
		Responder: func(_, _, _ string, schema []byte) (string, error) {
			if strings.Contains(string(schema), `"score"`) {
				return fmt.Sprintf(`{"reason":"as it seems","score":%d}`, score), nil
			}
			return "An answer.", nil
		}})
	w.Write(t, "many.jsonl", apptest.Lines(12, func(i int) any {
		return map[string]any{"question_id": fmt.Sprintf("a%d", i), "question": fmt.Sprintf("Rule number %d?", i), "reference": "A rule."}
	}))
	if _, _, err := w.ImportDataset(t.Context(), filepath.Join(w.Dir, "many.jsonl"), "many", "rules", nil); err != nil {
		t.Fatal(err)
	}
	yaml := "corpus: rules\ndataset: many\nsuite: [correctness]\njudge: {provider: openai, model: judge-1}\nbase: {retrieve: {mode: bm25, k: 1}, generate: {provider: offline, model: %s}}\nname: %s\n"
	run := func(model, name string) string {
		e, _, err := w.Experiment(t.Context(), w.Write(t, name+".yaml", fmt.Sprintf(yaml, model, name)))
		if err != nil {
			t.Fatal(err)
		}
		j, err := w.Job(t.Context(), e, app.Select{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	fixed, before := run("extractive", "fixed"), run("terse", "before")
	if _, _, err := w.Compare(t.Context(), before, before, fixed); problem.CodeOf(err) != "anchors" {
		t.Errorf("anchors that were judged once: %v", err)
	}
	score = 3
	if _, err := w.Replicates(t.Context(), fixed, 1); err != nil {
		t.Fatal(err)
	}
	after := run("closed-book", "after")
	c, _, err := w.Compare(t.Context(), before, after, fixed)
	if err != nil {
		t.Fatal(err)
	}
	d := c.Metrics["correctness"].Drift
	if d == nil || d.From != compare.FromAnchors || d.Judge != -1 || d.System != 0 {
		t.Errorf("the judge fell by a level and the system by nothing: %+v", d)
	}
}
