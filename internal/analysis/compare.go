package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Compare sets a candidate beside a baseline. Questions are matched by id and must have equal text and right answer; metrics
// must have equal version and, where a judge takes part, an equal judge. A Problem of kind NotComparable says that nothing
// is left to compare.
//
// A difference of at least the metric's delta on one question is worse or better where generator and judge of both runs
// are deterministic, so that one vote settles it. Otherwise one vote proves nothing and the question needs a check.
func Compare(baseline, candidate experiments.Evaluation) (Comparison, error) {
	c := Comparison{
		Baseline: baseline.Run, Candidate: candidate.Run,
		Metrics: map[string]MetricChange{}, Counts: map[string]LabelCounts{}, Questions: []QuestionChange{},
		Added: []string{}, Removed: []string{}, Reworded: []string{}, Excluded: []Exclusion{},
	}
	pairs := c.match(baseline, candidate)
	if len(pairs) == 0 {
		return c, problem.New(problem.NotComparable, "no_common_questions",
			"runs %s (%s) and %s (%s) share no question", baseline.Run.ID, baseline.Run.Setup.Dataset, candidate.Run.ID, candidate.Run.Setup.Dataset).
			WithHint("compare runs over the same dataset; `workbench runs list` shows which dataset each run used")
	}
	specs := c.comparable()
	if len(specs) == 0 {
		return c, problem.New(problem.NotComparable, "no_common_metrics",
			"runs %s and %s share no metric measured the same way", baseline.Run.ID, candidate.Run.ID).
			With("excluded", c.Excluded).WithHint("run both with the same suite and judge")
	}
	settled := baseline.Run.Setup.Settled && candidate.Run.Setup.Settled
	for _, spec := range specs {
		c.compareMetric(spec, pairs, settled)
	}
	if len(c.Metrics) == 0 {
		return c, problem.New(problem.NotComparable, "no_common_scores",
			"no question has a score of the same metric in both runs %s and %s", baseline.Run.ID, candidate.Run.ID).
			With("excluded", c.Excluded).WithHint("`workbench runs show RUN` says why scores are missing")
	}
	for _, p := range pairs {
		if p.before.Low(baseline.Run.Setup.LowScore) {
			c.LowBefore++
		}
		if p.after.Low(candidate.Run.Setup.LowScore) {
			c.LowAfter++
		}
	}
	c.warn(pairs)
	slices.SortStableFunc(c.Questions, worstFirst)
	return c, nil
}

// pair is one question answered in both runs.
type pair struct {
	question      experiments.Question
	before, after experiments.Result
	relabelled    bool // the evidence differs, so retrieval is measured against another target
}

func (c *Comparison) match(baseline, candidate experiments.Evaluation) []pair {
	before := map[string]int{}
	for i, q := range baseline.Questions {
		before[q.ID] = i
	}
	var pairs []pair
	seen := map[string]bool{}
	for i, q := range candidate.Questions {
		j, ok := before[q.ID]
		seen[q.ID] = true
		switch {
		case !ok:
			c.Added = append(c.Added, q.ID)
		case reworded(baseline.Questions[j], q):
			c.Reworded = append(c.Reworded, q.ID)
		default:
			pairs = append(pairs, pair{
				question: q, before: baseline.Results[j], after: candidate.Results[i],
				relabelled: !slices.Equal(baseline.Questions[j].Evidence, q.Evidence),
			})
		}
	}
	for _, q := range baseline.Questions {
		if !seen[q.ID] {
			c.Removed = append(c.Removed, q.ID)
		}
	}
	c.Matched = len(pairs)
	return pairs
}

// reworded reports whether the question asks something else or has another right answer.
func reworded(a, b experiments.Question) bool {
	return a.Text != b.Text || a.Reference != b.Reference || a.Answerable != b.Answerable
}

// comparable returns the metrics both runs measured the same way, in the baseline's order, and notes the others.
func (c *Comparison) comparable() []metrics.Spec {
	before, after := c.Baseline.Setup, c.Candidate.Setup
	other := map[string]metrics.Spec{}
	for _, s := range after.Suite {
		other[s.ID] = s
	}
	var specs []metrics.Spec
	for _, s := range before.Suite {
		t, ok := other[s.ID]
		delete(other, s.ID)
		switch {
		case !ok:
			c.exclude(s.ID, "only the baseline has it")
		case s.Version != t.Version:
			c.exclude(s.ID, fmt.Sprintf("version %s in the baseline, %s in the candidate", s.Version, t.Version))
		case s.NeedsJudge && before.Judge.Model != after.Judge.Model:
			c.exclude(s.ID, fmt.Sprintf("judged by %s in the baseline, by %s in the candidate", before.Judge.Model, after.Judge.Model))
		case s.ID == "answer_similarity" && before.Judge.Embedding != after.Judge.Embedding:
			c.exclude(s.ID, fmt.Sprintf("embedded by %s in the baseline, by %s in the candidate", before.Judge.Embedding, after.Judge.Embedding))
		default:
			specs = append(specs, s)
		}
	}
	for _, s := range after.Suite {
		if _, left := other[s.ID]; left {
			c.exclude(s.ID, "only the candidate has it")
		}
	}
	return specs
}

