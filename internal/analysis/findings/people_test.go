package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
)

// TestNoNumberIsSaidTwice: where all low-score answers are undecided, the sentence says all; one number never stands for the part and the
// whole.
func TestNoNumberIsSaidTwice(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		n, low int
		en, ja string
	}{
		{1, 1, "The 1 low-score answer has no decision: nobody is named who repairs it by when.",
			"低スコア回答1件について、誰がいつ直すか決まっていません。"},
		{14, 14, "None of the 14 low-score answers has a decision: nobody is named who repairs them by when.",
			"低スコア回答14件すべてについて、誰がいつ直すか決まっていません。"},
		{3, 14, "3 of 14 low-score answers have no decision: nobody is named who repairs them by when.",
			"低スコア回答14件のうち3件は、誰がいつ直すか決まっていません。"},
	} {
		if got := undecided(x.n, x.low, plain("")); got.EN != x.en || got.JA != x.ja {
			t.Errorf("%d of %d: %q, %q", x.n, x.low, got.EN, got.JA)
		}
	}
	for after, want := range map[int]string{113: "113件で、変わっていません", 112: "113件から112件になりました"} {
		b := &builder{in: Input{Comparison: &compare.Comparison{}}}
		b.Matched = 187
		b.Low.Before, b.Low.After, b.Low.Of = 113, after, 187
		b.sentences()
		if said := Texts(b.Sentences, "ja"); !strings.Contains(strings.Join(said, ""), want) {
			t.Errorf("%d: %q", after, said)
		}
	}
}
