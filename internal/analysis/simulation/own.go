package simulation

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// SelfComparison is what comparing a configuration with itself shows: how noisy generator and judge are on this project's
// questions, how many answers each way of comparing would wrongly call worse, and how small a change is still seen.
type SelfComparison struct {
	Questions int          `json:"questions"` // with at least two votes
	Votes     int          `json:"votes"`     // of most of them
	Splits    int          `json:"splits"`    // comparisons that the votes were dealt into
	Metrics   []SelfMetric `json:"metrics"`   // in the order of the suite
}

// SelfMetric is one metric of a [SelfComparison]. Counts are means over the comparisons.
type SelfMetric struct {
	Metric     string  `json:"metric"`
	Gate       bool    `json:"gate"`        // the metric may call an answer worse
	Questions  int     `json:"questions"`   // that it scored at least twice
	AnyDrop    float64 `json:"any_drop"`    // answers whose single score is lower in the second arm
	Drop       float64 `json:"drop"`        // by delta or more
	NeedsCheck float64 `json:"needs_check"` // that the workbench wants checked after one vote in each arm
	Worse      float64 `json:"worse"`       // that it calls worse after all votes
	AnyWorse   float64 `json:"any_worse"`   // share of comparisons in which it calls any answer worse
	Delta      float64 `json:"delta"`       // smallest difference on one question that counts

	Noise        Figure `json:"noise"`         // standard deviation of a vote on the same question
	Disagreement Figure `json:"disagreement"`  // chance that two votes on the same question differ
	Reliability  Figure `json:"reliability"`   // ICC(1): share of the variance between votes that is between questions
	SameQuestion Figure `json:"same_question"` // a smaller change on one question is within noise
	VisibleOne   Figure `json:"visible_one"`   // smallest change of the mean found in 4 of 5 comparisons, with one vote in each arm
	VisibleAll   Figure `json:"visible_all"`   // the same with half of all votes in each arm
}

// CompareWithItself deals the votes of one run and its replicates into two arms, question by question and by chance, splits
// times, and compares the arms as two runs are compared. Under equal conditions votes are exchangeable, so every difference
// is noise. Questions with fewer than two votes are left out. A Problem of kind NotComparable says that none has two.
func CompareWithItself(e experiments.Evaluation, splits int, seed uint64) (SelfComparison, error) {
	byQuestion := compare.NewRunArm(e)
	counts := map[int]int{}
	var usable []experiments.Question
	for _, q := range byQuestion.Questions {
		if n := len(byQuestion.Results[q.ID]); n > 1 {
			usable = append(usable, q)
			counts[n]++
		}
	}
	if len(usable) == 0 {
		return SelfComparison{}, problem.New(problem.NotComparable, "no_replicates",
			"no question of run %s was asked more than once", e.Run.ID).
			WithHint("ask for at least 2 votes")
	}
	out := SelfComparison{Questions: len(usable), Splits: splits}
	for n, times := range counts {
		if times > counts[out.Votes] || times == counts[out.Votes] && n > out.Votes {
			out.Votes = n
		}
	}
	sums := map[string]*SelfMetric{}
	for split := range splits {
		r := stats.RunStream(seed, split)
		arms, single := deal(e.Run, usable, byQuestion, r)
		if err := addSplit(sums, arms, single, seed); err != nil {
			return out, err
		}
	}
	for _, spec := range e.Run.Setup.Suite {
		if m := sums[spec.ID]; m != nil {
			m.finish(spec, usable, byQuestion, splits)
			out.Metrics = append(out.Metrics, *m)
		}
	}
	return out, nil
}

// deal gives each arm half of every question's votes, the first arm the odd one, and the single arms one vote each.
func deal(run experiments.Run, questions []experiments.Question, votes compare.RunArm, r *stats.SplitMix64) (arms,
	single [2]experiments.Evaluation) {
	for i := range arms {
		arms[i] = experiments.Evaluation{Run: run, Questions: questions}
		single[i] = arms[i]
	}
	for _, q := range questions {
		own := votes.Results[q.ID]
		order := r.Permutation(len(own))
		for place, k := range order {
			vote := own[k]
			vote.Replicate = place / 2
			arms[place%2].Results = append(arms[place%2].Results, vote)
			if place < 2 {
				single[place].Results = append(single[place].Results, vote)
			}
		}
	}
	return arms, single
}

// addSplit compares the arms of one deal with all votes and with one each.
func addSplit(sums map[string]*SelfMetric, arms, single [2]experiments.Evaluation, seed uint64) error {
	one, err := compare.CompareWith(single[0], single[1], compare.Options{Seed: seed})
	if err != nil {
		return err
	}
	all, err := compare.CompareWith(arms[0], arms[1], compare.Options{Seed: seed})
	if err != nil {
		return err
	}
	for id, m := range one.Metrics {
		if _, labelled := one.Counts[id]; !labelled {
			continue // a metric of operation
		}
		s := sums[id]
		if s == nil {
			s = &SelfMetric{Metric: id, Gate: slices.Contains(one.Method.Gates, id)}
			sums[id] = s
		}
		s.AnyDrop += m.Worsened * float64(m.N)
		s.NeedsCheck += float64(one.Counts[id].NeedsCheck)
		s.Worse += float64(all.Counts[id].Worse)
		if all.Counts[id].Worse > 0 {
			s.AnyWorse++
		}
		if m.Visible != nil {
			s.VisibleOne += Figure(*m.Visible)
		}
		if v := all.Metrics[id].Visible; v != nil {
			s.VisibleAll += Figure(*v)
		}
	}
	for _, q := range one.Questions {
		if s := sums[q.Metric]; s != nil {
			s.Drop += fell(q, one)
		}
	}
	return nil
}

// fell is 1 for a question whose score fell by its metric's delta or more.
func fell(q compare.QuestionChange, c compare.Comparison) float64 {
	for _, spec := range c.Candidate.Setup.Suite {
		if spec.ID != q.Metric {
			continue
		}
		fall := q.Baseline - q.Candidate
		if spec.LowerIsBetter {
			fall = -fall
		}
		if fall >= spec.Delta-1e-9 {
			return 1
		}
	}
	return 0
}

// finish turns sums into means and computes the noise floor from all votes.
func (s *SelfMetric) finish(spec metrics.Spec, questions []experiments.Question, votes compare.RunArm, splits int) {
	n := float64(splits)
	for _, sum := range []*float64{&s.AnyDrop, &s.Drop, &s.NeedsCheck, &s.Worse, &s.AnyWorse} {
		*sum /= n
	}
	s.VisibleOne, s.VisibleAll, s.Delta = s.VisibleOne/Figure(n), s.VisibleAll/Figure(n), spec.Delta
	var rows [][]float64
	for _, q := range questions {
		var row []float64
		for _, result := range votes.Results[q.ID] {
			if v, ok := result.Value(spec.ID); ok {
				row = append(row, v)
			}
		}
		if len(row) > 1 {
			rows = append(rows, row)
		}
	}
	s.Questions = len(rows)
	floor := stats.Noise(rows)
	s.Noise, s.Disagreement = Figure(math.Sqrt(floor.Within)), Figure(floor.Disagreement)
	s.SameQuestion, s.Reliability = Figure(floor.Smallest), Figure(stats.OneWay(rows).ICC1)
}
