package compare

import (
	"math"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// LevelEffect is one value of a swept parameter: the mean that the additive model gives it when the values of all other
// parameters count alike.
type LevelEffect struct {
	Param  string      `json:"param"`
	Value  string      `json:"value"`
	Runs   int         `json:"runs"` // configurations that have it
	Mean   float64     `json:"mean"`
	Effect float64     `json:"effect"`         // Mean less the mean over all values of the parameter
	CI95   *[2]float64 `json:"ci95,omitempty"` // of Effect, over questions; nil under 3 questions
}

// SweepEffects are the main effects of a sweep on one metric.
type SweepEffects struct {
	Metric string        `json:"metric"`
	N      int           `json:"n"`              // questions that every configuration scored
	Levels []LevelEffect `json:"levels"`         // by parameter, in the order of the axes
	Note   string        `json:"note,omitempty"` // why there are none
}

// MainEffectsOf computes what each value of each parameter does to a metric, over the questions that every configuration
// scored. Parameters with one value are left out. Where the configurations left cannot tell the values apart there are no
// levels and a note.
func MainEffectsOf(evaluations []experiments.Evaluation, metric string) SweepEffects {
	table, questions := paired(evaluations, metric)
	e := SweepEffects{Metric: metric, N: len(questions), Levels: []LevelEffect{}}
	if len(questions) == 0 {
		e.Note = "no question was scored by every configuration"
		return e
	}
	factors, design := designOf(evaluations)
	if len(factors) == 0 {
		e.Note = "no parameter takes two values"
		return e
	}
	perQuestion := make([][]float64, len(questions)) // the means of all levels, one after the other
	column := make([]float64, len(evaluations))
	for q := range questions {
		for i := range table {
			column[i] = table[i][q]
		}
		levels, err := stats.MainEffects(design, column)
		if err != nil {
			e.Note = "the configurations that were run cannot tell the parameters apart"
			return e
		}
		for _, means := range levels {
			perQuestion[q] = append(perQuestion[q], means...)
		}
	}
	at := 0
	for f, factor := range factors {
		for l, value := range factor.values {
			own, effect := make([]float64, len(questions)), make([]float64, len(questions))
			for q := range questions {
				own[q] = perQuestion[q][at]
				effect[q] = own[q] - stats.Mean(perQuestion[q][at-l:at-l+len(factor.values)])
			}
			level := LevelEffect{Param: factor.name, Value: value, Mean: stats.Mean(own), Effect: stats.Mean(effect),
				CI95: intervalOf(effect, questions)}
			for _, run := range design {
				if run[f] == l {
					level.Runs++
				}
			}
			e.Levels = append(e.Levels, level)
			at++
		}
	}
	return e
}

// factor is a parameter that takes several values.
type factor struct {
	name   string
	values []string
}

// designOf numbers the values of each parameter by their first appearance.
func designOf(evaluations []experiments.Evaluation) ([]factor, [][]int) {
	var factors []factor
	design := make([][]int, len(evaluations))
	for p := range evaluations[0].Run.Params {
		f := factor{name: evaluations[0].Run.Params[p].Name}
		numbers, levels := map[string]int{}, make([]int, len(evaluations))
		for i, e := range evaluations {
			value := e.Run.Params[p].Text()
			if _, known := numbers[value]; !known {
				numbers[value] = len(numbers)
				f.values = append(f.values, value)
			}
			levels[i] = numbers[value]
		}
		if len(f.values) < 2 {
			continue
		}
		factors = append(factors, f)
		for i := range design {
			design[i] = append(design[i], levels[i])
		}
	}
	return factors, design
}

// intervalOf is the 95% interval of a mean over questions, which may depend on each other when they share a document.
func intervalOf(values []float64, questions []experiments.Question) *[2]float64 {
	if len(values) < Fewest {
		return nil
	}
	if labels, clusters := sharedDocuments(questions); clusters > 1 {
		if r, err := stats.ClusterRobust(values, labels, 0.95); err == nil {
			return &[2]float64{r.Low, r.High}
		}
	}
	t, err := stats.PairedT(make([]float64, len(values)), values)
	if err != nil || math.IsNaN(t.CILow) {
		return nil
	}
	return &[2]float64{t.CILow, t.CIHigh}
}

// sharedDocuments numbers what questions share by [shared]; 0 clusters when no two questions share something, or all do.
func sharedDocuments(questions []experiments.Question) ([]int, int) {
	asked := make([]*experiments.Question, len(questions))
	for i := range questions {
		asked[i] = &questions[i]
	}
	name, _ := shared(asked)
	g := groupedBy(asked, name)
	if g.groups == len(questions) || g.groups < 2 {
		return g.labels, 0
	}
	return g.labels, g.groups
}

// paired returns the scores of a metric by configuration and question, means over votes, for the questions that every configuration
// scored.
func paired(evaluations []experiments.Evaluation, metric string) ([][]float64, []experiments.Question) {
	values := make([]map[string]float64, len(evaluations))
	for i, e := range evaluations {
		values[i] = map[string]float64{}
		standing, _ := experiments.Standing(e.Results)
		for _, r := range standing {
			if v, ok := valueOf(r, e.Run.Setup, metric); ok {
				values[i][r.QuestionID] = v
			}
		}
	}
	table := make([][]float64, len(evaluations))
	var questions []experiments.Question
	seen := map[string]bool{}
	for _, q := range evaluations[0].Questions {
		everywhere := !seen[q.ID]
		for i := range values {
			_, ok := values[i][q.ID]
			everywhere = everywhere && ok
		}
		if !everywhere {
			continue
		}
		seen[q.ID] = true
		questions = append(questions, q)
		for i := range table {
			table[i] = append(table[i], values[i][q.ID])
		}
	}
	return table, questions
}

// GoodAnswers is the share of answers that are no low score: what a sweep is won by.
const GoodAnswers = "good_answers"

// valueOf is a result's score; of [GoodAnswers] it is known where a score is by which answers can be low.
func valueOf(r experiments.Result, s experiments.Setup, metric string) (float64, bool) {
	if metric != GoodAnswers {
		return r.Value(metric)
	}
	rule := s.LowRule()
	if r.Low(rule) {
		return 0, true
	}
	return 1, r.Rated(rule)
}

// SweepMetrics are what the configurations of a sweep are set side by side in: good answers, correctness, trust and evidence
// coverage as far as the suite has them, else its first metric of which more is better.
func SweepMetrics(suite []metrics.Spec) []string {
	has := map[string]bool{}
	for _, s := range suite {
		has[s.ID] = true
	}
	var out []string
	if has["correctness"] || has["trust"] {
		out = append(out, GoodAnswers)
	}
	for _, id := range []string{"correctness", "trust", "span_coverage"} {
		if has[id] {
			out = append(out, id)
		}
	}
	for _, s := range suite {
		if len(out) == 0 && !s.LowerIsBetter && s.Group != operations {
			out = append(out, s.ID)
		}
	}
	return out
}
