package compare

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
)

// TestRefusalsAreToldByTheirWords: where nobody listed the claims of an answer, as in recorded runs and imports, one that only says that
// the documents lack the answer is refused and not wrong; one that says more is told by its grade, and a judge that listed claims is
// believed.
func TestRefusalsAreToldByTheirWords(t *testing.T) {
	t.Parallel()
	no := false
	listed := &AnswerFacts{Refused: &no}
	const silent, silentJA = "The documents do not say.", "文書には記載がありません。"
	for _, c := range []struct {
		text       string
		answerable bool
		grade      float64
		facts      *AnswerFacts
		want       AnswerKind
	}{
		{silent, true, 1, nil, KindRefused},
		{silentJA, true, 1, nil, KindRefused},
		{silent, true, 1, &AnswerFacts{Key: 2}, KindRefused},
		{silent, true, 1, listed, KindWrong},
		{silent, true, 5, nil, KindRight},
		{silent, false, 5, nil, KindRight},
		{silent, false, 1, nil, KindRight},
		{"The fee is 2,000 yen.", true, 1, nil, KindWrong},
		{"The documents do not say. The fee is usually 2,000 yen for each segment.", true, 1, nil, KindWrong},
		{"The fee is 2,000 yen.", false, 5, nil, KindRight},
		{"The fee is 2,000 yen.", false, 1, nil, KindWrong},
	} {
		e := answered(evaltest.One(t, "r", "correctness", c.grade), c.text)
		if got := kindOf(c.answerable, e.Results, c.facts); got != c.want {
			t.Errorf("%q, answerable %t, grade %v is %s, want %s", c.text, c.answerable, c.grade, got, c.want)
		}
	}
}

// TestEqualGradesSayWhatDecided: of every pair of answers of equal grade that are of different kinds, the remark says what decided, in both
// languages; where it was the facts, after the grade.
func TestEqualGradesSayWhatDecided(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	var all []AnswerFacts
	for _, refused := range []*bool{nil, &yes, &no} {
		for _, holds := range []int{0, 1, 2} {
			for _, against := range []int{0, 1} {
				all = append(all, AnswerFacts{Refused: refused, Key: 2, Covered: holds, Supported: holds, Contradicted: against,
					Matched: true})
			}
		}
	}
	told := 0
	for _, before := range all {
		for _, after := range all {
			for _, grade := range []float64{1, 2, 3, 5} {
				got, err := CompareWith(answered(evaltest.One(t, "b", "correctness", grade), "before"),
					answered(evaltest.One(t, "c", "correctness", grade), "after"),
					Options{Facts: factsBy(map[string]AnswerFacts{"before": before, "after": after})})
				if err != nil {
					t.Fatal(err)
				}
				v, _ := got.Verdict("q1")
				if v.Transition == "" {
					continue
				}
				told++
				if v.Remark == nil || v.Remark.Text("en") == v.Remark.Code || v.Remark.Text("ja") == v.Remark.Code {
					t.Fatalf("%s: %s says %v", v.Transition, v.Verdict, v.Remark)
				}
				want := v.ByTie == "" == (v.Verdict == NoChange)
				if alone := v.Remark.Code == "remark.kind_alone"; alone != (v.Verdict == NoChange && v.ByTie == "") || !want {
					t.Errorf("%s: %s by %q says %s", v.Transition, v.Verdict, v.ByTie, v.Remark)
				}
			}
		}
	}
	if told < 100 {
		t.Errorf("only %d pairs were of different kinds", told)
	}
}
