package compare

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// RulesOf are the rules of a release check with these limits, whoever sets them and wherever: a margin above 0 and below 1, an allowance
// from 0 to 1. Problems name the field: min, margin or allowance.
func RulesOf(limits experiments.Limits, by Setter) (GateRules, error) {
	rules := DefaultGateRules()
	rules.By = by
	for _, s := range limits.Min {
		t, err := ParseThreshold(s)
		if err != nil {
			return rules, problem.From(err).With("field", "min")
		}
		rules.Thresholds = append(rules.Thresholds, t)
	}
	if limits.Margin != nil {
		if rules.Margin = *limits.Margin; !(rules.Margin > 0 && rules.Margin < 1) {
			return rules, problem.New(problem.Invalid, "margin", "the margin %g is no share above 0 and below 1", rules.Margin).
				With("field", "margin").
				WithHint("a margin of 0.05 lets the mean fall by 5%% of the metric's scale")
		}
	}
	if limits.Allowance != nil {
		if rules.Allowance = *limits.Allowance; !(rules.Allowance >= 0 && rules.Allowance <= 1) {
			return rules, problem.New(problem.Invalid, "allowance", "the allowance %g is no share from 0 to 1", rules.Allowance).
				With("field", "allowance").
				WithHint("an allowance of 0.02 lets 2%% of the answers be worse")
		}
	}
	return rules, nil
}
