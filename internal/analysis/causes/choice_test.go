package causes

import (
	"strings"
	"testing"
)

func kOf(k int, o *RepairOutcome) Recommendation {
	return Recommendation{Repair: Repair{Component: Retriever, Param: "retrieve.k", From: 5, To: k}, Heals: []string{"q1"}, Outcome: o}
}

func gaining(after, most float64) *RepairOutcome {
	return &RepairOutcome{TriedLow: 50, LowBefore: 100, TriedGood: 20, Good: 40, LowAfter: after, LowMost: most, Cost: 1}
}

// TestADoubtIsSaidOnce: however many changes may gain nothing, one sentence says it: of any, of the only one, or of those by name.
func TestADoubtIsSaidOnce(t *testing.T) {
	t.Parallel()
	sure, doubted := gaining(60, 80), gaining(95, 105)
	for _, c := range []struct {
		of     []Recommendation
		en, ja string
	}{
		{[]Recommendation{kOf(6, doubted)}, "Whether the whole run gains is not certain yet.", "実行全体で改善するとはまだ言い切れません。"},
		{[]Recommendation{kOf(6, sure)}, "", ""},
		{[]Recommendation{kOf(6, sure), kOf(9, sure)}, "", ""},
		{[]Recommendation{kOf(6, doubted), kOf(9, doubted)}, "for any of the changes.", "どの変更についても"},
		{[]Recommendation{kOf(6, sure), kOf(9, doubted)}, "for “passages given to the model (k) 5 → 9”.", "「モデルに渡す参照箇所の数（k） 5 → 9」については"},
		{[]Recommendation{kOf(6, doubted), kOf(9, sure)}, "for “passages given to the model (k) 5 → 6”.", "「モデルに渡す参照箇所の数（k） 5 → 6」については"},
		{[]Recommendation{kOf(6, nil), kOf(9, doubted)}, "for “passages given to the model (k) 5 → 9”.", "「モデルに渡す参照箇所の数（k） 5 → 9」については"},
	} {
		said := Choice(c.of, asWritten)
		n, nJA := strings.Count(said.EN, "not certain"), strings.Count(said.JA, "言い切れません")
		if !strings.HasSuffix(said.EN, c.en) || !strings.Contains(said.JA, c.ja) || n != nJA || n > 1 || (n == 1) != (c.en != "") ||
			strings.Contains(said.EN, "alternatives") != (len(c.of) > 1) || strings.Contains(said.JA, "代替案") != (len(c.of) > 1) {
			t.Errorf("%d changes: %+v", len(c.of), said)
		}
		page := CauseReport{LowScores: 100, Method: Tested, Recommendations: c.of} // the summary stands above its list
		page.Choice, page.Summary = page.choice(), told(factsOf(page)...)
		all := page.Summary.EN + page.Choice.EN
		for _, r := range c.of {
			all += recommendationWords(r).EN
		}
		if n := strings.Count(all, "not certain"); (n == 1) != (c.en != "") {
			t.Errorf("%d changes: doubted %d times: %s", len(c.of), n, all)
		}
	}
}

// TestNeighboursAreOneChange: of configurations that differ only in a number the cheapest that gains nearly as much is listed; what
// differs in a name, or in which parameters change, stays.
func TestNeighboursAreOneChange(t *testing.T) {
	t.Parallel()
	words := Recommendation{Outcome: gaining(70, 90),
		Repair: Repair{Component: Retriever, Param: "retrieve.mode", From: "dense", To: "bm25"}}
	both := words
	both.Repair.To = "hybrid"
	wider := kOf(9, gaining(60, 80))
	wider.With = []Repair{{Component: Retriever, Param: "chunk.overlap", From: 0, To: 200}}
	for name, c := range map[string]struct {
		of   []Recommendation
		want int
		k    any
	}{
		"the first gains enough":    {[]Recommendation{kOf(9, gaining(91, 95)), kOf(10, gaining(90, 95))}, 1, 9},
		"the second gains far more": {[]Recommendation{kOf(9, gaining(98, 99)), kOf(10, gaining(50, 60))}, 1, 10},
		"names differ":              {[]Recommendation{words, both}, 2, "bm25"},
		"parameters differ":         {[]Recommendation{kOf(9, gaining(70, 80)), wider}, 2, 9},
	} {
		if got := oneOfNeighbours(c.of); len(got) != c.want || got[0].Repair.To != c.k {
			t.Errorf("%s: %d, the first %v", name, len(got), got[0].Repair.To)
		}
	}
}

// TestWhatNoAnswerProposedHasNoForecast: a configuration that was only tried names no answers that it was expected to repair, and nothing
// says that it was.
func TestWhatNoAnswerProposedHasNoForecast(t *testing.T) {
	t.Parallel()
	in := CauseReportInput{Outcomes: map[string]RepairOutcome{}}
	tried := gaining(60, 80)
	tried.Promised = 46 // as older programs kept it
	j := joint{{Component: Retriever, Param: "retrieve.k", From: 5, To: 10}}
	in.Outcomes[j.key()] = *tried
	r := in.recommendation(j, make([]Diagnosis, 46), nil)
	said := recommendationWords(r)
	if r.Forecast() || r.Heals == nil || strings.Contains(said.EN, "46") || strings.Contains(said.EN, "forecast") ||
		strings.Contains(said.JA, "見込みは") {
		t.Errorf("%+v: %+v", r.Heals, said)
	}
	with := in.recommendation(j, []Diagnosis{{QuestionID: "q1"}}, []int{0})
	if told := with.Told(); !with.Forecast() || !strings.Contains(told.EN, "forecast") {
		t.Errorf("%+v", told)
	}
}
