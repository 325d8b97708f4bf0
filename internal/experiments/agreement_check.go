package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Validate returns a Problem that names the first field which is missing or impossible. Suite are metrics that a target may name
// beside the catalogue's: the experiments' own, and those of other tools.
func (a Agreement) Validate(suite []metrics.Spec) error {
	if !(a.LowScore >= 1 && a.LowScore < 5) { // NaN is neither
		return agreementProblem("low_score", a.LowScore, "a number from 1 to below 5")
	}
	if !isDate(a.AgreedOn) {
		return agreementProblem("agreed_on", orMissing(a.AgreedOn), "a date like 2026-11-20")
	}
	if len(a.AgreedBy) == 0 || slices.ContainsFunc(a.AgreedBy, func(s string) bool { return strings.TrimSpace(s) == "" }) {
		return agreementProblem("agreed_by", orMissing(strings.Join(a.AgreedBy, ", ")), "the names of those who agreed")
	}
	if err := ValidTargets(a.Targets, suite); err != nil {
		return err
	}
	for i, item := range a.Items {
		if err := item.validate(i); err != nil {
			return err
		}
		if j := slices.IndexFunc(a.Items, func(o AgreementItem) bool { return o.sameGroup(item.CauseGroup) }); j < i {
			return AgreementProblem(i, "", "the same group as items["+strconv.Itoa(j)+"]", "another, or left out")
		}
	}
	return nil
}

// ValidTargets refuses targets that no run can be held against, wherever they are written: of metrics that nobody knows, outside a metric's
// scale, or twice the same.
func ValidTargets(targets []Target, suite []metrics.Spec) error {
	for i, t := range targets {
		if err := t.validate(fmt.Sprintf("targets[%d].", i), suite); err != nil {
			return err
		}
		if j := slices.IndexFunc(targets, t.Same); j < i {
			return agreementProblem(fmt.Sprintf("targets[%d]", i), "the same theme, metric and category as targets["+strconv.Itoa(j)+"]",
				"another, or left out")
		}
	}
	return nil
}

func (t Target) validate(prefix string, suite []metrics.Spec) error {
	spec, known := metrics.Find(t.Metric)
	if i := slices.IndexFunc(suite, func(s metrics.Spec) bool { return s.ID == t.Metric }); i >= 0 {
		spec, known = suite[i], true
	}
	if t.Metric == LowScoreShare {
		spec, known = metrics.Spec{Max: 1}, true
	}
	switch {
	case !known:
		var own []string
		for _, s := range suite {
			own = append(own, s.ID)
		}
		return agreementProblem(prefix+"metric", orMissing(t.Metric), "a metric id, one of another tool that a finished run on the dataset has, or low_score_share").
			WithHint("write one of these: %s", metrics.Listed(slices.Concat(own, []string{LowScoreShare}, metrics.CatalogueIDs())))
	case spec.Undirected:
		return agreementProblem(prefix+"metric", t.Metric, "a metric of which it is known whether more or less is better").
			WithHint("import the answers again with --higher %s or --lower %s, and set the target after a run over them", t.Metric, t.Metric)
	case !(t.Goal.Target >= spec.Min) || spec.Group != "operations" && t.Goal.Target > spec.Max: // NaN is neither
		return agreementProblem(prefix+"target", t.Goal.Target,
			fmt.Sprintf("a number from %v to %v, as %s has", spec.Min, spec.Max, t.Metric))
	case t.Due != "" && !isDate(t.Due):
		return agreementProblem(prefix+"due", t.Due, "a date like 2026-11-20")
	case t.AgreedOn != "" && !isDate(t.AgreedOn):
		return agreementProblem(prefix+"agreed_on", t.AgreedOn, "a date like 2026-11-20")
	}
	return nil
}

func (item AgreementItem) validate(i int) error {
	switch {
	case item.CauseGroup.String() == "":
		return AgreementProblem(i, "", "about nothing", "about a data, component, param, theme, category or questions")
	case item.OutOfScope && strings.TrimSpace(item.Why) == "":
		return AgreementProblem(i, "why", "missing", "the reason why this is out of scope")
	case item.OutOfScope && item.Action != "":
		return AgreementProblem(i, "action", item.Action, "left out: what is out of scope stays as it is")
	case !item.OutOfScope && strings.TrimSpace(item.Action) == "":
		return AgreementProblem(i, "action", "missing", "what is done, or out_of_scope: true with the reason in why")
	case item.Priority != "" && !slices.Contains(Priorities(), item.Priority):
		return AgreementProblem(i, "priority", item.Priority, "high, medium or low")
	case item.Due != "" && !isDate(item.Due):
		return AgreementProblem(i, "due", item.Due, "a date like 2026-11-20")
	}
	return nil
}

// AgreementProblem is a Problem with item i of an agreement.
func AgreementProblem(i int, field string, value any, want string) error {
	name := fmt.Sprintf("items[%d]", i)
	if field != "" {
		name += "." + field
	}
	return agreementProblem(name, value, want)
}

// TargetProblem is a Problem with target i of an agreement.
func TargetProblem(i int, field string, value any, want string) error {
	return agreementProblem(fmt.Sprintf("targets[%d].%s", i, field), value, want)
}

// AgreementField is a Problem with a field of an agreement as a whole.
func AgreementField(field string, value any, want string) error {
	return agreementProblem(field, value, want)
}

func agreementProblem(field string, value any, want string) *problem.Problem {
	return impossible("agreement_field", field, value, want).
		WithHint("correct the field; `workbench agreement set --help` shows an example file with every field")
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func orMissing(s string) string {
	if strings.TrimSpace(s) == "" {
		return "missing"
	}
	return s
}
