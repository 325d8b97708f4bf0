package compare

import "github.com/rag-workbench/workbench/internal/metrics"

// WarnByGradeAlone is the code of the warning that questions were counted by a grade alone that answers tie by.
const WarnByGradeAlone = "warn.by_grade_alone"

// lacksStatements reports whether nobody set the statements of answer and right answer against each other in runs of a suite, so that
// answers of equal grade cannot be told apart.
func lacksStatements(suite []metrics.Spec) bool {
	answer, reference := metrics.SetsAgainst(suite)
	return !answer || !reference
}

// byGradeAlone reports whether a question has two answers that differ and tie, and that were not looked at together only because a run was
// not scored by what that needs.
func (s *session) byGradeAlone(p *pair, v *QuestionVerdict, facts [2]*AnswerFacts) bool {
	if !s.lacks[0] && !s.lacks[1] || s.options.Facts == nil || v.ByTie != "" {
		return false
	}
	if facts[0] != nil && facts[1] != nil && s.options.Preferences != nil {
		return false // they were set beside each other, or are listed as still to be
	}
	if v.First.Metric != "correctness" || v.First.Movement != Level || !s.settled && v.First.SettledBy != "" {
		return false
	}
	return len(p.before) > 0 && len(p.after) > 0 && tied(p, v)
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
