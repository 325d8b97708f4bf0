package compare

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
)

// CheckReason says why a question needs a check.
type CheckReason string

// The reasons, in the order in which a gate names them.
const (
	ScoredLower  CheckReason = "scored_lower"  // and nothing confirms that it is worse
	ByStatements CheckReason = "by_statements" // grades do not decide it, and what the answers state is not confirmed
	VotesUnclear CheckReason = "votes_unclear" // the same on average, by votes from which a change cannot be told
	NotScored    CheckReason = "not_scored"    // a score that lacks keeps the gate from passing
	ScoredHigher CheckReason = "scored_higher" // and nothing confirms that it is better
)

// GateDoubt is one question that needs a check before a gate can count it. A question stands twice where it also lacks a score.
type GateDoubt struct {
	ID     string      `json:"id"`
	Reason CheckReason `json:"reason" enum:"scored_lower,by_statements,votes_unclear,not_scored,scored_higher"`
	Why    string      `json:"why" doc:"the reason in words"`
	WhyJA  string      `json:"why_ja" doc:"why, in Japanese"`
	Metric string      `json:"metric"`
	// means over votes; absent without a score
	Baseline  *float64 `json:"baseline,omitempty"`
	Candidate *float64 `json:"candidate,omitempty"`
	Critical  bool     `json:"critical,omitempty"`

	named Note // the question with its figures, in a list
}

// WhyIn is the reason in a language: "ja", or else English.
func (d GateDoubt) WhyIn(lang string) string {
	if lang == "ja" {
		return d.WhyJA
	}
	return d.Why
}

// doubted fills in the questions that need a check, and says them: those whose verdict says so, and those without a score where that
// keeps the gate from passing.
func (r *GateResult) doubted(arms GateArms) {
	r.NeedsCheck = []GateDoubt{}
	for i := range arms.Questions {
		if q := &arms.Questions[i]; q.Verdict == NeedsCheck {
			r.NeedsCheck = append(r.NeedsCheck, q.doubt())
		}
	}
	for _, m := range arms.Metrics {
		if lacking := r.lacking(m.ID, slices.Contains(arms.Gates, m.ID) && r.Baseline != ""); lacking != nil {
			for _, item := range m.Items {
				if lacking(item) {
					r.NeedsCheck = append(r.NeedsCheck, item.doubt(m.ID))
				}
			}
		}
	}
	order := []CheckReason{ScoredLower, ByStatements, VotesUnclear, NotScored, ScoredHigher}
	slices.SortStableFunc(r.NeedsCheck, func(a, b GateDoubt) int {
		return slices.Index(order, a.Reason) - slices.Index(order, b.Reason)
	})
	for _, reason := range order {
		var which listed
		for _, d := range r.NeedsCheck {
			if d.Reason == reason {
				which = append(which, d.named)
			}
		}
		if len(which) > 0 {
			n := newNote("gate.doubts."+string(reason), "n", len(which), "which", which)
			r.Said, r.SaidJA = append(r.Said, n.Text("en")), append(r.SaidJA, n.Text("ja"))
		}
	}
	if arms.OneScore && r.InDoubt() && r.Decision != stats.Fail { // nothing that fails would pass by more scores of single answers
		r.Said, r.SaidJA = append(r.Said, OneScore("en")), append(r.SaidJA, OneScore("ja"))
	}
	lower := slices.ContainsFunc(r.NeedsCheck, func(d GateDoubt) bool { return d.Reason == ScoredLower })
	if arms.Repeated && (lower || r.Counts.Worse > 0) {
		r.says(newNote("gate.confirmed", "votes", confirmedFrom))
	}
	if next, ok := r.next(arms); ok {
		r.says(next)
	}
}

// says adds a sentence, in both languages.
func (r *GateResult) says(n Note) {
	r.Said, r.SaidJA = append(r.Said, n.Text("en")), append(r.SaidJA, n.Text("ja"))
}

// InDoubt reports whether some answer was scored on both sides and more scores would say more of it.
func (r *GateResult) InDoubt() bool {
	return slices.ContainsFunc(r.NeedsCheck, func(d GateDoubt) bool { return d.Reason != NotScored })
}

// OneScore says why nothing is confirmed where two files hold one score for each question, and what would confirm it.
func OneScore(lang string) string { return newNote("files.one_score").Text(lang) }

// lacking tells which items of a metric lack a score that keeps the gate from passing; nil where none does.
func (r *GateResult) lacking(metric string, decides bool) func(GateItem) bool {
	compared, alone := false, false
	for _, c := range r.Checks {
		if !c.Missing || c.Decision == stats.Pass {
			continue
		}
		compared = compared || decides && (c.Name == "coverage" || c.Name == "not_worse" && c.Metric == metric)
		alone = alone || c.Name == "threshold" && c.Metric == metric
	}
	if !compared && !alone {
		return nil
	}
	return func(i GateItem) bool { return alone && math.IsNaN(i.After) || compared && i.Paired && !i.Compared }
}

// doubt is why a question's verdict is that it needs a check.
func (q *GateQuestion) doubt() GateDoubt {
	reason := q.inDoubt()
	of := movedFrom(q.Metric, q.Baseline, q.Candidate)
	if reason == ByStatements {
		of = q.decided()
	}
	d := GateDoubt{ID: q.ID, Reason: reason, Metric: q.Metric, Baseline: &q.Baseline, Candidate: &q.Candidate, Critical: q.Critical}
	return d.told(of)
}

// inDoubt is the kind of reason that [GateQuestion.doubt] puts into words.
func (q *GateQuestion) inDoubt() CheckReason {
	switch {
	case q.ByTie != "":
		return ByStatements
	case q.gain < 0:
		return ScoredLower
	case q.gain > 0:
		return ScoredHigher
	}
	return VotesUnclear
}

// movedFrom is a score of one answer before and after.
func movedFrom(metric string, before, after float64) Note {
	was, is := stats.Pair(before, after, 2)
	return newNote("gate.doubt.moved", "metric", metricNote(metric), "before", was, "after", is)
}

// doubt is a score that lacks.
func (i GateItem) doubt(metric string) GateDoubt {
	d := GateDoubt{ID: i.ID, Reason: NotScored, Metric: metric, Critical: i.Critical}
	for _, side := range []struct {
		value float64
		place **float64
	}{{i.Before, &d.Baseline}, {i.After, &d.Candidate}} {
		if !math.IsNaN(side.value) {
			*side.place = &side.value
		}
	}
	return d.told(metricNote(metric))
}

// told fills in the words; of is what the doubt is about.
func (d GateDoubt) told(of Note) GateDoubt {
	d.named = newNote("gate.of_metric", "id", questionNote(d.ID), "metric", of)
	why := newNote("gate.doubt."+string(d.Reason), "of", of)
	d.Why, d.WhyJA = why.Text("en"), why.Text("ja")
	return d
}