func (c *Comparison) exclude(metric, why string) {
	c.Excluded = append(c.Excluded, Exclusion{Metric: metric, Why: why})
}

func (c *Comparison) compareMetric(spec metrics.Spec, pairs []pair, settled bool) {
	var before, after []float64
	var counts LabelCounts
	for _, p := range pairs {
		b, okB := p.before.Value(spec.ID)
		a, okA := p.after.Value(spec.ID)
		if !okB || !okA || spec.Group == "retrieval" && p.relabelled {
			continue
		}
		before, after = append(before, b), append(after, a)
		label := labelOf(spec, a-b, settled)
		counts.add(label)
		if a == b {
			continue
		}
		c.Questions = append(c.Questions, QuestionChange{
			QuestionID: p.question.ID, Metric: spec.ID, Baseline: b, Candidate: a, Label: label, Critical: p.question.Critical,
			BecameLow: !p.before.Low(c.Baseline.Setup.LowScore) && p.after.Low(c.Candidate.Setup.LowScore),
		})
	}
	if len(before) == 0 {
		c.exclude(spec.ID, "no question was scored in both runs")
		return
	}
	c.Counts[spec.ID] = counts
	change := MetricChange{Baseline: stats.Mean(before), Candidate: stats.Mean(after), N: len(before)}
	change.Diff = change.Candidate - change.Baseline
	if len(before) >= 3 {
		if t, err := stats.PairedT(before, after); err == nil { // it fails only on values that no metric yields
			change.CI95 = &[2]float64{t.CILow, t.CIHigh}
		}
	}
	c.Metrics[spec.ID] = change
}

// labelOf names the change of one metric on one question. Floating-point noise below a billionth is no change.
func labelOf(spec metrics.Spec, diff float64, settled bool) Label {
	if spec.LowerIsBetter {
		diff = -diff
	}
	switch {
	case math.Abs(diff) < max(spec.Delta, 2e-9)-1e-9:
		return NoChange
	case !settled:
		return NeedsCheck
	case diff < 0:
		return Worse
	default:
		return Better
	}
}

func (n *LabelCounts) add(l Label) {
	switch l {
	case Worse:
		n.Worse++
	case NeedsCheck:
		n.NeedsCheck++
	case Better:
		n.Better++
	case NoChange:
		n.NoChange++
	}
}

func (c *Comparison) warn(pairs []pair) {
	for _, side := range []struct {
		name string
		run  experiments.Run
	}{{"baseline", c.Baseline}, {"candidate", c.Candidate}} {
		t := side.run.Totals
		if t != nil && t.Coverage.Share() < 1 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("the %s scored %d of %d cells; questions without a score are not compared",
				side.name, t.Coverage.Scored, t.Coverage.Applicable))
		}
	}
	if c.Baseline.Setup.Dataset.Digest != c.Candidate.Setup.Dataset.Digest {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the runs used different dataset versions (%s, %s); only equal questions are compared",
			c.Baseline.Setup.Dataset, c.Candidate.Setup.Dataset))
	}
	relabelled := 0
	for _, p := range pairs {
		if p.relabelled {
			relabelled++
		}
	}
	if relabelled > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the evidence of %d questions differs; retrieval metrics leave them out", relabelled))
	}
	if c.Baseline.Setup.LowScore != c.Candidate.Setup.LowScore {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the low-score thresholds differ (%g, %g)", c.Baseline.Setup.LowScore, c.Candidate.Setup.LowScore))
	}
}

var labelOrder = map[Label]int{Worse: 0, NeedsCheck: 1, Better: 2, NoChange: 3}

// worstFirst orders by label, critical questions first, then answers that became low, then the size of the drop as a share
// of the metric's range.
func worstFirst(a, b QuestionChange) int {
	return cmp.Or(
		cmp.Compare(labelOrder[a.Label], labelOrder[b.Label]),
		first(a.Critical, b.Critical),
		first(a.BecameLow, b.BecameLow),
		cmp.Compare(relative(a), relative(b)),
		cmp.Compare(a.QuestionID, b.QuestionID),
		cmp.Compare(a.Metric, b.Metric),
	)
}

func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func relative(q QuestionChange) float64 {
	diff := q.Candidate - q.Baseline
	spec, ok := metrics.Find(q.Metric)
	if !ok {
		return diff
	}
	if spec.LowerIsBetter {
		diff = -diff
	}
	return diff / (spec.Max - spec.Min)
}
