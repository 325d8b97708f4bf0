package metrics

import (
	"encoding/json"
	"testing"
)

// TestOnlyAScoreHasAValue: a scored zero is written, and nothing that was not scored looks like one.
func TestOnlyAScoreHasAValue(t *testing.T) {
	t.Parallel()
	for state, want := range map[State]bool{Scored: true, NotApplicable: false, Errored: false, Pending: false} {
		for _, v := range []any{Score{Metric: "hit", State: state}, (&explaining{}).score(Score{Metric: "hit", State: state})} {
			body, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if _, there := got["value"]; there != want {
				t.Errorf("%s: %s", state, body)
			}
		}
	}
}
