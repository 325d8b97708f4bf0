package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// GateRules say what a candidate must show. [DefaultGateRules] has the recommended ones.
type GateRules struct {
	Thresholds []Threshold
	Margin     float64 // share of a metric's scale that the mean may fall; 0 follows what the comparison can see
	Allowance  float64 // share of the questions that may be worse
	Coverage   float64 // share of the questions that must be scored on both sides
	Alpha      float64 // one-sided level of the test of the mean
	Slice      int     // questions from which on a tag is looked at by itself
}

// The margins that follow what a comparison can see, as shares of a metric's scale: never under the usual margin, and
// never over twice that, however few the questions are.
const (
	usualMargin   = 0.05
	largestMargin = 0.10
	gatePower     = 0.8
)

// SecondLook is the one-sided level of each of two looks at the same comparison, before and after checking questions
// again: together they are wrong with probability 0.05 at most.
const SecondLook = 0.03

// DefaultGateRules have no threshold, a margin that follows what the comparison can see, 2 % of the questions worse, 98 %
// scored, and a level of 0.05.
func DefaultGateRules() GateRules {
	return GateRules{Allowance: 0.02, Coverage: 0.98, Alpha: 0.05, Slice: 10}
}

// GateArms are a candidate and its baseline as a gate sees them; make them with [FileGate] or [RunGate].
type GateArms struct {
	Baseline  string // "" without one: then only thresholds are looked at
	Candidate string
	Metrics   []GateMetric // of the candidate
	Gates     []string     // the metrics whose fall blocks
}

// GateMetric is one metric of a gate.
type GateMetric struct {
	ID            string
	Min, Max      float64
	LowerIsBetter bool
	Items         []GateItem // questions to which the metric applies
}

// GateItem is one question of a gate. Before and After are means over replicates, NaN without a score.
type GateItem struct {
	ID       string
	Critical bool
	Tags     []string
	Cluster  string // what it shares with other questions, such as a document; "" for nothing
	Paired   bool   // the baseline asks it too
	Before   float64
	After    float64
	Label    Label // "" where nothing could be compared
}

// GateResult is what a gate says. Whatever is missing or too little counts against PASS, never for it.
type GateResult struct {
	Decision  stats.Decision `json:"decision"`
	Baseline  string         `json:"baseline,omitempty"`
	Candidate string         `json:"candidate"`
	Reasons   []string       `json:"reasons"` // why it is not PASS
	Checks    []GateCheck    `json:"checks"`
	Worse     []GateChange   `json:"worse"` // answers that are worse, in the metrics that block
	Scored    int            `json:"scored"`
	Questions int            `json:"questions"` // times metrics that block
	Coverage  float64        `json:"coverage"`  // Scored / Questions; 1 without a baseline
}

// GateCheck is one thing that a gate looked at.
type GateCheck struct {
	Name     string         `json:"name"` // "threshold", "not_worse", "critical", "share_worse", "slice" or "coverage"
	Metric   string         `json:"metric,omitempty"`
	Decision stats.Decision `json:"decision"`
	Message  string         `json:"message"`
	N        int            `json:"n,omitempty"`
	Value    *float64       `json:"value,omitempty"`   // what was measured
	Bound    *float64       `json:"bound,omitempty"`   // what it is held against; of not_worse minus the margin
	Lower    *float64       `json:"lower,omitempty"`   // one-sided bounds of the difference, candidate minus baseline, turned so
	Upper    *float64       `json:"upper,omitempty"`   // that below 0 is worse
	Missing  bool           `json:"missing,omitempty"` // the scores that are there would have passed
}

// GateChange is one answer that is worse.
type GateChange struct {
	ID        string  `json:"id"`
	Metric    string  `json:"metric"`
	Baseline  float64 `json:"baseline"`
	Candidate float64 `json:"candidate"`
	Critical  bool    `json:"critical,omitempty"`
}

// Gate decides whether a candidate may replace its baseline. It fails on a threshold that is not reached, a mean that is
// worse by more than the margin, a critical question that is worse, too many worse questions, or a tag that is worse; it
// passes only when none of that can be so and nearly everything was scored on both sides; and otherwise it is
// inconclusive. An Invalid Problem says that there is nothing to decide by or that a rule names an unknown metric.
func Gate(arms GateArms, rules GateRules) (GateResult, error) {
	r := GateResult{Baseline: arms.Baseline, Candidate: arms.Candidate, Decision: stats.Pass, Reasons: []string{}, Worse: []GateChange{}, Coverage: 1}
	for _, t := range rules.Thresholds {
		m, err := arms.metric(t.Metric)
		if err != nil {
			return r, err
		}
		r.Checks = append(r.Checks, t.check(m))
	}
	if arms.Baseline != "" {
		if err := r.compare(arms, rules); err != nil {
			return r, err
		}
	}
	if len(r.Checks) == 0 {
		return r, problem.New(problem.Invalid, "gate_empty", "the gate has nothing to decide by: there is neither a baseline nor a threshold").
			WithHint("give a baseline, pin one with `workbench baseline set RUN`, or set --min 'correctness >= 4'")
	}
	for _, c := range r.Checks {
		r.Decision = stricter(r.Decision, c.Decision)
		if c.Decision != stats.Pass {
			r.Reasons = append(r.Reasons, c.Message)
		}
	}
	return r, nil
}

