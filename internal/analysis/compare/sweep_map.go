package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// SweepMap is the heat map of a sweep on one metric: what intervals allow to say of its cells. The intervals of a kind hold all together
// with at least 95%, by Bonferroni's rule.
type SweepMap struct {
	Metric string                `json:"metric"`
	N      int                   `json:"n"`     // questions that every configuration scored
	Cells  []MapCell             `json:"cells"` // in the order of the runs; none where there are no intervals
	Words  experiments.Rationale `json:"words"` // what may be said of the cells; "" where there are none
}

// MapCell is one configuration of a sweep.
type MapCell struct {
	RunID  string  `json:"run_id"`
	Name   string  `json:"name"` // the values of the parameters that vary
	Mean   float64 `json:"mean"`
	Best   bool    `json:"best"`             // the best mean; the first of equals
	Gap    Gap     `json:"gap"`              // Mean less that of the best
	Beyond *Gap    `json:"beyond,omitempty"` // Mean less what its values give each by itself; nil where runs cannot tell
}

// Gap is a difference over the questions.
type Gap struct {
	Mean    float64    `json:"mean"`
	CI      [2]float64 `json:"ci"`
	Differs bool       `json:"differs"` // 0 is not in the interval
}

// MapOf makes the heat map of a sweep. lower says that less of the metric is better.
func MapOf(evaluations []experiments.Evaluation, metric string, lower bool) SweepMap {
	table, questions := paired(evaluations, metric)
	m := SweepMap{Metric: metric, N: len(questions), Cells: []MapCell{}}
	if len(evaluations) < 2 || len(questions) < Fewest {
		return m
	}
	factors, design := designOf(evaluations)
	best := 0
	for i, row := range table {
		mean := stats.Mean(row)
		m.Cells = append(m.Cells, MapCell{RunID: evaluations[i].Run.ID, Name: cellName(factors, design[i]), Mean: mean})
		if mean != m.Cells[best].Mean && mean < m.Cells[best].Mean == lower {
			best = i
		}
	}
	m.Cells[best].Best = true
	for i := range m.Cells {
		if gap, ok := gapOf(table[i], table[best], questions, Jointly(len(table)-1)); ok && i != best {
			m.Cells[i].Gap = gap
		}
	}
	m.beyond(factors, design, table, questions)
	m.Words = m.words()
	return m
}

// beyond sets each cell beside what an additive model gives it: the values of its parameters, each by itself.
func (m *SweepMap) beyond(factors []factor, design [][]int, table [][]float64, questions []experiments.Question) {
	free := len(table) - 1
	for _, f := range factors {
		free -= len(f.values) - 1
	}
	if len(factors) < 2 || free < 1 {
		return
	}
	expected := make([][]float64, len(table))
	column := make([]float64, len(table))
	for q := range questions {
		for i := range table {
			column[i] = table[i][q]
		}
		levels, err := stats.MainEffects(design, column)
		if err != nil {
			return
		}
		middle := stats.Mean(levels[0])
		for i, run := range design {
			sum := middle
			for f, level := range run {
				sum += levels[f][level] - middle
			}
			expected[i] = append(expected[i], sum)
		}
	}
	for i := range m.Cells {
		if gap, ok := gapOf(table[i], expected[i], questions, Jointly(len(table))); ok {
			m.Cells[i].Beyond = &gap
		}
	}
}

func gapOf(own, other []float64, questions []experiments.Question, confidence float64) (Gap, bool) {
	differences := make([]float64, len(own))
	for q := range own {
		differences[q] = own[q] - other[q]
	}
	labels, _ := sharedDocuments(questions)
	r, err := stats.ClusterRobust(differences, labels, confidence)
	if err != nil {
		for q := range labels { // one document for all: nothing but the questions to go by
			labels[q] = q
		}
		if r, err = stats.ClusterRobust(differences, labels, confidence); err != nil {
			return Gap{}, false
		}
	}
	const rounding = 1e-9
	return Gap{Mean: r.Mean, CI: [2]float64{r.Low, r.High}, Differs: r.Low > rounding || r.High < -rounding}, true
}

