package compare

// leans is which way a metric's scores point, whether or not that is settled.
func (d *Deciding) leans() Movement {
	switch {
	case d.Gain < 0:
		return Fell
	case d.Gain > 0:
		return Rose
	}
	return Level
}

// outcome is what may turn out of the first metric: how it is graded, how it counts as moved, and what decided that in place of the grades.
type outcome struct {
	graded, first Movement
	by            TieBreak
}

// outcomes are what may turn out of the first metric. What is open is as its scores point or did not move; of a refusal and a wrong answer
// what they state may decide in its place, as it does where grades are settled. points is which way what broke a tie points.
func (v *QuestionVerdict) outcomes(facts [2]*AnswerFacts, graded, first, points Movement) []outcome {
	if first != Unsettled {
		return []outcome{{graded, first, v.ByTie}}
	}
	if graded != Unsettled {
		return []outcome{{graded, points, v.ByTie}, {graded, Level, v.ByTie}}
	}
	var out []outcome
	for _, g := range []Movement{v.First.leans(), Level} {
		o := outcome{g, g, ""}
		if moved, by, ok := v.betweenRefusalAndWrong(facts, g); ok {
			o.first, o.by = moved, by
		}
		out = append(out, o)
	}
	return out
}

// betweenRefusalAndWrong is what the facts of a refusal and a wrong answer decide in place of a grade that says something else.
func (v *QuestionVerdict) betweenRefusalAndWrong(facts [2]*AnswerFacts, graded Movement) (m Movement, by TieBreak, ok bool) {
	m, by, ok = BetweenRefusalAndWrong(v.Kinds, facts, graded)
	return m, by, ok && !v.Identical && v.First.Metric == "correctness" && graded != m && graded != Unsettled
}

// openFor is how likely a question that needs a check is worse where it would be by one of the outcomes and has too few votes for
// that to be confirmed; else 0. Whoever counts worse answers must not take such a question for one that is not worse: nothing could
// have said so.
func (v *QuestionVerdict) openFor(outcomes []outcome, at Crossing) float64 {
	if v.Verdict != NeedsCheck {
		return 0
	}
	guards, open := []Movement{Absent}, v.First.Open
	if v.Guard != nil {
		guards = []Movement{v.Guard.Movement}
		if guards[0] == Unsettled {
			guards = []Movement{v.Guard.leans(), Level}
		}
		if len(outcomes) == 1 { // the first is settled: the guard left it open
			open = v.Guard.Open
		}
	}
	if v.ByTie != "" && open > 0 { // what grades say of it is not what is open
		open = 1
	}
	for _, o := range outcomes {
		for _, g := range guards {
			if SettleByKind(o.graded, o.first, o.by, g, at) == Worse {
				return open
			}
		}
	}
	return 0
}
