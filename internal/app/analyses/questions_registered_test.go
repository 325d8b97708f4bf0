package analyses

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestOlderAnalysesKnowWhatIsNotAnswered: what an analysis keeps of a question is of its wording and evidence, as it always was; every
// reading of it says what the dataset registers, each version for itself.
func TestOlderAnalysesKnowWhatIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	importing := func(unanswerable map[int]bool) {
		t.Helper()
		lines := apptest.Lines(len(apptest.AskedQuestions), func(i int) any {
			return map[string]any{"question_id": fmt.Sprint("q", i), "question": apptest.AskedQuestions[i], "answerable": !unanswerable[i]}
		})
		if _, _, err := w.ImportDataset(t.Context(), w.Write(t, "some.jsonl", lines), "asked", "", nil); err != nil {
			t.Fatal(err)
		}
	}
	of := func(labels []experiments.QuestionLabels) map[string]experiments.Hops {
		out := map[string]experiments.Hops{}
		for _, l := range labels {
			out[l.QuestionID] = l.Hops
		}
		return out
	}
	importing(map[int]bool{1: true, 4: true})
	run := w.Worked(t, "name: base\nbase: {retrieve: {mode: bm25, k: 1}, generate: {provider: offline, model: closed-book}}\n")
	r := analysed(w, t, "base", QuestionRules{NoSearch: true})
	kept, err := experiments.Findings[experiments.QuestionLabels](t.Context(), w.Store, r.AnalyseID)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]experiments.Hops{}
	for id, l := range kept {
		if l.Hops != experiments.SingleHop && l.Hops != experiments.MultiHop {
			t.Errorf("%s is kept as %s", id, l.Hops)
		}
		want[id] = l.Hops
	}
	want["q1"], want["q4"] = "unanswerable", "unanswerable"
	if diff := cmp.Diff(want, of(r.Questions)); diff != "" {
		t.Errorf("the report: %s", diff)
	}
	if c := r.Categories[len(r.Categories)-1]; c.Label != "unanswerable" || c.Count != 2 {
		t.Errorf("the last category is %+v", c)
	}
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	known, err := AnalysesOf(t.Context(), w.Workbench, e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, of(known.Questions.Questions)); diff != "" {
		t.Errorf("pages and targets: %s", diff)
	}
	importing(map[int]bool{4: true, 5: true}) // the same wording, registered otherwise
	want["q1"], want["q5"] = kept["q1"].Hops, "unanswerable"
	newer, err := QuestionReport(t.Context(), w.Workbench, "asked")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, of(newer.Questions)); diff != "" || newer.AnalyseID != r.AnalyseID {
		t.Errorf("the next version, by %s: %s", newer.AnalyseID, diff)
	}
	if again := analysed(w, t, "asked", QuestionRules{NoSearch: true}); len(again.Changed) > 0 {
		t.Errorf("registering is no other label: %q", again.Changed)
	}
}
