package causes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
)

// inRun is another run over the questions of lowRun(t, n) in which the first ones are good and the last good one is low.
func inRun(t *testing.T, n, good int) experiments.Evaluation {
	t.Helper()
	rows := evaltest.Table{}
	for i := range n + 2 {
		correctness := 1.0
		if i < good || i == n {
			correctness = 5
		}
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": correctness, "trust": 5}
	}
	e := evaltest.Evaluation(t, "made", rows)
	e.Run.Kind, e.Run.State = experiments.KindEvaluate, experiments.Finished
	return e
}

// TestMadeIn counts what became of every answer, and refuses a run that lacks some.
func TestMadeIn(t *testing.T) {
	t.Parallel()
	e, made := lowRun(t, 6), inRun(t, 6, 4)
	o, ok := MadeIn(e, made, []string{"q1", "q6"})
	if !ok || o.RunID != made.Run.ID || len(o.Repaired) != 4 || len(o.Broken) != 1 || o.LowBefore != 6 || o.LowAfter != 3 || o.Good != 2 ||
		o.Promised != 2 || o.Sampled() {
		t.Fatalf("%t %+v", ok, o)
	}
	if said := o.happened(); said.EN != "Made and measured in run "+made.Run.ID+": of 6 low-score answers, 4 are no longer low; of 2 good answers, 1 became low." ||
		!strings.Contains(said.JA, "低スコア回答6件のうち4件が改善し、良い回答2件のうち1件が低スコア") {
		t.Errorf("%+v", said)
	}
	made.Results = made.Results[1:]
	if _, ok := MadeIn(e, made, nil); ok {
		t.Error("a run that lacks an answer is a whole one")
	}
}

// TestWhatWasMeasuredComesFirst: a configuration of the sweep that was run whole stands before a forecast, and it is said why where the
// forecast is higher.
func TestWhatWasMeasuredComesFirst(t *testing.T) {
	t.Parallel()
	e, made := lowRun(t, 6), inRun(t, 6, 4)
	e.Run.Params = []experiments.Param{{Name: "chunk.size", Value: 400}, {Name: "retrieve.k", Value: 3}}
	made.Run.Params = []experiments.Param{{Name: "chunk.size", Value: 800}, {Name: "retrieve.k", Value: 3}}
	measured, ok := Measured(e, made, "en")
	if !ok || measured.Repair.Param != "chunk.size" || len(measured.With) != 0 || measured.Outcome.RunID != made.Run.ID {
		t.Fatalf("%t %+v", ok, measured)
	}
	diagnoses := map[string]Diagnosis{}
	for _, q := range e.Questions[:6] {
		diagnoses[q.ID] = retrieverDiagnosis(q.ID, embedderB())
	}
	r := ReportCauses(e, diagnoses, CauseReportInput{Method: Tested, Measured: []Recommendation{measured}})
	if plain := r.Recommendations[0].ToldPlainly(); strings.Contains(plain.EN+plain.JA, made.Run.ID) ||
		!strings.Contains(plain.EN, "Made and measured in another run: ") || !strings.Contains(plain.JA, "別の実行で変更済み") {
		t.Errorf("managers know no runs: %+v", plain)
	}
	if len(r.Recommendations) != 2 || r.Recommendations[0].MadeIn() != made.Run.ID || r.Recommendations[1].Outcome != nil {
		t.Fatalf("%+v", r.Recommendations)
	}
	if !strings.Contains(r.Summary.EN, "Not certain to help: chunk size 400 → 800 characters. Made and measured in run "+made.Run.ID) ||
		!strings.Contains(r.Summary.JA, "実行 "+made.Run.ID+" で変更済み") {
		t.Errorf("%+v", r.Summary)
	}
	if !strings.Contains(r.Choice.EN, "named first because it was measured on every answer") ||
		!strings.Contains(r.Choice.JA, "測定済みのため先頭") {
		t.Errorf("%+v", r.Choice)
	}
	other := made
	other.Run.Params = []experiments.Param{{Name: "corpus", Value: "x"}}
	if _, ok := Measured(e, other, "en"); ok {
		t.Error("a run with other parameters was taken for a change of these")
	}
}

// TestTheFirstOfSeveralSaysWhyItIsFirst where it is not the one that repairs most.
func TestTheFirstOfSeveralSaysWhyItIsFirst(t *testing.T) {
	t.Parallel()
	tried := func(gain float64) Recommendation {
		return Recommendation{Outcome: &RepairOutcome{LowBefore: 20, TriedLow: 20, LowAfter: 20 - gain}}
	}
	if said := chosenBy([]Recommendation{tried(9), tried(10)}); !strings.Contains(said.EN, "four fifths") ||
		!strings.Contains(said.JA, "8割以上") {
		t.Errorf("%+v", said)
	}
	for _, all := range [][]Recommendation{nil, {tried(9)}, {tried(10), tried(9)}, {tried(9), tried(9)}} {
		if said := chosenBy(all); said.EN != "" {
			t.Errorf("%d: %+v", len(all), said)
		}
	}
}
