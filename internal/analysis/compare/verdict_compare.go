package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/stats"
)

// deciding notes what a deciding metric did on a question, and how open that is, see [Deciding.Open].
func (s *session) deciding(spec metrics.Spec, cell cell, row *QuestionChange, gain, open float64) {
	if !s.gates[spec.ID] {
		return
	}
	*s.decidedOn(cell.pair, spec.ID) = Deciding{
		Metric: spec.ID, Baseline: row.Baseline, Candidate: row.Candidate, Gain: gain, Movement: LabelMovement(row.Label),
		Crossing: crossing([2]bool{s.isLow(0, spec, row.Baseline), s.isLow(1, spec, row.Candidate)}),
		Detail:   row.Detail, SettledBy: row.SettledBy, Flaky: row.Flaky, Open: open,
	}
}

// isLow reports whether a value lies in the low zone of a deciding metric in the baseline (0) or the candidate (1): that of the run's own
// rule, which has none for metrics that it does not name, else the share of the range that the agreed threshold is of the scale of grades.
func (s *session) isLow(arm int, spec metrics.Spec, value float64) bool {
	switch rule := s.rules[arm]; {
	case s.LowApart:
		return false
	case rule.Own:
		return rule.By(spec.ID, value)
	default:
		return isLow(spec, rule.Threshold(), value)
	}
}

// namesLow reports whether answers of both runs are called low by a metric: only then something is said of a low-score line.
func (s *session) namesLow(metric string) bool {
	return !s.LowApart && slices.Contains(s.rules[0].Metrics(), metric) && slices.Contains(s.rules[1].Metrics(), metric)
}

// decidedOn is the place for what a deciding metric did on a pair; without a metric where it did nothing.
func (s *session) decidedOn(pair int, metric string) *Deciding {
	return &s.decided[pair*len(s.DecideBy)+slices.Index(s.DecideBy, metric)]
}

// verdicts gives every question its verdict, counts them, and lists those that are not plainly the same, severest first.
func (s *session) verdicts() {
	s.Verdicts, s.Undecided, s.TagCounts = []QuestionVerdict{}, []string{}, map[string]VerdictCounts{}
	for i := range s.pairs {
		v, ok := s.verdictOn(i)
		if !ok {
			s.Undecided = append(s.Undecided, s.pairs[i].question.ID)
			continue
		}
		s.VerdictCounts.Add(v.Verdict)
		for _, tag := range s.pairs[i].question.Tags {
			n := s.TagCounts[tag]
			n.Add(v.Verdict)
			s.TagCounts[tag] = n
		}
		if v.Critical && v.Verdict == Worse {
			s.CriticalWorse++
		}
		if v.ByTie != "" {
			s.TieBreaks++
		}
		if v.ByTie == ByBothOrders {
			s.ByBothOrders++
		}
		if v.Verdict != NoChange || v.Remark != nil || v.Transition != "" || v.Flaky {
			s.Verdicts = append(s.Verdicts, v)
		}
	}
	slices.SortFunc(s.Verdicts, func(a, b QuestionVerdict) int { return Severity(&a, &b) })
}

// replaced tells of the metric that decides first where another one decided in its place: everywhere, because it is compared nowhere, or
// where one run has no score by it.
func (s *session) replaced() *Replaced {
	wanted := s.options.Gates
	if wanted == nil {
		wanted = s.Candidate.Setup.Deciding()
	}
	if len(wanted) == 0 || len(s.DecideBy) == 0 {
		return nil
	}
	r := Replaced{Metric: wanted[0], By: s.DecideBy[0]}
	if r.By != r.Metric {
		at := slices.IndexFunc(s.Excluded, func(e Exclusion) bool { return e.Metric == r.Metric })
		if at < 0 {
			return nil
		}
		r.Questions, r.Why = s.VerdictCounts.Compared(), &s.Excluded[at].Note
		return &r
	}
	for _, u := range s.Unscored {
		if u.Metric == r.Metric && !slices.Contains(s.Undecided, u.QuestionID) {
			r.Questions++
		}
	}
	if r.Questions == 0 {
		return nil
	}
	r.By = s.DecideBy[1] // else these questions had no verdict
	return &r
}

