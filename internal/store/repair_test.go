package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// TestRepairsAreCountedPerModel keeps how replies were read and counts them in the bill's lines; pruning a reply loses neither.
func TestRepairsAreCountedPerModel(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 1000)
		settle := func(id, model, repair string, cached int) {
			t.Helper()
			c := call(id, run, 1)
			c.Model = model
			ok(t, s.Begin(ctx, c))
			ok(t, s.Bank(ctx, id, llm.Raw{Status: 200, Body: []byte("{}"), At: at(2)}))
			ok(t, s.Settle(ctx, id, llm.Outcome{State: llm.CallUsable, CostKind: "reported", PromptTokens: 100,
				CachedTokens: cached, Repair: repair}))
		}
		settle("a", "small", "fence", 60)
		settle("b", "small", "", 0)
		settle("c", "large", "thinking prose", 0)
		lines, err := s.BillLines(ctx, run, "model")
		ok(t, err)
		got := map[string][3]int64{}
		for _, l := range lines {
			got[l.Value] = [3]int64{int64(l.Repaired), int64(l.Replies), l.CachedTokens}
		}
		diff(t, map[string][3]int64{"small": {1, 2, 60}, "large": {1, 1, 0}}, got)
		c, err := s.Call(ctx, "c")
		ok(t, err)
		if c.Repair != "thinking prose" {
			t.Errorf("the call says %q", c.Repair)
		}
	})
}