func (a GateArms) metric(id string) (GateMetric, error) {
	names := make([]string, len(a.Metrics))
	for i, m := range a.Metrics {
		if m.ID == id {
			return m, nil
		}
		names[i] = m.ID
	}
	return GateMetric{}, metricUnknown(id, a.Candidate, names)
}

// compare adds the checks against the baseline.
func (r *GateResult) compare(arms GateArms, rules GateRules) error {
	worst := GateCheck{Name: "share_worse", Decision: stats.Pass}
	var critical []gateFinding
	for _, id := range arms.Gates {
		m, err := arms.metric(id)
		if err != nil {
			return err
		}
		margin, check := m.notWorse(rules)
		r.Checks = append(r.Checks, check)
		r.Checks = append(r.Checks, m.slices(arms, rules, margin)...)
		worse, compared := 0, 0
		for _, item := range m.Items {
			if !item.Paired {
				continue
			}
			r.Questions++
			if item.Label == "" {
				continue
			}
			r.Scored, compared = r.Scored+1, compared+1
			if item.Critical {
				critical = append(critical, gateFinding{item, id})
			}
			if item.Label == Worse {
				worse++
				r.Worse = append(r.Worse, GateChange{item.ID, id, item.Before, item.After, item.Critical})
			}
		}
		share := float64(worse) / float64(max(1, compared))
		if worst.Value == nil || share > *worst.Value {
			worst.Metric, worst.N, worst.Value, worst.Bound = id, compared, &share, &rules.Allowance
			worst.Message = fmt.Sprintf("%s: %d of %d answers are worse (%s), %s allowed", id, worse, compared, percent(share), percent(rules.Allowance))
			worst.Decision = stats.Pass
			if share > rules.Allowance {
				worst.Decision = stats.Fail
			}
		}
	}
	r.Checks = append(r.Checks, worst)
	r.Checks = append(r.Checks, criticalCheck(critical)...)
	if r.Questions > 0 {
		r.Coverage = float64(r.Scored) / float64(r.Questions)
	}
	r.Checks = append(r.Checks, r.covered(rules))
	slices.SortStableFunc(r.Worse, func(a, b GateChange) int {
		return cmp.Or(first(a.Critical, b.Critical), cmp.Compare(a.ID, b.ID))
	})
	return nil
}

// gateFinding is one question in one metric.
type gateFinding struct {
	GateItem
	metric string
}

func criticalCheck(found []gateFinding) []GateCheck {
	if len(found) == 0 {
		return nil
	}
	var worse, unsure []string
	ids := map[string]bool{}
	for _, f := range found {
		ids[f.ID] = true
		switch f.Label {
		case Worse:
			worse = append(worse, f.ID+" ("+f.metric+")")
		case NeedsCheck:
			unsure = append(unsure, f.ID+" ("+f.metric+")")
		case NoChange, Better:
		}
	}
	c := GateCheck{Name: "critical", Decision: stats.Pass, N: len(ids), Message: fmt.Sprintf("none of %d critical questions is worse", len(ids))}
	if len(ids) == 1 {
		c.Message = "the critical question is not worse"
	}
	switch {
	case len(worse) > 0:
		c.Decision, c.Message = stats.Fail, "critical questions are worse: "+someOf(worse)
	case len(unsure) > 0:
		c.Decision, c.Message = stats.Inconclusive, "critical questions need a check: "+someOf(unsure)
	}
	return []GateCheck{c}
}

func (r *GateResult) covered(rules GateRules) GateCheck {
	c := GateCheck{Name: "coverage", Decision: stats.Pass, N: r.Questions, Value: &r.Coverage, Bound: &rules.Coverage}
	c.Message = fmt.Sprintf("%d of %d scores are there on both sides (%s), %s needed", r.Scored, r.Questions, percent(r.Coverage), percent(rules.Coverage))
	if r.Coverage < rules.Coverage {
		c.Decision, c.Missing = stats.Inconclusive, true
	}
	return c
}

func percent(share float64) string { return fmt.Sprintf("%.3g %%", math.Round(share*1e4)/100) }

var strictness = map[stats.Decision]int{stats.Pass: 0, stats.Inconclusive: 1, stats.Fail: 2}

// stricter is the decision that counts of two.
func stricter(a, b stats.Decision) stats.Decision {
	if strictness[b] > strictness[a] {
		return b
	}
	return a
}

// Blocks reports whether the candidate failed by scores that are there, and not only because others are missing.
func (r GateResult) Blocks() bool {
	return slices.ContainsFunc(r.Checks, func(c GateCheck) bool { return c.Decision == stats.Fail && !c.Missing })
}
