package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestLeftOutQuestionsAreNamed: whoever reads that 7 of 10 were compared learns which 3 were not, where they stand and why.
func TestLeftOutQuestionsAreNamed(t *testing.T) {
	t.Parallel()
	var before, after []scoreRow
	for i := range 10 {
		id, given := fmt.Sprintf("q%d", i), [][]float64{one1(0.5), one1(0.5)}
		before = append(before, row(id, given...))
		if i == 2 || i == 5 || i == 7 {
			given = [][]float64{nil, one1(0.5)}
		}
		after = append(after, row(id, given...))
	}
	b, a := scores("old.csv", []string{"accuracy", "score"}, before...), scores("new.csv", []string{"accuracy", "score"}, after...)
	a.Items[2].Lacks = map[int]foreign.Lack{0: {Row: 4, Cell: "未採点"}}
	a.Items[5].Unanswered = true
	got := comparedFiles(t, b, a, FileRules{})
	m := got.Metrics[0]
	if m.N != 7 || m.Unscored != 3 || len(m.LeftOut) != 3 || len(got.Metrics[1].LeftOut) != 0 {
		t.Fatalf("%+v", m)
	}
	en, ja := strings.Join(got.Warnings, "\n"), strings.Join(got.WarningsJA, "\n")
	for _, want := range []string{"accuracy: 3 questions lack a score in one file or both and are not compared: " +
		"q2 (new.csv row 4: 未採点), q5 (new.csv row 7: no answer), q7 (new.csv: no score)"} {
		if !strings.Contains(en, want) {
			t.Errorf("%s\nwant %s", en, want)
		}
	}
	if want := "q2（new.csvの4行目：未採点）、q5（new.csvの7行目：回答なし）、q7（new.csv：" +
		"スコアなし）"; !strings.Contains(ja, want) {
		t.Errorf("%s\nwant %s", ja, want)
	}
}

// TestFiguresOfOperationDecideNothingBesideScores: cost between 0 and 1 is no better known than points of some scale.
func TestFiguresOfOperationDecideNothingBesideScores(t *testing.T) {
	t.Parallel()
	table := func(file string, points float64) *foreign.ScoreTable {
		var rows []scoreRow
		for i := range 12 {
			rows = append(rows, row(fmt.Sprintf("q%d", i), one1(.002), one1(float64(i)*8+points), one1(300)))
		}
		return scores(file, []string{"cost_usd", "correctness_points", "latency_ms"}, rows...)
	}
	got := comparedFiles(t, table("old.csv", 12), table("new.csv", 2), FileRules{})
	if len(got.DecideBy) != 1 || got.DecideBy[0] != "correctness_points" {
		t.Errorf("decided by %v", got.DecideBy)
	}
}

// TestTwoScalesAreNotCompared: shares of 1 beside percentages, or yes and no beside levels, are no difference of answers.
func TestTwoScalesAreNotCompared(t *testing.T) {
	t.Parallel()
	table := func(file, metric string, values ...float64) *foreign.ScoreTable {
		var rows []scoreRow
		for i, v := range values {
			rows = append(rows, row(fmt.Sprintf("q%d", i), one1(v)))
		}
		return scores(file, []string{metric}, rows...)
	}
	for name, c := range map[string]struct {
		metric        string
		before, after []float64
		rules         FileRules
		refused       bool
	}{
		"percentages":       {"accuracy", []float64{0.5, 0.7, 1, 0.2, 0}, []float64{50, 70, 100, 20, 0}, FileRules{}, true},
		"the other way":     {"accuracy", []float64{50, 70, 100, 20, 0}, []float64{0.5, 0.7, 1, 0.2, 0}, FileRules{}, true},
		"yes beside levels": {"score", []float64{0, 1, 1, 0, 1}, []float64{1, 5, 4, 2, 3}, FileRules{}, true},
		"told what counts": {"accuracy", []float64{0.5, 0.7, 1, 0.2, 0}, []float64{50, 70, 100, 20, 0},
			FileRules{Deltas: map[string]float64{"accuracy": 1}}, false},
		"points that rose":   {"points", []float64{0, 1, 1, 0, 1}, []float64{0, 3, 2, 2, 3}, FileRules{}, false},
		"errors that rose":   {"errors", []float64{0.5, 0.7, 1, 0.2, 0}, []float64{50, 70, 100, 20, 0}, FileRules{}, false},
		"one scale":          {"accuracy", []float64{0.5, 0.7, 1, 0.2, 0}, []float64{1, 1, 1, 1, 1}, FileRules{}, false},
		"levels with halves": {"score", []float64{0.5, 1, 1, 0.5, 1}, []float64{0.5, 3, 2, 2.5, 3}, FileRules{}, false},
	} {
		got, err := CompareScores(table("old.csv", c.metric, c.before...), table("new.csv", c.metric, c.after...), c.rules)
		if (err != nil) != c.refused || err != nil && problem.From(err).Code != "scales_differ" {
			t.Errorf("%s: %v %+v", name, err, got.Metrics)
		}
		if err == nil {
			continue
		}
		if ja := problem.From(err).In("ja").Message; !strings.Contains(ja, "尺度が異なる") {
			t.Errorf("%s: %s", name, ja)
		}
	}
}

// TestFiguresOfOperationAreNamed: latency and cost that are compared beside a score say that they decide nothing about answers, and where
// they are all there is it is not said.
func TestFiguresOfOperationAreNamed(t *testing.T) {
	t.Parallel()
	table := func(file string, columns ...string) *foreign.ScoreTable {
		var rows []scoreRow
		for i := range 12 {
			given := make([][]float64, len(columns))
			for k := range given {
				given[k] = one1(float64(i%5 + 1))
			}
			rows = append(rows, row(fmt.Sprintf("q%d", i), given...))
		}
		return scores(file, columns, rows...)
	}
	for _, c := range []struct{ columns, named []string }{
		{[]string{"correctness", "latency_ms", "cost_usd"}, []string{"latency_ms", "cost_usd"}},
		{[]string{"latency_ms", "correctness"}, []string{"latency_ms"}},
		{[]string{"latency_ms"}, nil},
		{[]string{"latency_ms", "cost_usd"}, nil},
		{[]string{"correctness", "faithfulness"}, nil},
	} {
		got := comparedFiles(t, table("old.csv", c.columns...), table("new.csv", c.columns...), FileRules{})
		en, ja := "do not decide whether an answer counts as better or worse: "+strings.Join(c.named, ", "),
			"悪化・改善の判定には使いません："+strings.Join(c.named, "、")
		if len(c.named) == 0 {
			en, ja = "figures of operation", "運用の数値"
		}
		told := strings.Contains(strings.Join(got.Warnings, "\n"), en) && strings.Contains(strings.Join(got.WarningsJA, "\n"), ja)
		if told != (len(c.named) > 0) {
			t.Errorf("%v: %q %q", c.columns, got.Warnings, got.WarningsJA)
		}
	}
}
