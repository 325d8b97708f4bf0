package notify

import (
	"strings"
	"testing"
)

// TestTheFirstFireIsHeldAgainstTheBaseline: where no fire came before, a message calls nothing newly worse, and names the baseline run.
func TestTheFirstFireIsHeldAgainstTheBaseline(t *testing.T) {
	t.Parallel()
	n := hostileNotice("x")
	for previous, said := range map[string]map[string][2]string{
		"":      {"en": {"first evaluation of the schedule", "since the last evaluation"}, "ja": {"最初の評価です", "新たに悪化"}},
		"run-0": {"en": {"new since the last evaluation", "first evaluation"}, "ja": {"前回の評価以降に新たに悪化", "最初の評価です"}},
	} {
		n.Facts.Fire.Previous = previous
		for lang, want := range said {
			baseline := map[string]string{"en": "the baseline run", "ja": "比較の基準の実行"}[lang]
			if text := tell(n, lang).plain(); !strings.Contains(text, want[0]) || strings.Contains(text, want[1]) ||
				previous == "" && (!strings.Contains(text, baseline) || strings.Contains(text, "Newly worse")) {
				t.Errorf("%q in %s: %s", previous, lang, text)
			}
		}
	}
}
