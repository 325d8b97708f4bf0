package experiments

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// lowSuite are imported metrics of every kind that a definition may meet.
func lowSuite() []metrics.Spec {
	imported := func(id string, least, most float64, lower bool) metrics.Spec {
		return metrics.Spec{ID: id, Group: metrics.GroupImported, Min: least, Max: most, LowerIsBetter: lower}
	}
	unknown := imported("table.tone", 0, 1, false)
	unknown.Undirected = true
	return []metrics.Spec{imported("ragas.faithfulness", 0, 1, false), imported("ragas.hallucination", 0, 1, true),
		imported("table.点", 0, 100, false), imported("table.stars", 1, 5, false), imported("table.latency", 0, 60, true), unknown}
}

// TestWhatLowMeansIsReadAsPeopleWriteIt: signs, spaces, percentages and decimal commas of every keyboard, and the file's name or ours.
func TestWhatLowMeansIsReadAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]LowLine{
		"faithfulness<=0.5":         {Metric: "ragas.faithfulness", At: .5},
		"Faithfulness ≤ 0,5":        {Metric: "ragas.faithfulness", At: .5},
		"ragas.faithfulness<=50%":   {Metric: "ragas.faithfulness", At: .5},
		"faithfulness＜＝０．５":         {Metric: "ragas.faithfulness", At: .5},
		"hallucination>=0.2":        {Metric: "ragas.hallucination", At: .2, Above: true},
		"Score ≧ 20 %":              {Metric: "ragas.hallucination", At: .2, Above: true},
		"点<=60":                     {Metric: "table.点", At: 60},
		"点 <= 60%":                  {Metric: "table.点", At: 60},
		"stars<=2":                  {Metric: "table.stars", At: 2},
		"  ragas.faithfulness<= 0 ": {Metric: "ragas.faithfulness", At: 0},
	} {
		got, err := ReadLow([]string{said}, lowSuite(), map[string]string{"ragas.hallucination": "Score"})
		if strings.HasPrefix(said, "hallucination") { // by our name, where the file calls it otherwise
			got, err = ReadLow([]string{said}, lowSuite(), nil)
		}
		if err != nil || !slices.Equal(got, []LowLine{want}) {
			t.Errorf("%q: %v, %v; want %v", said, got, err, want)
		}
	}
}

// TestWhatCannotSayWhatIsLowIsRefused, in both languages.
func TestWhatCannotSayWhatIsLowIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, want string }{
		{"faithfulness", "does not say which scores are low"}, {"<=0.5", "does not say"}, {"faithfulness<=", "does not say"},
		{"faithfulness<0.5", "does not say"}, {"faithfulness<=low", "does not say"},
		{"faithfullness<=0.5", `no score "faithfullness" in the file (did you mean "faithfulness"?)`},
		{"faithfulness>=0.5", "more is better in ragas.faithfulness"}, {"hallucination<=0.5", "less is better in ragas.hallucination"},
		{"faithfulness<=50", "goes from 0 to 1, and 50 lies outside"}, {"stars<=40%", "goes from 1 to 5, which is no scale of percentages"},
		{"stars<=0", "lies outside"}, {"latency>=3", "figure of operation"}, {"tone<=0.3", "nobody knows whether more or less"},
		{"faithfulness<=0.5|faithfulness<=0.4", "named twice"}, {"faithfulness<=0.5|点<=50|stars<=2", "an answer can be low by 2 at most"},
	} {
		_, err := ReadLow(strings.Split(c.said, "|"), lowSuite(), nil)
		p := problem.From(err)
		if err == nil || p.Code != "low_said" || !strings.Contains(p.Message, c.want) || p.Hint == "" {
			t.Errorf("%q: %v", c.said, err)
			continue
		}
		for _, said := range []string{p.Message, p.Hint} {
			if ja, known := problem.Japanese(said); !known || ja == said {
				t.Errorf("%q is not said in Japanese: %q", c.said, said)
			}
		}
	}
	ours := append(lowSuite(), metrics.Spec{ID: "trust", Min: 1, Max: 5})
	if _, err := ReadLow([]string{"faithfulness<=0.5"}, ours, nil); err == nil || !strings.Contains(err.Error(), "judge of ours") {
		t.Errorf("beside trust: %v", err)
	}
	if _, err := ReadLow([]string{"faithfulness<=0.5"}, nil, nil); err == nil || !strings.Contains(err.Error(), "no scores were read") {
		t.Errorf("of no scores: %v", err)
	}
}

