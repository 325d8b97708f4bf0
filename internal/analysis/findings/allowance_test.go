package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Whoever reads of a limit knows whether somebody chose it: only the program's own is called its default.
func TestADefaultLimitSaysThatItIsOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bound float64
		own   bool
	}{{compare.DefaultGateRules().Allowance, true}, {0.05, false}, {0, false}} {
		share := 0.125
		said := GateReason(compare.GateResult{Checks: []compare.GateCheck{{Name: "share_worse", Decision: stats.Fail, N: 40, Value: &share,
			Bound: &c.bound}}})
		if en := strings.Contains(said.EN, "the default of RAG Workbench"); en != c.own {
			t.Errorf("a limit of %g: %q", c.bound, said.EN)
		}
		if ja := strings.Contains(said.JA, "RAG Workbenchの初期値"); ja != c.own {
			t.Errorf("a limit of %g: %q", c.bound, said.JA)
		}
	}
}
