package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// WarnByGradeAlone is the code of the warning that questions were counted by a grade alone that answers tie by.
const WarnByGradeAlone = "warn.by_grade_alone"

// lacksStatements reports whether nobody set the statements of answer and right answer against each other in runs of a suite, so that
// answers of equal grade cannot be told apart.
func lacksStatements(suite []metrics.Spec) bool {
	answer, reference := metrics.SetsAgainst(suite)
	return !answer || !reference
}

// byGradeAlone counts a question that has two answers which differ and tie, and that were not looked at together although a run was not
// scored by what that needs. Of those that repeated votes decide it is noted apart that nothing else would count them otherwise.
func (s *session) byGradeAlone(p *pair, v *QuestionVerdict, facts [2]*AnswerFacts) {
	if !s.lacks[0] && !s.lacks[1] || s.options.Facts == nil || v.ByTie != "" || v.First.Metric != "correctness" {
		return
	}
	if facts[0] != nil && facts[1] != nil && (s.options.Preferences != nil || facts[0].Matched && facts[1].Matched) {
		return // they were set beside each other, or are listed as still to be
	}
	if len(p.before) == 0 || len(p.after) == 0 || !tied(p, v) {
		return
	}
	s.ByGradeAlone++
	if !s.factsMayDecide(v) {
		s.tiedByVotes++
	}
}

// factsMayDecide reports whether what answers of equal grade say may decide about a question: facts speak of correctness, and repeated
// votes that found no change, or left it open, are not overruled by the first of them.
func (s *session) factsMayDecide(v *QuestionVerdict) bool {
	return v.First.Metric == "correctness" && v.First.Movement == Level && (s.settled || v.First.SettledBy == "")
}

// gradeAloneNote tells of the questions that byGradeAlone counted.
func (s *session) gradeAloneNote() Note {
	more := newNote("lacks.more")
	switch s.tiedByVotes {
	case 0:
	case s.ByGradeAlone:
		more = newNote("lacks.votes_all")
	default:
		more = newNote("lacks.votes", "n", s.tiedByVotes)
	}
	return newNote(WarnByGradeAlone, "n", s.ByGradeAlone, "votes", s.tiedByVotes, "who", s.whoLacks(),
		"measures", statementMeasures(), "more", more)
}

// CountedByGrade says in short how many questions were counted by a grade alone and might have been counted otherwise: whoever counts worse
// answers says it, because runs of the same systems that were scored by more count others. ok is false where nothing would be.
func (c *Comparison) CountedByGrade() (said Note, ok bool) {
	for _, w := range c.Warnings {
		if w.Code != WarnByGradeAlone {
			continue
		}
		votes, _ := w.Params["votes"].(int)
		n := c.ByGradeAlone - votes
		return newNote("lacks.short", "n", n, "who", w.Params["who"], "measures", w.Params["measures"]), n > 0
	}
	return Note{}, false
}

// WarningsBeside are the warnings that stand beside the sentences on a comparison: how many questions were counted by a grade alone is one
// of the sentences, unless votes decide all of them.
func (c *Comparison) WarningsBeside() []Note {
	_, told := c.CountedByGrade()
	return slices.DeleteFunc(slices.Clone(c.Warnings), func(n Note) bool { return told && n.Code == WarnByGradeAlone })
}

// whoLacks names the runs that were not scored by what tells answers of one grade apart.
func (s *session) whoLacks() Note {
	switch s.lacks {
	case [2]bool{true, false}:
		return newNote("lacks.baseline")
	case [2]bool{false, true}:
		return newNote("lacks.candidate")
	}
	return newNote("lacks.both")
}

// statementMeasures names the metrics each of which tells answers of one grade apart.
func statementMeasures() Note {
	return newNote("title", "en", metrics.StatementMeasuresIn("en"), "ja", metrics.StatementMeasuresIn("ja"))
}
