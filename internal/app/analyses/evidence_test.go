package analyses

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestEvidenceIsFoundReviewedAndImported takes the evidence away from a dataset, lets it be found again, and accepts it in the sheet.
func TestEvidenceIsFoundReviewedAndImported(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	labelled, err := w.Store.Dataset(t.Context(), "asked")
	if err != nil {
		t.Fatal(err)
	}
	bare := w.Write(t, "bare.jsonl", apptest.Lines(len(apptest.AskedQuestions), func(i int) any {
		return map[string]any{"question_id": labelled.Questions[i].ID, "question": apptest.AskedQuestions[i],
			"reference": labelled.Questions[i].Reference, "desk": "4"}
	}))
	if _, _, err := w.ImportDataset(t.Context(), bare, "bare", "rules", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := FindEvidence(t.Context(), w.Workbench, "bare", EvidenceRules{}); problem.CodeOf(err) != "evidence_corpus" ||
		problem.From(err).Hint == "" {
		t.Errorf("without a corpus: %v", err)
	}
	out := filepath.Join(w.Dir, "found.jsonl")
	found, err := FindEvidence(t.Context(), w.Workbench, "bare", EvidenceRules{Corpus: "rules", Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if found.Whole+found.Part+found.None != len(apptest.AskedQuestions) || found.Known != 0 ||
		found.Whole < len(apptest.AskedQuestions)-2 || !found.Offline || found.RunID == "" {
		t.Errorf("found %+v", found)
	}
	sheet := w.Read(t, "found.jsonl")
	version(w, t, out, 0)
	w.Write(t, "found.jsonl", strings.ReplaceAll(sheet, `"evidence_status":"proposed"`, `"evidence_status":"accepted"`))
	now := version(w, t, out, found.Whole+found.Part)
	right := 0
	for i, q := range now.Questions {
		was := labelled.Questions[i]
		if len(q.Evidence) > 0 && q.Evidence[0].DocID == was.Evidence[0].DocID && q.Evidence[0].Start < was.Evidence[0].End &&
			was.Evidence[0].Start < q.Evidence[0].End {
			right++
		}
		q.Evidence = nil
		if want := (experiments.Question{ID: was.ID, Text: was.Text, Reference: was.Reference, Lang: was.Lang, Answerable: true,
			Metadata: map[string]string{"desk": "4"}}); cmp.Diff(want, q) != "" {
			t.Errorf("a review of evidence changed a question: %s", cmp.Diff(want, q))
		}
	}
	if right < len(apptest.AskedQuestions)-2 {
		t.Errorf("%d of %d found places overlap the labelled ones", right, len(apptest.AskedQuestions))
	}
	if _, err := QuestionReport(t.Context(), w.Workbench, "bare"); problem.CodeOf(err) != "questions_unknown" {
		t.Errorf("a search for evidence passes for an analysis of the questions: %v", err)
	}
	if again, err := FindEvidence(t.Context(), w.Workbench, "bare", EvidenceRules{Corpus: "rules", Out: out}); err != nil ||
		again.Known != found.Whole+found.Part {
		t.Errorf("afterwards %+v, %v", again, err)
	}
}

// version imports a reviewed sheet of evidence and returns the dataset, of which some questions have evidence.
func version(w *apptest.World, t *testing.T, sheet string, evidence int) *experiments.Dataset {
	t.Helper()
	if _, _, err := w.ImportDataset(t.Context(), sheet, "bare", "rules", nil); err != nil {
		t.Fatal(err)
	}
	d, err := w.Store.Dataset(t.Context(), "bare")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, q := range d.Questions {
		if len(q.Evidence) > 0 {
			n++
		}
	}
	if len(d.Questions) != len(apptest.AskedQuestions) || n != evidence {
		t.Errorf("version %d has %d questions, %d with evidence; want %d", d.Version, len(d.Questions), n, evidence)
	}
	return d
}

// nothingFound replies as a model for which no passage says what is looked for.
func nothingFound(_, _, user string, schema []byte) (string, error) {
	purpose := laboratory.PurposeCauseClaims
	if strings.Contains(string(schema), `"verdicts"`) {
		purpose = laboratory.PurposeCauseEvidence
	}
	_, rest, _ := strings.Cut(user, ">>>\n")
	data, _, _ := strings.Cut(rest, "\n<<<END")
	reply, ok := laboratory.CauseStandIn(llm.Request{Purpose: purpose, Data: []byte(data)})
	if !ok {
		return "", errors.New("no reply")
	}
	return reply, nil
}

// TestEvidenceIsPlannedAndPaidOnce compares what a plan says with what the provider bills.
func TestEvidenceIsPlannedAndPaidOnce(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: nothingFound})
	bare := w.Write(t, "bare.jsonl", apptest.Lines(len(apptest.AskedQuestions), func(i int) any {
		return map[string]any{"question": apptest.AskedQuestions[i], "reference": "nothing anybody said"}
	}))
	if _, _, err := w.ImportDataset(t.Context(), bare, "bare", "rules", nil); err != nil {
		t.Fatal(err)
	}
	rules := EvidenceRules{Corpus: "rules", Judge: paidQuestions, Out: filepath.Join(w.Dir, "found.xlsx")}
	plan, err := PlanEvidence(t.Context(), w.Workbench, "bare", rules)
	if err != nil || plan.Buy < len(apptest.AskedQuestions) || w.Billed("chat/completions") != 0 {
		t.Fatalf("planned %d calls, made %d: %v", plan.Buy, w.Billed("chat/completions"), err)
	}
	rules.Budget = experiments.Budget{Calls: 2}
	if _, err := FindEvidence(t.Context(), w.Workbench, "bare", rules); problem.CodeOf(err) != "run_paused" && err == nil {
		t.Errorf("beyond its budget: %v", err)
	}
	if n := w.Billed("chat/completions"); n > 2 {
		t.Errorf("%d calls for a budget of 2", n)
	}
	rules.Budget = experiments.Budget{}
	if _, err := FindEvidence(t.Context(), w.Workbench, "bare", rules); err != nil {
		t.Fatal(err)
	}
	paid := w.Billed("chat/completions")
	if paid > plan.Buy {
		t.Errorf("%d calls, %d were planned at most", paid, plan.Buy)
	}
	if _, err := FindEvidence(t.Context(), w.Workbench, "bare", rules); err != nil || w.Billed("chat/completions") != paid {
		t.Errorf("again: %d calls more, %v", w.Billed("chat/completions")-paid, err)
	}
}