// verdictOn decides one question. ok is false where no deciding metric has a score in both runs.
func (s *session) verdictOn(i int) (QuestionVerdict, bool) {
	p := &s.pairs[i]
	v := QuestionVerdict{QuestionID: p.question.ID, Critical: p.question.Critical, Identical: p.identical}
	if p.baseline.ID != p.question.ID {
		v.BaselineID = p.baseline.ID
	}
	found := make([]*Deciding, 0, mostGates)
	for _, id := range s.DecideBy {
		if d := s.decidedOn(i, id); d.Metric != "" {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return v, false
	}
	v.First = *found[0]
	guard, at := Absent, StayedGood
	if len(found) > 1 {
		v.Guard = found[1]
		guard, at = v.Guard.Movement, v.Guard.Crossing
	}
	facts := s.factsOf(p, &v)
	v.Kinds = [2]AnswerKind{kindOf(p.baseline.Answerable, p.before, facts[0]), kindOf(p.question.Answerable, p.after, facts[1])}
	if !p.identical {
		v.Transition = transition(v.Kinds)
	}
	first, graded, points := v.First.Movement, v.First.Movement, Level
	if moved, by, ok := v.betweenRefusalAndWrong(facts, first); ok {
		if first, v.ByTie, points = moved, by, moved; !s.settled && moved != Level {
			first = Unsettled // one vote settles what answers say only where it settles grades
		}
	} else if first == Level && facts[0] != nil && facts[1] != nil && tied(p, &v) {
		first, points = s.breakTie(p, &v, facts)
	}
	s.byGradeAlone(p, &v, facts)
	v.Verdict = SettleByKind(graded, first, v.ByTie, guard, at)
	v.Open = v.openFor(v.outcomes(facts, graded, first, points), at)
	d := v.Decider()
	v.Detail, v.SettledBy, v.Flaky = d.Detail, d.SettledBy, v.First.Flaky || v.Guard != nil && v.Guard.Flaky
	if v.ByTie != "" {
		v.Detail = map[Label]Detail{Worse: Confirmed, Better: Improved, Mixed: Confirmed, NeedsCheck: Unresolved,
			NoChange: NoRegression}[v.Verdict]
	}
	v.BecameLow = v.First.BecameLow() && s.namesLow(v.First.Metric) || v.Guard.BecameLow() && s.namesLow(v.Guard.Metric)
	v.Remark = s.remark(&v, facts)
	v.atEqualGrade(first)
	return v, true
}

// tied reports whether two answers have the same grade and are not the same answer.
func tied(p *pair, v *QuestionVerdict) bool {
	b, a := p.before[0].Answer, p.after[0].Answer
	return !p.identical && v.First.Gain == 0 && b != nil && a != nil && !textual.SameAnswer(b.Text, a.Text)
}

// breakTie looks at two answers of equal grade together: how the first metric moved by that, and which way they point where one vote does
// not settle it. One vote settles what they say only where it settles grades.
func (s *session) breakTie(p *pair, v *QuestionVerdict, facts [2]*AnswerFacts) (settled, points Movement) {
	if !s.factsMayDecide(v) {
		return Level, Level
	}
	moved, by := BreakTie(*facts[0], *facts[1])
	// Of a refusal and a wrong answer the facts have said all there is to say: a judge that prefers the wrong one would make the same
	// two answers worse in either order.
	if moved == Level && !decides(*facts[0], *facts[1]) && s.options.Preferences != nil {
		known := false
		if moved, known = s.options.Preferences(*p.question, &p.before[0], &p.after[0]); !known {
			s.OpenTies = append(s.OpenTies, p.question.ID)
			return Level, Level
		}
		by = ByBothOrders
	}
	if moved == Level {
		return Level, Level
	}
	v.ByTie = by
	if !s.settled && by != ByBothOrders { // both orders are two votes on these very answers
		return Unsettled, moved
	}
	return moved, moved
}

// factsOf reads the facts of both answers where they can matter: where a grade is so low that the answer may be a refusal, where the
// documents do not hold the answer, and where grades tie.
func (s *session) factsOf(p *pair, v *QuestionVerdict) (facts [2]*AnswerFacts) {
	if s.options.Facts == nil || p.identical || len(p.before) == 0 || len(p.after) == 0 {
		return facts
	}
	matters := !p.question.Answerable
	for _, results := range [2][]experiments.Result{p.before, p.after} {
		grade, graded := results[0].Value("correctness")
		matters = matters || !graded || grade < 2.5
	}
	if !matters && !tied(p, v) { // asked last: it reads both answers
		return facts
	}
	for arm, results := range [2][]experiments.Result{p.before, p.after} {
		if f, ok := s.options.Facts([2]Arm{BaselineArm, CandidateArm}[arm], &results[0]); ok {
			f = f.With(reasonOf(&results[0]))
			facts[arm] = &f
		}
	}
	return facts
}

// reasonOf is the judge's reason for the grade of correctness.
func reasonOf(r *experiments.Result) string {
	for i := range r.Scores { // scores are large: none is copied
		if s := &r.Scores[i]; s.Metric == "correctness" && s.State == metrics.Scored {
			return r.Reason(i)
		}
	}
	return ""
}

// remark says what the word alone does not: both sides of a mixed verdict, what decided a tie, and a movement of the guard that
// decides nothing.
func (s *session) remark(v *QuestionVerdict, facts [2]*AnswerFacts) *Note {
	if v.ByTie == ByKeyFacts && facts[0].Covered == facts[1].Covered && facts[0].holds() != facts[1].holds() {
		n := newNote("remark.facts_of_right", "before", facts[0].Supported, "after", facts[1].Supported)
		return &n
	}
	if v.ByTie == ByKeyFacts && facts[0].Covered != facts[1].Covered {
		n := newNote("remark.key_facts", "before", facts[0].Covered, "after", facts[1].Covered, "key", facts[0].Key)
		return &n
	}
	if v.ByTie == ByKeyFacts {
		n := newNote("remark.contradicts", "before", facts[0].Contradicted, "after", facts[1].Contradicted)
		return &n
	}
	if v.ByTie == ByRefusal && (facts[0].partly() || facts[1].partly()) {
		n := newNote("remark.refusal_share", "share", Percent(max(facts[0].Told.Share, facts[1].Told.Share)))
		return &n
	}
	if v.ByTie == ByRefusal && v.First.Movement == Rose && v.Verdict != Better {
		n := newNote("remark.refusal_rose")
		return &n
	}
	if v.ByTie != "" {
		n := newNote("remark." + string(v.ByTie))
		return &n
	}
	g := v.Guard
	if g == nil || g.Movement != Fell && g.Movement != Rose {
		return nil
	}
	was, is := stats.Pair(g.Baseline, g.Candidate, 2)
	names := []any{"first", s.titleOf(v.First.Metric), "guard", s.titleOf(g.Metric), "before", was, "after", is}
	code := ""
	plain := v.First.Metric == "correctness" && (g.Metric == "trust" || g.Metric == "faithfulness")
	switch {
	case v.Verdict == Mixed && g.Movement == Fell:
		code = "remark.mixed_up"
	case v.Verdict == Mixed:
		code = "remark.mixed_down"
	case v.First.Movement == Level && v.Verdict == Worse:
		code = "remark.ungrounded"
	case v.First.Movement == Level && v.Verdict == Better:
		code = "remark.grounded"
	case g.Crossing == BecameLow || g.Crossing == LeftLow, !s.namesLow(g.Metric): // both moved the same way, or no line was drawn
		code, plain = "remark.guard_moved", true
	default:
		code, plain = "remark.guard_level", true
	}
	if !plain {
		code += "_by"
	}
	n := newNote(code, names...)
	return &n
}

// atEqualGrade says of another kind of answer with the same grade what decided: what a tie was broken by, or that nothing else moved. first
// is which way the first metric counts as moved.
func (v *QuestionVerdict) atEqualGrade(first Movement) {
	if v.Transition == "" || v.First.Gain != 0 {
		return
	}
	broken := v.Verdict == Better && first == Rose || v.Verdict == Worse && first == Fell
	switch {
	case v.ByTie != "" && broken && v.Remark.Code != "remark.contradicts" && v.Remark.Code != "remark.both_orders": // which say it
		n := newNote("remark.tie_by", "what", *v.Remark)
		v.Remark = &n
	case v.Remark == nil && v.Verdict == NoChange:
		n := newNote("remark.kind_alone")
		v.Remark = &n
	case v.Remark == nil && v.Verdict == NeedsCheck:
		n := newNote("remark.kind_open")
		v.Remark = &n
	}
}

// titleOf is a metric's name as a note fills it in.
func (s *session) titleOf(metric string) Note {
	for _, spec := range s.specs {
		if spec.ID == metric {
			return newNote("title", "en", title(spec, "en"), "ja", title(spec, "ja"))
		}
	}
	return newNote("title", "en", metric, "ja", metric)
}
