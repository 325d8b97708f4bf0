package findings

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestTheFrontIsNumberedAndJoined: from the cheapest on, with the names of the configurations and their keys.
func TestTheFrontIsNumberedAndJoined(t *testing.T) {
	t.Parallel()
	named := func(s string) charts.Words { return charts.Words{EN: s} }
	p, err := Front([]FrontPoint{{Key: "c", Name: named("k 8"), Cost: 900, Quality: 0.7, Standing: compare.OnFront},
		{Key: "a", Name: named("k 3"), Cost: 500, Quality: 0.5, Standing: compare.Dominated, Baseline: true},
		{Key: "b", Name: named("k 4"), Cost: 400, Quality: 0.6, Standing: compare.OnFront}}, "tokens")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range p.Marks {
		got = append(got, m.Key+" "+m.Text)
	}
	if fmt.Sprint(got, p.Path) != "[b 1 c 2 a ■] [0 1]" {
		t.Error(got, p.Path)
	}
	if said := p.Said(p.Marks[2], "ja"); said != "設定: k 3（比較の基準）, 1質問あたりの参照箇所のトークン数: 500, "+
		"低スコアでない回答の割合（%）: 50, 位置づけ: 他に劣る" {
		t.Error(said)
	}
	if p, err := Front(nil, "price"); p != nil || err != nil {
		t.Error(p, err)
	}
}

// TestTheCurveSaysWhatWasTried: what harms is told apart, and stands beside the line.
func TestTheCurveSaysWhatWasTried(t *testing.T) {
	t.Parallel()
	at := func(name string, cost, repaired float64, change func(*causes.RepairPoint)) causes.RepairPoint {
		p := causes.RepairPoint{Name: experiments.Rationale{EN: name, JA: name}, Cost: cost, Repaired: repaired}
		change(&p)
		return p
	}
	p, err := Curve([]causes.RepairPoint{at("k 8", 2, 5, func(p *causes.RepairPoint) { p.Recommended = true }),
		at("hybrid", 1, 0, func(p *causes.RepairPoint) { p.Harms = true }), at("k 6", 1.5, 3, func(*causes.RepairPoint) {})})
	if err != nil || fmt.Sprint(p.Path) != "[0 2]" || len(p.Colour.Names) != 3 {
		t.Fatalf("%+v %v", p, err)
	}
	if said := p.Said(p.Marks[1], "en"); said != "change: hybrid, Length of the contexts (times): 1.00, Fewer low-score answers in the whole run: 0, "+
		"standing: breaks as many as it repairs" {
		t.Error(said)
	}
}

// TestTheTrendIsDrawnInPieces: a line begins anew behind a gap and where the measure changed, causes of two methods are two drawings, and
// what happened stands above, gaps that go on only once.
func TestTheTrendIsDrawnInPieces(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 11, 1, 21, 0, 0, 0, time.UTC)
	value := func(v float64) map[string]progress.TrendValue {
		return map[string]progress.TrendValue{"correctness": {Mean: v, N: 20, CI95: &[2]float64{v - 0.2, v + 0.2}}}
	}
	caused := func(id string, v float64, m causes.CauseMethod, n ...progress.TrendCause) *progress.TrendRun {
		return &progress.TrendRun{RunID: id, Metrics: value(v), Low: 2, Scored: 8, Threshold: 2, Causes: n, Method: m,
			LowShare: progress.TrendValue{Mean: 0.25, N: 8, CI95: &[2]float64{0.07, 0.59}}}
	}
	one := progress.TrendCause{Component: causes.Retriever, N: 3}
	two := progress.TrendCause{Component: causes.GenerationModel, N: 4}
	points := []progress.TrendPoint{{Run: caused("a", 4, causes.Observed, one, two), IsBaseline: true},
		{State: experiments.FireMissed}, {State: experiments.FireMissed}, {Run: caused("b", 3, causes.Tested, two)},
		{Run: caused("c", 3.5, ""), Changes: []progress.TrendChange{progress.ChangedJudge, progress.ChangedCorpus}, NewBaseline: true,
			Drift: "x"}, {Run: caused("d", 3.6, ""), Changes: []progress.TrendChange{progress.ChangedCorpus}}}
	for i := range points {
		points[i].At = monday.AddDate(0, 0, 7*i)
	}
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	p := TrendPlan(progress.Trend{Schedule: "weekly", Points: points, Chosen: []string{"correctness"}}, tokyo)
	var flags, titles, line []string
	for _, l := range p.Lines {
		flags = append(flags, fmt.Sprint(*l.X, " ", l.Title.EN))
	}
	for _, track := range p.Tracks {
		titles = append(titles, track.Title.EN)
	}
	parts := 0.0
	for _, m := range p.Marks {
		if m.Facet == 0 {
			line = append(line, fmt.Sprint(m.X, m.Begins, m.Framed))
		}
		if p.Tracks[m.Facet].Parts {
			parts += m.Y - m.Base
		}
	}
	if got := fmt.Sprint(flags); got != "[1 missed ×2 4 4 changes 5 Corpus changed]" {
		t.Error(got)
	}
	if got := fmt.Sprint(line); got != "[0 false true 3 false false 4 true false 5 false false]" || parts != 11 {
		t.Error(got, parts)
	}
	if want := []string{"correctness", "Low scores: % of the answers with correctness or trust of 2 or less",
		"Causes of low scores: number of answers (by replacing parts)",
		"Causes of low scores: number of answers (observed, not tested)"}; fmt.Sprint(titles) != fmt.Sprint(want) {
		t.Error(titles)
	}
	if p.Summary.EN != "Trend of the schedule weekly: 6 evaluations." || p.X.Ticks[0].Text.JA != "11月2日 06:00" || !p.Places[1].Empty ||
		p.Places[0].Key != "a" {
		t.Errorf("%+v %+v", p.Summary, p.X.Ticks[0])
	}
	if said := p.Said(charts.Mark{Row: 3}, "ja"); said != "日時: 2026年11月23日 06:00, correctness: 3.00, 95%下限: 2.80, 95%上限: 3.20, "+
		"低スコア回答（%）: 25.0, 95%下限: 7.0, 95%上限: 59.0, 低スコア回答: 2 / 8, 生成モデル: 4" {
		t.Error(said)
	}
}