// TestALowRuleCountsWhatItSays: any one line makes an answer low, and an answer is rated by any score of a line; the usual rule asks
// correctness and trust alone, and agreed thresholds never reach a rule of the run's own.
func TestALowRuleCountsWhatItSays(t *testing.T) {
	t.Parallel()
	own := Setup{LowScore: 2, Low: []LowLine{{Metric: "ragas.faithfulness", At: .5}, {Metric: "ragas.hallucination", At: .3, Above: true}}}
	usual := Setup{LowScore: 2}
	random := stats.NewSplitMix64(7)
	score := func(r *Result, metric string, of func() float64) (float64, bool) {
		if random.Below(4) == 0 {
			return 0, false
		}
		v := of()
		r.Scores = append(r.Scores, metrics.Score{Metric: metric, State: metrics.Scored, Value: v})
		return v, true
	}
	share := func() float64 { return float64(random.Below(11)) / 10 }
	grade := func() float64 { return float64(1 + random.Below(5)) }
	for range 2000 {
		var r Result
		f, hasF := score(&r, "ragas.faithfulness", share)
		h, hasH := score(&r, "ragas.hallucination", share)
		c, hasC := score(&r, "correctness", grade)
		tr, hasT := score(&r, "trust", grade)
		for _, rule := range []LowRule{own.LowRule(), own.LowRule().Agreed(5)} {
			if r.Low(rule) != (hasF && f <= .5 || hasH && h >= .3) || r.Rated(rule) != (hasF || hasH) {
				t.Fatalf("%v: low %t, rated %t", r.Scores, r.Low(rule), r.Rated(rule))
			}
		}
		for line, rule := range map[float64]LowRule{2: usual.LowRule(), 3: usual.LowRule().Agreed(3)} {
			if r.Low(rule) != (hasC && c <= line || hasT && tr <= line) || r.Rated(rule) != (hasC || hasT) {
				t.Fatalf("%v at %g: low %t, rated %t", r.Scores, line, r.Low(rule), r.Rated(rule))
			}
		}
	}
	votes := Result{Scores: []metrics.Score{{Metric: "ragas.faithfulness", State: metrics.Scored, Value: (.1 + .2 + .3) / 3}}}
	if at := (Setup{Low: []LowLine{{Metric: "ragas.faithfulness", At: .2}}}).LowRule(); !votes.Low(at) {
		t.Error("a mean of votes of .2 is not at .2")
	}
}

// TestSetupsOfTodayKeepTheirDigest: what says nothing of low stands as it did, and what does reads back.
func TestSetupsOfTodayKeepTheirDigest(t *testing.T) {
	t.Parallel()
	for _, value := range []any{Setup{LowScore: 2}, Definition{LowScore: 2}, Agreement{LowScore: 2}, Total(nil, UsualLow(2))} {
		body, err := json.Marshal(value)
		if err != nil || strings.Contains(string(body), `"low"`) || strings.Contains(string(body), "own_low") {
			t.Errorf("%s, %v", body, err)
		}
	}
	was := Setup{LowScore: 2, Low: []LowLine{{Metric: "table.a<=b", At: .25}, {Metric: "deepeval.bias", At: .5, Above: true}}}
	body, err := json.Marshal(was)
	var is Setup
	if err == nil {
		err = json.Unmarshal(body, &is)
	}
	if err != nil || !slices.Equal(was.Low, is.Low) || was.Digest() != is.Digest() || was.Digest() == (Setup{LowScore: 2}).Digest() {
		t.Errorf("%v, %v", is.Low, err)
	}
	d, err := ParseDefinition([]byte("name: x\ndataset: d\nanswers: x\nlow: ['table.a<=b<=0.25', 'deepeval.bias>=0.5']\n"), ".")
	if err != nil || !slices.Equal(d.Low, was.Low) {
		t.Errorf("of a file: %v, %v", d.Low, err)
	}
	if _, err := ParseDefinition([]byte("name: x\ndataset: d\ncorpus: c\nlow: ['table.a<=0.25']\n"), "."); err == nil {
		t.Error("a system that is judged here says what is low in other terms")
	}
}

// TestWhatIsLowIsSaidInWords.
func TestWhatIsLowIsSaidInWords(t *testing.T) {
	t.Parallel()
	two := Setup{Low: []LowLine{{Metric: "ragas.faithfulness", At: .5}, {Metric: "deepeval.bias", At: .3, Above: true}}}.LowRule()
	table := Setup{Low: []LowLine{{Metric: "table.score", At: 60}}}.LowRule()
	unsaid := Setup{LowScore: 2, Suite: lowSuite()[:1]}.LowRule()
	for _, c := range []struct{ got, want string }{
		{UsualLow(2).Words("en"), "correctness or trust of 2 or less"}, {UsualLow(2.5).Words("ja"), "正確性または信頼性が2.5以下"},
		{UsualLow(2).Short("en"), "correctness or trust ≤ 2"}, {table.Short("ja"), "ファイルのscoreが60以下"},
		{two.Words("en"), "Ragas: faithfulness of 0.5 or less, or DeepEval: bias of 0.3 or more"},
		{two.Short("en"), "Ragas: faithfulness ≤ 0.5 or DeepEval: bias ≥ 0.3"},
		{two.Words("ja"), "Ragas: faithfulnessが0.5以下、またはDeepEval: biasが0.3以上"},
		{unsaid.Words("en"), "not said"}, {unsaid.Short("ja"), "未指定"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
