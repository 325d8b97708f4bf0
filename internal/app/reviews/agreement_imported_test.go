package reviews

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/problem"
)

const importedResults = `user_input,response,reference,retrieved_contexts,faithfulness,zorkness
How long?,A week,A week,"['A week it is']",0.9,0.2
How far?,A mile,Two miles,"['Two miles it is']",0.5,0.4
`

// TestTargetsOnMetricsOfOtherTools: one whose direction is known, or was said as it was imported, is a target like any other; nothing is
// imported before that is said. No action is done in a run without correctness and trust.
func TestTargetsOnMetricsOfOtherTools(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	file := w.Write(t, "ragas.csv", importedResults)
	if _, err := w.ImportResults(t.Context(), file, app.ResultsOptions{Name: "old"}); problem.CodeOf(err) != "direction_unknown" {
		t.Errorf("scores of which nobody knows which way is better: %v", err)
	}
	first, err := w.ImportResults(t.Context(), file, app.ResultsOptions{Name: "old",
		ForeignOptions: foreign.ForeignOptions{Higher: []string{"ragas.zorkness"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range first.NotesJA {
		if n == first.Notes[i] {
			t.Errorf("%q has no Japanese", n)
		}
	}
	if len(first.Notes) == 0 || len(first.Notes) != len(first.NotesJA) {
		t.Errorf("%q in Japanese: %q", first.Notes, first.NotesJA)
	}
	set := func(yaml string) error {
		_, _, err := SetAgreement(t.Context(), w.Workbench, first.Dataset.Name, AgreementChange{File: agreedFile(t, yaml)})
		return err
	}
	asked, err := w.Store.Dataset(t.Context(), first.Dataset.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := set("{agreed_by: [me], targets: [{metric: ragas.faithfulness, target: 0.6}], items: [{questions: ['" + asked.Questions[0].ID +
		"'], action: x}]}"); err != nil {
		t.Fatal(err)
	}
	p, err := AgreementProgress(t.Context(), w.Workbench, first.Dataset.Name, "")
	if err != nil || p.Rated != 0 || p.Untold != 2 || p.Items[0].State != progress.ItemUntold || p.Targets[0].State != progress.TargetMet ||
		p.Targets[0].AtMost {
		t.Errorf("%+v, %v", p, err)
	}
	if err := set("{agreed_by: [me], targets: [{metric: ragas.zorkness, target: 0.6}]}"); err != nil {
		t.Errorf("once it was said that more is better: %v", err)
	}
	if err := set("{agreed_by: [me], targets: [{metric: ragas.nothing, target: 0.6}]}"); problem.CodeOf(err) != "agreement_field" {
		t.Errorf("a metric that no run has: %v", err)
	}
}

// TestScoresOfOthersAreNotDealt: the queue chooses by what a judge said of correctness or trust, and says so where nobody did.
func TestScoresOfOthersAreNotDealt(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	done, err := w.ImportResults(t.Context(), w.Write(t, "ragas.csv", importedResults), app.ResultsOptions{Name: "old",
		ForeignOptions: foreign.ForeignOptions{Higher: []string{"ragas.zorkness"}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = DealQueue(t.Context(), w.Workbench, done.RunID, QueueOrder{Reviewers: []string{"Ann"}, Answers: 2})
	if problem.CodeOf(err) != "queue_unjudged" {
		t.Errorf("dealt, or told another reason: %v", err)
	}
	evaltest.InJapanese(t, err)
}

// TestMarksThatTheDatasetLacksAreTold: where the questions are registered without their marks, an import with them says what counts.
func TestMarksThatTheDatasetLacksAreTold(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	o := app.ResultsOptions{Name: "old", ForeignOptions: foreign.ForeignOptions{Higher: []string{"ragas.zorkness"}}}
	if _, err := w.ImportResults(t.Context(), w.Write(t, "ragas.csv", importedResults), o); err != nil {
		t.Fatal(err)
	}
	marked := strings.NewReplacer("zorkness\n", "zorkness,critical\n", "0.2\n", "0.2,yes\n", "0.4\n", "0.4,no\n").Replace(importedResults)
	o.Name = "new"
	done, err := w.ImportResults(t.Context(), w.Write(t, "marked.csv", marked), o)
	if err != nil {
		t.Fatal(err)
	}
	told := slices.IndexFunc(done.Notes, func(n string) bool { return strings.Contains(n, "of 1 question the file marks as critical") })
	if told < 0 || done.NotesJA[told] == done.Notes[told] {
		t.Errorf("told %q, %q", done.Notes, done.NotesJA)
	}
	if again, err := w.ImportResults(t.Context(), w.Write(t, "plain.csv", importedResults), app.ResultsOptions{Name: "third",
		ForeignOptions: o.ForeignOptions}); err != nil || strings.Contains(strings.Join(again.Notes, "\n"), "marks as critical") {
		t.Errorf("a file without marks: %q, %v", again.Notes, err)
	}
}
