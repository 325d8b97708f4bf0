package causes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// TestNoWordClaimsMoreThanWasShown makes diagnoses of every component with steps that healed and steps that did not, and asks of every
// report of them: "tested" stands only where a replacement healed, what is not known is no most frequent cause, and is counted apart.
func TestNoWordClaimsMoreThanWasShown(t *testing.T) {
	t.Parallel()
	random := stats.NewSplitMix64(7)
	steps := []string{"raw_answer", "regenerate", "oracle", "prompt", "model", "both", "deep", "evidence", "facts", "retrieval", "rejudge"}
	replaced := map[string]bool{"raw_answer": true, "regenerate": true, "oracle": true, "prompt": true, "model": true,
		"both": true, "deep": true}
	for state := range 300 {
		e := experiments.Evaluation{Run: experiments.Run{Setup: experiments.Setup{LowScore: 2}}}
		found := map[string]Diagnosis{}
		for i := range 1 + int(random.Uint64()%6) {
			q := experiments.Question{ID: fmt.Sprintf("q%d", i)}
			e.Questions = append(e.Questions, q)
			e.Results = append(e.Results, experiments.Result{QuestionID: q.ID,
				Scores: []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: 1}}})
			component := Components()[random.Uint64()%uint64(len(Components()))]
			d := Diagnosis{QuestionID: q.ID, Method: Tested, Component: component, Data: component.Data()}
			for range random.Uint64() % 4 {
				d.Steps = append(d.Steps, CauseStep{Step: steps[random.Uint64()%uint64(len(steps))], Trials: 2,
					Passes: int(random.Uint64() % 3)})
			}
			found[q.ID] = d
		}
		r := ReportCauses(e, found, CauseReportInput{Method: Tested})
		unknown := 0
		for _, d := range r.Diagnoses {
			healed := d.Component == NoFault || d.Component == Unstable
			for _, s := range d.Steps {
				healed = healed || replaced[s.Step] && s.Passes >= 1
			}
			if d.Stands != d.Standing() || d.Stands == StandsTested && !healed {
				t.Errorf("state %d: %s stands as %s with steps %+v", state, d.Component, d.Stands, d.Steps)
			}
			if d.Stands == StandsUnknown {
				unknown++
			}
		}
		if r.Unknown() != unknown {
			t.Errorf("state %d: %d unknown, counted %d", state, unknown, r.Unknown())
		}
		late := false
		for _, c := range r.Counts {
			if late && c.Known() {
				t.Errorf("state %d: %s stands behind causes that are not known", state, c.Component)
			}
			late = late || !c.Known()
			n := 0
			for _, part := range c.Stands {
				n += part
			}
			if n != c.Count {
				t.Errorf("state %d: %s counts %d, by standing %d", state, c.Component, c.Count, n)
			}
		}
		for _, c := range []Component{GenerationUnsure, Undetermined} {
			for _, words := range []string{r.Summary.EN, r.Summary.JA} {
				if strings.Contains(words, "cause: "+c.Word("en")) || strings.Contains(words, "最も多いのは"+c.Word("ja")+"です") {
					t.Errorf("state %d: %q names what is not known", state, words)
				}
			}
		}
		unsure := slices.ContainsFunc(r.Counts, func(c CauseCount) bool { return c.Component == GenerationUnsure && !c.Known() })
		for _, words := range [][2]string{{r.Summary.EN, "it is " + GenerationUnsure.Word("en")},
			{r.Summary.JA, "「" + GenerationUnsure.Word("ja") + "」としています"}} {
			if strings.Contains(words[0], words[1]) != unsure {
				t.Errorf("state %d: bars and %q name different parts", state, words[0])
			}
		}
		if says := strings.Contains(r.Summary.EN, "the cause is not proven"); says != (unknown > 0) ||
			strings.Contains(r.Summary.JA, "原因は未確定") != says || strings.Contains(r.Summary.EN, "not known") {
			t.Errorf("state %d: %q %q with %d unknown", state, r.Summary.EN, r.Summary.JA, unknown)
		}
	}
}

