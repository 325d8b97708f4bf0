package reporting

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// A report holds whatever was found, agreed and written about a run, and nil for what was not.
func TestReportGathersEverything(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	before, after := w.Worked(t, apptest.Offline),
		w.Worked(t, "name: closed\nbase: {retrieve: {mode: bm25, k: 2}, generate: {provider: offline, model: closed-book}}\n")
	bare, err := Report(t.Context(), w.Workbench, before.ID, after.ID, "en", "test", GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	if bare.Causes != nil || bare.Questions != nil || bare.Reviews != nil || bare.Sweep != nil || bare.Agreement == nil ||
		bare.Agreement.Agreement.Version != 0 {
		t.Errorf("a run that nobody looked into has %+v", bare.Agreement)
	}
	var page bytes.Buffer
	if err := bare.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"workbench diagnose " + after.ID, "workbench questions " + after.ID} {
		if !strings.Contains(page.String(), command) {
			t.Errorf("the page does not name %q", command)
		}
	}

	targets := func() string {
		t.Helper()
		gate, err := Gate(t.Context(), w.Workbench, before.ID, after.ID, compare.DefaultGateRules())
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(gate.Said, "\n")
	}
	const missed = "Agreed targets: 0 met, 1 not met, 0 not measured. These are apart from the limits of this check and do not decide it."
	if said := targets(); strings.Contains(said, "Agreed targets") {
		t.Errorf("nothing was agreed: %s", said)
	}
	dataset := after.Setup.Dataset.Name
	if _, _, err := w.Whole.PutAgreement(t.Context(), agreedOn(dataset)); err != nil {
		t.Fatal(err)
	}
	if said := targets(); !strings.Contains(said, missed) {
		t.Errorf("a release check does not say that a target is not met: %s", said)
	}
	asked := after.Setup
	questions, err := w.Store.Dataset(t.Context(), asked.Dataset.String())
	if err != nil {
		t.Fatal(err)
	}
	id := questions.Questions[0].ID
	results, err := w.Store.Results(t.Context(), after.ID)
	if err != nil {
		t.Fatal(err)
	}
	review := experiments.Review{
		RunID: after.ID, QuestionID: id, Reviewer: "CS", Verdict: experiments.IncorrectAnswer, At: w.Options.Now(),
		Shown: experiments.ShownDigest(questions.Questions[0], results[0]),
	}
	if _, err := w.Whole.PutReviews(t.Context(), []experiments.Review{review}); err != nil {
		t.Fatal(err)
	}
	limits := GateAsked{Limits: experiments.Limits{Min: []string{"correctness >= 4"}, Margin: new(.2), Allowance: new(.5)}}
	own, err := Report(t.Context(), w.Workbench, before.ID, after.ID, "en", "test", limits)
	if err != nil {
		t.Fatal(err)
	}
	page.Reset()
	if err := own.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	said := "Limits set by whoever asked for it: a mean of correctness of at least 4; a mean may get worse by less than 20% of its scale; " +
		"at most 50% of the answers are allowed to be worse."
	if !strings.Contains(page.String(), said) {
		t.Errorf("the report does not name its limits: %s", page.String())
	}
	if _, err := Report(t.Context(), w.Workbench, after.ID, after.ID, "en", "test", limits); problem.CodeOf(err) != "limits_alone" {
		t.Errorf("limits of a report about one run: %v", err)
	}
	full, err := Report(t.Context(), w.Workbench, before.ID, after.ID, "both", "test", GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	if full.Agreement.Agreement.Version != 1 || len(full.Agreement.Targets) != 1 ||
		full.Agreement.Targets[0].State != progress.TargetMissed {
		t.Errorf("agreement is %+v", full.Agreement)
	}
	if full.Reviews == nil || full.Reviews.Reviews != 1 {
		t.Errorf("reviews are %+v", full.Reviews)
	}
}

func agreedOn(dataset string) experiments.Agreement {
	return experiments.Agreement{
		Dataset: dataset, LowScore: 2, AgreedBy: []string{"CS"}, AgreedOn: "2026-11-20",
		Targets: []experiments.Target{{Goal: experiments.Goal{Metric: experiments.LowScoreShare, Target: 0}}},
	}
}

// The run of a sweep brings the sweep along, with its winner and the effect of each value.
func TestReportOfASweep(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e, jobs := w.Swept(t, "name: swept\nbase: {generate: {provider: offline, model: extractive}}\nsweep: {retrieve.k: [1, 3]}\n")
	_, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Report(t.Context(), w.Workbench, "", runs[0].ID, "ja", "test", GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Sweep == nil || len(r.Sweep.Runs) != 2 || r.Sweep.Winner == "" || len(r.Sweep.Effects) != 1 ||
		len(r.Sweep.Effects[0].Levels) != 2 {
		t.Errorf("sweep is %+v", r.Sweep)
	}
}

// A run that is the pinned baseline is reported as it, and another run alone is not.
func TestReportOfTheBaseline(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, apptest.Offline)
	if _, err := w.SetBaseline(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	r, err := Report(t.Context(), w.Workbench, "", run.ID, "en", "test", GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Pinned || r.Comparison != nil {
		t.Errorf("the baseline is reported as pinned %v", r.Pinned)
	}
}
