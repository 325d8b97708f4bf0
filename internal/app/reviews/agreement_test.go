package reviews

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

func agreedFile(t *testing.T, yaml string) experiments.AgreementFile {
	t.Helper()
	f, err := experiments.ParseAgreement([]byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func agree(w *apptest.World, t *testing.T, yaml string) experiments.Agreement {
	t.Helper()
	a, _, err := SetAgreement(t.Context(), w.Workbench, "asked", AgreementChange{File: agreedFile(t, yaml)})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestSetAgreement(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, "name: flat")
	first := agree(w, t, `
low_score: 3
targets: [{metric: low_score_share, target: 0.1, due: 2026-12-18}]
items: [{questions: [q0, q1], action: rewrite}, {component: retriever, action: raise k}]
agreed_by: [CS]
agreed_on: 2026-11-19
note: first
run: flat`)
	if first.Version != 1 || first.RunID != run.ID || first.RunChain != run.Chain || first.Dataset != "asked" || first.At.IsZero() {
		t.Errorf("recorded: %+v", first)
	}
	if first.Targets[0].Was == nil || first.Items[0].Was == nil || first.Items[1].Was != nil {
		t.Errorf("signed: %+v, %+v", first.Targets, first.Items)
	}

	// The same again, in the reader's words, is no new version.
	again, created, err := SetAgreement(t.Context(), w.Workbench, "asked@1",
		AgreementChange{File: agreedFile(t, "{agreed_by: [CS], agreed_on: 2026-11-19, note: first, run: "+run.ID[:6]+"}")})
	if err != nil || created || cmp.Diff(first, again) != "" {
		t.Errorf("again: created %v, %v\n%s", created, err, cmp.Diff(first, again))
	}

	// A change takes over the rest, but not who agreed, when and on what.
	trust := experiments.Target{Goal: experiments.Goal{Metric: "trust", Target: 4}}
	item := experiments.AgreementItem{CauseGroup: experiments.CauseGroup{Questions: []string{"q1", "q0"}}, OutOfScope: true,
		Why: "not ours"}
	second, created, err := SetAgreement(t.Context(), w.Workbench, "asked", AgreementChange{
		File: agreedFile(t, "agreed_by: [IT]"), Targets: []experiments.Target{trust}, Items: []experiments.AgreementItem{item},
	})
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	want := experiments.Agreement{
		Dataset: "asked", Version: 2, LowScore: 3, AgreedBy: []string{"IT"}, AgreedOn: "2026-11-20", At: second.At,
		Targets: []experiments.Target{{Goal: experiments.Goal{Metric: "low_score_share", Target: .1}, Due: "2026-12-18"}, trust},
		Items:   []experiments.AgreementItem{item, {CauseGroup: experiments.CauseGroup{Component: "retriever"}, Action: "raise k"}},
	}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	history, err := Agreements(t.Context(), w.Workbench, "asked")
	if err != nil || cmp.Diff([]experiments.Agreement{second, first}, history) != "" {
		t.Errorf("%v; history -want +got:\n%s", err, cmp.Diff([]experiments.Agreement{second, first}, history))
	}
	if threshold, version, err := w.AgreedThreshold(t.Context(), "asked", 2); threshold != 3 || version != 2 || err != nil {
		t.Errorf("the threshold of new runs is %v (version %d), %v", threshold, version, err)
	}
	if threshold, version, err := w.AgreedThreshold(t.Context(), "another", 2.5); threshold != 2.5 || version != 0 || err != nil {
		t.Errorf("without agreement it is %v (version %d), %v", threshold, version, err)
	}
	e, err := w.Store.Experiment(t.Context(), "flat")
	if err != nil {
		t.Fatal(err)
	}
	note, err := ThresholdNote(t.Context(), w.Workbench, e)
	if err != nil || note != "low scores are 3 or less, as agreed about asked on 2026-11-20; the experiment's own 2 does not count" {
		t.Errorf("note %q, %v", note, err)
	}
}

func TestSetAgreementRefuses(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, "name: flat")
	if _, _, err := w.ImportDataset(t.Context(), w.Dir+"/questions.jsonl", "others", "rules", nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dataset, yaml, code string }{
		{"none", "agreed_by: [me]", "dataset_unknown"},
		{"asked", "low_score: 2", "agreement_field"},
		{"asked", "{agreed_by: [me], items: [{component: retrieval, action: x}]}", "agreement_field"},
		{"asked", "{agreed_by: [me], items: [{questions: [q99], action: x}]}", "agreement_field"},
		{"asked", "{agreed_by: [me], targets: [{category: 量金, metric: correctness, target: 4}]}", "agreement_field"},
		{"asked", "{agreed_by: [me], items: [{category: 量金, action: x}]}", "agreement_field"},
		{"asked", "{agreed_by: [me], targets: [{theme: mony, metric: correctness, target: 4}]}", "agreement_field"},
		{"asked", "{agreed_by: [me], items: [{theme: peoples, action: x}]}", "agreement_field"},
		{"asked", "{agreed_by: [me], agreed_on: 2030-01-01}", "agreement_field"},
		{"asked", "{agreed_by: [me], run: nobody}", "run_unknown"},
		{"others", "{agreed_by: [me], run: flat}", "agreement_run"},
	} {
		if _, _, err := SetAgreement(t.Context(), w.Workbench, c.dataset,
			AgreementChange{File: agreedFile(t, c.yaml)}); problem.CodeOf(err) != c.code {
			t.Errorf("%s, %s: %v (%s), want %s", c.dataset, c.yaml, err, problem.CodeOf(err), c.code)
		} else {
			evaltest.InJapanese(t, err, strings.Fields(`asked flat money mony peoples people items targets database retriever generation
				unstable undetermined retrieval others`)...)
		}
	}
	if list, err := Agreements(t.Context(), w.Workbench, ""); err != nil || len(list) != 0 {
		t.Errorf("%d agreements are stored, %v", len(list), err)
	}
}

// TestAgreementProgress measures the newest run by default, and counts an item by cause once the run has been diagnosed.
func TestAgreementProgress(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	if _, err := AgreementProgress(t.Context(), w.Workbench, "asked", ""); problem.CodeOf(err) != "run_unknown" {
		t.Errorf("without a run: %v", err)
	}
	older := w.Worked(t, "name: flat")
	agree(w, t,
		"{agreed_by: [me], low_score: 4.9, run: flat, items: [{component: retriever, action: raise k}, {category: multi_hop_abstract, action: x}]}")
	newer := w.Worked(t, "name: closed\nbase: {generate: {provider: offline, model: closed-book}}")
	p, err := AgreementProgress(t.Context(), w.Workbench, "asked", "")
	if err != nil || p.RunID != newer.ID || p.Items[0].Needs != "causes" || p.Items[1].Needs != "questions" {
		t.Fatalf("%v, %+v", err, p)
	}
	if len(p.Open) < 2 {
		t.Fatalf("only %v are low: this world tests nothing", p.Open)
	}
	found(w, t, newer, experiments.KindDiagnose, "observed", map[string]any{})
	found(w, t, newer, experiments.KindDiagnose, "tested", map[string]any{
		p.Open[0]: causes.Diagnosis{QuestionID: p.Open[0], Data: causes.RetrievalData, Component: causes.Retriever},
		p.Open[1]: causes.Diagnosis{QuestionID: p.Open[1], Data: causes.GenerationData, Component: causes.SystemPrompt},
	})
	found(w, t, newer, experiments.KindDiagnose, "observed",
		map[string]any{p.Open[1]: causes.Diagnosis{QuestionID: p.Open[1], Component: causes.Retriever}})
	found(w, t, newer, experiments.KindQuestions, "", map[string]any{
		p.Open[1]: experiments.QuestionLabels{QuestionID: p.Open[1], Category: "multi_hop_abstract"},
	})
	after, err := AgreementProgress(t.Context(), w.Workbench, "asked", newer.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(after.Items[0].Questions, after.Items[1].Questions); got != fmt.Sprint(p.Open[:1], p.Open[1:2]) {
		t.Errorf("the items are about %s; open were %v", got, p.Open)
	}
	if p, err = AgreementProgress(t.Context(), w.Workbench, "asked", older.ID); err != nil || p.Items[0].Needs != "causes" {
		t.Errorf("the other run has been diagnosed too: %+v, %v", p.Items, err)
	}
}

// found stores a finished analysis of a run with these findings.
func found(w *apptest.World, t *testing.T, of experiments.Run, kind experiments.Kind, method string, bodies map[string]any) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	setup := of.Setup
	setup.Suite = []metrics.Spec{{ID: experiments.FindingMetric(kind), Version: "1"}}
	setup.Analysis = &experiments.AnalysisSetup{Of: of.ID, Version: "1", Method: method}
	var ids []string
	for i := range apptest.AskedQuestions {
		ids = append(ids, fmt.Sprint("q", i))
	}
	now := w.Options.Now()
	run, err := w.Store.CreateRun(ctx, experiments.Run{Kind: kind, ParentID: of.ID, Setup: setup, CreatedAt: now}, ids)
	must(err)
	_, err = w.Store.ClaimRun(ctx, run.ID, "me", now, now.Add(-time.Hour))
	must(err)
	var results []experiments.Result
	var stages []rag.Stage
	for _, id := range ids {
		score := metrics.Score{Metric: setup.Suite[0].ID, Version: "1", State: metrics.NotApplicable, Reason: "not_low"}
		if body, ok := bodies[id]; ok {
			raw, err := json.Marshal(body)
			must(err)
			key := rag.StageKey("finding", "1", run.ID, id)
			score = metrics.Score{Metric: score.Metric, Version: "1", State: metrics.Scored, Value: 1, Stages: []string{key}}
			stages = append(stages, rag.Stage{Key: key, Kind: "finding", Body: raw})
		}
		results = append(results, experiments.Result{QuestionID: id, Scores: []metrics.Score{score}})
	}
	must(w.Store.SaveResults(context.WithoutCancel(ctx), run.ID, results, stages, now))
	must(w.Store.FinishRun(ctx, run.ID, "me", experiments.Total(results, experiments.UsualLow(2)), experiments.Chain(results), now))
}
