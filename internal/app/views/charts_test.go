package views

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// charted is a run of five questions, the last without scores.
func charted() *loaded {
	e := experiments.Evaluation{Run: experiments.Run{ID: "r", Setup: experiments.Setup{LowScore: 2}}}
	for i, q := range []struct {
		tags              []string
		correctness, hold float64
	}{
		{[]string{"theme:fares", "hops:single"}, 1, 5}, {[]string{"theme:fares", "hops:single"}, 5, 5},
		{[]string{"theme:pets", "hops:multi", "loose"}, 2, 1}, {[]string{"theme:pets"}, 5, 4}, {[]string{"theme:pets"}, 0, 0},
	} {
		id := fmt.Sprintf("q%d", i+1)
		e.Questions = append(e.Questions, experiments.Question{ID: id, Tags: q.tags})
		r := experiments.Result{QuestionID: id}
		if q.correctness > 0 {
			r.Scores = []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: q.correctness},
				{Metric: "trust", State: metrics.Scored, Value: q.hold}}
		}
		e.Results = append(e.Results, r)
	}
	found := map[string]causes.Diagnosis{"q1": {Component: "retriever"}, "q3": {Component: "reference"}}
	return newLoaded(e, runIndex{diagnoses: found}, "r")
}

// drawnRows are what stands at the marks of a plan, by their keys.
func drawnRows(p *charts.Plan) map[string]string {
	out := map[string]string{}
	for _, m := range p.Marks {
		out[m.Key] = m.Text
	}
	return out
}

// TestAChartDoesNotNarrowItself: what is chosen in one chart of a run narrows the others, and the scale of the bubbles stays.
func TestAChartDoesNotNarrowItself(t *testing.T) {
	t.Parallel()
	l := charted()
	for want, q := range map[string]QuestionQuery{
		"map[1 5:1 2 1:1 5 4:1 5 5:1] map[q:fares:1 / 2 pets:1 / 3] map[reference:1 retriever:1] map[hops:multi:1 / 1 hops:single:1 / 2]": {},
		"map[1 5:1 5 5:1] map[q:fares:1 / 2 pets:1 / 3] map[retriever:1] map[hops:single:1 / 2]":                                          {Theme: []string{"fares"}},
		"map[1 5:1 2 1:1 5 4:1 5 5:1] map[q:fares:1 / 1 pets:1 / 1] map[reference:1 retriever:1] map[hops:multi:1 / 1 hops:single:1 / 1]": {Correctness: []int{1, 2}},
		"map[2 1:1] map[q:pets:1 / 1] map[reference:1] map[hops:multi:1 / 1]":                                                             {Tag: []string{"loose"}},
	} {
		themes := q
		themes.Theme = nil
		parts := l.parts(themes, func(r QuestionRow) charts.Part { return charts.Part{Key: r.Theme} })
		theme := map[string]string{}
		for _, p := range parts {
			theme[p.Key] = fmt.Sprintf("%d / %d", p.Marked, p.Count)
		}
		caused := l.parts(q, func(r QuestionRow) charts.Part { return charts.Part{Key: r.Cause} })
		cause := map[string]string{}
		for _, p := range caused {
			cause[p.Key] = fmt.Sprint(p.Count)
		}
		hops := map[string]string{}
		for _, p := range l.tagged(q)["hops"] {
			hops[p.Key] = fmt.Sprintf("%d / %d", p.Marked, p.Count)
		}
		got := fmt.Sprintf("%v map[q:%s %v %v", drawnRows(l.squares(q)), fmt.Sprint(theme)[4:], cause, hops)
		if got != want {
			t.Errorf("%+v:\n got %s\nwant %s", q, got, want)
		}
	}
	if narrow := l.squares(QuestionQuery{Theme: []string{"pets"}}); narrow.Marks[0].Size != l.squares(QuestionQuery{}).Marks[0].Size {
		t.Errorf("%+v", narrow.Marks)
	}
}

// TestBarsOfWhatIsKnown: answers without a cause, a category or a theme are in no bar, and do not stop the others.
func TestBarsOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	known := charted().charts(QuestionQuery{})
	bare := charted()
	for i := range bare.rows {
		bare.rows[i].Cause, bare.rows[i].Category, bare.rows[i].Theme, bare.rows[i].Tags = "", "", "", nil
	}
	var filters []string
	for _, b := range known.Bars {
		filters = append(filters, b.Filter)
		if b.Filter == "cause" && b.Plan.Marks[0].Apart {
			t.Errorf("%+v", b.Plan.Marks)
		}
	}
	if got := fmt.Sprint(filters, len(bare.charts(QuestionQuery{}).Bars)); got != "[cause theme tag] 0" {
		t.Error(got)
	}
}

// TestBarsSayWhoseTheThemesAre: themes of a run whose questions nobody analysed are the dataset's own.
func TestBarsSayWhoseTheThemesAre(t *testing.T) {
	t.Parallel()
	titles := func(l *loaded) (out string) {
		for _, b := range l.charts(QuestionQuery{}).Bars {
			if b.Filter == "theme" || b.Filter == "category" {
				out += b.Plan.Title.EN + b.Plan.Title.JA + ";"
			}
		}
		return out
	}
	l := charted()
	if got := titles(l); got != "Themes, by the dataset's tagsテーマ（データセットのタグによる）;" {
		t.Error(got)
	}
	l.known.labels = map[string]experiments.QuestionLabels{}
	for i := range l.rows {
		l.rows[i].Category = "single_hop_specific"
		l.known.labels[l.rows[i].QuestionID] = experiments.QuestionLabels{}
		if want := "Themes, by the question analysis, else by the dataset's tags"; i == 1 && !strings.Contains(titles(l), want) {
			t.Errorf("%s, want %s", titles(l), want)
		}
	}
	if got := titles(l); !strings.Contains(got, "質問カテゴリ（質問の分析による）;Themes, by the question analysisテーマ（質問の分析による）") {
		t.Error(got)
	}
}

// TestChosenAnswersAreFollowed: the other side has where the answers of chosen squares went, or came from, those that stayed included.
func TestChosenAnswersAreFollowed(t *testing.T) {
	t.Parallel()
	both := [2]*loaded{charted(), charted()}
	c := &compared{both: both, standing: [2][]experiments.Result{both[0].Results, both[1].Results}}
	at := func(correctness, trust float64) map[string]float64 {
		return map[string]float64{"correctness": correctness, "trust": trust}
	}
	c.rows = []ChangeRow{{Before: at(1, 4), After: at(5, 4), LowBefore: true},
		{Before: at(1, 4), After: at(1, 4), LowBefore: true, LowAfter: true},
		{Before: at(5, 5), After: at(5, 5)}, {Before: at(1, 4)}}
	for want, chosen := range map[string]Chosen{
		"map[1 4:1 5 4:1]": {Side: "before", Correctness: []int{1}, Trust: []int{4}},
		"map[1 4:1 5 5:1]": {Side: "after", Correctness: []int{5}},
	} {
		m := c.movement(chosen)
		own, other := m.Before, m.After
		if chosen.Side == "after" {
			own, other = other, own
		}
		if got := fmt.Sprint(drawnRows(other)); got != want {
			t.Errorf("%+v: %s", chosen, got)
		}
		if d := cmp.Diff(drawnRows(c.movement(Chosen{}).Before), drawnRows(own)); d != "" {
			t.Errorf("%+v: its own side changes: %s", chosen, d)
		}
	}
}
