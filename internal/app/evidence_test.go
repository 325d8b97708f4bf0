package app

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestEvidenceIsFoundReviewedAndImported takes the evidence away from a dataset, lets it be found again, and accepts it in the sheet.
func TestEvidenceIsFoundReviewedAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	labelled, err := w.Store.Dataset(t.Context(), "asked")
	if err != nil {
		t.Fatal(err)
	}
	bare := w.write(t, "bare.jsonl", lines(len(asked), func(i int) any {
		return map[string]any{"question_id": labelled.Questions[i].ID, "question": asked[i], "reference": labelled.Questions[i].Reference, "desk": "4"}
	}))
	if _, _, err := w.ImportDataset(t.Context(), bare, "bare", "rules", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.FindEvidence(t.Context(), "bare", EvidenceRules{}); problem.CodeOf(err) != "evidence_corpus" || problem.From(err).Hint == "" {
		t.Errorf("without a corpus: %v", err)
	}
	out := filepath.Join(w.dir, "found.jsonl")
	found, err := w.FindEvidence(t.Context(), "bare", EvidenceRules{Corpus: "rules", Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if found.Whole+found.Part+found.None != len(asked) || found.Known != 0 || found.Whole < len(asked)-2 || !found.Offline || found.RunID == "" {
		t.Errorf("found %+v", found)
	}
	sheet := w.read(t, "found.jsonl")
	w.version(t, out, 0)
	w.write(t, "found.jsonl", strings.ReplaceAll(sheet, `"evidence_status":"proposed"`, `"evidence_status":"accepted"`))
	now := w.version(t, out, found.Whole+found.Part)
	right := 0
	for i, q := range now.Questions {
		was := labelled.Questions[i]
		if len(q.Evidence) > 0 && q.Evidence[0].DocID == was.Evidence[0].DocID && q.Evidence[0].Start < was.Evidence[0].End && was.Evidence[0].Start < q.Evidence[0].End {
			right++
		}
		q.Evidence = nil
		if want := (experiments.Question{ID: was.ID, Text: was.Text, Reference: was.Reference, Lang: was.Lang, Answerable: true, Metadata: map[string]string{"desk": "4"}}); cmp.Diff(want, q) != "" {
			t.Errorf("a review of evidence changed a question: %s", cmp.Diff(want, q))
		}
	}
	if right < len(asked)-2 {
		t.Errorf("%d of %d found places overlap the labelled ones", right, len(asked))
	}
	if _, err := w.QuestionReport(t.Context(), "bare"); problem.CodeOf(err) != "questions_unknown" {
		t.Errorf("a search for evidence passes for an analysis of the questions: %v", err)
	}
	if again, err := w.FindEvidence(t.Context(), "bare", EvidenceRules{Corpus: "rules", Out: out}); err != nil || again.Known != found.Whole+found.Part {
		t.Errorf("afterwards %+v, %v", again, err)
	}
}

// version imports a reviewed sheet of evidence and returns the dataset, of which some questions have evidence.
func (w *world) version(t *testing.T, sheet string, evidence int) *experiments.Dataset {
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
	if len(d.Questions) != len(asked) || n != evidence {
		t.Errorf("version %d has %d questions, %d with evidence; want %d", d.Version, len(d.Questions), n, evidence)
	}
	return d
}

// nothingFound replies as a model for which no passage says what is looked for.
func nothingFound(_, _, user string, schema []byte) (string, error) {
	purpose := causes.PurposeCauseClaims
	if strings.Contains(string(schema), `"verdicts"`) {
		purpose = causes.PurposeCauseEvidence
	}
	_, rest, _ := strings.Cut(user, ">>>\n")
	data, _, _ := strings.Cut(rest, "\n<<<END")
	reply, ok := causes.CauseStandIn(llm.Request{Purpose: purpose, Data: []byte(data)})
	if !ok {
		return "", errors.New("no reply")
	}
	return reply, nil
}

// TestEvidenceIsPlannedAndPaidOnce compares what a plan says with what the provider bills.
func TestEvidenceIsPlannedAndPaidOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.provider = fakeprovider.New(fakeprovider.Options{Key: w.env["OPENAI_API_KEY"], Responder: nothingFound})
	bare := w.write(t, "bare.jsonl", lines(len(asked), func(i int) any { return map[string]any{"question": asked[i], "reference": "nothing anybody said"} }))
	if _, _, err := w.ImportDataset(t.Context(), bare, "bare", "rules", nil); err != nil {
		t.Fatal(err)
	}
	rules := EvidenceRules{Corpus: "rules", Judge: paidQuestions, Out: filepath.Join(w.dir, "found.xlsx")}
	plan, err := w.PlanEvidence(t.Context(), "bare", rules)
	if err != nil || plan.Buy < len(asked) || w.billed("chat/completions") != 0 {
		t.Fatalf("planned %d calls, made %d: %v", plan.Buy, w.billed("chat/completions"), err)
	}
	rules.Budget = experiments.Budget{Calls: 2}
	if _, err := w.FindEvidence(t.Context(), "bare", rules); problem.CodeOf(err) != "run_paused" && err == nil {
		t.Errorf("beyond its budget: %v", err)
	}
	if n := w.billed("chat/completions"); n > 2 {
		t.Errorf("%d calls for a budget of 2", n)
	}
	rules.Budget = experiments.Budget{}
	if _, err := w.FindEvidence(t.Context(), "bare", rules); err != nil {
		t.Fatal(err)
	}
	paid := w.billed("chat/completions")
	if paid > plan.Buy {
		t.Errorf("%d calls, %d were planned at most", paid, plan.Buy)
	}
	if _, err := w.FindEvidence(t.Context(), "bare", rules); err != nil || w.billed("chat/completions") != paid {
		t.Errorf("again: %d calls more, %v", w.billed("chat/completions")-paid, err)
	}
}
