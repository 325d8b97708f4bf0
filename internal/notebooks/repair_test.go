package notebooks

import (
	"encoding/json"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestWhatIsSaidOfARepairMakesNothingStale: cells rest on the configuration, not on the words about it; and a diagnosis is what it was
// before its recommendations had numbers, so that locks that were written then still fit.
func TestWhatIsSaidOfARepairMakesNothingStale(t *testing.T) {
	t.Parallel()
	plain := document.Config{Name: "fix", Base: map[string]any{"k": 1.0}}
	said := plain
	said.Repaired = &document.Repaired{Change: document.Words{EN: "k to 6", JA: "k を 6 に"}}
	if hashOf(said.Identity()) != hashOf(plain) {
		t.Error("the words about a repair are part of what a run rests on")
	}
	found := document.CauseSet{RunID: "r", Counts: []document.CauseCount{},
		Recommendations: []document.Recommended{{Number: 1, Name: "k-6", Change: document.Words{}, Repairs: 3}}}
	body, err := json.Marshal(found.Identity())
	want := `{"run_id":"r","method":"","low_scores":0,"diagnosed":0,"top":null,"counts":[],"change":{},"repairs":0,"summary":{},` +
		`"recommendations":[{"name":"k-6","change":{},"repairs":3}]}`
	if err != nil || string(body) != want {
		t.Errorf("%v: %s, not %s", err, body, want)
	}
}

// TestARepairReadsItsDiagnosis: the run is that of the diagnosis, auto is none by name, and a run cell that takes it is stale.
func TestARepairReadsItsDiagnosis(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), small+"```rag repair fix\nof: why\ntake: auto\n```\n")
	if _, err := n.Run(t.Context(), Options{Approve: func(CellView) (bool, error) { return true, nil }}); err != nil {
		t.Fatal(err)
	}
	v, err := n.Evaluate(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	fix, ok := v.Cell("fix").Value.(document.Config)
	why := v.Cell("why").Value.(document.CauseSet)
	if !ok || fix.Name != "fix" || fix.Repaired.Run != why.RunID || fix.Repaired.Names != nil {
		t.Errorf("%+v of %+v", v.Cell("fix"), why)
	}
	for _, b := range n.Reading(v, "ja").Blocks {
		if b.Cell == "fix" && (len(b.Figures) == 0 || b.Figures[0].Name != "変更" || b.Figures[0].Value != "k to 6") {
			t.Errorf("reading mode says %+v", b)
		}
	}
}
