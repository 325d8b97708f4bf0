package votes

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestTiesAreComparedInBothOrders: where grades and facts tie, a paid judge is asked which answer is better, in both orders, planned to the
// call and bought once; a judge that always takes the first changes nothing; and the setup's word turns all of it off.
func TestTiesAreComparedInBothOrders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pairwise string
		biased   bool // always takes the first
		worse    int
	}{
		"agreed": {"on", false, 6}, "biased": {"on", true, 0}, "off": {"off", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := apptest.NewDoubt(t, 6, 0)
			offline := fakeprovider.Offline()
			d.Provider = fakeprovider.New(fakeprovider.Options{Key: d.Env["OPENAI_API_KEY"],
				Answer: func(r fakeprovider.Request) (string, error) {
					var data struct{ Question, First, Second string }
					if err := json.Unmarshal(r.Data(), &data); err != nil {
						return "", err
					}
					switch {
					case len(r.Schema) == 0:
						return r.Model + " answers: " + data.Question, nil
					case r.Purpose == "rubric":
						return `{"reason":"so","score":3}`, nil
					case r.Purpose != "preference":
						return offline(r)
					case c.biased || strings.HasPrefix(data.First, "writer-1"):
						return `{"reason":"so","better":"first"}`, nil
					}
					return `{"reason":"so","better":"second"}`, nil
				}})
			var runs [2]experiments.Run
			for i, writer := range []string{"writer-1", "writer-2"} {
				runs[i] = d.Asks(t, fmt.Sprintf(`name: by-%s
corpus: rules
dataset: many
suite: [correctness, factual_correctness]
pairwise: %s
judge: {provider: openai, model: judge-1}
base:
  retrieve: {mode: bm25, k: 1}
  generate: {provider: openai, model: %s}
`, writer, c.pairwise, writer))
			}
			before := d.Billed("chat/completions")
			comparison, _, err := d.Compare(t.Context(), runs[0].ID, runs[1].ID)
			if err != nil || comparison.VerdictCounts.Worse != 0 || (len(comparison.OpenTies) == 6) != (c.pairwise == "on") {
				t.Fatalf("%+v, open %v, %v", comparison.VerdictCounts, comparison.OpenTies, err)
			}
			plan, err := PlanVerify(t.Context(), d.World.Workbench, runs[0].ID, runs[1].ID, VerifyRules{})
			if err != nil || plan.Ties.Calls != 2*len(comparison.OpenTies) || d.Billed("chat/completions") != before {
				t.Fatalf("planned %+v: %v", plan.Ties, err)
			}
			alone, err := PlanVerify(t.Context(), d.World.Workbench, runs[0].ID, runs[1].ID, VerifyRules{Alone: true})
			if err != nil || alone.Ties.Calls != 0 {
				t.Errorf("without comparisons %+v: %v", alone.Ties, err)
			}
			ties := func() int {
				n := 0
				for _, call := range d.Provider.Ledger() {
					if call.Purpose == "preference" {
						n++
					}
				}
				return n
			}
			for range 2 {
				if _, err := VerifyComparison(t.Context(), d.World.Workbench, runs[0].ID, runs[1].ID, VerifyRules{Votes: 1},
					nil); err != nil {
					t.Fatal(err)
				}
				if ties() != plan.Ties.Calls {
					t.Errorf("asked %d times, planned %d", ties(), plan.Ties.Calls)
				}
			}
			comparison, _, err = d.Compare(t.Context(), runs[0].ID, runs[1].ID)
			if err != nil || comparison.VerdictCounts.Worse != c.worse || comparison.ByBothOrders != c.worse ||
				len(comparison.OpenTies) != 0 {
				t.Errorf("%+v, %d by both orders, open %v: %v", comparison.VerdictCounts, comparison.ByBothOrders, comparison.OpenTies, err)
			}
			if v := comparison.With(compare.Worse); c.worse > 0 && (v[0].ByTie != compare.ByBothOrders || v[0].Remark == nil) {
				t.Errorf("%+v", v[0])
			}
			if found, err := d.World.Whole.Check(t.Context()); err != nil || len(found) > 0 {
				t.Errorf("doctor: %v %v", found, err)
			}
		})
	}
}
