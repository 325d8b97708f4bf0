package studies

import (
	"encoding/json"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
)

// TestEffectsWriteTheirValues: what a stored diagnosis would change is written as data has it, whatever kind of value it is.
func TestEffectsWriteTheirValues(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]any{
		`{"repairs":[{"param":"retrieve.k","from":2,"to":6}]}`:                                                           "retrieve.k 2 → 6",
		`{"repairs":[{"param":"retrieve.min_score","from":0.4,"to":"none"}]}`:                                            "retrieve.min_score 0.4 → none",
		`{"repairs":[{"param":"generate.model","from":{"provider":"p","model":"a"},"to":{"provider":"p","model":"b"}}]}`: "generate.model p/a → p/b",
		`{"repairs":[{"param":"retrieve.mmr","from":{"fetch_k":20,"lambda":0.5},"to":"none"}]}`:                          `retrieve.mmr {"fetch_k":20,"lambda":0.5} → none`,
		`{"repairs":[{"component":"reference"}]}`:                                                                        nil,
		`{}`: nil,
	} {
		var d causes.Diagnosis
		if err := json.Unmarshal([]byte(stored), &d); err != nil {
			t.Fatal(err)
		}
		if got := effectOf(d); got != want {
			t.Errorf("%s: %v, want %v", stored, got, want)
		}
	}
}