// TestEffectsSayWhatIsClear: values stand with their difference, those whose interval is clear of zero in the first colour; what cannot
// be told apart has no chart.
func TestEffectsSayWhatIsClear(t *testing.T) {
	t.Parallel()
	e := compare.SweepEffects{Metric: "correctness", N: 40, Levels: []compare.LevelEffect{
		{Param: "retrieve.k", Value: "3", Mean: 3.104, Effect: -0.2, CI95: &[2]float64{-0.3, -0.1}},
		{Param: "retrieve.k", Value: "8", Mean: 3.5, Effect: 0.2, CI95: &[2]float64{-0.1, 0.5}},
		{Param: "chunk.size", Value: "400", Mean: 3.3}}}
	spec := metrics.Spec{TitleEN: "Correctness", TitleJA: "正確性"}
	p := Effects(e, spec, func(param, value string) string { return param + " " + value })
	var got []string
	for _, m := range p.Marks {
		got = append(got, fmt.Sprint(m.Text, " ", m.Colour))
	}
	if fmt.Sprint(got) != "[3.10 (-0.20) 0 3.50 (+0.20) 1 3.30 1]" || p.Y.Domain != [2]float64{-0.5, 0.5} {
		t.Error(got, p.Y.Domain)
	}
	if p.Summary.EN != "Correctness: highest at retrieve.k 8 (3.5), lowest at retrieve.k 3 (3.1)." {
		t.Error(p.Summary.EN)
	}
	if Effects(compare.SweepEffects{}, spec, nil) != nil {
		t.Error("a chart of nothing")
	}
}

// TestOpenCausesStandApart: whatever a report counted, the bars of what is not proven are pale and last, and the chart names as most
// frequent what the report's sentence names.
func TestOpenCausesStandApart(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	for state := range 200 {
		by := causes.Methods()[state%3]
		e := experiments.Evaluation{Run: experiments.Run{Setup: experiments.Setup{LowScore: 2}}}
		found := map[string]causes.Diagnosis{}
		for i := range 1 + random.IntN(12) {
			id := fmt.Sprint("q", i)
			e.Questions = append(e.Questions, experiments.Question{ID: id})
			e.Results = append(e.Results, experiments.Result{QuestionID: id,
				Scores: []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: 1}}})
			c := causes.Components()[random.IntN(len(causes.Components()))]
			found[id] = causes.Diagnosis{QuestionID: id, Method: by, Component: c, Data: c.Data()}
		}
		r := causes.ReportCauses(e, found, causes.CauseReportInput{Method: by})
		open := map[string]bool{}
		var parts []charts.Part
		for _, c := range r.Counts {
			open[string(c.Component)] = !c.Known()
			parts = append(parts, CausePart(c.Component, by, c.Count))
		}
		random.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
		p := Ranked("cause", Text{}, parts)
		some := false
		for i, m := range p.Marks {
			if m.Apart != open[m.Key] || some && !m.Apart {
				t.Errorf("state %d: bar %d, %s, apart %v", state, i, m.Key, m.Apart)
			}
			some = some || m.Apart
		}
		if some != (len(p.Notes) == 1) {
			t.Errorf("state %d: %v is said of %+v", state, p.Notes, p.Marks)
		}
		first := p.Marks[0]
		if named := strings.Contains(r.Summary.EN, "nown cause"); named == first.Apart {
			t.Errorf("state %d: first bar %s, and %q", state, first.Key, r.Summary.EN)
		}
		known, equal := 0, 0
		for _, m := range p.Marks {
			if !m.Apart {
				known++
				if m.Y == first.Y {
					equal++
				}
			}
		}
		if often := strings.Contains(r.Summary.EN, "Most frequent known cause"); often != (known > 1) {
			t.Errorf("state %d: of %d causes: %q", state, known, r.Summary.EN)
		}
		if several := strings.Contains(r.Summary.EN, "analysed each)"); several != (known > 1 && equal > 1) {
			t.Errorf("state %d: %d bars are longest, and %q", state, equal, r.Summary.EN)
		}
		if !first.Apart && int(first.Y) != r.Counts[0].Count {
			t.Errorf("state %d: the first bar has %g, the most frequent cause %d", state, first.Y, r.Counts[0].Count)
		}
	}
}

// TestBarsSayWhatIsNotSure: a bar of causes names how many of its answers have a probable one only, and the summary names the longest bar,
// proven or not.
func TestBarsSayWhatIsNotSure(t *testing.T) {
	t.Parallel()
	retriever := CausePart(causes.Retriever, causes.Tested, 45)
	retriever.Doubted = 1
	p := Ranked("cause", Text{}, []charts.Part{retriever, CausePart(causes.GenerationUnsure, causes.Tested, 94)})
	if got := p.X.Ticks[0].Text; got.EN != "Retriever (1 of them probable only)" || got.JA != "文書検索（うち推定1件）" {
		t.Errorf("the bar is called %+v", got)
	}
	if !strings.Contains(p.Summary.EN, "most at Probably generation (model or instructions) (94)") {
		t.Errorf("most is said to be at %q", p.Summary.EN)
	}
}
