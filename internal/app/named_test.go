package app_test

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestMistypedNamesAreRefusedWhenAnExperimentIsRegistered: at the line of the file that holds them, with what was meant.
func TestMistypedNamesAreRefusedWhenAnExperimentIsRegistered(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Write(t, "rules.md", "# Refunds\n\nRefunds take 30 days.\n")
	w.Write(t, "asked.csv", "id,question,reference,theme\nq1,How long do refunds take?,30 days,refunds\n")
	head := "name: named\ncorpus: " + w.Dir + "/rules.md\ndataset: " + w.Dir + "/asked.csv\n"
	goal := "goals:\n  - {theme: refunds, metric: low_score_share, target: 5%}\n"
	e, _, err := w.Experiment(t.Context(), w.Write(t, "good.yaml", head+goal))
	if err != nil || e.Definition.Goals[0].Target != 0.05 {
		t.Fatal(e.Definition.Goals, err)
	}
	for text, want := range map[string]string{
		head + "base:\n  embedding: {provider: ofline, model: hash}\n": "" +
			`line 5: base.embedding.provider: there is no provider "ofline" (did you mean "offline"?)`,
		head + strings.Replace(goal, "refunds", "refnuds", 1): "" +
			`line 5: goals (entry 1).theme: no question of asked has the theme "refnuds" (did you mean "refunds"?)`,
		strings.Replace(head, "dataset: "+w.Dir+"/asked.csv", "dataset: askde", 1): "" +
			`line 3: there is no dataset "askde" (did you mean "asked"?)`,
		strings.Replace(head, "corpus: "+w.Dir+"/rules.md", "corpus: rulse", 1): "" +
			`line 2: there is no corpus "rulse" (did you mean "rules"?)`,
	} {
		_, _, err := w.Experiment(t.Context(), w.Write(t, "bad.yaml", text))
		p := problem.From(err)
		if p == nil || !strings.Contains(p.Message, want) || p.Hint == "" || !strings.Contains(p.In("ja").Message, "ではありませんか") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := w.Store.Experiment(t.Context(), "namde"); err == nil || !strings.Contains(err.Error(), `did you mean "named"`) {
		t.Error(err)
	}
}
