package compare

import "github.com/rag-workbench/workbench/internal/metrics"

// MovementOf is which way the first metric moved for a judge that compared both answers.
func MovementOf(p metrics.Preference) Movement {
	switch p {
	case metrics.PrefersBefore:
		return Fell
	case metrics.PrefersAfter:
		return Rose
	case metrics.PrefersNone:
	}
	return Level
}

// FactsOf reads the facts of an answer out of what its scores rest on. ok is false where no stored reply says anything of it.
func FactsOf(g metrics.Grounds) (facts AnswerFacts, ok bool) {
	facts = AnswerFacts{Key: g.Key, Covered: g.Covered, Supported: g.Supported, Contradicted: g.Contradicted,
		Matched: g.Key > 0 && (g.Checked || g.Refuses)}
	if g.Listed {
		facts.Refused = &g.Refuses
	}
	return facts, g.Listed || g.Key > 0
}