// TestOutcomesAreToldWithTheirInterval looks at what is said of tried configurations.
func TestOutcomesAreToldWithTheirInterval(t *testing.T) {
	t.Parallel()
	whole := RepairOutcome{TriedLow: 10, LowBefore: 10, TriedGood: 5, Good: 5, LowAfter: 4, LowLeast: 4, LowMost: 4, BrokenInAll: 1,
		BrokenLeast: 1, BrokenMost: 1}
	sampled := whole
	sampled.Good, sampled.LowAfter, sampled.LowLeast, sampled.LowMost, sampled.BrokenInAll, sampled.BrokenLeast, sampled.BrokenMost = 90,
		12, 6, 31, 8, 2, 27
	good := sampled // every good answer was tried, and a part of the others
	good.LowBefore, good.TriedGood, good.BrokenInAll, good.BrokenLeast, good.BrokenMost = 20, good.Good, 8, 8, 8
	for _, c := range []struct {
		o      RepairOutcome
		en, ja string
	}{
		{good, "The 12 include 8 newly broken answers.", "うち新たな悪化が8件の見込みです"},
		{whole, "In all: 10 → 4 low-score answers, 1 of them newly broken; every answer was tried.", "全体では低スコア回答が10件→4件、うち新たな悪化が1件です（全件を試行）。"},
		{sampled, "good answers. The 12 include about 8 newly broken answers (2 to 27).",
			"約12件（95%信頼区間6〜31件）、うち新たな悪化が約8件（同2〜27件）"},
	} {
		r := Recommendation{Repair: Repair{Component: Retriever, Param: "retrieve.k", From: 3, To: 6}, Outcome: &c.o}
		if said := recommendationWords(r); !strings.Contains(said.EN, c.en) || !strings.Contains(said.JA, c.ja) {
			t.Errorf("%+v", said)
		}
	}
}

// TestEveryWordOfATrialTellsTheSame makes trials on parts of a run and asks: the curve falls by what the sentence says, what was broken
// stands beside what was repaired, and a gain is doubted where, and only where, its interval holds none.
func TestEveryWordOfATrialTellsTheSame(t *testing.T) {
	t.Parallel()
	random := stats.NewSplitMix64(11)
	upTo := func(n int) int { return int(random.Uint64() % uint64(n)) }
	for state := range 300 {
		e := experiments.Evaluation{Run: experiments.Run{Setup: experiments.Setup{LowScore: 2}}}
		diagnoses := map[string]Diagnosis{}
		for i := range 10 {
			id := fmt.Sprintf("q%d", i)
			e.Questions = append(e.Questions, experiments.Question{ID: id})
			e.Results = append(e.Results, experiments.Result{QuestionID: id,
				Scores: []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: 1}}})
			diagnoses[id] = retrieverDiagnosis(id, embedderB())
		}
		o := RepairOutcome{Promised: 5, TriedLow: 1 + upTo(10), LowBefore: 10, TriedGood: 2 + upTo(7), Good: 8, Repaired: []string{"q1"},
			Broken: []string{"g1", "g2"}, LowAfter: float64(upTo(20)) / 2}
		o.LowLeast, o.LowMost = o.LowAfter, o.LowAfter
		if o.Sampled() {
			o.LowLeast, o.LowMost = max(0, o.LowAfter-float64(upTo(4))), o.LowAfter+float64(upTo(6))
		}
		r := ReportCauses(e, diagnoses, CauseReportInput{Method: Tested, Outcomes: map[string]RepairOutcome{joint{embedderB()}.key(): o}})
		if len(r.Recommendations) != 1 || len(r.Curve) != 1 {
			t.Fatalf("state %d: %+v", state, r.Recommendations)
		}
		long, short := r.Recommendations[0].Rationale, r.Summary
		after := fmt.Sprintf("→ %s%.0f low", map[bool]string{true: "about "}[o.Sampled()], 10-r.Curve[0].Repaired)
		if !strings.Contains(long.EN, after) {
			t.Errorf("state %d: %q and %v on the curve", state, long.EN, r.Curve[0].Repaired)
		}
		may := "Recommended"
		switch {
		case !o.Sampled(): // one repaired, two broken
			may = "Not certain to help"
		case o.LowMost >= 10:
			may = "Next to try on every answer"
		}
		if !strings.Contains(short.EN, may+": embedding model") {
			t.Errorf("state %d: %q of %+v", state, short.EN, o)
		}
		if strings.Contains(" "+long.EN+short.EN, " 1 low-score answers") {
			t.Errorf("state %d: one is no plural: %q %q", state, long.EN, short.EN)
		}
		for i, words := range []experiments.Rationale{long, short} {
			broken := fmt.Sprintf("Of %d good answers tried, 2 became low.", o.TriedGood)
			doubted := o.Sampled() && o.LowMost >= 10 && i == 1 // once: in the summary, which stands above
			if !strings.Contains(words.EN, "it repaired 1. "+broken) || strings.Contains(words.EN, "not certain") != doubted ||
				!strings.Contains(words.JA, fmt.Sprintf("%d件のうち2件が低スコアに", o.TriedGood)) ||
				strings.Contains(words.JA, "言い切れません") != doubted {
				t.Errorf("state %d: %+v of %+v", state, words, o)
			}
		}
	}
}
