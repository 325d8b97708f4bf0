package causes

import "testing"

// TestARepairOfChunksSaysWhatItCounts: 400 may be characters or tokens; what was stored before repairs had a unit is read as it was.
func TestARepairOfChunksSaysWhatItCounts(t *testing.T) {
	t.Parallel()
	for unit, want := range map[string][2]string{
		"":       {"chunk size 1000 → 400", "チャンクサイズ 1000 → 400"},
		"chars":  {"chunk size 1000 → 400 characters", "チャンクサイズ 1000 → 400文字"},
		"tokens": {"chunk size 1000 → 400 tokens", "チャンクサイズ 1000 → 400トークン"},
	} {
		r := Repair{Component: Retriever, Param: "chunk.size", From: 1000, To: 400, Unit: unit}
		if got := [2]string{r.Words("en"), r.Words("ja")}; got != want {
			t.Errorf("%q: %q, want %q", unit, got, want)
		}
	}
}
