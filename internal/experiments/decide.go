package experiments

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// Deciding lists the metrics that decide what became of a question between two runs, in their order: the first one that has a score
// decides, the next one guards it. Runs that froze none are decided by the usual ones of their suite.
func (s Setup) Deciding() []string {
	if len(s.DecideBy) > 0 {
		return slices.Clone(s.DecideBy)
	}
	return UsualDecideBy(s.Suite)
}

// UsualDecideBy is what decides where nobody said otherwise. Scores that another tool computed come first: what it calls correctness,
// then its faithfulness, then its others in their order; no judge of ours is asked beside them. Else correctness decides and trust
// guards it, which also decides where a question has no right answer; faithfulness stands in for trust, and the first metric that
// says anything about answers or contexts for both.
func UsualDecideBy(suite []metrics.Spec) []string {
	if foreign := foreignDecideBy(suite); len(foreign) > 0 {
		return foreign
	}
	has := func(id string) bool {
		return slices.ContainsFunc(suite, func(s metrics.Spec) bool { return s.ID == id })
	}
	var out []string
	if has("correctness") {
		out = append(out, "correctness")
	}
	for _, guard := range []string{"trust", "faithfulness"} {
		if has(guard) {
			return append(out, guard)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, s := range suite {
		if s.Group != metrics.GroupOperations {
			return []string{s.ID}
		}
	}
	return nil
}

// foreignDecideBy orders the metrics of other tools; nil without any.
func foreignDecideBy(suite []metrics.Spec) []string {
	var out, rest, operation []string
	for _, s := range suite {
		switch {
		case s.Group != metrics.GroupImported:
		case metrics.OfOperation(s.ID):
			operation = append(operation, s.ID)
		default:
			rest = append(rest, s.ID)
		}
	}
	if len(rest) == 0 {
		return operation // a gate by them says that they say nothing of answers
	}
	for _, name := range []string{"answer_correctness", "factual_correctness", "correctness", "faithfulness"} {
		if slices.ContainsFunc(out, func(id string) bool { return strings.Contains(id, "correctness") }) &&
			strings.Contains(name, "correctness") {
			continue // one measure of correctness decides; another one would be no guard of it
		}
		at := slices.IndexFunc(rest, func(id string) bool {
			return strings.Contains(id[strings.IndexByte(id, '.')+1:], name)
		})
		if at >= 0 {
			out, rest = append(out, rest[at]), slices.Delete(rest, at, at+1)
		}
	}
	return append(out, rest...)
}

// PairwiseOff is the word that keeps answers from being set beside each other where grades and facts tie.
const PairwiseOff = "off"

// FrozenPairwise is what a setup keeps of a definition's choice: "" where comparing is allowed, so that setups made before there was a
// choice keep their digest.
func FrozenPairwise(wanted string) string {
	if wanted == PairwiseOff {
		return PairwiseOff
	}
	return ""
}

// FrozenDecideBy is what a setup keeps of the metrics that a definition names: nil where they are the usual ones, so that setups that
// were frozen before there was a choice, and those that make none, have the same digest.
func FrozenDecideBy(suite []metrics.Spec, wanted []string) []string {
	if len(wanted) == 0 || slices.Equal(wanted, UsualDecideBy(suite)) {
		return nil
	}
	return slices.Clone(wanted)
}

// checkDecideBy refuses metrics that cannot decide: unknown ones, ones outside the suite, ones that say how a system runs.
func (d Definition) checkDecideBy() error {
	suite, err := d.Specs()
	if err != nil {
		return err
	}
	for i, id := range d.DecideBy {
		if slices.Contains(d.DecideBy[:i], id) {
			return fieldProblem("decide_by", id, "each metric once")
		}
		at := slices.IndexFunc(suite, func(s metrics.Spec) bool { return s.ID == id })
		switch {
		case at < 0 && d.Answers != "" && strings.Contains(id, "."): // a score that came with the answers
		case at < 0:
			ids := make([]string, len(suite))
			for i, s := range suite {
				ids[i] = s.ID
			}
			return meant(fieldProblem("decide_by", id, "a metric of the suite"), id, ids)
		case suite[at].Group == metrics.GroupOperations:
			return fieldProblem("decide_by", id, "a metric of answers or contexts")
		}
	}
	return nil
}
