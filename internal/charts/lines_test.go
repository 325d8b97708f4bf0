package charts

import (
	"strings"
	"testing"
)

// TestLinesHoldTheWholeText in both languages, none wider than asked for, broken where words end.
func TestLinesHoldTheWholeText(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "Retriever", "Probably generation (model or instructions)",
		"★ ×2.0 Passages given to the model: 4 → 8 + Overlap of chunks: 200 → 400", "推定：回答の生成（モデルまたは指示）",
		"★ ×2.0 モデルに渡す参照箇所の数：4 → 8＋チャンクの重なり：200 → 400", strings.Repeat("x", 200)} {
		lines := Lines(s, 18)
		for _, line := range lines {
			if Measure(line) > 18+1e-9 {
				t.Errorf("%q is wider than 18 em", line)
			}
		}
		squeezed := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := strings.Join(lines, ""); squeezed(got) != squeezed(s) {
			t.Errorf("%q became %q", s, lines)
		}
	}
	if got := Lines("Probably generation (model or instructions)", 18); len(got) != 2 || strings.Contains(got[0]+" "+got[1], "…") ||
		got[0]+" "+got[1] != "Probably generation (model or instructions)" {
		t.Errorf("%q", got)
	}
}
