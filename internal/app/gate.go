package app

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Gate decides whether a run may replace its baseline; "" takes the pinned one of its dataset. Without any, only thresholds
// can be held against the candidate. offline says that the built-in judge scored it.
func (w *Workbench) Gate(ctx context.Context, baseline, candidate string, rules analysis.GateRules) (result analysis.GateResult, offline bool, err error) {
	comparison, both, err := w.Compare(ctx, baseline, candidate)
	alone := baseline == "" && problem.CodeOf(err) == "baseline_unknown" && len(rules.Thresholds) > 0
	if err != nil && !alone {
		return result, false, err
	}
	arms := analysis.EvaluationGate(both[1])
	if !alone {
		arms = analysis.RunGate(comparison, both[0], both[1])
		if rechecked(both[0]) || rechecked(both[1]) {
			rules.Alpha = min(rules.Alpha, analysis.SecondLook)
		}
	}
	result, err = analysis.Gate(arms, rules)
	return result, both[1].Run.Setup.Offline, err
}

// rechecked reports whether some questions have more votes than others, as after checking those in doubt. A baseline that
// was scored several times as a whole is no second look.
func rechecked(e experiments.Evaluation) bool {
	votes := map[string]int{}
	for _, r := range e.Results {
		votes[r.QuestionID]++
	}
	some, all := false, true
	for _, n := range votes {
		some, all = some || n > 1, all && n > 1
	}
	return some && !all
}