// Standing says how the winner of a sweep stands among the others, as far as intervals allow: "best of 16, not told from 5 others".
// "" where there are none, and where the winner is told from a better one.
func (m SweepMap) Standing(winner string) experiments.Rationale {
	level := 0
	for _, c := range m.Cells {
		if c.RunID == winner && c.Gap.Differs {
			return experiments.Rationale{}
		}
		if c.RunID != winner && !c.Gap.Differs {
			level++
		}
	}
	switch {
	case len(m.Cells) < 2:
		return experiments.Rationale{}
	case level == 0:
		return experiments.Rationale{
			EN: fmt.Sprintf("Best of %d, told from all others by these %d questions.", len(m.Cells), m.N),
			JA: fmt.Sprintf("設定%d件の中で最良です。この%d問で、ほかのすべての設定との差が認められます。", len(m.Cells), m.N),
		}
	}
	others := "others"
	if level == 1 {
		others = "other"
	}
	var strict experiments.Rationale // comparing two of them, which says more, is no contradiction
	if len(m.Cells) > 2 {
		strict = experiments.Rationale{EN: " Comparing all at once takes a larger difference than comparing two runs alone.",
			JA: "全設定を同時に比べるため、2つの実行だけの比較より大きな差がなければ、差があるとは判定しません。"}
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("Best of %d, not told from %d %s by these %d questions."+strict.EN, len(m.Cells), level, others, m.N),
		JA: fmt.Sprintf("設定%d件の中で最良ですが、この%d問では、ほかの設定%d件と区別できません。"+strict.JA, len(m.Cells),
			m.N, level),
	}
}

func cellName(factors []factor, run []int) string {
	parts := make([]string, len(factors))
	for f, factor := range factors {
		parts[f] = factor.name + " = " + factor.values[run[f]]
	}
	return strings.Join(parts, ", ")
}

// mostNamed is how many combinations a sentence names; the cells hold all.
const mostNamed = 3

// words say how many cells are told from the best, and which combinations do more or less than their values one by one.
func (m SweepMap) words() experiments.Rationale {
	behind := 0
	var apart []MapCell
	for _, c := range m.Cells {
		if c.Gap.Differs {
			behind++
		}
		if c.Beyond != nil && c.Beyond.Differs {
			apart = append(apart, c)
		}
	}
	level := len(m.Cells) - 1 - behind
	out := experiments.Rationale{
		EN: fmt.Sprintf("Of %d configurations, %d can be told from the best by these %d questions, and %d cannot (≈).",
			len(m.Cells), behind, m.N, level),
		JA: fmt.Sprintf("設定%d件のうち、この%d問で最良との差が認められるのは%d件です。"+
			"%d件は最良と区別できません（≈）。",
			len(m.Cells), m.N, behind, level),
	}
	if !slices.ContainsFunc(m.Cells, func(c MapCell) bool { return c.Beyond != nil }) {
		return out
	}
	if len(apart) == 0 {
		out.EN += " No combination is told apart from what its values do one by one."
		out.JA += "値を一つずつ変えた効果の合計と区別できる組み合わせはありません。"
		return out
	}
	for _, c := range apart[:min(len(apart), mostNamed)] {
		mean, from, to := stats.Signed(c.Beyond.Mean, 2), stats.Signed(c.Beyond.CI[0], 2), stats.Signed(c.Beyond.CI[1], 2)
		out.EN += fmt.Sprintf(" Together, %s are %s (%s to %s) beside what they do one by one.", c.Name, mean, from, to)
		out.JA += fmt.Sprintf("%sの組み合わせは、一つずつ変えた効果の合計より%s（%s〜%s）です。", c.Name, mean, from, to)
	}
	if n := len(apart) - mostNamed; n > 0 {
		out.EN += fmt.Sprintf(" And %d more.", n)
		out.JA += fmt.Sprintf("ほかに%d組あります。", n)
	}
	return out
}
